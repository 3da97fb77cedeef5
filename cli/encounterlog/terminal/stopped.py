"""The error of a command that was stopped from outside."""


class Stopped(Exception):
    """A command was stopped from outside: by the keyboard, or because its output is no longer read."""

    def __init__(self, by: BaseException) -> None:
        self.by = by
        super().__init__()
