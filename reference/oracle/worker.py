"""The engine's worker, spoken to in its protocol (docs/protocol.md): the other side of every golden."""

import json
import shlex
import subprocess
import tempfile
from pathlib import Path

import numpy

from oracle.failure import Failure

_SETTINGS = {
    "threads": 1,
    "micro_batch_tokens": 512,
    "kv_key_type": "f32",
    "kv_value_type": "f32",
    "flash_attention": "off",
}


class Worker:
    """One worker process with one model. Ends with its context."""

    def __init__(self, command: str, model: Path, context_tokens: int):
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._last = 0
        self.ask({"hello": {"protocol_version": 1}})
        settings = _SETTINGS | {"context_tokens": max(context_tokens, _SETTINGS["micro_batch_tokens"])}
        self.ask({"load": {"model_path": str(model), "settings": settings}})

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_) -> None:
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def ask(self, command: dict) -> dict:
        """One request, and the content of its reply."""
        self._last += 1
        self._process.stdin.write(json.dumps({"id": self._last, "command": command}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise Failure("the worker ended in mid-talk")
        reply = json.loads(line)["reply"]
        if "problem" in reply:
            raise Failure(f"the worker says: {reply['problem']}")
        return next(iter(reply.values()))

    def logits(self, tokens: list[int], from_position: int) -> numpy.ndarray:
        """Rows `[positions, vocabulary]` from a position on."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "logits"
            said = self.ask({"logits": {"tokens": tokens, "from_position": from_position, "path": str(path)}})
            values = numpy.fromfile(path, dtype="<f4")
            return values.reshape(-1, said["vocabulary"])

    def observe(self, tokens: list[int]) -> dict[str, numpy.ndarray]:
        """Values `[positions, width]` of the graph's nodes, in order of execution; what is not laid out by position
        is left out."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "observed"
            said = self.ask(
                {
                    "observe": {
                        "tokens": tokens,
                        "tensors": "all",
                        "positions": list(range(len(tokens))),
                        "replace": [],
                        "path": str(path),
                    }
                }
            )
            values = numpy.fromfile(path, dtype="<f4")
        found = {}
        for one in said["tensors"]:
            if one["layout"] == "by_position":
                size = one["rows"] * one["width"]
                found[one["name"]] = values[one["offset"] :][:size].reshape(one["rows"], one["width"])
        return found

    def tokenize(self, text: str) -> list[int]:
        """Token ids as the engine's own tokenizer gives them."""
        return self.ask({"tokenize": {"text": text}})
