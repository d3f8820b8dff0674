"""`auto` against OpenSpiel's MCTS bot, in each game that both have: `python -m experiments.openspiel_strength`.

Both have the same clock, of processor time: the bot searches as many simulations as it has lately made in that time. It
proves what it can where nothing is drawn, plays random playouts at the leaves, and sees simultaneous choices one after
the other, as OpenSpiel converts them. Seats are swapped, each pair of games with the same chance.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import msgspec

import ggp
from experiments.openspiel_peers import PEERS, Peer
from experiments.options import count, read_options, run_experiment
from experiments.records import Facts, recorded_parts
from experiments.tables import markdown_table, write_results
from ggp.arithmetic.rng import seed_word
from ggp.competition.statistics import Interval, mean_interval, win_rate
from ggp.errors import GgpError
from ggp.game.game import Game
from players.agents.agent import Agent, Budget
from players.agents.auto import AutoAgent
from players.agents.solved_agent import Solution

MOVE_S, QUICK_MOVE_S = 0.2, 0.01
GAMES, QUICK_GAMES, QUICK_ONLY = 40, 2, ("tic_tac_toe",)
GAME_S = 3600.0
GOAL = 0.65


READING = """\
The rows were played with different numbers of games: 30 or 25 s of processor time where nearly all are won, up to 240
games where the result is near 65 %, and 200 where the game is solved. `auto` wins 65 % or more in all games but four.
In these four, optimal play that does not know how this bot errs does not win 65 % either: by exact values it wins 50 %
of tic-tac-toe and 57.9 % of Pig, by long searches 55 % of EinStein; in goofspiel long searches say 53 %, and ten times
the bot's time wins 63 %.

- **Tic-tac-toe** is a draw, and the bot never loses it. What optimal play would win is computed from the exact values:
  half a game, as seats are swapped, and what the bot's actions lose.
- **Pig** is solved as well (2,037,024 states, in ten seconds). In 52 other games the bot's actions lost 6.8 ± 1.8 % of
  a game, so optimal play wins 57 % against it; luck decides the rest. A best response to this very bot would win more,
  but hardly 65 %: to a player who always holds at 20 points it wins 55.5 % (58.8 as the first player, 52.3 as the
  second), where optimal play cannot win more either.
- **EinStein**: optimal play would hardly win more than `auto` does. In 80 other games long searches valued each action
  open to the bot, with 100,000 iterations on playouts and as many on the estimate. By these values its 581 actions
  lost 5.0 ± 1.7 % of a game, so optimal play wins 55.0 % against it; errors of the values exaggerate its losses. Luck
  decides the rest. In earlier runs `star2` won 58.3 % (52 to 64) and `mcts:leaf=estimate` 56.7 % (50 to 63) of 240
  games. To win 65 % a player would have to know how this bot errs.
- **Goofspiel**: 63.1 % (57 to 69) of 240 games in an earlier run, and 59.0 % (53 to 65) and 56.9 % (51 to 63) in two
  runs beside much other work, which slows searches in large trees. There `auto` solves the last four or five cards
  exactly; in another run, with the same chance, it won 55.6 % (48 to 63) of 160 games with that and 57.8 % (50 to 65)
  of 160 without. With ten times as much time as the bot it won 62.9 % (51 to 74) of 66 games.
  What play close to an equilibrium can win is what the bot gives away. In 40 other games regret matching, with 200,000
  iterations and a quarter of them exploring, valued the joint actions of each of the bot's decisions: against the
  strategy that is optimal by these values, the bot's actions lost so much that it wins 52.9 ± 1.6 %. The
  values come from play that explores, which makes differences smaller, so this is somewhat too low.
  No other player or setting that was tried reaches 65 %. With the same chance, in 160 games each: `drm` won 62.8 %
  (55 to 70), `auto`'s choice 60.0 % (52 to 67), with gamma=0.1 56.6 %, with least=0.3 54.4 %, `oos+` 55.9 %, `exp3`
  53.1 %, `duct` 51.2 %. A player of its most probable action loses to the bot (41.9 %, 31 to 53), which answers what it
  expects.
- **Kalah**: the test in the start clock chooses `star1`, or sometimes `mcts`, which won 73.5 % (67 to 79) of 194
  games.
- **Oshi-Zumo** is solved (19,089 states, a quarter of a second). A search won 82.5 % (74 to 89) before.

The rows of EinStein, goofspiel and Oshi-Zumo were played beside much other work.

