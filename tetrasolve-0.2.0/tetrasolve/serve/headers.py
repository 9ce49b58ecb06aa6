"""Headers in which a client lists what it accepts: parts between commas, each with a quality value (RFC 9110, section 12.4.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from starlette.requests import Request

QUALITY = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
MOST_PARTS = 100  # of a header; those after them are not read


def preferred(request: Request, name: str, offered: Collection[str], read: Callable[[str], str]) -> str | None:
    """Which of those that are offered the header with this name prefers; of those that it likes as well the first that it names.

    :param read: what a part of the header, without its parameters and in lower case, stands for.
    """
    weights: dict[str, float] = {}
    for part in ",".join(request.headers.getlist(name)).split(",", MOST_PARTS)[:MOST_PARTS]:
        found = read(part.partition(";")[0].strip().lower())
        if found in offered:
            weights[found] = max(weight(part), weights.get(found, 0.0))
    best = max(weights, key=weights.__getitem__, default=None)  # the first of equal ones
    return best if best is not None and weights[best] > 0 else None


def weight(part: str) -> float:
    """The quality value of a part of such a header, in [0, 1]; 1 where it has none that can be read.

    >>> weight("es;q=0.5"), weight("es ; Q=0"), weight("es"), weight("es;q=much"), weight("es;q=1.5")
    (0.5, 0.0, 1.0, 1.0, 1.0)
    """
    for parameter in part.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            return float(value) if QUALITY.fullmatch(value.strip()) else 1.0
    return 1.0
