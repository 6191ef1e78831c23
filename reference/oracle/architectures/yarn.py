"""YaRN: a llama whose every block is stretched, and an olmo3, stretched in its full block and plain in its
sliding ones. The original context is shorter than the longest prompts.
"""

from transformers import Olmo3Config

from oracle.architectures import llama, names
from oracle.recipe import Recipe

THETA = 500.0
FACTOR = 4.0
ORIGINAL_CONTEXT = 32
WINDOW = 16

_YARN = {
    "rope_type": "yarn",
    "rope_theta": THETA,
    "factor": FACTOR,
    "original_max_position_embeddings": ORIGINAL_CONTEXT,
}
_KEYS = {
    "rope.freq_base": THETA,
    "rope.scaling.type": "yarn",
    "rope.scaling.factor": FACTOR,
    "rope.scaling.original_context_length": ORIGINAL_CONTEXT,
}

LLAMA = Recipe(
    name="synthetic-llama-yarn",
    gguf_architecture="llama",
    config=llama.config(
        num_hidden_layers=2, max_position_embeddings=int(ORIGINAL_CONTEXT * FACTOR), rope_parameters=_YARN
    ),
    seed=20261137,
    convert=names.llama,
    hyperparameters=_KEYS,
)

_OLMO_NAMES = names.post_normed(
    {"post_attention_layernorm": "post_attention_norm", "post_feedforward_layernorm": "post_ffw_norm"}
)

OLMO3 = Recipe(
    name="synthetic-olmo3-yarn-sliding",
    gguf_architecture="olmo2",
    config=Olmo3Config(
        vocab_size=128,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=4,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=int(ORIGINAL_CONTEXT * FACTOR),
        rms_norm_eps=1e-6,
        rope_parameters={
            "sliding_attention": {"rope_type": "default", "rope_theta": THETA},
            "full_attention": _YARN,
        },
        sliding_window=WINDOW,
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
    ),
    seed=20261138,
    convert=lambda name, values, _config: iter([(names.gguf_name(name, _OLMO_NAMES), values)]),
    hyperparameters=_KEYS | {"attention.sliding_window": WINDOW},
)
