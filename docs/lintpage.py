"""The page of where-readings-differ.md for Sphinx: the stored findings, a table of all and a section for each.

The build fails when a finding is not what both engines say now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from tetrasolve.lint.findings import Finding
from tetrasolve.tetrarchia.hint.byreference import reference_policy, reference_results
from tetrasolve.tetrarchia.hint.played import greedy_policy, greedy_results
from tetrasolve.tetrarchia.lint.asked import Asked, asked
from tetrasolve.tetrarchia.lint.asked import problems as problems_of_answers
from tetrasolve.tetrarchia.lint.bestplans import plan_problems, stored_plans
from tetrasolve.tetrarchia.lint.boards import side_by_side, sides
from tetrasolve.tetrarchia.lint.hiding import hidden_problems, stored_hidden
from tetrasolve.tetrarchia.lint.reached import reached, record_problems, stored_records
from tetrasolve.tetrarchia.lint.stored import findings, problems, questions
from tetrasolve.tetrarchia.lint.wholegames import (
    Comparison,
    Weight,
    measured_pairs,
    reference_pairs,
    stored_games,
    stored_games_by_reference,
    weight_of,
)
from tetrasolve.tetrarchia.lint.wholegames import problems as problems_of_games

PAGE = "explanation/where-readings-differ"
PICTURES = "_static/findings"


def refuse_doubt(app: Sphinx) -> None:
    """Fail the build where a stored finding is wrong."""
    del app
    if wrong := problems(findings()):
        raise ExtensionError(
            "\n".join(["the findings about readings are wrong; `tetrasolve lint run` makes them:", *wrong])
        )
    if wrong := [*record_problems(stored_records(), findings().findings)]:
        raise ExtensionError("\n".join(["records of findings are wrong; `tetrasolve lint reach` makes them:", *wrong]))
    if wrong := [*hidden_problems(findings().findings)]:
        raise ExtensionError("\n".join(["what hides findings is stated wrongly (data/hiding.json):", *wrong]))
    if wrong := [*plan_problems(stored_plans(), every=False)]:
        raise ExtensionError("\n".join(["findings about plans are wrong; `tetrasolve lint plans` makes them:", *wrong]))
    if wrong := problems_of_answers(asked()):
        raise ExtensionError("\n".join(["answers to what players asked are wrong (data/asked.toml):", *wrong]))
    by_reference = problems_of_games(
        stored_games_by_reference(), reference_results, reference_policy(), pairs=reference_pairs()
    )
    if wrong := [*problems_of_games(stored_games(), greedy_results, greedy_policy()), *by_reference]:
        raise ExtensionError(
            "\n".join(["games under readings are wrong; `tetrasolve lint games --out` plays them:", *wrong])
        )


def draw_boards(app: Sphinx, error: Exception | None) -> None:
    """Write the pictures of the findings beside the pages."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    for finding in findings().findings:
        if finding.position is not None:
            (folder / _file(finding)).write_text(side_by_side(finding), "utf-8")


def _file(finding: Finding) -> str:
    return f"{nodes.make_id(finding.id)}.svg"


def outdated(*_: object) -> list[str]:
    """The page is made again at each build, since it shows what is stored."""
    return [PAGE]


class FindingTally(Directive):
    """``{finding-tally}``: how many findings there are of each certainty, in a sentence."""

    def run(self) -> list[nodes.Node]:
        """The sentence."""
        found = findings().findings
        counts = Counter(finding.certainty for finding in found)
        parts = ", ".join(f"{count} {certainty}" for certainty, count in counts.most_common())
        asked = sum(question.state == "open" for question in questions().values())
        return [nodes.paragraph("", f"{len(found)} findings: {parts}. {asked} questions are open.")]


class FindingList(Directive):
    """``{finding-list}``: the table of all findings, smallest positions first, then a section for each."""

    def run(self) -> list[nodes.Node]:
        """The table and the sections."""
        found = findings().findings
        by_size = sorted(found, key=lambda finding: finding.size or 10**6)
        return [_table(by_size), *(_section(finding) for finding in by_size)]


OF = {False: "that the kernels play", True: "of which the reference rules alone play one"}


