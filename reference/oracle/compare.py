"""Two safetensors files, tensor by tensor."""

import json
from dataclasses import dataclass

import numpy

# Largest difference that another build of the same pinned versions may make, as a share of the tensor's largest
# value. Made on the same machine, nothing differs at all.
BOUND = 1e-4


@dataclass(frozen=True)
class Difference:
    """One tensor, or one key of the metadata."""

    name: str
    finding: str
    within: bool


def _tensor(name: str, ours: numpy.ndarray | None, theirs: numpy.ndarray | None) -> Difference:
    if ours is None or theirs is None:
        return Difference(name, "only made now" if theirs is None else "only committed", within=False)
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        finding = f"now {ours.dtype}{list(ours.shape)}, committed {theirs.dtype}{list(theirs.shape)}"
        return Difference(name, finding, within=False)
    if ours.tobytes() == theirs.tobytes():
        return Difference(name, "equal", within=True)
    if ours.dtype.kind == "i":
        return Difference(name, f"{int((ours != theirs).sum())} of {ours.size} numbers differ", within=False)
    apart = float(numpy.abs(ours - theirs).max())
    bound = BOUND * float(numpy.abs(theirs).max())
    # Not `>`: a NaN must not pass.
    within = apart <= bound
    return Difference(name, f"largest difference {apart:.3g}, bound {bound:.3g}", within)


def _self_check(now: str, then: str) -> list[Difference]:
    """Figures may differ, since they measure differences. What was checked, and whether it passed, may not."""
    ours, theirs = json.loads(now), json.loads(then)
    found = []
    for name in sorted(ours.keys() | theirs.keys()):
        one, other = ours.get(name), theirs.get(name)
        if one != other:
            same_end = one is not None and other is not None and one["passed"] == other["passed"]
            found.append(Difference(f"self-check {name}", f"now {one}, committed {other}", within=same_end))
    return found


def files(ours: tuple[dict, dict], theirs: tuple[dict, dict]) -> list[Difference]:
    """What is made now (`ours`) against what is committed."""
    found = [
        _tensor(name, ours[0].get(name), theirs[0].get(name)) for name in sorted(ours[0].keys() | theirs[0].keys())
    ]
    for key in sorted(ours[1].keys() | theirs[1].keys()):
        now, then = ours[1].get(key), theirs[1].get(key)
        if now == then:
            continue
        if key == "self_check" and now is not None and then is not None:
            found.extend(_self_check(now, then))
        else:
            found.append(Difference(f"metadata {key}", f"now {now}, committed {then}", within=False))
    return found
