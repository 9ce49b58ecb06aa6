"""The proved facts that belong to the library, chosen by family or kind and printed as tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tetrasolve.claims.index import Entry
from tetrasolve.errors import FactError, shown
from tetrasolve.tables import as_html, as_text, titled
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.facts.subject import standard_index


@dataclass(frozen=True, slots=True)
class FactList:
    """Proved facts in the order of the index: iterable, indexed by id, printed as a table a family."""

    entries: tuple[Entry, ...]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, fact: str) -> Entry:
        """The fact with this id.

        :raises FactError: if there is none among these.
        """
        for entry in self.entries:
            if entry.id == fact:
                return entry
        raise FactError(f"{shown(fact)} is no fact of this list")

    def __str__(self) -> str:
        tables = []
        for family in dict.fromkeys(entry.topic.family for entry in self.entries):
            tables.append(titled(CLAIMS.families.get(family, family)))
            for entry in self.entries:
                if entry.topic.family == family:
                    tables[-1].add_row(entry.id, entry.sentence)
        return as_text(tables) if tables else "no facts"

    def _repr_html_(self) -> str:
        return as_html(str(self))


def facts(*, family: str | None = None, kind: str | None = None) -> FactList:
    """The proved facts about the rules and the standard board, with their values and certificates.

    `family` and `kind` choose some of them (None: all). They are read from the index; nothing is proved or checked again:
    see `tetrasolve facts check`.

    >>> {fact.topic.family for fact in facts(family="graph")}
    {'graph'}

    :raises FactError: if there is no such family or kind, or the index cannot be read.
    """
    entries = standard_index().entries
    for name, given, known in (
        ("family", family, {entry.topic.family for entry in entries}),
        ("kind", kind, {entry.topic.kind for entry in entries}),
    ):
        if given is not None and given not in known:
            raise FactError(f"{name} {shown(given)}: expected one of {', '.join(sorted(known))}")
    return FactList(
        tuple(
            entry
            for entry in entries
            if (family is None or entry.topic.family == family) and (kind is None or entry.topic.kind == kind)
        )
    )
