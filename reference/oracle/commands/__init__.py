"""One file a subcommand: `declare` adds its arguments, `run` does it and returns the exit code."""
