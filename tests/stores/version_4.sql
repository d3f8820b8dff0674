BEGIN TRANSACTION;
CREATE TABLE competitions (
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
CREATE TABLE entrants (
    id integer primary key,
    competition text not null references competitions (id),
    player integer not null references players (id),
    state text not null,
    reason text,
    entered_at text not null,
    unique (competition, player)
);
CREATE TABLE errors (
    id integer primary key,
    match text references matches (id),
    player integer not null references players (id),
    step integer,
    kind text not null,
    detail text not null,
    at text not null
);
CREATE TABLE events (
    match text not null references matches (id),
    number integer not null,
    line text not null,
    primary key (match, number)
) without rowid;
CREATE TABLE invitations (
    token_hash text primary key,
    competition text not null references competitions (id),
    note text not null,
    player integer references players (id),
    created_at text not null
) without rowid;
CREATE TABLE matches (
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
INSERT INTO "matches" VALUES('m1',NULL,NULL,NULL,'single','g','nim','{}','aborted','by hand',1,1,'2026-11-25T00:00:00.000+00:00','2026-11-25T00:01:00.000+00:00');
CREATE TABLE meetings (
    competition text not null references competitions (id),
    number integer not null,
    round integer not null,
    players text not null,
    kind text not null check (kind in ('play', 'bye')),
    stage text not null,
    slot integer not null,
    primary key (competition, number)
) without rowid;
CREATE TABLE players (
    id integer primary key,
    name text not null,
    token_hash text not null unique,
    created_at text not null
);
INSERT INTO "players" VALUES(1,'a','hash a','2026-11-25T00:00:00.000+00:00');
INSERT INTO "players" VALUES(2,'b','hash b','2026-11-25T00:00:00.000+00:00');
CREATE TABLE seats (
    match text not null references matches (id),
    seat integer not null,
    role text not null,
    player integer not null references players (id),
    utility real,
    forfeited integer not null default 0, decisions integer not null default 0, thought_ms integer not null default 0, longest_ms integer not null default 0, team integer not null default 0,
    primary key (match, seat)
) without rowid;
INSERT INTO "seats" VALUES('m1',0,'first',1,NULL,0,3,600,400,0);
INSERT INTO "seats" VALUES('m1',1,'second',2,NULL,0,0,0,0,1);
CREATE UNIQUE INDEX match_of_meeting on matches (competition, meeting, leg) where meeting is not null;
CREATE INDEX match_of_competition on matches (competition);
CREATE INDEX match_by_state on matches (state);
CREATE INDEX match_by_group on matches (chance_group);
CREATE INDEX seat_of_player on seats (player);
CREATE INDEX error_by_match on errors (match);
COMMIT;
PRAGMA user_version = 4;
PRAGMA application_id = 1734832177;
