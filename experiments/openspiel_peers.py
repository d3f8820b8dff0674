"""Games that OpenSpiel has too: its states follow ours, and its MCTS bot chooses in them.

A peer translates: the text of each of OpenSpiel's legal actions in ours, and the outcomes of chance the other way. The
tests hold these translations against both programs' legal actions.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence

from benchmarks.openspiel import pyspiel
from experiments import openspiel_texts as texts
from experiments.duels import CHANCE, Side
from experiments.openspiel_texts import TextOf, cell_text
from ggp.arithmetic.rng import seed_word
from ggp.game.state import State

EXPLORATION = 2.0
"""UCT's constant for utilities in [-1, 1], as in OpenSpiel's `mcts_example`; scaled to the utilities of the game."""
MAX_MEMORY_MB = 500
FIRST_SIMULATIONS = 20
"""Before it is known how long they take."""

OutcomesOf = Callable[[pyspiel.State, str], Sequence[int]]


class Peer(Side):
    """A play of OpenSpiel's that follows one of ours, and in which its bot is a side.

    Args:
        theirs: OpenSpiel's game.
        text_of: returns our text of one of its actions.
        outcomes_of: returns its outcomes that make up one of ours; none where it has no such chance node.
        parameters: that make our game the same.

    Attributes:
        state: OpenSpiel's.
    """

    def __init__(
        self,
        theirs: str,
        text_of: TextOf,
        outcomes_of: OutcomesOf = lambda state, text: (),  # noqa: ARG005
        parameters: Mapping[str, str] | None = None,
    ) -> None:
        self._game = pyspiel.load_game(theirs)
        self.simultaneous = self._game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        if self.simultaneous:
            self._game = pyspiel.convert_to_turn_based(self._game)
        self._text_of, self._outcomes_of = text_of, outcomes_of
        self.parameters = dict(parameters or {})
        self._rate = 0.0
        self._rates: dict[int, float] = {}
        self.begin(0, 0)

    def begin(self, role: int, seed: int) -> None:  # noqa: ARG002 - theirs is the same for both
        """Begin a game anew."""
        self.state = self._game.new_initial_state()
        self._seed, self._thoughts = seed, 0

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:  # noqa: ARG002
        """Make the same transition."""
        for role in sorted(taken):
            if self.state.is_terminal():  # theirs plays the last round of goofspiel by itself
                continue
            if role == CHANCE:
                for number in self._outcomes_of(self.state, taken[CHANCE]):
                    self.state.apply_action(number)
                continue
            self._pass_where_nothing_else_is_legal(taken[role])
            self.state.apply_action(self._numbers()[taken[role]])

    def _numbers(self) -> dict[str, int]:
        return {self._text_of(self.state, number): number for number in self.state.legal_actions()}

    def _pass_where_nothing_else_is_legal(self, text: str) -> None:
        """Make theirs pass where ours lets the other one go on. Where both choose at once, nobody passes."""
        if not self.simultaneous and len(self.state.legal_actions()) == 1 and text not in self._numbers():
            self.state.apply_action(self.state.legal_actions()[0])

    def choose(self, state: State, role: int, seconds: float) -> str:
        """Return the bot's action, after about so many seconds of processor time.

        Its own clock is the wall's, so it is given a number of simulations: as many as fitted into that time at the
        same decision of earlier games. Near the end of a game simulations are ten times as fast as at its beginning.
        """
        legal = [str(action) for action in state.legal(role)]
        if self.state.is_terminal() or len(legal) == 1:
            return legal[0]
        self._pass_where_nothing_else_is_legal(legal[0])
        return self._think(state, role, seconds)

    def _think(self, ours: State, role: int, seconds: float) -> str:
        """Return what the bot finds; any legal action where it has no time."""
        seed = seed_word(self._seed, self._thoughts)
        rate = self._rates.get(self._thoughts, self._rate)
        simulations = max(2, int(rate * seconds)) if rate else FIRST_SIMULATIONS
        began = time.process_time()
        decision = self._bot(simulations, seed).mcts_search(self.state)
        if decision is not None and decision.explore_count >= simulations:  # fewer where everything is proven
            self._rate = simulations / max(time.process_time() - began, 1e-6)
            self._rates[self._thoughts] = (self._rates.get(self._thoughts, self._rate) + self._rate) / 2
        self._thoughts += 1
        if self.simultaneous and role == 1:
            # it answers what it expects the first role to do; it cannot know
            decision = decision.best_child()
        if decision is None or not decision.children:
            legal = [str(action) for action in ours.legal(role)]
            return legal[random.Random(seed).randrange(len(legal))]
        return self.action_text(ours, role, decision.best_child().action)

    def action_text(self, ours: State, role: int, number: int) -> str:  # noqa: ARG002
        """Return our text of an action of theirs that a role chooses now."""
        state = self.state
        if self.simultaneous and role == 1:
            state = state.child(state.legal_actions()[0])
        return self._text_of(state, number)

    def _bot(self, simulations: int, seed: int) -> pyspiel.MCTSBot:
        half_range = (self._game.max_utility() - self._game.min_utility()) / 2
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed % 2**31)
        proves = self._game.get_type().chance_mode != pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        return pyspiel.MCTSBot(
            self._game, evaluator, EXPLORATION * half_range, simulations, MAX_MEMORY_MB, proves, seed % 2**31, False
        )


class EinsteinPeer(Peer):
    """Theirs places all pieces at once, and lets white begin, as player 1, in the south-east corner."""

    def begin(self, role: int, seed: int) -> None:
        """Begin a game anew."""
        super().begin(role, seed)
        self._placed: dict[str, str] = {}

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:
        """Make the same transition; theirs places the pieces once ours has placed the last."""
        if before.phase != "arrange":
            super().follow(before, taken, after)
            return
        white, black = taken[CHANCE].split()
        number = len(self._placed) // 2 + 1
        self._placed |= {white: f"w{number}", black: f"b{number}"}
        while after.phase != "arrange" and self.state.is_chance_node() and len(self.state.legal_actions()) > 6:
            self.state.apply_action(next(one for one in self.state.legal_actions() if self._fits(one)))

    def _fits(self, arrangement: int) -> bool:
        squares = re.findall(r"\|(.\w)\|", str(self.state.child(arrangement)))
        cells = {cell_text(4 - place % 5, 4 - place // 5): text for place, text in enumerate(squares) if text[1] != "_"}
        return all(self._placed.get(cell) == text for cell, text in cells.items())


class BackgammonPeer(Peer):
    """An action of theirs uses two dice, one of ours one: theirs follows when a turn is over, or two dice are used."""

    def begin(self, role: int, seed: int) -> None:
        """Begin a game anew."""
        super().begin(role, seed)
        self._at: State | None = None
        self._waiting: list[str] = []

    def _roll(self, wanted: str) -> int:
        for number in self.state.legal_actions():
            text = self.state.action_to_string(number)
            dice = text.rstrip(")")[-2:]
            if "starts" in text:  # theirs says who begins, ours by the order of the dice
                dice = "".join(sorted(dice, reverse="X" in text))
            if " ".join(dice) == wanted:
                return int(number)
        raise AssertionError(f"OpenSpiel has no roll {wanted}")

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:  # noqa: ARG002
        """Make the same roll; follow moves once an action of theirs leads to the same state."""
        if CHANCE in taken:
            self.state.apply_action(self._roll(taken[CHANCE]))
            self._at = after
            return
        (role,) = taken
        if self._at is not None and self.state.current_player() == role:
            for number in self.state.legal_actions():
                if self._after(self._at, role, number) == after:
                    self.state.apply_action(number)
                    self._at = after
                    break

    def _after(self, ours: State, role: int, number: int) -> State | None:
        for order in self._orders(role, number):
            after: State | None = ours
            for text in order:
                after = _after_step(after, role, text)
            if after is not None:
                return after
        return None

    def _orders(self, role: int, number: int) -> list[list[str]]:
        """Return the steps of an action in the two orders in which they may be legal."""
        moves = []
        for move in self.state.spiel_move_to_checker_moves(role, number):
            if move.pos != NO_MOVE:
                place = 25 if move.pos == FROM_BAR else 24 - move.pos if role == 0 else move.pos + 1
                moves.append(f"move {move.num} {place}")
        return [moves, moves[::-1]] if moves else [["pass"]]

    def choose(self, state: State, role: int, seconds: float) -> str:
        """Return the bot's next step; it thinks at the first of each of its actions."""
        if [str(action) for action in state.legal(role)] == ["pass"]:
            return "pass"
        if not self._waiting:
            text = self._think(state, role, seconds)
            self._waiting = self._waiting or [text]
        return self._waiting.pop(0)

    def action_text(self, ours: State, role: int, number: int) -> str:
        """Keep all steps of an action, for `choose`."""
        self._waiting = next(list(order) for order in self._orders(role, number) if self._plays(ours, role, order))
        return self._waiting[0]

    def _plays(self, ours: State, role: int, order: Sequence[str]) -> bool:
        after: State | None = ours
        for text in order:
            after = _after_step(after, role, text)
        return after is not None


