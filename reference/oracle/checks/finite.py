"""No NaN, no infinity: in parameters, in buffers, in what was computed."""

import torch
from torch import nn

from oracle.checks.outcome import Outcome


def check(model: nn.Module, computed: dict[str, torch.Tensor]) -> Outcome:
    """Count values that are no number, and name the first tensor that has one."""
    count, where, seen = 0, None, 0
    named = [*model.named_parameters(), *model.named_buffers(), *computed.items()]
    for name, tensor in named:
        if not tensor.is_floating_point():
            continue
        seen += tensor.numel()
        bad = int((~torch.isfinite(tensor)).sum())
        count += bad
        if bad and where is None:
            where = name
    finding = f"{seen} values looked at" if where is None else f"first in {where}"
    return Outcome("finite", count == 0 and seen > 0, count, 0, finding)
