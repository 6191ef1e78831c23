import pytest
import torch

from oracle.checks import filled


def test_a_sound_model_passes(model):
    assert filled.check(model).passed


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0, "all zero"), (0.25, "one value throughout"), (1e-41, "values denormal")],
)
def test_a_buffer_that_nobody_wrote_is_found(model, value, words):
    model.model.rotary_emb.inv_freq.fill_(value)
    outcome = filled.check(model)
    assert not outcome.passed
    assert "model.rotary_emb.inv_freq" in outcome.finding
    assert words in outcome.finding


def test_one_denormal_among_sound_values_is_found(model):
    model.model.layers[0].mlp.down_proj.weight[0, 0] = 1e-40
    assert "1 of 2048 values denormal" in filled.check(model).finding


def test_a_tensor_without_memory_is_found():
    assert filled.fault_of(torch.empty(4, device="meta")) == "without memory"
