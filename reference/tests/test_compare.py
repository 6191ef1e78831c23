import numpy

from oracle import compare

BASE = ({"p.logits": numpy.array([1.0, 100.0], dtype=numpy.float32), "p.tokens": numpy.array([1], numpy.int32)}, {"a": "1"})


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
