"""`goldens`: write goldens, each only after its self-check."""

import argparse
import shutil
import tempfile
from pathlib import Path

from oracle import catalogue, folders, golden


def declare(commands) -> None:
    parser = commands.add_parser("goldens", help="write goldens, each after its self-check")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all when none is named")
    parser.add_argument("--out", type=Path, default=folders.GOLDENS, metavar="DIR")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    for name in arguments.names or list(catalogue.SUBJECTS):
        make(name, arguments.out / name)
    return 0


def make(name: str, into: Path) -> None:
    """Build one golden in scratch and then put it, with a synthetic model's GGUF, into its folder."""
    subject = catalogue.named(name)
    with tempfile.TemporaryDirectory() as scratch:
        tensors, metadata = golden.build(subject, Path(scratch), say=print)
        into.mkdir(parents=True, exist_ok=True)
        if subject.origin == "synthetic":
            shutil.copyfile(Path(scratch) / "model.gguf", into / "model.gguf")
        path = golden.write(into, tensors, metadata)
    print(f"{name}: {path} ({path.stat().st_size} bytes)")