class GamesTable(Directive):
    """``{games-table}``: what readings change in whole games, the gravest first.

    With the argument ``by-reference``: values that only the reference rules play.
    """

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A sentence, and the table of the pairs that were measured."""
        by_reference = "by-reference" in self.arguments
        stored, pairs = (
            (stored_games_by_reference(), reference_pairs()) if by_reference else (stored_games(), measured_pairs())
        )
        measured = [(pair, found) for pair in pairs if (found := stored.comparisons(pair))]
        counts = Counter(weight_of(found) for _, found in measured)
        parts = ", ".join(f"{counts[weight]} {weight}" for weight in Weight if counts[weight])
        said = (
            f"Of {len(pairs)} pairs of values {OF[by_reference]} {len(measured)} were measured: {parts}. "
            f"Played by {stored.policy}; seed {stored.seed}; intervals at 95 %."
        )
        rows = [("values", "class", "table", "won under each", "difference in points", "games")]
        for pair, found in sorted(measured, key=lambda row: [*Weight].index(weight_of(row[1]))):
            names = (pair.id, str(weight_of(found)))
            rows += [((*names, *_compared(one)) if one is found[0] else ("", "", *_compared(one))) for one in found]
        return [nodes.paragraph("", said), _rows(rows)]


def _compared(found: Comparison) -> tuple[str, str, str, str]:
    first, second = (f"{100 * rate.value:.1f} %" for rate in found.rates)
    gap = found.difference
    interval = f"{100 * gap.value:+.1f} ({100 * gap.low:+.1f} to {100 * gap.high:+.1f})"
    return found.table, f"{first}, {second}", interval, f"{found.games:,}"


class AskedList(Directive):
    """``{asked-list}``: what players have asked, with the answers and the positions that show them."""

    def run(self) -> list[nodes.Node]:
        """A definition list."""
        return [nodes.definition_list("", *(_asked(one) for one in asked()))]


def _asked(one: Asked) -> nodes.definition_list_item:
    said = [nodes.paragraph("", f"{one.answer['en']} Page {one.page}; {one.standing}.")]
    said.append(nodes.paragraph("", "", nodes.emphasis("", f"{one.question['es']} {one.answer['es']}", language="es")))
    rows = [f"{shown.position}    {shown.what}: {shown.result}" for shown in one.shown]
    if rows:
        said.append(nodes.literal_block("", "\n".join(rows), language="text"))
    return nodes.definition_list_item("", nodes.term("", one.question["en"]), nodes.definition("", *said))


def _table(found: Sequence[Finding]) -> nodes.table:
    rows = [("finding", "what differs", "modules", "pieces", "certainty")]
    rows += [
        (
            finding.id,
            ", ".join(finding.kinds) or "nothing found",
            finding.table or finding.searched[0].table,
            "" if finding.size is None else str(finding.size),
            finding.certainty,
        )
        for finding in found
    ]
    return _rows(rows)


def _rows(rows: Sequence[tuple[str, ...]]) -> nodes.table:
    """A table whose first row is its head."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in rows[0]), cols=len(rows[0]))
    lines = [nodes.row("", *(nodes.entry("", nodes.paragraph("", cell)) for cell in row)) for row in rows]
    group += [nodes.thead("", lines[0]), nodes.tbody("", *lines[1:])]
    return nodes.table("", group)


def _section(finding: Finding) -> nodes.section:
    question = questions()[finding.reading]
    yes, no = finding.values
    section = nodes.section("", nodes.title("", finding.id), ids=[nodes.make_id(finding.id)])
    section += nodes.paragraph("", f"Page {question.page}. {question.rule}.")
    section += nodes.paragraph("", "", nodes.emphasis("", question.english), nodes.Text(f" ({question.standing})"))
    section += nodes.paragraph("", "", nodes.emphasis("", question.spanish, language="es"))
    known = finding.sentence()
    section += nodes.paragraph("", f"{known[0].upper()}{known[1:]}.")
    more = [reached(finding), *(other.sentence() for other in stored_hidden().get(finding.id, ()))]
    section += nodes.paragraph("", " ".join(f"{text[0].upper()}{text[1:]}." for text in more))
    best = stored_plans()[finding.id].sentence()
    section += nodes.paragraph("", f"{best[0].upper()}{best[1:]}.")
    if stored_plans()[finding.id].position is not None:
        section += nodes.literal_block("", "\n".join([*stored_plans()[finding.id].lines()][1:]), language="text")
    if finding.position is None:
        return section
    section += nodes.literal_block("", finding.position, language="text")
    items = [
        nodes.list_item(
            "", nodes.paragraph("", f"{row.kind}, {row.what}: {row.values[0]} under {yes}, {row.values[1]} under {no}")
        )
        for row in finding.differences
    ]
    if finding.more:
        items.append(nodes.list_item("", nodes.paragraph("", f"and {finding.more} more")))
    section += nodes.bullet_list("", *items)
    words = escape("; ".join(side.caption for side in sides(finding)))
    section += nodes.raw(
        "",
        f'<details><summary>Both boards</summary><img src="../{PICTURES}/{_file(finding)}" width="100%" loading="lazy"'
        f' alt="{words}"></details>',
        format="html",
    )
    return section


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", refuse_doubt)
    app.connect("env-get-outdated", outdated)
    app.connect("build-finished", draw_boards)
    app.add_directive("finding-tally", FindingTally)
    app.add_directive("finding-list", FindingList)
    app.add_directive("games-table", GamesTable)
    app.add_directive("asked-list", AskedList)
    return {"parallel_read_safe": True}
