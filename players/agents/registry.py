"""All players: their names, settings, and agents. Kernels are imported when an agent is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from players import openspiel_settings
from players.agents.agent import Agent, EitherAgent, RandomAgent, SearchAgent
from players.agents.auto import PLAYED_BY_AUTO, AutoAgent
from players.agents.belief_agent import BeliefAgent
from players.agents.candidates import candidates_for
from players.agents.player_kinds import NoSettings, PlayerKind
from players.agents.requirements import (
    OPEN,
    OPEN_CONSTANT_SUM,
    OPEN_DUEL,
    OPEN_TURNS,
    constant_sum,
    hidden_draws,
    nothing_drawn,
    perfect_information,
    something_unseen,
    turns,
    two_players,
    visibility,
)
from players.agents.valued_game import valued_game
from players.openspiel_settings import OpenSpielSettings
from players.player_options import (
    BadPlayer,
    NotApplicable,
    PlayerText,
    read_settings,
    settings_text,
    split_player,
    suggestion,
)
from players.saved_strategy import ENDING, SavedStrategyAgent, SavedStrategySettings, saved_shares
from players.search.foundation.settings import (
    AutoSettings,
    BeliefSamplerSettings,
    BestFirstSettings,
    BlueprintSettings,
    CfrSettings,
    DecoupledRegretMatchingSettings,
    DpwSettings,
    DuctSettings,
    Exp3Settings,
    IsmctsSettings,
    MctsSettings,
    MinimaxSettings,
    MmctsSettings,
    ObscuroSettings,
    OutcomeSamplingPlusSettings,
    OutcomeSamplingSettings,
    PimcSettings,
    RegretMatchingSettings,
    RnrSettings,
    SampledStarSettings,
    SearchSettings,
    SoSettings,
    StarSettings,
)

if TYPE_CHECKING:
    from ggp.game.game import Game
    from ggp.native.interface import NativeGame


class PlayerSpec(Struct, frozen=True):
    """A player with its settings."""

    kind: PlayerKind
    settings: Any

    def __str__(self) -> str:
        if isinstance(self.settings, SavedStrategySettings | OpenSpielSettings):
            return self.kind.name
        return settings_text(self.kind.name, self.settings)

    def played(self, games: Sequence[Game]) -> Iterator[PlayerSpec]:
        """Yield the players whose kernels it needs: itself, or for `auto` those it plays as.

        Args:
            games: that will be played; empty: any may be.
        """
        if not isinstance(self.settings, AutoSettings):
            yield self
            return
        texts = dict.fromkeys(text for game in games for text in candidates_for(game, self.settings.estimate).players)
        texts = texts or dict.fromkeys(PLAYED_BY_AUTO)
        for text in texts:
            yield read_player(text)

    def check(self, game: Game) -> None:
        """Refuse a game that this player cannot play, or not with these settings.

        Raises:
            NotApplicable: it cannot.
        """
        self.kind.check(game)
        if isinstance(self.settings, SavedStrategySettings):
            saved_shares(self.settings.file, game)
        if isinstance(self.settings, BlueprintSettings) and self.settings.file:
            _check_blueprint(self.settings.file, game)
        if self.native(game).functions.estimate == 0 and getattr(self.settings, "leaf", "") == "estimate":
            raise NotApplicable(f"`leaf=estimate` needs an `estimate` in the rules, and {game.name} has none")

    def native(self, game: Game) -> NativeGame:
        """Return a compiled game as this player sees it: with a learned estimate, if its settings name one.

        Raises:
            NotApplicable: the file of the estimate cannot be read, or belongs to another game.
        """
        return valued_game(game, self.settings)

    def make_agent(self) -> Agent:
        """Return a new agent, for one role of one match."""
        kind = self.kind
        if isinstance(self.settings, AutoSettings):
            return AutoAgent(**asdict(self.settings))
        if isinstance(self.settings, SavedStrategySettings):
            return SavedStrategyAgent(self.settings)
        if isinstance(self.settings, OpenSpielSettings):
            return cast("Agent", import_module(openspiel_settings.AGENT).OpenSpielAgent(self.settings))
        if not kind.searches:
            return RandomAgent()
        if not kind.hidden_module:
            return SearchAgent(kind.family, self.settings, self.check)
        hidden = BeliefAgent(kind.hidden_family, self.settings, self.check)
        return EitherAgent(SearchAgent(kind.family, self.settings, self.check), hidden) if kind.module else hidden


def _check_blueprint(file: str, game: Game) -> None:
    from players.learning.blueprints import about_blueprint_of
    from players.search.foundation.archives import ArchiveUnusable

    try:
        about_blueprint_of(game, Path(file))
    except ArchiveUnusable as error:
        raise NotApplicable(str(error)) from error


PLAYERS: dict[str, PlayerKind] = {
    kind.name: kind
    for kind in (
        PlayerKind(
            "auto",
            "looks at the game and plays what is strongest there: solves it, or searches; says what it chose and why",
            "",
            AutoSettings,
        ),
        PlayerKind("random", "draws uniformly from the legal actions", "", NoSettings),
        PlayerKind(
            "duct",
            "UCT decoupled over the players' own actions; any number of players",
            "LLW13 3.1; Lisý 2014, eq. 3.1 and 3.2",
            DuctSettings,
            "players.search.simultaneous.decoupled_uct",
            OPEN,
        ),
        PlayerKind(
            "rm",
            "regret matching, coupled over joint actions; two players, constant sum",
            "LLW13 3.3; Lisý 2014, eq. 3.10 and 3.11",
            RegretMatchingSettings,
            "players.search.simultaneous.regret_matching",
            OPEN_CONSTANT_SUM,
        ),
        PlayerKind(
            "drm",
            "regret matching decoupled over the players' own actions; any number of players",
            "Lisý 2014, eq. 3.8 and 3.9",
            DecoupledRegretMatchingSettings,
            "players.search.simultaneous.decoupled_regret_matching",
            OPEN,
        ),
        PlayerKind(
            "exp3",
            "exponential weights, decoupled; any number of players",
            "LLW13 3.2; Lisý 2014, eq. 3.3 to 3.7",
            Exp3Settings,
            "players.search.simultaneous.exp3",
            OPEN,
        ),
        PlayerKind(
            "oos",
            "outcome sampling, aimed where something is hidden; converges to an equilibrium; two players, constant sum",
            "LLW13 3.4; Lisý 2014, figures 3.2, 3.7 and 3.8",
            OutcomeSamplingSettings,
            "players.search.simultaneous.outcome_sampling",
            (two_players, constant_sum),
            "players.search.information_sets.targeted_outcome_sampling",
        ),
        PlayerKind(
            "oos+",
            "outcome sampling with estimates of what was not sampled; two players, constant sum",
            "LLW13 3.4",
            OutcomeSamplingPlusSettings,
            "players.search.simultaneous.outcome_sampling_plus",
            OPEN_CONSTANT_SUM,
        ),
        PlayerKind(
            "cfr",
            "counterfactual regret minimisation, full width on a partial tree; two players, constant sum",
            "SSS09 4 and 5, figures 3 to 6",
            CfrSettings,
            "players.search.cfr.full_width",
            OPEN_CONSTANT_SUM,
        ),
        PlayerKind(
            "rnr",
            "restricted Nash equilibrium, or best response mix, against a modelled opponent; two players, constant sum",
            "SSS09 6; Johanson, Zinkevich, Bowling 2007",
            RnrSettings,
            "players.agents.modelled_opponent",
            OPEN_CONSTANT_SUM,
        ),
        PlayerKind(
            "ismcts",
            "Monte Carlo tree search over information states, from what fits the observations; any number of players",
            "Lisý 2014, 3.2.3, figures 3.4 and 3.5",
            IsmctsSettings,
            hidden_module="players.search.information_sets.information_set_mcts",
        ),
        PlayerKind(
            "obscuro",
            "solves a subgame of positions that fit, without common knowledge; two players, constant sum",
            "Zhang, Sandholm 2025; Farina, Kroer, Sandholm 2021",
            ObscuroSettings,
            requirements=(two_players, constant_sum),
            hidden_module="players.search.obscuro.obscuro_search",
        ),
        PlayerKind(
            "blueprint",
            "MCCFR before play, by how good that is which chance has shown; two players, constant sum",
            "Lanctot et al. 2009; Brown, Sandholm 2019; Johanson et al. 2013",
            BlueprintSettings,
            requirements=(hidden_draws, turns, two_players, constant_sum),
            hidden_module="players.search.blueprint.blueprint_search",
        ),
        PlayerKind(
            "so",
            "single-observer tree search: the others choose as if they knew what it knows; any number of players",
            "Lisý 2014, 3.2.2 and 5.3.1",
            SoSettings,
            hidden_module="players.search.visibility.single_observer_mcts",
        ),
        PlayerKind(
            "minimax",
            "alpha-beta on what the player knows of units that hide from each other; expects to see the worst",
            "Lisý 2014, 5.5.1; Raboin et al. 2010",
            MinimaxSettings,
            requirements=(visibility,),
            hidden_module="players.search.visibility.visibility_search",
        ),
        PlayerKind(
            "pimc",
            "perfect-information Monte Carlo: UCT with open cards in world states that fit; any number of players",
            "Lisý 2014, 3.2.1; Ginsberg 2001",
            PimcSettings,
            hidden_module="players.search.information_sets.perfect_information_sampling",
        ),
        PlayerKind(
            "belief-sampler",
            "the optimal actions with open cards in all world states that fit, by frequency; any number of players",
            "Auger 2011, 4",
            BeliefSamplerSettings,
            hidden_module="players.search.information_sets.perfect_information_sampling:BELIEF_SAMPLER",
        ),
        PlayerKind(
            "mmcts",
            "multiple-tree MCTS with EXP3, learned before play and kept in a file; any number of players",
            "Auger 2011, algorithm 2",
            MmctsSettings,
            hidden_module="players.search.information_sets.multiple_tree_mcts",
        ),
        PlayerKind(
            "mcts",
            "UCT for turns, with transpositions and proven values; any number of players",
            "Kocsis, Szepesvári 2006; MCMS13 2.2; Winands, Björnsson, Saito 2008",
            MctsSettings,
            "players.search.uct.graph_search",
            OPEN_TURNS,
        ),
        PlayerKind(
            "dpw",
            "UCT for turns with double progressive widening, of actions and of chance outcomes",
            "MCMS13 2.2; Couëtoux et al. 2011",
            DpwSettings,
            "players.search.uct.graph_search",
            OPEN_TURNS,
        ),
        PlayerKind(
            "ubfm",
            "unbounded best-first minimax with completion: always goes on where play is best for both, by estimates",
            "Korf, Chickering 1996; Cohen-Solal, Cazenave 2020",
            BestFirstSettings,
            "players.search.uct.best_first",
            (*OPEN_DUEL, nothing_drawn),
        ),
        PlayerKind(
            "expectimax",
            "looks ahead for as many decisions as the clock allows, through all outcomes of chance",
            "MCMS13 2.1; Michie 1966",
            StarSettings,
            "players.search.star.star_search:EXPECTIMAX",
            OPEN_DUEL,
        ),
        PlayerKind(
            "star1",
            "expectimax with pruning, at chance nodes too; alpha-beta where nothing is drawn",
            "MCMS13 algorithm 1; Ballard 1983",
            StarSettings,
            "players.search.star.star_search:STAR1_FAMILY",
            OPEN_DUEL,
        ),
        PlayerKind(
            "star2",
            "star1 that first tries a single action behind each outcome",
            "MCMS13 algorithm 2; Ballard 1983",
            StarSettings,
            "players.search.star.star_search:STAR2_FAMILY",
            OPEN_DUEL,
        ),
        PlayerKind(
            "expss",
            "expectimax on some sampled outcomes of each chance event",
            "MCMS13 2.3 and 3.1",
            SampledStarSettings,
            "players.search.star.star_search:EXPECTIMAX",
            OPEN_DUEL,
        ),
        PlayerKind(
            "star1ss",
            "star1 on sampled outcomes",
            "MCMS13 3.1",
            SampledStarSettings,
            "players.search.star.star_search:STAR1_FAMILY",
            OPEN_DUEL,
        ),
        PlayerKind(
            "star2ss",
            "star2 on sampled outcomes, the same ones when it tries and when it searches",
            "MCMS13 3.1",
            SampledStarSettings,
            "players.search.star.star_search:STAR2_FAMILY",
            OPEN_DUEL,
        ),
    )
}
"""All players, by name."""


def read_player(text: str) -> PlayerSpec:
    """Return the player of a text such as `rm`, `rm:gamma=0.1,think=0.5`, or `kuhn.json`, the file of a strategy.

    Raises:
        BadPlayer: the name or a key is unknown, or a value is wrong.
    """
    if text.endswith(ENDING):
        kind = PlayerKind(text, "plays a strategy from a file", "", SavedStrategySettings)
        return PlayerSpec(kind, SavedStrategySettings(text))
    if text.startswith(openspiel_settings.PREFIX):
        bot = openspiel_settings.read_settings(text)
        requirement = perfect_information if bot.bot == "mcts" else something_unseen
        return PlayerSpec(
            PlayerKind(text, "a search of OpenSpiel", "", OpenSpielSettings, requirements=(requirement,)), bot
        )
    name, pairs = split_player(text)
    if name not in PLAYERS:
        raise BadPlayer(f"there is no player `{name}`{suggestion(name, PLAYERS)}")
    kind = PLAYERS[name]
    settings = read_settings(kind.settings, name, pairs)
    if isinstance(settings, RnrSettings):
        modelled_player(settings.model)
    return PlayerSpec(kind, settings)


def modelled_player(text: PlayerText) -> PlayerSpec:
    """Return the player that another player's option names as its model.

    Raises:
        BadPlayer: it is unknown, or its strategies cannot be read at all nodes of one tree.
    """
    spec = read_player(text.replace("/", ","))
    settings = spec.settings
    if not isinstance(settings, SearchSettings) or isinstance(settings, RnrSettings | MctsSettings):
        raise BadPlayer(f"`{spec.kind.name}` cannot be a model: its strategies cannot be read")
    if settings.estimate:
        raise BadPlayer(f"`{text}` cannot be a model: leave out `estimate`")
    if getattr(settings, "threads", 1) != 1:
        raise BadPlayer(f"`{text}` cannot be a model: strategies are read from one tree, leave out `threads`")
    return spec
