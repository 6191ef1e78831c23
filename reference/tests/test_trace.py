import pytest
import torch

from oracle import forward
from oracle.trace import observe
from oracle.trace.faults import FAULTS

TOKENS = [5, 99, 3, 7, 64, 12, 8, 120]


def test_a_trace_ends_in_the_models_own_logits(model):
    traced = observe.trace(model, TOKENS)
    assert torch.equal(traced["result_output"], forward.run(model, TOKENS, list(range(8))).logits)
    assert list(traced)[:5] == ["embd", "norm-0", "attn_norm-0", "Qcur-0", "Qcur-0#2"]
    assert all(value.shape[0] == len(TOKENS) for value in traced.values())


@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "none"])
def test_a_planted_fault_shows_first_where_it_says(subject, checkpoint, fault):
    sound = observe.trace(subject.load(checkpoint).model, TOKENS)
    model = subject.load(checkpoint).model
    FAULTS[fault].plant(model)
    try:
        faulted = observe.trace(model, TOKENS)
    finally:
        getattr(model, "oracle_restore", lambda: None)()
    first = next(name for name in sound if not torch.allclose(sound[name], faulted[name], rtol=1e-5, atol=1e-6))
    assert first == FAULTS[fault].first_node
