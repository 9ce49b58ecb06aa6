"""The facts of the game: the form of proof of each kind, and the function that proves or counts it.

The forms are those of `forms`. A verdict depends on the id of the fact and on the map alone; a game in a certificate can only show
that a bound is met.
"""

from claimed import Fact
from facts import MALFORMED, compare, read_values
from forms import GAME, RECOUNT
from text import Lines, Unreadable

from finem import chains, ground, idle, tempo
from finem.map import ID, Map
from finem.position import read_map

COUNTS = {**ground.COUNTS, **chains.COUNTS, **tempo.COUNTS, **idle.COUNTS}
PROVERS = tempo.PROVERS
FORM_OF = {**dict.fromkeys(COUNTS, RECOUNT), **dict.fromkeys(PROVERS, GAME)}
KIND = "finem-game"  # of a certificate of a fact


def form_of(kind: str) -> str:
    """The form of the proofs of a kind of facts."""
    if kind not in FORM_OF:
        raise Unreadable(f"this checker knows no facts of the kind '{kind[:40]}' of the game {ID}")
    return FORM_OF[kind]


def count_fact(fact_id: str, table: Map) -> Fact:
    """A fact that is counted again."""
    claim = Fact(fact_id, {}, {})
    if form_of(claim.kind) != RECOUNT:
        raise Unreadable(f"facts of the kind '{claim.kind}' are not counted, but proved by certificates")
    instances, count = COUNTS[claim.kind]
    if claim.instance not in instances:
        raise Unreadable(f"there is no fact {fact_id}")
    try:
        return Fact(fact_id, {}, count(table, claim.instance))
    except MALFORMED as error:
        raise Unreadable(f"this cannot be counted ({type(error).__name__}: {error})") from None


def check_fact(lines: Lines, tables: list[Map]) -> Fact:
    """The fact that a certificate proves."""
    table = read_map(lines, tables)
    fact = Fact(lines.field("fact"), {}, read_values(lines))
    at = lines.number
    if fact.kind not in PROVERS:
        raise lines.unreadable("there are no certificates of facts of this kind")
    try:
        proved = PROVERS[fact.kind](lines, table, fact)
    except MALFORMED as error:  # over something that a certificate of this kind never holds
        raise lines.unreadable(f"this is no certificate of its kind ({type(error).__name__}: {error})") from None
    lines.end()
    compare(lines, at, fact.values, proved)
    return fact
