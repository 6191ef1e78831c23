"""`checkpoint`: the weights as the reference holds them, for `runner parity --weights`."""

import argparse
import tempfile
from pathlib import Path

from oracle import catalogue, digest, safetensors_file, versions
from oracle.subject import Subject

FORMAT = "runner-checkpoint 1"


def declare(commands) -> None:
    parser = commands.add_parser("checkpoint", help="the reference's weights, for `runner parity --weights`")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        write(catalogue.named(arguments.name), Path(scratch), arguments.out)
    print(f"{arguments.name}: {arguments.out} ({arguments.out.stat().st_size} bytes)")
    return 0


def write(subject: Subject, scratch: Path, out: Path) -> None:
    """Every parameter in float32 under its Hugging Face name; a tied one once."""
    gguf = subject.gguf(scratch)
    model = subject.load(scratch).model
    config = model.config
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    tensors = {name: parameter.float().numpy() for name, parameter in model.named_parameters()}
    metadata = {
        "format": FORMAT,
        "name": subject.name,
        "architecture": subject.architecture,
        "origin": subject.origin,
        "model_sha256": digest.of_file(gguf),
        "blocks": str(config.num_hidden_layers),
        "width": str(config.hidden_size),
        "heads": str(config.num_attention_heads),
        "key_heads": str(config.num_key_value_heads),
        "head_width": str(head),
        "reference": versions.reference(),
    }
    safetensors_file.write(out, tensors, metadata)