NO_MOVE, FROM_BAR = -1, 100
"""Places of OpenSpiel's moves of men."""


def _after_step(ours: State | None, role: int, text: str) -> State | None:
    """Return the state after a step; None where it is not legal."""
    if ours is None or role not in ours.actors() or text not in {str(action) for action in ours.legal(role)}:
        return None
    return ours.apply({role: ours.parse_action(role, text)})


class YachtPeer(Peer):
    """An outcome of ours shows all dice, one of theirs those that were thrown."""

    def begin(self, role: int, seed: int) -> None:
        """Begin a game anew."""
        super().begin(role, seed)
        self._thrown = list(range(DICE))

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:
        """Make the same transition, and remember which dice will be thrown."""
        (text,) = taken.values()
        if CHANCE in taken:
            shown = [int(face) - 1 for face in text.split()]
            self.state.apply_action(sum(shown[die] * 6**place for place, die in enumerate(self._thrown)))
            return
        kept = text.split() if before.phase == "decide" else ["throw"] * DICE
        self._thrown = [die for die, what in enumerate(kept) if what == "throw"]
        super().follow(before, taken, after)


DICE = 5
ROWS = (
    *("ones", "twos", "threes", "fours", "fives", "sixes", "choice", "four_of_a_kind", "full_house"),
    *("little_straight", "big_straight", "yacht"),
)


