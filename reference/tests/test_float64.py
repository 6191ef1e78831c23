import torch

from oracle import float64_run, forward
from oracle.checks import float64

TOKENS = [5, 99, 3, 7, 64, 12, 8, 120]


def test_float32_and_float64_agree(model):
    double = float64_run.run(float64_run.in_float64(model), TOKENS, [3, 7])
    assert double.dtype == torch.float64
    assert float64.check([(forward.run(model, TOKENS, [3, 7]).logits, double)]).passed


def test_the_float64_pass_has_more_digits_than_float32_holds(model):
    """Norms and softmax in float32 on the way would leave a spread of 1e-7 between two orders of summation."""
    double = float64_run.in_float64(model)
    whole = float64_run.run(double, TOKENS, [7])
    double.set_attn_implementation("sdpa")
    assert float((whole - float64_run.run(double, TOKENS, [7])).abs().max()) < 1e-12


def test_a_weight_lost_to_half_precision_is_found(model):
    double = float64_run.run(float64_run.in_float64(model), TOKENS, [3, 7])
    model.lm_head.weight.copy_(model.lm_head.weight.bfloat16().float())
    assert not float64.check([(forward.run(model, TOKENS, [3, 7]).logits, double)]).passed


def test_another_choice_is_found():
    single = torch.tensor([[1.0, 0.9999]])
    double = torch.tensor([[0.9999, 1.0]], dtype=torch.float64)
    assert float64.check([(single, double)]).passed is False


def test_nothing_computed_does_not_pass():
    assert not float64.check([]).passed
