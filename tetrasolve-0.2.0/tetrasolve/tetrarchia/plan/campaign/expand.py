"""The turns of a campaign: every position in which an Emperor's turn can end, with the least IP for it.

Where only the goal matters (frozen, or the last turn), actions that serve no goal are left out, and ends that are dominated
by another one are dropped: same place, no more done, no fewer IP.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import REDUCE, REMOVE, SECURE, Action, Outcome, attack, enter, move, sail
from tetrasolve.tetrarchia.numbers import (
    IP_A_TURN,
    REDUCE_REVOLT,
    REMOVE_REVOLT,
    REMOVE_UNREST,
    SAIL_COST,
    SECURE_BORDER,
    SECURE_PROVINCE,
)
from tetrasolve.tetrarchia.plan.campaign.ground import OFF, Ground, Packed
from tetrasolve.tetrarchia.plan.campaign.question import Campaign
from tetrasolve.tetrarchia.rules.battle import linked, revolt_group
from tetrasolve.tetrarchia.rules.combat import Battle

EVERYWHERE = -1  # as a mask
CHECK_EVERY = 500  # states between two looks at the flag

End: TypeAlias = tuple[Packed, int]  # the position when the turn ends, the IP paid


@dataclass(frozen=True, slots=True)
class Scope:
    """The provinces where actions can be useful: masks to `secure` and to `remove` discs in; `lean`: drop dominated ends."""

    secure: int
    remove: int
    lean: bool


FULL = Scope(EVERYWHERE, EVERYWHERE, lean=False)


class Turns:
    """The expansion of a campaign's turns."""

    def __init__(self, campaign: Campaign, ground: Ground) -> None:
        self.campaign, self.ground = campaign, ground
        readings = campaign.position.ruleset.readings
        self.single = readings["I-PASS"] == "single"
        self.may_stay_off = readings["I-ENTRY"] == "may"
        self.roma_closed_by = readings["I-ENTRY-ROMA"]
        self.enter_alone = readings["I-ENTRY-SHARED"] == "free-only"
        self.border_garrison_stays = readings["I-BORDER-DEFEAT"] == "stays"
        self.outcomes = {ground.row[army]: outcome for army, outcome in campaign.stated}
        position = campaign.position
        # without glory and the Barbarian player's discs: no Roman action but an attack changes these
        self.most_unrest = len(position.unrest) + position.reserve_unrest
        self._known: dict[tuple[object, ...], list[End]] = {}

    def closing(self, packed: Packed, place: int) -> int:
        """The discs that close this province to an Emperor who enters; whether any closes Roma is [I-ENTRY-ROMA]."""
        discs = packed.revolts | packed.unrest | packed.secured
        if place != self.ground.roma or self.roma_closed_by == "no-disc":
            return discs
        return packed.revolts if self.roma_closed_by == "no-revolt" else 0

    def without_garrison(self, mover: int) -> int:
        """The printed discs on which this Emperor puts no garrison [I-SECURE-OWN], [I-SECURE-OTHERS], [I-SECURE-ROMA]."""
        board, found = self.ground.board, set()
        emperor = board.emperors[mover].id
        for place in board.provinces.values():
            reading = "I-SECURE-OWN" if emperor in place.printed else "I-SECURE-OTHERS"
            reading = "I-SECURE-ROMA" if place.id == board.roma else reading
            if place.printed and self.campaign.position.ruleset.readings[reading] == "forbidden":
                found.add(place.id)
        return board.mask(found)

    # -- what matters --------------------------------------------------------------------------------------------

    def scope(self, *, last: bool) -> Scope:
        """The scope of a turn."""
        return self._goal_alone if (last or self.campaign.dice is None) else FULL

    @cached_property
    def _goal_alone(self) -> Scope:
        """The scope where only the goal matters: other garrisons are useless, unless attacks depend on them."""
        goal, board = self.campaign.goal, self.ground.board
        if not self.attacks_are_sure or (self.campaign.dice is not None and self.campaign.stated):
            return FULL
        to_remove = (
            goal.clear | {p for p in goal.secure if not board[p].is_border} | {e.capital for e in board.emperors}
        )
        position = self.campaign.position
        short = self.campaign.dice is not None or len(position.unrest) + len(position.revolts) > self.most_unrest
        return Scope(board.mask(goal.secure), EVERYWHERE if short else board.mask(to_remove), lean=not short)

    @cached_property
    def attacks_are_sure(self) -> bool:
        """Whether every stated outcome can be rolled in any case: victories over armies that are not too strong."""
        position = self.campaign.position
        for army, outcome in self.campaign.stated:
            if army not in position.armies:
                continue
            beside = (linked(position, place) for place in linked(position, army))
            allies = max((len(near.intersection(position.armies) - {army}) for near in beside), default=0)
            worst = Battle(garrisons=0, emperors=0, revolts=revolt_group(position, army), armies=allies)
            if outcome is not Outcome.VICTORY or Outcome.VICTORY not in worst.chances():
                return False
        return True

    # -- ends ----------------------------------------------------------------------------------------------------

    def ends(self, mover: int, packed: Packed, ip: int, *, last: bool, stop: Stop | None = None) -> list[End]:
        """Every position in which the turn can end, with the least IP for it; without dominated ends where `scope` is lean.

        :raises Stopped: when `stop` is set before they are known.
        """
        key = (mover, packed, ip, last)
        if key not in self._known:
            self._known[key] = self._work_out(mover, packed, ip, last=last, stop=stop)
        return self._known[key]

    def _work_out(self, mover: int, packed: Packed, ip: int, *, last: bool, stop: Stop | None) -> list[End]:
        scope = self.scope(last=last)
        found = _Turn(self, mover, packed, ip, scope, stop).ends
        if last:
            found = {end: paid for end, paid in found.items() if self.is_met(end, mover)}
            best = min(found, key=found.__getitem__, default=None)
            return [] if best is None else [(best, found[best])]
        return self._useful(mover, packed, found, stop) if scope.lean else list(found.items())

    def steps(self, mover: int, packed: Packed, ip: int, end: Packed, *, last: bool) -> tuple[Action, ...]:
        """The actions of a cheapest way to one of the `ends`."""
        turn = _Turn(self, mover, packed, ip, self.scope(last=last))
        return turn.steps(end)

    def is_met(self, packed: Packed, mover: int) -> bool:
        """Whether the goal is met at the end of this Emperor's turn."""
        goal, board = self.campaign.goal, self.ground.board
        rows = self.ground.row
        return (
            all(packed.places[mover] == rows[place] for place in goal.reach)
            and not board.mask(goal.secure) & ~packed.secured
            and not board.mask(goal.clear) & (packed.revolts | packed.unrest)
            and not board.mask(goal.kill) & packed.armies
        )

    def is_won(self, packed: Packed) -> bool:
        """Whether all borders are secured."""
        return not self.ground.borders & ~packed.secured

    def _useful(self, mover: int, packed: Packed, found: dict[Packed, int], stop: Stop | None) -> list[End]:
        """The ends that are not dominated by another one with the same place, no less done, and no more IP paid.

        Fewer revolts and unrest are never worse. More garrisons are not worse while his reserve cannot run out; but one on a
        capital would close it.
        """
        goal, board = self.campaign.goal, self.ground.board
        wanted = (board.mask(goal.secure) & ~packed.secured).bit_count()
        left = self.campaign.position.ruleset.garrisons - packed.garrisons[mover].bit_count()
        plenty = left >= wanted and not any(emperor.capital in goal.secure for emperor in board.emperors)
        kept: dict[tuple[object, ...], list[End]] = {}
        for end, paid in sorted(found.items(), key=lambda way: (way[1], way[0].revolts.bit_count(), way[0])):
            check(stop)
            alike = kept.setdefault((end.places, end.fleets), [])
            if not any(_serves(other, end, mover, plenty=plenty) for other, _ in alike):
                alike.append((end, paid))
        return [end for alike in kept.values() for end in alike]


