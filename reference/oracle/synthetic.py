"""A synthetic model as a subject: made in Hugging Face form, saved, and loaded again as any checkpoint is."""

import contextlib
import io
from dataclasses import dataclass
from pathlib import Path

import numpy
import torch
from torch import nn
from transformers import AutoModelForCausalLM

from oracle import gguf_file, loading, weights
from oracle.recipe import Recipe
from oracle.subject import Extent, Loaded, Prompt, Slot

_CANDIDATES = 40
GREEDY_TOKENS = 24


@dataclass(frozen=True)
class Synthetic:
    """A recipe, answered for as a `Subject`."""

    recipe: Recipe
    origin: str = "synthetic"
    catalogue_model: str = "none"
    tokenizer_sha256: str = "none"
    greedy_margin_least: float = 0.02
    parity_bound: float = 0.999999
    extent: Extent = Extent(
        whole_rows=16, hidden_prompts=None, hidden_positions=2, float64_longest=24, twice_longest=10_000
    )

    @property
    def name(self) -> str:
        return self.recipe.name

    @property
    def architecture(self) -> str:
        return self.recipe.gguf_architecture

    def make(self) -> nn.Module:
        """The model, filled from its seed."""
        model = AutoModelForCausalLM.from_config(self.recipe.config, dtype=torch.float32)
        weights.fill(model, self.recipe.seed, self.recipe.norms_add_one)
        return model.eval()

    def gguf(self, folder: Path) -> Path:
        path = folder / "model.gguf"
        with contextlib.redirect_stdout(io.StringIO()):
            gguf_file.write(self.recipe, self.make(), path)
        return path

    def load(self, folder: Path) -> Loaded:
        checkpoint = folder / "checkpoint"
        if not checkpoint.exists():
            self.make().save_pretrained(checkpoint)
        return loading.from_folder(checkpoint)

    def slots(self) -> list[Slot]:
        return [self._slot(length) for length in self.recipe.prompt_lengths]

    def tokenised(self) -> list[tuple[str, list[int]]]:
        return []

    def _slot(self, length: int) -> Slot:
        """Candidate k is drawn from a generator of its own: seed, length, k."""
        name = f"random-{length}"
        candidates = []
        for candidate in range(_CANDIDATES):
            source = numpy.random.Generator(numpy.random.PCG64([self.recipe.seed, length, candidate]))
            tokens = source.integers(0, self.recipe.config.vocab_size, length).tolist()
            candidates.append(Prompt(name=name, tokens=tokens, prompt_class="random"))
        return Slot(name=name, candidates=candidates, greedy_tokens=GREEDY_TOKENS)
