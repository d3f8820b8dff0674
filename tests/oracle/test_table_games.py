"""Love Letter, Stratego and Diplomacy against simulators written from the printed rules, on random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import product

import pytest

import ggp
from tests.support.native_side_by_side import SequentialModel, compare_native

RANKS = {
    "guard": 1, "priest": 2, "baron": 3, "handmaid": 4, "prince": 5, "king": 6, "countess": 7, "princess": 8,
}  # fmt: skip
PLAYERS = ("first", "second")


class LoveLetter(SequentialModel):
    """One round for two. The pile holds all cards not seen, the one set aside with them."""

    def __init__(self) -> None:
        self.pile = Counter({"guard": 5, "priest": 2, "baron": 2, "handmaid": 2, "prince": 2})
        self.pile.update({"king": 1, "countess": 1, "princess": 1})
        self.hands: list[list[str]] = [[], []]
        self.shown = 0
        self.protected = [False, False]
        self.discards = [0, 0]
        self.draws: int | None = None
        self.loser: int | None = None
        self.over = False

    def is_terminal(self) -> bool:
        return self.over

    def drawer(self) -> int | None:
        """Return who gets the next card: -1 is the table, None stands for nobody."""
        if self.shown < 3:
            return -1
        if self.draws is not None:
            return self.draws
        for player in (0, 1):
            if not self.hands[player]:
                return player
        return self.turn if len(self.hands[self.turn]) == 1 else None

    def outcomes(self) -> Mapping[str, float]:
        if self.over or self.drawer() is None:
            return {}
        return {card: number / self.pile.total() for card, number in self.pile.items() if number}

    def apply_outcome(self, outcome: str) -> None:
        self.pile[outcome] -= 1
        drawer = self.drawer()
        if drawer == -1:
            self.shown += 1
            return
        assert drawer is not None
        beginning = not self.hands[drawer] and self.draws is None
        self.hands[drawer].append(outcome)
        if self.draws is not None:
            self.draws = None
            self.end_turn()
        elif not beginning:
            self.protected[self.turn] = False

    def end_turn(self) -> None:
        self.over = self.loser is not None or self.pile.total() <= 1

    def legal(self, player: int) -> Collection[str]:
        cards = set(self.hands[player])
        if "countess" in cards and cards & {"king", "prince"}:
            return ["play countess"]
        shielded = self.protected[1 - player]
        found = []
        for card in cards:
            if card == "guard" and not shielded:
                found += [f"name {guess}" for guess in RANKS if guess != "guard"]
            elif card == "prince":
                found += [f"send {PLAYERS[who]}" for who in (0, 1) if who == player or not shielded]
            else:
                found.append(f"play {card}")
        return found

    def apply(self, joint: Mapping[int, str]) -> None:
        ((player, text),) = joint.items()
        kind, what = text.split()
        card = {"name": "guard", "send": "prince"}.get(kind, what)
        rival = 1 - player
        mine, theirs = self.hands[player], self.hands[rival]
        mine.remove(card)
        self.discards[player] += RANKS[card]
        self.turn = rival
        if kind == "send":
            who = PLAYERS.index(what)
            gone = self.hands[who].pop()
            self.discards[who] += RANKS[gone]
            if gone != "princess":
                self.draws = who
                return
            self.loser = who
        elif kind == "name" and theirs == [what]:
            self.loser = rival
        elif card == "princess":
            self.loser = player
        elif card == "handmaid":
            self.protected[player] = True
        elif card == "king" and not self.protected[rival]:
            self.hands[player], self.hands[rival] = theirs, mine
        elif card == "baron" and not self.protected[rival] and mine != theirs:
            self.loser = player if RANKS[mine[0]] < RANKS[theirs[0]] else rival
        self.end_turn()

    def returns(self) -> Sequence[float]:
        if self.loser is not None:
            return (-1, 1) if self.loser == 0 else (1, -1)
        worth = [(RANKS[self.hands[player][0]], self.discards[player]) for player in (0, 1)]
        return (0, 0) if worth[0] == worth[1] else (1, -1) if worth[0] > worth[1] else (-1, 1)


@pytest.mark.long
def test_love_letter() -> None:
    assert compare_native(ggp.load("love_letter"), LoveLetter, games=400, seed=16) > 4000


MEN = {"flag": 1, "spy": 1, "scout": 2, "miner": 2, "general": 1, "marshal": 1, "bomb": 2}
STRENGTH = {"spy": 1, "scout": 2, "miner": 3, "general": 9, "marshal": 10}


class Stratego(SequentialModel):
    """Men by squares, of (player, kind)."""

    def __init__(self) -> None:
        self.men: dict[str, tuple[int, str]] = {}
        self.squares = [f"{column}{row}" for row in range(1, 7) for column in "abcde"]
        self.quiet = 0
        self.drawn = False

    def is_terminal(self) -> bool:
        return self.winner is not None or self.drawn

    def home(self, player: int) -> list[str]:
        return self.squares[:10] if player == 0 else self.squares[:-11:-1]

    def ways(self, square: str) -> list[str]:
        """Return where the man on a square may go."""
        player, kind = self.men[square]
        found = []
        if kind in ("flag", "bomb"):
            return found
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            column, row = ord(square[0]), int(square[1])
            while True:
                column, row = column + dx, row + dy
                target = f"{chr(column)}{row}"
                if target not in self.squares or target in ("c3", "c4"):
                    break
                if target in self.men:
                    found += [target] if self.men[target][0] != player else []
                    break
                found.append(target)
                if kind != "scout":
                    break
        return found

    def moves(self, player: int) -> list[str]:
        return [f"{one} {two}" for one, (owner, _) in self.men.items() if owner == player for two in self.ways(one)]

    def legal(self, player: int) -> Collection[str]:
        placed = Counter(kind for owner, kind in self.men.values() if owner == player)
        if self.placing():
            return [kind for kind, number in MEN.items() if placed[kind] < number]
        return self.moves(player)

    def placing(self) -> bool:
        return any(square not in self.men for square in self.home(1)) and not self.started

    started = False

    def apply(self, joint: Mapping[int, str]) -> None:
        ((player, text),) = joint.items()
        self.turn = 1 - player
        if self.placing():
            square = next(square for square in self.home(player) if square not in self.men)
            self.men[square] = (player, text)
            self.started = len(self.men) == 20
            return
        one, two = text.split()
        kind = self.men.pop(one)[1]
        self.quiet += 1
        if two in self.men:
            self.quiet = 0
            other = self.men.pop(two)[1]
            if other == "flag":
                self.winner = player
            if other == "bomb":
                outcome = 1 if kind == "miner" else -1
            elif other == "flag" or (kind, other) == ("spy", "marshal"):
                outcome = 1
            else:
                outcome = STRENGTH[kind] - STRENGTH[other]
            if outcome != 0:
                self.men[two] = (player, kind) if outcome > 0 else (1 - player, other)
        else:
            self.men[two] = (player, kind)
        if self.winner is None and not self.moves(self.turn):
            self.winner = player
        self.drawn = self.winner is None and self.quiet == 40


def test_stratego() -> None:
    assert compare_native(ggp.load("stratego"), Stratego, games=60, seed=30) > 3000


POWERS = ("red", "green", "blue")
HOMES = [f"{power}_home" for power in POWERS]
MARCHES = ["red_green", "green_blue", "blue_red"]
RING = [land for pair in zip(HOMES, MARCHES, strict=True) for land in pair]
NEAR = {land: {RING[at - 1], RING[(at + 1) % 6], "heart"} for at, land in enumerate(RING)} | {"heart": set(RING)}


class Diplomacy(SequentialModel):
    """Orders are settled one after the other, as by hand: the outcome of a move asks for that of the move before it."""

    def __init__(self) -> None:
        self.armies: list[list[str | None]] = [[HOMES[power], MARCHES[power]] for power in range(3)]
        self.owner: dict[str, int] = {}
        self.year = 0

    def is_terminal(self) -> bool:
        return self.year == 8 or any(number >= 5 for number in Counter(self.owner.values()).values())

    def actors(self) -> Collection[int]:
        return range(3)

    def orders(self, power: int, army: int) -> list[tuple[str, str]]:
        at = self.armies[power][army]
        if at is None:
            return [(HOMES[power], HOMES[power])]
        own = [(at, to) for to in {at} | NEAR[at]]
        others = {land for armies in self.armies for land in armies if land is not None and land != at}
        return own + [(who, to) for who in others for to in NEAR[at] if to == who or to in NEAR[who]]

    def legal(self, player: int) -> Collection[str]:
        return {" ".join(one + two) for one, two in product(self.orders(player, 0), self.orders(player, 1))}

    def apply(self, joint: Mapping[int, str]) -> None:
        power_in = {land: power for power in range(3) for land in self.armies[power] if land is not None}
        moves, supports = {}, []
        for power, text in joint.items():
            words = text.split()
            for at, who, to in zip(self.armies[power], words[::2], words[1::2], strict=True):
                if at is not None and who == at and to != at:
                    moves[at] = to
                elif at is not None and who != at:
                    supports.append((power, at, who, to))
        valid = [
            (power, who, to)
            for power, at, who, to in supports
            if not any(moves[land] == at and land != to and power_in[land] != power for land in moves)
        ]

        def force(who: str, to: str, without: int | None = None) -> int:
            return 1 + sum(power != without and (who, to) == (helped, aim) for power, helped, aim in valid)

        settled: dict[str, bool] = {}
        asked: list[str] = []

        def succeeds(land: str) -> bool:
            """Whether the move of the army in a land succeeds; armies that wait for each other in a ring all go."""
            if land in settled:
                return settled[land]
            if land in asked:
                return True
            to = moves[land]
            if any(moves[rival] == to and force(rival, to) >= force(land, to) for rival in moves if rival != land):
                return settled.setdefault(land, False)
            if to not in power_in:
                return settled.setdefault(land, True)
            attack = force(land, to, without=power_in[to])
            foe = power_in[to] != power_in[land]
            if moves.get(to) == land:
                return settled.setdefault(land, foe and attack > force(to, land))
            if to not in moves:
                return settled.setdefault(land, foe and attack > force(to, to))
            if foe and attack > 1:
                return settled.setdefault(land, True)
            asked.append(land)
            leaves = succeeds(to)
            asked.pop()
            if not asked or not leaves:
                settled[land] = leaves
            return leaves

        done = {land: to for land, to in moves.items() if succeeds(land)}
        taken = set(done.values())
        self.armies = [
            [done.get(land, None if land in taken else land) if land is not None else None for land in armies]
            for armies in self.armies
        ]
        held = {land for armies in self.armies for land in armies if land is not None}
        for power, armies in enumerate(self.armies):
            home = HOMES[power]
            if None in armies and home not in held and self.owner.get(home, power) == power:
                armies[armies.index(None)] = home
        for power, armies in enumerate(self.armies):
            for land in armies:
                if land in held:
                    self.owner[land] = power
        self.year += 1

    def returns(self) -> Sequence[float]:
        counts = Counter(self.owner.values())
        return [3 * counts[power] - counts.total() for power in range(3)]


def contested(rng: random.Random, texts: list[str]) -> str:
    """Choose an action that sends many armies, and their supports, to the same land."""
    land = rng.choice(["heart", "heart", *RING])
    return max(
        rng.sample(texts, min(len(texts), rng.choice([1, 8, 40]))), key=lambda text: text.split()[1::2].count(land)
    )


@pytest.mark.long
def test_diplomacy() -> None:
    assert compare_native(ggp.load("diplomacy"), Diplomacy, games=120, seed=1901, choose=contested) > 1000
