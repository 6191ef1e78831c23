"""One pass of the reference over a text."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Pass:
    """Logits `[k, vocabulary]` at the positions asked for, and the hidden states `[blocks + 1, n, width]`:
    what enters block 0, and what leaves each block. The last is taken before the final norm, which
    transformers' own `hidden_states` is not."""

    logits: torch.Tensor
    hidden: torch.Tensor


def blocks_of(model: nn.Module) -> nn.ModuleList:
    """The decoder's blocks."""
    return model.model.layers


def run(model: nn.Module, tokens: list[int], positions: list[int]) -> Pass:
    """Compute `tokens` from an empty cache in one go."""
    states: list[torch.Tensor] = []
    hooks = []

    def entering(_module, arguments, keywords):
        states.append((arguments[0] if arguments else keywords["hidden_states"])[0].clone())

    def leaving(_module, _arguments, output):
        states.append((output[0] if isinstance(output, tuple) else output)[0].clone())

    blocks = blocks_of(model)
    hooks.append(blocks[0].register_forward_pre_hook(entering, with_kwargs=True))
    hooks.extend(block.register_forward_hook(leaving) for block in blocks)
    try:
        output = model(
            input_ids=torch.tensor([tokens]),
            use_cache=False,
            logits_to_keep=torch.tensor(positions),
        )
    finally:
        for hook in hooks:
            hook.remove()
    return Pass(logits=output.logits[0], hidden=torch.stack(states))
