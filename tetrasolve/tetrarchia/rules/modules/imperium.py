"""Variant 1, Imperium (rulebook page 14): each Emperor has a power, and each use of it costs one of his discs for good.

Diocletian and Maximian use theirs in their own turn, as an action; Galerius adds to his die after the roll of a battle, as
payments of the attack. When armies attack them, Constantius and Galerius have choices in the Barbarian phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from tetrasolve.tetrarchia.action import PIRATES, Action, Kind, Outcome, attack, imperium, ordered
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import MAXIMIAN_IP, POWER_COST
from tetrasolve.tetrarchia.pieces import POWER, REMOVED, RESERVE, Counts, Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import advance, roman
from tetrasolve.tetrarchia.rules.choices import NO
from tetrasolve.tetrarchia.rules.combat import Battle
from tetrasolve.tetrarchia.rules.hooks import Clash, Decisions, OwnActions, RomanRules, SetUpRules, TurnRules
from tetrasolve.tetrarchia.rules.payment import goes_on
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.registry import register
from tetrasolve.tetrarchia.rules.step import Choice, Step

DIOCLETIAN, MAXIMIAN, CONSTANTIUS, GALERIUS = "diocletian", "maximian", "constantius", "galerius"
BETTER = (Outcome.DEFEAT, Outcome.DRAW, Outcome.VICTORY)  # each is better for Rome than those before it


# -- paying ----------------------------------------------------------------------------------------------------


def purse(position: Position, emperor: str) -> tuple[str, ...]:
    """The discs with which this Emperor can pay: ``"reserve"``, then the provinces of his discs in board-file order.

    Whether discs of borders are among them is [I-IMPERIUM-BORDER].
    """
    stays = position.ruleset.readings["I-IMPERIUM-BORDER"] == "stays"
    board = position.board
    discs = [place for place in position.garrisons(emperor) if not (stays and board[place].is_border)]
    return ordered(([RESERVE] if position.reserve_garrisons(emperor) > 0 else []) + discs, board)


# Rule p14-imperium-price
def paid(position: Position, emperor: str, payment: str) -> Position:
    """Remove one of his discs from the game; a printed disc below it is uncovered."""
    removed = position.removed
    position = position.with_piece(REMOVED, Counts.of({**removed, emperor: removed.get(emperor, 0) + 1}))
    return position if payment == RESERVE else position.with_disc(payment, None)


def boosts(
    position: Position, figure: str | None = None, payments: tuple[str, ...] = (), target: str | None = None
) -> tuple[str, ...]:
    """The discs with which the leader of an attack can add 1 more to his die after these payments; for Galerius only.

    `target` is the province of the army, or ``"pirates"`` [I-GALERIUS-SEA].
    """
    if "imperium" not in position.ruleset.variants or position.to_move != GALERIUS or figure is not None:
        return ()
    if target == PIRATES and position.ruleset.readings["I-GALERIUS-SEA"] == "not":
        return ()
    for payment in payments:
        position = paid(position, GALERIUS, payment)
    return purse(position, GALERIUS)


def _payments(position: Position, emperor: str) -> Iterator[tuple[str, ...]]:
    """Every way to pay with one disc or more, of the reserve and of provinces."""
    places = [place for place in purse(position, emperor) if place != RESERVE]
    for from_reserve in range(position.reserve_garrisons(emperor) + 1):
        for many in range(len(places) + 1):
            for some in combinations(places, many):
                if from_reserve or some:
                    yield (RESERVE,) * from_reserve + some


# -- the rule module --------------------------------------------------------------------------------------------------


@register("imperium")
class Imperium(SetUpRules, OwnActions, RomanRules, Decisions, TurnRules):
    """The powers of the four Emperors."""

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """No payments at the beginning."""
        del armies
        return {REMOVED: Counts.of({emperor.id: 0 for emperor in board.emperors})}

    # -- Roman phase -------------------------------------------------------------------------------------------

    def candidates(self, position: Position) -> Iterator[Action]:
        """The power of the active Emperor, and the actions that it allows."""
        active = position.to_move
        if active in (DIOCLETIAN, MAXIMIAN) and not position.power_used:
            yield from map(imperium, purse(position, active))
        elif active == DIOCLETIAN:
            for other, place in position.emperors.items():
                if other != active and place is not None:
                    yield from roman.moves(position, place, other)
        elif active == GALERIUS:
            for target in (*position.armies, PIRATES):
                if roman.objection(position, Action(Kind.ATTACK, target)) is None:
                    for payments in _payments(position, active):
                        yield from (attack(target, outcome, payments=payments) for outcome in Outcome)

    def owns(self, action: Action) -> bool:
        """The use of a power as an action."""
        return action.kind is Kind.IMPERIUM

    def objection(self, position: Position, action: Action) -> str | None:
        """Diocletian and Maximian use their power once in their turn, for a disc that they have (page 14).

        Whether before they spend IP: [I-DIOCLETIAN-WHEN], [I-MAXIMIAN-WHEN].
        """
        active, payment = position.to_move, action.place
        if action.figure is not None:
            return "only the active Emperor uses his power"
        if active not in (DIOCLETIAN, MAXIMIAN):
            return f"the power of {active.title()} is no action: he uses it in battle"
        if position.power_used:
            return "he has used his power in this turn"
        if rule := _too_late(position):
            return rule
        return None if payment in purse(position, active) else _unpayable(position, str(payment))

    def cost(self, position: Position, action: Action) -> int:
        """No IP (page 14)."""
        del position, action
        return POWER_COST

    # Rule p14-imperium-maximian
    def play(self, position: Position, action: Action) -> Position:
        """Pay; Maximian gets one IP."""
        assert action.place is not None
        more = MAXIMIAN_IP if position.to_move == MAXIMIAN else 0
        used = paid(position, position.to_move, action.place).with_piece(POWER, True)
        return used.replace(ip=position.ip + more)

    def knows(self, action: Action) -> bool:
        """Payments in Galerius's battles, and Diocletian's moves of other Emperors."""
        del action
        return True

    # Rule p14-imperium-diocletian
    def ban(self, position: Position, action: Action) -> str | None:
        """Diocletian only moves other Emperors, when he has paid for it; only Galerius pays for his battles (page 14)."""
        active = position.to_move
        if action.figure in position.emperors:
            if active != DIOCLETIAN or not position.power_used:
                return "only Diocletian leads other Emperors, in a turn in which he has used his power"
            if action.kind is not Kind.MOVE or action.figure == active:
                return "Diocletian's power is to move other Emperors"
        return _overpaid(position, action) if action.payments else None

    def pay(self, position: Position, action: Action) -> Position:
        """Galerius's payments are made before the battle takes effect."""
        for payment in action.payments:
            position = paid(position, position.to_move, payment)
        return position

    def turn_over(self, position: Position) -> Position:
        """A power is for one turn."""
        return position.without_piece(POWER) if position.power_used else position

    def new_turn(self, position: Position) -> Position:
        """No power is used at the beginning of a turn."""
        return self.turn_over(position)

    # -- Barbarian phase ---------------------------------------------------------------------------------------

    # Rule p14-imperium-constantius
    def attacked(self, clash: Clash, otherwise: Step) -> Choice | None:
        """Constantius can block an army before it attacks him, after or before its check [I-CONSTANTIUS-WHEN] (page 14)."""
        return Block(clash, otherwise) if clash.general == CONSTANTIUS and purse(clash.position, CONSTANTIUS) else None

    # Rule p14-imperium-galerius
    def decided(self, clash: Clash, fight: Battle, faces: tuple[int, int]) -> Choice | None:
        """Galerius can add to his die after the roll, if he can when he is attacked [I-GALERIUS-DEFENDS] (page 14)."""
        boost = Boost(clash, fight, faces, 0)
        defends = clash.position.ruleset.readings["I-GALERIUS-DEFENDS"] == "adds"
        return boost if clash.general == GALERIUS and defends and boost.is_open else None


