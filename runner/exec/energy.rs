//! The energy of requests: the machine's counters are read right before a request is sent and right
//! after its answer came, so a reading is of the whole request.

use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::machine::{Computing, EnergyCounters, EnergyReading, MachineRoot, Reading};
use crate::manifest::{Metric, Plan};
use crate::verdict::EnergyEvidence;

/// A request must last so many of the counters' update periods. A counter that is read lags by up to
/// one period at either end, half of one on average. What the machine took before the request is
/// counted in at its beginning, and what the request itself took is missing at its end; at idle power
/// near zero that is half a period in 20, 2.5 % of a figure. It is the same for both arms, so their
/// ratio is off by that share of the difference in their times: 0.25 % where one is 10 % faster.
const UPDATES_OF_A_REQUEST: u32 = 20;

/// What reads the counters.
pub(super) enum EnergyMeter {
    /// No metric asks for energy.
    NotAsked,
    /// There is nothing to read.
    Unknown {
        /// Why.
        why: String,
    },
    /// These are read.
    Counting {
        /// The counters.
        counters: EnergyCounters,
        /// A request that lasts less has no energy.
        shortest: Duration,
    },
}

/// The state before a request.
pub(super) struct Before {
    reading: EnergyReading,
    at: Instant,
}

/// What a request took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spent {
    /// Over all counters.
    Microjoules(u64),
    /// The counters move too seldom for it: how long it lasted, and how long it must, in words.
    TooShort(String),
    /// Nobody asks, or a counter gave no number.
    Unknown,
}

impl EnergyMeter {
    /// Finds the counters where a metric asks for energy.
    ///
    /// # Errors
    /// Refused where energy is to be judged and cannot be read.
    pub(super) fn open(plan: &Plan, root: &MachineRoot) -> Result<EnergyMeter, Failure> {
        if !plan.metric.asks_for(Metric::JoulesPerToken) {
            return Ok(EnergyMeter::NotAsked);
        }
        match EnergyCounters::find(root, computing(plan)) {
            Reading::Known(counters) => {
                let shortest = counters.update_period() * UPDATES_OF_A_REQUEST;
                Ok(EnergyMeter::Counting { counters, shortest })
            }
            Reading::Unknown(why) if plan.metric.primary == Metric::JoulesPerToken => {
                Err(Failure::refused(format!("energy cannot be read here: {why}"))
                    .at("`joules_per_token`, the primary metric")
                    .hint(
                        "RAPL's energy_uj is readable by root alone unless somebody allows more: \
                         `sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj`, until the next \
                         boot; elsewhere take a speed as the primary metric (docs/energy.md)",
                    ))
            }
            Reading::Unknown(why) => Ok(EnergyMeter::Unknown { why }),
        }
    }

    /// For the record.
    pub(super) fn evidence(&self) -> Option<EnergyEvidence> {
        match self {
            EnergyMeter::NotAsked => None,
            EnergyMeter::Unknown { why } => Some(EnergyEvidence::Unknown { why: why.clone() }),
            EnergyMeter::Counting { counters, shortest } => Some(EnergyEvidence::Read {
                counters: counters.names(),
                shortest_milliseconds: u64::try_from(shortest.as_millis()).unwrap_or(u64::MAX),
            }),
        }
    }

    /// Right before a request.
    pub(super) fn read(&self) -> Option<Before> {
        let EnergyMeter::Counting { counters, .. } = self else { return None };
        let reading = counters.read().known()?.clone();
        Some(Before { reading, at: Instant::now() })
    }

    /// Right after its answer.
    pub(super) fn since(&self, before: Option<Before>) -> Spent {
        let (EnergyMeter::Counting { counters, shortest }, Some(before)) = (self, before) else {
            return Spent::Unknown;
        };
        let lasted = before.at.elapsed();
        let after = counters.read();
        if lasted < *shortest {
            return Spent::TooShort(format!(
                "lasted {:.1} ms, and the counters need {} ms ({UPDATES_OF_A_REQUEST} of their updates)",
                lasted.as_secs_f64() * 1e3,
                shortest.as_millis()
            ));
        }
        let moved = after.known().and_then(|after| counters.between(&before.reading, after));
        moved.map_or(Spent::Unknown, Spent::Microjoules)
    }
}

/// Whether any arm has layers on a GPU.
fn computing(plan: &Plan) -> Computing {
    let offloads = |layers: Option<u32>| layers.is_some_and(|layers| layers > 0);
    if plan.arms.iter().any(|arm| offloads(plan.settings_of(arm).gpu_layers)) {
        Computing::ProcessorAndGpus
    } else {
        Computing::Processor
    }
}
