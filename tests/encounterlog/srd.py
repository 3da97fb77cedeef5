"""What the tests of srd share with others."""

from tests.encounterlog.support import encounter as run


def encounter(*words: object) -> str:
    """Run a command that succeeds, and return what it prints."""
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def failing(*words: object) -> str:
    """Run a command that is refused, and return what it says."""
    done = run(*words)
    assert done.exit_code
    return done.stderr
