"""The SQL of the store. Tables are named without a schema: search_path decides where they are."""

from functools import cache
from typing import LiteralString

VERSION = 3
"""The number of the newest migration, which has to be in the database."""

BEGIN = "begin isolation level read committed"
"""The beginning of a transaction, whatever the server's default: under `serializable`, appends at once would fail each other."""

SETTLED = """
select set_config('default_transaction_isolation', 'read committed', false),
    set_config('idle_in_transaction_session_timeout', %(idle)s, false)
"""
"""For a session: what BEGIN and PATIENCE say of a transaction holds for those of one statement as well."""

END = """
select log.id, log.seq, log.hash,
    (select coalesce(sum(octet_length(line) + 1), 0)::bigint from record where record.log = log.id and seq > %(seq)s),
    (select substring(line from octet_length(line) - 65 for 64) from record where record.log = log.id and seq = %(seq)s)
from log where name = %(name)s
"""
"""The end of a log; after a seq, how many bytes come; and the hash of the record of that seq."""

ROWS = "select seq, line from record where log = %(log)s and seq > %(seq)s order by seq limit %(count)s"
"""The rows after a seq."""

PATIENCE = """
select set_config('lock_timeout', %(wait)s, true), set_config('idle_in_transaction_session_timeout', %(idle)s, true)
"""
"""For this transaction, how many milliseconds a lock is waited for, and may be held by a client that asks nothing."""

LOCKED = "select id from log where name = %(name)s for update"
"""The log, locked until the transaction ends."""

KEYS = "select key, first from key where log = %(log)s and key = any(%(keys)s)"
"""The first records of the batches of some keys."""

SETTINGS = "select current_setting('fsync'), current_setting('synchronous_commit')"
"""Whether the server may lose what it confirmed."""

_APPEND: LiteralString = """
with patience as materialized (select set_config('lock_timeout', %(wait)s, true)),
head as (
    update log set seq = %(last)s, hash = %(hash)s from patience
    where log.id = %(log)s and log.seq = %(after)s and log.hash = %(previous)s"""

_SAFE: LiteralString = """
    and current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off'"""

_RETURNING: LiteralString = """
    returning log.id
)"""

_WITH_KEYS: LiteralString = """,
kept as (
    insert into key (log, key, first, last)
    select head.id, batch.* from head, unnest(%(keys)b::bytea[], %(firsts)s::bigint[], %(lasts)s::bigint[]) as batch
)"""

_LINES: LiteralString = """
insert into record (log, seq, line)
select head.id, %(after)s + line.place, line.line
from head, unnest(%(lines)b::bytea[]) with ordinality as line(line, place)
"""


def patience(wait: float) -> dict[str, str]:
    """Return the times of PATIENCE: a client that has stopped loses its lock before those who wait for it give up."""
    return {"wait": f"{max(1, int(wait * 1000))}", "idle": f"{max(1000, int(wait * 500))}"}


@cache
def append(*, keys: bool, safe: bool) -> LiteralString:
    """Return the statement that moves the end of a log on, if it still is where it was, and adds lines.

    It does all or nothing, in one round trip. A key that is there already fails it. With `safe` it does nothing on a server that may
    lose what it confirmed.
    """
    return _APPEND + (_SAFE if safe else "") + _RETURNING + (_WITH_KEYS if keys else "") + _LINES
