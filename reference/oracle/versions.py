"""What the numbers were made with."""

from importlib.metadata import version

import torch
import transformers

MADE_ON = "2026-11-29"


def reference() -> str:
    """For metadata. The build tag of torch (`+cpu`) is left out; `regenerate` compares
    the numbers themselves."""
    return f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}"


def everything() -> dict[str, str]:
    """Every pinned package."""
    return {name: version(name) for name in ("torch", "transformers", "gguf", "safetensors", "numpy")}
