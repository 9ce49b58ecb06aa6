"""The rules are made of the primitive changes: looked at wherever some positions lead.

For each position of the certificate all that the rules of this program let happen is followed: in a Roman phase every action
with all that can come of it, in a Barbarian phase every face of every die to its end. Each time the table has changed, every
place that looks different must have come to its new look by changes that were possible there, one after the other, and no
kind of thing may lie on the table more often than there are of it.

This does not prove that no position is an exception. It shows that the changes on which the invariants rest are those of the
rules, and that none of them is there for nothing.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from barbarian import Fallen, Phase, Scene, Step
from board import Board
from changes import GARRISONS, View, changes, kind_of, ways
from claim import MOST_ARMIES, MOST_REVOLTS, read_position
from claimed import Fact
from phasetext import read_phase
from rules import BEATEN, FALLEN, MOST_UNREST, Table
from text import Lines, Unreadable, witness

MOST_CHANGES = 3  # one after the other in one place


class Moment(NamedTuple):
    """A table, the places of the Emperors, whose turn it is, and which phase of it."""

    table: Table
    places: tuple[str | None, ...]
    active: int
    phase: str


class Looker:
    """Explains what happens on a board, under a reading, where each Emperor has so many garrisons."""

    def __init__(self, board: Board, border_defeat: str, garrisons: int, fleets: int) -> None:
        self.board = board
        self.changes = changes(board, border_defeat)
        self.supply = {"revolt": MOST_REVOLTS, "unrest": MOST_UNREST, "army": MOST_ARMIES, "fleet": fleets}
        self.supply |= dict.fromkeys(GARRISONS, garrisons)
        self.kinds = {place: kind_of(board, place) for place in board.provinces}

    def view(self, moment: Moment, place: str) -> View:
        """What is to be seen in a province."""
        table = moment.table
        sets = {"revolt": table.revolts, "unrest": table.unrest, **dict(zip(GARRISONS, table.garrisons, strict=True))}
        return View(
            self.kinds[place],
            frozenset(disc for disc, places in sets.items() if place in places),
            int(place in table.armies),
            frozenset(emperor for emperor, where in enumerate(moment.places) if where == place),
            0,
            moment.active,
            moment.phase,
        )

    def at_sea(self, moment: Moment, zone: int) -> View:
        """What is to be seen in a zone."""
        return View("zone", frozenset(), 0, frozenset(), int(zone in moment.table.fleets), moment.active, moment.phase)

    def explain(self, before: Moment, after: Moment) -> list[str]:
        """The changes that lead from one moment to another."""
        used: list[str] = []
        seen = [(place, self.view(before, place), self.view(after, place)) for place in touched(before, after)]
        seen += [(f"zone {zone}", self.at_sea(before, zone), self.at_sea(after, zone)) for zone in self.board.all_zones]
        for place, old, new in seen:
            target = new._replace(phase=old.phase, active=old.active)
            way = [] if target == old else self.way(old, target)
            if way is None:
                raise Unreadable(f"at {place} no changes lead from '{old}' to '{target}'")
            used += way
        if (before.phase, before.active) != (after.phase, after.active):
            name = "turn-ends" if before.phase == "roman" else "next-turn"
            change = next(change for change in self.changes if change.name == name)
            for place in self.board.provinces:
                new = self.view(after, place)
                then = new._replace(phase=before.phase, active=before.active)
                if not change.possible(then) or change.effect(then) != [new]:
                    raise Unreadable(f"'{name}' is not possible, there is '{then}'")
            used.append(name)
        if any(count > self.supply[kind] for kind, count in lying(after).items()):
            raise Unreadable("more lies on the table than there is")
        return used

    def way(self, view: View, target: View) -> list[str] | None:
        """The shortest way from one view to another, by the changes in their order; None where there is none."""
        layer: list[tuple[View, list[str]]] = [(view, [])]
        for _ in range(MOST_CHANGES):
            layer = [
                (after, [*names, change.name])
                for now, names in layer
                for change in self.changes
                if change.possible(now) and change.name not in ("turn-ends", "next-turn")
                for after in change.effect(now)
                if after != now
            ]
            for after, names in layer:
                if after == target:
                    return names
        return None


def touched(before: Moment, after: Moment) -> list[str]:
    """The provinces that do not look the same."""
    old, new = sets_of(before), sets_of(after)
    found = frozenset[str]().union(*(a ^ b for a, b in zip(old, new, strict=True)))
    for a, b in zip(before.places, after.places, strict=True):
        if a != b:
            found |= {place for place in (a, b) if place is not None}
    return sorted(found)


def sets_of(moment: Moment) -> list[frozenset[str]]:
    """The provinces with a revolt, an unrest, an army, and a garrison of each Emperor."""
    table = moment.table
    return [table.revolts, table.unrest, table.armies, *table.garrisons]


def lying(moment: Moment) -> dict[str, int]:
    """How much of each kind lies on the table."""
    found = dict(zip(("revolt", "unrest", "army", *GARRISONS), map(len, sets_of(moment)), strict=True))
    return found | {"fleet": len(moment.table.fleets)}


# -- what happens --------------------------------------------------------------------------------------------------


def trace(text: str, board: Board) -> tuple[set[tuple[Moment, Moment]], Looker]:
    """Every two moments that follow one another from this position on, in this phase, and who explains them."""
    level, active, *_ = text.split(" ")
    letter, _, ip = active.partition(":")
    number = board.letters.index(letter) if letter in board.letters else 0
    if ip == "b":
        phase, scene = read_phase(text, board)
        readings, pairs = phase.readings, set(barbarian(phase, scene, number))
    else:
        position = read_position(text, board)
        readings, pairs = position.turn.readings, set(roman(text, board, number))
    # what is removed with a beaten Emperor is told by the reading
    return pairs, Looker(board, readings["I-BORDER-DEFEAT"], int(level[0]), int(level[1]))


def roman(text: str, board: Board, active: int) -> Iterator[tuple[Moment, Moment]]:
    """What each action leads to, and the end of the turn."""
    turn, start = read_position(text, board)
    codes = text.split(" ")[2].split("/")
    standing = [None if code == "-" else board.by_code[code] for code in codes]

    def moment(place: str | None, table: Table, phase: str) -> Moment:
        return Moment(table, tuple(place if e == active else p for e, p in enumerate(standing)), active, phase)

    now = moment(start.place, start.table, "roman")
    for action in turn.actions(start):
        for way in action.ways:
            if way.end != FALLEN:
                yield now, moment(way.state.place, way.state.table, "barbarian" if way.end == BEATEN else "roman")
    if turn.may_stop(start):
        yield now, now._replace(phase="barbarian")


def barbarian(phase: Phase, scene: Scene, active: int) -> Iterator[tuple[Moment, Moment]]:
    """What each step of a Barbarian phase leads to."""

    def moment(step: Step) -> Moment:
        if isinstance(step, Scene):
            return Moment(step.table, step.places, (active + 1) % 4, "roman")
        now = step.scene  # type: ignore[union-attr]  # a fall is left out
        return Moment(now.table, now.places, active, "barbarian")

    first = phase.begin(scene)
    known = {first}
    waiting = [first]
    if not isinstance(first, Fallen):
        yield Moment(scene.table, scene.places, active, "barbarian"), moment(first)
    while waiting:
        step = waiting.pop()
        if isinstance(step, Scene | Fallen):
            continue
        for result in phase.roll(step).results:
            if not isinstance(result, Fallen):
                yield moment(step), moment(result)
            if result not in known:
                known.add(result)
                waiting.append(result)


def check_traces(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """Follow all positions, and count what has happened."""
    if fact.id != "rules-made-of-changes":
        raise lines.unreadable("this kind of certificate proves rules-made-of-changes and nothing else")
    used: Counter[str] = Counter()
    moves, positions = 0, list[str]()
    for text in lines.section("positions"):
        if positions and text <= positions[-1]:
            raise lines.unreadable("expected positions in ascending order of their text")
        positions.append(text)
        try:
            pairs, looker = trace(text, board)
            for before, after in pairs:
                if before != after:
                    used.update(looker.explain(before, after))
                    moves += 1
        except Unreadable as reason:
            raise lines.refuted(str(reason)) from None
    every = [change.name for change in changes(board, "stays") if change.name != "first-revolt"]  # of the set-up
    missing = [name for name in every if not used[name]]
    if missing:
        raise lines.refuted(f"these positions never lead to {', '.join(missing)}")
    return {
        "positions": str(len(positions)),
        "transitions": str(moves),
        "ways": str(len(ways(board))),
        "witness": witness(positions),
        **{f"uses.{name}": str(used[name]) for name in every},
    }
