"""Where things lie."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
GOLDENS = REPOSITORY / "experiments" / "goldens"
