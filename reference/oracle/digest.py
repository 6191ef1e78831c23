"""Hashes."""

import hashlib
from pathlib import Path

import torch


def of_file(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def of_tensors(tensors: list[torch.Tensor]) -> str:
    """SHA-256 of the tensors' bytes, one after the other."""
    hasher = hashlib.sha256()
    for tensor in tensors:
        hasher.update(tensor.detach().contiguous().cpu().numpy().tobytes())
    return hasher.hexdigest()


def of_token_list(tokens: list[str]) -> str:
    """SHA-256 over a tokenizer's list: each token's bytes, followed by a zero byte."""
    hasher = hashlib.sha256()
    for token in tokens:
        hasher.update(token.encode() + b"\0")
    return hasher.hexdigest()
