"""A synthetic checkpoint as GGUF, by PyPI's `gguf`."""

from pathlib import Path

import gguf
import numpy
from torch import nn

from oracle.recipe import Recipe


def _add(writer: gguf.GGUFWriter, key: str, value: object) -> None:
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        writer.add_uint32(key, value)
    elif isinstance(value, float):
        writer.add_float32(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_array(key, value)


def common_hyperparameters(recipe: Recipe) -> dict[str, object]:
    """What every architecture here is asked for by the engine's loader."""
    config = recipe.config
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return {
        "vocab_size": config.vocab_size,
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "block_count": config.num_hidden_layers,
        "feed_forward_length": config.intermediate_size,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": config.num_key_value_heads,
        "attention.key_length": head,
        "attention.value_length": head,
        "attention.layer_norm_rms_epsilon": config.rms_norm_eps,
        "rope.dimension_count": head,
    }


def write(recipe: Recipe, model: nn.Module, path: Path) -> None:
    """Write all parameters of `model` in float32, in order of their GGUF names."""
    writer = gguf.GGUFWriter(path, recipe.gguf_architecture)
    writer.add_name(recipe.name)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    for key, value in sorted((common_hyperparameters(recipe) | recipe.hyperparameters).items()):
        _add(writer, f"{recipe.gguf_architecture}.{key}", value)
    writer.add_tokenizer_model("none")
    entries: dict[str, numpy.ndarray] = {}
    for name, parameter in model.named_parameters():
        entries.update(recipe.convert(name, parameter.numpy(), recipe.config))
    for name, values in sorted(entries.items()):
        writer.add_tensor(name, numpy.ascontiguousarray(values, dtype=numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
