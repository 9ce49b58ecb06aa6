"""Booklets of puzzles: what is on their pages, read back from the HTML and from the PDF."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tetrasolve.draw.greys import in_greys
from tetrasolve.draw.pdf import PrintError, pdf_of
from tetrasolve.draw.sheets import LONGEST_SOURCE, booklet_pdf
from tetrasolve.errors import ArgumentError, MissingExtraError, OutOfTimeError, PuzzleError
from tetrasolve.finem.position import Step
from tetrasolve.finem.puzzle.booklet import booklet as finem_booklet
from tetrasolve.finem.puzzle.puzzle import shipped as finem_shipped
from tetrasolve.finem.ruleset import ROLES
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.cli import puzzle as cli
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.puzzle.booklet import Booklet, booklet
from tetrasolve.tetrarchia.puzzle.collection import Entry, read_line
from tetrasolve.tetrarchia.puzzle.kinds import kinds

FIGHT = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
DUX = "4211+dux M:6 bit/pin/aqu/gsu 23 nar tin.bae - -/-/lug/etr.dal"


def entry(**changes: Any) -> Entry:
    data = {
        "format": "tetrasolve-puzzle/1",
        "kind": "kill",
        "target": "narbonensis",
        "position": FIGHT,
        "source": "by hand",
        "answer": "attack narbonensis {victory 7/12: end | draw 5/36: end | defeat 5/18: end}",
        "gap": {"term": "kill narbonensis", "exact": "5/36", "float": 0.138},
        "values": [{"term": "kill narbonensis", "exact": "7/12", "float": 0.58}],
        "themes": ["support"],
        "grade": 4,
        "sharp": True,
    }
    return read_line(json.dumps(data | changes), "a test")


class Pages(HTMLParser):
    """The texts of a booklet by sheets, and on which sheet each article is."""

    def __init__(self, made: Booklet) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.where: dict[str, int] = {}
        self.feed(made.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "section":
            self.texts.append("")
        if tag == "article":
            name = dict(attrs)["id"]
            assert name is not None
            self.where[name] = len(self.texts)

    def handle_data(self, data: str) -> None:
        if self.texts:
            self.texts[-1] += data


@pytest.mark.parametrize("per_page", [1, 2])
def test_page_numbers_lead_from_puzzles_to_answers_and_back(per_page: int) -> None:
    long = "move noricum; " * 150 + "end"
    made = booklet([entry(answer=long) for _ in range(5)], per_page=per_page)
    found = Pages(made)
    assert made.pages == len(found.texts) == found.where["answer5"]
    assert [found.where[f"puzzle{number}"] for number in (1, 2, 3)] == ([2, 3, 4] if per_page == 1 else [2, 2, 3])
    assert found.where["answer1"] < found.where["answer5"], "the answers take more than one sheet"
    for number in range(1, 6):
        puzzle, answer = found.where[f"puzzle{number}"], found.where[f"answer{number}"]
        assert re.search(rf"Answer on page {answer}Puzzle {number}\D", found.texts[puzzle - 1])
        assert re.search(rf"Puzzle on page {puzzle}Answer {number}\D", found.texts[answer - 1])
        assert f"Page {puzzle} of {made.pages}" in found.texts[puzzle - 1]
    links = [attrs["href"] for tag, attrs in found.tags if tag == "a"]
    assert {link and link[1:] for link in links} == found.where.keys(), "each link has its aim"


def test_the_answer_says_gap_themes_grade_and_source() -> None:
    text = Pages(booklet([entry()])).texts[-1]
    for part in (
        "attack narbonensis",
        "Gap: 5/36 (chance to destroy the army in Narbonensis)",
        "7/12",
        "Themes: Support",
        "Grade: 4",
        "by hand",
    ):
        assert part in text


def test_a_booklet_in_spanish_has_no_english_sentence() -> None:
    made = booklet(
        [
            entry(sharp=False, source="collection 19, 4211, kill game 0, turn 5"),
            entry(position=DUX + " dux=null"),
            entry(kind="mistake", target="kill narbonensis: secure; end"),
        ],
        language="es",
    )
    text = "".join(Pages(made).texts)
    for part in (
        "Juega Maximiano. Destruye el ejército de Narbonensis",
        "Diferencia: 5/36 (probabilidad de destruir el ejército de Narbonensis)",
        "Origen: colección 19, 4211, partida 0 de kill, turno 5",
        "Temas: Apoyo",
        "Nivel 4211",
    ):
        assert part in text
    assert "Gasta los menos PI posibles." in text
    assert "quería destruir el ejército de Narbonensis, con la mayor" in text
    assert "1: secure; 2: end" in text, "the answer of a mistake has the number of its action"
    assert '<html lang="es">' in made.html
    assert not re.search(
        r"\b(Answer|Puzzle|on page|moves|Level|not yet in play)\b", re.sub(r"(?s)<svg.*?</svg>", "", made.html)
    )


@pytest.mark.parametrize("kind", kinds())
def test_each_kind_asks_in_both_languages_about_the_same(kind: str) -> None:
    row = kinds()[kind]
    names = [set(re.findall(r"\{(\w+)\}", text)) for text in (row.question, row.question_es)]
    assert names[0] == names[1] >= {"emperor"}
    assert row.question != row.question_es


def test_modules_and_readings_are_named() -> None:
    position = DUX.replace("4211+dux", "4211+dux?I-ENTRY=may") + " dux=null"
    text = Pages(booklet([entry(), entry(position=position)])).texts[1]
    assert "Base game · Readings: as preset" in text
    assert "Modules and variants: Dux · Readings: I-ENTRY = may" in text
    assert "Beside the map: Dux: not yet in play" in text


def test_text_of_a_file_is_escaped_and_nothing_is_loaded() -> None:
    evil = '<script>alert("1")</script><img src=x onerror=alert(1)>&amp;"'
    made = booklet(
        [entry(source=evil, answer=evil, themes=[evil], other=evil, gap={"term": evil, "exact": evil})], title=evil
    )
    found = Pages(made)
    assert {tag for tag, _ in found.tags}.isdisjoint({"script", "img", "link", "iframe", "object", "image", "use"})
    assert not any(name.startswith("on") for _, attrs in found.tags for name in attrs)
    assert evil[:LONGEST_SOURCE] in "".join(found.texts), "it is there as text"
    rest = made.html.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "://" not in rest
    assert "url(" not in rest


def test_answers_of_other_shapes_are_left_out() -> None:
    shapes = {
        "answer": 7,
        "gap": [1],
        "values": {"a": 1},
        "other": None,
        "themes": "x",
        "grade": True,
        "certificate": None,
    }
    text = Pages(booklet([entry(**shapes)])).texts[-1]
    assert "without a grade" in text
    assert "Gap" not in text


def test_a_text_that_no_page_has_room_for_is_refused() -> None:
    with pytest.raises(PuzzleError, match="puzzle 1: its answer takes"):
        booklet([entry(answer="x" * 9000)])
    with pytest.raises(PuzzleError, match="0 puzzles"):
        booklet([])
    with pytest.raises(ArgumentError, match="language"):
        booklet([entry()], language="de")
    with pytest.raises(ArgumentError, match="per_page"):
        booklet([entry()], per_page=3)


def test_pictures_have_no_colours_and_say_the_same_in_greys() -> None:
    position = example("fight")
    coloured = board_svg(Board.standard(), position, frame=False)
    grey = in_greys(coloured)
    colours = re.findall(r"#([0-9a-f]{6})\b", grey)
    assert colours
    assert all(colour[:2] == colour[2:4] == colour[4:] for colour in colours)
    assert re.sub(r"#[0-9a-f]{6}\b", "", grey) == re.sub(r"#[0-9a-f]{6}\b", "", coloured)
    letters = re.findall(r"<title>Garrison of (\w)", coloured)
    assert not letters or all(f">{letter}<" in grey for letter in letters)


def test_a_picture_without_a_frame_is_the_map_alone() -> None:
    board, position = Board.standard(), example("fight")
    alone, framed = (board_svg(board, position, frame=frame) for frame in (False, True))
    assert 'class="legend"' in framed
    assert 'class="legend"' not in alone
    for province in board.provinces.values():
        assert alone.count(f">{province.name.split()[0]}<") or alone.count(province.name)


def test_a_booklet_ends_with_its_time() -> None:
    with pytest.raises(OutOfTimeError):
        booklet([entry()], seconds=0)
    stop = Stop()
    stop.set()
    with pytest.raises(OutOfTimeError):
        booklet([entry()], cancel=stop)


def printed(entries: list[Entry], **options: Any) -> tuple[bytes, int]:
    """The PDF; the test is skipped where it cannot be made here."""
    try:
        return booklet_pdf(booklet, entries, **options)
    except (MissingExtraError, PrintError) as error:
        pytest.skip(f"no PDF can be made here: {error}")


def test_the_pages_of_the_pdf_are_the_sheets() -> None:
    reader = pytest.importorskip("pypdfium2")
    data, pages = printed([entry(source="<b>wide & bold</b>")])
    document = reader.PdfDocument(BytesIO(data))
    texts = [document[number].get_textpage().get_text_range() for number in range(len(document))]
    assert len(texts) == pages == 3
    assert "Answer on page 3" in texts[1]
    assert "Destroy the army in Narbonensis" in texts[1]
    assert "Narbonensis" in texts[1].replace("Destroy the army in Narbonensis", ""), "the map has its names"
    assert "Puzzle on page 2" in texts[2]
    assert "<b>wide & bold</b>" in texts[2]


def test_a_pdf_ends_with_its_time() -> None:
    printed([entry()])
    made = booklet([entry() for _ in range(6)])
    began = time.monotonic()
    with pytest.raises(Stopped):
        pdf_of(made.html, Stop(0.1))
    assert time.monotonic() - began < 30, "far from what six pictures take here, with room for a busy machine"


def test_the_command_writes_the_whole_file_or_none(tmp_path: Path) -> None:
    source, out = tmp_path / "a.jsonl", tmp_path / "book.html"
    source.write_text(json.dumps(entry().data) + "\n", "utf-8")
    run = CliRunner().invoke(cli.command, ["book", str(source), "-o", str(out), "--json"], standalone_mode=False)
    assert json.loads(run.output) == {"file": str(out), "puzzles": 1, "pages": 3, "language": "en"}
    assert out.read_text("utf-8").endswith("</html>\n")
    before = out.read_bytes()
    late = CliRunner().invoke(
        cli.command, ["book", str(source), "-o", str(out), "--seconds", "0"], standalone_mode=False
    )
    assert isinstance(late.exception, OutOfTimeError)
    assert out.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "book.html"]


# In both languages: the suits, the name of the game, and the notation of actions, which the front page explains
ALIKE = {
    *("oros", "copas", "espadas", "bastos", "finem", "imperii", "romani", "magister"),
    *("move", "confront", "pass", "exchange", "keep", "protect", "remove"),
}


class Words(HTMLParser):
    """The words of a booklet, with those that its pictures say, without answers and notation."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.is_read = True
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_read = tag != "style" and ("class", "plan") not in attrs

    def handle_data(self, data: str) -> None:
        is_notation = re.match(r"Nota[a-zó]+: |[a-z+\d]+ [a-z]+ [A-Z\d]{2}/", data.strip())
        if self.is_read and not is_notation:
            self.found |= set(re.findall(r"[a-záéíóúñ]{3,}(?:-[a-z]+)?", data.lower()))


