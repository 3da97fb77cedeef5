"""The clock: the only place where the time is read."""

from datetime import UTC, datetime, timedelta


def now() -> str:
    """Return the time as a log has it: RFC 3339, UTC, microseconds."""
    return _written(datetime.now(UTC))


def days_ago(days: int) -> str:
    """Return the time so many days before now; as texts, such times compare as the moments do."""
    return _written(datetime.now(UTC) - timedelta(days=days))


def _written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
