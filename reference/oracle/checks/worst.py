"""The worst of several figures, where NaN is worse than any."""

import math
from collections.abc import Iterable


def worst(figures: Iterable[tuple[float, str]]) -> tuple[float, str]:
    """Figure and place. Zero and `nowhere` when there are none."""
    highest, where = 0.0, "nowhere"
    for figure, place in figures:
        if math.isnan(figure):
            return figure, place
        if figure >= highest:
            highest, where = figure, place
    return highest, where


def reported(figure: float) -> float | str:
    """A figure for JSON, which has neither NaN nor infinity."""
    return figure if math.isfinite(figure) else "not a number"
