"""What goes wrong in a way that the user can mend."""


class Failure(Exception):
    """What is wrong, where, and what to do next: one sentence, no traceback."""
