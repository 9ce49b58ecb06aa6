"""How much a client may ask: requests a second, by a bucket of tokens for each, and questions that are open at once."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable

MOST_CLIENTS = 10_000  # those that were seen longest ago are forgotten: their buckets are full, or there is an attack


class Rates:
    """`rate` requests a second for each client, and `burst` at once; 0 for any number.

    >>> rates = Rates(rate=2, burst=1, clock=lambda: 0.0)
    >>> rates.wait("somebody"), rates.wait("somebody"), rates.wait("another")
    (0, 1, 0)
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when they were counted

    def wait(self, client: str, rate: float | None = None, burst: int | None = None) -> int:
        """Take a token of this client; where there is none, the whole seconds until there is one.

        :param rate: of this client; None for that of all.
        """
        rate = self._rate if rate is None else rate
        burst = self._burst if burst is None else burst
        if not rate:
            return 0
        now = self._clock()
        tokens, then = self._buckets.pop(client, (float(burst), now))
        tokens = min(float(burst), tokens + (now - then) * rate)
        is_free = tokens >= 1
        self._buckets[client] = (tokens - 1 if is_free else tokens, now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0 if is_free else max(1, math.ceil((1 - tokens) / rate))


class Places:
    """At most `most` places for each client at once; 0 for any number.

    >>> places = Places(1)
    >>> places.take("somebody"), places.take("somebody"), places.take("another")
    (True, False, True)
    >>> places.give_back("somebody")
    >>> places.take("somebody")
    True
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def take(self, client: str) -> bool:
        """Take a place of this client; whether there was one."""
        if self._most and self._taken[client] >= self._most:
            return False
        self._taken[client] += 1
        return True

    def give_back(self, client: str) -> None:
        """Give a place back; nothing is kept of a client without one."""
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]
