"""The page of rulebook-coverage.md for Sphinx: tables of rules, and the sources they link to.

The build fails when a rule that the rulebook states has no code or no test.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from rulebook import Chapter, Coverage, Mutant, Place, mutants, page_of, read
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

ROOT = Path(__file__).parents[1]
PAGE = "rulebook-coverage"
STYLES = Path(__file__).parent / "coverage.css"
SOURCES = "sources"  # the folder of the sources in the built documentation


def refuse_gaps(app: Sphinx) -> None:
    """Fail the build where a rule has no code or no test."""
    del app
    if problems := read(ROOT).problems():
        raise ExtensionError("\n".join(["the rulebook is not covered:", *problems]))


def outdated(*_: object) -> list[str]:
    """The page is made again at each build, since any source can change it."""
    return [PAGE]


class CoverageTables(Directive):
    """``{rulebook-coverage}``: a section with a table for each chapter; with ``uncovered``, those without code."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The tables."""
        coverage, uncovered = read(ROOT), self.arguments == ["uncovered"]
        return [_section(chapter, coverage) for chapter in coverage.chapters if bool(chapter.uncovered) == uncovered]


class CoverageCount(Directive):
    """``{rulebook-count}``: how many rules there are, in a sentence."""

    def run(self) -> list[nodes.Node]:
        """The sentence."""
        coverage = read(ROOT)
        covered = sum(len(chapter.rules) for chapter in coverage.chapters if not chapter.uncovered)
        tests = {place for places in coverage.tests.values() for place in places}
        left = sum(len(chapter.rules) for chapter in coverage.chapters if chapter.uncovered)
        changes = sum(map(len, mutants(ROOT).values()))
        words = (
            f"{covered} rules are covered by {len(tests)} tests, which find {changes} changes; {left} are not covered."
        )
        return [nodes.paragraph("", words)]


def _section(chapter: Chapter, coverage: Coverage) -> nodes.section:
    section = nodes.section("", nodes.title("", chapter.title), ids=[nodes.make_id(f"rules {chapter.title}")])
    if chapter.uncovered:
        section += nodes.paragraph("", chapter.uncovered)
        rows = [(str(page_of(rule)), says) for rule, says in chapter.rules.items()]
        section += _table(("page", "rule"), (6, 94), rows)
    else:
        broken = mutants(ROOT)
        rows = [
            (
                str(page_of(rule)),
                says,
                _links(coverage.code[rule]),
                [_links(coverage.tests[rule]), *_changes(broken[rule])],
            )
            for rule, says in chapter.rules.items()
        ]
        section += _table(("page", "rule", "code", "tests, and the changes that they find"), (8, 38, 20, 34), rows)
    return section


def _table(heads: tuple[str, ...], widths: tuple[int, ...], rows: Iterable[tuple[Any, ...]]) -> nodes.table:
    columns = [nodes.colspec(colwidth=width) for width in widths]
    head, body = nodes.thead("", _row(heads)), nodes.tbody("", *map(_row, rows))
    made = nodes.table("", nodes.tgroup("", *columns, head, body, cols=len(heads)))
    made["classes"] += ["coverage", "colwidths-given"]
    return made


def _row(cells: Iterable[Any]) -> nodes.row:
    return nodes.row(
        "",
        *(
            nodes.entry(
                "",
                *(cell if isinstance(cell, list) else [nodes.paragraph("", cell) if isinstance(cell, str) else cell]),
            )
            for cell in cells
        ),
    )


def _changes(changes: Iterable[Mutant]) -> Iterator[nodes.raw]:
    """Each change of the rule, folded away below its number, with the test that found it."""
    items = "".join(
        f"<li><code>{html.escape(change.before.strip())}</code> becomes"
        f" <code>{html.escape(change.after.strip()) or 'nothing'}</code>"
        f" in {html.escape(change.place)}: {_broken(change.found)}</li>"
        for change in changes
    )
    count = items.count("<li>")
    words = f"{count} change{'s' if count > 1 else ''} of the rule found"
    yield nodes.raw("", f"<details><summary>{words}</summary><ul>{items}</ul></details>", format="html")


def _links(places: Iterable[Place]) -> nodes.paragraph:
    """Each place by its name, with a link to its line."""
    paragraph = nodes.paragraph()
    for place in places:
        if paragraph.children:
            paragraph += nodes.Text(", ")
        name = place.name if place.path.endswith(".py") else f"{Path(place.path).stem} {place.name}"
        target = f"{SOURCES}/{place.path}.html#L-{place.line}"
        paragraph += nodes.reference("", "", _name(name), refuri=target, internal=True, reftitle=place.path)
    return paragraph


def _name(name: str) -> nodes.raw:
    """A name of code."""
    return nodes.raw("", _broken(name), format="html")


def _broken(name: str) -> str:
    """A name of code that breaks only after an underscore or a dot."""
    broken = re.sub(r"([_.]+)(?=\w)", r"\1<wbr>", html.escape(name))
    return f'<code class="docutils literal notranslate">{broken}</code>'


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, str], str]]:
    """A page for each file to which a rule links, with a place to link to at each line."""
    del app
    coverage = read(ROOT)
    pages = {place.path for found in (coverage.code, coverage.tests) for places in found.values() for place in places}
    for path in sorted(pages):
        lexer, formatter = get_lexer_for_filename(path), HtmlFormatter(linenos="inline", lineanchors="L")
        body = highlight((ROOT / path).read_text("utf-8"), lexer, formatter)
        yield f"{SOURCES}/{path}", {"title": path, "body": f"<h1>{path}</h1>\n{body}"}, "page.html"


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("rulebook-coverage", CoverageTables)
    app.add_directive("rulebook-count", CoverageCount)
    app.connect("builder-inited", refuse_gaps)
    app.connect("builder-inited", lambda app: app.config.html_static_path.append(str(STYLES)))
    app.add_css_file(STYLES.name)
    app.connect("env-get-outdated", outdated)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True}
