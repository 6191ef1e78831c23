import torch

from oracle.checks import two_loads


def test_two_sound_loads_agree(subject, checkpoint):
    logits = torch.ones(2, 3)
    first, second = (subject.load(checkpoint).model for _ in range(2))
    assert two_loads.check(first, second, [(logits, logits.clone())]).passed


def test_one_bit_in_a_buffer_is_enough(subject, checkpoint):
    first, second = (subject.load(checkpoint).model for _ in range(2))
    table = second.model.rotary_emb.inv_freq
    table.view(torch.int32)[3] ^= 1
    outcome = two_loads.check(first, second, [(torch.ones(1), torch.ones(1))])
    assert not outcome.passed
    assert outcome.finding == "apart: model.rotary_emb.inv_freq"


def test_logits_that_differ_are_found(model):
    outcome = two_loads.check(model, model, [(torch.ones(2), torch.tensor([1.0, 1.0000001]))])
    assert not outcome.passed


def test_nothing_computed_is_no_agreement(model):
    assert not two_loads.check(model, model, []).passed
