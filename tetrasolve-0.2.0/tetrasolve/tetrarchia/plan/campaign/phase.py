"""A Barbarian phase with stated dice as constraints between the table before and after it.

The dice fix the active province, the echoes, and whether broken links are linked; the discs on the table are variables.
Phases in which the Empire falls, that need a die that is not stated, or in which an army attacks an Emperor (whose dice are
never stated here) are excluded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import ARMIES, REVOLTS, UNREST
from tetrasolve.tetrarchia.plan.campaign.dice import PhaseDice
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Formula, Lit
from tetrasolve.tetrarchia.plan.model.table import ARMY, FLEET, Table, Thing
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC
from tetrasolve.tetrarchia.rules.advance import rank
from tetrasolve.tetrarchia.ruleset import Ruleset

Places: TypeAlias = Mapping[str, Mapping[str, Lit]]


def phase(
    formula: Formula, board: Board, ruleset: Ruleset, table: Table, places: Places, dice: PhaseDice
) -> tuple[Table, Places]:
    """The table and the places of the Emperors after the phase; `places` has the literals of each Emperor's places."""
    written = _Phase(formula, board, ruleset, table, places, dice)
    written.spread()
    written.activity()
    written.advance()
    return written.after()


class _Phase:
    """The table during a phase: for each province literals for each kind of disc and for an army."""

    def __init__(
        self, formula: Formula, board: Board, ruleset: Ruleset, table: Table, places: Places, dice: PhaseDice
    ) -> None:
        self.formula, self.board, self.ruleset, self.dice = formula, board, ruleset, dice
        self.linked = bool(dice.all_checks)  # whether broken links are linked
        self.revolt = {place: table[REVOLT_DISC, place] for place in board.ids}
        self.unrest = {place: table[UNREST_DISC, place] for place in board.ids}
        self.garrison: dict[Thing, Lit] = {
            (e.id, place): table[e.id, place] for e in board.emperors for place in board.ids
        }
        self.army = {place: table[ARMY, place] for place in board.ids}
        self.fleets = {thing: lit for thing, lit in table.things.items() if thing[0] == FLEET}
        self.places = {emperor: dict(where) for emperor, where in places.items()}
        self.fresh: dict[str, Lit] = {}  # armies placed in this phase

    # -- what is asked about the table ---------------------------------------------------------------------------

    def _neighbours(self, place: str) -> list[str]:
        """Linked provinces, over broken links where these hold."""
        return [name for name, link in self.board.neighbours(place).items() if self.linked or not link.broken]

    def _any_garrison(self, place: str) -> Lit:
        return self.formula.any_of(self.garrison[e.id, place] for e in self.board.emperors)

    def _any_emperor(self, place: str) -> Lit:
        return self.formula.any_of(where.get(place, FALSE) for where in self.places.values())

    def _no_disc(self, place: str) -> Lit:
        return self.formula.all_of((-self.revolt[place], -self.unrest[place], -self._any_garrison(place)))

    # -- what changes --------------------------------------------------------------------------------------------

    def _put_revolt(self, place: str, when: Lit) -> None:
        """Place a revolt in place of any other disc."""
        self.revolt[place] = self.formula.any_of((self.revolt[place], when))
        self.unrest[place] = self.formula.all_of((self.unrest[place], -when))
        for emperor in self.board.emperors:
            self.garrison[emperor.id, place] = self.formula.all_of((self.garrison[emperor.id, place], -when))

    def _supplied(self) -> None:
        """Require that the reserves of revolts and unrest suffice."""
        self.formula.at_most(REVOLTS, self.revolt.values())
        self.formula.at_most(UNREST, self.unrest.values())

    # -- 1. revolts ----------------------------------------------------------------------------------------------

    def spread(self) -> None:
        """Spread revolts to linked unrest, repeatedly; then remove Emperors on revolts."""
        for _ in range(self._longest_chain()):
            before = dict(self.revolt)
            for place, unrest in self.unrest.items():
                if unrest != FALSE:
                    beside = self.formula.any_of(before[name] for name in self._neighbours(place))
                    self.revolt[place] = self.formula.any_of((before[place], self.formula.all_of((unrest, beside))))
            if self.revolt == before:
                break
        self.unrest = {place: self.formula.all_of((lit, -self.revolt[place])) for place, lit in self.unrest.items()}
        self._supplied()
        for where in self.places.values():
            for place, lit in where.items():
                where[place] = self.formula.all_of((lit, -self.revolt[place]))

    def _longest_chain(self) -> int:
        """An upper bound on the length of a chain of unrest: the largest connected group."""
        smouldering = {place for place, lit in self.unrest.items() if lit != FALSE}
        longest = 0
        while smouldering:
            found, edge = set[str](), [smouldering.pop()]
            while edge:
                place = edge.pop()
                found.add(place)
                near = smouldering.intersection(self._neighbours(place))
                smouldering -= near
                edge += near
            longest = max(longest, len(found))
        return min(longest, UNREST)

    # -- 2. activity ---------------------------------------------------------------------------------------------

    def activity(self) -> None:
        """Resolve the activity in the province that the dice name, and its echoes."""
        region, number = self.dice.activity.faces
        echo = iter(self.dice.echo.faces)
        active = self._active(self.board.at(region, number), TRUE)
        while active != FALSE:
            region = next(echo, 0)
            empty = self._arrival(region, active) if region else FALSE
            active = self.formula.all_of((active, -empty))  # the border was not empty
            number = next(echo, 0)
            if not number:  # an echo would need a die that is not stated
                self.formula.clause(-active)
                return
            active = self._active(self.board.at(region, number), active)

    def _arrival(self, region: int, when: Lit) -> Lit:
        """Place an army on the border of a region if it is empty; returns whether it is."""
        border = self.board.borders[region - 1]
        empty = self.formula.all_of((self._no_disc(border), -self.army[border], -self._any_emperor(border)))
        arrives = self.formula.all_of((when, empty))
        self.fresh[border] = self.formula.any_of((self.fresh.get(border, FALSE), arrives))
        return empty

    def _active(self, place: str, when: Lit) -> Lit:
        """Resolve the activity in a province; returns whether an echo follows."""
        revolt, unrest = self.revolt[place], self.unrest[place]
        free = self._no_disc(place)
        protected = TRUE if self.board[place].printed else FALSE  # no disc covers it then
        rises = self.formula.all_of((when, revolt))
        turns = self.formula.all_of((when, unrest))
        unsettled = self.formula.all_of((when, free, -protected))
        self._put_revolt(place, turns)
        self.unrest[place] = self.formula.any_of((self.unrest[place], unsettled))
        for name in self._neighbours(place):
            if not self.board[name].is_border:
                self._put_revolt(name, rises)
        self._supplied()
        in_reserve = -self.formula.count([*self.army.values(), *self.fresh.values()], ARMIES)
        return self.formula.all_of((rises, in_reserve))

    # -- 3. advance ----------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Move each army by one arrow, nearest to Roma first [I-ORDER], also those placed in this phase [I-FRESH]."""
        waits = self.ruleset.readings["I-FRESH"] == "wait"
        going = {
            place: self.formula.any_of((lit, FALSE if waits else self.fresh.get(place, FALSE)))
            for place, lit in self.army.items()
        }
        for place, lit in self.fresh.items():
            self.army[place] = self.formula.any_of((self.army[place], lit))
        for place in sorted(self.board.ids, key=self._rank):
            target = self.board[place].arrow
            if target is None or going[place] == FALSE:
                continue
            link = self.board.link(place, target)
            if (link is None or link.broken) and not self.linked:
                continue
            goes = self.formula.all_of((going[place], -self.army[target]))
            self.formula.clause(-goes, -self._any_emperor(target))  # the dice of a battle are not stated
            if target == self.board.roma:
                self.formula.clause(-goes)
                continue
            self.army[place] = self.formula.all_of((self.army[place], -goes))
            self.army[target] = self.formula.any_of((self.army[target], goes))
            if not self.board[target].is_border:
                self._put_revolt(target, goes)
        self._supplied()

    def _rank(self, place: str) -> tuple[int, ...]:
        distance = self.board.distance_to_roma.get(place, len(self.board.provinces))
        return rank(self.board, self.ruleset, place, distance)

    # -- the end -------------------------------------------------------------------------------------------------

    def after(self) -> tuple[Table, Places]:
        """The table and the places of the Emperors after the phase."""
        things: dict[Thing, Lit] = dict(self.fleets)
        things |= {(REVOLT_DISC, place): lit for place, lit in self.revolt.items()}
        things |= {(UNREST_DISC, place): lit for place, lit in self.unrest.items()}
        things |= self.garrison
        things |= {(ARMY, place): lit for place, lit in self.army.items()}
        standing = {
            emperor: {p: lit for p, lit in where.items() if lit != FALSE} for emperor, where in self.places.items()
        }
        return Table({thing: lit for thing, lit in things.items() if lit != FALSE}), standing
