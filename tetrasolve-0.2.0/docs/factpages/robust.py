"""Dependence on rows of the board: ``{fact-verdicts}`` counts facts by verdict, ``{fact-doubts}`` ranks uncertain rows."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from factpages import words
from factpages.domain import linked
from factpages.grid import FactDirective
from factpages.tables import table
from tetrasolve.claims.doubts import Doubt, doubts
from tetrasolve.claims.index import VERDICTS

NOT_ASKED = "not tested"
SHOWN = 5  # facts that depend on a row


class FactVerdicts(FactDirective):
    """``{fact-verdicts}``: for each family, how many facts hold on which other boards."""

    required_arguments = 0

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The table."""
        del wanted
        counts: Counter[tuple[str, str]] = Counter()
        for fact in self.shelf.index.entries:
            counts[fact.topic.family, fact.robustness.verdict if fact.robustness else NOT_ASKED] += 1
        verdicts = [word for word in (*VERDICTS, NOT_ASKED) if any(key[1] == word for key in counts)]
        rows = [
            (title, *(_number(counts[family, word]) for word in verdicts), _number(total))
            for family, title in self.shelf.subject.claims.families.items()
            if (total := sum(counts[family, word] for word in verdicts))
        ]
        sums = [sum(counts[family, word] for family in self.shelf.subject.claims.families) for word in verdicts]
        rows.append(("All", *map(_number, sums), _number(sum(sums))))
        return [table(("", *verdicts, "facts"), rows, classes=["matrix"])]


class FactDoubts(FactDirective):
    """``{fact-doubts}``: the uncertain rows, those with the most facts first; `top` limits their number."""

    required_arguments = 0
    option_spec: ClassVar = {"top": directives.positive_int}

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The table."""
        del wanted
        found = doubts(self.shelf.index, self.shelf.subject)
        rows = [
            (
                doubt.question,
                _number(doubt.confidence),
                _number(doubt.weight),
                _number(len(doubt.facts)),
                self._some(doubt),
            )
            for doubt in found[: self.options.get("top")]
        ]
        heads = ("question", "confidence", "facts expected to change", "facts that can", "some of them")
        return [table(heads, rows, (38, 10, 12, 8, 32), ["facts", "doubts"])]

    def _some(self, doubt: Doubt) -> nodes.paragraph:
        """A few facts that depend on a row, of as many families and kinds as possible; the graph last, since all depends on it."""
        topics = {id_: self.shelf.fact(id_).topic for id_ in doubt.facts}
        by_kind = {topic.kind: id_ for id_, topic in reversed(topics.items())}
        turns: Counter[str] = Counter({"graph": SHOWN})
        ranked = []
        for id_ in reversed(by_kind.values()):
            ranked.append((turns[topics[id_].family], id_))
            turns[topics[id_].family] += 1
        paragraph = nodes.paragraph()
        for _, id_ in sorted(ranked, key=lambda pair: pair[0])[:SHOWN]:
            self.note(id_)
            paragraph += [nodes.Text(", " if paragraph.children else ""), linked(self.shelf.fact(id_), id_)]
        return paragraph


def _number(number: int | Fraction) -> nodes.entry:
    text = words.decimals(Fraction(number)) if number else "·"
    return nodes.entry("", nodes.paragraph("", text), classes=["number"])


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("fact-verdicts", FactVerdicts)
    app.add_directive("fact-doubts", FactDoubts)
