"""`docs/protocol.md` and the schema agree with the types and the referee."""

import hashlib
import json
import re
from pathlib import Path
from typing import get_args

import pytest

import ggp
from docs.protocol_tables import schema_text, with_tables
from ggp.protocol.codec import decode_client, decode_server, encode
from ggp.protocol.messages import MAX_CLIENT_FRAME_BYTES, MAX_SERVER_FRAME_BYTES, Move, Ready, RefusalCode
from server.matches.library_games import LibraryGames
from server.network.frame_limits import CONTROL_FRAMES_PER_S, MAX_CONTROL_FRAMES
from server.referee.chance import draw_weighted, draw_word, seed_hash
from server.referee.game_interface import Player
from server.referee.journal import Begun, Received, Released, Sent
from server.referee.referee import Referee
from tests.support.tiny_games import created

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")
CONVERSATION = re.findall(r"^([<>]) (\{.*\})$", PAGE, flags=re.MULTILINE)


def test_the_tables_are_those_of_the_types():
    assert with_tables(PAGE) == PAGE, "run `python -m docs.protocol_tables docs`"


def test_the_schema_is_that_of_the_types():
    assert (DOCS / "protocol.schema.json").read_text(encoding="utf-8") == schema_text()


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="no marks"):
        with_tables("nothing")


def test_the_conversation_is_what_the_referee_says():
    for direction, frame in CONVERSATION:
        (decode_client if direction == ">" else decode_server)(frame)
    told = [frame for direction, frame in CONVERSATION if direction == "<"][2:]  # without `welcome` and `entry`
    games = LibraryGames()
    source = games.find("goofspiel", {"n": "2"})
    match = "7f3a91c04be2"
    game = games.load(source)
    first = created(
        game, match=match, game="goofspiel", rules="game goofspiel ...", parameters=dict(source.parameters),
        names=("alice", "bob"), start_clock_ms=10_000, play_clock_ms=5_000, allowance_ms=250,
        nonce="0123456789abcdef", hide_times=False, strikes=3, grace_ms=15_000,
    )  # fmt: skip
    referee = Referee(game, first)
    row, col = Player(0), Player(1)
    events = referee.apply(Begun(0))
    for player, message in (
        (col, Ready(match)), (row, Ready(match)), (col, Move(match, 0, "1")), (row, Move(match, 0, "2")),
        (col, Move(match, 1, "2")), (row, Move(match, 1, "2")),
    ):  # fmt: skip
        events += referee.apply(Received(1, player, message))
    events += referee.apply(Released(2))
    assert [encode(e.message) for e in events if isinstance(e, Sent) and e.player == row] == told


def test_the_worked_example_of_chance():
    digests = dict(re.findall(r'^SHA-256\("(.*)"\) += ([0-9a-f]{64})', PAGE, flags=re.MULTILINE))
    assert len(digests) == 2
    assert all(hashlib.sha256(text.encode()).hexdigest() == digest for text, digest in digests.items())
    assert digests["5eed:0123456789abcdef"] == seed_hash("5eed", "0123456789abcdef")
    hexadecimal, decimal = re.findall(r"^word += 0x([0-9a-f]{16}) = (\d+)$", PAGE, flags=re.MULTILINE)[0]
    assert int(hexadecimal, 16) == int(decimal) == draw_word("5eed", "chance", 0)
    assert f"= {(int(decimal) >> 11) / 2**53}, less than 0.5" in PAGE
    assert draw_weighted("5eed", "chance", 0, [0.5, 0.5]) == 0


def test_the_tables_of_actions_and_values_are_what_players_are_told():
    game = ggp.load(str(DOCS / "examples" / "values.rules"))
    state = game.initial()
    legal = [str(action) for action in state.legal(0)]
    assert {"step a1 b2", "pass"} <= set(legal)
    told = state.apply({0: state.parse_action(0, "step a1 b2")}).readable_observation(1)
    table = PAGE.partition("| type in the rules |")[2].partition("\n\n")[0]
    rows = re.findall(r"\| `([^`]+)`: `([^`]+)` \|$", table, flags=re.MULTILINE)
    assert [(label, json.loads(value)) for label, value in rows] == told


def test_the_limits_are_those_of_the_code():
    assert f"up to {MAX_CLIENT_FRAME_BYTES // 1024} KiB" in PAGE
    assert f"up to {MAX_SERVER_FRAME_BYTES // 1024**2} MiB" in PAGE
    assert f"{MAX_CONTROL_FRAMES} at once, and {CONTROL_FRAMES_PER_S:.0f} more each second" in PAGE


def test_every_refusal_and_entry_is_explained():
    codes = PAGE.partition("## Refused")[2].partition("\n\n##")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", codes, flags=re.MULTILINE)) - {"code"} == set(get_args(RefusalCode))
