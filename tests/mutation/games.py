"""What the finder of open points asks of a game; the modules `tetrarchia` and `etfinem` have the values. No game is named here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from tetrasolve.lint.vocabulary import Vocabulary

Table: TypeAlias = Any  # a position, a set-up, or the text of one, as a game has it
Rows: TypeAlias = Mapping[tuple[str, str], set[str]]  # rows of the rules by file and definition
ROOT = Path(__file__).parents[2]


class Reading(Protocol):
    """A reading of a game."""

    name: str
    options: Mapping[str, str]

    @property
    def default(self) -> str:
        """The value taken when a ruleset says nothing."""
        ...


@dataclass(frozen=True)
class Positions:
    """Positions on which two rules are compared.

    `behaviour` is a number that stands for all that the rules do at one, in processes that were forked from one another. A pool
    of texts is of positions that are read again each time: what runs for their behaviour is all that it depends on. `text` shows
    one, `read` reads what `text` shows of a position. A digest of `source` belongs to verdicts that rest on the pool.
    `with_reading` is a position under another value of a reading, whose behaviour can be compared with that of a change; None
    where there is none. `is_plain` says whether a position is one under the defaults of all readings.
    """

    pool: Callable[[int, str], list[Table]]
    behaviour: Callable[[Table], int]
    size: Callable[[Table], int]
    smaller: Callable[[Table], Iterable[Table]]
    text: Callable[[Table], str]
    read: Callable[[str], Table]
    source: Path
    with_reading: Callable[[Table, str, str], Table | None] = lambda _table, _name, _value: None
    is_plain: Callable[[Table], bool] = lambda _table: True


@dataclass(frozen=True)
class Game:
    """A game: `folder` has its rules, from which changes name their files; `files` are patterns of those that hold rules.

    `rows` gives the rows of each definition, of the texts of the files; `tests` the tests that assert what follows from the text,
    by their files. `modules` are imported before rules are changed, `take_numbers` lets the game have its numbers after a change
    of them, where it keeps them somewhere else, and `keep_words` makes errors say what the rules said before one: it is given what
    answers for these.
    """

    folder: Path
    files: tuple[str, ...]
    words: Vocabulary
    rows: Callable[[Mapping[str, str]], Rows]
    tests: Callable[[], dict[str, frozenset[str]]]
    positions: Positions
    readings: Mapping[str, Reading]
    ruleset: type
    fixed: Mapping[
        tuple[str, str], str
    ]  # values of readings that tests of the text need not pass under, with the reason
    modules: tuple[str, ...] = ()
    seconds: int = 60  # of processor time for one change
    most: int = 1000  # positions that are drawn
    holds: Callable[[str, str], bool] = lambda _path, _name: True  # whether a definition holds a rule
    steps: tuple[str, str] = ("", "")  # the table that says what can be chosen at each step: only how often is a rule
    repeated: Path | None = None  # what a change of it calls, whose digest belongs to verdicts on these
    take_numbers: Callable[[], None] | None = None
    keep_words: Callable[[Callable[..., str]], None] = lambda _: None
    words_of: Callable[[str, str], str] = lambda _table, _action: (
        ""
    )  # what the rules say against an action at a position

    @property
    def has_numbers(self) -> bool:
        """Whether the game keeps its numbers somewhere else, too."""
        return self.take_numbers is not None

    def texts(self) -> dict[str, str]:
        """The files that hold rules, as seen from the folder, with their texts."""
        paths = dict.fromkeys(path for pattern in self.files for path in sorted(self.folder.glob(pattern)))
        return {path.relative_to(self.folder).as_posix(): path.read_text("utf-8") for path in paths}
