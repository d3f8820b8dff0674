"""Frames are counted by their headers, wherever the stream is cut."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from server.network.frame_limits import CONTROL_FRAMES_PER_S, MAX_CONTROL_FRAMES, MAX_FRAGMENTS, FrameLimits


def stream(*frames: Frame) -> bytes:
    return b"".join(frame.serialize(mask=True) for frame in frames)


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 1000, 10**6])
@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536])
def test_frames_are_counted_whatever_they_hold(piece: int, length: int) -> None:
    limits = FrameLimits(lambda: 0.0)
    payload = b"\x89" * length  # would be pings, read as headers
    pings = [Frame(Opcode.PING, b"x" * 7)] * (MAX_CONTROL_FRAMES - 1)
    message = [Frame(Opcode.TEXT, payload, False), *[Frame(Opcode.CONT, b"", False)] * (MAX_FRAGMENTS - 1)]
    data = stream(*pings, *message, *message, Frame(Opcode.PONG, b""))
    assert {limits.exceeded(data[start : start + piece]) for start in range(0, len(data), piece)} == {None}
    assert limits.exceeded(stream(Frame(Opcode.CONT, b""))) == f"a message of more than {MAX_FRAGMENTS} frames"
    assert limits.exceeded(stream(Frame(Opcode.PONG, b""))) == "too many pings"


def test_more_control_frames_are_earned_with_time() -> None:
    now = [0.0]
    limits = FrameLimits(lambda: now[0])
    ping = stream(Frame(Opcode.PING, b""))
    assert limits.exceeded(ping * MAX_CONTROL_FRAMES) is None
    now[0] = 5 / CONTROL_FRAMES_PER_S
    assert limits.exceeded(ping * 5) is None
    now[0] = 10**6
    assert limits.exceeded(ping * MAX_CONTROL_FRAMES) is None
    assert limits.exceeded(ping) == "too many pings"
