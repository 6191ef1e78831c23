"""What a check found."""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """Passed or not, with the figure that decided and, where one exists, the bound it was held against."""

    name: str
    passed: bool
    figure: float | int | str
    bound: float | int | str
    finding: str
    """A sentence: what was compared, or where the fault lies."""


def as_metadata(outcomes: list[Outcome]) -> str:
    """The golden's `self_check`."""
    return json.dumps(
        {
            outcome.name: {
                "passed": outcome.passed,
                "figure": outcome.figure,
                "bound": outcome.bound,
                "finding": outcome.finding,
            }
            for outcome in sorted(outcomes, key=lambda outcome: outcome.name)
        },
        sort_keys=True,
    )
