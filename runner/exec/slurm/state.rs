//! What Slurm says of a job, in its own words.

/// A job, as `squeue` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JobSeen {
    /// `PENDING`, `RUNNING`, `TIMEOUT`, …
    pub(super) state: String,
    /// Where it is, or is to be.
    pub(super) partition: String,
    /// Why it waits or ended; empty where Slurm gives none.
    pub(super) reason: String,
}

/// Whether a job may still do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It waits, runs, or is being cleared away; also any word that is not known: Slurm forgets an
    /// ended job sooner or later, and that is an end too.
    Open,
    /// It came to its end by itself, well or not.
    Ended,
    /// Something ended it.
    Cut,
}

/// What is asked of `squeue`.
pub(super) const FORMAT: &str = "%T|%P|%r";

impl JobSeen {
    /// Reads the first line that `squeue` printed.
    pub(super) fn read(text: &str) -> Option<JobSeen> {
        let mut parts = text.lines().next()?.splitn(3, '|').map(str::trim);
        let (state, partition) = (parts.next()?, parts.next()?);
        // anything else is no answer of Slurm's
        let is_word = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        };
        let is_name = |text: &str| {
            !text.is_empty()
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.,".contains(c))
        };
        if !is_word(state)
            || !is_name(partition)
            || text.contains(|c: char| c.is_control() && c != '\n')
        {
            return None;
        }
        let reason = parts.next().filter(|reason| *reason != "None" && *reason != "(null)");
        Some(JobSeen {
            state: state.to_owned(),
            partition: partition.to_owned(),
            reason: reason.unwrap_or_default().to_owned(),
        })
    }

    pub(super) fn stage(&self) -> Stage {
        match self.state.as_str() {
            "COMPLETED" | "FAILED" => Stage::Ended,
            "CANCELLED" | "TIMEOUT" | "PREEMPTED" | "NODE_FAIL" | "BOOT_FAIL" | "DEADLINE"
            | "OUT_OF_MEMORY" | "REVOKED" => Stage::Cut,
            _ => Stage::Open,
        }
    }

    /// `PENDING (Resources)`.
    pub(super) fn words(&self) -> String {
        match self.reason.as_str() {
            "" => self.state.clone(),
            reason => format!("{} ({reason})", self.state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_squeue_are_read() {
        let seen = JobSeen::read("TIMEOUT|one|TimeLimit\n").unwrap();
        assert_eq!((seen.words().as_str(), seen.stage()), ("TIMEOUT (TimeLimit)", Stage::Cut));
        let seen = JobSeen::read("RUNNING|one|None\n").unwrap();
        assert_eq!((seen.words().as_str(), seen.stage()), ("RUNNING", Stage::Open));
        assert_eq!(JobSeen::read("SOMETHING_NEW|one|x").unwrap().stage(), Stage::Open);
        assert_eq!(JobSeen::read(""), None);
        assert_eq!(JobSeen::read("nonsense"), None);
        assert_eq!(JobSeen::read("\u{1b}[31m|one|x"), None);
        assert_eq!(JobSeen::read("RUNNING|o\u{7}ne|x"), None);
        assert_eq!(JobSeen::read("error: cannot reach|the controller|"), None);
    }
}
