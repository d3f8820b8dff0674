"""Which players suit a game, by its kind: those that measurements showed to be strong, and their learned helps.

`auto` plays one of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ggp.arithmetic.rng import seed_word
from players.agents.candidate_trial import playouts_agree, random_decisions, typical_decisions, typical_outcomes

if TYPE_CHECKING:
    from ggp.game.game import Game

MANY_DECISIONS = 18
"""Decisions of random play: in longer games with hidden information, search with open cards in consistent states wins.
At 0.02 and 0.05 s a move it beat `ismcts` in battleship (20 decisions), stratego, phantom Go and a pursuit (68 to 100);
below (up to 16) the two were even, or `ismcts` ahead. These are games for two. In Hearts with 52 cards, two seats
against two at 0.03 s a move, `ismcts:final=max` got 1.9 ± 1.0 points a game more than `pimc` (69 deals, each with the
seats exchanged), in whist 0.2 ± 0.7 tricks (18 deals); each against random players the two were level."""
MANY_OUTCOMES = 1000
"""Outcomes of a chance event: above this, progressive widening lets a search see some of them often enough to go
deeper."""
FEW_OUTCOMES = 8
"""Outcomes of a typical chance event: up to this, all are searched, since as many draws with replacement miss a third
of them. In EinStein, which has six, `star2` won 56 ± 5 % against `mcts`, `star1ss:samples=8` 45 ± 6 %, and
`mcts:leaf=estimate` 55 ± 6 % against `star2`. So small a lead does not show in a short test, which only has to find out
whether the estimate is bad: the last one is the default."""
MANY_JOINT_ACTIONS = 200
"""Joint actions: above this, trying each one first leaves hardly any depth, and the average of many actions is
noisy."""
SEEN_PLAYS, SEEN_DECISIONS = 3, 40
"""Random plays, and decisions at the beginning of each, that show how many there are."""
LOOKED_THROUGH = 400
"""Decisions of a random play that show whether actions come back."""
LEAST = 0.1
"""Share of the most probable action's probability: less probable ones are what is left of the first iterations. At 36
decisions of goofspiel(13), 20,000 iterations lose 0.27 % of a game on average against a search of 75 times the length,
and 0.14 % without such actions; an opponent who knows the strategy gains 2.0 % instead of 1.8 %."""
MAX_LEARNED = 2
"""Candidates with a learned evaluation, so that a test has enough games for each."""
EVEN = 0.5

WITH_LATER_PLAYS = "mcts:rave=300,c=0.1"
"""Against `mcts`, 10 games each at 0.05 or 0.1 s a move: Go 9x9 100 %, gomoku and reversi 90 %, hex 80 %, breakthrough
70 %, amazons and Los Alamos chess 50 %; connect four 30 %, and 25 % of 20 in kalah at 0.02 s."""
GUIDED = "mcts:rave=300,c=0.02"
"""With a policy for playouts, which says what is worth a try. Go 9x9 at 0.1 s: 10 of 12 games against c = 0.1."""
HIDDEN_WITH_LATER_PLAYS = "ismcts:final=max,rave=300,c=0.1"
"""Where actions only become fewer, so that one taken later is the same as now (RAVE). Against `pimc` it won 68 % (57 to
77) of 80 games of dark hex 5x5 at 0.2 s, 14 of 16 of dark hex 7x7 at 0.1 s, and half of 40 in each of two other such
games; in battleship, where shots come after ships, 53 % (38 to 67) of 40, and in phantom Go, where stones are captured,
1 of 6."""
BY_RULES = "leaf=estimate"
"""What players are called with that read the estimate of the rules where they end a playout."""
BY_ESTIMATE = "ismcts:leaf=estimate,moves=2"
"""For hidden information where random playouts to the end all have the same value. Without random moves, actions with
many outcomes would look better than others: their leaves are closer."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The candidates for a game: a solution, or one of several players.

    Attributes:
        kind: of the game, in words.
        solve: whether to try to solve the game first.
        players: as written on the command line; the first is played unless a test shows that another one is stronger.
    """

    kind: str
    solve: bool
    players: tuple[str, ...]


def plan_for(game: Game) -> Plan:
    """Return the candidates for a game, by its kind."""
    players = len(game.players)
    duel = players == 2 and game.constant_sum
    if not game.perfect_information:
        if players == 1:
            return Plan("hidden information, one player, with nobody to hide from", False, ("ismcts:final=max",))
        decisions = typical_decisions(game)
        kind = f"hidden information, {decisions:.0f} decisions in random play"
        if game.native().functions.estimate and playouts_agree(game):
            final = "" if game.constant_sum else ",final=max"
            return Plan(f"{kind}, which is always worth the same", duel, (f"{BY_ESTIMATE}{final}",))
        if decisions > MANY_DECISIONS and duel and not game.simultaneous and actions_only_vanish(game):
            return Plan(f"{kind}, in which actions only become fewer", duel, (HIDDEN_WITH_LATER_PLAYS,))
        if decisions > MANY_DECISIONS:
            return Plan(kind, duel, ("pimc",) if players <= 2 or game.simultaneous else ("ismcts:final=max",))
        return Plan(kind, duel, ("ismcts:selection=rm" if game.simultaneous else "ismcts",))
    estimate = game.native().functions.estimate != 0
    solve = players == 1 or duel
    testable = estimate and (players == 1 or game.constant_sum)
    if game.simultaneous:
        if not duel:
            joint = joint_actions(game)
            strong, more = ("duct:final=max", ",") if joint > MANY_JOINT_ACTIONS else ("duct", ":")
            kind = f"simultaneous moves, not of two players and constant sum, up to {joint} joint actions seen"
            return Plan(kind, False, (strong, f"{strong}{more}leaf=estimate") if testable else (strong,))
        strong = f"rm:plus=on,average=linear,least={LEAST:g}"
        joint = joint_actions(game)
        if joint > MANY_JOINT_ACTIONS:
            strong = "rm:plus=on,average=linear,expansion=none,final=max,gamma=0.1"
        kind = f"simultaneous moves, up to {joint} joint actions seen"
        return Plan(kind, solve, (strong, f"{strong},leaf=estimate") if estimate else (strong,))
    kind = "turns and chance" if game.chance else "turns"
    sampling = "dpw" if game.native().shape.max_outcomes > MANY_OUTCOMES else "mcts"
    if not testable:
        return Plan(kind, solve, (sampling, WITH_LATER_PLAYS) if duel and not game.chance else (sampling,))
    if not duel:
        return Plan(kind, solve, (sampling, f"{sampling}:leaf=estimate"))
    if not game.chance:
        return Plan(kind, solve, (sampling, f"{sampling}:leaf=estimate", "star1"))
    if game.native().shape.max_outcomes <= MANY_OUTCOMES and typical_outcomes(game) <= FEW_OUTCOMES:
        return Plan(kind, solve, (f"{sampling}:leaf=estimate", sampling, "star2"))
    return Plan(kind, solve, (sampling, f"{sampling}:leaf=estimate", "star1ss:samples=8"))


def learned_players(game: Game) -> tuple[str, ...]:
    """Return players that read a learned evaluation of a game, the first of them usually the strongest."""
    duel = len(game.players) == 2 and game.constant_sum
    if not game.perfect_information:
        # in dark chess obscuro won 14 of 14 games at 0.1 s against ismcts, 10 of 10 against pimc, all with one file
        return ("obscuro", "ismcts:final=max") if duel else ("pimc", "ismcts:final=max")
    if game.simultaneous:
        return (f"rm:plus=on,average=linear,least={LEAST:g}", "duct") if duel else ("duct",)
    # ubfm against star1, see `strength_of`: the file says which of the two reads it best
    # in 60 positions of backgammon, at 0.2 s, star2 lost 10 thousandths of a point a turn, mcts 14, star1ss 20
    return ("star1", "ubfm", "mcts") if not game.chance else ("star2", "mcts", "star1ss:samples=8")


def reading(player: str, file: str) -> str:
    """Return a player, as it is written, that reads a learned evaluation."""
    return f"{player}{',' if ':' in player else ':'}estimate={file}"


def joint_actions(game: Game) -> int:
    """Return the largest number of joint actions seen in some random plays."""
    most = 1
    for play in range(SEEN_PLAYS):
        for state in islice(random_decisions(game, seed_word(1, play)), SEEN_DECISIONS):
            most = max(most, math.prod(len(state.legal(role)) for role in state.actors()))
    return most


def actions_only_vanish(game: Game) -> bool:
    """Return whether nobody, in some random plays, could do what it could not do at its decision before."""
    for play in range(SEEN_PLAYS):
        before: dict[int, set[int]] = {}
        for state in islice(random_decisions(game, seed_word(1, play)), LOOKED_THROUGH):
            for role in state.actors():
                legal = {int(action) for action in state.legal(role)}
                if not legal <= before.get(role, legal):
                    return False
                before[role] = legal
    return True


def rival_of(plan: Plan) -> str:
    """Return the player that one with a learned evaluation has to beat: the first that reads the estimate of the rules.

    Where the rules have none it is the first of all.
    """
    return next((player for player in plan.players if BY_RULES in player), plan.players[0])


def with_learned(plan: Plan, game: Game, file: str) -> Plan:
    """Return the candidates for a game, with those that read a learned evaluation of it.

    They are tested as those are that read the estimate of the rules. If the file says that one of them has beaten the
    rival that reads the estimate of the rules, or the first of all where there is none, it is played without a test:
    `ggp train` had more time for one. In backgammon a short test preferred `mcts` with that estimate, which at 0.2 s a
    move loses 42 thousandths of a point a turn, `star2` with the file 10; in chess it preferred `ubfm` in 3 of 30
    tests. One that has beaten another rival is played unless the test shows otherwise. Where something is hidden no
    test is made.
    """
    from players.learning.files import read_learned

    met = read_learned(Path(file), game).about.get("strength") or {}
    proven = met["player"] if met and met["ci95"][0] > EVEN else ""
    names = sorted(learned_players(game), key=lambda name: name != proven)
    texts = [reading(name, file) for name in names]
    if game.perfect_information:
        first, *others = (player for player in plan.players if player != WITH_LATER_PLAYS)
        learned = texts[:MAX_LEARNED]
        if proven and met["against"] == rival_of(plan):
            return replace(plan, players=(texts[0],))
        return replace(plan, players=(*learned, first, *others) if proven else (first, *learned, *others))
    if names[0] == proven:
        kind = f"{plan.kind}; {file} won {100 * met['win_rate']:.0f} %"
        return replace(plan, kind=kind, players=(texts[0],))
    return plan


def blueprint_player(file: str) -> str:
    """Return the player of a file with a blueprint."""
    return f"blueprint:file={file}"


def policy_player(file: str) -> str:
    """Return the player of a file with a policy for playouts."""
    return f"{GUIDED},policy={file}"


def with_policy(plan: Plan, file: str) -> Plan:
    """Return the candidates for a game, with the search whose playouts choose by a policy instead of the one without.

    Without a learned evaluation it is played unless the test shows otherwise: the policy was measured to make it
    stronger.
    """
    others = tuple(player for player in plan.players if player != WITH_LATER_PLAYS)
    learned = any("estimate=" in player for player in others)
    return replace(plan, players=(*others, policy_player(file)) if learned else (policy_player(file), *others))


def candidates_for(game: Game, estimate: str = "") -> Plan:
    """Return the candidates for a game, with a learned evaluation where a file is named or found, and a policy.

    A blueprint that is found and gained by the test of `ggp train` is played without another test.
    """
    from players.learning.files import found_file
    from players.learning.policy_files import found_policy

    plan = plan_for(game)
    if not game.perfect_information and not estimate:
        from players.learning.blueprints import found_blueprint

        if blueprint := found_blueprint(game):
            return replace(plan, players=(blueprint_player(blueprint),))
    later_plays = WITH_LATER_PLAYS in plan.players
    file = estimate or found_file(game)
    plan = with_learned(plan, game, file) if file else plan
    policy = found_policy(game) if later_plays else ""
    return with_policy(plan, policy) if policy else plan
