"""`docs/hosting.md` and `docs/players.md` agree with the code."""

import inspect
import re
from pathlib import Path

import click

from ggp.cli.main import app
from players.agents import registry
from players.agents.option_tables import option_sections, with_tables
from players.client import MatchPlayer
from players.player_options import option_texts
from players.search.foundation.settings import TreeSettings
from server.competitions.settings import CHANGEABLE_IN_PLAY, CompetitionSettings
from server.network.api import Api
from server.store.store import Store

DOCS = Path(__file__).parents[3] / "docs"
HOSTING = (DOCS / "hosting.md").read_text(encoding="utf-8")
PLAYERS = (DOCS / "players.md").read_text(encoding="utf-8")


def test_the_first_player_is_the_example():
    assert (DOCS / "examples" / "first_player.py").read_text(encoding="utf-8") in PLAYERS


def test_the_tables_of_players_are_those_of_the_registry():
    assert with_tables(PLAYERS) == PLAYERS, "run `python -m players.agents.option_tables docs`"
    rows = {line.split("|")[1].strip(" `"): line for line in PLAYERS.splitlines() if line.startswith("| `")}
    assert rows.keys() >= registry.PLAYERS.keys()
    assert "two players, constant sum" in rows["rm"]
    assert "two players" not in rows["duct"].split("|")[3]


def test_every_way_to_expand_is_explained():
    (expansion,) = {option.values for option in option_texts(TreeSettings) if option.key == "expansion"}
    table = PLAYERS.partition("| `expansion` | |")[2].partition("\n\n")[0]
    told = re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)
    assert set(told) == set(expansion.split(" or "))


def test_each_player_has_a_table_of_its_own_options():
    tables = dict(re.findall(r"### Options of (.*)\n\n([^#]*)", option_sections()))
    assert tables.keys() >= {"`rm`", "`pimc`", "`expectimax`, `star1`, `star2`"}
    assert re.search(r"\| `c` \| number from 0 to 1000 \| 1 \|", tables["`ismcts`"])
    assert "`memory`" not in tables["`pimc`"]
    assert "`belief`" not in tables["`mmcts`"]


def test_the_methods_are_those_of_the_class():
    told = re.findall(r"^\| `(\w+)\(([\w, ]*)\)`", PLAYERS, flags=re.MULTILINE)
    methods = {name: method for name, method in vars(MatchPlayer).items() if inspect.isfunction(method)}
    assert dict(told) == {
        name: ", ".join(list(inspect.signature(method).parameters)[1:]) for name, method in methods.items()
    }


def test_the_options_are_those_of_the_command():
    told = set(re.findall(r"--[a-z][a-z-]+", HOSTING)) - {
        "--kills",
        "--verify",
        "--match",
        "--name",
        "--patience",
        "--token-file",
        "--slow",
    }
    serve, join, competition = (app.get_command(click.Context(app), name) for name in ("serve", "join", "competition"))
    options = {option for parameter in serve.params for option in parameter.opts if option.startswith("--")}
    others = {
        option
        for command in (join, *competition.commands.values())
        for parameter in command.params
        for option in parameter.opts
    }
    assert options - {"--param"} <= told <= options | others


def test_every_setting_of_a_competition_is_explained():
    table = HOSTING.partition("| setting | default | |")[2].partition("\n\n")[0]
    told = {name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert told == set(CompetitionSettings.__struct_fields__)
    changeable = {
        name for line in table.splitlines() if "†" in line for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert changeable >= CHANGEABLE_IN_PLAY


def test_the_addresses_are_those_of_the_api(tmp_path):
    from server.network.host import Host
    from tests.support.tiny_games import TinyGames

    store = Store(tmp_path / "store.sqlite")
    try:
        host = Host(store, TinyGames())
        api = Api(host.manager, host.competitions, host.admission, None)
        routes = {route.path for route in api.application().routes}
    finally:
        store.close()
    table = HOSTING.partition("| address |")[2].partition("\n\n")[0]
    told = set(re.findall(r"`(/[^`?]*)`", table))
    assert told == {re.sub(r"\{[\w:]+\}", "ID", path) for path in routes} - {"/"}
