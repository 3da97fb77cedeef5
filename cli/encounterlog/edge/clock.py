"""The clock: the only place where the time is read."""

from datetime import UTC, datetime


def now() -> str:
    """Return the time as a log has it: RFC 3339, UTC, microseconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
