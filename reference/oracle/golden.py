"""A golden: everything that is kept of the reference's answer, and the proof that it may be believed."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy
import torch
from torch import nn

from oracle import digest, float64_run, forward, greedy, positions, safetensors_file, versions
from oracle.checks import attention, complete, filled, finite, float64, rotary, two_loads
from oracle.checks.outcome import Outcome, as_metadata
from oracle.failure import Failure
from oracle.subject import Prompt, Slot, Subject

FORMAT = "runner-golden 1"


@dataclass(frozen=True)
class _Chosen:
    prompt: Prompt
    continuation: greedy.Continuation
    refused: int


def _choose(model: nn.Module, slot: Slot, least: float) -> _Chosen:
    """The first candidate whose continuation keeps every margin at or over `least`."""
    for refused, prompt in enumerate(slot.candidates):
        continuation = greedy.continue_greedily(model, prompt.tokens, slot.greedy_tokens)
        if min(continuation.margins) >= least:
            return _Chosen(prompt, continuation, refused)
    raise Failure(
        f"slot {slot.name}: all {len(slot.candidates)} candidates have a margin under {least}; "
        "register more candidates, or a shorter continuation"
    )


def _int32(values: list[int]) -> numpy.ndarray:
    return numpy.array(values, dtype=numpy.int32)


def _prompt_tensors(subject: Subject, model: nn.Module, chosen: _Chosen, keep_hidden: bool):
    """The tensors of one prompt, with the logits `[k, V]` at its whole-row positions."""
    prompt, extent = chosen.prompt, subject.extent
    length = len(prompt.tokens)
    whole = positions.whole_rows(extent, length)
    top = positions.evenly(length, positions.TOP_POSITIONS)
    every = sorted({*whole, *top})
    computed = forward.run(model, prompt.tokens, every)
    row = {position: index for index, position in enumerate(every)}
    logits = computed.logits[[row[position] for position in whole]]
    best = computed.logits[[row[position] for position in top]].topk(positions.TOP_TOKENS, dim=-1)
    name = prompt.name
    tensors = {
        f"{name}.tokens": _int32(prompt.tokens),
        f"{name}.logit_positions": _int32(whole),
        f"{name}.logits": logits.numpy(),
        f"{name}.top_positions": _int32(top),
        f"{name}.top_tokens": best.indices.numpy().astype(numpy.int32),
        f"{name}.top_logits": best.values.numpy(),
        f"{name}.greedy_tokens": _int32(chosen.continuation.tokens),
        f"{name}.greedy_margins": numpy.array(chosen.continuation.margins, dtype=numpy.float32),
    }
    if keep_hidden:
        places = positions.evenly(length, extent.hidden_positions)
        tensors[f"{name}.hidden_positions"] = _int32(places)
        tensors[f"{name}.hidden"] = computed.hidden[:, places].numpy()
    return tensors, computed, every


def build(subject: Subject, folder: Path, say=lambda _text: None) -> tuple[dict, dict[str, str]]:
    """Tensors and metadata of a golden. `folder` is scratch, and gets a synthetic model's GGUF."""
    gguf = subject.gguf(folder)
    say(f"{subject.name}: loading")
    loaded = subject.load(folder)
    model = loaded.model
    config = model.config
    outcomes: list[Outcome] = [complete.check(loaded), filled.check(model), rotary.check(model)]

    chosen = []
    for slot in subject.slots():
        chosen.append(_choose(model, slot, subject.greedy_margin_least))
        say(f"{subject.name}: {slot.name}: {chosen[-1].refused} refused")

    kept = subject.extent.hidden_prompts
    hidden = set(range(len(chosen)) if kept is None else positions.evenly(len(chosen), kept))
    tensors: dict[str, numpy.ndarray] = {}
    passes: dict[str, torch.Tensor] = {}
    places: dict[str, list[int]] = {}
    computed_states: dict[str, torch.Tensor] = {}
    for index, one in enumerate(chosen):
        found, computed, every = _prompt_tensors(subject, model, one, index in hidden)
        tensors |= found
        passes[one.prompt.name], places[one.prompt.name] = computed.logits, every
        computed_states[f"logits of {one.prompt.name}"] = computed.logits
        computed_states[f"hidden states of {one.prompt.name}"] = computed.hidden
    outcomes.append(finite.check(model, computed_states))
    del computed_states

    short = [one.prompt for one in chosen if len(one.prompt.tokens) <= subject.extent.twice_longest]
    say(f"{subject.name}: second load")
    second = subject.load(folder).model
    outcomes.append(
        two_loads.check(
            model,
            second,
            [(passes[p.name], forward.run(second, p.tokens, places[p.name]).logits) for p in short],
        )
    )
    other = attention.second_attention(model)
    say(f"{subject.name}: second attention, {other}")
    second.set_attn_implementation(other)
    outcomes.append(
        attention.check(
            other, [(passes[p.name], forward.run(second, p.tokens, places[p.name]).logits) for p in short]
        )
    )
    del second

    say(f"{subject.name}: float64")
    double = float64_run.in_float64(model)
    pairs = []
    for one in chosen:
        name, tokens = one.prompt.name, one.prompt.tokens
        few = positions.float64(subject.extent, len(tokens))
        if not few:
            continue
        logits = float64_run.run(double, tokens, few)
        pairs.append((forward.run(model, tokens, few).logits, logits))
        best = logits.topk(positions.TOP_TOKENS, dim=-1)
        tensors[f"{name}.float64_positions"] = _int32(few)
        tensors[f"{name}.float64_top_tokens"] = best.indices.numpy().astype(numpy.int32)
        tensors[f"{name}.float64_top_logits"] = best.values.numpy()
    del double
    outcomes.append(float64.check(pairs))

    metadata = {
        "format": FORMAT,
        "name": subject.name,
        "architecture": subject.architecture,
        "origin": subject.origin,
        "model": subject.catalogue_model,
        "model_sha256": digest.of_file(gguf),
        "tokenizer_sha256": subject.tokenizer_sha256,
        "vocabulary": str(config.vocab_size),
        "blocks": str(config.num_hidden_layers),
        "width": str(config.hidden_size),
        "reference": versions.reference(),
        "dtype": "float32",
        "attention": "eager",
        "made_on": versions.MADE_ON,
        "greedy_margin_least": repr(subject.greedy_margin_least),
        "greedy_refused": json.dumps({one.prompt.name: one.refused for one in chosen}),
        "prompts": json.dumps([one.prompt.name for one in chosen]),
        "prompt_classes": json.dumps({one.prompt.name: one.prompt.prompt_class for one in chosen}),
        "self_check": as_metadata(outcomes),
    }
    failed = [f"{one.name}: {one.figure} ({one.finding})" for one in outcomes if not one.passed]
    if failed:
        raise Failure(
            f"{subject.name}: the reference failed its own check, so nothing is written: " + "; ".join(failed)
        )
    return tensors, metadata


def write(folder: Path, tensors: dict[str, numpy.ndarray], metadata: dict[str, str]) -> Path:
    """Write `golden.safetensors` into `folder`."""
    path = folder / "golden.safetensors"
    safetensors_file.write(path, tensors, metadata)
    return path
