"""`engine`: hold goldens against the engine, row by row, before they are committed."""

import argparse
import json
from pathlib import Path

import numpy

from oracle import catalogue, folders, safetensors_file
from oracle.checks.worst import worst
from oracle.worker import Worker


def declare(commands) -> None:
    parser = commands.add_parser("engine", help="hold goldens against the engine's logits, in float32")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all synthetic ones when none is named")
    parser.add_argument("--worker", required=True, metavar="COMMAND", help="such as `runner worker` or `engine-worker`")
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
    with Worker(arguments.worker, model, longest + 8) as worker:
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
        agreed = _tokenizer_agrees(worker, name) and agreed
        if (folder / "dump-sound.safetensors").exists():
            agreed = _dump_agrees(worker, name, folder / "dump-sound.safetensors") and agreed
    return agreed


def _tokenizer_agrees(worker: Worker, name: str) -> bool:
    """Both sides' reading of the tokenizer that stands in the GGUF file."""
    texts = catalogue.named(name).tokenised()
    same = sum(1 for text, tokens in texts if worker.tokenize(text) == tokens)
    if texts:
        print(f"{name} tokenizer: {'agrees' if same == len(texts) else 'PARTS'}: {same} of {len(texts)} texts")
    return same == len(texts)


def _dump_agrees(worker: Worker, name: str, path: Path) -> bool:
    """Every node of a sound dump against the engine's, in order; the order must be the engine's too."""
    tensors, metadata = safetensors_file.read(path)
    order, permuted = json.loads(metadata["order"]), json.loads(metadata["permuted"])
    observed = worker.observe(tensors["tokens"].tolist())
    in_order = [node for node in observed if node in tensors] == order
    found = []
    for node in order:
        ours = tensors[node]
        if permuted.get(node) == "rope_halves":
            ours = neighbours(ours, int(metadata["head_width"]))
        least = float(cosine(ours, observed[node]).min()) if node in observed else float("nan")
        found.append((1.0 - least, node))
    apart, where = worst(found)
    fine = in_order and apart <= 1e-5
    beside = [node for node in observed if node not in tensors]
    print(
        f"{name} {path.name}: {'agrees' if fine else 'PARTS'}: {len(order)} nodes, order "
        f"{'same' if in_order else 'parts'}, least cosine {1.0 - apart:.9f} at {where}; only the engine has {beside}"
    )
    return fine


def neighbours(values: numpy.ndarray, head: int) -> numpy.ndarray:
    """Heads in halves (i with i + half) as heads in neighbours (2 i with 2 i + 1)."""
    return values.reshape(len(values), -1, 2, head // 2).swapaxes(2, 3).reshape(values.shape)
