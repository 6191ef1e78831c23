"""The rotary tables against their formula, worked out here in float64 from the model's configuration.

These tables are buffers that no checkpoint holds, so they are the first to stay uninitialised when a model
is made without memory and filled later.
"""

import math

import numpy
from torch import nn

from oracle.checks.outcome import Outcome
from oracle.checks.worst import reported, worst

# float32 holds a power to about 2^-22 after the rounding of its exponent.
BOUND = 2e-6


def default_table(theta: float, dimensions: int) -> numpy.ndarray:
    """Inverse frequencies `[dimensions / 2]`: theta^(-2 i / dimensions)."""
    return theta ** -(numpy.arange(0, dimensions, 2, dtype=numpy.float64) / dimensions)


def yarn_table(
    theta: float,
    dimensions: int,
    factor: float,
    original_context: int,
    beta_fast: float,
    beta_slow: float,
) -> numpy.ndarray:
    """YaRN (Peng et al., 2023, section 3.2): dimensions that turn more than `beta_fast` times within the
    original context stay as they are, those that turn less than `beta_slow` times are divided by `factor`,
    and those between are blended on a straight line over the dimension's number."""

    def dimension_of(turns: float) -> float:
        return dimensions * math.log(original_context / (turns * 2 * math.pi)) / (2 * math.log(theta))

    first = max(math.floor(dimension_of(beta_fast)), 0)
    last = min(math.ceil(dimension_of(beta_slow)), dimensions - 1)
    span = max(last - first, 0.001)
    stretched = numpy.clip((numpy.arange(dimensions // 2) - first) / span, 0.0, 1.0)
    plain = default_table(theta, dimensions)
    return plain / factor * stretched + plain * (1.0 - stretched)


def yarn_attention_factor(factor: float) -> float:
    """What YaRN multiplies cosine and sine by."""
    return 0.1 * math.log(factor) + 1.0


def table_of(rope: dict, head_dimensions: int) -> tuple[numpy.ndarray, float]:
    """Table and attention factor that a set of rope parameters asks for."""
    dimensions = int(head_dimensions * rope.get("partial_rotary_factor", 1.0))
    kind = rope["rope_type"]
    if kind == "default":
        return default_table(rope["rope_theta"], dimensions), 1.0
    if kind == "yarn":
        table = yarn_table(
            rope["rope_theta"],
            dimensions,
            rope["factor"],
            rope["original_max_position_embeddings"],
            rope.get("beta_fast") or 32.0,
            rope.get("beta_slow") or 1.0,
        )
        return table, rope.get("attention_factor") or yarn_attention_factor(rope["factor"])
    raise NotImplementedError(f"no formula here for rope type {kind}; add one to checks/rotary.py")


def expected(model: nn.Module) -> dict[str, tuple[numpy.ndarray, float]]:
    """For each rotary buffer of the model: its table, and the attention factor beside it."""
    config = model.config
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    found: dict[str, tuple[numpy.ndarray, float]] = {}
    for name, _ in model.named_buffers():
        leaf = name.rsplit(".", 1)[-1]
        if not leaf.endswith("inv_freq"):
            continue
        rope = config.rope_parameters
        for kind in ("sliding_attention", "full_attention"):
            if leaf.startswith(kind):
                rope = rope[kind]
        found[name] = table_of(rope, head)
    return found


def _attention_factor(model: nn.Module, buffer: str) -> float:
    module_name, leaf = buffer.rsplit(".", 1)
    module = model.get_submodule(module_name)
    prefix = leaf.removesuffix("inv_freq").removesuffix("original_")
    return float(getattr(module, f"{prefix}attention_scaling"))


def check(model: nn.Module) -> Outcome:
    """Largest relative difference over all rotary buffers and attention factors."""
    buffers = dict(model.named_buffers())
    apart = []
    tables = expected(model)
    for name, (table, attention_factor) in tables.items():
        values = buffers[name].double().numpy()
        if values.shape != table.shape:
            return Outcome("rotary", False, "shape", BOUND, f"{name} is {values.shape}, not {table.shape}")
        apart.append((float(numpy.max(numpy.abs(values - table) / table)), name))
        apart.append((abs(_attention_factor(model, name) / attention_factor - 1.0), f"the factor of {name}"))
    figure, where = worst(apart)
    passed = bool(tables) and figure <= BOUND
    return Outcome("rotary", passed, reported(figure), BOUND, f"{len(tables)} tables, worst in {where}")
