"""Mixtures of experts: mixtral, which scales the chosen experts' weights to one, and olmoe, which does not."""

from collections.abc import Iterator

import numpy
from transformers import MixtralConfig, OlmoeConfig, PretrainedConfig

from oracle.architectures import names
from oracle.recipe import Entry, Recipe

EXPERTS = 4
USED = 2


def _experts(name: str, values: numpy.ndarray) -> Iterator[Entry]:
    """The fused gate and rise of all experts, taken apart; the rest is only renamed."""
    block = name.split(".")[2]
    if name.endswith("experts.gate_up_proj"):
        gate, rise = numpy.split(values, 2, axis=1)
        yield f"blk.{block}.ffn_gate_exps.weight", gate
        yield f"blk.{block}.ffn_up_exps.weight", rise
    elif name.endswith("experts.down_proj"):
        yield f"blk.{block}.ffn_down_exps.weight", values
    else:
        yield f"blk.{block}.ffn_gate_inp.weight", values


def _mixtral(name: str, values: numpy.ndarray, config: PretrainedConfig) -> Iterator[Entry]:
    yield from _experts(name, values) if ".mlp." in name else names.llama(name, values, config)


def _olmoe(name: str, values: numpy.ndarray, config: PretrainedConfig) -> Iterator[Entry]:
    yield from _experts(name, values) if ".mlp." in name else names.plain(name, values, config)


MIXTRAL = Recipe(
    name="synthetic-mixtral",
    gguf_architecture="llama",
    config=MixtralConfig(
        vocab_size=128,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_local_experts=EXPERTS,
        num_experts_per_tok=USED,
        max_position_embeddings=256,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 1_000_000.0},
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=None,
    ),
    seed=20261135,
    convert=_mixtral,
    hyperparameters={"rope.freq_base": 1_000_000.0, "expert_count": EXPERTS, "expert_used_count": USED},
)

OLMOE = Recipe(
    name="synthetic-olmoe",
    gguf_architecture="olmoe",
    config=OlmoeConfig(
        vocab_size=128,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        num_experts=EXPERTS,
        num_experts_per_tok=USED,
        norm_topk_prob=False,
        max_position_embeddings=256,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
    ),
    seed=20261136,
    convert=_olmoe,
    hyperparameters={"rope.freq_base": 10000.0, "expert_count": EXPERTS, "expert_used_count": USED},
)
