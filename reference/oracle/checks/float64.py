"""float64 as tie-breaker: the same model in twice the digits, at a few positions."""

import math

import torch

from oracle.checks.outcome import Outcome

# Largest difference of a logit between float32 and float64, as a share of the largest logit.
BOUND = 1e-4


def check(computed: list[tuple[torch.Tensor, torch.Tensor]]) -> Outcome:
    """`computed` has pairs: float32 logits, and float64 logits of the same positions. They must be close, and
    choose the same token wherever float64's own margin is over the closeness found."""
    worst, decided, flips = 0.0, 0, 0
    for single, double in computed:
        apart = (single.double() - double).abs().amax(dim=-1)
        share = float((apart / double.abs().amax(dim=-1)).max())
        if not share <= worst:
            worst = share
        best = double.topk(2, dim=-1)
        margin = best.values[:, 0] - best.values[:, 1]
        clear = margin > 2 * apart
        decided += int(clear.sum())
        flips += int((clear & (single.argmax(dim=-1) != best.indices[:, 0])).sum())
    passed = bool(computed) and worst <= BOUND and flips == 0 and decided > 0
    figure = worst if math.isfinite(worst) else "not a number"
    return Outcome("float64", passed, figure, BOUND, f"{decided} positions decided, {flips} chose another token")