def _too_late(position: Position) -> str | None:
    """The reason why the active Emperor, who has a power to use as an action, cannot use it after he has spent IP."""
    if position.ip >= position.ruleset.numbers["ip"]:
        return None
    if position.to_move == MAXIMIAN and position.ruleset.readings["I-MAXIMIAN-WHEN"] == "first":
        return "he has spent IP already [I-MAXIMIAN-WHEN]"
    if position.to_move == DIOCLETIAN and position.ruleset.readings["I-DIOCLETIAN-WHEN"] == "first":
        return "he has spent IP already [I-DIOCLETIAN-WHEN]"
    return None


def _unpayable(position: Position, payment: str) -> str:
    """The reason why the active Emperor cannot pay with this disc."""
    if payment == RESERVE:
        return "he has no disc left in the reserve"
    if position.discs.get(payment) != position.to_move:
        return f"no disc of his lies in {payment}"
    return f"a secured border stays secured: he cannot pay with the disc of {payment} [I-IMPERIUM-BORDER]"


def _overpaid(position: Position, action: Action) -> str | None:
    """The reason why an attack cannot have these payments."""
    if position.to_move != GALERIUS or action.figure is not None or action.kind is not Kind.ATTACK:
        return "only Galerius, in a battle that he leads, adds to his die"
    if action.place == PIRATES and position.ruleset.readings["I-GALERIUS-SEA"] == "not":
        return "he does not add to his die at sea [I-GALERIUS-SEA]"
    if action.payments != ordered(action.payments, position.board):
        return "payments are named in order: the reserve first, then provinces as in the board file"
    for payment in dict.fromkeys(action.payments):
        if payment not in purse(position, GALERIUS):
            return _unpayable(position, payment)
        if action.payments.count(payment) > (position.reserve_garrisons(GALERIUS) if payment == RESERVE else 1):
            return f"he does not have so many discs in {'the reserve' if payment == RESERVE else payment}"
    return None


