"""``puzzle book``: puzzles as a booklet, in HTML or PDF, alike in all games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, TypeVar

import click

from tetrasolve import files
from tetrasolve.cli.common import echo_json, json_option, seconds_option, write_file, writing
from tetrasolve.cli.puzzleoptions import SHIPPED
from tetrasolve.draw.sheets import LANGUAGES, Booklet, booklet_pdf
from tetrasolve.errors import PuzzleError
from tetrasolve.exact.deadline import answering, stop_of

LONGEST_TITLE = 1000  # characters

E = TypeVar("E")


def book_command(
    name: str,
    filters: Callable[[Callable[..., Any]], Callable[..., Any]],
    read: Callable[[str], Sequence[E]],
    select: Callable[..., Sequence[E]],
    booklet: Callable[..., Booklet],
) -> click.Command:
    """The command of a game whose booklets are called `name` by default.

    `filters` adds options, which `select` gets together with the puzzles that `read` finds in a file.
    """

    @click.command("book")
    @click.argument("collections", metavar="[FILE]...", nargs=-1)
    @click.option("-o", "--out", metavar="FILE", required=True, help="The booklet; its name ends in .html or .pdf.")
    @click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of all sentences.")
    @click.option("--title", metavar="TEXT", help=f"In place of `{name}`.")
    @click.option("--per-page", type=click.IntRange(1, 2), default=2, show_default=True, help="Puzzles on a page.")
    @filters
    @json_option
    @seconds_option
    def book(
        collections: tuple[str, ...],
        out: str,
        language: str,
        title: str | None,
        per_page: int,
        as_json: bool,
        seconds: float | None,
        **chosen_by: Any,
    ) -> None:
        """Write the puzzles of each FILE as a booklet: pictures and questions, and the answers at the back.

        Without a FILE it takes them from the collection that ships with the library: choose at most 500.
        Pages are A4, for printers without colours. Answers are those of the file; `puzzle check` works them out again. A PDF
        takes about a second a puzzle, and `pip install 'tetrasolve[print]'`.
        """
        if not out.endswith((".html", ".pdf")):
            raise click.UsageError(f"-o {out}: expected a name that ends in .html or .pdf")
        if title is not None and len(title) > LONGEST_TITLE:
            raise click.UsageError(f"--title: has {len(title):,} characters, expected at most {LONGEST_TITLE:,}")
        entries = list(chain.from_iterable(read(path) for path in collections or (SHIPPED,)))
        chosen = select(entries, **chosen_by)
        if not chosen:
            raise PuzzleError(f"no puzzle fits the options (looked at: {len(entries)})")
        if out.endswith(".pdf"):
            stop = stop_of(seconds)
            with answering("a booklet", "its PDF was made"):
                data, pages = booklet_pdf(booklet, chosen, title=title, language=language, per_page=per_page, stop=stop)
            with writing(out):
                files.write_bytes(out, data)
        else:
            html, pages = booklet(chosen, title=title, language=language, per_page=per_page, seconds=seconds)
            write_file(out, html)
        if as_json:
            echo_json({"file": out, "puzzles": len(chosen), "pages": pages, "language": language})
        else:
            click.echo(f"{len(chosen)} puzzle{'s' * (len(chosen) != 1)} on {pages} pages: {out}")

    return book
