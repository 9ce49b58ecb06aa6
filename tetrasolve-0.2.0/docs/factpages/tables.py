"""Tables of facts: all of a family or a kind with what they rest on; sentences in a list, values counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from factpages import words
from factpages.domain import anchor, certificate_link, domain_of, linked, proof_of, said_and_proved
from factpages.grid import FactDirective
from factpages.pattern import ids
from tetrasolve.claims.index import Entry

LONG = 12  # facts of a kind; more are folded away
SHOWN = 6  # changes of the map that break a fact


class FactKind(FactDirective):
    """``{fact-kind} route-enter``: each fact of a kind in a sentence, with certainty, robustness and certificate."""

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """What the kind is, and the table."""
        facts = [fact for fact in self.shelf.index.entries if wanted in (fact.topic.id, fact.topic.kind)]
        if not facts:
            raise ValueError("the index has no fact of this kind")
        return [_about(facts[0], facts), *self._folded(facts)]

    def _folded(self, facts: Sequence[Entry]) -> Iterator[nodes.Node]:
        if len(facts) <= LONG:
            yield self._table(facts)
        else:
            yield nodes.raw("", f"<details><summary>All {len(facts)} facts</summary>", format="html")
            yield self._table(facts)
            yield nodes.raw("", "</details>", format="html")

    def _table(self, facts: Sequence[Entry]) -> nodes.table:
        rows = []
        for fact in facts:
            self.note(fact.id)
            domain_of(self.env).enter(fact.id, self.env.docname)
            sentence = nodes.paragraph("", fact.sentence, ids=[anchor(fact.id)])
            name = nodes.literal("", fact.id, classes=["fact-id"])
            certificate = nodes.paragraph(
                "",
                "",
                certificate_link(self.env, fact, nodes.inline("", fact.topic.form), proof_of(fact)),
            )
            rows.append(
                (
                    nodes.entry("", sentence, nodes.paragraph("", "", name)),
                    fact.topic.certainty,
                    robustness(fact),
                    certificate,
                )
            )
        return table(("fact", "certainty", "on other maps", "proof"), rows, (52, 12, 22, 14), ["facts"])


class FactFamily(FactKind):
    """``{fact-family} routes``: a section for each kind of a family."""

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The sections."""
        kinds: dict[str, list[Entry]] = {}
        for fact in self.shelf.index.entries:
            if fact.topic.family == wanted:
                kinds.setdefault(fact.topic.id, []).append(fact)
        if not kinds:
            raise ValueError("the index has no fact of this family")
        return [
            nodes.section(
                "",
                nodes.title("", facts[0].topic.title),
                _about(facts[0], facts),
                *self._folded(facts),
                ids=[f"kind-{kind}"],
            )
            for kind, facts in kinds.items()
        ]


def _about(fact: Entry, facts: Sequence[Entry]) -> nodes.paragraph:
    """How facts of a kind are derived, and what they rest on."""
    how = fact.topic.how[:1].upper() + fact.topic.how[1:].rstrip(".")
    many = f"{len(facts)} facts" if len(facts) > 1 else "one fact"
    rests = words.listed(fact.topic.rows)
    return nodes.paragraph(
        "",
        "",
        nodes.literal("", fact.topic.id),
        nodes.Text(f", {many}. {how}. Reads of the board: {rests}. For {fact.topic.ruleset}."),
    )


def robustness(fact: Entry) -> nodes.Element:
    """What happens to a fact on the boards next to this one: the verdict, and the first of the changes that break it."""
    found = fact.robustness
    if found is None:
        return nodes.paragraph("", "not tested")
    if not found.breaks:
        return nodes.paragraph("", found.verdict)
    shown = "".join(
        f"<li>{escape(change)}: {escape(', '.join(values))}{' …' if count > len(values) else ''}</li>"
        for change, (count, values) in islice(found.breaks.items(), SHOWN)
    )
    more = f"<li>and {len(found.breaks) - SHOWN} more</li>" if len(found.breaks) > SHOWN else ""
    summary = f"<summary>{escape(found.verdict)} at {len(found.breaks)} of {found.tried} changes</summary>"
    return nodes.raw("", f'<details class="breaks">{summary}<ul>{shown}{more}</ul></details>', format="html")


class FactList(FactDirective):
    """``{fact-list} statement/board/*``: facts as a list of sentences."""

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The list."""
        found = [self.shelf.fact(id_) for id_ in ids(wanted, self.shelf.index.by_id)]
        if not found:
            raise ValueError("no fact of the index fits this pattern")
        items = []
        for fact in found:
            self.note(fact.id)
            lines = said_and_proved(self.env, fact, fact.sentence, "", ["fact-sentence"])
            items.append(nodes.list_item("", nodes.paragraph("", "", lines)))
        return [nodes.bullet_list("", *items)]


class FactTally(FactDirective):
    """``{fact-tally} statement/** verdict``: how many facts have each value, and which, where few; `head` names the values."""

    option_spec: ClassVar = {"head": directives.unchanged_required}

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The table."""
        cells: dict[str, list[Entry]] = {}
        for cell in self.cells(wanted, wanted.count("*")):
            cells.setdefault(self.text(cell.value, ""), []).append(cell.fact)
        rows = []
        for value, facts in sorted(cells.items(), key=lambda item: -len(item[1])):
            named = nodes.paragraph()
            for fact in facts if len(facts) <= LONG else ():
                named += [nodes.Text(", " if named.children else ""), linked(fact, fact.id)]
            number = nodes.entry("", nodes.paragraph("", str(len(facts))), classes=["number"])
            rows.append((value, number, named))
        return [table((self.options.get("head", ""), "facts", ""), rows, classes=["matrix"])]


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str | nodes.Element]],
    widths: Sequence[int] = (),
    classes: Sequence[str] = (),
) -> nodes.table:
    """A table of texts, paragraphs and whole cells."""
    columns = [nodes.colspec(colwidth=width) for width in widths or [1] * len(heads)]
    head, body = nodes.thead("", _row(heads)), nodes.tbody("", *map(_row, rows))
    group = nodes.tgroup("", *columns, head, body, cols=len(heads))
    return nodes.table("", group, classes=[*classes, *([] if widths else ["colwidths-auto"])])


def _row(cells: Sequence[str | nodes.Element]) -> nodes.row:
    made = [nodes.paragraph("", cell) if isinstance(cell, str) else cell for cell in cells]
    return nodes.row("", *(cell if isinstance(cell, nodes.entry) else nodes.entry("", cell) for cell in made))


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    made = {"kind": FactKind, "family": FactFamily, "list": FactList, "tally": FactTally}
    for name, directive in made.items():
        app.add_directive(f"fact-{name}", directive)
