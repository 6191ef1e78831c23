"""The reference in float64, throughout.

Casting the weights alone is not enough: transformers computes norms, softmax and rotary angles in float32 on
purpose. Here every request for float32 during the pass is turned into one for float64, and the rotary
tables are replaced by their formula.
"""

import copy

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from oracle import forward
from oracle.checks import rotary


class _NoFloat32(TorchFunctionMode):
    def __torch_function__(self, function, types, arguments=(), keywords=None):
        if function is torch.Tensor.float:
            function = torch.Tensor.double
        arguments = tuple(torch.float64 if one is torch.float32 else one for one in arguments)
        keywords = {
            key: torch.float64 if one is torch.float32 else one for key, one in (keywords or {}).items()
        }
        return function(*arguments, **keywords)


def in_float64(model: nn.Module) -> nn.Module:
    """A copy of the model in float64, with exact rotary tables."""
    double = copy.deepcopy(model).double()
    buffers = dict(double.named_buffers())
    for name, (table, attention_factor) in rotary.expected(model).items():
        buffers[name].copy_(torch.from_numpy(table))
        module_name, leaf = name.rsplit(".", 1)
        prefix = leaf.removesuffix("inv_freq").removesuffix("original_")
        setattr(double.get_submodule(module_name), f"{prefix}attention_scaling", attention_factor)
    return double


def run(double: nn.Module, tokens: list[int], positions: list[int]) -> torch.Tensor:
    """Logits `[k, vocabulary]` in float64."""
    with _NoFloat32():
        logits = forward.run(double, tokens, positions).logits
    if logits.dtype != torch.float64:
        raise TypeError(f"the float64 pass ended in {logits.dtype}")
    return logits
