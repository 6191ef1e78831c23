"""`engine`: hold goldens against the engine, row by row, before they are committed."""

import argparse
import json
from pathlib import Path

import numpy

from oracle import catalogue, folders, safetensors_file
from oracle.worker import Worker


def declare(commands) -> None:
    parser = commands.add_parser("engine", help="hold goldens against the engine's logits, in float32")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all synthetic ones when none is named")
    parser.add_argument("--runner", type=Path, required=True, metavar="FILE", help="a runner with its engine built in")
    parser.add_argument("--goldens", type=Path, default=folders.GOLDENS, metavar="DIR")
    parser.add_argument("--model", type=Path, metavar="FILE", help="another form of a real model, such as F32")
    parser.set_defaults(run=run)


def cosine(one: numpy.ndarray, other: numpy.ndarray) -> numpy.ndarray:
    """Cosine of each pair of rows, in float64."""
    one, other = one.astype(numpy.float64), other.astype(numpy.float64)
    return (one * other).sum(-1) / numpy.linalg.norm(one, axis=-1) / numpy.linalg.norm(other, axis=-1)


def run(arguments: argparse.Namespace) -> int:
    """One line a prompt, exit code 1 when one parts."""
    names = arguments.names or [name for name, one in catalogue.SUBJECTS.items() if one.origin == "synthetic"]
    failed = [name for name in names if not _agrees(arguments, name)]
    return 1 if failed else 0


def _agrees(arguments: argparse.Namespace, name: str) -> bool:
    subject = catalogue.named(name)
    folder = arguments.goldens / name
    tensors, metadata = safetensors_file.read(folder / "golden.safetensors")
    model = arguments.model or (folder / "model.gguf" if subject.origin == "synthetic" else subject.gguf(folder))
    prompts = json.loads(metadata["prompts"])
    longest = max(len(tensors[f"{p}.tokens"]) + len(tensors[f"{p}.greedy_tokens"]) for p in prompts)
    agreed = True
    with Worker(arguments.runner, model, longest + 8) as worker:
        for prompt in prompts:
            tokens = tensors[f"{prompt}.tokens"].tolist()
            kept = tensors[f"{prompt}.logit_positions"]
            greedy = tensors[f"{prompt}.greedy_tokens"].tolist()
            rows = worker.logits(tokens + greedy[:-1], int(kept[0]))
            ours = tensors[f"{prompt}.logits"]
            theirs = rows[kept - kept[0]]
            same = rows[len(tokens) - 1 - kept[0] :].argmax(-1).tolist() == greedy
            least = float(cosine(ours, theirs).min())
            apart = float(numpy.abs(ours - theirs).max())
            tops = int((ours.argmax(-1) == theirs.argmax(-1)).sum())
            # Not `<`: a NaN must not pass.
            fine = least >= subject.parity_bound and same
            agreed = agreed and fine
            print(
                f"{name} {prompt}: {'agrees' if fine else 'PARTS'}: rows {len(ours)}, least cosine {least:.9f}, "
                f"largest difference {apart:.3g}, same best {tops}/{len(ours)}, greedy {'same' if same else 'parts'}"
            )
    return agreed
