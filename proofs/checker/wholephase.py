"""A Barbarian phase with all that it leaves behind: also where the Pirates and the fleets are, glory, and gray discs.

Nothing in a phase depends on these, so `modulephase` leaves them out; two values of a reading can differ in them alone. Players
decline all that they may decide, as there: `WholePhase.decided` says whether there was anything to decide.
"""

from collections.abc import Mapping
from fractions import Fraction

import aeterna
import pirates
from modulephase import ModulePhase, more
from phasesteps import Clash, Crossing, Echo, Fallen, Scene, Step
from situations import CONSTANTIUS, GALERIUS, MAXIMIAN, Rules, Situation

MOST_GRAY = 4  # discs of the Barbarian player when his opponents' first turn begins
Ends = Mapping[Scene | Fallen, Fraction]


class WholePhase(ModulePhase):
    """The rules of a phase, in whose scenes is all that can lie on the table."""

    def __init__(self, rules: Rules, start: Situation) -> None:
        super().__init__(rules, start)
        self.decided = rules.gray + rules.black > 0

    def scene(self, now: Situation) -> Scene:
        """The scene of a situation in which the turn ends."""
        scene = super().scene(now)
        scene = scene._replace(table=scene.table._replace(fleets=now.table.fleets))
        return self.noted(scene, pirates=now.pirates, glory=now.glory)

    def ends(self, now: Situation) -> Ends:
        """The results of the phase of a situation with their chances; a fall is one, whatever brought it."""
        found: dict[Scene | Fallen, Fraction] = {}
        solved = self.solve(self.begin(self.scene(now)))
        self.decided |= any(map(self.asks, solved.visits))
        for end, chance in solved.ends.items():
            what = Fallen("") if isinstance(end, Fallen) else self.refilled(end)
            found[what] = found.get(what, Fraction(0)) + chance
        return found

    def asks(self, step: Step) -> bool:
        """Whether an army comes to Constantius, who can block it, or to Galerius, who can add to his die."""
        if "imperium" not in self.use or not isinstance(step, Crossing | Clash):
            return False
        return self.way(step.armies[0]) in (step.scene.places[CONSTANTIUS], step.scene.places[GALERIUS])

    def rise(self, scene: Scene, place: str) -> Step:
        """An uprising can bring beaten Pirates back."""
        back = pirates.back(self.rules, scene.table.fleets, place) if more(scene).pirates is None else None
        return super().rise(self.noted(scene, pirates=back) if back is not None else scene, place)

    def beaten(self, scene: Scene, army: str) -> Scene:
        """An army that attacked is beaten, which can bring glory."""
        return self.praised(super().beaten(scene, army), str(self.way(army)), scene, "victory")

    def lost(self, scene: Scene, place: str) -> Scene:
        """He who is attacked in a province is beaten, which can take glory."""
        return self.praised(super().lost(scene, place), place, scene, "defeat")

    def praised(self, after: Scene, place: str, before: Scene, outcome: str) -> Scene:
        """The scene after a battle of him who stood in a province, with the glory that it brings or takes."""
        had = more(after).glory
        left = more(after).most_unrest - len(after.table.unrest)
        glory = aeterna.defended(self.rules, before.places.index(place), had, left, outcome)
        return self.noted(after, glory=glory, most_unrest=more(after).most_unrest - sum(glory) + sum(had))

    def late(self, step: Step) -> tuple[int, ...]:
        """How late a step comes: Pirates can come back while no revolt is placed, and stay."""
        found = super().late(step)
        return (*found, int(more(step.scene).pirates is not None)) if isinstance(step, Echo) else found

    def refilled(self, end: Scene) -> Scene:
        """The end with the gray discs that the Barbarian player has when the next turn begins."""
        gray = self.rules.gray
        if "barbaria" in self.use and self.rules.active == MAXIMIAN:
            left = self.unrest_left(end)
            enough = gray + left >= MOST_GRAY
            if enough or self.readings["I-REFILL"] == "rest":
                gray = min(MOST_GRAY, gray + left)
        return self.noted(end, gray=gray)
