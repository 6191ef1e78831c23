"""The greedy continuation, with the margin of each choice."""

from dataclasses import dataclass

import torch
from torch import nn

from oracle import forward


@dataclass(frozen=True)
class Continuation:
    """Chosen tokens, and at each step the best logit less the second best."""

    tokens: list[int]
    margins: list[float]


def continue_greedily(model: nn.Module, tokens: list[int], steps: int) -> Continuation:
    """`steps` tokens after `tokens`. End of text is a token like others, as in the engine's decoding.

    The tokens are found with the model's own cache; the margins come from one pass over the whole text
    without a cache, which must choose the same.
    """
    chosen: list[int] = []
    cache = None
    given = torch.tensor([tokens])
    for _ in range(steps):
        output = model(input_ids=given, cache=cache, use_cache=True, logits_to_keep=1)
        cache = output.cache
        best = int(output.logits[0, -1].argmax())
        chosen.append(best)
        given = torch.tensor([[best]])
    first = len(tokens) - 1
    text = tokens + chosen[:-1]
    logits = forward.run(model, text, list(range(first, first + steps))).logits
    best_two = logits.topk(2, dim=-1)
    margins = (best_two.values[:, 0] - best_two.values[:, 1]).tolist()
    again = best_two.indices[:, 0].tolist()
    if again != chosen:
        # A near-tie that cached and uncached arithmetic decide differently has no margin to speak of.
        margins = [0.0] * steps
    return Continuation(tokens=chosen, margins=margins)
