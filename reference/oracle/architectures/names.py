"""Checkpoint names to GGUF names, for what most architectures share."""

from collections.abc import Iterator

import numpy
from transformers import PretrainedConfig

from oracle.recipe import Entry

_OUTSIDE = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}
_INSIDE = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "self_attn.qkv_proj": "attn_qkv",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "mlp.gate_up_proj": "ffn_up",
}


def gguf_name(name: str, inside: dict[str, str] = _INSIDE) -> str:
    """The GGUF name of a checkpoint tensor."""
    if name in _OUTSIDE:
        return _OUTSIDE[name]
    _, _, block, rest = name.split(".", 3)
    place, kind = rest.rsplit(".", 1)
    return f"blk.{block}.{inside[place]}.{kind}"


def plain(name: str, values: numpy.ndarray, _config: PretrainedConfig) -> Iterator[Entry]:
    """A tensor whose values both sides lay out alike."""
    yield gguf_name(name), values


def post_normed(extra: dict[str, str]) -> dict[str, str]:
    """The shared names, with some of them replaced."""
    return _INSIDE | extra


def interleave_rotary(values: numpy.ndarray, heads: int) -> numpy.ndarray:
    """Rows of a query or key projection in the order of GGUF's llama: the engine rotates neighbours (2 i, 2 i + 1),
    the reference rotates i with i + half a head."""
    rows = values.reshape(heads, 2, -1, *values.shape[1:])
    return rows.swapaxes(1, 2).reshape(values.shape)


def llama(name: str, values: numpy.ndarray, config: PretrainedConfig) -> Iterator[Entry]:
    """GGUF's llama, with queries and keys interleaved."""
    if "q_proj" in name:
        values = interleave_rotary(values, config.num_attention_heads)
    elif "k_proj" in name:
        values = interleave_rotary(values, config.num_key_value_heads)
    yield gguf_name(name), values
