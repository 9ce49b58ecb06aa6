"""The page for the author: every reading with its question, smallest position and figures, and the sides that are no readings.

It is made of what is stored, in English or Spanish: as Markdown for the documentation, and as one page of HTML with pictures that
needs nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from operator import itemgetter
from typing import Any

from tetrasolve.draw.svg import safe
from tetrasolve.errors import ArgumentError
from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.finem.draw import picture, picture_words
from tetrasolve.finem.lint.besides import not_asked
from tetrasolve.finem.lint.domain import LEAST
from tetrasolve.finem.lint.effects import TurnEffect
from tetrasolve.finem.lint.inwords import decision, differences_in_words
from tetrasolve.finem.lint.needed import why_needed
from tetrasolve.finem.lint.pairs import Pair, pairs
from tetrasolve.finem.lint.stored import LANGUAGES, OpenPoint, Question, effects, findings, open_points, questions
from tetrasolve.finem.lint.wholegames import stored_games
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import READINGS
from tetrasolve.lint.findings import Certainty, Finding
from tetrasolve.lint.wholegames import Comparison, Weight, weight_of
from tetrasolve.stop import Stop

STYLE = """
body { margin: 0 auto; max-width: 60rem; padding: 0 1rem 3rem; color: #222; background: #fff; }
body { font: 16px/1.5 Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; }
code { overflow-wrap: anywhere; }
figure { margin: 0; max-width: 26rem; }
figure svg { width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } }
"""
FIGURES = 2  # behind the point of a chance in percent, or more where two different ones would look alike
SHORT = re.compile("[;:,]")  # before it a value is said in short
RANKS = {weight: rank for rank, weight in enumerate(Weight)}


@dataclass(frozen=True, slots=True)
class Row:
    """A pair of values with everything that is stored about it."""

    finding: Finding
    question: Question
    effect: TurnEffect | None
    games: tuple[Comparison, ...]
    policy: str  # of the games

    @property
    def weight(self) -> Weight:
        """The class by whole games."""
        return weight_of(self.games)

    @property
    def change(self) -> float:
        """The largest difference of won games, in [0, 1]."""
        return max((abs(found.difference.value) for found in self.games), default=0.0)

    @property
    def by_reference(self) -> bool:
        """Whether the reference rules alone play the other value."""
        return Pair(self.finding.reading, *self.finding.values).by_reference

    def as_data(self) -> dict[str, Any]:
        """The row as JSON data."""
        return {
            **self.finding.as_data(),
            "in_words": {lang: differences_in_words(self.finding, words_of(lang)) for lang in LANGUAGES},
            "question": {language: self.question.about(self.finding.values[1], language) for language in LANGUAGES},
            "default": READINGS[self.finding.reading].default,
            "reason": READINGS[self.finding.reading].reason,
            "settled": dict(self.question.settled),
            "no_game": dict(self.question.no_game),
            "note": dict(self.question.note),
            "reference_only": self.by_reference,
            "class": self.weight,
            "turn": None if self.effect is None else self.effect.as_data(),
            "games": [found.as_data() for found in self.games],
            "policy": self.policy,
        }


def findings_about(names: Sequence[str]) -> Sequence[Finding]:
    """The findings about these readings, all where none is named.

    :raises FindingError: for a reading without a finding.
    """
    return findings().find(names)


def report_rows(names: Sequence[str] = (), stop: Stop | None = None) -> tuple[Row, ...]:
    """The findings about these readings (none named: all), those that change whole games most first.

    The intervals of all of them take a second or more.

    >>> report_rows(["E-PACIFY"])[0].finding.values
    ('automatic', 'free')

    :raises FindingError: for a reading without a finding.
    :raises Stopped: when `stop` is set before all are there.
    """
    known = {pair.id: pair for pair in pairs()}
    games = stored_games()
    rows: list[tuple[tuple[int, float, str], Row]] = []
    for found in findings_about(names):
        check(stop)
        pair = known[found.id]
        compared = tuple(games.comparisons(pair))
        row = Row(found, questions()[found.reading], effects().get(found.id), compared, games.policy)
        rows.append(((RANKS[row.weight], -row.change, found.id), row))
    return tuple(row for _, row in sorted(rows, key=itemgetter(0)))


@cache
def words_of(language: str) -> Mapping[str, str]:
    """The words of the report in a language.

    :raises ArgumentError: when there is none.
    """
    from tetrasolve.strict import read_toml

    if language not in LANGUAGES:
        raise ArgumentError("language", language, f"one of {', '.join(LANGUAGES)}")
    text = resources.files("tetrasolve.finem").joinpath("data/author-report.toml").read_text("utf-8")
    found: Mapping[str, str] = read_toml(text)[language]
    return found


# -- in words -------------------------------------------------------------------------------------------------------------


def smallest(finding: Finding, words: Mapping[str, str]) -> str:
    """What is known of the smallest position."""
    if finding.certainty is Certainty.SET_UP:
        return words["set_up"]
    count = _number(finding.smaller, ",", words)
    if finding.size is None:
        drawn = _number(sum(row.drawn for row in finding.searched), ",", words)
        enumerated = _number(sum(sum(row.enumerated) for row in finding.searched), ",", words)
        return words["not_found"].format(size=finding.at_least - 1, count=enumerated, drawn=drawn)
    key, why = "interval", ""
    if finding.certainty is Certainty.PROVED:
        why = why_needed(Pair(finding.reading, *finding.values), words["language"])
        key = "least" if finding.size <= LEAST else "proved"
        if why and key == "proved":
            key = "proved_why" if finding.smaller else "proved_none"
    return words[key].format(size=finding.size, least=finding.at_least, count=count, why=why)


def of_games(found: Comparison, words: Mapping[str, str]) -> str:
    """The games of a table in one sentence."""
    first, second = (_number(100 * rate.value, ".1f", words) for rate in found.rates)
    gap = found.difference
    points, low, high = (_number(100 * number, "+.1f", words) for number in (gap.value, gap.low, gap.high))
    games = _number(found.games, ",", words)
    table = _table(found.table, words)
    return words["won"].format(table=table, first=first, second=second, points=points, low=low, high=high, games=games)


def _table(ruleset: str, words: Mapping[str, str]) -> str:
    """A level, its options and its readings in words.

    >>> _table("expert+sphere?E-MAP=dealt", words_of("en"))
    'expert game with the sphere, if E-MAP is "no" (dealt at random on the same places in the set-up)'
    """
    base, _, chosen = ruleset.partition("?")
    level, *options = base.split("+")
    table = words["with"].join(words[word] for word in (level, *options))
    other = [part.split("=") for part in chosen.split(",") if part]
    values = {name: questions()[name].values[words["language"]][value] for name, value in other}
    return table + "".join(
        words["beside"].format(name=name, value=SHORT.split(text)[0]) for name, text in values.items()
    )


def of_turn(found: TurnEffect, words: Mapping[str, str]) -> str:
    """The effect on a turn in one sentence: losses and victories at the position where losses differ most, or else victories."""
    counts = {"differing": found.differing, "positions": found.positions}
    if not found.differing:
        return words["turn_none"].format(**counts)
    first, second = _chances(found.first, found.second, words)
    first_won, second_won = _chances(found.first_won, found.second_won, words)
    if found.first == found.second:
        return words["turn_won"].format(**counts, first=first_won, second=second_won)
    text = words["turn_some"].format(**counts, first=first, second=second)
    if found.first_won == found.second_won:
        return text
    return text + words["turn_won_too"].format(first=first_won, second=second_won)


def _chances(first: str, second: str, words: Mapping[str, str]) -> list[str]:
    """Two fractions in percent, with as many figures as tell them apart."""
    from fractions import Fraction

    chances = [100 * float(Fraction(text)) for text in (first, second)]
    figures = FIGURES
    while len({f"{chance:.{figures}f}" for chance in chances}) < len({*chances}):
        figures += 1
    return [f"{_number(chance, f'.{figures}f', words)} %" for chance in chances]


def _number(value: float, form: str, words: Mapping[str, str]) -> str:
    r"""A number as it is written in the language of these words.

    >>> _number(12345, ",", words_of("es")), _number(-4.5, "+.1f", words_of("es"))
    ('12\xa0345', '-4,5')
    """
    return f"{value:{form}}".translate({ord(","): words["thousands"], ord("."): words["decimal"]})


def section_of(row: Row, words: Mapping[str, str]) -> str:
    """The section of the author's rules, in his words."""
    return READINGS[row.finding.reading].section.replace("table of actions", words["table_of_actions"])


