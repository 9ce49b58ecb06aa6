"""Chance and choice: a game of one player against chance, solved in exact fractions.

A `Chance` node has outcomes with any positive weights, a `Choice` node has options, and an `End` has a value. `best` gives
the highest expected value and the option that reaches it in each state; `follow` gives the outcome of the game under given
choices, even where the play can return to a state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from tetrasolve.exact.chain import Absorption, absorb
from tetrasolve.exact.distribution import Distribution

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game, with its value."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Chance(Generic[S]):
    """A node where chance decides."""

    outcomes: Distribution[S]


@dataclass(frozen=True, slots=True)
class Choice(Generic[S]):
    """A node where the player decides: the state after each option, by the option's name.

    :raises ValueError: when there is no option.
    """

    options: Mapping[str, S]

    def __post_init__(self) -> None:
        if not self.options:
            raise ValueError("a choice needs at least one option")


Node: TypeAlias = "End | Chance[S] | Choice[S]"


class CyclicError(ArithmeticError):
    """The play can return to a state, so its value is not a finite sum."""


@dataclass(frozen=True, slots=True)
class Solution(Generic[S]):
    """The expected value of each state under best choices, and the best option of each state with a choice.

    Of equally good options it is the one that comes first.
    """

    values: Mapping[S, Fraction]
    options: Mapping[S, str]


def best(start: S, node: Callable[[S], Node[S]]) -> Solution[S]:
    """The highest expected value from `start`, and from every state that can follow.

    >>> def once_or_twice(faces: tuple[int, ...]) -> Node[tuple[int, ...]]:
    ...     if len(faces) == 3 or faces[-1:] == (0,):
    ...         return End(Fraction(max(faces)))
    ...     if len(faces) == 1:
    ...         return Choice({"keep": (*faces, 0), "again": (*faces, 7)})
    ...     return Chance(Distribution.uniform([(0, 0, face) for face in range(1, 7)]))
    >>> best((3,), once_or_twice).options[(3,)], best((4,), once_or_twice).options[(4,)]
    ('again', 'keep')

    :raises CyclicError: when the play can return to a state.
    """
    values: dict[S, Fraction] = {}
    options: dict[S, str] = {}
    nodes: dict[S, Node[S]] = {}
    open_: dict[S, Iterator[S]] = {}  # the states on the path to the current one, each with its successors

    def enter(state: S) -> None:
        if state in open_:
            raise CyclicError(f"the play can return to {state!r}")
        nodes[state] = node(state)
        open_[state] = iter(_followers(nodes[state]))

    enter(start)
    while open_:
        state, followers = next(reversed(open_.items()))
        following = next((other for other in followers if other not in values), None)
        if following is not None:
            enter(following)
            continue
        del open_[state]
        match nodes.pop(state):
            case End(value):
                values[state] = value
            case Chance(outcomes):
                values[state] = outcomes.expectation(values.__getitem__)
            case Choice(choices):
                name, image = max(choices.items(), key=lambda option: values[option[1]])
                values[state], options[state] = values[image], name
    return Solution(values, options)


def follow(start: S, node: Callable[[S], Node[S]], decide: Callable[[S, Choice[S]], str]) -> Absorption[S]:
    """Where the play ends when `decide` makes the choices, with exact chances, and how often it passes each state.

    :raises NotAbsorbingError: when it need not end.
    """

    def step(state: S) -> Distribution[S] | None:
        found = node(state)
        match found:
            case End():
                return None
            case Chance(outcomes):
                return outcomes
            case Choice(options):
                return Distribution.point(options[decide(state, found)])
        raise AssertionError(found)

    return absorb(start, step)


def _followers(node: Node[S]) -> Iterator[S]:
    match node:
        case Chance(outcomes):
            yield from outcomes
        case Choice(options):
            yield from options.values()
