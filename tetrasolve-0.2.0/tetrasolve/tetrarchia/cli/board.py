"""``tetrasolve board``: the map as tables, its contradictions, its uncertain rows, and its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import click
from rich import box
from rich.console import Console
from rich.table import Table

from tetrasolve.cli.common import console, echo_json, json_option, read_input, write_file
from tetrasolve.tetrarchia.board import Board, Evidence, Link
from tetrasolve.tetrarchia.boardcheck import check
from tetrasolve.tetrarchia.boarddata import board_data, doubt_data
from tetrasolve.tetrarchia.boardfile import standard_text
from tetrasolve.tetrarchia.draw import board_svg

FINDINGS = 1
WIDE = 160  # columns that hold all evidence of a province on one line

F = TypeVar("F", bound=Callable[..., Any])


def board_option(command: F) -> F:
    """The option --board as keyword `path`."""
    return click.option("--board", "path", metavar="FILE", help="A board file (default: the board of the library).")(
        command
    )


def load(path: str | None) -> Board:
    """The board of an option; unlike elsewhere, boards with contradictions are accepted.

    :raises BoardError: when the file cannot be read as a board.
    """
    return Board.standard() if path is None else Board.load(path)


@click.group("board")
def command() -> None:
    """Show, check and draw the map, and rank its uncertain rows."""


# -- show ----------------------------------------------------------------------------------------------------------


@command.command("show")
@board_option
@click.option("--toml", "as_toml", is_flag=True, help="Print the board file itself, as a start for a correction.")
@json_option
def show(path: str | None, as_toml: bool, as_json: bool) -> None:
    """List provinces and links, each with its evidence: the source, and the confidence of the compiler of the file."""
    board = load(path)
    if as_toml:
        click.echo(standard_text() if path is None else read_input(path), nl=False)
        return
    if as_json:
        echo_json(board_data(board))
        return
    screen = console()
    screen.print(f"{board.name}, {board.edition}")
    wide = screen.width >= WIDE
    columns = (*PROVINCE_COLUMNS, "evidence" if wide else "weakest claim")
    screen.print(_table(screen, "Provinces", columns, _province_rows(board, wide=wide)))
    screen.print(_table(screen, "Links", LINK_COLUMNS, map(_link_row, board.links)))
    known = sum(link.exists.certain and link.kind.certain for link in board.links)
    screen.print(f"{known} of {len(board.links)} links are certain. If you own the game, please correct the others.")


PROVINCE_COLUMNS = ("at", "code", "province", "coast", "arrow to", "disc")
LINK_COLUMNS = ("between", "and", "kind", "it exists", "its kind")


def _table(screen: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    lines = box.SIMPLE_HEAD if screen.is_terminal else None
    table = Table(*columns, title=title, title_justify="left", box=lines, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    return table


def _province_rows(board: Board, *, wide: bool) -> Iterator[tuple[str, ...]]:
    letters = {emperor.id: emperor.letter for emperor in board.emperors}
    for province in board.provinces.values():
        yield (
            province.coordinates if province.number else "border" if province.is_border else "",
            province.code,
            province.id,
            " ".join(map(str, sorted(province.zones))),
            province.arrow or "",
            "".join(letters[emperor] for emperor in province.printed),
            _claims(province.evidence, wide=wide),
        )


def _claims(evidence: Mapping[str, Evidence], *, wide: bool) -> str:
    """All claims of a row, or the least certain one where there is not enough space."""
    claims = sorted(evidence.items(), key=lambda claim: claim[1].confidence)
    return ", ".join(f"{field}: {found}" for field, found in (claims if wide else claims[:1]))


def _link_row(link: Link) -> tuple[str, ...]:
    return (*link.between, _kind(link), str(link.exists), str(link.kind))


def _kind(link: Link) -> str:
    return "broken" if link.broken else "normal"


# -- check -----------------------------------------------------------------------------------------------------------


@command.command("check")
@board_option
@json_option
def check_(path: str | None, as_json: bool) -> int:
    """Check a board against everything that is certain about it; exit code 1 if a row cannot be right, with all findings."""
    board = load(path)
    findings = check(board)
    if as_json:
        echo_json({"board": board.source, "findings": [finding.to_json() for finding in findings]})
    else:
        for finding in findings:
            click.echo(str(finding))
        click.echo(_verdict(board, len(findings)))
    return FINDINGS if findings else 0


def _verdict(board: Board, findings: int) -> str:
    if findings:
        return f"{board.source}: {findings} finding{'s' if findings > 1 else ''}"
    return f"{board.source}: no contradiction found"


# -- doubts ----------------------------------------------------------------------------------------------------------


@command.command("doubts")
@click.option("--most", type=click.IntRange(1), default=20, show_default=True, help="Number of rows (JSON has all).")
@json_option
def doubts_(most: int, as_json: bool) -> None:
    """Rank the uncertain rows of the library's board by the number of proved facts that depend on them.

    The weight of a row is its doubt (one minus its confidence) times the number of facts that change if it is wrong, on
    average over the ways in which it can be wrong. It is an estimate, as the confidences are.
    """
    from tetrasolve.claims.doubts import doubts
    from tetrasolve.tetrarchia.facts.subject import standard_index, standard_subject

    index = standard_index()
    found = doubts(index, standard_subject())
    if as_json:
        echo_json([doubt_data(doubt) for doubt in found])
        return
    rows = (
        (f"{float(doubt.weight):.1f}", f"{float(doubt.confidence):g}", str(len(doubt.facts)), doubt.question)
        for doubt in found[:most]
    )
    screen = console()
    screen.print(_table(screen, "What to look up first", ("weight", "confidence", "facts", "on the map"), rows))
    hanging = sum(bool(doubt.facts) for doubt in found)
    screen.print(
        f"{hanging} of {len(found)} uncertain rows have facts that depend on them; {len(index.entries)} facts in all."
    )


# -- svg -------------------------------------------------------------------------------------------------------------


@command.command("svg")
@board_option
@click.option("--out", metavar="FILE", default="-", help="The file for the picture (default: standard output).")
@click.option("--width", type=click.IntRange(100, 20_000), default=1200, show_default=True, help="In pixels.")
def svg(path: str | None, out: str, width: int) -> None:
    """Draw the board."""
    write_file(out, board_svg(load(path), width=width))
