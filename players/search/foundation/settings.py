"""The settings of all searches, one dataclass per family. Nothing here imports kernels, so help is printed at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

from players.player_options import FileText, PlayerText, setting

MIXED_C, TURNS_C = 1.5, 0.7
"""C of UCB for mixed strategies (LLW13 4.2), and for games in which players take turns: in connect four, C = 0.7 won
92 % against OpenSpiel's MCTS bot, C = 1.5 won 62 %."""
EXPLORATION = "exploration C, in units of the spread of the utilities met in a search"

EXPANSION_HELP = "what a new node tries first: every joint action once, every action of every player once, or nothing"

ESTIMATE_HELP = "a file of `ggp train`: leaves are valued by what was learned"

STATES = 4000
STATES_HELP = "largest number of world states in a belief; a sample beyond that"
THREADS_HELP = "threads, each with a tree of its own; their strategies are averaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoSettings:
    """The player that chooses a player."""

    think: float = setting(1.0, "share of the clock that is used", 0.001, 1)
    ponder: bool = setting(True, "whether to think while others do, in matches over the network")
    threads: int = setting(1, "threads of the chosen player, if it can use several", 1, 256)
    memory: int = setting(0, "megabytes for the chosen player's tree; 0: as it takes by itself", 0, 16_000)
    estimate: FileText = setting(  # noqa: RUF009
        "",
        "a file of `ggp train`, to be tested like the estimate of the rules; without one, a file of that game's name"
        " with the ending `.estimate` is looked for, in the working directory and the library",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafSettings:
    """The settings of every search that values leaves."""

    think: float = setting(1.0, "share of the clock that is used", 0.001, 1)
    leaf: Literal["playout", "estimate"] = setting(
        "playout", "how a new leaf is valued: by a random playout, or by the estimate of the rules"
    )
    moves: int = setting(0, "random transitions from the leaf before it is estimated", 0, 10_000)
    estimate: FileText = setting("", ESTIMATE_HELP)  # noqa: RUF009
    limit: int = setting(
        10_000, "transitions after which a playout is stopped and its leaf estimated instead", 1, 1_000_000
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings(LeafSettings):
    """The settings of every search with a tree."""

    memory: int = setting(0, "megabytes for the tree; 0: a sixteenth of the machine's, at most 1024", 0, 16_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSettings(SearchSettings):
    """The settings that every sampling search has."""

    expansion: Literal["joint", "cover", "none"] = setting("joint", EXPANSION_HELP)
    final: Literal["auto", "mix", "max"] = setting(
        "auto",
        "the move: drawn from the average strategy, or its most probable action; max is the stronger where there are so"
        " many actions that the average is noisy, and loses to opponents who learn what it does; auto: max where"
        " players take turns, else mix",
    )
    threads: int = setting(1, THREADS_HELP, 1, 256)

    @property
    def passes_mean(self) -> bool:
        """Whether nodes back up the mean of their values."""
        return False

    def fitted(self, simultaneous: bool) -> Self:
        """Return the settings with each `auto` replaced by what suits simultaneous moves, or turns."""
        return self if self.final != "auto" else replace(self, final="mix" if simultaneous else "max")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupSettings(TreeSettings):
    """Settings of a tree search that can back up means."""

    backup: Literal["sample", "mean"] = setting(
        "sample", "what a node backs up: the value of the iteration, or the mean of its values (SM-MCTS-A)"
    )

    @property
    def passes_mean(self) -> bool:
        """Whether nodes back up the mean of their values."""
        return self.backup == "mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class DuctSettings(TreeSettings):
    """DUCT."""

    c: float | None = setting(
        None, "exploration C, in units of `unit`; auto: 0.7 where players take turns, else 1.5", 0, 1000
    )
    ties: float = setting(
        0.01, "upper bounds this close count as equal, and one of them is drawn; with 0 play can cycle", 0, 1
    )
    unit: Literal["spread", "bounds"] = setting(
        "spread",
        "of c and ties: the spread of the utilities met in a search, or, as published, the range of the payoffs",
    )
    final: Literal["auto", "mix", "max"] = setting(
        "auto",
        "the move: sampled in proportion to how often each action was chosen, or the one with the greatest mean; auto:"
        " max where players take turns, else mix",
    )

    def fitted(self, simultaneous: bool) -> Self:
        """Return the settings with each `auto` replaced by what suits simultaneous moves, or turns."""
        known = TreeSettings.fitted(self, simultaneous)
        return known if self.c is not None else replace(known, c=MIXED_C if simultaneous else TURNS_C)


@dataclass(frozen=True, slots=True, kw_only=True)
class MctsSettings(SearchSettings):
    """UCT for turns."""

    c: float = setting(TURNS_C, EXPLORATION, 0, 1000)
    final: Literal["max", "mix"] = setting(
        "max", "the move: the action chosen most often, or drawn in proportion to how often each was chosen"
    )
    rave: float = setting(
        0.0,
        "visits at which an action's own mean counts as much as what came of plays that took it later (RAVE); 0: these"
        " do not count",
        0,
        1_000_000,
    )
    policy: FileText = setting(  # noqa: RUF009
        "", "a file of `ggp train` that ends in `.policy`: playouts choose by patterns around cells; empty: at random"
    )
    threads: int = setting(1, "threads, each with a graph of its own; their counts are added", 1, 256)


@dataclass(frozen=True, slots=True, kw_only=True)
class BestFirstSettings(SearchSettings):
    """Unbounded best-first minimax."""

    leaf: Literal["auto", "playout", "estimate"] = setting(  # type: ignore[assignment]
        "auto",
        "how a new state is valued: by a random playout, or by the estimate; auto: by the estimate if there is one",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DpwSettings(MctsSettings):
    """Double progressive widening."""

    widen_c: float = setting(
        5.0, "C of the widening: at visit v, C v^alpha actions or outcomes are considered", 0.001, 10_000
    )
    widen_alpha: float = setting(0.2, "alpha of the widening", 0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegretMatchingSettings(BackupSettings):
    """Regret matching, coupled."""

    gamma: float = setting(0.025, "share of uniform exploration", 0, 1)
    plus: bool = setting(False, "regret matching+: cumulative regrets do not fall below 0")
    average: Literal["uniform", "linear"] = setting(
        "uniform", "how strategies are averaged: all with the same weight, or that of a node's visit v with weight v"
    )
    least: float = setting(
        0.0, "with final=mix, actions less probable than this share of the most probable one are not played", 0, 1
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoupledRegretMatchingSettings(BackupSettings):
    """Regret matching, decoupled."""

    gamma: float = setting(0.1, "share of uniform exploration", 0.000001, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exp3Settings(BackupSettings):
    """Exp3."""

    gamma: float = setting(
        0.1, "share of uniform exploration; the learning rate of k actions is rate gamma / k", 0.000001, 1
    )
    rate: float = setting(
        1.0, "factor of the learning rate; the range of the payoffs gives the rate for unscaled payoffs", 0.000001, 1e9
    )
    shift: float = setting(0.0, "subtracted from utilities, which are scaled to [0, 1]; with unit=bounds", -10, 10)
    unit: Literal["range", "bounds"] = setting(
        "range", "of utilities: the range of those met in a search, or, as published, the range of the payoffs"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeSamplingSettings(TreeSettings):
    """Online outcome sampling."""

    expansion: Literal["joint", "cover", "none"] = setting("none", EXPANSION_HELP)
    gamma: float = setting(
        0.0,
        "uniform exploration of the player whose regrets are updated; 0: 0.6, and 0.4 where something is hidden",
        0,
        1,
    )
    delta: float = setting(
        0.9, "where something is hidden: share of iterations aimed at what the observations allow", 0, 0.999
    )
    epsilon: float = setting(
        0.01, "where something is hidden: share of the uniform strategy in all strategies", 0.000001, 0.5
    )
    states: int = setting(STATES, STATES_HELP, 1, 1_000_000)

    belief: ClassVar[bool] = True
    """Whether histories in the belief are weighted by the search's own strategies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeSamplingPlusSettings(TreeSettings):
    """Online outcome sampling with estimated values of actions that were not sampled."""

    gamma: float = setting(0.55, "share of uniform exploration of the player whose regrets are updated", 0.000001, 1)
    backup: Literal["expected", "sample"] = setting(
        "expected", "what a node backs up: the value of the strategy, or of the iteration (more biased)"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FullWidthSettings(SearchSettings):
    """Settings of searches over a whole partial tree."""

    nodes: int = setting(0, "nodes of the tree at most; 0: as many as the memory holds", 0, 2_000_000_000)
    rollouts: int = setting(1000, "random playouts of a leaf at most; fewer where its value has settled", 1, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class CfrSettings(FullWidthSettings):
    """Counterfactual regret minimisation."""

    average: Literal["reach", "plain"] = setting(
        "reach", "how strategies are averaged: weighted by the player's own probability of reaching a node, or not"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RnrSettings(FullWidthSettings):
    """Play against a modelled opponent."""

    p: float = setting(0.5, "confidence in the model: the probability that the opponent is the modelled one", 0, 1)
    method: Literal["restricted", "mix"] = setting(
        "restricted", "a restricted Nash equilibrium, or a best response with probability p and else an equilibrium"
    )
    model: PlayerText = setting("duct", "the modelled opponent; `/` stands for the commas between its options")  # noqa: RUF009
    model_iterations: int = setting(10_000, "iterations that the model searches before each move", 1, 1_000_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class StarSettings:
    """Depth-limited search of games of chance."""

    think: float = setting(1.0, "share of the clock that is used", 0.001, 1)
    depth: int = setting(0, "decisions looked ahead; 0: deeper and deeper while there is time", 0, 200)
    playouts: int = setting(
        4, "random playouts of a state at the horizon, where the rules have no estimate", 1, 100_000
    )
    estimate: FileText = setting("", ESTIMATE_HELP)  # noqa: RUF009
    table: int = setting(64, "megabytes for the transposition table; 0: none", 0, 16_000)

    order: bool = setting(
        True,
        "where nothing is drawn: whether actions are searched in the order of estimates, killers and history; changes"
        " no value",
    )
    window: bool = setting(
        True,
        "where nothing is drawn: whether later actions are first only asked to be better than the best so far; changes"
        " no value",
    )
    reduce: bool = setting(
        True, "where nothing is drawn, with window=on: whether late actions are first searched less deep"
    )
    quiet: int = setting(
        8,
        "where nothing is drawn: decisions beyond the horizon, as long as actions make the estimate jump; 0: none",
        0,
        50,
    )

    @property
    def width(self) -> int:
        """How many outcomes of a chance event are sampled; 0: all are searched."""
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledStarSettings(StarSettings):
    """Depth-limited search of games of chance, with sampled chance events."""

    samples: int = setting(10, "c, how many outcomes of each chance event are sampled, with replacement", 1, 10_000)

    @property
    def width(self) -> int:
        """How many outcomes of a chance event are sampled."""
        return self.samples


@dataclass(frozen=True, slots=True, kw_only=True)
class InformationSettings(SearchSettings):
    """Settings of searches that learn the other players' strategies."""

    states: int = setting(STATES, STATES_HELP, 1, 1_000_000)
    threads: int = setting(1, THREADS_HELP, 1, 256)
    final: Literal["mix", "max"] = setting(
        "mix",
        "the move: drawn in proportion to how often actions were chosen (of exp3 and rm: from the average of the"
        " strategies without exploration), or the most probable action of that",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IsmctsSettings(InformationSettings):
    """Information-set Monte Carlo tree search."""

    belief: bool = setting(
        True,
        "whether possible world states are weighted by the search's own strategies, or all alike",
    )
    selection: Literal["uct", "ruct", "exp3", "rm"] = setting(
        "ruct", "how actions are selected; ruct: uct that draws among equal bounds"
    )
    c: float = setting(1.0, "of uct and ruct: exploration C, in units of `unit`", 0, 1000)
    ties: float = setting(0.01, "of ruct: upper bounds that are this close count as equal, in units of `unit`", 0, 1)
    unit: Literal["spread", "bounds"] = setting(
        "spread",
        "of c, of ties and of what exp3 learns from: the spread (of exp3: the range) of the utilities met in a search,"
        " or, as published, the range of the payoffs",
    )
    gamma: float = setting(0.1, "of exp3 and rm: share of uniform exploration", 0.000001, 1)
    rave: float = setting(
        0.0,
        "of uct and ruct: uses at which an action's own mean counts as much as what came of plays that took it later"
        " (RAVE); 0: these do not count",
        0,
        1_000_000,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SoSettings(IsmctsSettings):
    """Single-observer Monte Carlo tree search."""

    simulation: Literal["best", "playout", "none", "random", "heavy", "rla", "region"] = setting(
        "best",
        "how a leaf is valued in visibility games: by the mean size of the set of possible cells so far (none), with"
        " simulated moves (random, heavy), by relaxed lookahead (rla), or by the size now (region); best: rla for the"
        " pursuer, none for the evader; playout: by `leaf`, as in all other games",
    )
    sizes_c: float = setting(0.02, "C of uct in visibility games, for logarithms of sizes", 0, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimaxSettings:
    """Minimax on a player's information, in visibility games."""

    think: float = setting(1.0, "share of the clock that is used", 0.001, 1)
    states: int = setting(STATES, STATES_HELP, 1, 1_000_000)
    evaluation: Literal["rla", "urla"] = setting(
        "urla", "of a leaf: relaxed lookahead, or its sum with the mean size of the set of possible cells so far"
    )
    depth: int = setting(0, "moves looked ahead; 0: deeper and deeper while there is time", 0, 40)

    belief: ClassVar[bool] = False
    """Whether histories in the belief are weighted: only the positions of units count here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PimcSettings(LeafSettings):
    """Perfect-information Monte Carlo."""

    states: int = setting(STATES, STATES_HELP, 1, 1_000_000)
    threads: int = setting(1, "threads, each with world states of its own; their votes are added", 1, 256)
    world: int = setting(500, "iterations of UCT for each world state that is drawn", 1, 1_000_000)
    final: Literal["mix", "max"] = setting(
        "max", "the move: the action that is best in most world states, or drawn by how many it is best in"
    )

    belief: ClassVar[bool] = True
    """Whether histories in the belief are weighted: the others are assumed to choose uniformly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefSamplerSettings(PimcSettings):
    """The belief sampler."""

    final: Literal["mix", "max"] = setting(
        "mix", "the move: drawn by how many world states an action is best in, or the action that is best in most"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MmctsSettings(InformationSettings):
    """Multiple-tree Monte Carlo tree search."""

    file: FileText = setting(  # noqa: RUF009
        "", "a file of strategies learned before, which stay fixed; without one, it learns as it plays"
    )
    base: float = setting(1.7, "of f(d) = base^(d - depth), the weight of a result at a player's d-th decision", 1, 100)
    depth: int = setting(0, "most decisions of a player in a game; 0: as many as in random plays", 0, 100_000)
    exponent: float = setting(0.3, "gamma(n) = n^-exponent is the share of uniform exploration", 0, 1)
    rewards: Literal["utility", "wins"] = setting(
        "utility", "what is learned from: the utility, or whether the game was won, so that a draw is as bad as a loss"
    )

    belief: ClassVar[bool] = False
    """Whether histories in the belief are weighted: they only show how to read what was observed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintSettings:
    """A strategy for the whole game."""

    think: float = setting(1.0, "share of the clock that is used", 0.001, 1)
    memory: int = setting(0, "megabytes for what is learned; 0: a sixteenth of the machine's, at most 1024", 0, 16_000)
    file: FileText = setting("", "a file of `ggp train`; without one, it learns as it plays")  # noqa: RUF009
    states: int = setting(STATES, STATES_HELP, 1, 1_000_000)
    final: Literal["purified", "mix", "max"] = setting(
        "purified", "the move: drawn from the actions of at least 0.25 in the strategy, from all, or the most probable"
    )

    belief: ClassVar[bool] = False
    """Whether histories in the belief are weighted: any one shows what its player knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObscuroSettings(SearchSettings):
    """Search without common knowledge."""

    states: int = setting(STATES, STATES_HELP, 1, 1_000_000)
    positions: int = setting(400, "largest number of positions of the belief in which a subgame begins", 1, 100_000)
    playouts: int = setting(12, "random playouts of a leaf, where the estimate is not used", 1, 100_000)
    amaf: float = setting(
        64.0,
        "playouts of a leaf that what came of its siblings' playouts counts for at most, if they took its action later"
        " (AMAF); 0: these do not count",
        0,
        100_000,
    )
    c: float = setting(1.0, "exploration C of PUCT, on utilities scaled to [0, 1]", 0, 1000)
    resolve: float = setting(
        0.5,
        "from 0, the opponent's information states are as probable as the player believes, to 1, they are those that"
        " gain by what the player does now (Resolve and Maxmargin)",
        0,
        1,
    )
    final: Literal["purified", "average", "last"] = setting(
        "purified",
        "the move: drawn from the average of the strategies, from the last one, or from the few actions that are"
        " probable in both",
    )
    actions: int = setting(3, "with final=purified: actions at most", 1, 100)

    belief: ClassVar[bool] = True
    """Whether histories in the belief are weighted by the search's own strategies."""
