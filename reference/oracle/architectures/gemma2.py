"""gemma2: soft-capped scores and logits, a sliding window in every other block, norms before and after.

The caps are low and the window is short, so that both bite: a side that forgets one parts at once.
"""

from collections.abc import Iterator

import numpy
from transformers import Gemma2Config, PretrainedConfig

from oracle.architectures import names
from oracle.recipe import Entry, Recipe

WINDOW = 16
SCORE_CAP = 5.0
LOGIT_CAP = 8.0

_NAMES = names.post_normed(
    {
        "post_attention_layernorm": "post_attention_norm",
        "pre_feedforward_layernorm": "ffn_norm",
        "post_feedforward_layernorm": "post_ffw_norm",
    }
)


def _convert(name: str, values: numpy.ndarray, _config: PretrainedConfig) -> Iterator[Entry]:
    """GGUF holds what a norm multiplies by; the checkpoint holds it less one."""
    yield names.gguf_name(name, _NAMES), values + numpy.float32(1.0) if "norm" in name else values


RECIPE = Recipe(
    name="synthetic-gemma2",
    gguf_architecture="gemma2",
    config=Gemma2Config(
        vocab_size=128,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        query_pre_attn_scalar=16,
        max_position_embeddings=256,
        rms_norm_eps=1e-6,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
        sliding_window=WINDOW,
        attn_logit_softcapping=SCORE_CAP,
        final_logit_softcapping=LOGIT_CAP,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
    ),
    seed=20261133,
    convert=_convert,
    hyperparameters={
        "rope.freq_base": 10000.0,
        "attention.sliding_window": WINDOW,
        "attn_logit_softcapping": SCORE_CAP,
        "final_logit_softcapping": LOGIT_CAP,
    },
    norms_add_one=True,
)
