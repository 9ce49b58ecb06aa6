"""A turn as a layered graph: the active Emperor flows through (IP spent, province), and every action is an arc.

Layer t is the table after t IP. An action that costs c leads from layer t to layer t + c, so a path from the first layer to
the end is a sequence of actions: the solutions of the model are the turns.

The rules are in the modules `moving`, `protecting`, `fighting` and `extending`, a function for each; this module connects
their arcs. `beside` has the arcs of other figures, beside which the Emperor stays where he is. A power of Imperium is free and
still leads to another layer, so in such a turn a layer can be one more than the IP spent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import IP_A_TURN, MAXIMIAN_IP
from tetrasolve.tetrarchia.plan.model import extending, fighting, moving, protecting
from tetrasolve.tetrarchia.plan.model.beside import Beside
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Formula, Lit
from tetrasolve.tetrarchia.plan.model.paying import Payments
from tetrasolve.tetrarchia.plan.model.table import (
    BASE_GAME,
    BEATEN,
    DIOCLETIAN,
    FALLEN,
    GLORY,
    MAXIMIAN,
    PIRATES,
    POWER_USED,
    Deed,
    Extras,
    Table,
    Thing,
    TurnLayer,
    figure,
)
from tetrasolve.tetrarchia.position import UNREST_DISC, Position
from tetrasolve.tetrarchia.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Arc:
    """An action as an arc: `lit` is true if it is taken, from layer `start` in `origin`.

    That is the Emperor's province, None while he is off the board, ``""`` for what others do wherever he is.
    """

    lit: Lit
    start: int
    origin: str | None
    deed: Deed

    @property
    def action(self) -> Action:
        """The action."""
        return self.deed.action

    @property
    def end(self) -> int:
        """The IP spent after it."""
        return self.start + self.deed.cost


class TurnModel:
    """The turns of one Emperor from a table on, added to a formula.

    `at` has the literals of his place at the start (`off`: off the board), `ip` his IP, `outcomes` the possible outcomes of an
    attack on each army (other armies are not attacked), and on ``"pirates"``. With `unfinished` the turn may end anywhere: the
    solutions are then sequences of actions, those of the base game only. Actions for which `matters` (of a deed and its
    province) is false are left out. `extras` are those of modules, variants and rebels.

    `tables[t]` is the table of layer t, `end` the last one; `here[t][p]` whether he is in p after t IP; `stops[t][p]` whether
    he ends his turn there, and `stays_off` whether he stays off the board; `at_end[p]` whether he is in p at the end.
    """

    def __init__(
        self,
        formula: Formula,
        board: Board,
        ruleset: Ruleset,
        emperor: str,
        table: Table,
        at: Mapping[str, Lit],
        off: Lit,
        ip: int,
        outcomes: Mapping[str, Collection[Outcome]],
        *,
        unfinished: bool = False,
        matters: Callable[[Deed, str], bool] = lambda _deed, _place: True,
        name: str = "",
        extras: Extras = BASE_GAME,
    ) -> None:
        self.formula = formula
        self.board = board
        self.ruleset = ruleset
        self.emperor = emperor
        self.ip = ip
        self.outcomes = outcomes
        self.unfinished = unfinished
        self.matters = matters
        self.name = name
        self.extras = extras
        self._ways_out: dict[tuple[int, str], Lit] = {}
        self.arcs: list[Arc] = []
        self._leaving: defaultdict[tuple[int, str | None], list[Lit]] = defaultdict(list)
        self._arriving: defaultdict[tuple[int, str], list[Lit]] = defaultdict(list)
        self._taking: defaultdict[int, defaultdict[Thing, list[Lit]]] = defaultdict(lambda: defaultdict(list))
        self._putting: defaultdict[int, defaultdict[Thing, list[Lit]]] = defaultdict(lambda: defaultdict(list))
        self._sweeping: defaultdict[int, defaultdict[Thing, list[Lit]]] = defaultdict(lambda: defaultdict(list))
        self._ending: defaultdict[tuple[int, str], list[Lit]] = defaultdict(list)
        self._most_own = self._first_bound_on_own(table)
        self._payments = Payments(self)
        self._power = extras.power in (DIOCLETIAN, MAXIMIAN) and table[POWER_USED] == FALSE
        self.most_ip = ip + (MAXIMIAN_IP if self._power and extras.power == MAXIMIAN else 0)
        self.last = self.most_ip + (extending.A_STEP if self._power else 0)
        self.layers = [self._layer(table, 0)]
        self.beside = Beside(self)
        self._enter(off)
        self.here = [self._standing(0, at)]
        self._act(0)
        for spent in range(1, self.last + 1):
            self.layers.append(self._layer(self._changed(spent), spent))
            self.here.append(self._standing(spent, {}))
            self._act(spent)
        self.stops = [{place: self._stop(spent, place) for place in here} for spent, here in enumerate(self.here)]
        self.stays_off = self._stay_off(off)
        self._keep_reserve(table)

    @classmethod
    def of(
        cls,
        formula: Formula,
        position: Position,
        outcomes: Mapping[str, Collection[Outcome]],
        *,
        unfinished: bool = False,
    ) -> TurnModel:
        """The rest of the active Emperor's turn in a position."""
        at = {} if position.here is None else {position.here: TRUE}
        off = TRUE if position.here is None else FALSE
        game = (position.board, position.ruleset, position.to_move)
        table, extras = Table.of(position), Extras.of(position)
        return cls(formula, *game, table, at, off, position.ip, outcomes, unfinished=unfinished, extras=extras)

    # -- layers --------------------------------------------------------------------------------------------------

    def _first_bound_on_own(self, table: Table) -> int:
        start = TurnLayer(self.formula, self.board, self.ruleset, self.emperor, table, 0, 0)
        return sum(fighting.own_disc(start, place) != FALSE for place in self.board.ids)

    def _layer(self, table: Table, spent: int) -> TurnLayer:
        """A layer; each new disc requires an action in another province, so 2 n - 1 IP give at most n.

        Where others act too, each IP can uncover a printed disc or add one. An IP adds at most one unrest.
        """
        supply = self.ruleset.garrisons + len(self.board.printed(self.emperor))
        gain = spent if self.extras.movers else (spent + 1) // 2
        first = table if spent == 0 else self.layers[0].table
        return TurnLayer(
            self.formula,
            self.board,
            self.ruleset,
            self.emperor,
            table,
            spent,
            most_own=min(supply, self._most_own + gain),
            most_unrest=len(first.all(UNREST_DISC)) + self.extras.aside + spent,
            extras=self.extras,
        )

    def _changed(self, spent: int) -> Table:
        """The table of a layer: that of the layer before, without things taken, with things put."""
        taken, put, before = self._taking[spent], self._putting[spent], self.layers[-1].table
        for thing, arcs in self._sweeping[spent].items():
            if before[thing] != FALSE:
                unpaid = [-lit for lit in taken[thing]]  # it cannot be lost a second time
                taken[thing].append(self.formula.all_of((self.formula.any_of(arcs), before[thing], *unpaid)))
        after: dict[Thing, Lit] = {}
        for thing in dict.fromkeys((*before.things, *put)):
            label = f"{self.name}{thing[0]}[{spent}][{thing[1]}]"
            kept = self.formula.minus(f"kept {label}", before[thing], taken[thing])
            after[thing] = self.formula.plus(label, kept, put[thing])
        return Table(after)

    def _standing(self, spent: int, at: Mapping[str, Lit]) -> dict[str, Lit]:
        """His possible places in a layer."""
        found: dict[str, Lit] = {}
        for place in self.board.ids:
            come = self._arriving[spent, place]
            lit = self.formula.plus(f"{self.name}at[{spent}][{place}]", at.get(place, FALSE), come)
            if lit != FALSE:
                found[place] = lit
        self.layers[spent].standing.update(found)
        return found

    # -- arcs ----------------------------------------------------------------------------------------------------

    def _add(self, start: int, origin: str | None, deed: Deed) -> None:
        """Add an arc of the active Emperor, unless it is impossible."""
        lit = self.arc(start, origin, deed)
        if lit is not None:
            self.leave(start, origin, lit)
            if deed.target is not None:
                self.arrive(start + deed.cost, deed.target, lit)

    def arc(self, start: int, origin: str | None, deed: Deed) -> Lit | None:
        """Add an arc with its conditions and its effects on things, unless it is impossible."""
        end = start + deed.cost
        if end > self.last or not deed.possible:
            return None
        affordable = TRUE if end <= self.ip else self._affordable(start, deed)
        if affordable == FALSE:
            return None
        lit = self.formula.new(f"{self.name}{deed.action}[{start}>{end}][{origin}]")
        for condition in deed.conditions:
            self.formula.clause(-lit, condition)
        self.formula.clause(-lit, affordable)
        self.arcs.append(Arc(lit, start, origin, deed))
        if deed.ends is not None:
            self._ending[end, deed.ends].append(lit)
        if deed.paying:
            self._payments.note(start, end, deed.paying, lit)
        for thing in deed.takes:
            self._taking[end][thing].append(lit)
        for thing in deed.puts:
            self._putting[end][thing].append(lit)
        for thing in deed.sweeps:
            self._sweeping[end][thing].append(lit)
        return lit

    def _affordable(self, start: int, deed: Deed) -> Lit:
        """Whether an action that leads to a layer beyond the IP is possible: once the power has been used, or by using it."""
        if deed.action.kind is Kind.IMPERIUM:
            return TRUE if start <= self.ip else FALSE
        return self.layers[start].table[POWER_USED]

    def leave(self, spent: int, place: str | None, lit: Lit) -> None:
        """The Emperor can leave a layer in this province by this literal."""
        self._leaving[spent, place].append(lit)

    def arrive(self, spent: int, place: str, lit: Lit) -> None:
        """The Emperor can come to a layer in this province by this literal."""
        self._arriving[spent, place].append(lit)

    def pay(self, end: int, place: str, lit: Lit) -> None:
        """A garrison of the active Emperor is paid by this literal."""
        self._taking[end][self.emperor, place].append(lit)

    def _enter(self, off: Lit) -> None:
        """Add entering at the start of the turn."""
        self._entries = list(moving.entries(self.layers[0])) if off != FALSE and self.ip == IP_A_TURN else []
        for deed in self._entries:
            self._add(0, None, deed)

    def _act(self, spent: int) -> None:
        """Add all actions in a layer."""
        for place in self.here[spent]:
            for deed in self.deeds(spent, place):
                self._add(spent, place, deed)
        if not self.extras.is_base:
            self.beside.act(spent)
            self._payments.settle(spent)

    def waste_no_sails(self) -> None:
        """Exclude turns that are equivalent to another one, or worse: a fleet sails only just before it may be needed.

        Only ways by sea depend on fleets, and the absence of a fleet never helps. So a sail that is followed by work, an
        attack, the end or a move by a normal link can be delayed or saved, except before a move to a shared province, where
        sailing is illegal. With modules and rebels fleets can matter otherwise, and nothing is excluded.
        """
        if not self.extras.is_base:
            return
        sailed: defaultdict[tuple[int, str | None], list[Lit]] = defaultdict(list)
        followed: defaultdict[tuple[int, str | None], list[Lit]] = defaultdict(list)
        for arc in self.arcs:
            if arc.action.kind is Kind.SAIL:
                sailed[arc.end, arc.origin].append(arc.lit)
            elif not (arc.action.kind is Kind.MOVE and self._may_need_fleet(arc)):
                followed[arc.start, arc.origin].append(arc.lit)
        for (spent, place), sails in sailed.items():
            assert place is not None
            just = self.formula.plus(f"{self.name}sailed[{spent}][{place}]", FALSE, sails)
            self.formula.at_most(1, (just, self.stops[spent][place], *followed[spent, place]))

    def _may_need_fleet(self, arc: Arc) -> bool:
        assert arc.origin is not None and arc.deed.target is not None
        link = self.board.link(arc.origin, arc.deed.target)
        return link is None or link.broken or self.layers[arc.start].shared(arc.deed.target) != FALSE

    def deeds(self, spent: int, place: str) -> Iterator[Deed]:
        """The useful actions from a province of a layer."""
        layer = self.layers[spent]
        every = chain(
            moving.moves(layer, place),
            moving.sails(layer, place),
            protecting.secures(layer, place),
            protecting.subdues(layer, place),
            fighting.attacks(layer, place, self.outcomes),
        )
        if not self.extras.is_base:
            every = chain(
                every,
                extending.transfers(layer, place),
                extending.dux_deployments(layer, place),
                extending.raids(layer, place, self.outcomes),
            )
        return (deed for deed in every if self.matters(deed, place))

    # -- stopping ------------------------------------------------------------------------------------------------

    def _stop(self, spent: int, place: str) -> Lit:
        """Add the end of the turn: not in a shared province, and at once when the game is won."""
        formula, layer, here = self.formula, self.layers[spent], self.here[spent][place]
        stop = formula.new(f"{self.name}stop[{spent}][{place}]")
        formula.exactly_one(-here, stop, *self._leaving[spent, place])
        formula.clause(-layer.won, -here, stop)
        leave = self.can_leave(spent, place) if self.unfinished and layer.shared(place) != FALSE else FALSE
        formula.clause(-stop, -layer.shared(place), leave)
        return stop

    def can_leave(self, spent: int, place: str) -> Lit:
        """Whether moves lead from here to a province that is not shared, on the table of this layer [I-PASS].

        After the end all later tables are equal to this one, so later layers can be used for the moves after the first.
        Answers are cached, since the same ones are needed often.
        """
        if (spent, place) not in self._ways_out:
            self._ways_out[spent, place] = self._way_out(spent, place)
        return self._ways_out[spent, place]

    def _way_out(self, spent: int, place: str) -> Lit:
        ways = []
        for deed in moving.moves(self.layers[spent], place):
            assert deed.target is not None
            after = spent + deed.cost
            if deed.possible and after <= self.ip:
                ways.append(self.formula.all_of((*deed.conditions, self._can_stay(after, deed.target))))
        return self.formula.any_of(ways)

    def _can_stay(self, spent: int, place: str) -> Lit:
        """Whether he may move here: not shared, or with a way out."""
        shared = self.layers[spent].shared(place)
        return TRUE if shared == FALSE else self.formula.any_of((-shared, self.can_leave(spent, place)))

    def _stay_off(self, off: Lit) -> Lit:
        """Add staying off the board; he must enter if he can [I-ENTRY]."""
        if off == FALSE:
            return FALSE
        stay = self.formula.new(f"{self.name}stays off")
        self.formula.exactly_one(-off, stay, *self._leaving[0, None])
        self.formula.clause(-self.layers[0].won, -off, stay)
        if self.ruleset.readings["I-ENTRY"] == "must" and not self.unfinished:
            for deed in self._entries:
                assert deed.target is not None
                self.formula.clause(-stay, -self.formula.all_of((*deed.conditions, self._can_stay(0, deed.target))))
        return stay

    def _keep_reserve(self, table: Table) -> None:
        """Add the limit of his garrisons in the reserve.

        In the base game none comes back before the turn ends; else every layer keeps the limit.
        """
        mine = [(self.emperor, place) for place in self.board.ids]
        if self.extras.is_base:
            put = [lit for things in self._putting.values() for thing in mine for lit in things.get(thing, ())]
            self.formula.at_most(self.ruleset.garrisons, [*table.all(self.emperor).values(), *put])
            return
        for spent in range(self.last + 1):
            self.formula.at_most(self.ruleset.garrisons - self.extras.removed, self.used_discs(spent))

    def used_discs(self, spent: int) -> list[Lit]:
        """The literals of his discs that are neither in the reserve of a layer nor paid before this turn."""
        return [*self.layers[spent].table.all(self.emperor).values(), *self.paid_discs(spent)]

    def paid_discs(self, spent: int) -> list[Lit]:
        """The literals of his discs that he has paid for his power in this turn, up to a layer."""
        power = [self.layers[spent].table[POWER_USED]] if self._power else []
        return [*power, *self._payments.before(spent)]

    # -- the end -------------------------------------------------------------------------------------------------

    @property
    def end(self) -> TurnLayer:
        """The last layer: the table after the turn."""
        return self.layers[-1]

    def ended(self, how: str) -> list[Lit]:
        """The arcs that end the turn by defeat or by the fall of the Empire; at most one is taken."""
        return [lit for (_, found), lits in self._ending.items() if found == how for lit in lits]

    def paid(self, least: int) -> Lit:
        """Whether at least this number of IP is paid."""
        ends = [(spent, lit) for spent, stops in enumerate(self.stops) for lit in stops.values()]
        ends += [(spent, lit) for (spent, _), lits in self._ending.items() for lit in lits]
        late = [lit for spent, lit in ends if spent >= least + extending.A_STEP * self._power]
        if self._power:  # a layer was for the power where it has been used
            unused = -self.layers[least].table[POWER_USED]
            late += [self.formula.all_of((lit, unused)) for spent, lit in ends if spent == least]
        return self.formula.plus(f"{self.name}paid[{least}]", FALSE, late)

    def at_end(self, place: str) -> Lit:
        """Whether he is there at the end of the turn."""
        stopped = [stops[place] for stops in self.stops if place in stops]
        return self.formula.plus(f"{self.name}ends in[{place}]", FALSE, [*stopped, *self.beside.remaining[place]])

    def helper_at_end(self, name: str) -> Lit:
        """Whether the Dux or the Vicarius is on the board at the end of the turn."""
        return self.formula.any_of(self.end.table.all(figure(name)).values())

    def glory(self, least: int) -> Lit:
        """Whether he has at least this number of glory discs at the end; a lost battle costs him one."""
        won = list(self.end.table.all(GLORY).values())
        keeps = self.ruleset.readings["I-SHAME-SEA"] == "keeps"
        lost = self.formula.any_of(
            arc.lit
            for arc in self.arcs
            if arc.deed.ends == BEATEN and arc.action.figure is None and not (keeps and arc.action.place == PIRATES)
        )
        kept, more = (self.formula.count(won, wanted - self.extras.glory) for wanted in (least, least + 1))
        return self.formula.any_of((self.formula.all_of((kept, -lost)), more)) if least > 0 else TRUE

    @property
    def fallen(self) -> Lit:
        """Whether the Empire falls."""
        return self.formula.any_of(self.ended(FALLEN))

    @property
    def beaten(self) -> Lit:
        """Whether an attack is lost."""
        return self.formula.any_of(self.ended(BEATEN))

    def actions(self, true: Collection[Lit]) -> tuple[Action, ...]:
        """The actions of a solution, in order; entering comes first."""
        done = [arc for arc in self.arcs if arc.lit in true]
        done.sort(key=lambda arc: (arc.start, arc.origin is not None))
        return tuple(self._payments.paid_for(arc.action, arc.start, arc.deed, true) for arc in done)

    def count_actions(self, number: int) -> None:
        """Add the constraint of exactly this number of actions."""
        self.formula.exactly(number, [arc.lit for arc in self.arcs])
