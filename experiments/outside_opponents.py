"""Programs of other people as opponents: over UCI, GTP and the Python of gnubg, each a process of its own.

The clock is processor time: an engine that searches until its time is over is given as many nodes as it has lately
searched in that time; the others take what their level takes, and it is measured.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from experiments.duels import CHANCE, Side
from ggp.errors import GgpError
from ggp.game.state import State

PLACES = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/games", "/usr/local/games"))
"""Where programs are looked for: Debian keeps games in a folder that is not on everybody's path."""
FIRST_NODES = 2_000
"""Nodes of the first search of an engine whose speed is not known yet."""
LONGEST_SILENCE_S = 60.0
STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}

GNUBG_LOOP = """
import sys, gnubg
for command in ("set automatic game off", "set automatic roll off", "set player 0 human", "new session"):
    gnubg.command(command)
cube, depth = gnubg.cubeinfo(), gnubg.evalcontext(0, %d, 1, 0, 0.0)
for line in sys.stdin:
    numbers = tuple(int(word) for word in line.split())
    print("value", gnubg.evaluate((numbers[:25], numbers[25:]), cube, depth)[0], flush=True)
"""
"""Answers lines of 50 numbers, the men of the player not on roll and of the one on roll: the roller's chance to win."""


class EngineFailed(GgpError):
    """A program is not installed, ended, or answered something else than its protocol says."""


def program(name: str) -> str | None:
    """Return the path of a program; None if it is not installed."""
    return shutil.which(name, path=PLACES)


class Engine:
    """A process that is spoken to in lines.

    Args:
        words: the command line; the first is the name of the program.

    Raises:
        EngineFailed: it is not installed.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._name = words[0]
        path = program(words[0])
        if path is None:
            raise EngineFailed(f"`{words[0]}` is not installed")
        self._process = subprocess.Popen(
            [path, *words[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PATH": PLACES},
        )

    def say(self, line: str) -> None:
        """Write a line.

        Raises:
            EngineFailed: the process has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise EngineFailed(f"`{self._name}` has ended") from error

    def lines(self) -> Iterator[str]:
        """Yield lines as they come.

        Raises:
            EngineFailed: the process has ended.
        """
        silent = threading.Timer(LONGEST_SILENCE_S, self._process.kill)
        silent.start()
        try:
            assert self._process.stdout is not None
            while line := self._process.stdout.readline():
                yield line.strip()
        finally:
            silent.cancel()
        raise EngineFailed(f"`{self._name}` has ended, or has not answered for {LONGEST_SILENCE_S:g} s")

    def answer(self, start: str) -> str:
        """Return the next line that begins with a word."""
        return next(line for line in self.lines() if line.startswith(start))

    def cpu_s(self) -> float:
        """Return the processor time that it has taken; 0 where the system does not tell."""
        try:
            words = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