def lines_of(row: Row, language: str) -> Iterator[tuple[str, str]]:
    """What is said about a pair: each with its heading."""
    words, finding = words_of(language), row.finding
    values = row.question.values[language]
    yield words["question"], row.question.about(finding.values[1], language)
    if row.question.settled:
        yield words["settled"], row.question.settled[language]
    if row.question.no_game:
        yield words["no_game"], row.question.no_game[language]
    if text := not_asked(finding, words):
        yield words["asked"], text
    yield words["yes"], values[finding.values[0]]
    yield words["no"], values[finding.values[1]]
    for found in row.games:
        yield words["wins"], of_games(found, words)
    if row.effect is not None:
        yield words["turn"], of_turn(row.effect, words)
    yield words["smallest"], smallest(finding, words)
    for text in differences_in_words(finding, words):
        yield words["there_head"], text
    if row.question.note:
        yield words["note"], row.question.note[language]


def _notes(rows: Sequence[Row], words: Mapping[str, str]) -> str:
    """How the page is ordered, and what its figures are of."""
    positions = max((row.effect.positions for row in rows if row.effect is not None), default=0)
    turn = words["turn_of"].format(positions=positions)
    return " ".join([words["order"], words["games_of"], words["varies"], turn, words["pieces"], words["rounded"]])


