import pytest

from oracle import golden, greedy
from oracle.failure import Failure


def test_margins_belong_to_the_chosen_tokens(model):
    continuation = greedy.continue_greedily(model, [5, 99, 3], 6)
    assert len(continuation.tokens) == len(continuation.margins) == 6
    assert min(continuation.margins) > 0


def test_a_continuation_under_the_bound_is_refused(subject, model):
    slot = subject.slots()[2]
    least = min(greedy.continue_greedily(model, slot.candidates[0].tokens, slot.greedy_tokens).margins)
    assert golden._choose(model, slot, least).refused == 0
    assert golden._choose(model, slot, least * 1.001).refused > 0
    with pytest.raises(Failure, match="all 40 candidates"):
        golden._choose(model, slot, 1e9)