def _yacht(_: pyspiel.State, number: int) -> str:
    if number >= 1 << DICE:
        return ROWS[number - (1 << DICE)]
    return " ".join("throw" if number >> die & 1 else "keep" for die in range(DICE))


def _einstein(state: pyspiel.State, number: int) -> str:
    text = state.action_to_string(number).rstrip("*")
    way = {
        "W": {"up": "north", "left": "east", "diag": "northeast"},
        "B": {"down": "south", "right": "west", "diag": "southwest"},
    }[text[0]][text[3:]]
    return f"{text[1]} {way}"


MEN = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}


def _chess(state: pyspiel.State, number: int) -> str:
    import chess

    board = chess.Board(str(state))
    move = board.parse_san(state.action_to_string(number))
    piece = chess.Piece(move.promotion, chess.WHITE) if move.promotion else board.piece_at(move.from_square)
    assert piece is not None
    return f"{chess.square_name(move.from_square)} {chess.square_name(move.to_square)} {MEN[piece.symbol().upper()]}"


def _goofspiel_prize(state: pyspiel.State, text: str) -> Sequence[int]:
    return () if not state.is_chance_node() else (int(text) - 1,)


PEERS: dict[str, Callable[[], Peer]] = {
    "tic_tac_toe": lambda: Peer("tic_tac_toe", texts.from_first_row(3)),
    "connect_four": lambda: Peer("connect_four", texts.dropped),
    "breakthrough": lambda: Peer("breakthrough(rows=8,columns=8)", texts.piece_and_step),
    "hex": lambda: Peer("hex", texts.from_first_row(11)),
    "reversi": lambda: Peer("othello", texts.from_last_row(8)),
    "nim": lambda: Peer("nim", texts.heap_and_number),
    "kalah": lambda: Peer("mancala", texts.pit),
    "quoridor": lambda: Peer("quoridor", texts.step_or_wall(9)),
    "amazons": lambda: Peer("amazons", texts.from_last_row(10)),
    "dots_and_boxes": lambda: Peer("dots_and_boxes", texts.edge),
    "go": lambda: Peer("go(board_size=9)", texts.stone_or_pass),
    "checkers": lambda: Peer("checkers", texts.two_squares),
    "chess": lambda: Peer("chess", _chess),
    "pig": lambda: Peer(
        "pig",
        texts.numbered("roll", "hold"),
        lambda _, text: (int(text.split()[0]) - 1,),
        {"dice": "1", "early_hold": "yes"},
    ),
    "einstein": lambda: EinsteinPeer("einstein_wurfelt_nicht", _einstein, lambda _, text: (int(text) - 1,)),
    "backgammon": lambda: BackgammonPeer("backgammon", texts.less(0)),
    "yacht": lambda: YachtPeer("yacht", _yacht),
    "goofspiel": lambda: Peer("goofspiel(imp_info=False,points_order=random)", texts.less(1), _goofspiel_prize),
    "oshi_zumo": lambda: Peer("oshi_zumo(min_bid=1)", texts.less(0)),
}
"""What follows each game; the parameters of ours are those of the peer."""