def markdown(language: str) -> str:
    """The page as Markdown.

    :raises ArgumentError: when there is no such language.
    """
    words, rows = words_of(language), report_rows()
    parts = [f"# {words['title']}", words["intro"], _notes(rows, words), words["notation"]]
    for heading, found, points in _sections(rows):
        parts += [f"## {words[heading]}", words[f"{heading}_intro"]] if heading else []
        for row in found:
            parts += _row_in_markdown(row, language, "###" if heading else "##")
        for point in points:
            parts.append(f"### {point.text[language]}")
            parts.append("\n".join(f"- {line}" for line in _sides(point, language, words)))
            if point.position:
                parts.append(f"```text\n{point.position}\n```")
    return "\n\n".join(parts) + "\n"


def _row_in_markdown(row: Row, language: str, level: str) -> Iterator[str]:
    yield f"{level} {row.finding.id}"
    yield f"{row.question.rule[language]} ({section_of(row, words_of(language))})."
    yield "\n".join(f"- **{head}**: {text}" for head, text in lines_of(row, language))
    if row.finding.position:
        yield f"```text\n{row.finding.position}\n```"


def _sections(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row], list[OpenPoint]]]:
    """The parts of the page: its heading, readings and sides that are none.

    Open readings have no heading and come first; then sides that nothing settles, what changes no game, and what the text settles.
    """
    points = open_points()
    no_game = [row for row in rows if row.question.no_game]
    settled = [row for row in rows if row.question.settled]
    yield "", [row for row in rows if not (row.question.no_game or row.question.settled)], []
    sections: tuple[tuple[str, list[Row], list[OpenPoint]], ...] = (
        ("unnamed", [], [one for one in points if not (one.settled or one.no_game)]),
        ("same_game", no_game, [one for one in points if one.no_game]),
        ("silent", settled, [one for one in points if one.settled]),
    )
    yield from (section for section in sections if section[1] or section[2])


def html(language: str, names: Sequence[str] = (), *, seconds: float | None = None, cancel: Stop | None = None) -> str:
    """The page as HTML, with a picture of each position.

    :raises ArgumentError: when there is no such language.
    :raises OutOfTimeError: when `seconds` are over, or `cancel` is set, before all positions are drawn.
    """
    with answering("a report", "all its positions were drawn"):
        return _html(language, names, stop_of(seconds, cancel))


def _html(language: str, names: Sequence[str], stop: Stop | None) -> str:
    words, rows = words_of(language), report_rows(names, stop)
    drawn_words = picture_words(language)
    texts = (words["intro"], _notes(rows, words), words["notation"])
    parts = [f"<h1>{safe(words['title'])}</h1>{''.join(f'<p>{_coded(text)}</p>' for text in texts)}"]
    for heading, found, points in _sections(rows):
        if heading:
            parts.append(f"<h2>{safe(words[heading])}</h2><p>{safe(words[f'{heading}_intro'])}</p>")
        for row in found:
            check(stop)
            parts += _row_in_html(row, language, "h3" if heading else "h2", drawn_words)
        for point in points:
            check(stop)
            items = "".join(f"<li>{safe(line)}</li>" for line in _sides(point, language, words))
            parts.append(f"<h3>{safe(point.text[language])}</h3><ul>{items}</ul>")
            parts += _figure(point.position, drawn_words)
    title = safe(words["title"])
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    page = f'<html lang="{words["language"]}"><head>{head}<style>{STYLE}</style></head>\n<body>\n'
    return f"<!DOCTYPE html>\n{page}{chr(10).join(parts)}\n</body></html>\n"


def _row_in_html(row: Row, language: str, level: str, drawn_words: Mapping[str, str]) -> Iterator[str]:
    items = "".join(f"<li><b>{safe(head)}</b>: {_coded(text)}</li>" for head, text in lines_of(row, language))
    rule = f"{safe(row.question.rule[language])} ({safe(section_of(row, words_of(language)))})."
    yield f"<{level}>{safe(row.finding.id)}</{level}><p>{rule}</p><ul>{items}</ul>"
    yield from _figure(row.finding.position, drawn_words)


def _figure(position: str | None, drawn_words: Mapping[str, str]) -> Iterator[str]:
    """The picture of a position, where there is one."""
    if position:
        drawn = picture(Position.parse(position), words=drawn_words)
        yield f"<figure>{drawn}<figcaption><code>{safe(position)}</code></figcaption></figure>"


def _sides(point: OpenPoint, language: str, words: Mapping[str, str]) -> list[str]:
    """What is said about a side that is no reading."""
    said = (
        (words["section"], point.section),
        (words["yes"], point.taken[language]),
        (words["no"], point.other[language]),
    )
    lines = [f"{head}: {text}" for head, text in said]
    lines += [f"{words['after']}: {_played(point.play, words)}"] if point.play else []
    lines += [f"{words['no_game']}: {point.no_game[language]}"] if point.no_game else []
    return lines + ([f"{words['settled']}: {point.settled[language]}"] if point.settled else [])


def _played(play: str, words: Mapping[str, str]) -> str:
    """Cards and decisions between commas."""
    return ", ".join(decision(one, words) for one in play.split(", "))


def _coded(text: str) -> str:
    """Text with what stands between back quotes as code."""
    parts = text.split("`")
    return "".join(f"<code>{safe(part)}</code>" if at % 2 else safe(part) for at, part in enumerate(parts))
