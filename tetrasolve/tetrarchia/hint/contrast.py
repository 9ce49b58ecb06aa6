"""What one plan leaves on the table that another does not: differences of their ends, as reasons with exact chances.

`gives_up` names what a plan lacks against another one: a revolt or an army that stays, a border that is not secured, a garrison
that is not set or is given up. The chances are those of the ends of the turn, by the reference rules.
"""

from __future__ import annotations

from fractions import Fraction

from tetrasolve.tetrarchia.hint.ideas import WEIGHTS, Fact, idea_of
from tetrasolve.tetrarchia.hint.prospects import Prospects
from tetrasolve.tetrarchia.hint.reasons import LEAST, PlanReason
from tetrasolve.tetrarchia.position import Position

BAD = ("revolt", "unrest", "army")  # a plan lacks what would remove these,
GOOD = ("border", "garrison")  # and these where the other one has them


def gives_up(position: Position, mine: Prospects, other: Prospects) -> tuple[PlanReason, ...]:
    """What a plan gives up against another for the same turn, the heaviest first; the kind of each is ``lacks``.

    The data of each: the `fact`, its `province`, its chance `with` this plan and `without` it, with the other one.
    """
    here, there = idea_of(mine.plan, mine.ends).facts, idea_of(other.plan, other.ends).facts
    zero = Fraction(0)
    rows: list[tuple[Fraction, Fact, Fraction, Fraction]] = []
    for fact in here.keys() | there.keys():
        with_it, without_it = here.get(fact, zero), there.get(fact, zero)
        lost = (with_it - without_it) * ((fact[0] in BAD) - (fact[0] in GOOD))
        if lost >= LEAST:
            rows.append((lost * WEIGHTS[fact[0]], fact, with_it, without_it))
    order = position.board.order
    rows.sort(key=lambda row: (-row[0], row[1][0], order[row[1][1]], row[1][2]))
    gone = {fact[1] for _, fact, _, _ in rows if fact[0] == "revolt"}
    return tuple(
        PlanReason(
            "lacks",
            _words(position, fact, with_it, without_it),
            {"fact": fact[0], "province": fact[1], "with": with_it, "without": without_it},
        )
        for _, fact, with_it, without_it in rows
        if not (fact[0] == "unrest" and fact[1] in gone)
    )


def _words(position: Position, fact: Fact, mine: Fraction, other: Fraction) -> str:
    kind, province, _ = fact
    name = position.board[province].name
    if kind in GOOD:
        chances = "" if mine == 0 else f" with chance {mine} instead of {other}"
        if position.has_garrison(province):
            return f"gives up {'the border ' if kind == 'border' else 'the garrison in '}{name}{chances}"
        if chances:
            return f"{'secures' if kind == 'border' else 'sets a garrison in'} {name}{chances}"
        return f"does not secure {name}" if kind == "border" else f"sets no garrison in {name}"
    was_there = {"revolt": position.revolts, "unrest": position.unrest, "army": position.armies}[kind]
    thing = f"{'the' if province in was_there else 'an' if kind in ('unrest', 'army') else 'a'} {kind} in {name}"
    likely = "" if mine == 1 else f" with chance {mine}"
    instead = "" if other == 0 else f"; the other plan with chance {other}"
    return f"leaves {thing}{likely}{instead}"


def is_same_table(mine: Prospects, other: Prospects) -> bool:
    """Whether two plans have the same table after the turn, with the same chances."""
    return idea_of(mine.plan, mine.ends).distance(idea_of(other.plan, other.ends)) == 0
