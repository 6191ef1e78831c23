import pytest
import torch

from oracle import forward
from oracle.architectures import gemma2
from oracle.checks import attention
from oracle.synthetic import Synthetic

TOKENS = [5, 99, 3, 7, 64, 12, 8, 120, 33, 41, 9, 77, 2, 5, 99, 3, 7, 64, 12, 8]


def computed(model, which):
    model.set_attn_implementation(which)
    return forward.run(model, TOKENS, [0, 10, 19]).logits


def test_both_attentions_agree(model):
    pair = (computed(model, "eager"), computed(model, "sdpa"))
    assert attention.second_attention(model) == "sdpa"
    assert attention.check("sdpa", [pair]).passed


def test_a_soft_capped_model_is_held_against_our_own():
    model = Synthetic(gemma2.RECIPE).make()
    assert attention.second_attention(model) == attention.OWN
    assert attention.check(attention.OWN, [(computed(model, "eager"), computed(model, attention.OWN))]).passed


def test_a_scale_that_one_attention_gets_wrong_is_found(model):
    eager = computed(model, "eager")
    for block in model.model.layers:
        block.self_attn.scaling *= 1.01
    assert not attention.check("sdpa", [(eager, computed(model, "sdpa"))]).passed


@pytest.mark.parametrize("pairs", [[], [(torch.ones(2), torch.full((2,), float("nan")))]])
def test_nothing_and_nan_do_not_pass(pairs):
    assert not attention.check("sdpa", pairs).passed
