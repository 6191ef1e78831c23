//! SIGINT and SIGTERM become a flag that the run looks at between its steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::failure::Failure;

/// Whether somebody asked the run to stop. While one of these lives, the two signals no longer
/// end the process by themselves.
#[derive(Debug)]
pub(super) struct Interrupt {
    raised: Arc<AtomicUsize>,
    registered: Vec<SigId>,
}

impl Interrupt {
    /// Listens from now on.
    ///
    /// # Errors
    /// When the operating system refuses the handler.
    pub(super) fn listen() -> Result<Interrupt, Failure> {
        let mut interrupt = Interrupt::never();
        for (signal, number) in [(SIGINT, 2), (SIGTERM, 15)] {
            let raised = Arc::clone(&interrupt.raised);
            let id =
                signal_hook::flag::register_usize(signal, raised, number).map_err(|error| {
                    Failure::failed(format!("signal {number} cannot be listened for: {error}"))
                })?;
            interrupt.registered.push(id);
        }
        Ok(interrupt)
    }

    /// One that is never raised, for short looks at a worker.
    pub(super) fn never() -> Interrupt {
        Interrupt { raised: Arc::new(AtomicUsize::new(0)), registered: Vec::new() }
    }

    /// The signal's name, once one came.
    pub(super) fn raised(&self) -> Option<&'static str> {
        match self.raised.load(Ordering::Relaxed) {
            0 => None,
            2 => Some("SIGINT"),
            _ => Some("SIGTERM"),
        }
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        for id in &self.registered {
            signal_hook::low_level::unregister(*id);
        }
    }
}
