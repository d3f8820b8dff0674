"""The messages between players and the game manager, as types; no sockets.

The types are the whole definition: the codec, the JSON Schema and the tables of `docs/protocol.md` come from them.
A message is one JSON object in one text frame; its field `type` names it. Times are whole milliseconds.
Messages cannot refer to themselves, so the garbage collector leaves them alone (`gc=False`): a manager keeps hundreds
of thousands, and going through them would stop it for a tenth of a second.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

PROTOCOL_VERSION = 1
"""Goes up when a client written for the version before could no longer play."""

MAX_CLIENT_FRAME_BYTES = 16 * 1024
"""Longest frame that the manager takes from a player; a longer one closes the connection."""

MAX_SERVER_FRAME_BYTES = 8 * 1024 * 1024
"""Longest frame that the manager sends; rules with their files are the longest."""

MAX_END_ERRORS = 100
"""How many errors `end` lists; a long match of many players that are all late has more than a frame can hold."""

MatchId: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=64, description="Which match the message is about; from `start`.")
]
Name: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$(?!\n)",
        description="Printable, with no blank at either end.",
    ),
]
CompetitionName: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=64, description="Which competition, by its number or name.")
]
Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, description="Milliseconds.")]
MessageNumber: TypeAlias = Annotated[
    int, Meta(ge=0, description="Counts the messages of this match to this player, from 0.")
]
Step: TypeAlias = Annotated[
    int, Meta(ge=0, le=2**31 - 1, description="Counts this player's own decisions in this match, from 0.")
]

ErrorKind: TypeAlias = Literal["late", "illegal", "malformed", "not_ready", "unexpected"]
"""`late`: no move before the deadline; `illegal`: not one of the legal actions; `malformed`: a move of the wrong form;
`not_ready`: no `ready` within the start clock; `unexpected`: a message that nothing called for."""

ProblemCode: TypeAlias = Literal[
    "late", "illegal", "malformed", "not_ready", "unexpected",
    "unknown_match", "unknown_competition", "too_many_errors", "replaced", "server_stopping", "match_suspended",
]  # fmt: skip
"""What an `error` message says went wrong. The first five are on record against the player."""

EntryState: TypeAlias = Literal[
    "asking", "qualifying", "entered", "failed", "refused", "withdrawn", "kicked", "disqualified", "over",
]  # fmt: skip
"""`asking`: the host has still to approve; `qualifying`: a match against `random` comes first; `entered`: it takes
part; `failed`: it did not qualify, and may enter again; `refused`: it may not take part; `withdrawn`: it left by
itself; `kicked`: the host sent it away, its matches stay; `disqualified`: its matches count for nobody; `over`: the
competition has ended."""

RefusalCode: TypeAlias = Literal["protocol", "hello", "token", "busy"]


# --- from player to manager -------------------------------------------------------------------------------------------


class ClientStruct(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """What all messages from players share: an unknown field is an error, so a misspelt one is told at once."""


class Hello(ClientStruct, frozen=True, tag="hello"):
    """The first message on every connection."""

    name: Annotated[Name, Meta(description="The name wished for, printable, with no blank at either end.")]
    protocol: Annotated[int, Meta(ge=1, description="The version of the protocol that the player speaks.")] = (
        PROTOCOL_VERSION
    )
    token: Annotated[
        Annotated[str, Meta(max_length=128)] | None,
        Meta(description="The token of an earlier `welcome`, to come back as the same player and go on."),
    ] = None


class Ready(ClientStruct, frozen=True, tag="ready"):
    """The player has studied the rules; once all players are ready the match begins before the start clock ends."""

    match: MatchId


class Move(ClientStruct, frozen=True, tag="move"):
    """The answer to `act`."""

    match: MatchId
    step: Step
    action: Annotated[str, Meta(max_length=4096, description="One of the texts in `legal`, exactly.")]


class Resign(ClientStruct, frozen=True, tag="resign"):
    """The player gives the match up: it ends at once, and everybody else wins against the player."""

    match: MatchId


class Enter(ClientStruct, frozen=True, tag="enter"):
    """The player wishes to take part in a competition. The answer is `entry`."""

    competition: CompetitionName
    invitation: Annotated[
        Annotated[str, Meta(max_length=128)] | None, Meta(description="From the host, where one is needed.")
    ] = None


class Withdraw(ClientStruct, frozen=True, tag="withdraw"):
    """The player takes part no more: it resigns what it plays of the competition, and is not paired again.

    The answer is `entry`. Before the competition has begun it declines, and may enter again.
    """

    competition: CompetitionName


MatchReply: TypeAlias = Ready | Move | Resign
"""What a player says in a match."""

ClientMessage: TypeAlias = Hello | MatchReply | Enter | Withdraw


# --- from manager to player -------------------------------------------------------------------------------------------


class ServerStruct(Struct, frozen=True, tag_field="type", gc=False):
    """What all messages from the manager share: later versions may add fields, so clients skip what they don't know."""


class Welcome(ServerStruct, frozen=True, tag="welcome"):
    """The answer to `hello`."""

    name: Annotated[
        Name, Meta(description="The name given: with a number behind it if somebody has, or had, it already.")
    ]
    token: Annotated[str, Meta(description="Secret. With it the player comes back after a broken connection.")]
    matches: Annotated[
        list[str], Meta(description="The matches that it will now be told of again; any other it remembers is over.")
    ] = []
    protocol: Annotated[int, Meta(description="The version of the protocol that the manager speaks.")] = (
        PROTOCOL_VERSION
    )
    server: Annotated[str, Meta(description="What the manager runs.")] = "ggp"


class Refused(ServerStruct, frozen=True, tag="refused"):
    """The connection is not accepted, and is closed after this message."""

    code: Annotated[RefusalCode, Meta(description="Why, for programs.")]
    message: Annotated[str, Meta(description="Why, for people.")]


