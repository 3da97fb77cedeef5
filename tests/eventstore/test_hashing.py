"""SHA-256: the same from Python's own function, for little, and from OpenSSL's, for much."""

import subprocess
import sys
from pathlib import Path

from eventstore.events import Noted
from tests.encounterlog.support import environment
from tests.eventstore.logs import OPENING, drafts, log_of, small_log

READ = """
import sys
from eventstore import hashing
from eventstore.jsonl import JsonlStore
print(JsonlStore(sys.argv[1]).head().hash, "_hashlib" in sys.modules)
"""


def read(log: Path, *, before: str = "") -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", before + READ, str(log)], capture_output=True, text=True, check=True, env=environment()
    )
    return done.stdout.split()


def test_a_short_log_is_verified_without_openssl_and_a_long_one_with_it(tmp_path: Path) -> None:
    short, long = tmp_path / "short.jsonl", tmp_path / "long.jsonl"
    short.write_bytes(small_log())
    long.write_bytes(log_of(drafts(OPENING), drafts(*[Noted(text="x" * 2000)] * 300)))
    assert read(short)[1] == "False"
    assert read(long)[1] == "True"


def test_the_head_of_a_log_is_the_same_where_python_lacks_the_function(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(small_log())
    without = "import sys; sys.modules['_sha256'] = sys.modules['_sha2'] = None\n"
    assert read(log, before=without) == [read(log)[0], "True"]
