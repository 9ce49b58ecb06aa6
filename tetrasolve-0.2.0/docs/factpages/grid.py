"""What tables, maps and bars have in common: values found by a pattern, and a directive that notes what it could not do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from factpages import words
from factpages.domain import asked_for, domain_of
from factpages.pattern import Starred, matches
from factpages.shelf import Shelf, shelf_of
from tetrasolve.claims.fact import Value, read_value
from tetrasolve.claims.index import Entry
from tetrasolve.claims.subject import Subject


@dataclass(frozen=True)
class Cell:
    """A value that a pattern found: what its stars stand for, and the fact it is of."""

    stars: Starred
    fact: Entry
    value: Value

    @property
    def number(self) -> Fraction | None:
        """The value where it is a number."""
        return Fraction(self.value) if isinstance(self.value, int | Fraction) else None


class FactDirective(SphinxDirective):
    """A directive about facts; what goes wrong in `nodes_of` is noted, and fails the build when all pages are read."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """What the directive stands for."""
        self.shelf.watch(self.env)
        wanted = self.arguments[0] if self.arguments else self.name
        try:
            return self.nodes_of(wanted)
        except ValueError as trouble:
            self.note(wanted, str(trouble))
            return []

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """What the directive stands for, given its argument."""
        raise NotImplementedError

    @property
    def shelf(self) -> Shelf:
        """The facts of this build."""
        return shelf_of(self.env)

    def note(self, fact: str, trouble: str = "") -> None:
        """Note that this page speaks of a fact, and what is wrong with that."""
        domain_of(self.env).note(self.env.docname, f"{self.env.docname}:{self.lineno}", fact, trouble)

    def cells(self, pattern: str, stars: int) -> list[Cell]:
        """The values that a pattern with so many stars finds; ``[*]`` at its end stands for each word of a row by its place.

        :raises ValueError: when it has another number of stars, or finds none.
        """
        if pattern.count("*") != stars:
            raise ValueError(f"a pattern with {stars} stars is needed, this is {pattern!r}")
        facts, values = self.shelf.index.by_id, self.shelf.values
        whole = pattern.removesuffix("[*]")
        cells = [Cell(starred, facts[id_], values[id_][path]) for starred, id_, path in matches(whole, values)]
        if whole != pattern:
            cells = [part for cell in cells for part in _parts(cell)]
        if not cells:
            raise ValueError("no value of the index fits this pattern")
        for cell in cells:
            self.note(cell.fact.id)
        return cells

    def text(self, value: Value, form: str) -> str:
        """A value where there is little space."""
        return words.short(value, self.shelf.names, form)


def _parts(cell: Cell) -> list[Cell]:
    """The words of a row, each by its place in it."""
    words_of = cell.value if isinstance(cell.value, tuple) else ()
    return [Cell((*cell.stars, str(place)), cell.fact, read_value(word)) for place, word in enumerate(words_of)]


def form_of(pattern: str) -> tuple[str, str]:
    """A pattern and the form of its values, as the role has them."""
    return asked_for(pattern)


def in_board_order(names: Sequence[str], subject: Subject) -> list[str]:
    """Numbers ascending, places in the order of the board, other words as they come; each once."""
    order = {name: index for index, name in enumerate(subject.places())}
    distinct = list(dict.fromkeys(names))
    if all(name.isdigit() for name in distinct):
        return sorted(distinct, key=int)
    if all(name in order for name in distinct):
        return sorted(distinct, key=order.__getitem__)
    return distinct


def shares(numbers: Mapping[object, Fraction | None]) -> dict[object, float]:
    """Each number as its share of the way from the smallest (0) to the largest (1); for colours only."""
    found = [number for number in numbers.values() if number is not None]
    low, high = min(found, default=Fraction(0)), max(found, default=Fraction(0))
    width = high - low or Fraction(1)
    return {key: float((number - low) / width) for key, number in numbers.items() if number is not None}
