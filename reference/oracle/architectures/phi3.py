"""phi3: queries, keys and values in one projection, gate and rise in another."""

from transformers import Phi3Config

from oracle.architectures import names
from oracle.recipe import Recipe

RECIPE = Recipe(
    name="synthetic-phi3",
    gguf_architecture="phi3",
    config=Phi3Config(
        vocab_size=128,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=256,
        original_max_position_embeddings=256,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
    ),
    seed=20261134,
    convert=names.plain,
    hyperparameters={"rope.freq_base": 10000.0},
)
