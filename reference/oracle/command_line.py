"""The command line."""

import argparse
import sys

from oracle import determinism
from oracle.failure import Failure


def main(words: list[str] | None = None) -> int:
    """Parse, run, and turn a `Failure` into one line and exit code 1."""
    determinism.settle()
    from oracle.commands import checkpoint, dump, engine, goldens, regenerate

    parser = argparse.ArgumentParser(prog="oracle", description=__doc__)
    commands = parser.add_subparsers(required=True)
    for command in (goldens, regenerate, dump, checkpoint, engine):
        command.declare(commands)
    arguments = parser.parse_args(words)
    try:
        return arguments.run(arguments)
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
