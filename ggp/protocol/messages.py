"""The messages between players and the game manager, as types; no sockets.

The types are the whole definition: codec, JSON Schema and the tables of `docs/protocol.md` are derived from them.
A message is one JSON object in one text frame; its field `type` names it. Times are whole milliseconds.
Messages cannot refer to themselves, so the garbage collector need not track them (`gc=False`): a manager keeps hundreds
of thousands, and visiting them would stop it for a tenth of a second.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, convert, to_builtins

PROTOCOL_VERSION = 1
"""Increased when clients of the version before can no longer play; see "Versions" in `docs/protocol.md`."""
OLDEST_VERSION = 1
"""The oldest version whose clients can play on this manager."""

MAX_CLIENT_FRAME_BYTES = 16 * 1024
"""Longest frame that the manager accepts from a player; a longer one closes the connection."""

MAX_SERVER_FRAME_BYTES = 8 * 1024 * 1024
"""Longest frame that the manager sends; rules with their files are the longest."""

MAX_END_ERRORS = 100
"""How many errors `end` lists; a long match of many late players has more than a frame can hold."""

MatchId: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=64, description="Which match the message is about; from `start`.")
]
Name: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=64, description="Printable, with no space at either end.")
]
CompetitionName: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=64, description="Which competition, by its number or name.")
]
PreparationNumber: TypeAlias = Annotated[
    int, Meta(ge=0, le=2**31 - 1, description="Counts the games that are prepared on this connection, from 0.")
]
MAX_CLOCK_MS = 7 * 24 * 3600 * 1000
"""A week: correspondence play fits, and no sum of times overflows anything."""
Clock: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_CLOCK_MS)]
MessageNumber: TypeAlias = Annotated[
    int, Meta(ge=0, description="Counts the messages of this match to this player, from 0.")
]
Step: TypeAlias = Annotated[
    int, Meta(ge=0, le=2**31 - 1, description="Counts this player's own decisions in this match, from 0.")
]

ErrorKind: TypeAlias = Literal["late", "illegal", "malformed", "not_ready", "unexpected"]
"""`late`: no move before the deadline; `illegal`: not one of the legal actions; `malformed`: a move of the wrong form;
`not_ready`: no `ready` within the start clock; `unexpected`: a message that was not asked for."""

ProblemCode: TypeAlias = Literal[
    "late", "illegal", "malformed", "not_ready", "unexpected",
    "unknown_match", "unknown_competition", "too_many_errors", "replaced", "server_stopping", "match_suspended",
]  # fmt: skip
"""What went wrong, in an `error` message. The first five are also recorded as errors of the player."""

EntryState: TypeAlias = Literal[
    "asking", "qualifying", "entered", "failed", "refused", "withdrawn", "kicked", "disqualified", "over",
]  # fmt: skip
"""`asking`: waits for the host's approval; `qualifying`: a match against `random` comes first; `entered`: it takes
part; `failed`: it did not qualify, and may enter again; `refused`: it may not take part; `withdrawn`: it left by
itself; `kicked`: the host removed it, its matches count; `disqualified`: its matches do not count; `over`: the
competition has ended."""

RefusalCode: TypeAlias = Literal["protocol", "hello", "token", "busy"]


def _word(words: Any, description: str) -> Meta:
    """Describe a text that is one of some words; a later manager may have more, which clients must survive."""
    return Meta(description=description, extra_json_schema={"examples": list(get_args(words))})


# --- of a match -------------------------------------------------------------------------------------------------------


class MatchSettings(Struct, frozen=True, kw_only=True):
    """How a match is played, whatever its game and its players.

    Competitions, requests for a match, journals and `start` derive from it, so that a setting is written once. Where
    journals of earlier versions lack a setting, `Created` and `Start` have its old value as their default.
    """

    start_clock_ms: Annotated[Clock, Meta(description="Time to study the rules, in milliseconds.")] = 10_000
    play_clock_ms: Annotated[Clock, Meta(description="Time for each decision, in milliseconds.")] = 5_000
    allowance_ms: Annotated[
        int,
        Meta(
            ge=0, le=MAX_CLOCK_MS, description="What the manager adds to each clock for the network, in milliseconds."
        ),
    ] = 250
    total_ms: Annotated[
        Clock | None,
        Meta(description="Time for all decisions of a player together; null: only the play clock limits them."),
    ] = None
    increment_ms: Annotated[
        int, Meta(ge=0, le=MAX_CLOCK_MS, description="Added to the rest of `total_ms` after each decision.")
    ] = 0
    strikes: Annotated[
        int, Meta(ge=0, le=1000, description="How many late moves in a row forfeit the match; 0: none do.")
    ] = 3
    grace_ms: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_CLOCK_MS,
            description="They forfeit it only this long after the first of them: a short failure of the network "
            "forfeits nothing. 0: no grace.",
        ),
    ] = 15_000
    hide_times: Annotated[
        bool | None,
        Meta(
            description="Whether requests wait until the play clock ends, so that their time reveals nothing; null: "
            "in games that hide something."
        ),
    ] = None

    def check(self) -> None:
        """Check that the settings are possible.

        Raises:
            ValueError: they are not.
        """
        convert(to_builtins(self), type(self))
        if self.increment_ms and self.total_ms is None:
            raise ValueError("increment_ms adds to total_ms, which is not given")


def match_settings(settings: MatchSettings) -> dict[str, Any]:
    """Return the fields of `MatchSettings` of anything that derives from it."""
    return {name: getattr(settings, name) for name in MatchSettings.__struct_fields__}


# --- from player to manager -------------------------------------------------------------------------------------------


class ClientStruct(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """Base of all messages from players: unknown fields are errors, so misspelt ones are noticed."""


class Hello(ClientStruct, frozen=True, tag="hello"):
    """The first message on every connection."""

    name: Annotated[Name, Meta(description="The requested name, printable, with no space at either end.")]
    protocol: Annotated[int, Meta(ge=1, description="The version of the protocol that the player speaks.")] = (
        PROTOCOL_VERSION
    )
    token: Annotated[
        Annotated[str, Meta(max_length=128)] | None,
        Meta(description="The token of an earlier `welcome`, to come back as the same player."),
    ] = None
    prepares: Annotated[
        bool, Meta(description="Whether the player wants time to prepare for each game: see `prepare`.")
    ] = False


class Prepared(ClientStruct, frozen=True, tag="prepared"):
    """The answer to `prepare`: the player can play this game."""

    number: PreparationNumber


class Ready(ClientStruct, frozen=True, tag="ready"):
    """The player has studied the rules; when all players are ready, the match begins without waiting for the clock."""

    match: MatchId


class Move(ClientStruct, frozen=True, tag="move"):
    """The answer to `act`."""

    match: MatchId
    step: Step
    action: Annotated[str, Meta(max_length=4096, description="One of the texts in `legal`, exactly.")]


class Resign(ClientStruct, frozen=True, tag="resign"):
    """The player resigns the match: it ends at once, and all others win against the player."""

    match: MatchId


class Enter(ClientStruct, frozen=True, tag="enter"):
    """The player asks to take part in a competition. The answer is `entry`."""

    competition: CompetitionName
    invitation: Annotated[
        Annotated[str, Meta(max_length=128)] | None, Meta(description="From the host, if one is needed.")
    ] = None


class Withdraw(ClientStruct, frozen=True, tag="withdraw"):
    """The player leaves a competition: it resigns its matches in play, and is not paired again.

    The answer is `entry`. Before the competition has begun, this declines it; the player may enter again.
    """

    competition: CompetitionName


MatchReply: TypeAlias = Ready | Move | Resign
"""A player's messages in a match."""

