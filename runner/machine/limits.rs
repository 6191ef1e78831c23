//! Limits that no manifest registers, each with where it comes from.

/// Steal over this flags a block. Chosen: the kernel counts it in ticks of 10 ms, and a block of
/// some seconds with a twentieth of a processor missing is visibly slower.
pub(super) const STEAL_PERCENT: f64 = 5.0;

/// Two clocks are read one after the other; a tenth of a second between them is a sleep.
pub(super) const SUSPEND_MILLISECONDS: f64 = 100.0;

/// The same two readings stand behind a step of the wall clock.
pub(super) const CLOCK_STEP_MILLISECONDS: f64 = 100.0;

/// Time in which somebody waited for memory. Chosen: it is lost to the timed work one to one, and a
/// hundredth is the smallest margin that an experiment here has registered.
pub(super) const MEMORY_PRESSURE_PERCENT: f64 = 1.0;

/// Degrees Celsius at which work should not begin. Chosen: twenty below the 100 at which most
/// processors slow themselves (`Tjunction` in Intel's data sheets; AMD names 89 to 95), since a core
/// under load is some twenty degrees above an idle one.
pub(super) const HOT_CELSIUS: f64 = 80.0;

/// Degrees Celsius under which a processor has long been at rest in a cold room. Chosen: the first
/// minutes then run at clocks that the rest do not hold.
pub(super) const COLD_CELSIUS: f64 = 30.0;

/// A shut gate opens at this share of a limit: a load that wavers about the limit would else open
/// and shut it at each look. Chosen: well outside of the doubt that ticks leave of a second (3 % of
/// one processor on two processors), near enough that a machine whose usual load is registered as
/// admitted is not held up for ever.
pub(super) const OPENS_AT: f64 = 0.8;
