"""`regenerate`: make goldens again, in scratch, and show what differs from the committed ones."""

import argparse
import tempfile
from pathlib import Path

from oracle import catalogue, compare, digest, folders, safetensors_file
from oracle.commands import checkpoint, dump, goldens
from oracle.subject import Subject
from oracle.trace.dump import build
from oracle.trace.faults import FAULTS


def declare(commands) -> None:
    parser = commands.add_parser("regenerate", help="make goldens again and show the difference to the committed ones")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all when none is named")
    parser.add_argument("--goldens", type=Path, default=folders.GOLDENS, metavar="DIR", help="the committed ones")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Exit code 1 when a file is missing or a tensor is beyond its bound."""
    failed = 0
    for name in arguments.names or list(catalogue.SUBJECTS):
        subject = catalogue.named(name)
        with tempfile.TemporaryDirectory() as scratch:
            remade = Path(scratch) / "again"
            goldens.make(name, remade)
            _make_the_rest(subject, arguments.goldens, Path(scratch), remade)
            for path in sorted(remade.iterdir()):
                failed += _show(name, path, arguments.goldens / name / path.name)
    print("no difference beyond its bound" if failed == 0 else f"{failed} beyond their bound")
    return 1 if failed else 0


def _make_the_rest(subject: Subject, committed: Path, scratch: Path, remade: Path) -> None:
    """Dumps and checkpoint, where such are committed."""
    faults = {fault.words: name for name, fault in FAULTS.items()}
    for path in sorted((committed / subject.name).glob("dump-*.safetensors")):
        _, metadata = safetensors_file.read(path)
        prompt = dump.prompt_of(subject, committed, metadata["prompt"])
        gguf = subject.gguf(scratch)
        safetensors_file.write(remade / path.name, *build(subject, gguf, scratch, prompt, faults[metadata["fault"]]))
    if (committed / subject.name / "checkpoint.safetensors").exists():
        checkpoint.write(subject, scratch, remade / "checkpoint.safetensors")


def _show(name: str, now: Path, then: Path) -> int:
    """Print the comparison of one file; how many of its parts are beyond their bound."""
    if not then.exists():
        print(f"{name}/{now.name}: not committed")
        return 1
    if digest.of_file(now) == digest.of_file(then):
        print(f"{name}/{now.name}: the same bytes")
        return 0
    if now.suffix != ".safetensors":
        print(f"{name}/{now.name}: other bytes")
        return 1
    differences = compare.files(safetensors_file.read(now), safetensors_file.read(then))
    equal = sum(1 for one in differences if one.finding == "equal")
    print(f"{name}/{now.name}: {equal} of {len(differences)} equal")
    for one in differences:
        if one.finding != "equal":
            print(f"  {one.name}: {one.finding}{'' if one.within else ' BEYOND'}")
    return sum(1 for one in differences if not one.within)
