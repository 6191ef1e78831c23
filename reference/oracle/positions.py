"""Which positions of a prompt a golden keeps."""

from oracle.subject import Extent

TOP_POSITIONS = 16
TOP_TOKENS = 16


def evenly(length: int, count: int) -> list[int]:
    """`count` positions from the first to the last, evenly, or all when there are no more."""
    if length <= count:
        return list(range(length))
    if count == 1:
        return [length - 1]
    return sorted({round(step * (length - 1) / (count - 1)) for step in range(count)})


def whole_rows(extent: Extent, length: int) -> list[int]:
    """Positions whose logits are kept whole; the last is always among them."""
    return evenly(length, extent.whole_rows)


def float64(extent: Extent, length: int) -> list[int]:
    """Positions that are computed in float64 too: four, or none of a long prompt."""
    return evenly(length, 4) if length <= extent.float64_longest else []
