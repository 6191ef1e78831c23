"""SmolLM2-135M-Instruct, read by transformers from the very GGUF file that the engine reads."""

import functools
import os
from dataclasses import dataclass
from pathlib import Path

import gguf
from tokenizers import pre_tokenizers
from transformers import AutoTokenizer

from oracle import digest, loading, workload_texts
from oracle.failure import Failure
from oracle.subject import Extent, Loaded, Prompt, Slot

SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_CANDIDATES = 16


@dataclass(frozen=True)
class _Place:
    """A registered prompt: candidate k starts at text k of the workload, is wrapped, and cut to `length`."""

    name: str
    workload: str
    length: int
    greedy_tokens: int
    wrapping: tuple[str, str] = ("", "")


_CHAT = ("<|im_start|>user\nTell me more about this: ", "<|im_end|>\n<|im_start|>assistant\n")

_PLACES = [
    _Place("prose-5", "prose-48", 5, 24),
    _Place("code-16", "code-48", 16, 24),
    _Place("chat-48", "prose-48", 48, 24, _CHAT),
    _Place("prose-96", "prose-48", 96, 24),
    _Place("code-192", "code-48", 192, 24),
    _Place("filler-384", "filler-48", 384, 16),
    _Place("prose-768", "prose-48", 768, 16),
    _Place("code-1536", "code-48", 1536, 16),
    _Place("prose-2000", "prose-48", 2000, 16),
]


@dataclass(frozen=True)
class SmolLm2:
    """Answers as a `Subject`."""

    name: str = "smollm2-135m-instruct-q4_1"
    origin: str = "real"
    catalogue_model: str = "smollm2-135m-instruct-q4_1"
    architecture: str = "llama"
    greedy_margin_least: float = 0.05
    parity_bound: float = 0.9999
    extent: Extent = Extent(
        whole_rows=1, hidden_prompts=3, hidden_positions=1, float64_longest=100, twice_longest=400
    )

    @property
    def tokenizer_sha256(self) -> str:
        field = gguf.GGUFReader(_file()).fields["tokenizer.ggml.tokens"]
        return digest.of_token_list(field.contents())

    def gguf(self, _folder: Path) -> Path:
        path = _file()
        if digest.of_file(path) != SHA256:
            raise Failure(f"{path} is not the registered file; its SHA-256 must be {SHA256}")
        return path

    def load(self, _folder: Path) -> Loaded:
        path = _file()
        return loading.from_folder(path.parent, path.name)

    def slots(self) -> list[Slot]:
        return [_slot(place) for place in _PLACES]

    def tokenised(self) -> list[tuple[str, list[int]]]:
        workloads = sorted({place.workload for place in _PLACES})
        texts = [text for workload in workloads for text in workload_texts.items(workload)]
        return [(text, _tokens(text)) for text in texts]


def _file() -> Path:
    """`RUNNER_TEST_MODEL`, or the place where `runner model fetch` puts it."""
    named = os.environ.get("RUNNER_TEST_MODEL")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = Path(named) if named else cache / "runner" / "models" / SHA256 / FILE
    if not path.is_file():
        raise Failure(f"{path} is not there; run `runner model fetch smollm2-135m-instruct-q4_1`")
    return path


@functools.cache
def tokenizer():
    """transformers' reading of the tokenizer in the GGUF file, with its splitting put right.

    transformers 5.24.0 does not read `tokenizer.ggml.pre`. The file says `smollm`, whose digits are split one by
    one before anything else, as in the tokenizer that the model was published with; without that, a space before a
    number at the start of a line becomes another token.
    """
    path = _file()
    read = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    splitting = gguf.GGUFReader(path).fields["tokenizer.ggml.pre"].contents()
    if splitting != "smollm":
        raise Failure(f"{path} splits text by `{splitting}`; only `smollm` is known here")
    read.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return read


def _tokens(text: str) -> list[int]:
    return tokenizer()(text, add_special_tokens=False)["input_ids"]


def _slot(place: _Place) -> Slot:
    before, after = (_tokens(part) if part else [] for part in place.wrapping)
    room = place.length - len(before) - len(after)
    prompts = []
    for first in range(_CANDIDATES):
        middle = _tokens(workload_texts.from_item(place.workload, first))[:room]
        if len(middle) < room:
            raise Failure(f"{place.workload} is too short for {place.name}")
        prompts.append(Prompt(place.name, before + middle + after, place.name.split("-")[0]))
    return Slot(place.name, prompts, place.greedy_tokens)


SMOLLM2 = SmolLm2()
