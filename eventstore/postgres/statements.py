"""The SQL of the store. Tables are named without a schema: search_path decides where they are."""

from functools import cache

VERSION = 3
"""The number of the newest migration, which the database must have."""

BEGIN = "begin isolation level read committed"
"""The beginning of a transaction, whatever the server's default: under `serializable`, simultaneous appends would make each other fail."""

SETTLED = """
select set_config('default_transaction_isolation', 'read committed', false),
    set_config('lock_timeout', %(wait)s, false),
    set_config('idle_in_transaction_session_timeout', %(idle)s, false)
"""
"""For a session: the settings that BEGIN and PATIENCE give a transaction, for those of one statement as well."""

LISTENERS = 6647395
"""The class of the lock numbers, one a log: all who listen for notifications of a log hold its lock, shared."""

LISTENING = "select pg_advisory_lock_shared(%(listeners)s, (%(log)s::bigint %% 2147483648)::int)"
"""Mark a log as listened to, until the connection is closed."""

END = """
select log.id, log.seq, log.hash,
    (select coalesce(sum(octet_length(line) + 1), 0)::bigint from record where record.log = log.id and seq > %(seq)s),
    (select substring(line from octet_length(line) - 65 for 64) from record where record.log = log.id and seq = %(seq)s)
from log where name = %(name)s
"""
"""The end of a log, the number of bytes after a seq, and the hash of that seq's record."""

ROWS = "select seq, line from record where log = %(log)s and seq > %(seq)s order by seq limit %(count)s"
"""The rows after a seq."""

PATIENCE = """
select set_config('lock_timeout', %(wait)s, true), set_config('idle_in_transaction_session_timeout', %(idle)s, true)
"""
"""For this transaction: the longest wait for a lock, and the longest time that an idle client may hold one, in milliseconds."""

LOCKED = "select id from log where name = %(name)s for update"
"""The log, locked until the transaction ends."""

KEYS = "select key, first from key where log = (select id from log where name = %(name)s) and key = any(%(keys)s)"
"""The first record of each batch that has one of some keys."""

SETTINGS = "select current_setting('fsync'), current_setting('synchronous_commit')"
"""Whether the server may lose confirmed appends."""

LOCKED_WITH_SETTINGS = f"{SETTINGS} from log where name = %(name)s for update"
"""The same settings, with the log locked."""

FIRST_ROWS = ROWS.replace("%(log)s", "(select id from log where name = %(name)s)")
"""The rows after a seq of the log of a name."""

_PATIENT = """
with patience as materialized (select set_config('lock_timeout', %(wait)s, true)),
head as (
    update log set seq = %(last)s, hash = %(hash)s from patience"""

_SETTLED = """
with head as (
    update log set seq = %(last)s, hash = %(hash)s"""

_WHERE = """
    where log.id = %(log)s and log.seq = %(after)s and log.hash = %(previous)s"""

_SAFE = """
    and current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off'"""

_HEARD = f"""
    returning log.id, not pg_try_advisory_xact_lock({LISTENERS}, (log.id % 2147483648)::int) as heard
)"""

_UNHEARD = """
    returning log.id, true as heard
)"""

_WITH_KEYS = """,
kept as (
    insert into key (log, key, first, last)
    select head.id, batch.* from head, unnest(%(keys)s::bytea[], %(firsts)s::bigint[], %(lasts)s::bigint[]) as batch
)"""

_LINES = """,
added as (
    insert into record (log, seq, line)
    select head.id, %(after)s + line.place, line.line
    from head, unnest(%(lines)s::bytea[]) with ordinality as line(line, place)
    returning seq
)
select heard, 1 / ((select count(*) from added) = cardinality(%(lines)s::bytea[]))::int from head
"""
"""The division fails, and with it the append, where the server drops a line."""


def timeout_settings(wait: float) -> dict[str, str]:
    """Return the times of PATIENCE: a client that has stopped loses its lock before the waiting ones give up."""
    return {"wait": f"{max(1, int(wait * 1000))}", "idle": f"{max(1000, int(wait * 500))}"}


@cache
def append_statement(*, keys: bool, safe: bool, settled: bool, heard: bool) -> str:
    """Return the statement that moves a log's end from its expected place and adds lines.

    It does all or nothing, in one round trip, and says whether anybody may listen for a notification; it
    knows that only with `heard`. A key that exists already makes it fail. With `safe` it does nothing on a server that
    may lose confirmed appends. In a session that is not `settled` it sets the wait for a lock itself.
    """
    asks = (_SETTLED if settled else _PATIENT) + _WHERE + (_SAFE if safe else "") + (_HEARD if heard else _UNHEARD)
    return asks + (_WITH_KEYS if keys else "") + _LINES
