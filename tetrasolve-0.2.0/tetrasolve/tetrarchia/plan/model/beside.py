"""Figures that act besides the active Emperor: the Dux, the Vicarius, and the Emperors whom Diocletian leads.

An arc of theirs leaves the Emperor where he is. To keep him one flow, each layer has for each price one literal a province, "he
remains here while another figure acts": exactly one of them is true where such an arc is taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.pieces import DUX, VICARIUS
from tetrasolve.tetrarchia.plan.model import extending, fighting, moving, protecting
from tetrasolve.tetrarchia.plan.model.flow import Flow
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Lit
from tetrasolve.tetrarchia.plan.model.table import POWER_USED, Deed, TurnLayer, figure

BESIDE = ""  # the origin of their arcs


class Beside:
    """The arcs of other figures in a turn; `remaining` has the literals of the Emperor's province where they end it."""

    def __init__(self, turn: Flow) -> None:
        self.turn = turn
        self.remaining: defaultdict[str, list[Lit]] = defaultdict(list)
        self._came: defaultdict[tuple[int, str, str], list[Lit]] = defaultdict(list)  # layer, figure, province

    def act(self, spent: int) -> None:
        """Add all arcs of a layer, and the flow of the Emperor beside them."""
        turn = self.turn
        passing = {name: self._passing(spent, name) for name in turn.extras.movers}
        arcs: defaultdict[tuple[int, bool], list[Lit]] = defaultdict(list)
        moving_on: defaultdict[str, list[Lit]] = defaultdict(list)
        for name, deed in self._deeds(turn.layers[spent]):
            lit = turn.arc(spent, BESIDE, deed)
            if lit is None:
                continue
            arcs[deed.cost, deed.ends is not None].append(lit)
            if name is not None and deed.action.kind is Kind.MOVE and deed.target is not None:
                moving_on[name].append(lit)
                self._came[spent + deed.cost, name, deed.target].append(lit)
        for name, lit in passing.items():
            turn.formula.clause(-lit, *moving_on[name])  # Rule p07-pass-through
        for (cost, ends), lits in arcs.items():
            self._remain(spent, cost, lits, turn.formula.any_of(passing.values()), ends=ends)

    def _deeds(self, layer: TurnLayer) -> Iterator[tuple[str | None, Deed]]:
        """All actions in a layer, with the figure that acts."""
        outcomes = self.turn.outcomes
        yield from ((None, deed) for deed in extending.powers(layer, self.turn.ip))
        for name in self.turn.extras.movers:
            view = layer.seen_by(name)
            if name == VICARIUS:
                yield from ((name, deed) for deed in extending.vicarius_deployments(view))
            for place in layer.table.all(figure(name)):
                here = str(place)
                every = moving.moves(view, here)
                if name == DUX:
                    subdues, attacks = protecting.subdues(view, here), fighting.attacks(view, here, outcomes)
                    every = chain(every, subdues, attacks, extending.raids(view, here, outcomes))
                for deed in every:
                    led = deed.led_by(view, here)
                    yield name, led if name in (DUX, VICARIUS) else led.only_if(layer.table[POWER_USED])

    def _passing(self, spent: int, name: str) -> Lit:
        """Whether this figure shares a province with another one to which it has come."""
        turn = self.turn
        if spent == 0:
            return TRUE if turn.extras.passing == name else FALSE
        view = turn.layers[spent].seen_by(name)
        met = []
        for place in turn.board.ids:
            came, shared = self._came[spent, name, place], view.shared(place)
            if came and shared != FALSE:
                met.append(turn.formula.all_of((turn.formula.any_of(came), shared)))
        return turn.formula.any_of(met)

    def _remain(self, spent: int, cost: int, arcs: list[Lit], passing: Lit, *, ends: bool) -> None:
        """Add that the Emperor stays where he is while one of these arcs is taken, alone unless another one is passing."""
        turn, end = self.turn, spent + cost
        acting = turn.formula.plus(f"{turn.name}others act[{spent}>{end}]", FALSE, arcs)
        stays = []
        for place in turn.here[spent]:
            lit = turn.formula.new(f"{turn.name}remains[{spent}>{end}][{place}]")
            stays.append(lit)
            turn.formula.clause(-lit, -turn.layers[spent].shared(place), passing)
            turn.leave(spent, place, lit)
            if ends:
                self.remaining[place].append(lit)
            else:
                turn.arrive(end, place, lit)
        turn.formula.exactly_one(-acting, *stays)
