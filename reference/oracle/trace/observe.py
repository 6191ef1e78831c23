"""Taking the values at the stations of one pass."""

import sys

import torch
from torch import nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

from oracle import forward
from oracle.failure import Failure
from oracle.trace.stations import GRAPHS, Graph, Look, engine_names

_OBSERVED = "oracle_observed"


def graph_of(model: nn.Module) -> Graph:
    """The stations of a model's architecture."""
    kind = model.config.model_type
    if kind not in GRAPHS:
        raise Failure(f"no dump of {kind} yet: add its graph to trace/stations.py; there are {', '.join(GRAPHS)}")
    return GRAPHS[kind]


def _observed_attention(module, query, key, value, attention_mask, **rest):
    """The architecture's own eager attention; what it is given is noted on the module first."""
    module.oracle_query = query[0].transpose(0, 1).flatten(1).clone()
    module.oracle_key = key[0].transpose(0, 1).flatten(1).clone()
    eager = sys.modules[type(module).__module__].eager_attention_forward
    return eager(module, query, key, value, attention_mask, **rest)


AttentionInterface.register(_OBSERVED, _observed_attention)
AttentionMaskInterface.register(_OBSERVED, eager_mask)


def _normalised(norm: nn.Module, given: torch.Tensor) -> torch.Tensor:
    epsilon = getattr(norm, "variance_epsilon", None)
    epsilon = norm.eps if epsilon is None else epsilon
    return given * torch.rsqrt(given.pow(2).mean(-1, keepdim=True) + epsilon)


class _Notes:
    """What every module was given and what it returned, by the module's full name."""

    def __init__(self, model: nn.Module):
        self.given: dict[str, torch.Tensor] = {}
        self.returned: dict[str, torch.Tensor] = {}
        self._hooks = [
            module.register_forward_hook(self._noter(name), with_kwargs=True) for name, module in model.named_modules()
        ]

    def _noter(self, name: str):
        def note(_module, arguments, keywords, output):
            given = arguments[0] if arguments else keywords.get("hidden_states")
            if isinstance(given, torch.Tensor):
                self.given[name] = given.reshape(-1, given.shape[-1]).clone()
            returned = output[0] if isinstance(output, tuple) else getattr(output, "logits", output)
            if isinstance(returned, torch.Tensor):
                self.returned[name] = returned.reshape(-1, returned.shape[-1]).clone()

        return note

    def remove(self) -> None:
        for hook in self._hooks:
            hook.remove()


def trace(model: nn.Module, tokens: list[int]) -> dict[str, torch.Tensor]:
    """Values `[positions, width]` of every station, in the engine's order of execution."""
    graph = graph_of(model)
    before = model.config._attn_implementation
    model.set_attn_implementation(_OBSERVED)
    notes = _Notes(model)
    try:
        model(input_ids=torch.tensor([tokens]), use_cache=False)
    finally:
        notes.remove()
        model.set_attn_implementation(before)
    found: dict[str, torch.Tensor] = {}
    for name, station, block in engine_names(graph, len(forward.blocks_of(model))):
        prefix = f"model.layers.{block}" if block >= 0 else ""
        path = ".".join(part for part in (prefix, station.module) if part)
        match station.look:
            case Look.OUTPUT:
                value = notes.returned[path]
            case Look.INPUT:
                value = notes.given[path]
            case Look.NORMALISED:
                value = _normalised(model.get_submodule(path), notes.given[path])
            case Look.UNBIASED:
                value = notes.returned[path] - model.get_submodule(path).bias
            case Look.ROTATED:
                value = getattr(model.get_submodule(f"{prefix}.self_attn"), f"oracle_{station.module}")
        found[name] = value
    return found