def test_a_booklet_of_the_second_game_in_spanish_has_no_english_and_says_where_puzzles_are_from() -> None:
    chosen = {(one.question.kind.name, one.question.position.step): one for one in finem_shipped()}
    one = next(iter(chosen.values()))
    made = "expert+sphere+cap3, greedy game 3"
    entries = [*chosen.values(), replace(one, source=made)]
    english, spanish = (finem_booklet(entries, language=language).html for language in ("en", "es"))
    assert Words(english).found & Words(spanish).found <= ALIKE
    assert not any(name in english + spanish for name in ("greedy game", "worst-card", "chance-lost", "tribune-die"))
    assert "From: game of a greedy program at the expert level with sphere with cap 3 (seed 3)" in english
    assert "Origen: partida de un programa voraz en el nivel experto con esfera con tope 3 (semilla 3)" in spanish
    said = read_toml(files("tetrasolve.finem").joinpath("data/picture.toml").read_text("utf-8"))["es"]
    assert {*map(str, Step), *ROLES, "none"} <= said.keys()
    assert f"{len(entries)} problemas, con" in spanish
    assert "<p>1 problema, con la solución al final</p>" in finem_booklet([one], language="es").html


def test_a_booklet_of_the_second_game_is_printed_by_the_same_code() -> None:
    reader = pytest.importorskip("pypdfium2")
    chosen = next(one for one in finem_shipped() if one.question.kind.name == "worst-card")
    try:
        data, pages = booklet_pdf(finem_booklet, [chosen], language="es")
    except (MissingExtraError, PrintError) as error:
        pytest.skip(f"no PDF can be made here: {error}")
    document = reader.PdfDocument(BytesIO(data))
    texts = [document[number].get_textpage().get_text_range() for number in range(len(document))]
    assert len(texts) == pages == 3
    assert "Solución en la página 3" in texts[1] and chosen.data["answer"] in texts[2]
    assert "certificado" in texts[2]
    assert "declive" in texts[1] and "cubitos" in texts[1] and "cubes left" not in texts[1]
    assert "Diferencia: " + chosen.data["gap"]["exact"] + " (probabilidad de perder tras la carta)" in texts[2]
    stop = Stop()
    stop.set()
    with pytest.raises((Stopped, OutOfTimeError)):
        booklet_pdf(finem_booklet, [chosen], stop=stop)
