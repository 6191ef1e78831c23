import math

from oracle.checks.worst import reported, worst


def test_nan_is_worst_wherever_it_stands():
    for figures in ([(math.nan, "a"), (1.0, "b")], [(1.0, "b"), (math.nan, "a"), (2.0, "c")]):
        figure, where = worst(figures)
        assert math.isnan(figure)
        assert where == "a"
    assert worst([(1.0, "b"), (3.0, "c"), (2.0, "d")]) == (3.0, "c")
    assert reported(math.nan) == reported(math.inf) == "not a number"
