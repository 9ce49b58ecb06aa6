"""The Barbarian phase computed a second time, in another way, to hold the library's numbers against.

Nothing here comes from the rules of the library. Positions are plain tuples of sets. Where the library walks from roll to roll and
closes endless chains by eliminating states, this file

* tosses all coins of a step beforehand and sees which of its links hold (2^n ways, each as likely),
* closes an echo that comes back to its own table by dividing what leaves it by the chance to leave,
* plays the advance as a plain recursion over armies, coins and pairs of faces.

It also counts uprisings and new armies on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position

EMPERORS = ("diocletian", "galerius", "constantius", "maximian")
FALLS = ("army in Roma", "no revolt", "no unrest")


class Table(NamedTuple):
    """All that a Barbarian phase can change."""

    revolts: frozenset[str]
    unrest: frozenset[str]
    garrisons: frozenset[tuple[str, str]]
    armies: frozenset[str]
    emperors: tuple[str | None, ...]


Weights = dict[Table | str, Fraction]


def table_of(position: Position) -> Table:
    garrisons = [(place, disc) for place, disc in position.discs.items() if disc in EMPERORS]
    return Table(
        frozenset(place for place, disc in position.discs.items() if disc == "revolt"),
        frozenset(place for place, disc in position.discs.items() if disc == "unrest"),
        frozenset(garrisons),
        frozenset(position.armies),
        tuple(position.emperors[emperor] for emperor in EMPERORS),
    )


def add(weights: Weights, more: Weights, factor: Fraction) -> None:
    for end, weight in more.items():
        weights[end] = weights.get(end, Fraction(0)) + weight * factor


@dataclass
class Echo:
    """What comes of an uprising on a table: its ends, chance of a new army, uprisings that follow."""

    ends: Weights = field(default_factory=dict)
    army: Fraction = Fraction(0)
    uprisings: Fraction = Fraction(0)

    def add(self, other: Echo, factor: Fraction) -> None:
        add(self.ends, other.ends, factor)
        self.army += other.army * factor
        self.uprisings += other.uprisings * factor


class Phase:
    """The phase on one board; `one_roll` and `wait` are the other values of I-CHECK and I-FRESH."""

    def __init__(self, board: Board, *, one_roll: bool = False, wait: bool = False) -> None:
        self.board = board
        self.one_roll = one_roll
        self.wait = wait
        self.broken = {frozenset(link.between): link.broken for link in board.links}
        self.echoes: dict[Table, Echo] = {}
        self.advances: dict[tuple[Table, str | None], Weights] = {}

    def coins(self, links: list[frozenset[str]]) -> list[tuple[set[frozenset[str]], Fraction]]:
        """Every way in which these broken links can hold, with its chance."""
        if self.one_roll:
            return [(set(), Fraction(1, 2)), (set(links), Fraction(1, 2))] if links else [(set(), Fraction(1))]
        ways = product((False, True), repeat=len(links))
        return [
            ({link for link, holds in zip(links, way, strict=True) if holds}, Fraction(1, 2 ** len(links)))
            for way in ways
        ]

    # -- 1 --

    def whole(self, start: Table) -> Echo:
        """The whole phase."""
        result = Echo()
        rebels = start.revolts | start.unrest
        coins = [
            pair
            for pair, broken in self.broken.items()
            if broken and pair <= rebels and pair & start.unrest and self.can_matter(pair, start)
        ]
        for holding, weight in self.coins(coins):
            revolts = set(start.revolts)
            grown = True
            while grown:
                grown = False
                for pair, broken in self.broken.items():
                    if broken and pair not in holding:
                        continue
                    a, b = pair
                    for old, new in ((a, b), (b, a)):
                        if old in revolts and new in start.unrest and new not in revolts:
                            revolts.add(new)
                            grown = True
            if len(revolts) > 21:
                add(result.ends, {"no revolt": Fraction(1)}, weight)
                continue
            after = start._replace(
                revolts=frozenset(revolts),
                unrest=start.unrest - revolts,
                emperors=tuple(None if place in revolts else place for place in start.emperors),
            )
            for region, number in product(range(1, 7), repeat=2):
                result.add(self.activity(after, self.board.at(region, number)), weight / 36)
        return result

    def can_matter(self, pair: frozenset[str], start: Table) -> bool:
        """Whether a broken link joins two provinces that some domino could reach (a coin less to toss)."""
        reach = set(start.revolts)
        for _ in start.unrest:
            reach |= {p for other in self.broken if other & reach for p in other & start.unrest}
        return bool(pair & reach)

    # -- 2 --

    def activity(self, table: Table, place: str) -> Echo:
        if place in table.revolts:
            risen = self.uprising(table, place)
            return Echo(risen.ends, risen.army, risen.uprisings + 1)
        if place in table.unrest:
            if len(table.revolts) == 21:
                return Echo({"no revolt": Fraction(1)})
            return Echo(self.advance(table._replace(revolts=table.revolts | {place}, unrest=table.unrest - {place})))
        covered = {p for p, _ in table.garrisons}
        if place in covered or self.board[place].printed:
            return Echo(self.advance(table))
        if len(table.unrest) == 21:
            return Echo({"no unrest": Fraction(1)})
        return Echo(self.advance(table._replace(unrest=table.unrest | {place})))

    def tables_after_uprising(self, table: Table, place: str) -> list[tuple[Table | str, Fraction]]:
        around = [pair for pair in self.broken if place in pair]
        targets = {pair: next(iter(pair - {place})) for pair in around}
        targets = {pair: t for pair, t in targets.items() if not self.board[t].is_border and t not in table.revolts}
        certain = {t for pair, t in targets.items() if not self.broken[pair]}
        found: list[tuple[Table | str, Fraction]] = []
        for holding, weight in self.coins([pair for pair in targets if self.broken[pair]]):
            taken = certain | {targets[pair] for pair in holding}
            revolts = table.revolts | taken
            if len(revolts) > 21:
                found.append(("no revolt", weight))
                continue
            garrisons = frozenset((p, owner) for p, owner in table.garrisons if p not in taken)
            found.append((table._replace(revolts=revolts, unrest=table.unrest - taken, garrisons=garrisons), weight))
        return found

    def uprising(self, table: Table, place: str) -> Echo:
        result = Echo()
        for after, weight in self.tables_after_uprising(table, place):
            if isinstance(after, str):
                add(result.ends, {after: Fraction(1)}, weight)
            elif len(after.armies) == 3:
                add(result.ends, self.advance(after), weight)
            else:
                result.add(self.echo(after), weight)
        return result

    def echo(self, table: Table) -> Echo:
        """An army is placed or a province of an occupied border's region has an activity."""
        if table not in self.echoes:
            away, back, again = Echo(), Fraction(0), Fraction(0)
            occupied = table.armies | {p for p, _ in table.garrisons} | set(table.emperors)
            for border in self.board.borders:
                if border not in occupied:
                    moved = self.advance(table._replace(armies=table.armies | {border}), fresh=border)
                    away.add(Echo(moved, army=Fraction(1)), Fraction(1, 6))
                    continue
                for number in range(1, 7):
                    place = self.board.at(self.board[border].region, number)
                    share = Fraction(1, 36)
                    if place not in table.revolts:
                        away.add(self.activity(table, place), share)
                        continue
                    again += share
                    for after, weight in self.tables_after_uprising(table, place):
                        if after == table:
                            back += share * weight
                        elif isinstance(after, str):
                            add(away.ends, {after: Fraction(1)}, share * weight)
                        else:
                            away.add(self.echo(after), share * weight)
            closed = Echo()
            closed.add(away, 1 / (1 - back))
            closed.uprisings += again / (1 - back)
            self.echoes[table] = closed
        return self.echoes[table]

    # -- 3 --

    def advance(self, table: Table, fresh: str | None = None) -> Weights:
        key = (table, fresh if self.wait else None)
        if key not in self.advances:
            self.advances[key] = self.march(table, self.order(table.armies - {fresh} if self.wait else table.armies))
        return self.advances[key]

    def order(self, armies: frozenset[str | None]) -> list[str]:
        def way(army: str) -> int:
            steps, here = 0, army
            while here != self.board.roma:
                here = self.board[here].arrow or self.board.roma
                steps += 1
            return steps

        found = [army for army in armies if army is not None]
        numbers = {army: self.board[army].number for army in found}
        return sorted(
            found, key=lambda army: (way(army), self.board[army].region, numbers[army], self.board.order[army])
        )

    def march(self, table: Table, armies: list[str]) -> Weights:
        if not armies:
            return {table: Fraction(1)}
        army, rest = armies[0], armies[1:]
        target = self.board[army].arrow
        if target is None or target in table.armies:
            return self.march(table, rest)
        ends: Weights = {}
        comes = Fraction(1)
        if self.broken[frozenset((army, target))]:
            comes = Fraction(1, 2)
            add(ends, self.march(table, rest), 1 - comes)
        if target not in table.emperors:
            add(ends, self.enter(table, army, target, rest), comes)
            return ends
        emperor = table.emperors.index(target)
        won = table._replace(
            armies=table.armies - {army},
            revolts=table.revolts - {army},
            unrest=table.unrest - {army},
            garrisons=frozenset((p, owner) for p, owner in table.garrisons if p != army),
        )
        lost = table._replace(emperors=(*table.emperors[:emperor], None, *table.emperors[emperor + 1 :]))
        roman, barbarian = self.values(table, emperor, army)
        for count, after in zip(
            (
                sum(r > b for r in roman for b in barbarian),
                sum(r == b for r in roman for b in barbarian),
                sum(r < b for r in roman for b in barbarian),
            ),
            (
                lambda: self.march(won, rest),
                lambda: self.march(table, rest),
                lambda: self.enter(lost, army, target, rest),
            ),
            strict=True,
        ):
            if count:
                add(ends, after(), comes * count / 36)
        return ends

    def enter(self, table: Table, army: str, target: str, rest: list[str]) -> Weights:
        if target == self.board.roma:
            return {"army in Roma": Fraction(1)}
        revolts = table.revolts | {target}
        if len(revolts) > 21:
            return {"no revolt": Fraction(1)}
        after = table._replace(
            armies=table.armies - {army} | {target},
            revolts=revolts,
            unrest=table.unrest - {target},
            garrisons=frozenset((p, owner) for p, owner in table.garrisons if p != target),
        )
        return self.march(after, rest)

    # -- battle --

    def values(self, table: Table, emperor: int, army: str) -> tuple[list[int], list[int]]:
        """The six values of each side."""
        name, here = EMPERORS[emperor], table.emperors[emperor]
        assert here is not None
        covered = table.revolts | table.unrest | {p for p, _ in table.garrisons}
        own = {p for p, owner in table.garrisons if owner == name}
        own |= {p.id for p in self.board.provinces.values() if name in p.printed and p.id not in covered}
        groups = self.groups(own)
        near = {here, *self.around(here)}
        g = max((len(group) for group in groups if group & near), default=0)
        revolts = self.groups(set(table.revolts))
        under = [group for group in revolts if army in group]
        beside = [group for group in revolts if group & self.around(army)]
        r = max((len(group) for group in under or beside), default=0)
        e = sum(place in self.around(army) for i, place in enumerate(table.emperors) if i != emperor)
        a = len((table.armies - {army}) & self.around(here))
        return [(face + g) * 2**e for face in range(1, 7)], [(face + r) * 2**a for face in range(1, 7)]

    def around(self, place: str) -> set[str]:
        return {p for pair in self.broken if place in pair for p in pair} - {place}

    def groups(self, members: set[str]) -> list[set[str]]:
        """Connected groups, by merging what a link joins."""
        groups = [{member} for member in members]
        for pair in self.broken:
            if pair <= members:
                joined = [group for group in groups if group & pair]
                groups = [group for group in groups if not group & pair] + [set().union(*joined)]
        return groups
