"""The report for the designer: a page of HTML for each finding, and a summary of all, in English or Spanish.

A page has the sentence in our words with its page in the rulebook, the question to the designer, the boards under both values with
the provinces marked that differ, what differs in numbers, what is known of smaller positions, and the games that were played under
both values. The gravest findings come first, in the order of `tetrasolve.tetrarchia.lint.points`. The pages need nothing else: no
script, no file from elsewhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve import strict
from tetrasolve.draw.svg import safe
from tetrasolve.errors import ArgumentError
from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.lint.findings import Certainty, Finding
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.lint.asked import asked
from tetrasolve.tetrarchia.lint.bestplans import Known, PlanFinding, never_asked, plan_objectives, stored_plans
from tetrasolve.tetrarchia.lint.boards import POLICY, short_values, sides
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.needed import needed
from tetrasolve.tetrarchia.lint.points import FALLEN, OPEN, RANKS, Effect, Gravity, effect_of, gravity_of
from tetrasolve.tetrarchia.lint.stored import Question, findings, questions
from tetrasolve.tetrarchia.lint.wholegames import Comparison, Weight, games_of, weight_of
from tetrasolve.tetrarchia.ruleset import READINGS

LANGUAGES = ("en", "es")
INDEX = "index.html"
DATA = "report.json"

STYLE = """
body { margin: 0 auto; max-width: 70rem; padding: 0 1rem 3rem; color: #222; background: #fff; }
body { font: 16px/1.5 Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
.question { font-size: 1.2rem; font-weight: bold; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
td:nth-child(6), td:nth-child(7) { min-width: 14rem; }
th { background: #eee; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; }
.boards { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { flex: 1 1 20rem; margin: 0; }
figure svg { width: 100%; height: auto; }
nav { display: flex; gap: 1.5rem; margin: 1rem 0; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818; }
  th { background: #333; }
  a { color: #8bf; }
}
@media print {
  nav { display: none; }
  figure { break-inside: avoid; }
}
"""

Words = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """A finding with its question, its class, what changes most, and the games under both values."""

    finding: Finding
    question: Question
    gravity: Gravity
    effect: Effect
    games: tuple[Comparison, ...]

    @property
    def weight(self) -> Weight:
        """The class by whole games."""
        return weight_of(self.games)

    @property
    def pair(self) -> Pair:
        """The two values."""
        return Pair(self.finding.reading, *self.finding.values)

    @property
    def page(self) -> str:
        """The name of its page."""
        return re.sub(r"[^A-Za-z0-9]+", "-", self.finding.id).strip("-") + ".html"

    def as_data(self) -> dict[str, Any]:
        """The row for JSON."""
        return {
            **self.finding.as_data(),
            "page": self.page,
            "question": asdict(self.question),
            "class": self.gravity,
            "in_games": self.weight,
            "games": [found.as_data() for found in self.games],
            "plan": asdict(stored_plans()[self.finding.id]),
        }


def report_rows(names: Sequence[str] = (), states: Sequence[str] = ()) -> tuple[Row, ...]:
    """The findings about these readings (none named: all) whose questions are in one of these states, the gravest first.

    >>> report_rows(["I-ENTRY"])[0].page
    'I-ENTRY-must-may.html'

    :raises FindingError: for a reading without a finding.
    """
    known = questions()
    rows = [
        Row(
            finding, known[finding.reading], gravity_of(finding), effect_of(finding),
            _games(Pair(finding.reading, *finding.values)),
        )
        for finding in findings().find(names)
        if not states or known[finding.reading].state in states
    ]  # fmt: skip
    return tuple(sorted(rows, key=lambda r: (RANKS[r.gravity], -r.effect.change, r.question.page, r.finding.id)))


def _games(pair: Pair) -> tuple[Comparison, ...]:
    return tuple(games_of(pair).comparisons(pair))


def report_files(
    names: Sequence[str] = (),
    *,
    states: Sequence[str] = (),
    language: str = "en",
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Iterator[tuple[str, str]]:
    """The files of the report, as name and text: a page for each finding, the data, and the summary as the last one.

    :raises ArgumentError: when there is no such language.
    :raises FindingError: for a reading without a finding.
    :raises OutOfTimeError: when `seconds` are over, or `cancel` is set, before all boards are drawn.
    """
    if language not in LANGUAGES:
        raise ArgumentError("report: language", language, f"one of {', '.join(LANGUAGES)}")
    return _files(report_rows(names, states), language, stop_of(seconds, cancel))


def _files(rows: Sequence[Row], language: str, stop: Stop | None) -> Iterator[tuple[str, str]]:
    writer = _Writer(_words()[language], language)
    with answering("a report", "all its boards were drawn"):
        for number, row in enumerate(rows):
            check(stop)
            near = (rows[number - 1] if number else None, rows[number + 1] if number + 1 < len(rows) else None)
            yield row.page, writer.finding_page(row, *near)
    data = {"rules": findings().rules, "findings": [row.as_data() for row in rows]}
    yield DATA, json.dumps(data, indent=1) + "\n"
    yield INDEX, writer.summary(rows)


@cache
def _words() -> Words:
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/designer-report.toml").read_text("utf-8")
    return strict.read_toml(text)


# -- pages -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Writer:
    """Pages in one language."""

    words: Words
    language: str

    def page(self, title: str, *parts: str) -> str:
        """A whole page."""
        body = "\n".join(parts)
        return (
            f'<!DOCTYPE html>\n<html lang="{self.language}"><head><meta charset="utf-8"><title>{safe(title)}</title>'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
        )

    def summary(self, rows: Sequence[Row]) -> str:
        """The summary: how many of which kind, what players have asked, all findings, and what the classes are."""
        words = self.words
        counts = Counter(row.finding.certainty for row in rows)
        tally = words["tally"].format(
            findings=len(rows),
            readings=len({row.question.reading for row in rows}),
            certainties=", ".join(f"{count} {words['certainty'][name]}" for name, count in counts.most_common()),
            open=len({row.question.reading for row in rows if row.question.state == OPEN}),
        )
        lines = [
            (
                f'<a href="{row.page}">{safe(row.finding.id)}</a>', str(row.question.page), self.name(row.gravity),
                self.name(row.weight), safe(words["states"][row.question.state]), safe(self.question(row.question)),
                safe(self.effect(row)),
            )
            for row in rows
        ]  # fmt: skip
        return self.page(
            words["title"],
            f"<h1>{safe(words['title'])}</h1><p>{safe(words['intro'])}</p><p>{safe(tally)}</p>",
            f"<h2>{safe(words['index'])}</h2><p>{safe(words['order'])}</p>{_table(words['columns'], lines)}",
            f"<h2>{safe(words['asked'])}</h2>{self.answers()}",
            f"<h2>{safe(words['classes'])}</h2>{self.meanings('gravity')}",
            f"<h2>{safe(words['weights'])}</h2>{self.meanings('weight')}",
        )

    def answers(self) -> str:
        """What players have asked, with the answers."""
        items = (
            f"<dt>{safe(one.question[self.language])}</dt><dd>{safe(one.answer[self.language])} "
            f"({safe(self.words['page'].format(page=one.page))})</dd>"
            for one in asked()
        )
        return f"<dl>{''.join(items)}</dl>"

    def meanings(self, of: str) -> str:
        """What classes are called, and how they are defined."""
        items = (f"<dt>{self.name(name)}</dt><dd>{safe(text)}</dd>" for name, text in self.words[of].items())
        return f"<dl>{''.join(items)}</dl>"

    def finding_page(self, row: Row, before: Row | None, after: Row | None) -> str:
        """The page of a finding."""
        words, finding, question = self.words, row.finding, row.question
        yes, no = finding.values
        standing = words["states"][question.state]
        if question.by:
            standing += f": {question.by if self.language == 'en' else question.spanish_by}"
        links = [(INDEX, words["index"])]
        links += [(near.page, words[key]) for near, key in ((before, "previous"), (after, "next")) if near is not None]
        parts = [
            "<nav>" + "".join(f'<a href="{page}">{safe(text)}</a>' for page, text in links) + "</nav>",
            f"<h1>{safe(finding.id)}</h1>",
            self.part(
                "sentence", f"<p>{safe(self.rule(question))} ({safe(words['page'].format(page=question.page))})</p>"
            ),
            self.part(
                "question", f'<p class="question">{safe(self.question(question))}</p>{self.values(finding, question)}'
            ),
            self.part("standing", f"<p>{safe(standing)}</p>"),
            self.part("class", f"<p>{self.name(row.gravity)}: {safe(words['gravity'][row.gravity])}</p>"),
            self.part(
                "in_games", f"<p>{self.name(row.weight)}: {safe(words['weight'][row.weight])}</p>{self.games(row)}"
            ),
        ]
        if finding.position is not None:
            figures = "".join(
                f"<figure>{replace(side, caption=f'{finding.reading}={side.value}').svg()}"
                f"<figcaption>{safe(side.value)}: {safe(self.meaning(question, side.value))}</figcaption></figure>"
                for side in sides(finding)
            )
            boards = f'<p>{safe(words["marked"])}</p><div class="boards">{figures}</div>'
            rows = [
                (
                    safe(words["kinds"][shown.kind]),
                    f"<code>{safe(self.said(shown.what))}</code>",
                    *map(self.cell, short_values(shown)),
                )
                for shown in finding.differences
            ]
            more = f"<p>{safe(words['more'].format(more=finding.more))}</p>" if finding.more else ""
            parts += [
                self.part("boards", boards),
                self.part("position", f"<p><code>{safe(finding.position)}</code></p>"),
                self.part("numbers", _table((words["kind"], words["what"], yes, no), rows) + more),
            ]
        parts.append(self.part("known", f"<p>{safe(self.known(finding))}</p>"))
        parts.append(self.part("plan", self.plan(stored_plans()[finding.id])))
        again = "\n".join(_commands(finding))
        parts.append(self.part("again", f"<pre><code>{safe(again)}</code></pre>"))
        return self.page(finding.id, *parts)

    def part(self, title: str, text: str) -> str:
        """A part of a page with its heading."""
        return f"<section><h2>{safe(self.words[title])}</h2>{text}</section>"

    def values(self, finding: Finding, question: Question) -> str:
        """The two values of a finding with what they mean; the default of the reading answers its question with yes."""
        items = []
        for value in finding.values:
            key = "yes" if value == READINGS[question.reading].default else "no"
            answer = self.words[key].format(value=value)
            items.append(f"<li>{safe(answer)}: {safe(self.meaning(question, value))}</li>")
        return f"<ul>{''.join(items)}</ul>"

    def games(self, row: Row) -> str:
        """The table of the games, or that there are none."""
        words = self.words
        if not row.games:
            return f"<p>{safe(words['not_measured'])}</p>"
        first, second = row.finding.values
        columns = [column.format(first=first, second=second) for column in words["games_columns"]]
        lines = []
        for found in row.games:
            gap = found.difference
            one, other = (f"{100 * rate.value:.1f} %" for rate in found.rates)
            points = f"{100 * gap.value:+.1f} ({100 * gap.low:+.1f}, {100 * gap.high:+.1f})"
            lines.append((safe(found.table), one, other, points, str(found.games)))
        return f"<p>{safe(words['games_of'].format(policy=games_of(row.pair).policy))}</p>{_table(columns, lines)}"

    # -- in words ----------------------------------------------------------------------------------------------------

    def name(self, word: str) -> str:
        """A class or a table in the language."""
        return safe(self.words["names"].get(word, str(word)))

    def question(self, question: Question) -> str:
        """The question to the designer."""
        return question.english if self.language == "en" else question.spanish

    def rule(self, question: Question) -> str:
        """The sentence in our words."""
        return question.rule if self.language == "en" else question.spanish_rule

    def meaning(self, question: Question, value: str) -> str:
        """What a value of the reading means."""
        if self.language == "en":
            return READINGS[question.reading].options[value]
        return question.spanish_values[value]

    def effect(self, row: Row) -> str:
        """What changes most."""
        if self.language == "en":
            return row.effect.text or str(self.words["nothing"])
        shown = row.effect.row
        if shown is None:
            return self.known(row.finding)
        if shown.kind == "effect" and row.effect.change:
            under = row.finding.values[0 if shown.values[0].startswith(FALLEN) else 1]
            return str(self.words["fall"].format(what=self.said(shown.what), value=under))
        one, other = map(self.said, short_values(shown))
        what = shown.what.partition(POLICY)[0]
        return f"{self.words['kinds'][shown.kind]}, {self.said(what)}: {one} o {other}"

    def said(self, text: str) -> str:
        """Words of what differs in the language; notation stays."""
        for english, other in self.words.get("replaced", {}).items():
            text = text.replace(english, other)
        return text

    def cell(self, value: str) -> str:
        """A value of what differs as a cell of a table."""
        return f"<code>{safe(self.said(value))}</code>"

    def count(self, number: int) -> str:
        """A count with its thousands apart, as the language writes them."""
        return f"{number:,}" if self.language == "en" else f"{number:,}".replace(",", "\u00a0")

    def known(self, finding: Finding) -> str:
        """What is known of smaller positions, as `Finding.sentence` says it."""
        if self.language == "en":
            return finding.sentence()
        words = self.words["sizes"]
        if finding.certainty is Certainty.NONE:
            return str(words["none"].format(argument=self.words["arguments"][finding.reading]))
        if finding.size is None:
            counts = [
                words["counts"].format(
                    count=self.count(sum(row.enumerated)), table=self.words["names"].get(row.table, row.table)
                )
                for row in finding.searched
                if row.up_to
            ]
            drawn = sum(row.drawn for row in finding.searched)
            text = words["no_difference"].format(
                pieces=self.pieces(finding.at_least - 1),
                counts=", ".join(counts) or words["none_enumerated"],
                drawn=words["drawn"].format(count=self.count(drawn)) if drawn else "",
            )
            if finding.certainty is Certainty.SET_UP:
                return str(words["set_up"].format(text=text, argument=self.said(finding.argument)))
            return str(text)
        smaller = words["smaller"].format(count=self.count(finding.smaller), pieces=self.pieces(finding.at_least))
        if finding.argument:
            smaller = needed()[finding.id].spanish
            if met := finding.meeting:
                (first, _), (last, _) = met[0], met[-1]
                sizes = first if first == last else words["several_sizes"].format(first=first, last=last)
                count = self.count(sum(number for _, number in met))
                smaller = words["meeting"].format(count=count, sizes=sizes, why=smaller)
        if finding.certainty is Certainty.PROVED:
            smaller = smaller if finding.size > 1 else words["smallest"]
            return str(words["proved"].format(pieces=self.pieces(finding.size), smaller=smaller))
        return str(words["interval"].format(least=finding.at_least, pieces=self.pieces(finding.size), smaller=smaller))

    def plan(self, found: PlanFinding) -> str:
        """What is known of the best plans of a turn: the position, both plans with their values, and smaller positions."""
        words = self.words["plans"]
        part = never_asked().get(found.id.partition("=")[0])
        if found.known in (Known.NONE, Known.WITHIN) and part is not None:
            return f"<p>{safe(words['never_asked'][part])}</p>"
        if found.known is Known.NONE:
            argument = found.argument if self.language == "en" else self.words["arguments"][found.id.partition("=")[0]]
            return f"<p>{safe(words['none'].format(argument=argument))}</p>"
        if found.known is Known.NOT_SEARCHED:
            return f"<p>{safe(words['not_searched'])}</p>"
        table = self.words["names"].get(found.table, found.table)
        if found.position is None or found.plans is None or found.size is None:
            text = words["no_difference"].format(
                pieces=len(found.enumerated), count=self.count(sum(found.enumerated)), table=table
            )
            return f"<p>{safe(text)}</p>"
        listed = {one.text: one.words[self.language] for one in plan_objectives()}
        objective = listed.get(found.objective, words["served"])
        rows = [
            (safe(value), f"<code>{safe(plan)}</code>", safe(words["value"].format(value=values, price=price)))
            for value, plan, (*first, price) in zip(
                found.id.partition("=")[2].split("/"), found.plans, found.results or (), strict=True
            )
            for values in (", ".join(first),)
        ]
        key = "proved" if found.known is Known.PROVED else "interval"
        solved = self.count(sum(found.enumerated[: found.at_least - 1]))
        why = ""
        if found.need is not None and found.known is Known.PROVED:
            key, why = "needed", found.need.spanish if self.language == "es" else found.need.english
        known = words[key].format(least=found.at_least, pieces=found.size, count=solved, table=table, why=why)
        again = f" {words['again']}" if found.searched_again else ""
        return (
            f"<p>{safe(words['objective'].format(words=objective))} <code>{safe(found.objective)}</code></p>"
            f"<p><code>{safe(found.position)}</code></p>{_table(words['columns'], rows)}<p>{safe(known + again)}</p>"
        )

    def pieces(self, count: int) -> str:
        """A number of pieces."""
        words = self.words["sizes"]
        return str(words["piece"] if count == 1 else words["pieces"].format(count=count))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; cells are HTML, heads are text."""
    first = "".join(f'<th scope="col">{safe(cell)}</th>' for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{first}</tr></thead><tbody>{lines}</tbody></table></div>'


def _commands(finding: Finding) -> Iterator[str]:
    """The commands that show a finding and search it again."""
    yield f"tetrasolve lint --reading {finding.reading}"
    if finding.position is not None:
        yield f"tetrasolve lint draw '{finding.id}'"
    yield f"tetrasolve lint run --reading {finding.reading} --out findings.json"
