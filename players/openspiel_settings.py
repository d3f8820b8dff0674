"""Names and options of OpenSpiel's bots as players; the bots themselves need the extra `openspiel`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, cast

from msgspec import Struct

from players.player_options import BadPlayer, split_player

PREFIX = "openspiel:"
BOTS = ("ismcts", "mcts")
DEFAULT_SIMULATIONS = 1000
AGENT = "ggp.adapters.openspiel_bots"
"""The module of the agent, which stands above the players."""


class OpenSpielSettings(Struct, frozen=True):
    """A bot, and its simulations for a move where no number of iterations is given."""

    bot: Literal["ismcts", "mcts"]
    simulations: int = DEFAULT_SIMULATIONS


def read_settings(text: str) -> OpenSpielSettings:
    """Return the settings of a text such as `openspiel:ismcts:simulations=1000`.

    Raises:
        BadPlayer: there is no such bot, an option is wrong, or OpenSpiel is not installed.
    """
    name, options = split_player(text.removeprefix(PREFIX))
    simulations = options.pop("simulations", str(DEFAULT_SIMULATIONS))
    if name not in BOTS or options or not simulations.isdecimal() or int(simulations) < 1:
        raise BadPlayer(f"`{text}` is not of the form `{PREFIX}{' or '.join(BOTS)}:simulations=N`")
    if find_spec("pyspiel") is None:
        raise BadPlayer(f"`{text}` needs OpenSpiel: pip install ggp[openspiel]")
    return OpenSpielSettings(cast("Literal['ismcts', 'mcts']", name), int(simulations))
