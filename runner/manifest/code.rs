//! The codes of all faults that a manifest can have. They are stable: programs may match them.

/// What sort of fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    /// The stable text, kebab-case.
    pub text: &'static str,
    /// One sentence for the reference.
    pub meaning: &'static str,
}

macro_rules! codes {
    ($($name:ident = $text:literal, $meaning:literal;)*) => {
        impl Code {
            $(#[doc = $meaning] pub const $name: Code = Code { text: $text, meaning: $meaning };)*

            /// Every code, in the order of the reference.
            pub const ALL: &[Code] = &[$(Code::$name),*];
        }
    };
}

codes! {
    NOT_UTF8 = "not-utf8", "The file is not UTF-8 text.";
    TOO_LARGE = "too-large", "The file is larger than a manifest may be.";
    EMPTY_FILE = "empty-file", "The file says nothing.";
    TOML_SYNTAX = "toml-syntax", "The text is not TOML.";
    DUPLICATE_KEY = "duplicate-key", "A key or a table is given twice.";
    SCHEMA_VERSION = "schema-version", "The manifest is of another version of the language.";
    UNKNOWN_KEY = "unknown-key", "No key has this name.";
    KEY_IN_WRONG_TABLE = "key-in-wrong-table", "The key belongs to another table.";
    MISSING_KEY = "missing-key", "A key is required here.";
    MISSING_TABLE = "missing-table", "A table is required.";
    EXCLUSIVE_KEYS = "exclusive-keys", "Of these keys one, and only one, may be given.";
    WRONG_TYPE = "wrong-type", "The value is of another type than is wanted.";
    OUT_OF_RANGE = "out-of-range", "A number is too small or too great, or a list too long.";
    NOT_FINITE = "not-finite", "The number is `nan` or `inf`.";
    UNKNOWN_VALUE = "unknown-value", "The value is not one of those that are known.";
    BAD_NAME = "bad-name", "A name has characters that names cannot have.";
    BAD_TEXT = "bad-text", "A text is empty, or has characters that would break a table.";
    EMPTY_LIST = "empty-list", "The list needs at least one value.";
    DUPLICATE_VALUE = "duplicate-value", "A value occurs twice in a list.";
    UNKNOWN_BUILD = "unknown-build", "No build of this name is declared.";
    BAD_BUILD = "bad-build", "A build says something that no build can be made of.";
    NO_RELINKED_ARM = "no-relinked-arm", "Builds are compared and no arm shows what layout alone does (a warning).";
    BAD_HISTORY = "bad-history", "Something in the manifest stands in the way of a search for a commit.";
    BAD_PEER = "bad-peer", "Something is said of another engine that cannot be, or is not said that must be.";
    UNKNOWN_MODEL = "unknown-model", "The catalogue has no model of this name.";
    BAD_CATALOGUE = "bad-catalogue", "The project's catalogue of models has faults of its own.";
    UNKNOWN_WORKLOAD = "unknown-workload", "No workload has this name or path.";
    BAD_WORKLOAD = "bad-workload", "The workload's file has faults of its own.";
    WORKLOAD_CLASS = "workload-class", "The workload does not serve the measurement class.";
    OWN_INPUTS = "own-inputs", "An arm may not have this set, or none, of its own.";
    NO_SUCH_FILE = "no-such-file", "A named file is not there (a warning: `exec` refuses).";
    WORKLOAD_TOO_SHORT = "workload-too-short", "The texts cannot give as many tokens.";
    MISSING_OFF = "missing-off", "No arm has the role `off`.";
    SEVERAL_OFF = "several-off", "More than one arm has the role `off`.";
    MISSING_AA = "missing-aa", "No arm has the role `aa`.";
    NO_TREATMENT = "no-treatment", "There is nothing to judge.";
    DUPLICATE_ARM = "duplicate-arm", "Two arms have the same name.";
    ARM_EQUALS_OFF = "arm-equals-off", "An arm that is not `aa` does what `off` does.";
    AA_DIFFERS = "aa-differs", "An `aa` arm does something else than `off`.";
    EQUAL_TREATMENTS = "equal-treatments", "Two treatments do the same.";
    OFF_DRAFTS = "off-drafts", "`off` or `aa` drafts, though others are held against plain decoding.";
    LAYERS_DIFFER = "layers-differ", "An arm that is judged runs another number of layers than `off`.";
    CLAIM_OUTSIDE_REGIME = "claim-outside-regime", "The claims are to speak of more, or of something else, than the arms run.";
    CLAIM_NAMES_ANOTHER = "claim-names-another", "A registered wording names something of which nothing is run.";
    PREDICTS_NOTHING = "predicts-nothing", "Only an experiment on a slice predicts what another gives on the whole model.";
    UNKNOWN_RECORD = "unknown-record", "A record or an experiment that is cited is not here, or cannot be read (a warning).";
    OTHER_SCOPE = "other-scope", "A record or an experiment that is cited speaks of another scope (a warning).";
    CONFOUNDED_LADDER = "confounded-ladder", "The rungs differ from `off` in more than the ladder's setting.";
    BAD_RUNGS = "bad-rungs", "A ladder's rule cannot be held against these rungs.";
    MISSING_CONTRACT = "missing-contract", "A treatment promises nothing of its output.";
    NEEDLESS_CONTRACT = "needless-contract", "`off` and `aa` have nobody to promise anything to.";
    NOT_OF_THIS_WORK = "not-of-this-work", "The key or value belongs to another kind of work.";
    BAD_LOOKS = "bad-looks", "Looks are too early, too few, too many, out of order, or do not end at the last round.";
    BAD_SPENDING = "bad-spending", "The error that is spent falls, does not fit the looks, or does not reach the whole.";
    SPENDING_OVER_ALPHA = "spending-over-alpha", "More error is spent than there is.";
    UNKNOWN_NOISE_SOURCE = "unknown-noise-source", "No record or pilot has this name.";
    BAD_NOISE_SOURCE = "bad-noise-source", "The record or pilot cannot be read.";
    NOISE_OF_TOO_FEW_ROUNDS = "noise-of-too-few-rounds", "The record or pilot has too few whole rounds to show the noise.";
    NOISE_OF_OTHER_WORK = "noise-of-other-work", "The noise was measured on other work (a warning, but for another metric).";
    NOISE_BARELY_KNOWN = "noise-barely-known", "The spread between rounds comes from few degrees of freedom (a warning).";
    NOISE_CONTAMINATED = "noise-contaminated", "The noise comes from a run that other work disturbed (a warning).";
    INPUTS_OF_NO_CLASS = "inputs-of-no-class", "The inputs cannot carry a claim about a class of inputs.";
    CHUNK_MISFIT = "chunk-misfit", "The timed tokens do not divide into chunks.";
    OVER_CONTEXT = "over-context", "The tokens do not fit into the context.";
    NEEDS_FLASH_ATTENTION = "needs-flash-attention", "The setting works with flash attention only.";
    SETTING_IGNORED = "setting-ignored", "The engine would accept the setting and ignore it.";
    SERVER_OF_TWO_ARMS = "server-of-two-arms", "Two arms name one RPC server, which serves one worker at a time.";
    UNREACHABLE_OUTCOME = "unreachable-outcome", "An outcome of the rules can never come about.";
    UNREACHABLE_DESIGN = "unreachable-design", "The design reaches an outcome too seldom (a warning: `register` refuses).";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_kebab_case_and_differ() {
        let texts: BTreeSet<&str> = Code::ALL.iter().map(|code| code.text).collect();
        assert_eq!(texts.len(), Code::ALL.len());
        for text in texts {
            assert!(text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
        }
    }
}
