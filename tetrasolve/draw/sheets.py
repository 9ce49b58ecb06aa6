"""Sheets of a booklet of puzzles: pictures and questions, the answers at the back, with page numbers in both directions.

The page numbers are those of *sheets* of A4: what stands on a sheet is chosen by how many lines it takes, so the same numbers hold
in a browser, on paper, and in the PDF. A game gives the words, and of each puzzle the texts and a picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, NamedTuple

from tetrasolve.draw.greys import in_greys
from tetrasolve.draw.pdf import PrintError, pdf_of
from tetrasolve.draw.svg import safe
from tetrasolve.errors import ArgumentError, PuzzleError
from tetrasolve.stop import Stop

LANGUAGES = ("en", "es")
MOST = 500  # puzzles of a booklet: 75 MB of HTML
LINE = 4.6  # mm, the height of a line of text
WIDTH, HEIGHT = 182.0, 262.0  # mm, of a sheet without its margins and its foot
IN_A_LINE = 84  # characters at the size of the text, so many that words that are wrapped fit too
IN_A_SMALL_LINE = 104  # as well, of the smaller text of answers
SMALL_LINE = 4.0  # mm, its height
ANSWER_HEAD = 6.0 + LINE  # mm: its heading, and the gap below the answer
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
.answer .small { line-height: 4mm; }
.answer { margin-bottom: 4.6mm; }
.plan { font-family: 'Liberation Mono', 'DejaVu Sans Mono', monospace; font-size: 9pt; }
.end { float: right; font-weight: normal; font-size: 10pt; }
a { color: inherit; }
@media screen { body { background: #ddd; } .sheet { background: #fff; padding: 0; margin: 6mm auto; outline: 10mm solid #fff; } }
"""


class Booklet(NamedTuple):
    """A booklet as a page of HTML that needs nothing else, and how many sheets it has."""

    html: str
    pages: int


class Item(NamedTuple):
    """A puzzle of a booklet.

    `question` are paragraphs, the first is printed in bold; `picture` makes SVG under a title; `answer` are rows, of which the
    first is the answer.
    """

    question: Sequence[str]
    picture: Callable[[str], str]
    answer: Sequence[tuple[str, str]]


def require_choices(language: str, per_page: int, count: int) -> None:
    """What is asked for can be made.

    :raises PuzzleError: when there is no puzzle, or there are more than 500.
    :raises ArgumentError: when there is no such language, or another number on a page.
    """
    if language not in LANGUAGES:
        raise ArgumentError("booklet: language", language, f"one of {', '.join(LANGUAGES)}")
    if per_page not in (1, 2):
        raise ArgumentError("booklet: per_page", per_page, "1 or 2")
    if not 0 < count <= MOST:
        raise PuzzleError(f"{count} puzzles: expected at least one, and at most {MOST} for a booklet")


def booklet_pdf(
    booklet: Callable[..., Booklet],
    entries: Sequence[Any],
    *,
    title: str | None = None,
    language: str = "en",
    per_page: int = 2,
    stop: Stop | None = None,
) -> tuple[bytes, int]:
    """The booklet that the function of a game makes of these puzzles, as PDF (``pip install tetrasolve[print]``), and its pages.

    :raises MissingExtraError: when WeasyPrint is not installed.
    :raises PrintError: when it cannot make the PDF, or its pages are not the sheets.
    :raises OutOfTimeError: when `stop` was set before the sheets were made.
    :raises Stopped: when it was set before the PDF was made.
    """
    made = booklet(entries, title=title, language=language, per_page=per_page, cancel=stop)
    found = pdf_of(made.html, stop)
    if found.pages != made.pages:
        raise PrintError(f"the PDF has {found.pages} pages where {made.pages} were laid out (please report this)")
    return found.data, found.pages


