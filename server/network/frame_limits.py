"""Limits on the frames a websocket peer sends: control frames per second, and fragments per message.

A websocket library bounds the size of a message, but answers every ping and accepts empty fragments without end.
"""

from __future__ import annotations

from collections.abc import Callable

from server.matches.token_bucket import TokenBucket

MAX_CONTROL_FRAMES = 200
"""Pings and pongs a peer may send at once."""
CONTROL_FRAMES_PER_S = 10.0
"""How many more it may send each second."""
MAX_FRAGMENTS = 64
"""Frames that one message may be made of."""

CONTINUATION, PING, PONG = 0x0, 0x9, 0xA
MASK_BYTES = 4
EXTENDED_LENGTH_BYTES = {126: 2, 127: 8}


class FrameLimits:
    """Counts frames by their headers (RFC 6455, section 5.2); payloads are skipped.

    Args:
        clock: returns monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._control_frames = TokenBucket(MAX_CONTROL_FRAMES, CONTROL_FRAMES_PER_S, clock)
        self._fragments = 0
        self._header = bytearray()
        self._payload_left = 0

    def exceeded(self, data: bytes) -> str | None:
        """Count the frames that begin in the next bytes of the stream; return which limit they exceed, if any."""
        position = 0
        while position < len(data):
            if self._payload_left:
                skipped = min(self._payload_left, len(data) - position)
                self._payload_left -= skipped
                position += skipped
                continue
            self._header.append(data[position])
            position += 1
            if not self._header_is_complete():
                continue
            reason = self._count(self._header[0] & 0x0F)
            self._header.clear()
            if reason is not None:
                return reason
        return None

    def _header_is_complete(self) -> bool:
        """Return whether the header is complete, and note the length of its payload then."""
        header = self._header
        if len(header) < 2:
            return False
        short = header[1] & 0x7F
        extended = EXTENDED_LENGTH_BYTES.get(short, 0)
        if len(header) < 2 + extended + (MASK_BYTES if header[1] & 0x80 else 0):
            return False
        self._payload_left = int.from_bytes(header[2 : 2 + extended], "big") if extended else short
        return True

    def _count(self, opcode: int) -> str | None:
        if opcode in (PING, PONG):
            return None if self._control_frames.take() else "too many pings"
        self._fragments = self._fragments + 1 if opcode == CONTINUATION else 1
        return f"a message of more than {MAX_FRAGMENTS} frames" if self._fragments > MAX_FRAGMENTS else None
