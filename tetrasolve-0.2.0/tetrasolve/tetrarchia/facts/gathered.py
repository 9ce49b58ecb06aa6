"""A kind of facts whose instances come in several groups, each with its own way to derive and to say its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.tetrarchia.board import Board

EVERY_LEVEL = "every level of the base game, with the usual readings"


class Group(NamedTuple):
    """Some instances of a kind: their values by the rest of the instance, and the sentence of one of them."""

    derive: Callable[[Board], Mapping[str, Values]]
    say: Callable[[str, Values], str]


def recounted(
    kind: str,
    family: str,
    title: str,
    how: str,
    rows: tuple[str, ...],
    groups: Mapping[str, Group],
    ruleset: str = EVERY_LEVEL,
    effort: float = 0.02,
) -> Topic:
    """A kind that the checker counts again.

    The keys of `groups` begin the instances: ``to`` and ``persia`` make ``to-persia``, and a rest that is empty leaves the
    key alone. With the empty key the rest is the instance; no other key may begin such a rest.
    """

    def derive(board: Board) -> dict[str, Values]:
        return {
            "-".join(filter(None, (name, rest))): values
            for name, group in groups.items()
            for rest, values in group.derive(board).items()
        }

    def say(instance: str, values: Values) -> str:
        name = max(
            (name for name in groups if instance == name or instance.startswith(f"{name}-")), key=len, default=""
        )
        return groups[name].say(instance[len(name) :].removeprefix("-"), values)

    return Topic(kind, family, title, how, "", rows, derive, None, say, ruleset=ruleset, effort=effort)
