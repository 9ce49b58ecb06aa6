"""Reasons for a plan: what it achieves, what it prevents, what it risks, and an alternative that is nearly as good.

Reasons compare a plan with ending the turn at once, or with another plan. Each has data and a text made from the data. All
chances in them are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Outcome
from tetrasolve.tetrarchia.hint.prospects import Prospects
from tetrasolve.tetrarchia.pieces import HELPERS
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, advance
from tetrasolve.tetrarchia.rules.modules.pirates import zone_of

NOTEWORTHY = Fraction(1, 36)  # the smallest change of a chance that is a reason: one roll of two dice
LEAST = Fraction(1, 1000)  # the smallest chance of something that is a reason
LEVEL = 0.0005  # of the chance to win: less than this behind is as good
FEW = 6  # discs left in the reserve: a chain of uprisings can use them up
MANY = Fraction(1, 2)  # the smallest change of an expected number that is a reason

FIGURE_WORDS = {
    "p_lost": "the chance that the Empire falls in the coming phase",
    "p_uprising": "the chance of an uprising",
    "p_new_army": "the chance of a new army",
}


@dataclass(frozen=True, slots=True)
class PlanReason:
    """A reason: its `kind`, its `text` for players, and its `data` for programs."""

    kind: str
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """The reason as JSON data; fractions are text."""
        return {"kind": self.kind, "text": self.text, **{k: _plain(v) for k, v in self.data.items()}}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def reasons(position: Position, found: Prospects, idle: Prospects | None) -> tuple[PlanReason, ...]:
    """The reasons for a plan, the strongest first; `idle` are the prospects of ending the turn at once, where that is legal.

    What happens with a chance below `LEAST` is no reason.

    Kinds: ``wins``, ``secures``, ``beats``, ``deploys``, ``pays``, ``blocks``, ``frees``, ``subdues``, ``garrisons``, ``prevents``,
    ``costs``, ``risks``; and ``alternative``, which `almost` makes.
    """
    found_reasons = (
        *_wins(found),
        *_secures(position, found),
        *_beats(position, found),
        *_beats_pirates(position, found),
        *_deploys(position, found),
        *_pays(position, found),
        *_blocks(position, found),
        *_frees(position, found),
        *_subdues(position, found),
        *_garrisons(position, found),
        *(_against(found, idle) if idle is not None else ()),
        *_risks(position, found),
    )
    return tuple(reason for reason in found_reasons if reason.data.get("chance", LEAST) >= LEAST)


def chances(found: Prospects, members: Callable[[Position], frozenset[str]]) -> dict[str, Fraction]:
    """For each province the chance that it is among the members at the end of the turn, and the Empire has not fallen."""
    sums: dict[str, Fraction] = {}
    for chance, end, _ in found.ends:
        if not isinstance(end, Fall):
            for member in members(end):
                sums[member] = sums.get(member, Fraction(0)) + chance
    return sums


def _likely(chance: Fraction) -> str:
    return "" if chance == 1 else f" with chance {chance}"


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def listed(position: Position, provinces: Sequence[str]) -> str:
    """The names of provinces as a list in words."""
    names = [position.board[province].name for province in provinces]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _in_order(position: Position, chances: Mapping[str, Fraction]) -> list[tuple[str, Fraction]]:
    order = position.board.order
    return sorted(chances.items(), key=lambda item: (-item[1], order[item[0]]))


def _wins(found: Prospects) -> Iterator[PlanReason]:
    if found.p_won:
        yield PlanReason("wins", f"wins the game in this turn{_likely(found.p_won)}", {"chance": found.p_won})


def _secures(position: Position, found: Prospects) -> Iterator[PlanReason]:
    for border, chance in _in_order(
        position, chances(found, lambda end: frozenset(end.secured).difference(position.secured))
    ):
        left = len(position.board.borders) - len(position.secured) - 1
        after = f", {_number(left, 'border')} left" if left else ""
        text = f"secures {position.board[border].name}{_likely(chance)}{after}"
        yield PlanReason("secures", text, {"border": border, "chance": chance})


def _beats(position: Position, found: Prospects) -> Iterator[PlanReason]:
    armies = frozenset(position.armies)
    for army, chance in _in_order(position, chances(found, lambda end: armies - frozenset(end.armies))):
        text = f"beats the army in {position.board[army].name}{_likely(chance)}"
        yield PlanReason("beats", text, {"army": army, "chance": chance})


def _beats_pirates(position: Position, found: Prospects) -> Iterator[PlanReason]:
    zone = zone_of(position)
    if zone is None:
        return
    beaten = [chance for chance, end, _ in found.ends if not isinstance(end, Fall) and zone_of(end) is None]
    if beaten:
        text = f"beats the Pirates in zone {zone}{_likely(sum(beaten, Fraction(0)))}"
        yield PlanReason("beats", text, {"pirates": zone, "chance": sum(beaten, Fraction(0))})


def _deploys(position: Position, found: Prospects) -> Iterator[PlanReason]:
    for figure in HELPERS:
        if position.place_of(figure) is not None:
            continue
        places = _in_order(position, chances(found, lambda end, f=figure: _places(end, f)))  # type: ignore[misc]  # of one figure
        for place, chance in places:
            text = f"brings the {figure.title()} into play in {position.board[place].name}{_likely(chance)}"
            yield PlanReason("deploys", text, {"figure": figure, "province": place, "chance": chance})


def _places(position: Position, figure: str) -> frozenset[str]:
    place = position.place_of(figure)
    return frozenset() if place is None else frozenset((place,))


def _pays(position: Position, found: Prospects) -> Iterator[PlanReason]:
    """Discs that are out of the game for good."""
    emperor = position.to_move
    before = position.removed.get(emperor, 0)
    paid = sum((chance * _paid(end, emperor, before) for chance, end, _ in found.ends), Fraction(0))
    if paid:
        number = _number(int(paid), "disc") if paid.denominator == 1 else f"{float(paid):.1f} discs on average"
        yield PlanReason("pays", f"pays {number} for the Emperor's power", {"discs": paid})


def _paid(end: Position | Fall, emperor: str, before: int) -> int:
    return 0 if isinstance(end, Fall) else end.removed.get(emperor, 0) - before


def _general_at(position: Position, province: str) -> str | None:
    return next((general for general, place in position.generals.items() if place == province), None)


def _blocks(position: Position, found: Prospects) -> Iterator[PlanReason]:
    board = position.board
    for army in position.armies:
        target, _ = advance.way(position, army)
        if target is None or army in position.rebels or _general_at(position, target) is not None:
            continue
        barred, won = Fraction(0), Fraction(0)
        for chance, end, _ in found.ends:
            leader = None if isinstance(end, Fall) else _general_at(end, target)
            if not isinstance(end, Fall) and army in end.armies and leader is not None:
                battle = rules.battle(end, leader, army).chances()
                barred += chance
                won += chance * Fraction(battle.get(Outcome.VICTORY, 0), 36)
        if barred:
            way = f"bars the way of the army in {board[army].name}{_likely(barred)}"
            loses = "for certain" if won == barred else f"with chance {won / barred}"
            text = f"{way}, which loses {loses} if it attacks" if won else f"{way}, which cannot lose"
            yield PlanReason(
                "blocks", text, {"army": army, "province": target, "chance": barred, "victory": won / barred}
            )


def _frees(position: Position, found: Prospects) -> Iterator[PlanReason]:
    """Regions that become free of revolts, so that their border can be secured."""
    board = position.board

    def free(end: Position) -> frozenset[str]:
        held = {board[revolt].region for revolt in end.revolts}
        return frozenset(b for b in board.borders if board[b].region not in held and b not in end.secured)

    before = free(position)
    for border, chance in _in_order(position, chances(found, lambda end: free(end) - before)):
        region = next(r.name for r in board.regions if r.number == board[border].region)
        text = f"frees {region} of revolts{_likely(chance)}, so {board[border].name} can be secured"
        yield PlanReason("frees", text, {"region": board[border].region, "border": border, "chance": chance})


def _subdues(position: Position, found: Prospects) -> Iterator[PlanReason]:
    gone = chances(found, lambda end: (position.revolts | position.unrest) - end.revolts - end.unrest)
    sure = [province for province, chance in _in_order(position, gone) if chance == 1]
    if sure:
        yield PlanReason("subdues", f"quiets {listed(position, sure)}", {"provinces": sure})


def _garrisons(position: Position, found: Prospects) -> Iterator[PlanReason]:
    def inside(end: Position) -> frozenset[str]:
        return frozenset(p for p in end.discs if end.has_garrison(p) and not end.board[p].is_border)

    new = chances(found, lambda end: inside(end) - inside(position))
    sure = [province for province, chance in _in_order(position, new) if chance == 1]
    if sure:
        yield PlanReason("garrisons", f"holds {listed(position, sure)} with a garrison", {"provinces": sure})


def _against(found: Prospects, idle: Prospects) -> Iterator[PlanReason]:
    """Differences of the figures of the coming phase from those after ending the turn at once."""
    with_it, without_it = found.figures, idle.figures
    for name, words in FIGURE_WORDS.items():
        if name not in with_it or name not in without_it:
            continue  # the time ran out before it was known
        here, there = with_it[name], without_it[name]
        data = {"figure": name, "with": here, "without": there}
        if there - here >= NOTEWORTHY:
            yield PlanReason("prevents", f"lowers {words} from {percent(there)} to {percent(here)}", data)
        elif here - there >= NOTEWORTHY:
            yield PlanReason("costs", f"raises {words} from {percent(there)} to {percent(here)}", data)
    if "e_revolts" not in with_it or "e_revolts" not in without_it:
        return
    here, there = with_it["e_revolts"], without_it["e_revolts"]
    if there - here >= MANY:
        text = f"leaves {float(there - here):.1f} fewer revolts to be expected after the phase"
        yield PlanReason("prevents", text, {"figure": "e_revolts", "with": here, "without": there})


def _risks(position: Position, found: Prospects) -> Iterator[PlanReason]:
    """How the Empire can fall in the coming phase: armies before Roma, and what is left in the reserve."""
    lost = found.figures.get("p_lost")
    if not lost:
        return
    standing = [end for _, end, _ in found.ends if isinstance(end, Position) and not end.is_won]
    near = {army for end in standing for army in end.armies if advance.way(end, army)[0] == end.board.roma}
    revolts = min((end.reserve_revolts for end in standing), default=0)
    unrest = min((end.reserve_unrest for end in standing), default=0)
    ways = []
    if near:
        armies = listed(position, sorted(near, key=position.board.order.__getitem__))
        ways.append(f"the {'army' if len(near) == 1 else 'armies'} in {armies} can enter Roma")
    if not near or min(revolts, unrest) <= FEW:
        ways.append(f"the reserve can run out ({_number(revolts, 'revolt')} and {unrest} unrest left)")
    text = f"the Empire falls in the coming phase with chance {percent(lost)}: {', or '.join(ways)}"
    yield PlanReason("risks", text, {"chance": lost, "armies": sorted(near), "revolts": revolts, "unrest": unrest})


def percent(chance: Fraction) -> str:
    """A chance rounded for players; the data has the exact value."""
    return f"{float(100 * chance):.1f} %" if chance >= LEAST or not chance else "below 0.1 %"


def almost(best: Prospects, other: Prospects, loss: float) -> PlanReason:
    """The reason ``alternative``: a plan of another idea is nearly as good, with the figures in which it is better."""
    ours, theirs = best.figures, other.figures
    both = ours.keys() & theirs.keys()
    better = [words for name, words in FIGURE_WORDS.items() if name in both and ours[name] - theirs[name] >= NOTEWORTHY]
    comfort = f", and lowers {' and '.join(better)}" if better else ""
    behind = f"nearly as good ({100 * loss:.1f} % behind)" if loss >= LEVEL else "as good"
    text = f"{behind}{comfort}: {other.plan}"
    return PlanReason("alternative", text, {"plan": str(other.plan), "loss": round(loss, 6)})


def stopping(position: Position) -> bool:
    """Whether the turn may end at once, for comparison."""
    return rules.objection(position, END) is None
