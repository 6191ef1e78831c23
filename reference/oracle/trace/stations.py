"""Where in the reference the value of each node of the engine's graph is to be found.

A list a graph, in the order in which the engine executes (llama.cpp, `src/models/<architecture>.cpp` and
`build_qkv`, `build_attn_mha`, `build_ffn`, `build_norm` of `src/llama-graph.cpp`): queries, values, keys where all
blocks attend alike, queries, keys, values where some have a window, since the two forms of `build_attn` expand them so;
the gate before the rise, since it is the first operand. Only nodes that compute something count; a node that is only
another view of the same values does not. `python -m oracle engine` holds names, order and values against the engine's.
"""

from dataclasses import dataclass
from enum import Enum


class Look(Enum):
    """What is taken at a module."""

    OUTPUT = "what the module returns"
    INPUT = "what the module is given"
    NORMALISED = "a norm's result before its weight"
    UNBIASED = "a projection's result before its bias"
    ROTATED = "the query or key that attention is given"


@dataclass(frozen=True)
class Station:
    """One node."""

    node: str
    """The engine's name without the block's number."""
    look: Look
    module: str
    """Path of the module within the block (or the model); `query` or `key` for `ROTATED`."""
    numbered: bool = True
    """Whether the engine adds the block's number."""


@dataclass(frozen=True)
class Graph:
    """The stations before, within and after the blocks."""

    before: list[Station]
    block: list[Station]
    after: list[Station]
    permuted: tuple[str, ...] = ()
    """Nodes whose heads the engine lays out in neighbours where the reference has halves."""


def _norm(module: str, node: str, numbered: bool = True) -> list[Station]:
    return [
        Station("norm", Look.NORMALISED, module, numbered),
        Station(node, Look.OUTPUT, module, numbered),
    ]


class Order(Enum):
    """How `build_attn` expands its operands."""

    QUERY_VALUE_KEY = "one kind of attention"
    QUERY_KEY_VALUE = "some blocks have a window"


def _attention(biased: bool, order: Order) -> list[Station]:
    def projection(node: str, letter: str) -> list[Station]:
        module = f"self_attn.{letter}_proj"
        first = [Station(node, Look.UNBIASED, module)] if biased else []
        return [*first, Station(node, Look.OUTPUT, module)]

    queries = [*projection("Qcur", "q"), Station("Qcur", Look.ROTATED, "query")]
    keys = [*projection("Kcur", "k"), Station("Kcur", Look.ROTATED, "key")]
    values = projection("Vcur", "v")
    rest = [*values, *keys] if order is Order.QUERY_VALUE_KEY else [*keys, *values]
    return [*queries, *rest, Station("kqv_out", Look.INPUT, "self_attn.o_proj")]


def _feed_forward(gated: str) -> list[Station]:
    return [
        Station("ffn_gate", Look.OUTPUT, "mlp.gate_proj"),
        Station("ffn_up", Look.OUTPUT, "mlp.up_proj"),
        Station(gated, Look.INPUT, "mlp.down_proj"),
        Station("ffn_out", Look.OUTPUT, "mlp.down_proj"),
    ]


_HEAD = [
    *_norm("model.norm", "result_norm", numbered=False),
    Station("result_output", Look.OUTPUT, "", numbered=False),
]


def _pre_normed(biased: bool, names_attention: bool, permuted: tuple[str, ...]) -> Graph:
    """llama and its kin: a norm before attention and one before the feed-forward. llama's graph gives the result of
    attention a name, qwen2's does not."""
    attended = [Station("attn_out", Look.OUTPUT, "self_attn.o_proj")] if names_attention else []
    return Graph(
        before=[Station("embd", Look.OUTPUT, "model.embed_tokens", numbered=False)],
        block=[
            *_norm("input_layernorm", "attn_norm"),
            *_attention(biased, Order.QUERY_VALUE_KEY),
            *attended,
            Station("ffn_inp", Look.INPUT, "post_attention_layernorm"),
            *_norm("post_attention_layernorm", "ffn_norm"),
            *_feed_forward("ffn_swiglu"),
            Station("l_out", Look.OUTPUT, ""),
        ],
        after=_HEAD,
        permuted=permuted,
    )


_GEMMA2 = Graph(
    before=[Station("inp_scaled", Look.OUTPUT, "model.embed_tokens", numbered=False)],
    block=[
        *_norm("input_layernorm", "attn_norm"),
        *_attention(biased=False, order=Order.QUERY_KEY_VALUE),
        *_norm("post_attention_layernorm", "attn_post_norm"),
        Station("sa_out", Look.INPUT, "pre_feedforward_layernorm"),
        *_norm("pre_feedforward_layernorm", "ffn_norm"),
        *_feed_forward("ffn_geglu"),
        *_norm("post_feedforward_layernorm", "ffn_post_norm", numbered=False),
        Station("l_out", Look.OUTPUT, ""),
    ],
    after=_HEAD,
)

GRAPHS: dict[str, Graph] = {
    "llama": _pre_normed(biased=False, names_attention=True, permuted=("Qcur", "Kcur")),
    "qwen2": _pre_normed(biased=True, names_attention=False, permuted=()),
    "gemma2": _GEMMA2,
}
"""By the model type of transformers' configuration."""


def engine_names(graph: Graph, blocks: int) -> list[tuple[str, Station, int]]:
    """Every node as (engine's name, station, block or -1), in order of execution. A name that comes
    again gets `#2`, `#3`, …"""
    walk = [(station, -1) for station in graph.before]
    walk += [(station, block) for block in range(blocks) for station in graph.block]
    walk += [(station, -1) for station in graph.after]
    seen: dict[str, int] = {}
    named = []
    for station, block in walk:
        name = f"{station.node}-{block}" if block >= 0 and station.numbered else station.node
        seen[name] = seen.get(name, 0) + 1
        full = name if seen[name] == 1 else f"{name}#{seen[name]}"
        named.append((full, station, block))
    return named
