"""The Barbarian phase of Tetrarchia, written from the exact statement of the rules and from no other program.

A *scene* is a table with the places of the four Emperors. The phase goes from step to step: each step knows which dice come
next and what follows each face, until a scene is left or the Empire has fallen. `Phase.roll` gives the dice of a step, so
that a phase can be replayed with dice that are stated; `Phase.solve` follows all dice at once, in fractions.

The open sentences that touch this phase are read in any of their ways, those of the usual ruleset and the others.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeVar

from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS
from phasesteps import (
    ACTIVITY,
    ADVANCE,
    ECHO,
    FACES,
    MARCH,
    Activity,
    Again,
    Clash,
    Crossing,
    Echo,
    Fallen,
    Roll,
    Scene,
    Solved,
    Spread,
    Step,
    Uprising,
)
from rules import MOST_UNREST, Turn
from text import Unreadable

T = TypeVar("T")


class Phase:
    """The rules of a Barbarian phase; `modulephase` changes single ones of them."""

    most_revolts = MOST_REVOLTS

    def __init__(self, board: Board, readings: dict[str, str]) -> None:
        self.board = board
        self.readings = readings
        self.at = {(board.region[place], number): place for place, number in board.number.items() if number}
        self.border = {board.region[border]: border for border in board.borders}
        if set(self.at) != set(product(FACES, FACES)) or set(self.border) != set(FACES):
            raise Unreadable("the dice of a Barbarian phase do not fit this board")
        self.links_away = self.from_roma() if readings["I-ORDER-DISTANCE"] == "links" else {}

    def from_roma(self) -> dict[str, int]:
        """The links of the shortest way from Roma to each province."""
        away: dict[str, int] = {}
        reached = {self.board.roma}
        for steps in range(len(self.board.provinces)):
            away |= dict.fromkeys(reached, steps)
            reached = {other for place in reached for other in self.board.links[place]} - set(away)
        return away

    def begin(self, scene: Scene) -> Step:
        """The phase up to its first dice."""
        return self.spread(scene, frozenset())

    def roll(self, step: Step) -> Roll:
        """The dice of a step."""
        scene = step.scene  # type: ignore[union-attr]  # what has no scene has no dice
        match step:
            case Spread(checked=checked):
                return Roll("link", [self.spread_on(scene, checked, face >= 4) for face in FACES])
            case Activity():
                return Roll("activity", [self.resolve(scene, self.at[pair]) for pair in product(FACES, FACES)])
            case Uprising(behind=behind):
                return Roll("link", [self.rise_on(scene, behind, face >= 4) for face in FACES])
            case Echo():
                return Roll("echo", [self.echo(scene, region) for region in FACES])
            case Again(region=region):
                return Roll("province", [self.resolve(scene, self.at[region, number]) for number in FACES])
            case Crossing(armies=armies):
                blocked, linked, more = (
                    self.march(scene, armies[1:]),
                    self.arrive(scene, armies),
                    self.bonus(scene, armies),
                )
                return Roll("link", [blocked] * (3 - more) + [linked] * (3 + more))
            case Clash(armies=armies):
                return Roll("battle", list(self.clash(scene, armies)))
        raise AssertionError("an end has no dice")

    # -- revolts -----------------------------------------------------------------------------------------------

    def put_revolts(self, scene: Scene, places: Iterable[str]) -> Scene | Fallen:
        """A revolt in each of these provinces instead of what lies there."""
        table = scene.table
        revolts = table.revolts.union(places)
        if len(revolts) > self.most_revolts:
            return Fallen("revolts")
        garrisons = tuple(garrisons - revolts for garrisons in table.garrisons)
        table = table._replace(revolts=revolts, unrest=table.unrest - revolts, garrisons=garrisons)
        return scene._replace(table=table)

    def fronts(self, scene: Scene) -> Iterator[tuple[str, str, bool]]:
        """An unrest, a revolt linked to it, and whether the link is broken."""
        for unrest in self.in_order(scene.table.unrest):
            for place, broken in self.board.links[unrest].items():
                if place in scene.table.revolts:
                    yield unrest, place, broken

    def spread(self, scene: Scene, checked: frozenset[frozenset[str]]) -> Step:
        """Revolts spread as far as they can without dice."""
        return self.domino(scene, over_broken=False, then=checked)

    def domino(self, scene: Scene, *, over_broken: bool, then: frozenset[frozenset[str]]) -> Step:
        """Revolts spread; after that the first broken link that is not checked yet is, or activity comes."""
        while True:
            turned = [unrest for unrest, _, broken in self.fronts(scene) if over_broken or not broken]
            after = self.put_revolts(scene, turned)
            if isinstance(after, Fallen):
                return after
            if after == scene:
                break
            scene = after
        if not over_broken and any(frozenset(front[:2]) not in then for front in self.fronts(scene)):
            return Spread(scene, then)
        return self.active(scene)

    def spread_on(self, scene: Scene, checked: frozenset[frozenset[str]], linked: bool) -> Step:
        """The first broken link is checked; or, where one die decides all, all of them."""
        if self.readings["I-CHECK"] == "one-roll":
            return self.domino(scene, over_broken=True, then=checked) if linked else self.active(scene)
        open_ones = [front[:2] for front in self.fronts(scene) if frozenset(front[:2]) not in checked]
        link = self.in_order_of_checks(open_ones)[0]
        after = self.put_revolts(scene, link[:1]) if linked else scene
        return after if isinstance(after, Fallen) else self.spread(after, checked | {frozenset(link)})

    def active(self, scene: Scene) -> Step:
        """Emperors on a revolt leave the board, and activity comes."""
        return self.placed(without_struck(scene), ACTIVITY)

    def in_order(self, provinces: Iterable[str]) -> list[str]:
        """Provinces in the order of the board file."""
        return sorted(provinces, key=self.board.row.__getitem__)

    # -- activity ----------------------------------------------------------------------------------------------

    def resolve(self, scene: Scene, place: str) -> Step:
        """What the dice do in the province that they name."""
        table = scene.table
        if place in table.revolts:
            return self.rise(scene, place)
        if place in table.unrest:
            return self.placed(self.put_revolts(scene, [place]), ADVANCE)
        if self.protected(scene, place):
            return self.advance(scene)
        if self.unrest_left(scene) < 1:
            return Fallen("unrest")
        return self.advance(scene._replace(table=table._replace(unrest=table.unrest | {place})))

    def protected(self, scene: Scene, place: str) -> bool:
        """Whether no unrest comes to a province."""
        return place in scene.table.discs() or any(place in printed for printed in self.board.printed.values())

    def unrest_left(self, scene: Scene) -> int:
        """The unrest in the reserve."""
        return MOST_UNREST - len(scene.table.unrest)

    def placed(self, scene: Scene | Fallen, then: str, armies: tuple[str, ...] = ()) -> Step:
        """What follows when revolts have been placed."""
        return scene if isinstance(scene, Fallen) else self.then(scene, then, armies)

    def then(self, scene: Scene, then: str, armies: tuple[str, ...]) -> Step:
        """The next part of the phase."""
        match then:
            case "activity":
                return Activity(scene)
            case "echo" if len(scene.table.armies) < MOST_ARMIES:
                return Echo(scene)
            case "march":
                return self.march(scene, armies)
        return self.advance(scene)

    def rise(self, scene: Scene, place: str) -> Step:
        """An uprising: revolts in all Roman provinces linked to this one."""
        around = {
            other: broken
            for other, broken in self.board.links[place].items()
            if other not in self.board.borders | scene.table.revolts
        }
        after = self.put_revolts(scene, [other for other, broken in around.items() if not broken])
        return self.rise_next(after, tuple(self.in_order_of_checks([o for o, broken in around.items() if broken])))

    def in_order_of_checks(self, found: list[T]) -> list[T]:
        """Broken links in the order in which they are checked."""
        return found

    def rise_on(self, scene: Scene, behind: tuple[str, ...], linked: bool) -> Step:
        """The first broken link of an uprising is checked; or, where one die decides all, all of them."""
        now, later = (behind, ()) if self.readings["I-CHECK"] == "one-roll" else (behind[:1], behind[1:])
        return self.rise_next(self.put_revolts(scene, now) if linked else scene, later)

    def rise_next(self, scene: Scene | Fallen, behind: tuple[str, ...]) -> Step:
        """What follows in an uprising."""
        if isinstance(scene, Fallen):
            return scene
        if behind:
            return Uprising(scene, behind)
        return self.placed(scene, ECHO)

    def echo(self, scene: Scene, region: int) -> Step:
        """An army arrives at the border of a region, or a province of the region is named."""
        border = self.border[region]
        if not scene.empty(border):
            return Again(scene, region)
        return self.arrived(scene._replace(table=scene.table._replace(armies=scene.table.armies | {border})), border)

    def arrived(self, scene: Scene, border: str) -> Step:
        """An army has come to a border, and perhaps rests."""
        return self.advance(scene, border if self.readings["I-FRESH"] == "wait" else None)

    # -- advance -----------------------------------------------------------------------------------------------

    def advance(self, scene: Scene, resting: str | None = None) -> Step:
        """All armies move, but for one that rests."""
        return self.march(scene, tuple(sorted(scene.table.armies - {resting}, key=self.rank)))

    def rank(self, army: str) -> tuple[int, int, int, int]:
        """Nearest to Roma first, then by region, by number (a border's comes last), by the row in the board file."""
        board = self.board
        distance, here = 0, army
        while here != board.roma and (following := self.way(here)) is not None and distance < len(board.provinces):
            distance, here = distance + 1, following
        number = max(FACES) + 1 if army in board.borders else board.number[army]
        distance = self.links_away.get(army, distance if here == board.roma else len(board.provinces))
        region, row, border = board.region[army], board.row[army], army in board.borders
        if self.readings["I-ORDER-BORDER" if border else "I-ORDER-ITALIA"] == "last" and (border or not region):
            region = max(self.border) + 1 + border
        backwards = not board.region[army] and self.readings["I-ORDER-WITHIN-ITALIA"] == "reversed"
        number, row = number if self.readings["I-ORDER"] == "number" else 0, -row if backwards else row
        turned = self.readings["I-ORDER-TIE"] == "reversed"
        return distance, region, -number if turned else number, -row if turned else row

    def way(self, army: str) -> str | None:
        """Where an army goes next."""
        return self.board.arrow.get(army)

    def bonus(self, scene: Scene, armies: tuple[str, ...]) -> int:  # noqa: ARG002  # of the Goths only
        """What is added to the die when the first army checks a broken link."""
        return 0

    def march(self, scene: Scene, armies: tuple[str, ...]) -> Step:
        """These armies move, one after the other, until dice are needed."""
        for index, army in enumerate(armies):
            target = self.way(army)
            if target is None or target in scene.table.armies:
                continue  # another army blocks its way
            broken = self.board.links[army].get(target, True)
            return Crossing(scene, armies[index:]) if broken else self.arrive(scene, armies[index:])
        return self.marched(scene)

    def marched(self, scene: Scene) -> Step:
        """All armies have moved."""
        return scene

    def arrive(self, scene: Scene, armies: tuple[str, ...]) -> Step:
        """The first army has come through its link."""
        in_the_way = self.way(armies[0]) in scene.places
        return Clash(scene, armies) if in_the_way else self.enter(scene, armies)

    def enter(self, scene: Scene, armies: tuple[str, ...]) -> Step:
        """The first army enters the next province, which revolts."""
        army, target = armies[0], str(self.way(armies[0]))
        if target == self.board.roma:
            return Fallen("roma")
        moved = scene._replace(table=scene.table._replace(armies=scene.table.armies - {army} | {target}))
        after = moved if target in self.board.borders else self.put_revolts(moved, [target])
        return self.placed(after, MARCH, armies[1:])

    def clash(self, scene: Scene, armies: tuple[str, ...]) -> Iterator[Step]:
        """What follows each pair of faces, the Roman die first, when the first army attacks the Emperor in its way."""
        army, target = armies[0], str(self.way(armies[0]))
        g, e, r, a = self.strengths(scene, target, army)
        victory = self.march(self.beaten(scene, army), armies[1:])
        defeat = self.enter(self.lost(scene, target), armies)
        draw = self.march(scene, armies[1:])
        for roman, barbarian in product(FACES, FACES):
            difference = (roman + g) * 2**e - (barbarian + r) * 2**a
            yield victory if difference > 0 else defeat if difference < 0 else draw

    def beaten(self, scene: Scene, army: str) -> Scene:
        """The scene without an army and the disc under it."""
        table = scene.table.without_disc(army)
        return scene._replace(table=table._replace(armies=table.armies - {army}))

    def lost(self, scene: Scene, place: str) -> Scene:
        """The scene without him who is beaten in a province."""
        return scene._replace(places=tuple(None if where == place else where for where in scene.places))

    def strengths(self, scene: Scene, place: str, army: str) -> tuple[int, int, int, int]:
        """What counts in a battle of him who stands in a province with an army."""
        active = scene.places.index(place)
        return Turn(self.board, self.readings, 0, active, list(scene.places)).strengths(place, scene.table, army)

    # -- all dice at once --------------------------------------------------------------------------------------

    def solve(self, start: Step, *, until_named: bool = False) -> Solved:
        """Everything that can come of a step, perhaps only until two dice name a province.

        Steps are followed in an order in which none comes back to an earlier one. There is one exception: an uprising
        that adds no revolt leads back to the echo before it, and that is summed as a geometric series.
        """
        visits: dict[Step, Fraction] = {start: Fraction(1)}
        ends: dict[Scene | Fallen, Fraction] = {}
        waiting = [(self.late(start), 0, start)]
        for count in range(1, 10**9):
            if not waiting:
                break
            step = heapq.heappop(waiting)[2]
            if isinstance(step, Scene | Fallen):
                ends[step] = visits.pop(step)
                continue
            if until_named and isinstance(step, Activity):
                continue
            results = self.row(step)
            stays = results.pop(step, Fraction(0))
            visits[step] /= 1 - stays
            for number, (result, chance) in enumerate(results.items()):
                if result not in visits:
                    visits[result] = Fraction(0)
                    heapq.heappush(waiting, (self.late(result), count * 10**6 + number, result))
                visits[result] += visits[step] * chance
        return Solved(ends, visits)

    def late(self, step: Step) -> tuple[int, ...]:
        """How late a step comes in a phase: no step but an echo leads to one that is not later."""
        match step:
            case Spread(scene=scene, checked=checked):
                return 0, len(scene.table.revolts), len(checked)
            case Activity():
                return (1,)
            case Uprising(behind=behind):
                return 2, -len(behind)
            case Echo(scene=scene):
                return 3, len(scene.table.revolts)
            case Crossing(armies=armies):
                return 4, -len(armies), 0
            case Clash(armies=armies):
                return 4, -len(armies), 1
        return (5,)

    def row(self, step: Step) -> dict[Step, Fraction]:
        """What follows a step; after an echo all is followed to the next echo, or to the advance."""
        ways: dict[Step, Fraction] = {}
        waiting = [(step, Fraction(1))]
        while waiting:
            now, share = waiting.pop()
            results = self.roll(now).results
            for result, times in Counter(results).items():
                chance = share * Fraction(times, len(results))
                if isinstance(step, Echo) and isinstance(result, Again | Uprising):
                    waiting.append((result, chance))
                else:
                    ways[result] = ways.get(result, Fraction(0)) + chance
        return ways


def without_struck(scene: Scene) -> Scene:
    """The scene without those who stand on a revolt."""
    return scene._replace(places=tuple(None if place in scene.table.revolts else place for place in scene.places))