@dataclass
class Sheets:
    """The sheets of a booklet: one in front, the puzzles, the answers.

    `words` are the texts of a language: ``title``, ``count``, ``one``, ``reading`` with ``signs``, ``writing`` with ``words``,
    ``grades``, ``puzzle``, ``answer``, ``see_answer``, ``see_puzzle``, ``page``.
    """

    items: Sequence[Item]
    title: str | None
    words: Mapping[str, Any]
    language: str
    per_page: int
    shape: float  # height of a picture by its width
    look: Callable[[], None]  # called before each picture; may raise to end the work
    sheets: list[str] = field(default_factory=list)

    def booklet(self) -> Booklet:
        """The whole page."""
        asked = [[number] for number in range(1, len(self.items) + 1)]
        if self.per_page == 2:
            asked = self.in_pairs([self.lines_of(item.question) for item in self.items])
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
        name = short(self.name)
        count = words["single" if len(self.items) == 1 else "count"].format(puzzles=len(self.items))
        parts = [
            f"<h1>{safe(name)}</h1>",
            f"<p>{safe(count)}</p>",
            f"<p>{safe(words['one'])}</p>",
        ]
        for head, rows in (("reading", "signs"), ("writing", "words")):
            items = "".join(f"<li>{safe(row)}</li>" for row in words[rows])
            parts.append(f"<h2>{safe(words[head])}</h2><ul>{items}</ul>")
        parts.append(f"<p>{safe(words['grades'])}</p>")
        return f'<div class="front">{"".join(parts)}</div>'

    def puzzle(self, number: int, page: int) -> str:
        """The question with its picture, and where its answer is."""
        self.look()
        item = self.items[number - 1]
        rows = item.question
        if self.lines_of(rows) > (HEIGHT - LEAST_PICTURE * self.shape) / LINE:
            raise PuzzleError(
                f"puzzle {number}: its question takes {self.lines_of(rows)} lines, which a page has no room for"
            )
        space = HEIGHT / self.per_page if self.lines_of(rows) <= self.most_lines else HEIGHT
        width = min(WIDTH, (space - self.lines_of(rows) * LINE) / self.shape)
        label = self.words["puzzle"].format(number=number)
        picture = in_greys(item.picture(label))
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
        return int((HEIGHT / 2 - LEAST_PICTURE * self.shape) / LINE)

    def lines_of(self, rows: Iterable[str]) -> int:
        """The lines that paragraphs take, and a heading."""
        return 2 + sum(max(1, ceil(len(row) / IN_A_LINE)) for row in rows)

    def answers(self) -> list[list[tuple[int, list[tuple[str, str]]]]]:
        """The answers by sheets, each as its number and its rows."""
        sheets: list[list[tuple[int, list[tuple[str, str]]]]] = [[]]
        left = HEIGHT
        for number, item in enumerate(self.items, start=1):
            rows = list(item.answer)
            height = _height_of(rows)
            if height > HEIGHT:
                raise PuzzleError(f"puzzle {number}: its answer takes {height:.0f} mm, a page has {HEIGHT:.0f}")
            if height > left:
                sheets.append([])
                left = HEIGHT
            sheets[-1].append((number, rows))
            left -= height
        return sheets

    def answer(self, number: int, rows: Sequence[tuple[str, str]], page: int) -> str:
        """An answer, and where its puzzle is."""
        label = safe(self.words["answer"].format(number=number))
        link = f'<a class="end" href="#puzzle{number}">{safe(self.words["see_puzzle"].format(page=page))}</a>'
        first, *others = rows
        text = f'<p class="plan">{safe(first[1])}</p>' + "".join(
            f'<p class="small">{safe(name)}: {safe(value)}</p>' for name, value in others
        )
        return f'<article class="answer" id="answer{number}"><h2>{link}{label}</h2>{text}</article>'

    def in_pairs(self, lines: Sequence[int]) -> list[list[int]]:
        """The numbers of puzzles by sheets: two on each, one where the lines of one do not fit on half a sheet."""
        sheets: list[list[int]] = []
        for number, count in enumerate(lines, start=1):
            fits = count <= self.most_lines
            if fits and sheets and len(sheets[-1]) == 1 and lines[sheets[-1][0] - 1] <= self.most_lines:
                sheets[-1].append(number)
            else:
                sheets.append([number])
        return sheets


def _height_of(rows: Sequence[tuple[str, str]]) -> float:
    """The millimetres that an answer takes."""
    first, *others = rows
    small = sum(max(1, ceil(len(f"{name}: {value}") / IN_A_SMALL_LINE)) for name, value in others)
    return ANSWER_HEAD + LINE * max(1, ceil(len(first[1]) / IN_A_LINE)) + SMALL_LINE * small


def _sized(across: str, down: str, width: float) -> str:
    """The attributes of a picture that is so many millimetres wide; both sizes, since WeasyPrint does not work out the second."""
    height = width * float(down) / float(across)
    return f'width="{width:.1f}mm" height="{height:.1f}mm"'


def short(text: str) -> str:
    """A text that fits: a long one ends in dots."""
    return text if len(text) <= LONGEST_SOURCE else text[: LONGEST_SOURCE - 1] + "…"


def text_of(value: object) -> str:
    """A text of a file; empty where it is none."""
    return value if isinstance(value, str) else ""


def answer_rows(
    data: Mapping[str, Any],
    words: Mapping[str, Any],
    themes: Iterable[str],
    grade: int | None,
    say: Callable[[str], str] = str,
) -> list[tuple[str, str]]:
    """The rows of an answer that all games have, as the file has it; `themes` are titles, `say` puts a term in words."""
    rows = [(words["answers"], text_of(data.get("answer")) or "?")]
    values = data.get("values")
    terms = [row for row in values if isinstance(row, dict)] if isinstance(values, list) else []
    if terms:
        shown = "; ".join(f"{say(text_of(row.get('term')))}: {text_of(row.get('exact'))}" for row in terms)
        rows.append((words["value"], shown))
    gap = data.get("gap")
    if isinstance(gap, dict) and text_of(gap.get("exact")):
        term = text_of(gap.get("term")) or text_of(data.get("numbers"))
        rows.append((words["gap"], words["gap_of"].format(amount=gap["exact"], term=say(term))))
    if text_of(data.get("other")):
        rows.append((words["other"], text_of(data.get("other"))))
    if named := ", ".join(themes):
        rows.append((words["themes"], named))
    return [*rows, (words["grade"], str(grade or words["ungraded"]))]
