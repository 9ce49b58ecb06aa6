"""What modules, variants and rebels change in a Barbarian phase. The Dux or the Vicarius stands after the four Emperors."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import words
from barbarian import Phase
from claim import MOST_ARMIES, MOST_REVOLTS
from extendedturn import DEAD, HELPERS, where
from phasesteps import FACES, Again, Clash, Crossing, Fallen, Scene, Step, Uprising
from rules import MOST_UNREST, USUAL, Table
from words import NONE, Moment, Setting

NORTHEAST = (3, 4)  # the regions of the Goths
BLACK, GRAY = 1, 4  # discs of the Barbarian player


@dataclass(frozen=True)
class Rising:
    """A region has become full while its border is secured and an army is left: a die names where a usurper rises."""

    scene: Scene
    region: int


class Extended(Phase):
    """A Barbarian phase with modules, variants and rebels."""

    use: frozenset[str] = NONE
    rebels: frozenset[str] = NONE
    vicarius = False  # whether it is he who stands last in a scene

    def put_revolts(self, scene: Scene, places: Iterable[str]) -> Scene | Fallen:
        """A revolt in his province is the Vicarius' death. One revolt is the black disc of the Barbarian player."""
        if "barbaria" in self.use and len(scene.table.revolts.union(places)) > MOST_REVOLTS - BLACK:
            return Fallen("revolts")
        after = super().put_revolts(scene, places)
        if self.vicarius and isinstance(after, Scene) and after.places[-1] in after.table.revolts:
            return after._replace(places=(*after.places[:-1], None))
        return after

    def resolve(self, scene: Scene, place: str) -> Step:
        """Where the Vicarius stands no unrest is placed. Four unrest are the gray discs of the Barbarian player."""
        bare = place not in scene.table.discs() and not any(place in own for own in self.board.printed.values())
        if bare and self.vicarius and place == scene.places[-1]:
            return self.advance(scene)
        if bare and "barbaria" in self.use and len(scene.table.unrest) >= MOST_UNREST - GRAY:
            return Fallen("unrest")
        return super().resolve(scene, place)

    def arrive(self, scene: Scene, armies: tuple[str, ...]) -> Step:
        """The Vicarius has no troops, so an army enters where he stands."""
        if self.vicarius and self.board.arrow[armies[0]] not in scene.places[:-1]:
            return self.enter(scene, armies)
        return super().arrive(scene, armies)

    def echo(self, scene: Scene, region: int) -> Step:
        """The Goths appear on III and IV in any case; what stands or lies there is removed."""
        border = self.border[region]
        if "goths" in self.use and region in NORTHEAST:
            table = scene.table.without_disc(border)._replace(armies=scene.table.armies - {border})
            scene = scene._replace(table=table, places=tuple(None if p == border else p for p in scene.places))
        return super().echo(scene, region)

    def march(self, scene: Scene, armies: tuple[str, ...]) -> Step:
        """Rebels stay."""
        return super().march(scene, tuple(army for army in armies if army not in self.rebels))

    def full(self, table: Table) -> set[int]:
        """The regions in which six revolts lie."""
        return {region for region in FACES if {self.at[region, number] for number in FACES} <= table.revolts}

    def usurpers(self, before: Scene, after: Scene) -> list[int]:
        """The regions in which a usurper rises."""
        become = self.full(after.table) - self.full(before.table)
        left = len(after.table.armies) < MOST_ARMIES
        return [region for region in sorted(become) if left and self.border[region] in after.table.secured()]


def barbarians(now: Setting) -> Moment:
    """The same position when the Barbarians come."""
    phase = Extended(now.turn.board, USUAL)
    phase.use, phase.rebels = now.use, frozenset(now.pieces.get("rebels", ()))
    places = now.places
    for figure in HELPERS:
        if where(now, figure) is not None:
            places, phase.vicarius = (*now.places, where(now, figure)), figure == "vicarius"
    return Moment(phase, Scene(now.state.table, places), now.pieces)


def piece(now: Setting | Moment, name: str) -> Any:
    """Where a piece of a module is: its place, its zone, ``dead``, or None."""
    if isinstance(now, Moment) and name in HELPERS and now.pieces.get(name) is not None:
        return now.scene().places[-1] or DEAD
    return now.pieces.get(name)


def named(now: Moment, place: str, passed: bool | None = None) -> Moment:
    """What follows when the dice name a province; with `passed` after the checks of broken links."""
    before, phase = now.scene(), now.phase
    then = words.named(now, place, passed)
    if (
        "pirates" in now.pieces and place in before.table.revolts
    ):  # beaten Pirates return to a zone without a Roman fleet
        free = phase.board.zones[place] - before.table.fleets
        then = then._replace(pieces={**now.pieces, "pirates": min(free, default=None)})
    if isinstance(phase, Extended) and "usurpator" in phase.use and not isinstance(then.step, Uprising):
        # what lies there before armies advance, where an unrest becomes a revolt; an uprising may fill other regions
        placed = phase.put_revolts(before, [place]) if place in before.table.unrest else then.scene()
        regions = phase.usurpers(before, placed) if isinstance(placed, Scene) else []
        if regions:
            assert isinstance(placed, Scene)
            return then._replace(step=Rising(placed, regions[0]))
    return then


def rising(now: Moment) -> tuple[str, ...]:
    """Where a usurper rises by each face of the die; nowhere where none rises."""
    if not isinstance(now.step, Rising):
        return ()
    return tuple(now.phase.at[now.step.region, number] for number in FACES)


def results(now: Moment) -> list[Moment]:
    """What follows each face of the dice of a step; a usurper appears in no occupied province, and rests in that phase."""
    if not isinstance(now.step, Rising):
        return words.results(now)
    found, scene = [], now.step.scene
    for place in rising(now):
        come = scene._replace(table=scene.table._replace(armies=scene.table.armies | {place}))
        taken = place in scene.table.armies or place in scene.places
        found.append(now if taken else now.then(now.phase.advance(come, resting=place)))
    return found


def arrives(now: Moment, border: str) -> Moment | None:
    """The position after an army has appeared on a border; None where it cannot."""
    step = now.phase.echo(now.scene(), now.phase.board.region[border])
    return None if isinstance(step, Again) else now.then(step)


def march(now: Moment, army: str) -> Moment:
    """What follows when the army goes its way, and passes a broken link."""
    step = now.phase.march(now.scene(), (army,))
    return now.then(now.phase.roll(step).results[-1] if isinstance(step, Crossing) else step)


def marched(now: Moment) -> Moment:
    """The position after all armies have advanced, up to the first dice."""
    return now.then(now.phase.advance(now.scene()))


def passes(face: int, bonus: int = 0) -> bool:
    """Whether a broken link is passed; the Goths add 1."""
    return face + bonus >= 4


def crossings(now: Moment, army: str) -> list[Moment]:
    """What follows each face with which the army checks the broken link in its way."""
    over, bonus = now.phase.arrive(now.scene(), (army,)), int(now.pieces.get("goths") == army)
    return [now.then(over if passes(face, bonus) else now.scene()) for face in FACES]


def beaten(now: Moment, army: str) -> Moment:
    """What follows when the army beats who is in its way: he leaves the board, and it enters."""
    scene = now.scene()
    assert isinstance(now.phase.arrive(scene, (army,)), Clash)
    places = tuple(None if place == now.phase.board.arrow[army] else place for place in scene.places)
    return now.then(now.phase.enter(scene._replace(places=places), (army,)))
