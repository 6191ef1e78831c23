"""Opens a record with polars, pandas and DuckDB, and finds the record's own figures in its samples.

    python docs/examples/read_results.py results/ID/RUN [EXPORT.json]

EXPORT.json is what `runner record export ID/RUN --format json` writes; with it the same is done from JSON. Each
library computes the log ratio of every block; the 25 %-trimmed mean of a round's blocks is the round's value, and
the mean of the rounds is the paired effect (docs/statistics.md). Ends with 1 where any figure differs from the
record's. Needs Python 3.11 with polars, pandas, pyarrow and duckdb. Columns: docs/data.md.
"""

import json
import math
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl

BLOCK = ["condition", "round", "segment", "block"]
WORK = {
    "decode_tokens_per_second": "decode",
    "prefill_tokens_per_second": "prefill",
    "bytes_per_second": "primitive",
    "operations_per_second": "primitive",
}


# Each of the following gives rows (arm, condition, round, segment, log ratio to off): one a block that no sensor
# flagged, and in which both arms have a number for every sample.


def with_polars(samples: pl.DataFrame, work: str, off: str) -> list[tuple]:
    flagged = samples.filter(pl.col("flags") != "").select(BLOCK).unique()
    arms = (
        samples.filter(pl.col("work") == work)
        .group_by(*BLOCK, "arm")
        .agg(
            (pl.col("tokens").sum() / pl.col("nanoseconds").sum()).alias("rate"),
            (pl.col("state") == "timed").all().alias("timed"),
        )
        .filter(pl.col("timed"))
        .join(flagged, on=BLOCK, how="anti")
    )
    pairs = arms.join(arms.filter(pl.col("arm") == off), on=BLOCK, suffix="_off")
    ratio = (pl.col("rate") / pl.col("rate_off")).log().alias("log_ratio")
    return pairs.select("arm", "condition", "round", "segment", ratio).rows()


def with_pandas(samples: pd.DataFrame, work: str, off: str) -> list[tuple]:
    timed = samples[samples["work"] == work]
    arms = timed.groupby([*BLOCK, "arm"], as_index=False).agg(
        tokens=("tokens", "sum"),
        nanoseconds=("nanoseconds", "sum"),
        timed=("state", lambda states: (states == "timed").all()),
    )
    arms = arms[arms["timed"]].assign(rate=lambda table: table["tokens"] / table["nanoseconds"])
    flagged = samples[samples["flags"] != ""][BLOCK].drop_duplicates()
    pairs = arms.merge(arms[arms["arm"] == off], on=BLOCK, suffixes=("", "_off"))
    pairs = pairs.merge(flagged, on=BLOCK, how="left", indicator=True)
    pairs = pairs[pairs["_merge"] == "left_only"]
    pairs["log_ratio"] = (pairs["rate"] / pairs["rate_off"]).map(math.log)
    wanted = pairs[["arm", "condition", "round", "segment", "log_ratio"]]
    return list(wanted.itertuples(index=False, name=None))


def with_duckdb(source: str, work: str, off: str) -> list[tuple]:
    return duckdb.execute(
        f"""
        with samples as (select * from {source}),
        flagged as (
            select distinct condition, round, segment, block from samples where flags <> ''
        ),
        arms as (
            select condition, round, segment, block, arm, sum(tokens) / sum(nanoseconds) as rate
            from samples where work = $work
            group by all having bool_and(state = 'timed')
        )
        select arm.arm, condition, round, segment, ln(arm.rate / off.rate)
        from arms as arm
        join (from arms where arm = $off) as off using (condition, round, segment, block)
        anti join flagged using (condition, round, segment, block)
        """,
        {"work": work, "off": off},
    ).fetchall()


def trimmed_mean(values: list[float]) -> float:
    """A quarter is cut from each end, rounded down."""
    cut = len(values) // 4
    kept = sorted(values)[cut : len(values) - cut]
    return math.fsum(kept) / len(kept)


def round_values(blocks: list[tuple], arm: str, condition: int, whole: set[int]) -> list[float]:
    """A round that was interrupted and went on has a value for each of its parts."""
    parts = defaultdict(list)
    for name, at, round_, segment, log_ratio in blocks:
        if (name, at) == (arm, condition) and round_ in whole:
            parts[(round_, segment)].append(log_ratio)
    return [trimmed_mean(parts[part]) for part in sorted(parts)]


def whole_rounds(samples: pl.DataFrame, work: str, arm: str) -> set[int]:
    """Rounds with every block: a run that ended early leaves one that has fewer."""
    own = samples.filter((pl.col("work") == work) & (pl.col("arm") == arm))
    counts = own.select("round", "segment", "block", "condition").unique().group_by("round").len()
    most = counts["len"].max()
    return set(counts.filter(pl.col("len") == most)["round"])


def condition_index(manifest: dict, condition: str) -> int:
    """`depth_tokens=512` is the index of 512 among the condition's values; without one it is 0."""
    if not condition:
        return 0
    return manifest["condition"]["values"].index(int(condition.split("=")[1]))


def main() -> int:
    folder = Path(sys.argv[1])
    exported = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    record = tomllib.loads((folder / "record.toml").read_text(encoding="utf-8"))
    manifest = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))
    off = next(arm["name"] for arm in manifest["arm"] if arm["role"] == "off")
    work = WORK[manifest["metric"]["primary"]]

    path = folder / record["samples"]["file"]
    if path.suffix == ".parquet":
        samples = pl.read_parquet(path)
        ways = {
            "polars": with_polars(samples, work, off),
            "pandas": with_pandas(pd.read_parquet(path), work, off),
            "duckdb": with_duckdb(f"read_parquet('{path}')", work, off),
        }
    else:
        samples = pl.read_ndjson(path)
        ways = {
            "polars": with_polars(samples, work, off),
            "pandas": with_pandas(pd.read_json(path, lines=True), work, off),
            "duckdb": with_duckdb(f"read_ndjson('{path}')", work, off),
        }
    if exported is not None:
        rows = json.loads(exported.read_text(encoding="utf-8"))["samples"]
        source = f"(select unnest(samples, recursive := true) from read_json('{exported}'))"
        ways |= {
            "polars, JSON": with_polars(pl.DataFrame(rows), work, off),
            "pandas, JSON": with_pandas(pd.DataFrame(rows), work, off),
            "duckdb, JSON": with_duckdb(source, work, off),
        }

    print(f"{record['id']}/{record['run']}: {len(samples)} samples, {work}")
    differing = 0
    analysis = record["analysis"]
    for comparison in analysis["comparisons"] + analysis.get("described", []):
        if "effect" not in comparison:
            continue
        arm, condition = comparison["arm"], comparison.get("condition", "")
        at = condition_index(manifest, condition)
        stated = comparison["effect"]["log_ratio"]
        of_rounds = [one["value"] for one in comparison.get("description", {}).get("rounds", [])]
        print(f"{arm} {condition}".rstrip())
        print(f"  {'record':13} {math.exp(stated):.6f}x  {comparison['rounds']} rounds, {comparison['verdict']}")
        for way, blocks in ways.items():
            values = round_values(blocks, arm, at, whole_rounds(samples, work, arm))
            found = math.fsum(values) / len(values)
            agrees = math.isclose(found, stated, abs_tol=1e-12)
            if of_rounds:
                agrees &= len(values) == len(of_rounds) and all(
                    math.isclose(one, other, abs_tol=1e-12)
                    for one, other in zip(values, of_rounds)
                )
            differing += not agrees
            word = "agrees" if agrees else "DIFFERS"
            print(f"  {way:13} {math.exp(found):.6f}x  {len(values)} rounds, {word}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
