"""General game playing: games in small rule files, strong players, competitions on the network."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggp.errors import GgpError
    from ggp.game.actions import Action
    from ggp.game.batch import Batch
    from ggp.game.game import Game, State
    from ggp.game.history import History, InformationState
    from ggp.language import library_names as games
    from ggp.rules_compiler.loading import load, load_text, parameters
    from ggp.solvers.state_strategies import StateStrategy
    from ggp.solvers.strategies import Solution, Strategy, best_response, exploitability, solve, strategy_of
    from players.evaluation.walked_strategies import walked_exploitability
    from players.search_strategies import search_strategy

    __version__: str

__all__ = [
    "Action",
    "Batch",
    "Game",
    "GgpError",
    "History",
    "InformationState",
    "Solution",
    "State",
    "StateStrategy",
    "Strategy",
    "__version__",
    "best_response",
    "exploitability",
    "games",
    "load",
    "load_text",
    "parameters",
    "search_strategy",
    "solve",
    "strategy_of",
    "walked_exploitability",
]

_PLACES = {
    "Action": "ggp.game.actions:Action",
    "Batch": "ggp.game.batch:Batch",
    "Game": "ggp.game.game:Game",
    "GgpError": "ggp.errors:GgpError",
    "History": "ggp.game.history:History",
    "InformationState": "ggp.game.history:InformationState",
    "Solution": "ggp.solvers.strategies:Solution",
    "State": "ggp.game.state:State",
    "StateStrategy": "ggp.solvers.state_strategies:StateStrategy",
    "Strategy": "ggp.solvers.strategies:Strategy",
    "best_response": "ggp.solvers.strategies:best_response",
    "exploitability": "ggp.solvers.strategies:exploitability",
    "games": "ggp.language:library_names",
    "load": "ggp.rules_compiler.loading:load",
    "load_text": "ggp.rules_compiler.loading:load_text",
    "parameters": "ggp.rules_compiler.loading:parameters",
    "search_strategy": "players.search_strategies:search_strategy",
    "solve": "ggp.solvers.strategies:solve",
    "strategy_of": "ggp.solvers.strategies:strategy_of",
    "walked_exploitability": "players.evaluation.walked_strategies:walked_exploitability",
}
"""Where the public names are; they are imported when they are first used: `import ggp` itself stays light."""


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("ggp")
    if name in _PLACES:
        module, _, attribute = _PLACES[name].partition(":")
        return getattr(import_module(module), attribute)
    raise AttributeError(f"module 'ggp' has no attribute '{name}'")
