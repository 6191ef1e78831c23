"""Two loads from disk agree, bit for bit: what was never initialised seldom comes out the same twice."""

import torch
from torch import nn

from oracle import digest
from oracle.checks.outcome import Outcome


def check(first: nn.Module, second: nn.Module, computed: list[tuple[torch.Tensor, torch.Tensor]]) -> Outcome:
    """Hold parameters, buffers, and what both computed against each other. `computed` has pairs."""
    ours = dict([*first.named_parameters(), *first.named_buffers()])
    theirs = dict([*second.named_parameters(), *second.named_buffers()])
    if ours.keys() != theirs.keys():
        odd = sorted(ours.keys() ^ theirs.keys())
        return Outcome("two_loads", False, len(odd), 0, f"only one load has {odd[0]}")
    apart = [name for name in ours if digest.of_tensors([ours[name]]) != digest.of_tensors([theirs[name]])]
    apart += [
        f"logits of prompt {index}"
        for index, (one, other) in enumerate(computed)
        if digest.of_tensors([one]) != digest.of_tensors([other])
    ]
    logits = digest.of_tensors([one for one, _ in computed])
    finding = f"logits sha256 {logits}" if not apart else "apart: " + ", ".join(apart[:3])
    return Outcome("two_loads", not apart and bool(computed), len(apart), 0, finding)
