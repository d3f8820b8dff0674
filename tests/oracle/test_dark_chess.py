"""Dark chess against python-chess: pseudo-legal moves, and what each player sees of the board after each move."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

import chess
import pytest

import ggp
from tests.oracle.test_chess import NAMES, move_text, position
from tests.support.native_side_by_side import SequentialModel, compare_native

# kings far from each other, so that games are not over at once
OPEN = "r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 1"


class DarkChess(SequentialModel):
    """A board of python-chess on which kings are taken like other men, and castle through attacked squares."""

    def __init__(self, fen: str = chess.STARTING_FEN) -> None:
        self.board = chess.Board(fen)

    def moves(self, colour: bool) -> dict[str, chess.Move]:
        board = self.board.copy(stack=False)
        if board.turn != colour:
            board.turn, board.ep_square = colour, None
        rights, board.castling_rights = board.castling_rights, chess.BB_EMPTY
        moves = {move_text(board, move): move for move in board.generate_pseudo_legal_moves()}
        row = 0 if colour else 7
        king = chess.square(4, row)
        for corner, between, file in ((7, (5, 6), 6), (0, (1, 2, 3), 2)):
            free = not any(board.piece_at(chess.square(column, row)) for column in between)
            if rights & chess.BB_SQUARES[chess.square(corner, row)] and free and board.king(colour) == king:
                move = chess.Move(king, chess.square(file, row))
                moves[move_text(board, move)] = move
        return moves

    def is_terminal(self) -> bool:
        board = self.board
        alive = all(board.king(colour) is not None for colour in (chess.WHITE, chess.BLACK))
        return not alive or board.halfmove_clock >= 100 or not self.moves(board.turn)

    def actors(self) -> Collection[int]:
        return (0 if self.board.turn else 1,)

    def legal(self, player: int) -> Collection[str]:
        return self.moves(self.board.turn).keys()

    def apply(self, joint: Mapping[int, str]) -> None:
        (text,) = joint.values()
        self.board.push(self.moves(self.board.turn)[text])

    def returns(self) -> Sequence[float]:
        if self.board.king(chess.WHITE) is None:
            return (-1, 1)
        return (0, 0) if self.board.king(chess.BLACK) is not None else (1, -1)

    def seen(self, player: int) -> dict[str, set[str]]:
        """Return what a player is told: its own squares, those in view, and the other's men there, by kind."""
        colour = player == 0
        view = {move.to_square for move in self.moves(colour).values()}
        own = {square for square, piece in self.board.piece_map().items() if piece.color == colour}
        told = {"side": own, "view": view}
        for symbol, name in NAMES.items():
            told[name] = {
                square
                for square, piece in self.board.piece_map().items()
                if piece.color != colour and piece.symbol().upper() == symbol and square in view
            }
        return {key: {chess.square_name(square) for square in squares} for key, squares in told.items()}


def test_random_games() -> None:
    assert compare_native(ggp.load("dark_chess"), DarkChess, games=6, seed=1) > 500


@pytest.mark.long
def test_random_games_with_castling_rights() -> None:
    assert compare_native(position(OPEN, "dark_chess"), lambda: DarkChess(OPEN), games=10, seed=2) > 300


def test_observations() -> None:
    rng, game = random.Random(3), ggp.load("dark_chess")
    told = 0
    for _ in range(4):
        state, model = game.initial(), DarkChess()
        while not state.is_terminal() and told < 400:
            (player,) = state.actors()
            text = rng.choice(sorted(model.legal(player)))
            state = state.apply({player: text})
            assert not state.observation(1 - player)
            model.apply({player: text})
            state = state.apply_outcome(state.chance_outcomes()[0][0])
            for watcher in range(2):
                expected = model.seen(watcher)
                values = [value for label, value in state.readable_observation(watcher) if label != "passed"]
                assert len(values) == len(expected)
                for value, squares in zip(values, expected.values(), strict=True):
                    assert set(map(str, value)) == squares
                told += 1
    assert told > 100