# -- choices in the Barbarian phase ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block(Choice):
    """The choice whether Constantius blocks the army that is about to attack him; `otherwise` follows if he does not."""

    clash: Clash
    otherwise: Step

    @property
    def position(self) -> Position:
        """The position before the battle."""
        return self.clash.position

    @property
    def decider(self) -> str:
        """Constantius."""
        return CONSTANTIUS

    @property
    def question(self) -> str:
        """The army, and the combat values."""
        return f"the army of {self.clash.armies[0]} attacks Constantius, {self.clash.fight}; block it for a disc?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, and ``block:`` with each disc that he can pay with."""
        return NO, *(f"block:{payment}" for payment in purse(self.position, CONSTANTIUS))

    def after(self, option: str) -> Step:
        """What follows if he does not block the army, or the next army: this one stays where it is."""
        _, _, payment = option.partition(":")
        if not payment:
            return self.otherwise
        return advance.onward(paid(self.position, CONSTANTIUS, payment), self.clash.armies[1:])

    def eager(self) -> int:
        """Block where defeat is more likely than victory."""
        chances = self.clash.fight.chances()
        return int(chances.get(Outcome.DEFEAT, 0) > chances.get(Outcome.VICTORY, 0))


@dataclass(frozen=True, slots=True)
class Boost(Choice):
    """The choice whether Galerius adds 1 more to his die: `fight` and `faces` are those of the roll, `added` his bonus so far.

    `clash` has the position after his payments so far.
    """

    clash: Clash
    fight: Battle
    faces: tuple[int, int]
    added: int
    stands: bool = False  # the dice may not be rolled again after it [I-REROLL-GALERIUS]

    @property
    def position(self) -> Position:
        """The position after the payments so far."""
        return self.clash.position

    @property
    def decider(self) -> str:
        """Galerius."""
        return GALERIUS

    @property
    def outcome(self) -> Outcome:
        """The outcome if he adds no more."""
        return self.fight.raised(self.added).outcome(*self.faces)

    @property
    def is_open(self) -> bool:
        """Whether it is not yet a victory, or he may go on [I-GALERIUS-WON], and he can pay."""
        return (goes_on(self.position) or self.outcome is not Outcome.VICTORY) and bool(purse(self.position, GALERIUS))

    @property
    def question(self) -> str:
        """The battle so far."""
        dice = "-".join(map(str, self.faces))
        more = f" with {self.added} added" if self.added else ""
        return f"Galerius, {self.fight}: {dice}{more} is a {self.outcome}; add 1 for a disc?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, and ``boost:`` with each disc that he can pay with."""
        return NO, *(f"boost:{payment}" for payment in purse(self.position, GALERIUS))

    def after(self, option: str) -> Step:
        """The same choice with 1 more added, while it is open, else the step after the battle."""
        _, _, payment = option.partition(":")
        if not payment:
            return self.ended()
        boosted = self.with_paid(payment)
        return boosted if boosted.is_open else boosted.ended()

    def with_paid(self, payment: str) -> Boost:
        """After one more payment; a disc paid still counts in the battle or no longer [I-GALERIUS-PAYS]."""
        clash = self.clash.at(paid(self.position, GALERIUS, payment))
        counts = self.position.ruleset.readings["I-GALERIUS-PAYS"] == "counts"
        return replace(self, clash=clash, fight=self.fight if counts else clash.fight, added=self.added + 1)

    def ended(self) -> Step:
        """The step after his last answer; the dice may be rolled again only now where he answers first [I-REROLL-GALERIUS]."""
        after = self.clash.after(self.outcome)
        is_first = self.position.ruleset.readings["I-REROLL-GALERIUS"] == "after"
        return landed(self.clash, self.faces, after) if is_first and not self.stands else after

    def before_rolling_again(self, stands: bool) -> Boost | None:
        """Itself, where he answers before the Barbarian player [I-REROLL-GALERIUS]."""
        is_first = self.position.ruleset.readings["I-REROLL-GALERIUS"] == "after"
        return replace(self, stands=stands) if is_first else None

    def eager(self) -> int:
        """Add where all possible payments together would improve the outcome."""
        if self.outcome is Outcome.VICTORY:
            return 0
        most = self
        while discs := purse(most.position, GALERIUS):
            most = most.with_paid(discs[0])
        best = most.outcome
        return int(BETTER.index(best) > BETTER.index(self.outcome))
