"""The Barbarian phase with modules, variants and rebels, where players decline all that they may decide in it.

So Diocletian, Maximian and the Barbarian player do nothing, Constantius blocks no army and Galerius adds nothing to his die. The
Dux stands after the four Emperors in a scene. Nothing in a phase depends on the Pirates, glory and fleets, so no scene has them;
`wholephase` follows them.
"""

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import NamedTuple

import goths
from barbarian import Phase, T, without_struck
from claim import MOST_ARMIES, MOST_REVOLTS
from moduleturn import Figure
from phasesteps import ACTIVITY, ADVANCE, ECHO, FACES, MARCH, Again, Echo, Fallen, Rising, Roll, Scene, Step
from situations import DUX, Rules, Situation

NORTHEAST = (3, 4)  # the regions of the Goths
WITH_WAYS = frozenset({"usurpator", "barbaria"})  # with these, armies can be where no arrow leads on
NONE = frozenset[int]()
LAST = 10**6  # later than any number of revolts


class More(NamedTuple):
    """What modules add to a scene."""

    vicarius: str | None
    goths: str | None  # None: not on the board
    rebels: frozenset[str]
    most_unrest: int  # on the board: the rest is glory, or the Barbarian player's
    full: frozenset[int] = frozenset()  # regions that were full of revolts when the step began
    late: frozenset[int] = frozenset()  # regions that have become full, whose usurpers wait
    resting: frozenset[str] = frozenset()  # armies that do not move in this phase
    pirates: int | None = None  # these three are followed by `wholephase` alone
    glory: tuple[int, ...] = ()
    gray: int = 0


