"""No tensor that looks like memory nobody wrote to: denormal, all zero, or one value throughout."""

import torch
from torch import nn

from oracle.checks.outcome import Outcome

_SMALLEST_NORMAL = torch.finfo(torch.float32).tiny


def fault_of(tensor: torch.Tensor) -> str | None:
    """What is wrong with a tensor's values, or None."""
    if tensor.numel() == 0:
        return "empty"
    if tensor.device.type == "meta":
        return "without memory"
    if not tensor.is_floating_point():
        return None
    size = tensor.abs()
    denormal = int(((size > 0) & (size < _SMALLEST_NORMAL)).sum())
    if denormal:
        return f"{denormal} of {tensor.numel()} values denormal"
    if not bool(tensor.any()):
        return "all zero"
    if tensor.numel() > 1 and bool((tensor == tensor.reshape(-1)[0]).all()):
        return "one value throughout"
    return None


def check(model: nn.Module) -> Outcome:
    """Look at every parameter and buffer."""
    faults = []
    seen = 0
    for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
        seen += 1
        fault = fault_of(tensor)
        if fault is not None:
            faults.append(f"{name}: {fault}")
    finding = f"{seen} tensors looked at" if not faults else "; ".join(faults[:3])
    return Outcome("filled", not faults and seen > 0, len(faults), 0, finding)
