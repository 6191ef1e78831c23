"""llama: groups of two heads share a key, and one with groups of four."""

from transformers import LlamaConfig

from oracle.architectures import names
from oracle.recipe import Recipe

THETA = 10000.0


def config(**changes) -> LlamaConfig:
    """A small llama. The head is wider than width over heads, so a swap of the two shows."""
    fields = {
        "vocab_size": 128,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "max_position_embeddings": 256,
        "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_type": "default", "rope_theta": THETA},
        "tie_word_embeddings": False,
        "bos_token_id": None,
        "eos_token_id": None,
    }
    return LlamaConfig(**(fields | changes))


GROUPS_OF_TWO = Recipe(
    name="synthetic-llama",
    gguf_architecture="llama",
    config=config(),
    seed=20261129,
    convert=names.llama,
    hyperparameters={"rope.freq_base": THETA},
)

GROUPS_OF_FOUR = Recipe(
    name="synthetic-llama-groups-of-4",
    gguf_architecture="llama",
    config=config(num_attention_heads=8, num_key_value_heads=2, head_dim=8, num_hidden_layers=2),
    seed=20261130,
    convert=names.llama,
    hyperparameters={"rope.freq_base": THETA},
)