class EngineSide(Side):
    """A side that is a process of its own.

    Args:
        words: the command line.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._engine = Engine(words)

    def cpu_s(self) -> float:
        """Return the processor time that its process has taken."""
        return self._engine.cpu_s()

    def close(self) -> None:
        """End the process."""
        self._engine.close()


class UciEngine(EngineSide):
    """A chess engine, for games whose actions name a cell to go from and a cell to go to, or a direction.

    Args:
        words: the command line.
        options: of UCI, set before every game.
        depth: to search to, for engines whose level is a depth; None: as far as the clock allows.
    """

    def __init__(self, words: Sequence[str], options: Mapping[str, str], depth: int | None = None) -> None:
        super().__init__(words)
        self._depth = depth
        self._nodes, self._taken_s = 0, 0.0
        self._engine.say("uci")
        self._engine.answer("uciok")
        for name, value in options.items():
            self._engine.say(f"setoption name {name} value {value}")

    def begin(self, role: int, seed: int) -> None:  # noqa: ARG002
        """Begin a game."""
        self._moves: list[str] = []
        self._engine.say("ucinewgame")
        self._engine.say("isready")
        self._engine.answer("readyok")

    def choose(self, state: State, role: int, seconds: float) -> str:
        """Search for as many nodes as it has made in that time, or to its depth."""
        before = self._engine.cpu_s()
        self._engine.say(f"position startpos moves {' '.join(self._moves)}" if self._moves else "position startpos")
        nodes = int(self._nodes / self._taken_s * seconds) if self._taken_s > 0.05 else FIRST_NODES
        self._engine.say(f"go depth {self._depth}" if self._depth else f"go nodes {max(nodes, 1)}")
        made, move = 0, ""
        for line in self._engine.lines():
            words = line.split()
            if words[:1] == ["info"] and "nodes" in words:
                made = int(words[words.index("nodes") + 1])
            if words[:1] == ["bestmove"]:
                move = words[1]
                break
        self._nodes += made
        self._taken_s += self._engine.cpu_s() - before
        found = [text for text in map(str, state.legal(role)) if uci_move(state, role, text) == move]
        if not found:
            raise EngineFailed(f"its move {move} is not legal here: {state}")
        return found[0]

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:  # noqa: ARG002
        """Note the move."""
        self._moves += [uci_move(before, role, action) for role, action in taken.items()]


def uci_move(state: State, role: int, action: str) -> str:
    """Return an action as UCI writes it: `a7 a8 queen` as a7a8q where a pawn may become several things."""
    first, second, *piece = action.split()
    if not second[0].isalpha() or not second[1:].isdigit():
        raise EngineFailed(f"`{action}` is not a move between cells")
    if first in STEPS or first[:5] in STEPS:  # a direction and a cell, as `northeast a2`
        steps = [step for name, step in STEPS.items() if name in first]
        x, y = (sum(step[axis] for step in steps) for axis in (0, 1))
        return f"{second}{chr(ord(second[0]) + x)}{int(second[1:]) + y}"
    ways = sum(str(other).startswith(f"{first} {second} ") for other in state.legal(role))
    letter = {"knight": "n"}.get(piece[0], piece[0][0]) if piece and ways > 1 else ""
    return f"{first}{second}{letter}"


class GnuGo(EngineSide):
    """GNU Go at a level, which takes dead stones before it passes: by our rules all that stand count.

    Args:
        size: of the board.
        komi: points for white; half a point is added, as our rules do.
        level: 1 to 10.
    """

    def __init__(self, size: int, komi: float, level: int) -> None:
        super().__init__(("gnugo", "--mode", "gtp", "--level", str(level), "--chinese-rules", "--capture-all-dead"))
        self._setup = (f"boardsize {size}", "clear_board", f"komi {komi}")

    def _ask(self, command: str) -> str:
        self._engine.say(command)
        answer = next(line for line in self._engine.lines() if line)
        if not answer.startswith("="):
            raise EngineFailed(f"`{command}` gives `{answer}`")
        return answer[1:].strip()

    def begin(self, role: int, seed: int) -> None:
        """Clear the board."""
        for command in (*self._setup, f"set_random_seed {seed % 2**31}"):
            self._ask(command)
        self._role = role

    def choose(self, state: State, role: int, seconds: float) -> str:  # noqa: ARG002 - its level is its clock
        """Return its move."""
        move = self._ask(f"reg_genmove {'bw'[role]}")
        text = "pass" if move in ("PASS", "resign") else f"play {go_cell(move)}"
        return text if text in map(str, state.legal(role)) else "pass"

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:  # noqa: ARG002
        """Put the stone on its board."""
        for role, action in taken.items():
            self._ask(f"play {'bw'[role]} {gtp_cell(action)}")


def go_cell(move: str) -> str:
    """Return a cell of GTP, whose columns leave out I, as ours are written."""
    column = "ABCDEFGHJKLMNOPQRST".index(move[0].upper())
    return f"{chr(ord('a') + column)}{move[1:]}"


def gtp_cell(action: str) -> str:
    """Return an action of Go as GTP writes it."""
    if action == "pass":
        return "pass"
    cell = action.split()[1]
    return f"{'ABCDEFGHJKLMNOPQRST'[ord(cell[0]) - ord('a')]}{cell[1:]}"


class GnuBackgammon(EngineSide):
    """gnubg choosing among the positions after its turn by its own evaluation; it also says what our turns lose.

    Args:
        plies: it looks ahead when it chooses.

    Attributes:
        lost: by our turns with a choice, in chances to win, as its evaluation sees them.
    """

    def __init__(self, plies: int = 0) -> None:
        self._folder = tempfile.TemporaryDirectory()
        script = Path(self._folder.name) / "loop.py"
        script.write_text(GNUBG_LOOP % plies, encoding="utf-8")
        super().__init__(("gnubg", "-t", "-q", "-p", str(script)))
        self.lost: list[float] = []

    def begin(self, role: int, seed: int) -> None:  # noqa: ARG002
        """Forget the turn."""
        self._plan: list[str] = []
        self._role = role
        self._ours: tuple[float, int] | None = None

    def _chance(self, state: State, role: int) -> float:
        """Return a player's chance to win in a state at the end of its turn."""
        if state.is_terminal():
            return (1.0 + state.utilities()[role]) / 2
        men = state.game.codec.values(state.words)["men"]
        assert isinstance(men, tuple)
        both = men[25 * role : 25 * role + 25] + men[25 - 25 * role : 50 - 25 * role]
        self._engine.say(" ".join(map(str, both)))
        return 1.0 - float(self._engine.answer("value").split()[1])

    def _turns(self, state: State, role: int) -> dict[tuple[int, ...], tuple[list[str], State]]:
        """Return the states at the end of a player's turn, each with actions that lead there."""
        ends: dict[tuple[int, ...], tuple[list[str], State]] = {}
        seen = {state.words}
        open_: list[tuple[list[str], State]] = [([], state)]
        while open_:
            way, here = open_.pop()
            if here.is_terminal() or here.is_chance():
                ends.setdefault(here.words, (way, here))
                continue
            for action in here.legal(role):
                after = here.apply({role: action})
                if after.words not in seen:
                    seen.add(after.words)
                    open_.append(([*way, str(action)], after))
        return ends

    def choose(self, state: State, role: int, seconds: float) -> str:  # noqa: ARG002 - its depth is its clock
        """Return the next action of the turn that its evaluation likes best."""
        if not self._plan:
            ends = self._turns(state, role).values()
            self._plan = list(max(ends, key=lambda end: self._chance(end[1], role))[0])
        return self._plan.pop(0)

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:
        """Note what the other's turn lost, when it is over."""
        ((role, _),) = taken.items()
        if role in (self._role, CHANCE):
            return
        if self._ours is None:
            chances = [self._chance(end, role) for _, end in self._turns(before, role).values()]
            self._ours = max(chances), len(chances)
        if after.is_terminal() or after.is_chance():
            best, ways = self._ours
            if ways > 1:
                self.lost.append(best - self._chance(after, role))
            self._ours = None

    def close(self) -> None:
        """End the process, and remove its script."""
        super().close()
        self._folder.cleanup()
