"""Texts of the project's workloads."""

import tomllib
from pathlib import Path

WORKLOADS = Path(__file__).resolve().parents[2] / "experiments" / "workloads"


def items(workload: str) -> list[str]:
    """The texts of a set of inputs, in order."""
    with (WORKLOADS / f"{workload}.toml").open("rb") as file:
        return [item["text"] for item in tomllib.load(file)["item"]]


def from_item(workload: str, first: int) -> str:
    """All texts, from number `first` on and then round, with an empty line between them."""
    texts = items(workload)
    first %= len(texts)
    return "\n\n".join(text.strip("\n") for text in texts[first:] + texts[:first])
