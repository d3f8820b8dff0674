"""Limits for each address, so that one stranger cannot shut out all others.

This machine itself is not limited: tests, our own players, and a reverse proxy, which passes the real addresses.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from server.matches.token_bucket import TokenBucket

MAX_SOCKETS_EACH = 300
"""Open sockets of one address."""
MAX_PLAYERS_EACH = 200
"""Players' connections of one address."""
MAX_NEW_EACH = 50
"""New players that one address may create at once."""
NEW_EACH_PER_S = 1 / 60
"""How many more it may create each second."""
MAX_REMEMBERED = 20_000
"""Addresses whose budget is remembered; beyond that the longest unseen one is forgotten."""
IPV6_PREFIX = 48
"""The owner of an IPv6 address may have the whole network with this prefix: providers give /48 to /64."""


def network_of(host: str | None) -> str | None:
    """Return what counts as one address; None for this machine, or if there is no address."""
    if host is None:
        return None
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None  # a socket of this machine
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif not address.is_loopback:
            return str(ipaddress.ip_network((int(address), IPV6_PREFIX), strict=False))
    return None if address.is_loopback else str(address)


class Budget:
    """A token bucket for each address.

    Args:
        at_once: the capacity of a bucket.
        per_s: tokens added each second.
        clock: returns monotonic seconds.
    """

    def __init__(self, at_once: float, per_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._new_bucket = partial(TokenBucket, at_once, per_s, clock)
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, network: str | None) -> bool:
        """Take a token of an address; return whether there was one."""
        if network is None:
            return True
        if network not in self._buckets:
            self._buckets[network] = self._new_bucket()
        self._buckets.move_to_end(network)
        while len(self._buckets) > MAX_REMEMBERED:
            self._buckets.popitem(last=False)
        return self._buckets[network].take()
