import json

import numpy

from oracle import compare

LOGITS = numpy.array([1.0, 100.0], dtype=numpy.float32)
BASE = ({"p.logits": LOGITS, "p.tokens": numpy.array([1], numpy.int32)}, {"a": "1"})


def beyond(tensors, metadata=None):
    found = compare.files((BASE[0] | tensors, BASE[1] if metadata is None else metadata), BASE)
    return [one.name for one in found if not one.within]


def test_equal_and_nearly_equal_are_within():
    assert beyond({}) == []
    assert beyond({"p.logits": numpy.array([1.0, 100.005], dtype=numpy.float32)}) == []


def test_what_is_beyond_is_named():
    assert beyond({"p.logits": numpy.array([1.0, 100.1], dtype=numpy.float32)}) == ["p.logits"]
    assert beyond({"p.logits": numpy.array([1.0, numpy.nan], dtype=numpy.float32)}) == ["p.logits"]
    assert beyond({"p.tokens": numpy.array([2], numpy.int32)}) == ["p.tokens"]
    assert beyond({"q.tokens": numpy.array([2], numpy.int32)}) == ["q.tokens"]
    assert beyond({}, {"a": "2"}) == ["metadata a"]


def checked(passed, figure):
    return {"a": "1", "self_check": json.dumps({"finite": {"passed": passed, "figure": figure}})}


def test_a_self_check_may_measure_otherwise_but_not_end_otherwise():
    committed = (BASE[0], checked(True, 1e-7))
    for now, names in ((checked(True, 2e-7), []), (checked(False, 1e-7), ["self-check finite"])):
        found = compare.files((BASE[0], now), committed)
        assert [one.name for one in found if not one.within] == names
    without = compare.files((BASE[0], {"a": "1"}), committed)
    assert [one.name for one in without if not one.within] == ["metadata self_check"]