class ModulePhase(Phase):
    """The rules of a Barbarian phase with modules, variants and rebels."""

    def __init__(self, rules: Rules, start: Situation) -> None:
        super().__init__(rules.board, rules.readings)
        self.rules, self.start, self.use = rules, start, rules.use
        self.most_revolts = MOST_REVOLTS - rules.black
        self.ways = self.to_roma() if self.use & WITH_WAYS else {}

    def scene(self, now: Situation) -> Scene:
        """The scene of a situation in which the turn ends."""
        *generals, vicarius = (place if place in self.board.row else None for place in now.places)
        table = now.table._replace(fleets=frozenset())
        most_unrest = self.rules.unrest_left(now) + len(table.unrest)
        return Scene(table, tuple(generals), More(vicarius, now.goths, now.rebels, most_unrest))

    def noted(self, scene: Scene, **changes: object) -> Scene:
        """The scene with other pieces of modules."""
        return scene._replace(more=more(scene)._replace(**changes))  # type: ignore[arg-type]  # by the names of the fields

    # -- the ways of armies --------------------------------------------------------------------------------------

    def to_roma(self) -> dict[str, str]:
        """Where the shortest way to Roma leads from each Roman province without an arrow, through Roman provinces."""
        board, readings = self.board, self.readings
        two, arrows = readings["I-WAY-BROKEN"] == "two", readings["I-WAY-ARROWS"] == "arrows"
        lengths: dict[str, int] = {}
        waiting = [(0, board.roma)]
        while waiting:
            length, here = heappop(waiting)
            if here in lengths:
                continue
            lengths[here] = length
            for near, broken in board.links[here].items():
                if near not in board.borders and not (arrows and board.arrow.get(near, here) != here):
                    heappush(waiting, (length + 1 + (broken and two), near))
        found = {}
        for place in set(lengths) - set(board.arrow) - {board.roma}:
            on_way = [
                near
                for near, broken in board.links[place].items()
                if lengths.get(near) == lengths[place] - 1 - (broken and two)
            ]
            by_region = readings["I-SHORTEST"] == "region"
            found[place] = min(on_way, key=lambda p: (board.region[p], board.number[p]) * by_region + (board.row[p],))
        return found

    def way(self, army: str) -> str | None:
        """By the arrow, or the shortest way where there is none."""
        return self.board.arrow.get(army, self.ways.get(army))

    def bonus(self, scene: Scene, armies: tuple[str, ...]) -> int:
        """One for the Goths."""
        return int(more(scene).goths == armies[0])

    # -- discs ---------------------------------------------------------------------------------------------------

    def put_revolts(self, scene: Scene, places: Iterable[str]) -> Scene | Fallen:
        """A revolt in his province is the Vicarius' death."""
        reached = set(places)
        after = super().put_revolts(scene, reached)
        if isinstance(after, Scene) and more(after).vicarius in reached:
            return self.noted(after, vicarius=None)
        return after

    def protected(self, scene: Scene, place: str) -> bool:
        """No unrest comes to the Vicarius."""
        return super().protected(scene, place) or place == more(scene).vicarius

    def unrest_left(self, scene: Scene) -> int:
        """Discs of glory and gray ones are unrest."""
        return more(scene).most_unrest - len(scene.table.unrest)

    def in_order_of_checks(self, found: list[T]) -> list[T]:
        """Perhaps from the last to the first."""
        return found[::-1] if self.readings["I-CHECK-ORDER"] == "reverse" else found

    # -- the parts of the phase ----------------------------------------------------------------------------------

    def begin(self, scene: Scene) -> Step:
        """The phase up to its first dice."""
        return super().begin(self.marked(scene))

    def active(self, scene: Scene) -> Step:
        """Generals on a revolt leave the board, perhaps after usurpers have risen."""
        stand = self.readings["I-USURPER-EMPERORS"] == "stand"
        return self.placed(scene if stand else without_struck(scene), ACTIVITY)

    def resolve(self, scene: Scene, place: str) -> Step:
        """What the dice do in the province that they name."""
        return super().resolve(self.marked(scene), place)

    def enter(self, scene: Scene, armies: tuple[str, ...]) -> Step:
        """The first army enters the next province."""
        moved = self.marked(scene)
        if more(scene).goths == armies[0]:
            moved = self.noted(moved, goths=self.way(armies[0]))
        return super().enter(moved, armies)

    def then(self, scene: Scene, then: str, armies: tuple[str, ...]) -> Step:
        """The next part of the phase."""
        return super().then(without_struck(scene) if then == ACTIVITY else scene, then, armies)

    def beaten(self, scene: Scene, army: str) -> Scene:
        """Beaten Goths go back to the reserve."""
        after = super().beaten(scene, army)
        return self.noted(after, goths=None) if more(scene).goths == army else after

    def advance(self, scene: Scene, resting: str | None = None) -> Step:
        """All armies move, but for rebels and those that rest; usurpers that waited for the echo come before."""
        now = more(scene)
        rests = now.resting | ({resting} if resting is not None else set())
        if now.late:
            waits = self.noted(scene, late=NONE, resting=frozenset(rests))
            return self.raised(waits, now.late, ADVANCE, ())
        armies = tuple(sorted(scene.table.armies - rests - now.rebels, key=self.rank))
        return self.march(self.noted(scene, resting=frozenset(), full=NONE), armies)

    def marched(self, scene: Scene) -> Step:
        """All armies have moved; perhaps usurpers have waited for that."""
        late = more(scene).late
        over = self.noted(scene, late=NONE, full=NONE, resting=frozenset())
        return self.raised(over, late, MARCH, ()) if late else over

    def echo(self, scene: Scene, region: int) -> Step:
        """The Goths come to III and IV before others, and the Vicarius may have to give way."""
        border, now = self.border[region], more(scene)
        if "goths" in self.use and now.goths is None and region in NORTHEAST and not self.kept_out(scene, border):
            return self.arrived(self.with_goths(scene, border), border)
        if now.vicarius != border:
            return super().echo(scene, region)
        holds = self.readings["I-VICARIUS-BORDER"] == "holds" or border in scene.table.discs()
        return Again(scene, region) if holds else super().echo(self.noted(scene, vicarius=None), region)

    def kept_out(self, scene: Scene, border: str) -> bool:
        """Whether an army on the border keeps the Goths out: rebels usually do, others perhaps."""
        if border in more(scene).rebels:
            return self.readings["I-GOTHS-REBELS"] == "block"
        return border in scene.table.armies and self.readings["I-GOTHS-ARMY"] == "blocks"

    def with_goths(self, scene: Scene, border: str) -> Scene:
        """They take the border, and what stands or lies there goes; by some readings a garrison stays."""
        now, table = more(scene), scene.table
        figure = border in (*scene.places, now.vicarius)
        stays = self.readings["I-GOTHS-BORDER"] == "stays" or (figure and self.readings["I-GOTHS-BOTH"] == "figure")
        if not (stays and border in table.secured()):
            table = table.without_disc(border)
        places = tuple(None if place == border else place for place in scene.places)
        after = Scene(table._replace(armies=table.armies | {border}), places, now._replace(goths=border))
        vicarius = None if now.vicarius == border else now.vicarius
        return self.noted(after, vicarius=vicarius, rebels=now.rebels - {border})

    # -- usurpers ------------------------------------------------------------------------------------------------

    def full(self, scene: Scene) -> frozenset[int]:
        """The regions whose six provinces are in revolt."""
        revolts = scene.table.revolts
        return frozenset(r for r in FACES if all(self.at[r, number] in revolts for number in FACES))

    def marked(self, scene: Scene) -> Scene:
        """The scene with the regions that are full already, which raise no usurper."""
        return self.noted(scene, full=self.full(scene)) if "usurpator" in self.use else scene

    def placed(self, scene: Scene | Fallen, then: str, armies: tuple[str, ...] = ()) -> Step:
        """Usurpers rise where regions have become full, at once or later."""
        if isinstance(scene, Fallen) or "usurpator" not in self.use:
            return super().placed(scene, then, armies)
        now = more(scene)
        new = self.full(scene) - now.full
        waits = then == ECHO and self.readings["I-USURPER-ECHO"] == "after"
        waits |= then == MARCH and self.readings["I-USURPER-ADVANCE"] == "after-all"
        if waits:
            return self.then(self.noted(scene, full=NONE, late=now.late | new), then, armies)
        return self.raised(self.noted(scene, full=NONE), new, then, armies)

    def raised(self, scene: Scene, regions: frozenset[int], then: str, armies: tuple[str, ...]) -> Step:
        """A usurper in each of these regions that is still full behind a secured border."""
        secured = {region for region, border in self.border.items() if border in scene.table.secured()}
        higher = self.readings["I-USURPER-ORDER"] == "higher"
        return self.next_one(scene, tuple(sorted(regions & self.full(scene) & secured, reverse=higher)), then, armies)

    def next_one(self, scene: Scene, regions: tuple[int, ...], then: str, armies: tuple[str, ...]) -> Step:
        """The dice for the first of these regions where one can rise, or what comes after them."""
        for index, region in enumerate(regions):
            if len(scene.table.armies) < MOST_ARMIES and self.open_to(scene, region):
                return Rising(scene, regions[index:], then, armies)
        return self.then(scene, then, armies)

    def open_to(self, scene: Scene, region: int) -> set[str]:
        """Where a usurper can rise: where no figure stands, or perhaps where one of Rome does if there is no other."""
        unarmed = {self.at[region, number] for number in FACES} - scene.table.armies
        free = unarmed - {*scene.places, more(scene).vicarius}
        return unarmed if not free and self.readings["I-USURPER-ROOM"] == "expels" else free

    def risen(self, step: Rising, place: str) -> Step:
        """What follows when the die names a province; it is rolled again where no usurper can rise."""
        scene, now = step.scene, more(step.scene)
        if place not in self.open_to(scene, step.regions[0]):
            return step
        places = tuple(None if where == place else where for where in scene.places)
        table = scene.table._replace(armies=scene.table.armies | {place})
        after = scene._replace(table=table, places=places)
        resting = now.resting if step.then == MARCH else now.resting | {place}
        vicarius = None if now.vicarius == place else now.vicarius
        return self.next_one(
            self.noted(after, vicarius=vicarius, resting=resting), step.regions[1:], step.then, step.armies
        )

    # -- dice ----------------------------------------------------------------------------------------------------

    def roll(self, step: Step) -> Roll:
        """The dice of a step."""
        if isinstance(step, Rising):
            return Roll("usurper", [self.risen(step, self.at[step.regions[0], number]) for number in FACES])
        return super().roll(step)

    def strengths(self, scene: Scene, place: str, army: str) -> tuple[int, int, int, int]:
        """What counts in a battle of an Emperor or the Dux; the Goths add to the other die."""
        who, now = scene.places.index(place), more(scene)
        places = (*scene.places, now.vicarius)
        situation = self.start._replace(places=places, table=scene.table, goths=now.goths, rebels=now.rebels)
        rules = self.rules if who == DUX else self.rules._replace(active=who)
        figure = Figure(rules, situation, who)
        g, e, r, a = figure.strengths(place, scene.table, army)
        beside = scene.table.armies & figure.linked[place] - {army}
        return g, e, r + goths.bonus(rules, situation, army, beside), a

    def late(self, step: Step) -> tuple[int, ...]:
        """How late a step comes: usurpers rise before activity, an echo, the advance, or in it."""
        match step:
            case Rising(scene=scene, regions=regions, then=then, armies=armies):
                left = -len(regions)
                return {
                    ACTIVITY: (0, LAST, left),
                    ECHO: (3, len(scene.table.revolts), 0, left),
                    ADVANCE: (3, LAST, -len(more(scene).late), left),
                    MARCH: (4, -len(armies), -1, left),
                }[then]
            case Echo(scene=scene):
                return 3, len(scene.table.revolts), 1
        return super().late(step)


def more(scene: Scene) -> More:
    """The pieces of modules in a scene."""
    assert isinstance(scene.more, More)
    return scene.more


def phase_of(rules: Rules, start: Situation) -> Phase:
    """The rules of the phase that follows a turn."""
    return ModulePhase(rules, start) if rules.use or start.rebels else Phase(rules.board, rules.readings)


def scene_of(phase: Phase, now: Situation) -> Scene:
    """The scene of a situation in which the turn ends; fleets do nothing in a phase."""
    if isinstance(phase, ModulePhase):
        return phase.scene(now)
    return Scene(now.table._replace(fleets=frozenset()), now.places[: len(phase.board.emperors)])
