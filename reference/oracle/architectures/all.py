"""Every synthetic architecture, in the order of the documentation."""

from oracle.architectures import experts, gemma2, llama, phi3, qwen2, qwen3, yarn
from oracle.recipe import Recipe

RECIPES: list[Recipe] = [
    llama.GROUPS_OF_TWO,
    llama.GROUPS_OF_FOUR,
    qwen2.RECIPE,
    qwen3.RECIPE,
    gemma2.RECIPE,
    phi3.RECIPE,
    experts.MIXTRAL,
    experts.OLMOE,
    yarn.LLAMA,
    yarn.OLMO3,
]
