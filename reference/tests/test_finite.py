import torch

from oracle.checks import finite


def test_a_sound_model_passes(model):
    assert finite.check(model, {"logits": torch.ones(3)}).passed


def test_nan_in_a_weight_is_found_and_named(model):
    model.model.layers[1].mlp.up_proj.weight[3, 5] = float("nan")
    outcome = finite.check(model, {})
    assert not outcome.passed
    assert outcome.finding == "first in model.layers.1.mlp.up_proj.weight"


def test_infinity_in_what_was_computed_is_found(model):
    outcome = finite.check(model, {"logits of p": torch.tensor([1.0, float("inf")])})
    assert not outcome.passed
    assert outcome.figure == 1