MemberMessage: TypeAlias = Prepared | Enter | Withdraw
"""A player's messages that are about no match."""

ClientMessage: TypeAlias = Hello | Prepared | MatchReply | Enter | Withdraw


# --- from manager to player -------------------------------------------------------------------------------------------


class ServerStruct(Struct, frozen=True, tag_field="type", gc=False):
    """Base of all messages from the manager: later versions may add fields, so clients ignore unknown ones."""


class Welcome(ServerStruct, frozen=True, tag="welcome"):
    """The answer to `hello`."""

    name: Annotated[Name, Meta(description="The name given: the requested one, with a number if it is taken already.")]
    token: Annotated[str, Meta(description="Secret. With it the player comes back after a broken connection.")]
    matches: Annotated[
        list[str], Meta(description="Matches in play, whose messages are repeated now; all others are over.")
    ] = []
    protocol: Annotated[int, Meta(description="The version of the protocol that the manager speaks.")] = (
        PROTOCOL_VERSION
    )
    server: Annotated[str, Meta(description="What the manager runs.")] = "ggp"


class Refused(ServerStruct, frozen=True, tag="refused"):
    """The connection is not accepted, and is closed after this message."""

    code: Annotated[str, _word(RefusalCode, "Why, for programs.")]
    message: Annotated[str, Meta(description="Why, for people.")]


class Prepare(ServerStruct, frozen=True, tag="prepare"):
    """A game that the player will probably play; only sent if its `hello` says `prepares`. The answer is `prepared`.

    Until then, for at most five minutes, no match of this game begins with the player. The number counts the games.
    """

    number: PreparationNumber
    game: Annotated[str, Meta(description="The name of the game.")]
    rules: Annotated[str, Meta(description="The text of the rules file.")]
    files: Annotated[dict[str, str], Meta(description="Files that the rules read, by name.")]
    parameters: Annotated[dict[str, str], Meta(description="Every parameter of the game and its value, as texts.")]


