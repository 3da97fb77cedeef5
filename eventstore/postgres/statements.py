"""The SQL of the store. Tables are named without a schema: search_path decides where they are."""

VERSION = 3
"""The number of the newest migration, which the database must have."""

BEGIN = "begin isolation level read committed"
"""The beginning of a transaction, whatever the server's default: under `serializable`, simultaneous appends would make each other fail."""

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

LOCKED = "select id from log where name = %(name)s for update"
"""The log, locked until the transaction ends."""

KEYS = "select key, first from key where log = (select id from log where name = %(name)s) and key = any(%(keys)s)"
"""The first record of each batch that has one of some keys."""

SETTINGS = "select current_setting('fsync'), current_setting('synchronous_commit')"
"""Whether the server may lose confirmed appends."""

_HEAD = """
with head as (
    update log set seq = %(last)s, hash = %(hash)s
    where log.id = %(log)s and log.seq = %(after)s and log.hash = %(previous)s"""

_SAFE = """
    and current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off'"""

_HEARD = f"""
    returning log.id, not pg_try_advisory_xact_lock({LISTENERS}, (log.id %% 2147483648)::int) as heard
)"""

_UNHEARD = """
    returning log.id, true as heard
)"""

_KEYS_AND_LINES = """,
kept as (
    insert into key (log, key, first, last)
    select head.id, batch.* from head, unnest(%(keys)b::bytea[], %(firsts)b::bigint[], %(lasts)b::bigint[]) as batch
), added as (
    insert into record (log, seq, line)
    select head.id, %(after)s + line.place, line.line
    from head, unnest(%(lines)b::bytea[]) with ordinality as line(line, place)
    returning seq
)
select heard, 1 / ((select count(*) from added) = cardinality(%(lines)b::bytea[]))::int from head
"""
"""The division fails, and with it the append, where the server drops a line."""


def session_settings(wait: float) -> str:
    """Return the settings of a session, so that one statement is such a transaction by itself."""
    return f"set default_transaction_isolation = 'read committed'; {timeout_settings('session', wait)}"


def begin_transaction(wait: float) -> str:
    """Return the beginning of a transaction."""
    return f"{BEGIN}; {timeout_settings('local', wait)}"


def timeout_settings(scope: str, wait: float) -> str:
    """Return the longest wait for a lock, and how long an idle client may hold one: who has stopped loses it before those who wait give up."""
    times = {
        "lock_timeout": max(1, int(wait * 1000)),
        "idle_in_transaction_session_timeout": max(1000, int(wait * 500)),
    }
    return "; ".join(f"set {scope} {name} = {milliseconds}" for name, milliseconds in times.items())


def append_statement(*, safe: bool, heard: bool) -> str:
    """Return the statement that moves a log's end from its expected place and adds lines.

    It does all or nothing, in one round trip, and says whether anybody may listen for a notification; it
    knows that only with `heard`. A key that exists already makes it fail. With `safe` it does nothing on a server that
    may lose confirmed appends.
    """
    return _HEAD + (_SAFE if safe else "") + (_HEARD if heard else _UNHEARD) + _KEYS_AND_LINES
