"""A second attention agrees with the first.

Where transformers offers scaled dot-product attention, that is the second. For a soft-capped model it does
not, so an attention of ours takes its place: one head and one query at a time, in float64.
"""

import torch
from torch import nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

from oracle.checks.outcome import Outcome
from oracle.checks.worst import reported, worst

# Largest difference of a logit, as a share of the largest logit. Both run in float32; blocks are few.
BOUND = 1e-4
OWN = "oracle_own"


def _own(module, query, key, value, attention_mask, scaling=None, softcap=None, **_):
    group = query.shape[1] // key.shape[1]
    scaling = module.head_dim**-0.5 if scaling is None else scaling
    heads = []
    for head in range(query.shape[1]):
        q, k, v = (t[0].double() for t in (query[:, head], key[:, head // group], value[:, head // group]))
        rows = []
        for place in range(q.shape[0]):
            score = (k @ q[place]) * scaling
            if softcap is not None:
                score = softcap * torch.tanh(score / softcap)
            seen = attention_mask[0, 0, place, : k.shape[0]] > -1e30
            weight = torch.exp(score - score[seen].max()) * seen
            rows.append((weight / weight.sum()) @ v)
        heads.append(torch.stack(rows))
    return torch.stack(heads, dim=1)[None].to(query.dtype), None


AttentionInterface.register(OWN, _own)
AttentionMaskInterface.register(OWN, eager_mask)


def second_attention(model: nn.Module) -> str:
    """Name of the implementation that the first is held against."""
    return "sdpa" if getattr(model, "_supports_sdpa", False) else OWN


def check(which: str, computed: list[tuple[torch.Tensor, torch.Tensor]]) -> Outcome:
    """`computed` has pairs: logits by the first attention, and by the second."""
    shares = [float((one - other).abs().max() / one.abs().max()) for one, other in computed]
    figure, _ = worst((share, "") for share in shares)
    passed = bool(computed) and figure <= BOUND
    return Outcome("attention", passed, reported(figure), BOUND, f"eager against {which}, {len(computed)} prompts")