def _serves(other: Packed, end: Packed, mover: int, *, plenty: bool) -> bool:
    """Whether everything that can follow the first end can also follow the second."""
    discs = end.revolts | end.unrest
    if other.revolts & ~end.revolts or (other.revolts | other.unrest) & ~discs or other.armies & ~end.armies:
        return False
    if plenty:
        return not end.garrisons[mover] & ~other.garrisons[mover]
    return end.garrisons == other.garrisons


class State(NamedTuple):
    """The parts of a position that a turn can change; `lost` are garrisons of others that are removed."""

    place: int
    fleets: int
    revolts: int
    unrest: int
    own: int
    armies: int
    lost: int


Level: TypeAlias = (
    "dict[tuple[int, ...], tuple[int, ...] | None]"  # states (plain tuples, for speed) and their predecessors
)


class _Turn:
    """One turn: states by IP left, each visited first with the most IP."""

    def __init__(
        self, turns: Turns, mover: int, packed: Packed, ip: int, scope: Scope, stop: Stop | None = None
    ) -> None:
        self.turns, self.ground, self.scope = turns, turns.ground, scope
        self.mover, self.start = mover, packed
        self.others = {place for i, place in enumerate(packed.places) if i != mover and place != OFF}
        self.foreign = packed.secured & ~packed.garrisons[mover]
        self.securable = scope.secure & ~turns.without_garrison(mover)
        self.before: Level = {}
        self.defeats: dict[Packed, tuple[tuple[int, ...], Action]] = {}
        self.stops: dict[tuple[int, ...], int] = {}
        self.levels: list[Level] = [{} for _ in range(ip + 1)]
        self._begin(self.levels[ip], ip)
        for left in range(ip, -1, -1):
            for state, came in self.levels[left].items():
                if state not in self.before:
                    if len(self.before) % CHECK_EVERY == 0:
                        check(stop)
                    self.before[state] = came
                    self._visit(state, left, ip)
        self.ends = {self._packed(state): paid for state, paid in self.stops.items()}
        for end, paid in self._lost_attacks.items():
            self.ends[end] = min(paid, self.ends.get(end, paid))
        if packed.places[mover] == OFF and (turns.may_stay_off or not self.ends):
            self.ends[packed] = 0
            self.defeats.pop(packed, None)

    @cached_property
    def _lost_attacks(self) -> dict[Packed, int]:
        """Ends by a lost attack, with the least IP paid."""
        return {}

    def _begin(self, level: Level, ip: int) -> None:
        packed, ground = self.start, self.ground
        state = State(packed.places[self.mover], *packed[1:4], packed.garrisons[self.mover], packed.armies, 0)
        if state.place != OFF:
            level[tuple(state)] = None
            return
        for place in dict.fromkeys((ground.roma, ground.capitals[self.mover])):
            covered = self.turns.closing(packed, place) >> place & 1
            closed = packed.armies >> place & 1 or (self.turns.enter_alone and place in self.others)
            if ip == IP_A_TURN and not covered and not closed:
                level[tuple(state._replace(place=place))] = tuple(state)

    def _packed(self, state: tuple[int, ...]) -> Packed:
        """The whole position of a state."""
        place, fleets, revolts, unrest, own, armies, lost = state
        places, garrisons = list(self.start.places), list(self.start.garrisons)
        places[self.mover] = place
        if lost:
            garrisons = [mask & ~lost for mask in garrisons]
        garrisons[self.mover] = own
        return Packed(tuple(places), fleets, revolts, unrest, tuple(garrisons), armies)

    def _visit(self, state: tuple[int, ...], left: int, ip: int) -> None:
        """The actions in a state with this number of IP left, and whether the turn may end."""
        place, fleets, revolts, _, own, armies, lost = state
        shared = place in self.others
        if not shared:
            self.stops[state] = ip - left
        if not self.ground.borders & ~(self.foreign & ~lost | own):
            return  # won
        levels = self.levels
        rest = state[1:]
        for target, price in self.ground.ways(place, fleets):  # never to an army; 1 IP more into a revolt
            after = left - price - (revolts >> target & 1)
            if after < 0 or armies >> target & 1 or (shared and self.turns.single and target in self.others):
                continue
            levels[after].setdefault((target, *rest), state)
        if shared:
            return
        for changed, price in self._works(State(*state)):
            if price <= left:
                levels[left - price].setdefault(tuple(changed), state)
        if armies and self.turns.outcomes:
            self._attack(State(*state), left, ip)

    def _works(self, state: State) -> Iterator[tuple[State, int]]:
        """Sailing, securing, subduing."""
        place, fleets, revolts, unrest, own, _, lost = state
        here = 1 << place
        for origin, target in self.ground.sails:
            if fleets & origin and not fleets & target:
                yield state._replace(fleets=fleets ^ origin ^ target), SAIL_COST
        if revolts & here:
            if unrest.bit_count() < self.turns.most_unrest:
                yield state._replace(revolts=revolts ^ here, unrest=unrest | here), REDUCE_REVOLT
            if self.scope.remove & here:
                yield state._replace(revolts=revolts ^ here), REMOVE_REVOLT
        elif unrest & here:
            if self.scope.remove & here:
                yield state._replace(unrest=unrest ^ here), REMOVE_UNREST
        elif self.securable & here and not (self.foreign & ~lost | own) & here:
            border = bool(self.ground.borders & here)
            closed = border and revolts & self.ground.region_of_border[place]
            if not closed and own.bit_count() < self.ground.ruleset.garrisons:
                yield state._replace(own=own | here), SECURE_BORDER if border else SECURE_PROVINCE

    def _attack(self, state: State, left: int, ip: int) -> None:
        """Attacks with stated outcomes that can be rolled by the reference rules. A draw is useless."""
        for army, outcome in self.turns.outcomes.items():
            if not state.armies >> army & 1 or army not in self.ground.links[state.place] or outcome is Outcome.DRAW:
                continue
            action = attack(self.ground.board.ids[army], outcome)
            position = self.ground.position(self._packed(tuple(state)), self.mover, left)
            if rules.objection(position, action) is not None:
                continue
            paid = rules.cost(position, action)
            if outcome is Outcome.VICTORY:
                after = self._without_disc(state._replace(place=army, armies=state.armies ^ 1 << army), army)
                self.levels[left - paid].setdefault(tuple(after), tuple(state))
                continue
            beaten = state._replace(place=OFF)
            if not (self.turns.border_garrison_stays and self.ground.borders >> state.place & 1):
                beaten = self._without_disc(beaten, state.place, garrison_only=True)
            end, spent = self._packed(tuple(beaten)), ip - left + paid
            if spent < self._lost_attacks.get(end, spent + 1):
                self._lost_attacks[end] = spent
                self.defeats[end] = (tuple(state), action)

    def _without_disc(self, state: State, place: int, *, garrison_only: bool = False) -> State:
        here = 1 << place
        found = state._replace(own=state.own & ~here, lost=state.lost | (self.foreign & here))
        return found if garrison_only else found._replace(revolts=state.revolts & ~here, unrest=state.unrest & ~here)

    # -- the way there -------------------------------------------------------------------------------------------

    def steps(self, end: Packed) -> tuple[Action, ...]:
        """The actions that lead to an end for the least IP."""
        actions: list[Action] = []
        at: tuple[int, ...] | None
        if end in self.defeats and self._lost_attacks[end] == self.ends[end]:
            at, action = self.defeats[end]
            actions.append(action)
        else:
            at = next((state for state in self.stops if self._packed(state) == end), None)
        while at is not None:
            came = self.before.get(at)
            if came is not None:
                actions.append(self._action(State(*came), State(*at)))
            at = came
        return tuple(reversed(actions))

    def _action(self, before: State, after: State) -> Action:
        """The action from one state to the next."""
        ids = self.ground.board.ids
        if before.place == OFF:
            return enter(ids[after.place])
        if before.armies != after.armies:
            return attack(ids[after.place], Outcome.VICTORY)
        if before.place != after.place:
            return move(ids[after.place])
        if before.fleets != after.fleets:
            left, reached = before.fleets & ~after.fleets, after.fleets & ~before.fleets
            return sail(left.bit_length() - 1, reached.bit_length() - 1)
        if before.own != after.own:
            return SECURE
        return REDUCE if after.unrest & ~before.unrest else REMOVE