class Start(ServerStruct, frozen=True, tag="start"):
    """A match begins; the start clock runs. The answer is `ready`.

    A `start` for a match that the player knows already comes after a reconnection: all that it was told follows again.
    """

    match: MatchId
    number: MessageNumber
    game: Annotated[str, Meta(description="The name of the game.")]
    rules: Annotated[str, Meta(description="The text of the rules file.")]
    files: Annotated[dict[str, str], Meta(description="Files that the rules read, by name.")]
    parameters: Annotated[dict[str, str], Meta(description="Every parameter of the game and its value, as texts.")]
    roles: Annotated[list[str], Meta(description="All roles of the game, in the order of the rules.")]
    role: Annotated[str, Meta(description="The role that this player plays.")]
    start_clock_ms: Annotated[Milliseconds, Meta(description="Time to study the rules, in milliseconds.")]
    play_clock_ms: Annotated[Milliseconds, Meta(description="Time for each decision, in milliseconds.")]
    allowance_ms: Annotated[
        int, Meta(ge=0, description="What the manager adds to each clock for the network, in milliseconds.")
    ]
    remaining_ms: Annotated[int, Meta(ge=0, description="What is left of the start clock, without the allowance.")]
    seed_hash: Annotated[
        str, Meta(description="Hexadecimal SHA-256 of seed + ':' + nonce, which `reveal` publishes later.")
    ]
    total_ms: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="Time for all decisions of a player together; null: only the play clock limits them."),
    ] = None
    increment_ms: Annotated[int, Meta(ge=0, description="What each decision adds to what is left of `total_ms`.")] = 0
    strikes: Annotated[int, Meta(ge=0, description="So many late moves in a row forfeit the match; 0: none do.")] = 0
    hide_times: Annotated[
        bool, Meta(description="Whether requests wait until the play clock ends, so that their time tells nothing.")
    ] = False


class Observed(Struct, frozen=True, gc=False):
    """One thing that a player is told about a transition."""

    label: Annotated[str, Meta(description="What it is, as the rules file has it after `sees`.")]
    value: Annotated[Any, Meta(description="Its value: any JSON; actions and values as texts.")]


class Observe(ServerStruct, frozen=True, tag="observe"):
    """What one transition told this player. A transition that it had no part in and saw nothing of is not told."""

    match: MatchId
    number: MessageNumber
    action: Annotated[str | None, Meta(description="The player's own action as it was taken; null if it had none.")]
    replaced: Annotated[
        ErrorKind | None, Meta(description="Why `action` is a random legal one and not what the player sent, if so.")
    ]
    observation: Annotated[list[Observed], Meta(description="What the player saw; empty: nothing.")]


class Act(ServerStruct, frozen=True, tag="act"):
    """The player has to choose; the play clock runs. The answer is `move`."""

    match: MatchId
    number: MessageNumber
    step: Step
    legal: Annotated[list[str], Meta(min_length=1, description="The legal actions.")]
    remaining_ms: Annotated[int, Meta(ge=0, description="What is left of the play clock, without the allowance.")]


class PlayerError(Struct, frozen=True, gc=False):
    """An error on record against a player of a match."""

    role: Annotated[str, Meta(description="Whose error it is.")]
    step: Annotated[int | None, Meta(description="The decision that it is about, if it is about one.")]
    kind: Annotated[ErrorKind, Meta(description="What it is.")]
    detail: Annotated[str, Meta(description="The same for people.")]


class End(ServerStruct, frozen=True, tag="end"):
    """The match is over."""

    match: MatchId
    number: MessageNumber
    result: Annotated[
        Literal["finished", "aborted", "forfeited"],
        Meta(description="Aborted matches count for nobody; in a forfeited one some roles have lost to all others."),
    ]
    reason: Annotated[str | None, Meta(description="Why the match was aborted or forfeited.")]
    utilities: Annotated[dict[str, float] | None, Meta(description="By role; null unless the match was finished.")]
    errors: Annotated[
        list[PlayerError],
        Meta(description=f"The first {MAX_END_ERRORS} errors on record, of all players, in order."),
    ]
    errors_left_out: Annotated[int, Meta(ge=0, description="How many more are on record.")] = 0
    forfeited: Annotated[list[str], Meta(description="The roles that forfeited the match.")] = []


class Reveal(ServerStruct, frozen=True, tag="reveal"):
    """The seed that all chance of a match came from, once no match that shares it is still played."""

    match: MatchId
    number: MessageNumber
    seed: Annotated[str, Meta(description="Of all chance of the match.")]
    nonce: Annotated[str, Meta(description="Keeps the seed from being guessed from its hash.")]


class Problem(ServerStruct, frozen=True, tag="error"):
    """Something is wrong with what the player sent or did. It needs no answer."""

    code: Annotated[ProblemCode, Meta(description="What is wrong, for programs.")]
    message: Annotated[str, Meta(description="What is wrong, for people.")]
    match: Annotated[str | None, Meta(description="The match that it is about, if one.")] = None


class Entry(ServerStruct, frozen=True, tag="entry"):
    """Where the player stands in a competition; told whenever that changes, and after every `welcome`."""

    competition: Annotated[str, Meta(description="The number of the competition, as its pages have it.")]
    name: Annotated[str, Meta(description="The name of the competition.")]
    state: Annotated[EntryState, Meta(description="What the player is in it.")]
    message: Annotated[str | None, Meta(description="Why, for people; null where there is nothing to say.")] = None


MatchMessage: TypeAlias = Start | Observe | Act | End | Reveal
"""The numbered messages of one match."""

ServerMessage: TypeAlias = Welcome | Refused | MatchMessage | Entry | Problem
