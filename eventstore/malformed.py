"""The error of a malformed fact, and what all errors of the store have in common: a leaf that any module may import."""


class StoreError(Exception):
    """Any error of the store; `hint` says what to do about it, and is a note of the error, which tracebacks show."""

    hint: str = ""

    def __init__(self, says: str = "") -> None:
        super().__init__(says)
        if self.hint:
            self.add_note(f"hint: {self.hint}")


class Malformed(StoreError):
    """A malformed fact: the field, the reason, and a hint. Nothing was written."""

    def __init__(self, field: str, reason: str, hint: str = "") -> None:
        self.field, self.reason, self.hint = field, reason, hint
        super().__init__(f"{field}: {reason}" if field else reason)
