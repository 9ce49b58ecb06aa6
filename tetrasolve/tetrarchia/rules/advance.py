"""Barbarian phase, 3: advance (rulebook page 10). Armies follow the arrows towards Roma, nearest first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.rules.battle import battle, remove_army
from tetrasolve.tetrarchia.rules.chance import FACES, Roll, check
from tetrasolve.tetrarchia.rules.combat import Battle
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.handling import Advancing, Path
from tetrasolve.tetrarchia.rules.hooks import DEFENDS
from tetrasolve.tetrarchia.rules.precedence import Precedence
from tetrasolve.tetrarchia.rules.questions import (
    after_revolts,
    begun,
    fought,
    late,
    opened,
    postponed,
    seen,
)
from tetrasolve.tetrarchia.rules.registry import rule_modules
from tetrasolve.tetrarchia.rules.reserve import put_revolts
from tetrasolve.tetrarchia.rules.shortest import chosen_ways
from tetrasolve.tetrarchia.rules.step import NOBODY, Step
from tetrasolve.tetrarchia.ruleset import Ruleset

BORDER_GOES_LAST = 7  # a border has no province number
AFTER_THE_REGIONS = 7  # Italia has no number that says where it comes


# Rule p10-advance
def begin(position: Position, resting: frozenset[str]) -> Step:
    """Advance all armies except `resting`, which were placed in this phase and wait for the next [I-FRESH].

    Among `resting` there can be numbers of regions, for what was postponed until the echo is over [I-USURPER-ECHO].
    """
    regions = frozenset(filter(str.isdigit, resting))
    return late(position, regions, resting - regions, _open) if regions else _open(position, resting)


def _open(position: Position, resting: frozenset[str]) -> Step:
    return opened(position, 3, resting, _begin)


def _begin(position: Position, resting: frozenset[str]) -> Step:
    armies = [army for army in position.armies if army not in resting and not _stays(position, army)]
    return _next(position, tuple(sorted(armies, key=lambda army: _rank(position, army))))


def _stays(position: Position, army: str) -> bool:
    return any(module.stays(position, army) for module in rule_modules(position).advance)


def way(position: Position, army: str) -> tuple[str | None, int]:
    """The next province of this army, and its distance to Roma."""
    for module in rule_modules(position).advance:
        other = module.way(position, army)
        if other is not None:
            return other
    board = position.board
    return board[army].arrow, board.distance_to_roma.get(army, len(board.provinces))


def _rank(position: Position, army: str) -> tuple[int, ...]:
    _, distance = way(position, army)
    return rank(position.board, position.ruleset, army, distance)


# Rule p10-order-distance, p10-order-region
def rank(board: Board, ruleset: Ruleset, army: str, distance: int) -> tuple[int, ...]:
    """The sort key of armies: nearest to Roma, lower region, lower province number [I-ORDER], row in the board file.

    `distance` is that of its way; by any links it may be less [I-ORDER-DISTANCE].

    Of the regions, Italia comes first [I-ORDER-ITALIA]; there the rows are those of [I-ORDER-WITHIN-ITALIA]. A border is part of
    its region [I-ORDER-BORDER]. What decides within a region can be reversed [I-ORDER-TIE].
    """
    readings = ruleset.readings
    province, row, region = board[army], board.order[army], board[army].region
    if readings["I-ORDER-DISTANCE"] == "links":
        distance = board.links_to_roma.get(army, len(board.provinces))
    if not region and readings["I-ORDER-ITALIA"] == "last":
        region = AFTER_THE_REGIONS
    if province.is_border and readings["I-ORDER-BORDER"] == "last":
        region = AFTER_THE_REGIONS + 1
    if not province.region and readings["I-ORDER-WITHIN-ITALIA"] == "reversed":
        row = -row
    number = province.number or (BORDER_GOES_LAST if province.is_border else 0)
    by_number = readings["I-ORDER"] == "number"
    sign = -1 if readings["I-ORDER-TIE"] == "reversed" else 1
    return (distance, region, sign * number if by_number else 0, sign * row)


def onward(position: Position | Fall, armies: tuple[str, ...]) -> Step:
    """Advance these armies, in this order, after another one, until one needs a roll or a choice; then the next turn begins.

    After the armies there can be numbers of regions, for what was postponed until all have advanced [I-USURPER-ADVANCE].
    """
    if isinstance(position, Fall):  # [I-GLORY-RESERVE]
        return position
    if armies and armies[0].isdigit():
        return late(position, frozenset(armies), NOBODY, _Onward(()))
    choices = (module.between(position, armies, _Next(armies)) for module in rule_modules(position).decisions)
    return next((choice for choice in choices if choice is not None), None) or _next(position, armies)


def _next(position: Position, armies: tuple[str, ...]) -> Step:
    """Advance these armies; the next turn begins where there are none."""
    if not armies:
        return begun(start_of_turn(position, next_emperor(position)))
    return _precedence(position, armies) or _first(position, armies)


@dataclass(frozen=True, slots=True)
class _Next:
    """The continuation between two armies: the next of these advance."""

    armies: tuple[str, ...]

    def __call__(self, position: Position, resting: frozenset[str]) -> Step:
        del resting  # an army that comes now advances in the next phase
        return _next(position, self.armies)


def _precedence(position: Position, armies: tuple[str, ...]) -> Precedence | None:
    """The choice which army goes first, where some at the beginning are in one region and as near to Roma [I-ORDER-TIE]."""
    if position.ruleset.readings["I-ORDER-TIE"] != "chosen":
        return None
    nearest = _rank(position, armies[0])[:2]
    tied = takewhile(lambda army: not army.isdigit() and _rank(position, army)[:2] == nearest, armies)
    ways = tuple((army, way(position, army)[0]) for army in tied)
    return Precedence(position, armies, ways, _first) if len(ways) > 1 else None


def _first(position: Position, armies: tuple[str, ...]) -> Step:
    """Advance the first of these armies, or ask about it."""
    return _path(position, armies, set_out) or set_out(position, armies)


def _path(position: Position, armies: tuple[str, ...], then: Advancing) -> Path | None:
    """The choice among the shortest ways of the first of these armies [I-SHORTEST]."""
    ways = chosen_ways(position, armies[0])
    return Path(position, armies, ways, then) if len(ways) > 1 else None


def is_usual(position: Position, army: str, target: str) -> bool:
    """Whether the next province of an army is on its way, so that nobody has turned it."""
    return target == way(position, army)[0] or target in chosen_ways(position, army)


def set_out(position: Position, armies: tuple[str, ...], chosen: str = "") -> Step:
    """Advance the first of these armies, after what can be decided about it before.

    `chosen`: where its way begins, if a player has chosen it [I-SHORTEST]. Who decides first: [I-BLOCK-ORDER].
    """
    target = chosen or way(position, armies[0])[0]
    if _blocks_first(position) and target is not None and not waits_for_check(position, armies, target):
        block = _block(position, armies, target, _asked(position, armies, chosen, cleared=True))
        if block is not None:
            return block
    return _asked(position, armies, chosen, cleared=False)


def _asked(position: Position, armies: tuple[str, ...], chosen: str, *, cleared: bool) -> Step:
    """The choice of rule modules about the first of these armies, or its advance."""
    for module in rule_modules(position).decisions:
        choice = module.marching(position, armies, chosen, cleared)
        if choice is not None:
            return choice
    return march(position, armies, chosen, cleared=cleared)


# Rule p10-blocked
def march(position: Position, armies: tuple[str, ...], chosen: str = "", *, cleared: bool = False) -> Step:
    """Advance the first of these armies, on a way that was chosen, if one was; it stays where another army blocks it.

    `cleared`: a general who could have blocked it has let it come.
    """
    target = chosen or way(position, armies[0])[0]
    if target is None or target in position.armies:
        return onward(position, armies[1:])
    return towards(position, armies, target, cleared=cleared)


def towards(position: Position, armies: tuple[str, ...], target: str, *, cleared: bool = False) -> Step:
    """Advance the first of these armies to a province without an army."""
    if not _is_checked(position, armies, target):
        return arrive(position, armies, target, cleared=cleared)
    early = blocks_early(position, armies, target)
    crossing = Crossing(position, armies, target, cleared or early)
    return (_block(position, armies, target, crossing) if early and not cleared else None) or crossing


def _is_checked(position: Position, armies: tuple[str, ...], target: str) -> bool:
    """Whether a broken link leads there."""
    link = position.board.link(armies[0], target)
    return link is None or link.broken


def blocks_early(position: Position, armies: tuple[str, ...], target: str) -> bool:
    """Whether the first of these armies can be blocked before its check, and not after it [I-CONSTANTIUS-WHEN]."""
    early = position.ruleset.readings["I-CONSTANTIUS-WHEN"] == "before-check"
    return early and _is_checked(position, armies, target)


def waits_for_check(position: Position, armies: tuple[str, ...], target: str) -> bool:
    """Whether the first of these armies cannot be blocked yet: it is blocked itself, or has a check before it."""
    checked = _is_checked(position, armies, target) and not blocks_early(position, armies, target)
    return checked or target in position.armies


def _blocks_first(position: Position) -> bool:
    """Whether a general decides before those who handle the pieces, where both can [I-BLOCK-ORDER]."""
    return position.ruleset.readings["I-BLOCK-ORDER"] == "general"


def _block(position: Position, armies: tuple[str, ...], target: str, otherwise: Step) -> Step | None:
    """The choice whether a general who is about to be attacked in `target` blocks the army; `otherwise` follows if not."""
    if target not in position.generals.values():
        return None
    clash = Clash(position, armies, target)
    choices = (module.attacked(clash, otherwise) for module in rule_modules(position).decisions)
    return next((choice for choice in choices if choice is not None), None)


@dataclass(frozen=True, slots=True)
class _Onward:
    """The continuation after one army: the next armies advance."""

    armies: tuple[str, ...]

    def __call__(self, position: Position, resting: frozenset[str]) -> Step:
        del resting  # resting armies are not among these
        return onward(position, self.armies)


# Rule p10-advance-broken
@dataclass(frozen=True, slots=True)
class Crossing:
    """The check of a broken link by the first of these armies on its way to `target`."""

    position: Position
    armies: tuple[str, ...]
    target: str
    cleared: bool = False  # nobody blocks it any more

    @property
    def bonus(self) -> int:
        """The bonus of the check."""
        return sum(module.check_bonus(self.position, self.armies[0]) for module in rule_modules(self.position).advance)

    def roll(self) -> Roll[Step]:
        """The check of the link."""
        highest = self.position.ruleset.numbers["blocked"]
        return check(f"{self.armies[0]}~{self.target}", self._stopped(), self._passed(), self.bonus, highest)

    # Rule p15-barbaria-turn-broken
    def _stopped(self) -> Step:
        """The step after the link has stopped the army; one that was turned: [I-TURN-STOPPED], [I-TURN-DISC]."""
        position, (army, *others) = self.position, self.armies
        if is_usual(position, army, self.target):
            choices = (module.halted(position, self.armies) for module in rule_modules(position).decisions)
            return next((choice for choice in choices if choice is not None), onward(position, tuple(others)))
        readings = position.ruleset.readings
        if readings["I-TURN-DISC"] == "returned":
            position = position.with_barbarian_discs(position.gray + 1, position.black)
        if readings["I-TURN-STOPPED"] == "usual":
            return _path(position, self.armies, march) or march(position, self.armies)
        return onward(position, tuple(others))

    def _passed(self) -> Step:
        """The step after the army has passed the link; who decides about it first: [I-BLOCK-ORDER]."""
        if _blocks_first(self.position) and not self.cleared:
            block = _block(self.position, self.armies, self.target, self._crossed(cleared=True))
            if block is not None:
                return block
        return self._crossed(cleared=self.cleared)

    def _crossed(self, *, cleared: bool) -> Step:
        for module in rule_modules(self.position).decisions:
            choice = module.crossed(self.position, self.armies, self.target, cleared)
            if choice is not None:
                return choice
        return arrive(self.position, self.armies, self.target, cleared=cleared)


# Rule p11-attack
def arrive(position: Position, armies: tuple[str, ...], target: str, *, cleared: bool = False) -> Step:
    """The step after the first of these armies reaches `target`; it attacks a general there, who may block it first."""
    if target not in position.generals.values():
        return _enter(position, armies, target)
    clash = Clash(position, armies, target)
    return (None if cleared else _block(position, armies, target, clash)) or clash


# Rule p10-enter, p11-fall-roma
def _enter(position: Position | Fall, armies: tuple[str, ...], target: str) -> Step:
    """An army enters a province: Roma falls, any other Roman province gets a revolt; then the other armies advance."""
    if isinstance(position, Fall):
        return position
    army, *others = armies
    if target == position.board.roma:
        return Fall.ARMY_IN_ROMA
    moved = position.with_army(army, target)
    if position.board[target].is_border:  # [I-TURN-BORDERS]
        for module in rule_modules(position).revolts:
            moved = module.struck(moved, frozenset({target}))
        return onward(moved, tuple(others))
    entered = put_revolts(moved, [target])
    if isinstance(entered, Fall):
        return entered
    if position.ruleset.readings["I-USURPER-ADVANCE"] == "after-all":
        return onward(entered, (*others, *sorted(postponed(entered, seen(position)))))
    return after_revolts(entered, seen(position), NOBODY, _Onward(tuple(others)))


@dataclass(frozen=True, slots=True)
class Clash:
    """The battle of the first of these armies with the general in `target`."""

    position: Position
    armies: tuple[str, ...]
    target: str

    @property
    def general(self) -> str:
        """The general who is attacked: an Emperor, or the Dux."""
        return next(general for general, place in self.position.generals.items() if place == self.target)

    @property
    def fight(self) -> Battle:
        """The combat values."""
        return battle(self.position, self.general, self.armies[0])

    def at(self, position: Position) -> Clash:
        """The same battle with another position."""
        return replace(self, position=position)

    def roll(self) -> Roll[Step]:
        """The Roman die and the Barbarian die."""
        fight = self.fight
        after = {outcome: self.after(outcome) for outcome in fight.chances()}
        faces = zip(_PAIRS, fight.outcomes(), strict=True)
        results = (self._choice(fight, pair) or after[outcome] for pair, outcome in faces)
        return Roll(("Roman die", "Barbarian die"), tuple(results))

    def _choice(self, fight: Battle, faces: tuple[int, int]) -> Step | None:
        """The choice after these faces, if there is one."""
        for module in rule_modules(self.position).decisions:
            choice = module.decided(self, fight, faces)
            if choice is not None:
                return choice
        return None

    # Rule p11-attack-victory, p11-attack-defeat, p11-attack-draw
    def after(self, outcome: Outcome) -> Step:
        """The step after this outcome of the battle."""
        (army, *others), general, position = self.armies, self.general, self.position
        if outcome is Outcome.VICTORY:
            return onward(fought(remove_army(position, army), general, outcome, DEFENDS), tuple(others))
        if outcome is Outcome.DEFEAT:
            beaten = fought(position.with_figure(general, None), general, outcome, DEFENDS)
            return _enter(beaten, self.armies, self.target)
        return onward(fought(position, general, outcome, DEFENDS), tuple(others))


_PAIRS = tuple((roman, barbarian) for roman in FACES for barbarian in FACES)
