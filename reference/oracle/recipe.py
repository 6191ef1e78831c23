"""How one synthetic architecture is made."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy
from transformers import PretrainedConfig

Entry = tuple[str, numpy.ndarray]
"""A GGUF tensor's name and values."""


@dataclass(frozen=True)
class Recipe:
    """A configuration in Hugging Face form, and what its GGUF must say."""

    name: str
    gguf_architecture: str
    config: PretrainedConfig
    seed: int
    convert: Callable[[str, numpy.ndarray, PretrainedConfig], Iterator[Entry]]
    """One checkpoint tensor as GGUF tensors."""
    hyperparameters: dict[str, int | float | str | list[int] | list[bool]] = field(default_factory=dict)
    """Keys beside the common ones, without the architecture's prefix."""
    norms_add_one: bool = False
    """Whether the reference multiplies by one plus the norm's weight."""
    prompt_lengths: tuple[int, ...] = (1, 2, 12, 24, 48, 80)
