"""Subjects by name."""

from oracle.architectures.all import RECIPES
from oracle.failure import Failure
from oracle.real import SMOLLM2
from oracle.subject import Subject
from oracle.synthetic import Synthetic

SUBJECTS: dict[str, Subject] = {
    **{recipe.name: Synthetic(recipe) for recipe in RECIPES},
    SMOLLM2.name: SMOLLM2,
}


def named(name: str) -> Subject:
    """The subject of that name."""
    if name not in SUBJECTS:
        raise Failure(f"no golden is called `{name}`; there are: {', '.join(SUBJECTS)}")
    return SUBJECTS[name]
