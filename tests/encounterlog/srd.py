"""What the tests of srd share with others."""

from tests.encounterlog.support import encounter as run


def encounter(*words: object) -> str:
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def failing(*words: object) -> str:
    done = run(*words)
    assert done.exit_code
    return done.stderr
