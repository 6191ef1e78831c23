"""float64 as tie-breaker: the same model in twice the digits, at a few positions."""

import torch

from oracle.checks.outcome import Outcome
from oracle.checks.worst import reported, worst

# Largest difference of a logit between float32 and float64, as a share of the largest logit.
BOUND = 1e-4


def check(computed: list[tuple[torch.Tensor, torch.Tensor]]) -> Outcome:
    """`computed` has pairs: float32 logits, and float64 logits of the same positions. They must be close, and
    choose the same token wherever float64's own margin is over the closeness found."""
    shares, decided, flips = [], 0, 0
    for single, double in computed:
        apart = (single.double() - double).abs().amax(dim=-1)
        shares.append((float((apart / double.abs().amax(dim=-1)).max()), ""))
        best = double.topk(2, dim=-1)
        margin = best.values[:, 0] - best.values[:, 1]
        clear = margin > 2 * apart
        decided += int(clear.sum())
        flips += int((clear & (single.argmax(dim=-1) != best.indices[:, 0])).sum())
    figure, _ = worst(shares)
    passed = bool(computed) and figure <= BOUND and flips == 0 and decided > 0
    finding = f"{decided} positions decided, {flips} chose another token"
    return Outcome("float64", passed, reported(figure), BOUND, finding)
