"""The tables of version 2 of the store; see `schema`."""

from __future__ import annotations

PLAYERS = """
create table players (
    id integer primary key,
    name text not null,
    token_hash text not null unique,
    created_at text not null
);
"""

COMPETITIONS = """
create table competitions (
    id text primary key,
    name text not null,
    settings text not null,
    sources text,
    secret text not null,
    state text not null check (state in ('registering', 'running', 'paused', 'finished', 'cancelled')),
    reason text,
    created_at text not null,
    started_at text,
    ended_at text
);
create table entrants (
    id integer primary key,
    competition text not null references competitions (id),
    player integer not null references players (id),
    state text not null,
    reason text,
    entered_at text not null,
    unique (competition, player)
);
create table invitations (
    token_hash text primary key,
    competition text not null references competitions (id),
    note text not null,
    player integer references players (id),
    created_at text not null
) without rowid;
create table meetings (
    competition text not null references competitions (id),
    number integer not null,
    round integer not null,
    players text not null,
    kind text not null check (kind in ('play', 'bye')),
    stage text not null,
    slot integer not null,
    primary key (competition, number)
) without rowid;
"""

MATCHES = """
create table {matches} (
    id text primary key,
    competition text references competitions (id),
    meeting integer,
    leg integer,
    purpose text not null check (purpose in ('single', 'ranked', 'qualifying')),
    chance_group text not null,
    game text not null,
    parameters text not null,
    state text not null check (state in ('running', 'finished', 'aborted', 'forfeited')),
    reason text,
    released integer not null default 0,
    pruned integer not null default 0,
    created_at text not null,
    ended_at text
);
"""

MATCH_INDEXES = """
create unique index match_of_meeting on matches (competition, meeting, leg) where meeting is not null;
create index match_of_competition on matches (competition);
create index match_by_state on matches (state);
create index match_by_group on matches (chance_group);
"""

RECORDS = """
create table seats (
    match text not null references matches (id),
    seat integer not null,
    role text not null,
    player integer not null references players (id),
    utility real,
    forfeited integer not null default 0,
    primary key (match, seat)
) without rowid;
create index seat_of_player on seats (player);
create table events (
    match text not null references matches (id),
    number integer not null,
    line text not null,
    primary key (match, number)
) without rowid;
create table errors (
    id integer primary key,
    match text references matches (id),
    player integer not null references players (id),
    step integer,
    kind text not null,
    detail text not null,
    at text not null
);
create index error_by_match on errors (match);
"""

TABLES = PLAYERS + COMPETITIONS + MATCHES.format(matches="matches") + MATCH_INDEXES + RECORDS
