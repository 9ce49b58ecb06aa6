"""Facts: what all proofs have in common, and which function of this program proves which.

A fact whose form is `recount` has no certificate: a function works its values out from the board and the id of the fact.

A certificate of a fact names the board (all of its rows) and the fact, and lists the values that it claims. How they are
proved depends on its kind: a function is given the certificate, line by line, and returns the values which are true by what
it has worked out itself. They must be those that are claimed, all of them and no other.
"""

from collections.abc import Callable, Iterable, Mapping

import cascades
import combat
import distances
import growth
import invariants
import maps
import opening
import smallest
import soonest
import statements
import turnbound
import waiting
from board import Board
from claimed import FACT, PATH, Fact
from forms import FORM_OF, RECOUNT
from text import Lines, NoLines, Unreadable

MALFORMED = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    MemoryError,
)

Prove = Callable[[Lines, Board, Fact], dict[str, str]]

# For each kind of certificate the names of its fields, in their order, and the function that proves its facts
PROVERS: dict[str, tuple[tuple[str, ...], Prove]] = {
    "growth": ((), growth.prove),
    "smallest-sets": ((), smallest.prove),
    "turn-bound": ((), turnbound.prove),
    "soonest-victory": ((), soonest.prove),
}


def of_instance(
    instances: Callable[[Board], Mapping[str, Callable[[], Iterable[tuple[str, str]] | dict[str, str]]]],
) -> Prove:
    """What proves the facts of a kind that has a function for each instance, which counts its values."""

    def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
        known = instances(board)
        if fact.instance not in known:
            raise lines.refuted(f"there is no fact {fact.id}")
        return dict(known[fact.instance]())

    return prove


# For each kind of facts without certificates the function that counts them again
RECOUNTS: dict[str, Prove] = {
    "map": maps.prove,
    "arrow": maps.prove,
    "invariant": invariants.prove,
    "statement": statements.prove,
    **{
        kind: of_instance(instances)
        for module in (cascades, combat, distances, opening, waiting)
        for kind, instances in module.COUNTS.items()
    },
}


def form_of(kind: str) -> str:
    """The form of the proofs of a kind of facts."""
    if kind not in FORM_OF:
        raise Unreadable(f"this checker knows no facts of the kind '{kind[:40]}'")
    return FORM_OF[kind]


def count_fact(fact_id: str, board: Board) -> Fact:
    """A fact whose form is `recount`, with the values that are counted here: they depend on its id and the board alone."""
    claim = Fact(fact_id, {}, {})
    if form_of(claim.kind) != RECOUNT:
        raise Unreadable(f"facts of the kind '{claim.kind}' are not counted, but proved by certificates")
    try:
        return Fact(fact_id, {}, RECOUNTS[claim.kind](NoLines(), board, claim))
    except MALFORMED as error:
        raise Unreadable(f"this cannot be counted ({type(error).__name__}: {error})") from None


def check_fact(lines: Lines, kind: str, find_board: Callable[[str, str], Board]) -> Fact:
    """The fact that a certificate proves."""
    name, _, digest = lines.field("board").partition(" ")
    board = find_board(name, digest)
    fact_id = lines.field("fact")
    if not FACT.fullmatch(fact_id):
        raise lines.unreadable("expected the id of a fact: its kind, and after a stroke its instance")
    if FORM_OF.get(fact_id.partition("/")[0], RECOUNT) == RECOUNT:
        raise lines.unreadable(
            "facts of this kind have no certificates, they are counted again, or there is no such kind"
        )
    names, prove = PROVERS[kind]
    fields = {name: lines.field(name) for name in names}
    fact = Fact(fact_id, fields, read_values(lines))
    at = lines.number
    try:
        proved = prove(lines, board, fact)
    except MALFORMED as error:  # over something that a certificate of this kind never holds
        raise lines.unreadable(f"this is no certificate of its kind ({type(error).__name__}: {error})") from None
    lines.end()
    compare(lines, at, fact.values, proved)
    return fact


def read_values(lines: Lines) -> dict[str, str]:
    """The section `values`: a path and a value a line, in ascending order of the paths, each once."""
    values: dict[str, str] = {}
    last = ""
    for line in lines.section("values"):
        path, _, value = line.partition(" ")
        if not PATH.fullmatch(path) or not value or " " in value:
            raise lines.unreadable("expected a path, a space and a value")
        if path <= last:
            raise lines.unreadable(f"path '{path}' stands after '{last}', expected ascending order")
        values[path] = value
        last = path
    return values


def compare(lines: Lines, last: int, claimed: dict[str, str], proved: dict[str, str]) -> None:
    """Make sure that what is claimed is what has been proved; the section of values ends at this line."""
    first = last - len(claimed) + 1
    for row, (path, value) in enumerate(claimed.items()):
        lines.number = first + row
        if path not in proved:
            raise lines.refuted(f"'{path}' is no value of this fact")
        if proved[path] != value:
            raise lines.refuted(f"'{path}' is {proved[path]}, not {value}")
    lines.number = last
    for path, value in proved.items():
        if path not in claimed:
            raise lines.refuted(f"the value '{path}' is left out; it is {value}")