class Start(MatchSettings, frozen=True, kw_only=True, tag_field="type", tag="start", gc=False):
    """A match begins; the start clock runs. The answer is `ready`.

    A `start` for a match that the player already knows comes after a reconnection: all its messages are repeated.
    """

    match: MatchId
    number: MessageNumber
    game: Annotated[str, Meta(description="The name of the game.")]
    rules: Annotated[str, Meta(description="The text of the rules file.")]
    files: Annotated[dict[str, str], Meta(description="Files that the rules read, by name.")]
    parameters: Annotated[dict[str, str], Meta(description="Every parameter of the game and its value, as texts.")]
    roles: Annotated[list[str], Meta(description="All roles of the game, in the order of the rules.")]
    role: Annotated[str, Meta(description="The role that this player plays.")]
    remaining_ms: Annotated[int, Meta(ge=0, description="The time left on the start clock, without the allowance.")]
    seed_hash: Annotated[
        str, Meta(description="Hexadecimal SHA-256 of seed + ':' + nonce, which `reveal` publishes later.")
    ]
    strikes: Annotated[int, Meta(ge=0, description="How many late moves in a row forfeit the match; 0: none do.")] = 0
    grace_ms: Annotated[int, Meta(ge=0, description="They forfeit it only this long after the first of them.")] = 0


class Observed(Struct, frozen=True, gc=False):
    """One value that a player observes in a transition."""

    label: Annotated[str, Meta(description="What it is, as written after `sees` in the rules.")]
    value: Annotated[Any, Meta(description="Its value: any JSON; actions and names as texts.")]


class Observe(ServerStruct, frozen=True, tag="observe"):
    """The player's observation of a transition. Not sent if the player neither acted nor observed anything."""

    match: MatchId
    number: MessageNumber
    action: Annotated[str | None, Meta(description="The player's own action as it was taken; null if it had none.")]
    replaced: Annotated[
        str | None, _word(ErrorKind, "Why `action` is a random legal one and not the player's, if it is.")
    ]
    observation: Annotated[list[Observed], Meta(description="What the player observed; may be empty.")]


class Act(ServerStruct, frozen=True, tag="act"):
    """The player has to choose; the play clock runs. The answer is `move`."""

    match: MatchId
    number: MessageNumber
    step: Step
    legal: Annotated[list[str], Meta(min_length=1, description="The legal actions.")]
    remaining_ms: Annotated[int, Meta(ge=0, description="The time left on the play clock, without the allowance.")]


class PlayerError(Struct, frozen=True, gc=False):
    """A recorded error of a player in a match."""

    role: Annotated[str, Meta(description="Whose error it is.")]
    step: Annotated[int | None, Meta(description="The decision concerned, if there is one.")]
    kind: Annotated[str, _word(ErrorKind, "The kind of error.")]
    detail: Annotated[str, Meta(description="The same for people.")]


class End(ServerStruct, frozen=True, tag="end"):
    """The match is over."""

    match: MatchId
    number: MessageNumber
    result: Annotated[
        str,
        _word(
            Literal["finished", "aborted", "forfeited"],
            "Aborted matches do not count; in a forfeited one some roles have lost to all others.",
        ),
    ]
    reason: Annotated[str | None, Meta(description="Why the match was aborted or forfeited.")]
    utilities: Annotated[dict[str, float] | None, Meta(description="By role; null unless the match was finished.")]
    errors: Annotated[
        list[PlayerError],
        Meta(description=f"The first {MAX_END_ERRORS} recorded errors, of all players, in order."),
    ]
    errors_left_out: Annotated[int, Meta(ge=0, description="How many more are recorded.")] = 0
    forfeited: Annotated[list[str], Meta(description="The roles that forfeited the match.")] = []


class Reveal(ServerStruct, frozen=True, tag="reveal"):
    """The seed of all chance outcomes of a match, sent when all matches that share it are over."""

    match: MatchId
    number: MessageNumber
    seed: Annotated[str, Meta(description="Of all chance outcomes of the match.")]
    nonce: Annotated[str, Meta(description="Prevents guessing the seed from its hash.")]


class Problem(ServerStruct, frozen=True, tag="error"):
    """Something is wrong with a player's message or action. It needs no answer."""

    code: Annotated[str, _word(ProblemCode, "What is wrong, for programs.")]
    message: Annotated[str, Meta(description="What is wrong, for people.")]
    match: Annotated[str | None, Meta(description="The match concerned, if there is one.")] = None


class Entry(ServerStruct, frozen=True, tag="entry"):
    """The player's state in a competition; sent whenever it changes, and after every `welcome`."""

    competition: Annotated[str, Meta(description="The number of the competition, as shown on its pages.")]
    name: Annotated[str, Meta(description="The name of the competition.")]
    state: Annotated[str, _word(EntryState, "The player's state.")]
    message: Annotated[str | None, Meta(description="Why, for people; may be null.")] = None


MatchMessage: TypeAlias = Start | Observe | Act | End | Reveal
"""The numbered messages of one match."""

ServerMessage: TypeAlias = Welcome | Refused | Prepare | MatchMessage | Entry | Problem
