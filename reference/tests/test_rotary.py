import math

import numpy
import pytest
import torch

from oracle.architectures import yarn
from oracle.checks import rotary
from oracle.synthetic import Synthetic


def test_a_sound_table_passes(model):
    assert rotary.check(model).passed


def test_yarn_passes_where_every_block_is_stretched_and_where_some_are():
    for recipe, tables in ((yarn.LLAMA, 2), (yarn.OLMO3, 4)):
        outcome = rotary.check(Synthetic(recipe).make())
        assert outcome.passed, outcome
        assert outcome.finding.startswith(f"{tables} tables")


@pytest.mark.parametrize("value", [0.0, 1e-41, 0.5, float("nan")])
def test_a_table_that_was_never_initialised_is_found(model, value):
    model.model.rotary_emb.inv_freq.fill_(value)
    assert not rotary.check(model).passed


def test_a_table_of_another_base_is_found(model):
    model.model.rotary_emb.inv_freq.copy_(torch.from_numpy(rotary.default_table(10001.0, 16)))
    assert not rotary.check(model).passed


def test_a_forgotten_attention_factor_is_found():
    model = Synthetic(yarn.LLAMA).make()
    model.model.rotary_emb.attention_scaling = 1.0
    assert not rotary.check(model).passed


def test_a_model_without_a_table_does_not_pass(model):
    del model.model.rotary_emb.inv_freq, model.model.rotary_emb.original_inv_freq
    assert not rotary.check(model).passed


def test_the_formulas_by_hand():
    assert numpy.allclose(rotary.default_table(100.0, 4), [1.0, 0.1])
    # 4 dimensions, base 100, context 2 pi 10: one turn at dimension 4 ln(10) / (2 ln 100) = 1, 32 turns before 0.
    stretched = rotary.yarn_table(100.0, 4, 2.0, 20 * math.pi, 32.0, 1.0)
    assert numpy.allclose(stretched, [1.0, 0.05])
    assert rotary.yarn_attention_factor(math.e) == pytest.approx(1.1)
