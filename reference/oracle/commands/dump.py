"""`dump`: inner tensors of one prompt, under the engine's names."""

import argparse
import json
import tempfile
from pathlib import Path

from oracle import catalogue, folders, safetensors_file
from oracle.failure import Failure
from oracle.subject import Prompt, Subject
from oracle.trace import dump
from oracle.trace.faults import FAULTS


def declare(commands) -> None:
    parser = commands.add_parser("dump", help="inner tensors of one prompt, under the engine's names")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--prompt", required=True, metavar="P", help="a prompt of the golden")
    parser.add_argument("--fault", default="none", choices=list(FAULTS), help="planted in the reference")
    parser.add_argument("--out", type=Path, metavar="FILE", help="beside the golden when not given")
    parser.add_argument("--goldens", type=Path, default=folders.GOLDENS, metavar="DIR")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    subject = catalogue.named(arguments.name)
    what = "sound" if arguments.fault == "none" else arguments.fault
    out = arguments.out or arguments.goldens / subject.name / f"dump-{what}.safetensors"
    with tempfile.TemporaryDirectory() as scratch:
        gguf = subject.gguf(Path(scratch))
        prompt = prompt_of(subject, arguments.goldens, arguments.prompt)
        tensors, metadata = dump.build(subject, gguf, Path(scratch), prompt, arguments.fault)
    safetensors_file.write(out, tensors, metadata)
    print(f"{subject.name}: {out} ({len(json.loads(metadata['order']))} nodes, {out.stat().st_size} bytes)")
    return 0


def prompt_of(subject: Subject, goldens: Path, name: str) -> Prompt:
    """The prompt that the committed golden chose."""
    tensors, metadata = safetensors_file.read(goldens / subject.name / "golden.safetensors")
    prompts = json.loads(metadata["prompts"])
    if name not in prompts:
        raise Failure(f"{subject.name} has no prompt `{name}`; it has: {', '.join(prompts)}")
    return Prompt(name, tensors[f"{name}.tokens"].tolist(), json.loads(metadata["prompt_classes"])[name])
