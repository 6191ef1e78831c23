"""A dump: every station of one prompt, with or without a planted fault."""

import json
from pathlib import Path

import numpy
import torch

from oracle import digest, versions
from oracle.checks import complete, filled, finite, rotary
from oracle.checks.outcome import as_metadata
from oracle.failure import Failure
from oracle.subject import Prompt, Subject
from oracle.trace import observe
from oracle.trace.faults import FAULTS

FORMAT = "runner-dump 1"


def build(subject: Subject, gguf: Path, scratch: Path, prompt: Prompt, fault: str):
    """Tensors and metadata. The self-check is that of the model *with* the fault, so a dump of an
    uninitialised table says so itself."""
    if fault not in FAULTS:
        raise Failure(f"no fault is called `{fault}`; there are: {', '.join(FAULTS)}")
    planted = FAULTS[fault]
    loaded = subject.load(scratch)
    model = loaded.model
    planted.plant(model)
    try:
        traced = observe.trace(model, prompt.tokens)
    finally:
        getattr(model, "oracle_restore", lambda: None)()
    tensors = {name: value.numpy().astype(numpy.float32) for name, value in traced.items()}
    tensors["tokens"] = numpy.array(prompt.tokens, dtype=numpy.int32)
    tensors |= _buffers(model)
    outcomes = [complete.check(loaded), filled.check(model), rotary.check(model), finite.check(model, traced)]
    graph = observe.graph_of(model)
    permuted = {name: "rope_halves" for name in traced if name.rsplit("-", 1)[0] in graph.permuted}
    config = model.config
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
        "head_width": str(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads),
        "reference": versions.reference(),
        "dtype": "float32",
        "attention": "eager",
        "made_on": versions.MADE_ON,
        "prompt": prompt.name,
        "fault": planted.words,
        "fault_first_node": planted.first_node,
        "order": json.dumps(list(traced)),
        "permuted": json.dumps(permuted),
        "self_check": as_metadata(outcomes),
    }
    return tensors, metadata


def _buffers(model: torch.nn.Module) -> dict[str, numpy.ndarray]:
    """The rotary tables, and what else the reference keeps beside its weights."""
    kept = {}
    for name, value in model.named_buffers():
        leaf = name.rsplit(".", 1)[-1]
        if leaf.endswith("original_inv_freq"):
            continue
        kept["buffer." + leaf.replace("inv_freq", "rotary_inverse_frequency")] = (
            value.float().numpy().copy().reshape(-1)
        )
    return kept
