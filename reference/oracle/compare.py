"""Two safetensors files, tensor by tensor."""

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


def files(ours: tuple[dict, dict], theirs: tuple[dict, dict]) -> list[Difference]:
    """What is made now (`ours`) against what is committed. Of the metadata, what the self-check measured
    may differ, since it measures differences; nothing else may."""
    found = [
        _tensor(name, ours[0].get(name), theirs[0].get(name)) for name in sorted(ours[0].keys() | theirs[0].keys())
    ]
    for key in sorted(ours[1].keys() | theirs[1].keys()):
        now, then = ours[1].get(key), theirs[1].get(key)
        if now != then:
            found.append(Difference(f"metadata {key}", f"now {now}, committed {then}", within=key == "self_check"))
    return found
