"""Chess against python-chess, and against published counts of move sequences ("perft")."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

import chess
import pytest

import ggp
from ggp.game.game import Game
from ggp.language import SourceFile, load_rules
from ggp.rules_compiler.loading import game_from_source
from ggp.solvers.worlds.play_counts import count_plays
from tests.support.native_side_by_side import SequentialModel, compare_native

NAMES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"


def position(fen: str, name: str = "chess") -> Game:
    """Return the game with another position at the beginning, without a pawn that has just passed."""
    source, _ = load_rules(name)
    board = chess.Board(fen)

    def cells(squares: Collection[int]) -> str:
        return "{" + ", ".join(f"cell({square % 8 + 1}, {square // 8 + 1})" for square in squares) + "}"

    men = [[cells(board.pieces(piece, colour)) for piece in chess.PIECE_TYPES] for colour in (chess.WHITE, chess.BLACK)]
    lines = source.text.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("    men["))
    rows = ", ".join(f"[{', '.join(row)}]" for row in men)
    lines[at : at + 2] = [f"    men[player, man]: set of cell = [{rows}]"]
    text = "\n".join(lines)
    for old, new in (
        ("    turn: player = white", f"    turn: player = {'white' if board.turn else 'black'}"),
        (
            "rooks: set of cell = corners",
            f"rooks: set of cell = corners & {cells(chess.SquareSet(board.castling_rights))}",
        ),
    ):
        assert old in text
        text = text.replace(old, new)
    return game_from_source(SourceFile(f"{name}.rules", text))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("fen", "published"),
    [
        (chess.STARTING_FEN, [20, 400, 8902, 197281]),
        (KIWIPETE, [48, 2039, 97862]),
        (ENDGAME, [14, 191, 2812, 43238]),
        (PROMOTIONS, [6, 264, 9467]),
    ],
)
def test_move_counts(fen: str, published: list[int]) -> None:
    game = ggp.load("chess") if fen == chess.STARTING_FEN else position(fen)
    *_, counted = count_plays(game, len(published))
    assert list(counted.nodes) == published


def move_text(board: chess.Board, move: chess.Move) -> str:
    """Return our text of a move: square left, square reached, man that stands there then."""
    piece = chess.Piece(move.promotion, chess.WHITE) if move.promotion else board.piece_at(move.from_square)
    assert piece is not None
    return f"{chess.square_name(move.from_square)} {chess.square_name(move.to_square)} {NAMES[piece.symbol().upper()]}"


class PythonChess(SequentialModel):
    """A game of python-chess."""

    def __init__(self, fen: str = chess.STARTING_FEN) -> None:
        self.board = chess.Board(fen)
        self.look()

    def look(self) -> None:
        self.turn = 0 if self.board.turn else 1
        self.moves = {move_text(self.board, move): move for move in self.board.legal_moves}

    def is_terminal(self) -> bool:
        board = self.board
        drawn = board.halfmove_clock >= 100 or board.is_repetition(3) or board.is_insufficient_material()
        return drawn or not self.moves

    def legal(self, player: int) -> Collection[str]:
        return self.moves.keys()

    def apply(self, joint: Mapping[int, str]) -> None:
        (text,) = joint.values()
        self.board.push(self.moves[text])
        self.look()

    def returns(self) -> Sequence[float]:
        if not self.board.is_checkmate():
            return (0, 0)
        return (-1, 1) if self.board.turn else (1, -1)


def test_random_games() -> None:
    assert compare_native(ggp.load("chess"), PythonChess, games=4, seed=1) > 500


@pytest.mark.long
def test_random_games_with_castling_rights() -> None:
    """From kiwipete on, where castling and promotions come early."""
    compare_native(position(KIWIPETE), lambda: PythonChess(KIWIPETE), games=6, seed=2)


@pytest.mark.long
def test_repetition_and_mate() -> None:
    """Play with rooks, which repeats positions and mates."""
    fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"

    def choose(rng: random.Random, texts: list[str]) -> str:
        return texts[rng.randrange(min(2, len(texts)))]

    compare_native(position(fen), lambda: PythonChess(fen), games=10, seed=3, choose=choose)
    compare_native(position(fen), lambda: PythonChess(fen), games=10, seed=3)
