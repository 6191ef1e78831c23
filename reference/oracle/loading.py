"""Loading by transformers, and listening to what the loader says."""

from pathlib import Path

import torch
from transformers import AutoModelForCausalLM

from oracle.subject import Loaded


def from_folder(folder: Path, gguf_name: str | None = None) -> Loaded:
    """Load in float32 with eager attention, from safetensors or from a GGUF file in the folder."""
    extra = {} if gguf_name is None else {"gguf_file": gguf_name}
    model, said = AutoModelForCausalLM.from_pretrained(
        folder,
        dtype=torch.float32,
        attn_implementation="eager",
        experts_implementation="eager",
        output_loading_info=True,
        **extra,
    )
    tied = set(getattr(model, "all_tied_weights_keys", None) or ())
    missing = sorted(set(said["missing_keys"]) - tied)
    return Loaded(model=model.eval(), missing=missing, unexpected=sorted(said["unexpected_keys"]))
