"""qwen2: biases on queries, keys and values; the embeddings are the output's weights too."""

from transformers import Qwen2Config

from oracle.architectures import names
from oracle.recipe import Recipe

RECIPE = Recipe(
    name="synthetic-qwen2",
    gguf_architecture="qwen2",
    config=Qwen2Config(
        vocab_size=128,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=256,
        rms_norm_eps=1e-6,
        rope_parameters={"rope_type": "default", "rope_theta": 1_000_000.0},
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=None,
    ),
    seed=20261131,
    convert=names.plain,
    hyperparameters={"rope.freq_base": 1_000_000.0},
)