In nim and dots and boxes `auto` loses only what it cannot win from its side, and the bot plays them nearly perfectly,
too: 65.5 % and 75 % are what optimal play wins on average. Before the clock was fair (the bot thought too long in the
first moves of a game) `auto` won 95 % in breakthrough, 71 % in checkers and 75 % in kalah.
"""
"""What the table has shown so far; to be read again after every run."""


class UnknownGame(GgpError):
    """OpenSpiel has no such game, or nothing translates it."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of one game.

    Attributes:
        game: of the library.
        games: played.
        wins: of `auto`.
        draws: of all.
        rate: share of games that `auto` won, a draw half.
        choice: what `auto` played.
        optimal: where the game is solved, the share that optimal play wins on average: a half, as seats are swapped,
            and what the bot's actions lose by the exact values. Its interval is narrower than that of `rate`.
    """

    game: str
    games: int
    wins: int
    draws: int
    rate: Interval
    choice: str
    optimal: Interval | None = None


def play_one(
    game: Game, peer: Peer, agent: Agent, role: int, move_s: float, seed: int, solution: Solution | None = None
) -> tuple[float, float]:
    """Play a game with an agent in a role and the bot in the other.

    Returns:
        What the agent gets more than the bot, and what the bot's actions lost by a solution.
    """
    lost = 0.0
    rng, state = [seed_word(seed, 1)], game.initial()
    peer.begin()
    agent.start(game, role, seed_word(seed, 2, role))
    clock, decision = time.process_time, 0
    while not state.is_terminal():
        taken: dict[int, str] = {}
        if state.is_chance():
            new = peer.draw(state, rng)
        else:
            decision += 1
            for actor in state.actors():
                if actor == role:
                    legal = [str(action) for action in state.legal(role)]
                    taken[actor] = agent.choose(legal, Budget(clock, clock() + move_s))
                else:
                    taken[actor] = peer.choose(state, actor, move_s, seed_word(seed, 3, decision))
                    if solution is not None:
                        place = [str(action) for action in state.legal(actor)].index(taken[actor])
                        lost += float(solution.losses(state.words, actor)[place])
            new = peer.follow(state, taken)
        observation = new.readable_observation(role)
        if observation or role in taken:
            agent.observe(taken.get(role), observation)
        state = new
    own, other = state.utilities()[role], state.utilities()[1 - role]
    return own - other, lost


def play(name: str, games: int, move_s: float, game_s: float, seed: int) -> Iterator[Facts]:
    """Let `auto` and the bot meet in a game, and yield the result once."""
    peer = PEERS[name]()
    game = ggp.load(name, **peer.parameters)
    agent = AutoAgent()
    agent.clock = time.process_time
    agent.start(game, 0, seed)
    found = agent.choice.solution if agent.choice is not None else None
    solution = found if isinstance(found, Solution) else None
    played: list[tuple[float, float]] = []
    began = time.process_time()
    while len(played) < games and time.process_time() - began < game_s:
        pair = seed_word(seed, len(played) // 2)
        played += [play_one(game, peer, agent, role, move_s, pair, solution) for role in (0, 1)]
    won = [difference for difference, _ in played]
    wins, draws = sum(one > 0 for one in won), sum(one == 0 for one in won)
    choice = agent.choice.player if agent.choice is not None else ""
    rate = win_rate(wins, draws, len(won) - wins - draws)
    optimal = mean_interval((1 + lost) / 2 for _, lost in played) if solution is not None else None
    yield asdict(Result(name, len(won), wins, draws, rate, choice or "the solution", optimal))


def page(results: Sequence[Result], move_s: float) -> str:
    """Return the results as Markdown."""
    rows = []
    for one in results:
        rate, optimal = (
            f"{100 * found.estimate:.1f} ({100 * found.low:.0f} to {100 * found.high:.0f})" if found is not None else ""
            for found in (one.rate, one.optimal)
        )
        reached = "yes" if one.rate.estimate >= GOAL else "no"
        rows.append([one.game, f"`{one.choice}`", rate, f"{one.wins} / {one.draws} / {one.games}", optimal, reached])
    headings = (
        *("game", "`auto` plays", "it wins, % (95 %)", "won / drawn / played"),
        *("optimal play would win", f"{100 * GOAL:.0f} % reached"),
    )
    title = "# `auto` against OpenSpiel's MCTS bot"
    text = str(__doc__).split("\n\n", 1)[1].strip()
    clock = f"{move_s:g} s of processor time a move. A draw counts half."
    return f"{title}\n\n{text}\n\n{clock}\n\n{markdown_table(headings, rows)}\n\n{READING}"


def main(words: Sequence[str]) -> None:
    """Run the experiment.

    Raises:
        UnknownGame: a game of `--only` is none of those that both have.
    """

    def own_options(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=count, metavar="N", help=f"in each game; default {GAMES}")
        parser.add_argument("--move-seconds", type=float, metavar="S", help=f"for a move; default {MOVE_S:g}")
        parser.add_argument("--game-seconds", type=float, metavar="S", default=GAME_S, help="for a game, at most")
        parser.add_argument("--only", nargs="+", metavar="GAME", help=f"of {', '.join(PEERS)}; default: all")

    options = read_options("openspiel_strength", str(__doc__), words, without=("runs", "plot"), add=own_options)
    games = options.games or (QUICK_GAMES if options.quick else GAMES)
    move_s = options.move_seconds or (QUICK_MOVE_S if options.quick else MOVE_S)
    names = options.only or (QUICK_ONLY if options.quick else list(PEERS))
    for name in names:
        if name not in PEERS:
            raise UnknownGame(f"`{name}` is not a game that both have: {', '.join(PEERS)}")

    wanted = {name: (name, games, move_s, options.game_seconds, options.seed) for name in names}
    plan = {"games": games, "move_s": move_s, "game_s": options.game_seconds, "seed": options.seed}
    found = recorded_parts(options, plan, wanted, play, "games")
    results = [msgspec.convert(facts, Result) for facts in found.values()]
    write_results(options, page(results, move_s), [asdict(one) for one in results])


if __name__ == "__main__":
    run_experiment(main)
