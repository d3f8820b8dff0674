import json
from typing import Literal

import msgspec
import pytest

from ggp.protocol.codec import MessageError, decode_client, decode_server, encode, not_of_type
from ggp.protocol.messages import MAX_CLIENT_FRAME_BYTES, Act, Hello, Move, Observe, Observed, Problem, Ready, Welcome


@pytest.mark.parametrize("message", [Hello("rm", token="t"), Ready("m1"), Move("m1", 3, "b2 b3")])
def test_client_messages_survive_the_wire(message):
    assert decode_client(encode(message)) == message


@pytest.mark.parametrize(
    "message",
    [
        Welcome("rm-2", "secret"),
        Act("m1", 4, 1, ["7", "8"], 990),
        Observe("m1", 5, "7", "late", [Observed("bid", {"row": "7", "col": "8"})]),
    ],
)
def test_server_messages_survive_the_wire(message):
    assert decode_server(encode(message)) == message


def test_clients_survive_what_a_later_version_adds():
    frame = json.loads(encode(Welcome("rm", "secret"))) | {"motd": "hello"}
    assert decode_server(json.dumps(frame)) == Welcome("rm", "secret")
    assert decode_server('{"type":"weather","wind":3}') is None
    assert decode_server('{"type":"error","code":"windy","message":"it is"}') == Problem("windy", "it is")
    entry = {"type": "entry", "competition": "1", "name": "c", "state": "promoted"}
    assert decode_server(json.dumps(entry)).state == "promoted"
    for frame in ("{}", '{"type":3}', '{"type":"act"}', '{"type":"error","code":7,"message":""}'):
        with pytest.raises(MessageError):
            decode_server(frame)


@pytest.mark.parametrize(
    ("frame", "names", "match"),
    [
        ("{}", "`type`", None),
        ("[1]", "`object`", None),
        ("[" * 8000, "`object`", None),
        ("hello", "not JSON: ", None),
        (b"\xff\xfe", "not JSON: ", None),
        ('{"type":"quit"}', "'quit' - at `$.type`", None),
        ('{"type":"move","match":"m1","step":0,"action":5}', "at `$.action`", "m1"),
        ('{"type":"move","match":"m1","step":-1,"action":"5"}', ">= 0 - at `$.step`", "m1"),
        ('{"type":"move","match":"m1","actoin":"5"}', "unknown field `actoin`", "m1"),
        ('{"type":3}', "at `$.type`", None),
        ('{"type":"hello","name":"\\ud800"}', "half of a surrogate pair", None),
        ('{"type":"hello","name":"\\ud83d\\ud83d"}', "half of a surrogate pair", None),
        ('{"type":"move","match":"m1","step":0,"action":"1","action":"2"}', "`action` is given twice", None),
        ('{"type":"move","match":["m1"],"step":0}', "at `$.match`", None),
    ],
)
def test_a_frame_that_is_no_message_is_told_what_is_wrong(frame, names, match):
    with pytest.raises(MessageError) as caught:
        decode_client(frame)
    assert names in str(caught.value)
    assert caught.value.match == match


def test_a_frame_of_the_largest_size_is_read_and_no_longer_one():
    empty = encode(Move("m1", 0, ""))
    fits = json.dumps({"type": "ready", "match": "m1"}).ljust(MAX_CLIENT_FRAME_BYTES)
    assert decode_client(fits) == Ready("m1")
    with pytest.raises(MessageError, match="16385 bytes; 16384 are allowed"):
        decode_client(fits + " ")
    assert len(empty) < MAX_CLIENT_FRAME_BYTES


@pytest.mark.parametrize(
    "frame",
    [
        '{"type":"ready","match":"m1","%s":1}' % ("x" * 16_000),
        '{"type":"%s"}' % ("y" * 16_000),
        '{"type":"move","match":"m1","action":"x","step":%s}' % ("9" * 4_000),
    ],
)
def test_what_is_wrong_is_told_in_short_however_long_the_frame(frame):
    """It goes into the store, and to all players of the match when it ends."""
    with pytest.raises(MessageError) as caught:
        decode_client(frame)
    assert 0 < len(caught.value.reason) <= 200


def test_a_word_that_a_field_does_not_take_is_answered_with_those_that_it_takes():
    class Settings(msgspec.Struct):
        entry: Literal["everybody", "approval"] = "approval"
        rounds: int = 1

    for given, told in (({"entry": "open"}, ": it is one of "), ({"rounds": "two"}, "`int`")):
        with pytest.raises(msgspec.ValidationError) as caught:
            msgspec.convert(given, Settings)
        assert told in not_of_type(caught.value, Settings)
    assert not_of_type(msgspec.ValidationError("Invalid enum value 'open' - at `$.entry`"), Settings).endswith(
        "at `$.entry`: it is one of approval, everybody"
    )
