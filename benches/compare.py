"""Runs the benches and the same work in SciPy, and prints both with their ratio.

    python3 benches/compare.py [--python PYTHON] [--cargo ARGUMENT ...]

`--python` names an interpreter that has SciPy (this one by default). What follows `--cargo` is
given to `cargo bench` instead of `--no-default-features`. Nothing is asserted: a ratio is a
figure of one machine in one hour. Run it on a quiet machine.
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# name of our line, name of SciPy's line, bench, case
CASES = [
    ("bca_10000_resamples_of_1000_pairs", "bca_10000_resamples_of_1000_pairs", "bootstrap", "bca"),
    (
        "bca_10000_resamples_of_1000_pairs",
        "bca_10000_resamples_of_1000_pairs, paired=True",
        "bootstrap",
        "bca_paired",
    ),
    (
        "whole_analysis_of_a_million_samples",
        "whole_analysis_of_a_million_samples",
        "analysis",
        "analysis",
    ),
    ("logits_of_512_positions", "logits_of_512_positions", "logits", "logits"),
    ("operating_characteristics_of_a_default_plan", None, "operating_characteristics", None),
    ("operating_characteristics_of_three_looks", None, "operating_characteristics", None),
]


def lines(command):
    """Name and seconds of each line that a program printed."""
    done = subprocess.run(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        name, tab, seconds = line.partition("\t")
        if tab and not name.startswith("#"):
            found[name] = float(seconds)
    return found


def shown(seconds):
    return "-" if seconds is None else f"{seconds * 1e3:.2f} ms"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--python", default=sys.executable)
    arguments.add_argument("--cargo", nargs=argparse.REMAINDER, default=["--no-default-features"])
    given = arguments.parse_args()
    ours, theirs = {}, {}
    for bench in sorted({case[2] for case in CASES}):
        ours |= lines(["cargo", "bench", "--quiet", *given.cargo, "--bench", bench])
    for case in [case[3] for case in CASES if case[3]]:
        theirs |= lines([given.python, str(HERE / "scipy_reference.py"), case])
    print("| work | runner | SciPy | ratio |")
    print("|---|---|---|---|")
    for our_name, their_name, _, _ in CASES:
        our_seconds = ours.get(our_name)
        their_seconds = theirs.get(their_name) if their_name else None
        ratio = "-"
        if our_seconds and their_seconds:
            ratio = f"{their_seconds / our_seconds:.1f}"
        name = their_name or our_name
        print(f"| {name} | {shown(our_seconds)} | {shown(their_seconds)} | {ratio} |")


if __name__ == "__main__":
    main()
