"""The settings of a competition: games, format, clocks, and who may take part."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from ggp.competition.formats import Format, Ladder, RoundRobin, takes_latecomers
from ggp.errors import GgpError
from ggp.protocol.codec import not_of_type
from ggp.protocol.messages import MatchSettings
from server.matches.player_names import refusal

Entry = Literal["everybody", "approval", "allow_list", "invitation"]


class SettingsWrong(GgpError):
    """Settings of a competition that do not fit together."""


class GameChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """A game of a competition: of the library, or, with `rules`, of the host's own."""

    game: Annotated[str, Meta(min_length=1, max_length=128)]
    parameters: dict[str, str] = {}
    rules: str | None = None
    """The text of a rules file; the game then has the name `game`."""
    files: dict[str, str] = {}
    """Files that the rules read, by name."""


class CompetitionSettings(MatchSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a competition, and of all its matches. Times are not hidden by default if everybody may enter.

    Attributes:
        name: for people, and for players who enter by it.
        games: each meeting plays all of them, with each player in each role.
        format: determines who meets whom.
        entry: who takes part: all who connect (`everybody`), those whom the host approves, those on the allow-list, or
            those with an invitation.
        allowed: the allow-list: names of players.
        starts_at: when it begins, ISO 8601 with an offset; without it, the host starts it, or `min_players` do.
        ends_at: when a ladder begins no more matches, likewise; without it, the host finishes it.
        min_players: it begins when this many have entered; with `starts_at`, it does not begin with fewer.
        max_players: at most this many.
        latecomers: whether players may enter after it has begun, if the format allows; None: those of a ladder may.
        listed: whether lists show it, and its matches, to others than hosts; who has its number may look at it.
        qualifying: whether entrants first play a match against `random`, and are not ranked if they cannot.
        repeats: how often each game is played in each order of seats, in one meeting.
        common_chance: whether the matches of a meeting that differ only in the seats have the same seed. Luck evens
            out sooner, but a player that remembers the first match can predict the chance outcomes of the others.
        matches_at_once: how many matches a player plays at the same time.
        journals: who may read journals once the seed is published: everybody, everybody when the competition is over,
            or hosts.
        seed: reproducible chance instead of secret chance: anyone who knows it can predict all chance outcomes.
    """

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    games: Annotated[tuple[GameChoice, ...], Meta(min_length=1, max_length=64)]
    format: Format = RoundRobin()
    entry: Entry = "approval"
    allowed: tuple[str, ...] = ()
    starts_at: str | None = None
    ends_at: str | None = None
    min_players: Annotated[int, Meta(ge=1)] | None = None
    max_players: Annotated[int, Meta(ge=1)] | None = None
    latecomers: bool | None = None
    listed: bool = True
    qualifying: bool = False
    repeats: Annotated[int, Meta(ge=1, le=1000)] = 1
    common_chance: bool = False
    matches_at_once: Annotated[int, Meta(ge=1, le=1000)] = 1
    journals: Literal["public", "after", "hosts"] = "public"
    seed: str | None = None

    def admits_latecomers(self) -> bool:
        """Return whether players may enter after it has begun."""
        is_wanted = isinstance(self.format, Ladder) if self.latecomers is None else self.latecomers
        return is_wanted and takes_latecomers(self.format)

    def start_time(self) -> datetime.datetime | None:
        """Return when it begins.

        Raises:
            SettingsWrong: `starts_at` is not a time.
        """
        return _moment("starts_at", self.starts_at)

    def end_time(self) -> datetime.datetime | None:
        """Return when it ends.

        Raises:
            SettingsWrong: `ends_at` is not a time.
        """
        return _moment("ends_at", self.ends_at)

    def matches_of_meeting(self, seats: int) -> int:
        """Return how many matches are played in a meeting of `seats` players; a bye counts as many wins."""
        return len(self.games) * self.repeats * seats

    def check(self) -> None:
        """Check the conditions that the types cannot express.

        Raises:
            SettingsWrong: one is violated.
        """
        try:
            super().check()
        except ValueError as error:
            raise SettingsWrong(str(error)) from error
        begins, ends = self.start_time(), self.end_time()
        if ends is not None and not isinstance(self.format, Ladder):
            raise SettingsWrong("ends_at is for a ladder; other formats end by themselves")
        if begins is not None and ends is not None and ends <= begins:
            raise SettingsWrong(f"ends_at is `{self.ends_at}`, before starts_at, `{self.starts_at}`")
        if (wrong := refusal(self.name)) is not None:
            raise SettingsWrong(wrong)
        if "/" in self.name:
            raise SettingsWrong("the name has a `/`, which cannot be part of its address")
        if self.max_players is not None and self.min_players is not None and self.max_players < self.min_players:
            raise SettingsWrong(f"max_players is {self.max_players}, less than min_players, {self.min_players}")
        if self.entry == "everybody" and self.starts_at is None and self.min_players is None:
            raise SettingsWrong("if everybody may enter, give `min_players` or `starts_at`")


CHANGEABLE_IN_PLAY = frozenset(
    {*MatchSettings.__struct_fields__, "matches_at_once", "latecomers", "allowed", "max_players", "journals", "ends_at"}
)
"""Settings that may be changed after a competition has begun, for later matches."""
FIXED = frozenset({"games", "seed"})
"""Settings that cannot be changed: create another competition."""


def _moment(name: str, text: str | None) -> datetime.datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError as error:
        raise SettingsWrong(f"{name} is `{text}`, which is no time; write 2027-05-01T12:00:00+00:00") from error
    if moment.tzinfo is None:
        raise SettingsWrong(f"{name} is `{text}`, without an offset from UTC; write {text}+00:00, or your own offset")
    return moment


def changed(settings: CompetitionSettings, changes: dict[str, Any], *, in_play: bool) -> CompetitionSettings:
    """Return settings with some changes.

    Raises:
        SettingsWrong: a change is not possible, or no longer possible.
    """
    for name in changes:
        if name not in CompetitionSettings.__struct_fields__:
            raise SettingsWrong(f"a competition has no setting `{name}`")
        if name in FIXED or (in_play and name not in CHANGEABLE_IN_PLAY):
            raise SettingsWrong(f"`{name}` cannot be changed{' any more' if name not in FIXED else ''}")
    try:
        found = msgspec.convert({**msgspec.to_builtins(settings), **changes}, CompetitionSettings)
    except msgspec.ValidationError as error:
        raise SettingsWrong(not_of_type(error, CompetitionSettings)) from error
    found.check()
    return found
