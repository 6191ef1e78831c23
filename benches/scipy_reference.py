"""The work of the benches beside this file, done with NumPy and SciPy.

    python3 benches/scipy_reference.py [CASE ...]

Prints one line a case: name, tab, seconds (best of the tries). Needs SciPy 1.15 or later. Nothing
is asserted. The work is written as an experienced user would: whole arrays, no loop over samples.
"""

import sys
import time

import numpy as np
from scipy import stats

SEED = 20261129


def measure(name, tries, work):
    least = float("inf")
    for _ in range(tries):
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    print(f"{name}\t{least:.6f}", flush=True)


def pairs(count):
    rng = np.random.default_rng(SEED)
    baseline = 30.0 * np.exp(0.1 * rng.standard_normal(count))
    treatment = baseline * np.exp(0.02 + 0.03 * rng.standard_normal(count))
    return treatment, baseline


def bca():
    """BCa of the mean log ratio, resampling the differences: the fastest way to ask SciPy."""
    treatment, baseline = pairs(1_000)

    def work():
        differences = np.log(treatment) - np.log(baseline)
        stats.bootstrap(
            (differences,),
            np.mean,
            n_resamples=10_000,
            batch=100,  # a batch that stays in the cache: faster than all at once
            method="BCa",
            confidence_level=0.95,
            vectorized=True,
            rng=np.random.default_rng(SEED),
        )

    measure("bca_10000_resamples_of_1000_pairs", 20, work)


def bca_paired():
    """The same interval asked for as the documentation of paired samples shows."""
    treatment, baseline = pairs(1_000)

    def statistic(treatment, baseline, axis):
        return np.mean(np.log(treatment) - np.log(baseline), axis=axis)

    def work():
        stats.bootstrap(
            (treatment, baseline),
            statistic,
            paired=True,
            n_resamples=10_000,
            batch=100,
            method="BCa",
            confidence_level=0.95,
            vectorized=True,
            rng=np.random.default_rng(SEED),
        )

    measure("bca_10000_resamples_of_1000_pairs, paired=True", 5, work)


ROUNDS, BLOCKS, CHUNKS, CHUNK_TOKENS, ARMS = 280, 25, 48, 8, 3


def samples():
    """The made-up run of `benches/evidence`, as columns; arms and inputs are numbers already."""
    rng = np.random.default_rng(SEED)
    shape = (ROUNDS, BLOCKS, CHUNKS, ARMS)
    arm = np.broadcast_to(np.arange(ARMS), shape)
    log_rate = (
        np.log(30.0)
        + np.where(arm == 2, 0.05, 0.0)
        + 0.008 * rng.standard_normal((ROUNDS, 1, 1, ARMS))
        + 0.03 * rng.standard_normal((ROUNDS, BLOCKS, 1, ARMS))
        + 0.02 * rng.standard_normal(shape)
    )
    nanoseconds = (CHUNK_TOKENS * np.exp(-log_rate) * 1e9).astype(np.int64)
    column = lambda index: np.broadcast_to(
        np.arange(shape[index]).reshape([-1 if i == index else 1 for i in range(4)]), shape
    ).ravel()
    return {
        "round": column(0),
        "block": column(1),
        "arm": arm.ravel(),
        "tokens": np.full(nanoseconds.size, CHUNK_TOKENS),
        "nanoseconds": nanoseconds.ravel(),
    }


def described(log_ratios, rates, other_rates, confidence):
    """What stands in the analysis of one comparison."""
    values = stats.trim_mean(log_ratios, 0.25, axis=1)
    test = stats.ttest_1samp(values, 0.0)
    test.confidence_interval(confidence)
    stats.ttest_1samp(log_ratios.mean(axis=1), 0.0).confidence_interval(confidence)
    stats.ttest_ind(np.log(rates).ravel(), np.log(other_rates).ravel(), equal_var=False)
    np.quantile(rates, [0.0, 0.25, 0.5, 0.75, 1.0])
    np.quantile(other_rates, [0.0, 0.25, 0.5, 0.75, 1.0])
    stats.wilcoxon(values)
    stats.binomtest(int((values > 0).sum()), values.size)
    first, second = np.triu_indices(values.size)
    np.median((values[first] + values[second]) / 2.0)
    resampled = stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, batch=100, method="BCa",
        confidence_level=confidence, rng=np.random.default_rng(SEED),
    )
    stats.bootstrap(
        (values,), np.mean, n_resamples=0, bootstrap_result=resampled, method="percentile",
        confidence_level=confidence,
    )
    stats.median_abs_deviation(log_ratios, axis=None, scale="normal")
    # nested variance by rounds and blocks
    log_ratios.var(axis=1, ddof=1).mean()
    log_ratios.mean(axis=1).var(ddof=1)
    # trend over blocks
    flat = log_ratios.ravel()
    stats.linregress(np.arange(flat.size), flat)


def analysis():
    """From a million rows to every figure of the analysis, with NumPy and SciPy."""
    rows = samples()

    def work():
        blocks = ROUNDS * BLOCKS
        code = (rows["arm"] * ROUNDS + rows["round"]) * BLOCKS + rows["block"]
        tokens = np.bincount(code, weights=rows["tokens"], minlength=ARMS * blocks)
        nanoseconds = np.bincount(code, weights=rows["nanoseconds"], minlength=ARMS * blocks)
        rates = (tokens / (nanoseconds * 1e-9)).reshape(ARMS, ROUNDS, BLOCKS)
        for arm, confidence in ((1, 0.99), (2, 0.95)):
            log_ratios = np.log(rates[arm]) - np.log(rates[0])
            described(log_ratios, rates[arm], rates[0], confidence)

    measure("whole_analysis_of_a_million_samples", 3, work)


def logits():
    """Two rows of logits at each of 512 positions, row by row, so that a row stays in the cache."""
    positions, vocabulary, rows = 512, 49_152, 128
    rng = np.random.default_rng(SEED)
    here = (4.0 * rng.standard_normal((rows, vocabulary))).astype("f4")
    there = here + (0.01 * rng.standard_normal((rows, vocabulary))).astype("f4")

    def cosine(left, right):
        return (left @ right) / np.sqrt((left @ left) * (right @ right))

    def work():
        worst = 0.0
        for position in range(positions):
            left = here[position % rows].astype("f8")
            right = there[position % rows].astype("f8")
            assert np.isfinite(left).all() and np.isfinite(right).all()
            assert left.any() and right.any()
            cosine(left, right)
            cosine(left - left.mean(), right - right.mean())
            difference = np.abs(left - right)
            difference[difference.argmax()]
            left -= left.max()
            right -= right.max()
            weights = np.exp(left)
            total = weights.sum()
            kl = (weights @ (left - right)) / total - np.log(total) + np.log(np.exp(right).sum())
            for row in (left, right):
                row[row.argmax()] = -np.inf
                row.max()
            worst = max(worst, kl)
        return worst

    measure("logits_of_512_positions", 5, work)


CASES = {"bca": bca, "bca_paired": bca_paired, "analysis": analysis, "logits": logits}

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        if name not in CASES:
            sys.exit(f"no case `{name}`; there are: {', '.join(CASES)}")
        CASES[name]()
