"""Every parameter came from the checkpoint: none was left as the loader made it."""

from oracle.checks.outcome import Outcome
from oracle.subject import Loaded


def check(loaded: Loaded) -> Outcome:
    """Go by what the loader says was missing or left over."""
    faults = [f"missing {name}" for name in loaded.missing]
    faults += [f"left over {name}" for name in loaded.unexpected]
    seen = sum(1 for _ in loaded.model.parameters())
    finding = f"{seen} parameters, all from the checkpoint" if not faults else "; ".join(faults[:3])
    return Outcome("complete", not faults and seen > 0, len(faults), 0, finding)
