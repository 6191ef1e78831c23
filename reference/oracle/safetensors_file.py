"""Safetensors, written so that the same content is the same bytes.

The PyPI package writes metadata in the order of a hash table, which changes from run to run.
Here keys are sorted, tensors lie in order of falling element size and then of name, and the header is
padded to a multiple of eight, so that every tensor is aligned.
"""

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy
from safetensors import safe_open

_NAMES = {"float64": "F64", "float32": "F32", "int32": "I32", "int64": "I64"}


def write(path: Path, tensors: Mapping[str, numpy.ndarray], metadata: Mapping[str, str]) -> None:
    """Write `tensors` (little-endian) and `metadata` to `path`, by way of a temporary name."""
    ordered = sorted(tensors.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))
    header: dict[str, object] = {"__metadata__": dict(sorted(metadata.items()))}
    offset = 0
    for name, values in ordered:
        header[name] = {
            "dtype": _NAMES[values.dtype.name],
            "shape": list(values.shape),
            "data_offsets": [offset, offset + values.nbytes],
        }
        offset += values.nbytes
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for _, values in ordered:
            file.write(numpy.ascontiguousarray(values).astype(values.dtype.newbyteorder("<")).tobytes())
    partial.replace(path)


def read(path: Path) -> tuple[dict[str, numpy.ndarray], dict[str, str]]:
    """Tensors and metadata of a file, read by the PyPI package: a second opinion on the format."""
    with safe_open(path, framework="numpy") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}
        return tensors, dict(file.metadata() or {})
