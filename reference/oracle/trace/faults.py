"""Faults that can be planted in the reference, each a real one that somebody has hunted.

A fault changes a loaded model in place, before the pass is traced.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn

from oracle import forward

BLOCK = 1
"""The block that faults of a single block are planted in."""


@dataclass(frozen=True)
class Fault:
    """What is wrong, in words, and the first node that it shows in."""

    words: str
    first_node: str
    plant: Callable[[nn.Module], None]


def _rotary_tables(model: nn.Module) -> list[torch.Tensor]:
    return [tensor for name, tensor in model.named_buffers() if name.endswith("inv_freq")]


def _fill_rotary(model: nn.Module, values: Callable[[torch.Tensor], torch.Tensor]) -> None:
    for table in _rotary_tables(model):
        table.copy_(values(table))


def _denormal(table: torch.Tensor) -> torch.Tensor:
    """Small integers read as floats: what freshly mapped memory with a few counters in it looks like."""
    return torch.arange(1, table.numel() + 1, dtype=torch.int32).view(torch.float32).reshape(table.shape)


def _garbage(table: torch.Tensor) -> torch.Tensor:
    """Numbers of a sensible size that have nothing to do with the formula."""
    generator = torch.Generator().manual_seed(7)
    return torch.rand(table.shape, generator=generator) * 4.0


def _wrong_epsilon(model: nn.Module) -> None:
    for module in model.modules():
        for attribute in ("variance_epsilon", "eps"):
            if isinstance(getattr(module, attribute, None), float):
                setattr(module, attribute, 1e-1)


def _on_query(model: nn.Module, change: Callable[[torch.Tensor, int], torch.Tensor]) -> None:
    """Change the rotated query of one block: `change` gets `[heads, positions, head]` and the head's width."""
    attention = forward.blocks_of(model)[BLOCK].self_attn
    namespace = sys.modules[type(attention).__module__]
    original = namespace.apply_rotary_pos_emb
    calls = iter(range(10**9))
    blocks = len(forward.blocks_of(model))

    def changed(query, key, *rest, **more):
        query, key = original(query, key, *rest, **more)
        if next(calls) % blocks == BLOCK:
            query = change(query, query.shape[-1])
        return query, key

    namespace.apply_rotary_pos_emb = changed
    model.oracle_restore = lambda: setattr(namespace, "apply_rotary_pos_emb", original)


def _swap_halves(query: torch.Tensor, width: int) -> torch.Tensor:
    return torch.cat((query[..., width // 2 :], query[..., : width // 2]), dim=-1)


def _swap_heads(query: torch.Tensor, _width: int) -> torch.Tensor:
    order = list(range(query.shape[1]))
    order[0], order[-1] = order[-1], order[0]
    return query[:, order]


def _not_a_number(model: nn.Module) -> None:
    def spoil(_module, _arguments, output):
        output = output.clone()
        output[0, output.shape[1] // 2, 3] = float("nan")
        return output

    forward.blocks_of(model)[BLOCK].mlp.down_proj.register_forward_hook(spoil)


FAULTS: dict[str, Fault] = {
    "none": Fault("none", "", lambda _model: None),
    "rotary-denormal": Fault(
        "the rotary table was never initialised: it holds denormals",
        "Qcur-0#2",
        lambda model: _fill_rotary(model, _denormal),
    ),
    "rotary-zero": Fault(
        "the rotary table was never initialised: it holds zeros",
        "Qcur-0#2",
        lambda model: _fill_rotary(model, torch.zeros_like),
    ),
    "rotary-garbage": Fault(
        "the rotary table was never initialised: it holds numbers that belong elsewhere",
        "Qcur-0#2",
        lambda model: _fill_rotary(model, _garbage),
    ),
    "wrong-epsilon": Fault("every norm's epsilon is 0.1", "norm-0", _wrong_epsilon),
    "query-halves": Fault(
        f"the halves of every rotated query head of block {BLOCK} are exchanged",
        f"Qcur-{BLOCK}#2",
        lambda model: _on_query(model, _swap_halves),
    ),
    "query-heads": Fault(
        f"the first and the last rotated query head of block {BLOCK} are exchanged",
        f"Qcur-{BLOCK}#2",
        lambda model: _on_query(model, _swap_heads),
    ),
    "nan": Fault(
        f"one value of the feed-forward of block {BLOCK} is not a number",
        f"ffn_out-{BLOCK}",
        _not_a_number,
    ),
}
