"""The facts of the index, and all that would make a page about them wrong.

Nothing is proved here: that is for the checker. What is seen to is that the index, the certificates and the board speak of
the same thing: a fact is shown only with a certificate that claims just these values of just this board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import SphinxError

from tetrasolve.certify.form import load
from tetrasolve.claims.checking import stale
from tetrasolve.claims.fact import Value, read_value
from tetrasolve.claims.index import NAME, Entry, Index
from tetrasolve.claims.subject import Subject
from tetrasolve.errors import FactError, TetrasolveError
from tetrasolve.games import game

HERE = Path(__file__).parent


class FactsError(SphinxError):
    """Facts and pages, or facts and proofs, do not fit; the build ends."""

    category = "Facts"


@dataclass(frozen=True)
class Shelf:
    """The index in a folder of proofs, and the board that the pages are about."""

    folder: Path
    index: Index
    subject: Subject

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The words of the game with the names that readers know."""
        return self.subject.names()

    def fact(self, id_: str) -> Entry:
        """The fact with this id.

        :raises ValueError: when there is none.
        """
        if id_ not in self.index.by_id:
            raise ValueError("the index has no such fact")
        return self.index.by_id[id_]

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, Value]]:
        """The values of every fact."""
        return {
            entry.id: {path: read_value(text) for path, text in entry.values.items()} for entry in self.index.entries
        }

    def value(self, fact: Entry, path: str) -> Value:
        """A value of a fact; without a path, its only one.

        :raises ValueError: when there is none, or no telling which.
        """
        values = self.values[fact.id]
        if not path and len(values) == 1:
            return next(iter(values.values()))
        if path not in values:
            raise ValueError(f"has no value {path!r}, but {_some(values)}")
        return values[path]

    def certificate(self, fact: Entry) -> Path:
        """The file of a certificate; of a fact without one the index, where the checker finds it."""
        return self.folder / (fact.file or NAME)

    def watch(self, env: BuildEnvironment) -> None:
        """Let the page that is being read be read again when the facts change, or how they are shown."""
        for path in (self.folder / NAME, *HERE.glob("*.py")):
            env.note_dependency(path)

    def troubles(self) -> Iterator[str]:
        """What keeps the index from being shown, a line for each fact concerned."""
        if changed := self.index.changed_rows(self.subject):
            yield from (f"fact {fact.id}: of another board: {_some(changed, '; ')}" for fact in self.index.entries)
            return
        problems = stale(self.index, self.subject, self.folder)
        yield from (f"fact {problem}" if problem.fact in self.index.by_id else str(problem) for problem in problems)
        wrong = {problem.fact for problem in problems}
        for fact in self.index.entries:
            if (
                fact.file
                and fact.id not in wrong
                and (trouble := _misfit(fact, self.certificate(fact), self.index.digest))
            ):
                yield f"fact {fact.id}: its certificate {fact.file} {trouble}"


def _some(words: Mapping[str, Value] | tuple[str, ...], comma: str = ", ") -> str:
    """A few of these, and how many there are beyond."""
    shown = comma.join(islice(words, 8))
    return f"{shown}{comma}and {len(words) - 8} more" if len(words) > 8 else shown


def _misfit(fact: Entry, path: Path, board_digest: str) -> str:
    """What a certificate claims otherwise than the index; "" where both say the same."""
    try:
        fields, values = _claimed(load(path))
    except TetrasolveError as error:
        return str(error)
    if fields.get("fact") != fact.id:
        return f"is the certificate of {fields.get('fact')}"
    if fields.get("board", "").split()[1:] != [board_digest]:
        return "is about another board"
    wrong = [path for path in {**values, **fact.values} if values.get(path) != fact.values.get(path)]
    return f"claims another value of {', '.join(wrong)}" if wrong else ""


def _claimed(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """The fields of a certificate and its values; all that stands below them is for the checker."""
    fields: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, _, rest = line.partition(" ")
        if name == "values" and rest.isdecimal():
            return fields, {path: value for path, _, value in (row.partition(" ") for row in islice(lines, int(rest)))}
        fields[name] = rest
    return fields, {}


# -- the shelf of a build ------------------------------------------------------------------------------------------


def shelf_of(env: BuildEnvironment) -> Shelf:
    """The facts of a build.

    :raises FactError: when there is no index, or it cannot be read.
    """
    here, board = Path(env.srcdir), env.config.fact_board
    path = str((here / board).resolve()) if board else None
    return _read((here / env.config.fact_proofs).resolve(), env.config.fact_game, path)


@lru_cache(maxsize=1)
def _read(folder: Path, name: str, board: str | None) -> Shelf:
    return Shelf(folder, Index.load(folder / NAME), game(name).get_subject(board))


def refuse_doubt(app: Sphinx) -> None:
    """Fail the build where a fact has no certificate that fits it."""
    _read.cache_clear()  # a process may build several times
    try:
        troubles = list(shelf_of(app.env).troubles())
    except FactError as error:
        troubles = [str(error)]
    if troubles:
        raise FactsError("\n".join(["not to be shown (`make proofs` mends what is stale):", *troubles]))
