"""Seeded weights.

Each tensor has a generator of its own, made from the seed and the tensor's name, so that a tensor's values
depend on nothing else: another block, or another order, changes none of the rest.
"""

import hashlib

import numpy
import torch
from torch import nn

Scale = tuple[float, float]
"""Mean and standard deviation."""


def values(seed: int, name: str, shape: tuple[int, ...], scale: Scale) -> torch.Tensor:
    """Normally distributed float32 values."""
    key = hashlib.sha256(f"{seed}/{name}".encode()).digest()
    generator = numpy.random.Generator(numpy.random.PCG64(int.from_bytes(key[:16], "little")))
    mean, deviation = scale
    drawn = mean + deviation * generator.standard_normal(shape)
    return torch.from_numpy(drawn.astype(numpy.float32))


def scale_of(name: str, shape: tuple[int, ...], norms_add_one: bool) -> Scale:
    """Scales under which attention is neither flat nor a single peak, and logits spread by a few units.

    A head's score has a deviation of about 2.5 (1.6 * 1.6), and a logit one of about 3.
    """
    fan_in = shape[-1]
    leaf = name.removesuffix(".weight").rsplit(".", 1)[-1]
    if name.endswith(".bias"):
        return (0.0, 0.3)
    if leaf in ("q_norm", "k_norm"):
        return (1.5, 0.25)
    if "norm" in leaf:
        return (0.0, 0.25) if norms_add_one else (1.0, 0.25)
    if leaf == "embed_tokens":
        return (0.0, 0.5) if norms_add_one else (0.0, 1.0)
    gain = {"q_proj": 1.6, "k_proj": 1.6, "qkv_proj": 1.4, "lm_head": 3.0, "gate": 2.0}.get(leaf, 1.2)
    return (0.0, gain / fan_in**0.5)


def fill(model: nn.Module, seed: int, norms_add_one: bool) -> None:
    """Give every parameter its seeded values. Tied parameters are one."""
    for name, parameter in model.named_parameters():
        shape = tuple(parameter.shape)
        parameter.copy_(values(seed, name, shape, scale_of(name, shape, norms_add_one)))
