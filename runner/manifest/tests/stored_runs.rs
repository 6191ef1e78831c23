//! Stored runs of the small world, whose noise a manifest may name.

use super::support::{GOOD, altered, plan};
use crate::failure::Failure;
use crate::manifest::{NoNoise, NoiseFacts, NoiseSource, Plan};

/// Names of the small world's runs.
pub fn names(source: &NoiseSource) -> Vec<String> {
    let names: &[&str] = match source {
        NoiseSource::Record(_) => &[
            "earlier/20261101-100000",
            "other-work/20261102-100000",
            "prefill/20261103-100000",
            "busy/20261104-100000",
            "torn/20261105-100000",
        ],
        NoiseSource::Pilot(_) => &["20261106-100000", "20261107-100000", "20261108-100000"],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The plans of the small world's records and registrations.
pub fn stored_plan(name: &str) -> Result<Option<Plan>, Failure> {
    const LOOKUP: (&str, &str) =
        ("threads = 2\n", "draft_source = \"prompt_lookup\"\ndraft_tokens = 4\n");
    const SPECULATION: (&str, &str) = ("\"dense_throughput\"", "\"speculation\"");
    match name {
        "the-whole" => Ok(Some(plan(GOOD))),
        "another-whole" => Ok(Some(plan(&altered(&[("threads = 1\n", "threads = 4\n")])))),
        "a-slice/20261101-100000" => {
            Ok(Some(plan(&altered(&[("threads = 1\n", "threads = 1\nlayers = 4\n")]))))
        }
        "lookups/20261109-100000" => Ok(Some(plan(&altered(&[LOOKUP, SPECULATION])))),
        "torn/20261105-100000" => Err(Failure::failed("changed after it was sealed")),
        name => Ok(noise(&NoiseSource::Record(name.to_owned())).ok().map(|facts| facts.plan)),
    }
}

/// What each of them shows.
pub fn noise(source: &NoiseSource) -> Result<NoiseFacts, NoNoise> {
    let of = |text: &str, freedom: u32| NoiseFacts {
        round_sd_percent: 0.612_345_678,
        block_sd_percent: 2.345_678_9,
        round_freedom: freedom,
        upper_round_value_sd_percent: 2.8,
        plan: plan(text),
        contamination: None,
    };
    let (NoiseSource::Record(name) | NoiseSource::Pilot(name)) = source;
    match name.as_str() {
        "earlier/20261101-100000" => Ok(of(GOOD, 11)),
        "other-work/20261102-100000" => Ok(of(
            &altered(&[
                ("threads = 1\n", "threads = 4\n"),
                ("rounds = 12", "rounds = 12\nchunk_tokens = 16"),
                ("blocks_per_round = 4", "blocks_per_round = 6"),
                ("class = \"dense_throughput\"", "class = \"divergence\""),
            ]),
            11,
        )),
        "prefill/20261103-100000" => Ok(of(
            &altered(&[
                ("prompt_tokens = 32\ndecode_tokens = 64", "prefill_tokens = 512"),
                ("\"decode_tokens_per_second\"", "\"prefill_tokens_per_second\""),
            ]),
            11,
        )),
        "busy/20261104-100000" => Ok(NoiseFacts {
            contamination: Some("31 % of the blocks were flagged (cap 20 %)".to_owned()),
            ..of(GOOD, 11)
        }),
        "torn/20261105-100000" => Err(NoNoise::Unreadable(
            Failure::failed("changed after it was sealed").at("results/torn/record.toml"),
        )),
        "20261106-100000" => Ok(of(GOOD, 3)),
        "20261107-100000" => Err(NoNoise::TooFewRounds),
        "20261108-100000" => Ok(NoiseFacts {
            round_sd_percent: 0.0,
            block_sd_percent: 0.0,
            upper_round_value_sd_percent: 0.0,
            ..of(GOOD, 1)
        }),
        _ => Err(NoNoise::Unknown("`results/` has no such run".to_owned())),
    }
}
