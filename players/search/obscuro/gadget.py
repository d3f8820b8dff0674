"""What stands before a subgame: the opponent's information states at its roots, and what each is worth to it elsewhere.

The opponent may decline to enter. `Resolve` lets it choose, at each of its information states, between the subgame and
the alternative value; `Maxmargin` lets it choose one information state, and counts what it wins there beyond the
alternative value. As long as it gains by entering somewhere, the first decides how its information states are weighted,
and the less it enters, the more the second: every strategy is safe then, and that of the greatest margin is wanted.
`resolve` says how much all this counts; for the rest the opponent enters everywhere, as if it could not decline.

Dimensions: R roots, G information states of the opponent at the roots.

Source: Burch, Johanson, Bowling 2014 (Resolve); Moravčík et al. 2016 (Maxmargin); Zhang, Sandholm (arXiv 2506.01242).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ggp.codegen.kernels import F64, I64, U64, allocated, inline_kernel, kernel
from ggp.native.rng_kernels import drawn_place
from players.search.obscuro.subgame import Subgame, share_of


class Gadget(NamedTuple):
    """The roots of a subgame, and the opponent's choices before it."""

    root: Annotated[I64, "R"]  # nodes
    group: Annotated[I64, "R"]  # the opponent's information state there
    weight: Annotated[F64, "R"]  # probability of the root in that information state, by chance and the searching player
    cumulative: Annotated[F64, "R"]  # sums of the weights by which walks begin
    prior: Annotated[F64, "G"]  # probability of an information state
    alternative: Annotated[F64, "G"]  # what it is worth elsewhere, to the opponent, scaled to [0, 1]
    enters: Annotated[F64, "G"]  # Resolve: the probability of entering
    regret: Annotated[F64, "2 * G"]  # cumulative regrets of entering and of not entering
    picks: Annotated[F64, "G"]  # Maxmargin: the probability of choosing the information state
    pick_regret: Annotated[F64, "G"]
    factor: Annotated[F64, "G"]  # the weight of an information state when the searching player's regrets are updated
    worth: Annotated[F64, "G"]  # what entering is worth to the opponent, by the last pass
    resolve: Annotated[F64, "1"]  # how much its right to decline counts
    roots: Annotated[I64, "1"]  # R
    groups: Annotated[I64, "1"]  # G
    opponent: Annotated[I64, "1"]  # its number
    forced: Annotated[I64, "1"]  # whether it has to enter


def new_gadget(roots: int, resolve: float) -> Gadget:
    """Return a gadget.

    Args:
        roots: at most.
        resolve: from 0, the opponent enters by the prior, to 1, it enters where that gains.
    """
    gadget = allocated(Gadget, R=roots, G=roots)
    gadget.resolve[0] = resolve
    return gadget


@inline_kernel
def draw_root(gadget: Gadget, rng: U64) -> int:
    """Draw the root at which a walk begins."""
    return int(gadget.root[drawn_place(rng, 0, gadget.cumulative, gadget.roots[0])])


@inline_kernel
def weigh_roots(gadget: Gadget) -> None:
    """Write `factor` by the opponent's present choices, and the weights by which walks begin.

    Half of the walks begin where the opponent's choices lead, half by the prior, so that what it declines now is looked
    at, too.
    """
    groups = gadget.groups[0]
    resolve = 0.0 if gadget.forced[0] else gadget.resolve[0]
    most, total = 0.0, 0.0
    for group in range(groups):
        most = max(most, gadget.enters[group])
    for group in range(groups):
        entered = gadget.prior[group] * gadget.enters[group]
        declined = entered + (1.0 - most) * gadget.picks[group]
        gadget.factor[group] = (1.0 - resolve) * gadget.prior[group] + resolve * declined
        total += gadget.factor[group]
    reached = 0.0
    for place in range(gadget.roots[0]):
        group = gadget.group[place]
        share = gadget.factor[group] / total if total > 0.0 else 0.0
        reached += gadget.weight[place] * (share + gadget.prior[group])
        gadget.cumulative[place] = reached


@inline_kernel
def enter_subgame(game: Subgame, gadget: Gadget, player: int) -> None:
    """Write the reach probabilities of the roots for a pass in which a player's regrets are updated."""
    opposed = player == gadget.opponent[0]
    for place in range(gadget.roots[0]):
        node, group = gadget.root[place], gadget.group[place]
        game.own[node] = 1.0
        game.others[node] = gadget.weight[place] * (gadget.prior[group] if opposed else gadget.factor[group])


@inline_kernel
def choose_again(game: Subgame, gadget: Gadget) -> None:
    """Update the opponent's choices before the subgame by predictive regret matching+, from the last pass's values."""
    groups, opponent = gadget.groups[0], gadget.opponent[0]
    for group in range(groups):
        gadget.worth[group] = 0.0
    for place in range(gadget.roots[0]):
        value = share_of(game.value[gadget.root[place]], opponent)
        gadget.worth[gadget.group[place]] += gadget.weight[place] * value
    expected = 0.0
    for group in range(groups):
        expected += gadget.picks[group] * (gadget.worth[group] - gadget.alternative[group])
    total = 0.0
    for group in range(groups):
        gain = gadget.worth[group] - gadget.alternative[group]
        entering = (1.0 - gadget.enters[group]) * gain
        declining = -gadget.enters[group] * gain
        gadget.regret[2 * group] = max(0.0, gadget.regret[2 * group] + entering)
        gadget.regret[2 * group + 1] = max(0.0, gadget.regret[2 * group + 1] + declining)
        enters = max(0.0, gadget.regret[2 * group] + entering)
        declines = max(0.0, gadget.regret[2 * group + 1] + declining)
        gadget.enters[group] = enters / (enters + declines) if enters + declines > 0.0 else 0.5
        gadget.pick_regret[group] = max(0.0, gadget.pick_regret[group] + gain - expected)
        gadget.picks[group] = max(0.0, gadget.pick_regret[group] + gain - expected)
        total += gadget.picks[group]
    for group in range(groups):
        gadget.picks[group] = gadget.picks[group] / total if total > 0.0 else 1.0 / groups


@kernel
def open_gadget(gadget: Gadget) -> None:
    """Begin with an opponent that enters everywhere; roots, groups, priors and alternatives are written."""
    for group in range(gadget.groups[0]):
        gadget.enters[group] = 1.0
        gadget.picks[group] = 1.0 / gadget.groups[0]
        gadget.regret[2 * group] = gadget.regret[2 * group + 1] = gadget.pick_regret[group] = 0.0
    weigh_roots(gadget)
