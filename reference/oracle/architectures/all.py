"""Every synthetic architecture, in the order of the documentation."""

from oracle.architectures import llama
from oracle.recipe import Recipe

RECIPES: list[Recipe] = [llama.GROUPS_OF_TWO, llama.GROUPS_OF_FOUR]
