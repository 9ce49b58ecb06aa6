"""Many values by one name: in ``route-enter/hill 12.*`` the star stands for a part of a path, in ``depth/* max`` of an id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tetrasolve.claims.fact import Value

Starred = tuple[str, ...]  # what the stars stand for, in their order


def matches(pattern: str, facts: Mapping[str, Mapping[str, Value]]) -> Iterator[tuple[Starred, str, str]]:
    """For each value whose id and path fit: what the stars stand for, the id, the path.

    A star stands for anything but dots and slashes, two for anything. A pattern without a path fits facts with one value only.

    >>> facts = {"reach/asia": {"0.max": 7, "1.max": 5}, "reach/hill": {"0.max": 3}}
    >>> [stars for stars, *_ in matches("reach/* *.max", facts)]
    [('asia', '0'), ('asia', '1'), ('hill', '0')]
    """
    id_, _, path = pattern.partition(" ")
    ids, paths = _compiled(id_), _compiled(path.strip() or "*")
    for fact, values in facts.items():
        if (found := ids.fullmatch(fact)) and (path or len(values) == 1):
            for written in values:
                if within := paths.fullmatch(written):
                    yield (*found.groups(), *(within.groups() if path else ())), fact, written


def ids(pattern: str, facts: Iterable[str]) -> list[str]:
    """The ids that fit a pattern.

    >>> ids("reach/*", ["reach/asia", "reach/hill", "radius"])
    ['reach/asia', 'reach/hill']
    """
    compiled = _compiled(pattern)
    return [fact for fact in facts if compiled.fullmatch(fact)]


def _compiled(pattern: str) -> re.Pattern[str]:
    parts = ("([^./]+)".join(map(re.escape, part.split("*"))) for part in pattern.split("**"))
    return re.compile("(.+)".join(parts))
