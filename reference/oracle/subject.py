"""What a golden speaks of."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from torch import nn


@dataclass(frozen=True)
class Prompt:
    """A text, as token ids."""

    name: str
    tokens: list[int]
    prompt_class: str


@dataclass(frozen=True)
class Slot:
    """A place for a prompt, with its candidates in registered order: the first whose greedy continuation
    keeps every margin at or over the registered bound is taken."""

    name: str
    candidates: list[Prompt]
    greedy_tokens: int


@dataclass(frozen=True)
class Extent:
    """How much of each prompt the golden keeps. `positions.py` has the rules."""

    whole_rows: int
    """Whole rows of logits of a prompt, evenly from the first to the last position; one is the last."""
    hidden_prompts: int | None
    """Hidden states of this many prompts, evenly chosen; all when None."""
    hidden_positions: int
    """Positions of each of them, evenly; one is the last."""
    float64_longest: int
    """Longest prompt that is computed in float64 too."""
    twice_longest: int
    """Longest prompt that is computed by the second load and by the second attention."""


@dataclass(frozen=True)
class Loaded:
    """A model in memory, and what the loader said about it."""

    model: nn.Module
    missing: list[str] = field(default_factory=list)
    """Parameters that the checkpoint did not have and that are not tied to another."""
    unexpected: list[str] = field(default_factory=list)


class Subject(Protocol):
    """A model with its prompts."""

    name: str
    origin: str
    """`real` or `synthetic`."""
    catalogue_model: str
    architecture: str
    """As GGUF calls it."""
    tokenizer_sha256: str
    greedy_margin_least: float
    extent: Extent
    parity_bound: float
    """Least cosine against the engine that `engine` calls agreement, on float32 weights."""

    def gguf(self, folder: Path) -> Path:
        """The GGUF that both sides read; a synthetic one is written into `folder`."""
        ...

    def load(self, folder: Path) -> Loaded:
        """A fresh load from disk, in float32, with eager attention."""
        ...

    def slots(self) -> list[Slot]:
        """The prompts."""
        ...

    def tokenised(self) -> list[tuple[str, list[int]]]:
        """Texts with the token ids that the reference gives them; none without a tokenizer."""
        ...
