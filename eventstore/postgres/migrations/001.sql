-- Logs, their records and the keys of their appends. A record's line stands without its line feed:
-- psql -Atc "select convert_from(line, 'UTF8') from record where log = 1 order by seq" prints the file.
create table log (
    id bigint generated always as identity primary key,
    name text not null unique,
    seq bigint not null,
    hash text not null
) with (fillfactor = 50); -- its end changes with each append: room for that on the same page

create table record (
    log bigint not null,
    seq bigint not null,
    line bytea not null, -- jsonb would refuse \u0000 and put keys in another order
    primary key (log, seq)
);

create table key (
    log bigint not null,
    key bytea not null, -- text would refuse \u0000
    first bigint not null,
    last bigint not null,
    primary key (log, key)
);

-- What opens logs for those who use the service: never a token itself, only its digest.
create table token (
    number bigint generated always as identity primary key,
    id text not null unique,
    digest text not null unique,
    role text not null,
    value bytea not null,
    revoked text not null default '',
    only_one text unique -- the role of a token that was to be the first of its role, until it is revoked
);
