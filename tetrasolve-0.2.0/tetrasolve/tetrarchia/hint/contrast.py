"""What one plan leaves on the table that another does not: differences of their ends, as reasons with exact chances.

`gives_up` names what a plan lacks against another one: a revolt or an army that stays, a border that is not secured, a garrison
that is not set or is given up. The chances are those of the ends of the turn, by the reference rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tetrasolve.tetrarchia.hint.ideas import WEIGHTS, Fact, idea_of
from tetrasolve.tetrarchia.hint.prospects import Prospects
from tetrasolve.tetrarchia.hint.reasons import LEAST, PlanReason, listed
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
            _words(position, fact[0], [fact[1]], with_it, without_it),
            {"fact": fact[0], "province": fact[1], "with": with_it, "without": without_it},
        )
        for _, fact, with_it, without_it in rows
        if not (fact[0] == "unrest" and fact[1] in gone)
    )


def in_groups(position: Position, lacking: Sequence[PlanReason]) -> list[str]:
    """The same in fewer words: what happens in several provinces alike is said once."""
    groups: dict[tuple[str, bool, Fraction, Fraction], list[str]] = {}
    armies = {reason.data["province"] for reason in lacking if reason.data["fact"] == "army"}
    for reason in lacking:
        data = reason.data
        if data["fact"] == "revolt" and data["province"] in armies:
            continue  # the revolt under an army goes with it
        key = data["fact"], _was_there(position, data["fact"], data["province"]), data["with"], data["without"]
        groups.setdefault(key, []).append(data["province"])
    return [_words(position, fact, provinces, mine, other) for (fact, _, mine, other), provinces in groups.items()]


def _was_there(position: Position, fact: str, province: str) -> bool:
    if fact in GOOD:
        return position.has_garrison(province)
    return province in {"revolt": position.revolts, "unrest": position.unrest, "army": position.armies}[fact]


def _words(position: Position, fact: str, provinces: Sequence[str], mine: Fraction, other: Fraction) -> str:
    """What a plan lacks in these provinces, which are alike."""
    names = listed(position, provinces)
    many, was_there = len(provinces) > 1, _was_there(position, fact, provinces[0])
    instead = "" if other == (fact in GOOD) else f" (the other plan with chance {other})"
    if fact in GOOD:
        likely = f" only with chance {mine}" if mine else ""
        if was_there:
            thing = f"the border{'s' if many else ''}" if fact == "border" else f"the garrison{'s' if many else ''} in"
            return f"{'keeps' if mine else 'gives up'} {thing} {names}{likely}{instead}"
        if fact == "border":
            return f"{'secures' if mine else 'does not secure'} {names}{likely}{instead}"
        return f"{'sets a garrison' if mine else 'sets no garrison'} in {names}{likely}{instead}"
    likely = "" if mine == 1 else f" with chance {mine}"
    if fact == "unrest":
        return f"leaves {'' if many else 'the ' if was_there else 'an '}unrest in {names}{likely}{instead}"
    plural = {"revolt": "revolts", "army": "armies"}[fact] if many else fact
    article = "the " if was_there else "" if many else "an " if fact == "army" else "a "
    return f"leaves {article}{plural} in {names}{likely}{instead}"


def is_same_table(mine: Prospects, other: Prospects) -> bool:
    """Whether two plans have the same table after the turn, with the same chances."""
    return idea_of(mine.plan, mine.ends).distance(idea_of(other.plan, other.ends)) == 0
