"""The steps of Barbarian phases: each roll, each answer, and each army that advances, with tags for what happens.

Armies that advance without dice are followed from the arrows alone; after each step they must stand where the reference rules
have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Link
from tetrasolve.tetrarchia.lint.turnsteps import fight_tags, glory_tags
from tetrasolve.tetrarchia.pieces import DUX, VICARIUS
from tetrasolve.tetrarchia.position import REVOLT_DISC, Position
from tetrasolve.tetrarchia.rules import Fall, GivenCourse
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, Uprising, arrival, with_fresh
from tetrasolve.tetrarchia.rules.advance import Clash, Crossing, is_usual, rank, way
from tetrasolve.tetrarchia.rules.chance import passes
from tetrasolve.tetrarchia.rules.choices import BARBARIAN, NO, REROLL, Reroll
from tetrasolve.tetrarchia.rules.handling import FIRST, FirstCheck, FirstRegion, Path, PirateZone
from tetrasolve.tetrarchia.rules.modules.barbaria import Advance, BlackDisc, LateCancel, LateTurn
from tetrasolve.tetrarchia.rules.modules.imperium import Block, Boost
from tetrasolve.tetrarchia.rules.modules.pirates import zone_of
from tetrasolve.tetrarchia.rules.modules.usurpator import Rising, full
from tetrasolve.tetrarchia.rules.precedence import Precedence
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.revolts import Spreading
from tetrasolve.tetrarchia.rules.step import Choice, Rerolled, Rolling, Step, unmarked

# Steps of the advance, and its end; others are of it where they are followed by the advance of armies
MARCHING = (Position, Crossing, Clash, Precedence, Path, Advance, LateCancel, LateTurn, Block, Boost)
WITHIN_AN_UPRISING = (Uprising, Rising, FirstCheck, FirstRegion, PirateZone)  # it is not over yet


def _plain(step: Step) -> Step:
    """A step itself, also where its dice were rolled again."""
    return step if isinstance(step, (Position, Fall, Choice)) else unmarked(step)


def _dice(step: Rolling) -> Rolling:
    """The roll itself, also where it is a second one."""
    return step.rolled if isinstance(step, Rerolled) else step


def _is_advance(step: Step) -> bool:
    step = _plain(step)
    return isinstance(step, MARCHING) or _is_between(step)


def _is_between(step: Step) -> bool:
    """Whether a step comes between two armies that advance, or after the last."""
    return isinstance(step, (Rising, FirstRegion, BlackDisc)) and hasattr(step.then, "armies")


def _left(step: Step) -> list[str]:
    """The armies that are still to advance at a step of the advance."""
    step = _plain(step)
    if isinstance(step, Position):
        return []
    clash = step.clash if isinstance(step, (Block, Boost)) else step
    armies = getattr(clash.then if isinstance(clash, (Rising, FirstRegion, BlackDisc)) else clash, "armies", ())
    return [army for army in armies if not army.isdigit()]


class PhaseSteps:
    """One Barbarian phase with its faces and answers; `removed` says by what figures of Rome were removed, `end` how it ends."""

    def __init__(self, start: Position, course: tuple[int | str, ...]) -> None:
        self.end: Position | Fall = start
        self.removed: dict[str, str] = {}
        self._start = start
        self._course = GivenCourse(course)
        self._now = start  # the position before the step
        self._armies = set(start.armies)
        self._resting: set[str] = set()
        self._queue: list[str] | None = None  # the armies that are still to advance, once the advance has begun
        self._deed: tuple[str, str] | None = None  # what the first of them did: stays, gone, or moves and where

    def steps(self) -> Iterator[frozenset[str]]:
        """The tags of each step, in order.

        :raises FindingError: when an army stands elsewhere than it should.
        """
        yield frozenset({"phase"})
        step = rules.begin(self._start)
        yield from self._after({"revolts"}, step)
        while not isinstance(step, (Position, Fall)):
            self._deed = None
            tags, after = self._answered(step) if isinstance(step, Choice) else self._rolled(step)
            yield from self._after(tags, after)
            step = after
        self.end = step

    # -- one step ----------------------------------------------------------------------------------------------

    def _answered(self, choice: Choice) -> tuple[set[str], Step]:
        option = choice.options[self._course.decide(choice)]
        what, _, place = option.partition(":")
        match choice:
            case Advance() | LateCancel() | Block() if what in ("cancel", "block"):
                self._deed = ("stays", "")
            case Precedence() if what == FIRST:
                assert self._queue is not None, "the advance has begun"
                self._queue = [place, *(army for army in self._queue if army != place)]
            case Path():
                self._deed = self._onto(place or choice.ways[0])
            case Advance() | LateCancel() | LateTurn() if what == "turn":
                self._deed = ("moves", place)
            case Advance() if choice.chosen:
                self._deed = self._onto(choice.chosen)
            case LateCancel():
                self._deed = ("moves", choice.target)
            case LateTurn():
                self._deed = ("stays", "")
            case Boost():
                self._deed = _of_outcome((choice.with_paid(place) if place else choice).outcome, choice.clash.target)
            case BlackDisc() if what == "army":
                self._armies.add(place)
                self._resting |= with_fresh(choice.position, place, frozenset())
        name = f"{type(choice).__name__.lower()}-choice"
        return {"choice", name, f"of-{choice.decider}", what}, choice.after(option)

    def _rolled(self, step: Rolling) -> tuple[set[str], Step]:
        roll = step.roll()
        faces = tuple(self._course.roll(question) for question in roll.questions)
        after = landed(step, faces, roll.result(faces))
        if isinstance(after, Reroll):
            again = after.options[self._course.decide(after)] == REROLL
            after = after.after(REROLL if again else NO)
            if again:
                return {"choice", f"of-{BARBARIAN}", "reroll"}, after
        if after == step:
            return {"again", type(unmarked(step)).__name__.lower()}, after
        return set(self._roll_tags(_dice(step), faces, after)), after

    def _roll_tags(self, step: Rolling, faces: tuple[int, ...], after: Step) -> Iterator[str]:
        position = step.position
        match step:
            case Spreading() | Uprising():
                yield from ("check", "passed" if passes(faces[0]) else "stopped")
                yield "revolts" if isinstance(step, Spreading) else "uprising-check"
                if isinstance(step, Uprising) and passes(faces[0]):
                    yield from _reached_tags(position, step.links)
            case Activity():
                yield "activity"
                yield from _place_tags(position, position.board.at(faces[0], faces[1]))
            case EchoRegion():
                yield "echo"
                yield from self._echo_tags(position, position.board.borders[faces[0] - 1])
            case EchoProvince():
                yield "echo-province"
                yield from _place_tags(position, position.board.at(step.region, faces[0]))
            case Crossing():
                yield from ("check", "crossing", "passed" if passes(faces[0], step.bonus) else "stopped")
                if step.bonus:
                    yield "goths"
                if not is_usual(position, step.armies[0], step.target):
                    yield "turned"
                if passes(faces[0], step.bonus):
                    self._deed = ("moves", step.target)
                elif is_usual(position, step.armies[0], step.target) or not _goes_usual_way(position):
                    self._deed = ("stays", "")
            case Clash():
                yield "clash"
                yield "dux" if step.general == DUX else "emperor"
                yield from fight_tags(position, step.general, step.armies[0], step.fight)
                if not isinstance(after, Boost):
                    outcome = step.fight.outcome(faces[0], faces[1])
                    yield str(outcome)
                    if outcome is Outcome.VICTORY and step.armies[0] in position.discs:
                        yield "disc-removed"
                    self._deed = _of_outcome(outcome, step.target)
            case Rising():
                yield "usurper"
                place = position.board.at(step.regions[0], faces[0])
                self._armies.add(place)
                self._resting.add(place)

    def _echo_tags(self, position: Position, border: str) -> Iterator[str]:
        arrived = arrival(position, border)
        if arrived is None:
            yield from ("occupied", "rebels") if border in position.rebels else ("occupied",)
            return
        yield "arrives"
        if arrived.goths == border and position.goths != border:
            yield "goths"
            if not position.is_empty(border):
                yield "not-empty"
        self._armies = set(arrived.armies)
        self._resting |= with_fresh(position, border, frozenset())

    # -- what a step changes -----------------------------------------------------------------------------------

    def _after(self, tags: set[str], after: Step) -> Iterator[frozenset[str]]:
        """The step itself with what changes in it, then the armies that advance without dice, then the next turn."""
        if isinstance(after, Fall):
            yield frozenset(tags)
            return
        before, now = self._now, after if isinstance(after, Position) else after.position
        self._now = now
        opens = self._queue is None and _is_advance(after)
        tags |= _changes(before, now, spreads="revolts" in tags)
        is_uprising = not {"uprising", "uprising-check", "piratezone-choice"}.isdisjoint(tags)
        if is_uprising and now.reserve_armies == 0 and not isinstance(_plain(after), WITHIN_AN_UPRISING):
            tags.add("no-army-left")
            tags |= {"rebels-left"} if now.rebels else set()
            tags |= {"goths-left"} if now.pieces.goths is not None and now.goths is None else set()
        yield frozenset(tags)
        reason = "army" if self._queue is not None else "revolt"
        self.removed |= dict.fromkeys(before.romans.keys() - now.romans.keys(), reason)
        if "usurpator" in now.ruleset.variants:
            yield from _missing_usurper(before, now)
        if opens:
            yield self._open(before)
        if self._queue is not None:
            yield from self._advance(before, after)
        if self._armies != set(now.armies):
            raise FindingError(f"'{before}': the armies do not stand where they should in '{now}', please report it")
        if isinstance(after, Position):
            yield frozenset({"turn", f"of-{after.to_move}", *(["refill"] if after.gray > before.gray else [])})

    def _open(self, before: Position) -> frozenset[str]:
        """The beginning of the advance."""
        ready = self._armies - self._resting

        def key(army: str) -> tuple[int, ...]:
            return rank(before.board, before.ruleset, army, way(before, army)[1])

        self._queue = sorted(ready - before.rebels.keys(), key=key)
        keys = [key(army) for army in self._queue]
        tags = {"advance"}
        if len({found[0] for found in keys}) > 1:
            tags.add("distances-differ")
        if len({found[0] for found in keys}) < len(keys):
            tags.add("distances-equal")
        if ready & before.rebels.keys():
            tags.add("rebels-stay")
        return frozenset(tags)

    def _advance(self, before: Position, after: Step) -> Iterator[frozenset[str]]:
        """The armies whose advance is over with this step."""
        assert self._queue is not None
        over = len(self._queue) - len(_left(after))
        deed, self._deed = self._deed, None
        for army in self._queue[:over]:
            what, target = deed or self._usual(before, army)
            deed = None
            tags = {"advances", what}
            tags |= {"goths"} if army == before.goths else set()
            if what in ("gone", "moves"):
                self._armies.discard(army)
            if what == "moves":
                self._armies.add(target)
                tags |= {"onto-disc"} if before.discs.get(target, REVOLT_DISC) != REVOLT_DISC else set()
            tags |= {"no-arrow"} if before.board[army].arrow is None else set()
            yield frozenset(tags)
        del self._queue[:over]

    def _usual(self, position: Position, army: str) -> tuple[str, str]:
        """What an army does that no dice and no answer stop."""
        return self._onto(way(position, army)[0])

    def _onto(self, target: str | None) -> tuple[str, str]:
        """What an army does whose way leads there."""
        return ("blocked", "") if target is None or target in self._armies else ("moves", target)


def _of_outcome(outcome: Outcome, target: str) -> tuple[str, str]:
    """What the army does after a battle with a general in `target`."""
    return {
        Outcome.VICTORY: ("gone", ""),
        Outcome.DRAW: ("stays", ""),
        Outcome.DEFEAT: ("moves", target),
    }[outcome]


def _goes_usual_way(position: Position) -> bool:
    return position.ruleset.readings["I-TURN-STOPPED"] == "usual"


def _place_tags(position: Position, place: str) -> Iterator[str]:
    """What an activity meets in a province."""
    board = position.board
    if position.has_revolt(place):
        yield "uprising"
        near = board.neighbours(place)
        roman = {p: link for p, link in near.items() if not board[p].is_border}
        if any(map(position.has_revolt, roman)):
            yield "revolt-beside"
        yield from _reached_tags(position, (link for link in roman.values() if not link.broken))
        if any(board[p].is_border and position.has_garrison(p) for p in near):
            yield "secured-border-beside"
    elif position.has_unrest(place):
        yield "on-unrest"
    elif position.is_protected(place):
        yield from ("calm", "garrison" if position.has_garrison(place) else "printed")
    elif position.place_of(VICARIUS) == place:
        yield from ("calm", "vicarius")
    else:
        yield "without-disc"
        if position.emperors_at(place):
            yield "emperor-there"


def _reached_tags(position: Position, links: Iterable[Link]) -> Iterator[str]:
    """What an uprising meets over these links."""
    reached = {place for link in links for place in link.between if not position.has_revolt(place)}
    if any(place in position.discs for place in reached):
        yield "disc-to-revolt"
    if any(place in reached for place in position.emperors.values()):
        yield "emperor-on-revolt"


def _changes(before: Position, now: Position, *, spreads: bool) -> set[str]:
    """What differs after a step."""
    new = now.revolts - before.revolts
    found = set()
    if new:
        found.add("new-revolts")
    if spreads and any(not before.revolts & before.board.neighbours(place).keys() for place in new):
        found.add("domino")
    for figure in before.romans.keys() - now.romans.keys():
        found.add(f"{figure}-removed" if figure in (DUX, VICARIUS) else "emperor-removed")
    if zone_of(now) is not None and zone_of(before) is None:
        found.add("pirates-return")
    return found | set(glory_tags(before, now))


def _missing_usurper(before: Position, now: Position) -> Iterator[frozenset[str]]:
    """A region that has become full behind a secured border while no army was left."""
    secured = {now.board[border].region for border in now.secured}
    if now.reserve_armies == 0 and (full(now) - full(before)) & secured:
        yield frozenset({"usurper-missing"})
