"""A booklet of puzzles: pictures and questions, the answers at the back, with page numbers in both directions.

The page numbers are those of *sheets* of A4: what stands on a sheet is chosen by how many lines it takes, so the same numbers hold
in a browser, on paper, and in the PDF. Answers are those of the file; ``tetrasolve puzzle check`` works them out again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from math import ceil
from typing import Any, NamedTuple

from tetrasolve import strict
from tetrasolve.draw.greys import in_greys
from tetrasolve.draw.pdf import PrintError, pdf_of
from tetrasolve.draw.svg import safe
from tetrasolve.errors import ArgumentError, PuzzleError
from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.puzzle.collection import Entry
from tetrasolve.tetrarchia.puzzle.kinds import emperors
from tetrasolve.tetrarchia.puzzle.themes import themes
from tetrasolve.tetrarchia.text import pieces_in_words

LANGUAGES = ("en", "es")
MOST = 500  # puzzles of a booklet: 75 MB of HTML
LINE = 4.6  # mm, the height of a line of text
WIDTH, HEIGHT = 182.0, 262.0  # mm, of a sheet without its margins and its foot
IN_A_LINE = 84  # characters at the size of the text, so many that words that are wrapped fit too
PICTURE = 0.66  # height of a picture by its width: a little more than that of the map
LEAST_PICTURE = 80.0  # mm, its width
LONGEST_SOURCE = 120  # characters

_SIZE = re.compile(r'(<svg [^>]*?)width="([0-9.]+)" height="([0-9.]+)"')

STYLE = """
@page { size: A4; margin: 10mm 14mm; }
* { box-sizing: border-box; }
body { margin: 0; color: #000; background: #fff; font: 10pt/4.6mm 'Liberation Sans', Arial, 'DejaVu Sans', sans-serif; }
.sheet { position: relative; width: 182mm; height: 276mm; margin: 0 auto; break-after: page; overflow: hidden; }
.sheet:last-child { break-after: auto; }
.foot { position: absolute; bottom: 0; width: 100%; text-align: center; }
h1 { font-size: 26pt; line-height: 1.2; margin: 30mm 0 10mm; overflow-wrap: anywhere; }
h2 { font-size: 12pt; line-height: 6mm; margin: 0; }
p, ul { margin: 0; overflow-wrap: anywhere; }
.front p, .front ul, .front h2 { margin-bottom: 4mm; }
.puzzle { overflow: hidden; }
.puzzle svg { display: block; margin: 0 auto; overflow: hidden; }
.question { font-weight: bold; }
.small { font-size: 8pt; }
.answer { margin-bottom: 4.6mm; }
.plan { font-family: 'Liberation Mono', 'DejaVu Sans Mono', monospace; font-size: 9pt; }
.end { float: right; font-weight: normal; font-size: 10pt; }
a { color: inherit; }
@media screen { body { background: #ddd; } .sheet { background: #fff; padding: 0; margin: 6mm auto; outline: 10mm solid #fff; } }
"""


@cache
def _words() -> Mapping[str, Mapping[str, Any]]:
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/booklet.toml").read_text("utf-8")
    return strict.read_toml(text)


class Booklet(NamedTuple):
    """A booklet as a page of HTML that needs nothing else, and how many sheets it has."""

    html: str
    pages: int


def booklet(
    entries: Sequence[Entry],
    *,
    title: str | None = None,
    language: str = "en",
    per_page: int = 2,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Booklet:
    """A booklet of these puzzles, numbered from 1 on, with one or two on a page, as HTML.

    :raises PuzzleError: when there is no puzzle, there are more than 500, or one is too long for a page.
    :raises ArgumentError: when there is no such language, or another number on a page.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all pictures were drawn.
    """
    if language not in LANGUAGES:
        raise ArgumentError("booklet: language", language, f"one of {', '.join(LANGUAGES)}")
    if per_page not in (1, 2):
        raise ArgumentError("booklet: per_page", per_page, "1 or 2")
    if not 0 < len(entries) <= MOST:
        raise PuzzleError(f"{len(entries)} puzzles: expected at least one, and at most {MOST} for a booklet")
    stop = stop_of(seconds, cancel)
    with answering("a booklet", "all its pictures were drawn"):
        return _Pages(entries, title, _words()[language], language, per_page, stop).booklet()


def booklet_pdf(
    entries: Sequence[Entry],
    *,
    title: str | None = None,
    language: str = "en",
    per_page: int = 2,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> tuple[bytes, int]:
    """The same as PDF (``pip install tetrasolve[print]``), and how many pages it has.

    :raises MissingExtraError: when WeasyPrint is not installed.
    :raises PrintError: when it cannot make the PDF.
    :raises OutOfTimeError: as `booklet`, and before the PDF was made.
    """
    stop = stop_of(seconds, cancel)
    pages = booklet(entries, title=title, language=language, per_page=per_page, cancel=stop)
    with answering("a booklet", "its PDF was made"):
        made = pdf_of(pages.html, stop)
    if made.pages != pages.pages:
        raise PrintError(f"the PDF has {made.pages} pages where {pages.pages} were laid out (please report this)")
    return made.data, made.pages


@dataclass
class _Pages:
    """The sheets of a booklet: one in front, the puzzles, the answers."""

    entries: Sequence[Entry]
    title: str | None
    words: Mapping[str, Any]
    language: str
    per_page: int
    stop: Stop | None
    sheets: list[str] = field(default_factory=list)

    def booklet(self) -> Booklet:
        """The whole page."""
        asked = [[number] for number in range(1, len(self.entries) + 1)]
        if self.per_page == 2:
            asked = _in_pairs([self.lines_of(self.question(number)) for (number,) in asked])
        answers = self.answers()
        pages = 1 + len(asked) + len(answers)
        on_page = {number: 2 + sheet for sheet, numbers in enumerate(asked) for number in numbers}
        answer_on = {number: 2 + len(asked) + sheet for sheet, rows in enumerate(answers) for number, _ in rows}
        self.sheets = [self.front()]
        for numbers in asked:
            self.sheets.append("".join(self.puzzle(number, answer_on[number]) for number in numbers))
        for rows in answers:
            self.sheets.append("".join(self.answer(number, parts, on_page[number]) for number, parts in rows))
        foot = self.words["page"]
        body = "\n".join(
            f'<section class="sheet" id="page{page}">{sheet}<p class="foot">{foot.format(page=page, pages=pages)}</p></section>'
            for page, sheet in enumerate(self.sheets, start=1)
        )
        name = safe(self.name)
        return Booklet(
            f'<!DOCTYPE html>\n<html lang="{self.language}"><head><meta charset="utf-8"><title>{name}</title>'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n',
            pages,
        )

    @property
    def name(self) -> str:
        """The title."""
        return self.title if self.title is not None else str(self.words["title"])

    # -- sheets ----------------------------------------------------------------------------------------------------

    def front(self) -> str:
        """Title, and how to read the rest."""
        words = self.words
        name = self.name if len(self.name) <= LONGEST_SOURCE else self.name[: LONGEST_SOURCE - 1] + "…"
        parts = [
            f"<h1>{safe(name)}</h1>",
            f"<p>{safe(words['count'].format(puzzles=len(self.entries)))}</p>",
            f"<p>{safe(words['one'])}</p>",
        ]
        for head, rows in (("reading", "signs"), ("writing", "words")):
            items = "".join(f"<li>{safe(row)}</li>" for row in words[rows])
            parts.append(f"<h2>{safe(words[head])}</h2><ul>{items}</ul>")
        parts.append(f"<p>{safe(words['grades'])}</p>")
        return f'<div class="front">{"".join(parts)}</div>'

    def puzzle(self, number: int, page: int) -> str:
        """The question with its picture, and where its answer is."""
        check(self.stop)
        position = self.entries[number - 1].question.position
        rows = self.question(number)
        space = HEIGHT / self.per_page if self.lines_of(rows) <= self.most_lines else HEIGHT
        width = min(WIDTH, (space - self.lines_of(rows) * LINE) / PICTURE)
        label = self.words["puzzle"].format(number=number)
        picture = in_greys(board_svg(position.board, position, title=label, frame=False))
        picture = _SIZE.sub(lambda found: found[1] + _sized(found[2], found[3], width), picture, count=1)
        link = f'<a class="end" href="#answer{number}">{safe(self.words["see_answer"].format(page=page))}</a>'
        first, *others = rows
        text = f'<p class="question">{safe(first)}</p>' + "".join(f'<p class="small">{safe(row)}</p>' for row in others)
        return (
            f'<article class="puzzle" id="puzzle{number}" style="height:{space:.1f}mm">'
            f"<h2>{link}{safe(label)}</h2>{text}{picture}</article>"
        )

    @property
    def most_lines(self) -> int:
        """The lines beside a picture on half a sheet."""
        return int((HEIGHT / 2 - LEAST_PICTURE * PICTURE) / LINE)

    def lines_of(self, rows: Iterable[str]) -> int:
        """The lines that paragraphs take, and a heading."""
        return 2 + sum(max(1, ceil(len(row) / IN_A_LINE)) for row in rows)

    def answers(self) -> list[list[tuple[int, list[tuple[str, str]]]]]:
        """The answers by sheets, each as its number and its rows."""
        sheets: list[list[tuple[int, list[tuple[str, str]]]]] = [[]]
        room = most = int(HEIGHT / LINE) - 2
        for number, entry in enumerate(self.entries, start=1):
            rows = list(self.solution(entry))
            lines = 1 + self.lines_of(f"{name}: {value}" for name, value in rows)
            if lines > most:
                raise PuzzleError(f"puzzle {number}: its answer takes {lines} lines, a page has {most}")
            if lines > room:
                sheets.append([])
                room = most
            sheets[-1].append((number, rows))
            room -= lines
        return sheets

    def answer(self, number: int, rows: Sequence[tuple[str, str]], page: int) -> str:
        """An answer, and where its puzzle is."""
        label = safe(self.words["answer"].format(number=number))
        link = f'<a class="end" href="#puzzle{number}">{safe(self.words["see_puzzle"].format(page=page))}</a>'
        first, *others = rows
        text = f'<p class="plan">{safe(first[1])}</p>' + "".join(
            f"<p>{safe(name)}: {safe(value)}</p>" for name, value in others
        )
        return f'<article class="answer" id="answer{number}"><h2>{link}{label}</h2>{text}</article>'

    # -- in words ----------------------------------------------------------------------------------------------------

    def question(self, number: int) -> list[str]:
        """The question, whose turn it is, and the rules."""
        entry, words = self.entries[number - 1], self.words
        position = entry.question.position
        asked = entry.question.said(self.language)
        if entry.data.get("sharp") is False:
            asked += f" {words['least_ip']}"
        rows = [asked, f"{self.turn(position)} · {self.rules(position)}"]
        beside = "; ".join(f"{name}: {self.translated(what)}" for name, what in pieces_in_words(position).items())
        if beside:
            rows.append(words["beside"].format(what=beside))
        rows.append(f"{words['notation']}: {position}")
        if self.lines_of(rows) > (HEIGHT - LEAST_PICTURE * PICTURE) / LINE:
            raise PuzzleError(
                f"puzzle {number}: its question takes {self.lines_of(rows)} lines, which a page has no room for"
            )
        return rows

    def translated(self, what: str) -> str:
        """What is said of a piece beside the map."""
        for english, other in self.words["pieces"]:
            what = what.replace(english, other)
        return what

    def turn(self, position: Position) -> str:
        """Whose turn it is."""
        name = emperors(position.board, self.language)[position.to_move]
        key = "to_move" if position.phase is Phase.ROMAN else "phase"
        return str(self.words[key].format(emperor=name, ip=position.ip))

    def rules(self, position: Position) -> str:
        """The level, the modules and the readings."""
        ruleset, words = position.ruleset, self.words
        names = ", ".join(sorted(ruleset.extensions))
        chosen = ", ".join(f"{name} = {value}" for name, value in ruleset.interpretations)
        parts = (
            words["level"].format(level=ruleset.level),
            words["modules"].format(names=names) if names else words["no_modules"],
            words["readings"].format(names=chosen) if chosen else words["no_readings"],
        )
        return " · ".join(parts)

    def solution(self, entry: Entry) -> Iterator[tuple[str, str]]:
        """The rows of an answer, as the file has it; the first is the answer."""
        words, data = self.words, entry.data
        yield words["answers"], _text(data.get("answer")) or "?"
        values = data.get("values")
        rows = [row for row in values if isinstance(row, dict)] if isinstance(values, list) else []
        if rows:
            yield words["value"], "; ".join(f"{_text(row.get('term'))}: {_text(row.get('exact'))}" for row in rows)
        gap = data.get("gap")
        if isinstance(gap, dict) and _text(gap.get("exact")):
            term = _text(gap.get("term")) or _text(data.get("numbers"))
            yield words["gap"], words["gap_of"].format(amount=gap["exact"], term=term)
        if _text(data.get("other")):
            yield words["other"], _text(data.get("other"))
        if entry.themes:
            yield words["themes"], ", ".join(self.theme(name) for name in entry.themes)
        yield words["grade"], str(entry.grade or words["ungraded"])
        yield words["source"], _short(entry.source) + (f". {words['proof']}" if data.get("certificate") else "")

    def theme(self, name: str) -> str:
        """The title of a theme."""
        return themes()[name].title[self.language] if name in themes() else _short(name)


def _in_pairs(lines: Sequence[int]) -> list[list[int]]:
    """The numbers of puzzles by sheets: two on each, one where the lines of one do not fit on half a sheet."""
    most = int((HEIGHT / 2 - LEAST_PICTURE * PICTURE) / LINE)
    sheets: list[list[int]] = []
    for number, count in enumerate(lines, start=1):
        fits = count <= most
        if fits and sheets and len(sheets[-1]) == 1 and lines[sheets[-1][0] - 1] <= most:
            sheets[-1].append(number)
        else:
            sheets.append([number])
    return sheets


def _sized(across: str, down: str, width: float) -> str:
    """The attributes of a picture that is so many millimetres wide; both sizes, since WeasyPrint does not work out the second."""
    height = width * float(down) / float(across)
    return f'width="{width:.1f}mm" height="{height:.1f}mm"'


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SOURCE else text[: LONGEST_SOURCE - 1] + "…"
