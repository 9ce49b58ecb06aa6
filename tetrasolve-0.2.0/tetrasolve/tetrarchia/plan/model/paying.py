"""Discs with which Galerius pays for his battles: which ones, for the number that an attack names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace

from tetrasolve.tetrarchia.action import Action
from tetrasolve.tetrarchia.pieces import RESERVE
from tetrasolve.tetrarchia.plan.model.extending import payable
from tetrasolve.tetrarchia.plan.model.flow import Flow
from tetrasolve.tetrarchia.plan.model.formula import Lit
from tetrasolve.tetrarchia.plan.model.table import Deed


class Payments:
    """The literals of discs paid, for each pair of layers between which an attack can be paid for."""

    def __init__(self, turn: Flow) -> None:
        self.turn = turn
        self._attacks: defaultdict[tuple[int, int], list[tuple[int, Lit]]] = defaultdict(list)
        self._discs: dict[tuple[int, int], dict[str, list[Lit]]] = {}

    def note(self, start: int, end: int, discs: int, lit: Lit) -> None:
        """Note an attack that costs so many discs."""
        self._attacks[start, end].append((discs, lit))

    def settle(self, start: int) -> None:
        """Add the discs for all attacks that begin in this layer; the reserve must have those that it pays."""
        turn, formula = self.turn, self.turn.formula
        for (begin, end), attacks in list(self._attacks.items()):
            if begin != start:
                continue
            label = f"{turn.name}paid[{start}>{end}]"
            layer, most = turn.layers[start], max(discs for discs, _ in attacks)
            paid = {RESERVE: [formula.new(f"{label}[{RESERVE}][{number}]") for number in range(most)]}
            for more, fewer in zip(paid[RESERVE][1:], paid[RESERVE], strict=False):
                formula.clause(-more, fewer)
            for place in payable(layer):
                lit = formula.new(f"{label}[{place}]")
                formula.clause(-lit, layer.table[turn.emperor, place])
                turn.pay(end, place, lit)
                paid[place] = [lit]
            price = [
                formula.any_of(lit for discs, lit in attacks if discs > number) for number in range(most)
            ]  # as many are true as discs are paid
            every = [lit for lits in paid.values() for lit in lits]
            formula.exactly(most, [*every, *(-lit for lit in price)])
            limit = turn.ruleset.garrisons - turn.extras.removed
            formula.at_most(limit, [*turn.used_discs(start), *paid[RESERVE]])
            self._discs[start, end] = paid

    def before(self, spent: int) -> list[Lit]:
        """The literals of all discs paid up to this layer."""
        paid = (discs for (_, end), discs in self._discs.items() if end <= spent)
        return [lit for discs in paid for lits in discs.values() for lit in lits]

    def paid_for(self, action: Action, start: int, deed: Deed, true: Collection[Lit]) -> Action:
        """An action of a solution with its payments."""
        if not deed.paying:
            return action
        discs = self._discs[start, start + deed.cost]
        order = [RESERVE, *self.turn.board.ids]
        names = [name for name in order for lit in discs.get(name, ()) if lit in true]
        return replace(action, payments=tuple(names))
