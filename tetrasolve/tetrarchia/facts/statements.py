"""Statements: facts whose numbers the checker works out anew, from the board, the rules, and positions that are listed.

What a statement of the rulebook says of itself, or how a turn ends, needs no proof of its own: whoever has rules can count or
play it. So the certificate holds the page and, where a position shows it, the positions, each with the actions that are
played there. The value `verdict` is whether the numbers are those of the rulebook; `witness` is taken from the text of the
positions, so that it says which ones they are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.fact import Kind, Value, Values
from tetrasolve.tetrarchia.facts.saying import listed, named

CERTIFICATE = "statement"
UNSHOWN = "unshown"  # the verdict where a board has no such position, or another one


def witness(positions: Iterable[str]) -> str:
    """A word by which a value names the positions of a certificate."""
    text = "".join(f"{line}\n" for line in positions)
    return "w" + hashlib.sha256(text.encode("ascii")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Answer:
    """The numbers of a statement, whether the rulebook is right, and the positions that show it."""

    values: Mapping[str, Value]
    right: bool
    positions: tuple[str, ...] = ()

    def all_values(self) -> dict[str, Value]:
        """The values of the fact."""
        found = {**self.values, "verdict": "confirmed" if self.right else "refuted"}
        if self.positions:
            found["witness"] = witness(self.positions)
        return found


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement: the page of the rulebook, how it is worked out on a board, and its words with values in braces."""

    page: int
    work: Callable[[Board], Answer]
    words: str


class NotHereError(TetrasolveError):
    """A board has no position that would show a statement."""


@lru_cache(maxsize=64)
def answer(statement: Statement, board: Board) -> Answer | None:
    """What a statement comes to on a board; None where it cannot be shown there."""
    try:
        return statement.work(board)
    except (TetrasolveError, KeyError, ValueError, AssertionError):
        return None


def statements(
    name: str,
    family: str,
    title: str,
    how: str,
    rows: tuple[str, ...],
    instances: Mapping[str, Statement],
    certainty: str = "exact",
    effort: float = 0.01,
    certificate: str = CERTIFICATE,
    ruleset: str = "the base game, usual readings",
) -> Kind:
    """A kind of fact with a statement for each instance; `certificate` is a kind of certificate with the same form."""
    return Kind(
        id=name,
        family=family,
        title=title,
        how=how,
        certificate=certificate,
        rows=rows,
        derive=partial(_derive, instances),
        certify=partial(_certify, certificate, name, instances),
        say=partial(_say, instances),
        ruleset=ruleset,
        certainty=certainty,
        effort=effort,
    )


def _derive(instances: Mapping[str, Statement], board: Board) -> Mapping[str, Values]:
    found: dict[str, Values] = {}
    for name, statement in instances.items():
        shown = answer(statement, board)
        found[name] = {"verdict": UNSHOWN} if shown is None else shown.all_values()
    return found


def _certify(
    certificate: str, name: str, instances: Mapping[str, Statement], board: Board, instance: str, values: Values
) -> Certificate:
    statement = instances[instance]
    shown = answer(statement, board)
    assert shown is not None, (name, instance)
    fact = f"{name}/{instance}" if instance else name
    return fact_certificate(
        certificate, board, fact, {"page": str(statement.page)}, values, {"positions": shown.positions}
    )


def _say(instances: Mapping[str, Statement], instance: str, values: Values) -> str:
    statement = instances[instance]
    if values["verdict"] == UNSHOWN:
        return f"Page {statement.page}: on this board nothing shows whether the rulebook is right."
    words = re.sub(r"\{([^}]+)\}", lambda path: _word(values[path[1]]), statement.words)
    verdict = {"confirmed": "Confirmed", "refuted": "Refuted"}[str(values["verdict"])]
    return f"{verdict} (page {statement.page}): {words}"


def _word(value: Value) -> str:
    """A value in words: provinces and Emperors by name, regions by numeral."""
    row = value if isinstance(value, tuple) else (value,)
    return listed(_NAMES.get(str(part), str(part)) for part in row)


_BOARD = Board.standard()
_NAMES = {name: named(name) for name in (*_BOARD.provinces, *(emperor.id for emperor in _BOARD.emperors))}
_NAMES |= {f"r{number}": numeral for number, numeral in enumerate(ROMAN_NUMERALS) if number}
