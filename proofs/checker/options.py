"""Certificates that a question with several possible answers has one: the claim alone, which this program works out again.

Each possible answer has a number. The questions are

================================ ==================================== =================== ===================================
question                         possible answers                     number              the best is
================================ ==================================== =================== ===================================
``p_uprising``, ``p_lost``       the number itself                    a chance            more than 0 and less than 1
``revolt``                       provinces without a revolt           chance of a new one the largest
``garrison`` ``p_lost``/         where one garrison more may lie      that of the phase   the smallest, and smaller than without
``garrison`` ``e_revolts``
``fall``                         the province that is named first     fewest uprisings    the smallest
                                                                      up to a fall
``mistake`` aim: actions         the actions                          what each gives up  the only one above 0
================================ ==================================== =================== ===================================

All but the last are about the Barbarian phase, which is followed in full; where players may decide something in it, they decline.
The last makes all situations of the turn, as `recounted` does.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product

import moduleposition
from barbarian import Phase
from board import Board
from claim import MOST_REVOLTS
from modulephase import phase_of, scene_of
from moduleturn import Figure, may_stop
from objectives import Goal, Objective
from phasesteps import FACES, Activity, Again, Fallen, Scene, Solved, Step
from recounted import Recount, split
from rules import ON, Table
from situations import Situation
from text import Lines
from turns import read

NONE = "none"  # in place of a gap where there is no second answer
MOST_STEPS = 200_000  # of a phase
Options = dict[str, Fraction]


def check_options(lines: Lines, find_board: Callable[..., Board]) -> str:
    """Confirm a certificate, and say what it proves."""
    name, _, digest = lines.field("board").partition(" ")
    board = find_board(name, digest, Board.whole_digest)
    text = lines.field("position")
    position_line = lines.number
    question = lines.field("question")
    word, _, rest = question.partition(" ")
    question_line = lines.number
    if word == "mistake":
        lines.number = position_line
        found, smallest = Mistake(lines, board, text, question_line, rest).options(), False
    else:
        lines.number = position_line
        begun = read(lines, moduleposition.read, text, board, True)
        if not may_stop(begun.rules, begun.start):
            raise lines.refuted("no Barbarian phase can follow here")
        lines.number = question_line
        phase = phase_of(begun.rules, begun.start)
        asked = Asked(lines, phase, scene_of(phase, begun.start))
        if word == "garrison" and begun.rules.reserve(begun.start) < 1:
            raise lines.refuted("the Emperor has no garrison left")
        found, smallest = asked.options(word, rest, begun.rules.active), word in ("garrison", "fall")
    return compared(lines, question, found, smallest=smallest)


def compared(lines: Lines, question: str, found: Options, *, smallest: bool) -> str:
    """Hold the answer of the certificate, its number and the gap against what was worked out."""
    order = sorted(found.items(), key=lambda option: option[1], reverse=not smallest)
    answer = lines.field("answer")
    if not order or answer != order[0][0]:
        raise lines.refuted(f"the answer is {order[0][0]}" if order else "there is no answer")
    number = lines.fraction(lines.field("number"))
    if number != order[0][1]:
        raise lines.refuted(f"the number of the answer is {order[0][1]}")
    stated = lines.field("gap")
    gap = abs(order[1][1] - number) if len(order) > 1 else None
    if gap == 0:
        raise lines.refuted(f"there is a second answer: {order[1][0]}")
    if stated != (NONE if gap is None else str(gap)):
        raise lines.refuted(f"the gap is {NONE if gap is None else gap}")
    lines.end()
    then = "there is no other" if gap is None else f"the next one differs by {gap}"
    return f"question '{question}': the only answer is {answer}, {number}; {then}"


class Asked:
    """Questions about the phase that follows a scene."""

    def __init__(self, lines: Lines, phase: Phase, scene: Scene) -> None:
        self.lines, self.phase, self.scene = lines, phase, scene

    def options(self, word: str, measure: str, active: int) -> Options:
        """The possible answers with their numbers."""
        if word in ("p_uprising", "p_lost") and not measure:
            number = self.measured(word, self.scene)
            if not 0 < number < 1:
                raise self.lines.refuted(f"the chance is {number}, which asks nothing")
            return {str(number): number}
        if word == "revolt" and not measure:
            return self.revolts()
        if word == "garrison" and measure in ("p_lost", "e_revolts"):
            return self.garrisons(measure, active)
        if word == "fall" and not measure:
            return self.falls()
        raise self.lines.unreadable(
            "expected p_uprising, p_lost, revolt, garrison, fall or mistake, and what belongs to it"
        )

    def solved(self, scene: Scene) -> Solved:
        """All that can come of the phase of a scene."""
        return self.phase.solve(self.phase.begin(scene))

    def measured(self, measure: str, scene: Scene) -> Fraction:
        """A figure of the phase of a scene."""
        if measure == "p_uprising":
            before = self.phase.solve(self.phase.begin(scene), until_named=True)
            return sum((chance * self.risen(step) for step, chance in before.visits.items()), Fraction(0))
        solved = self.solved(scene)
        if measure == "p_lost":
            return sum((chance for end, chance in solved.ends.items() if isinstance(end, Fallen)), Fraction(0))
        return sum((chance * revolts_of(end) for end, chance in solved.ends.items()), Fraction(0))

    def risen(self, step: Step) -> Fraction:
        """The chance that two dice name a revolt."""
        if not isinstance(step, Activity):
            return Fraction(0)
        return Fraction(sum(place in step.scene.table.revolts for place in self.phase.at.values()), 36)

    def revolts(self) -> Options:
        """The chance of a new revolt in each province where one is possible."""
        found: Options = {}
        for end, chance in self.solved(self.scene).ends.items():
            if isinstance(end, Scene):
                for place in end.table.revolts - self.scene.table.revolts:
                    found[place] = found.get(place, Fraction(0)) + chance
        if len(found) < 2:
            raise self.lines.refuted("there is no choice between provinces")
        return found

    def garrisons(self, measure: str, active: int) -> Options:
        """A figure of the phase with one garrison more, by its province."""
        table, found = self.scene.table, Options()
        for place in self.phase.board.provinces:
            if place not in table.discs() | table.armies:
                after = with_garrison(table, active, place)
                if not self.phase.board.borders <= after.secured():
                    found[place] = self.measured(measure, self.scene._replace(table=after))
        if len(found) < 2 or min(found.values()) >= self.measured(measure, self.scene):
            raise self.lines.refuted("no garrison changes anything")
        return found

    def falls(self) -> Options:
        """The fewest uprisings up to a fall of the Empire, by the province that is named first; others cannot lead to one."""
        first = self.phase.begin(self.scene)
        after: dict[Step, list[tuple[Step, int]]] = {}
        waiting = [first]
        while waiting:
            step = waiting.pop()
            if step in after or isinstance(step, Scene | Fallen):
                continue
            if len(after) >= MOST_STEPS:
                raise self.lines.unreadable(f"the phase has more than {MOST_STEPS} steps, too many for this program")
            after[step] = list(self.counted(step))
            waiting += [result for result, _ in after[step]]
        least = fewest(after)
        if before_activity(first, after):
            raise self.lines.refuted("the Empire can fall before a province is named")
        found: Options = {}
        for step in after:
            if isinstance(step, Activity):
                for pair, (result, risen) in zip(product(FACES, FACES), self.counted(step), strict=True):
                    if result in least:
                        place, number = self.phase.at[pair], Fraction(least[result] + risen)
                        found[place] = min(found.get(place, number), number)
        return found

    def counted(self, step: Step) -> Iterator[tuple[Step, int]]:
        """What follows each face of a step, and whether that is an uprising."""
        places: Iterable[str | None] = [None] * 36
        if isinstance(step, Activity):
            places = [self.phase.at[pair] for pair in product(FACES, FACES)]
        elif isinstance(step, Again):
            places = [self.phase.at[step.region, number] for number in FACES]
        revolts = step.scene.table.revolts  # type: ignore[union-attr]  # what has no scene has no dice
        for place, result in zip(places, self.phase.roll(step).results, strict=False):
            yield result, int(place in revolts)


def revolts_of(end: Scene | Fallen) -> int:
    """The revolts at the end of a phase; a fallen Empire is full of them."""
    return len(end.table.revolts) if isinstance(end, Scene) else MOST_REVOLTS


def with_garrison(table: Table, active: int, place: str) -> Table:
    """The table with one garrison more of an Emperor."""
    garrisons = [own | {place} if who == active else own for who, own in enumerate(table.garrisons)]
    return table._replace(garrisons=tuple(garrisons))


def fewest(after: dict[Step, list[tuple[Step, int]]]) -> dict[Step, int]:
    """The fewest uprisings from each step to a fall; a step that cannot lead to one has none."""
    before: dict[Step, list[tuple[Step, int]]] = {}
    for step, results in after.items():
        for result, risen in results:
            before.setdefault(result, []).append((step, risen))
    least: dict[Step, int] = {step: 0 for step in before if isinstance(step, Fallen)}
    waiting = deque(least)
    while waiting:
        step = waiting.popleft()
        for origin, risen in before.get(step, []):
            if least[step] + risen < least.get(origin, 10**9):
                least[origin] = least[step] + risen
                waiting.append(origin)
    return least


def before_activity(first: Step, after: dict[Step, list[tuple[Step, int]]]) -> bool:
    """Whether a fall can come before any province is named."""
    waiting, seen = [first], {first}
    while waiting:
        step = waiting.pop()
        if isinstance(step, Fallen):
            return True
        if not isinstance(step, Activity | Scene):
            fresh = {result for result, _ in after[step]} - seen
            seen |= fresh
            waiting += fresh
    return False


class Mistake(Recount):
    """A turn that was played, and the best chance of an aim that is left after each of its actions."""

    def __init__(self, lines: Lines, board: Board, position: str, question_line: int, rest: str) -> None:
        self.lines, self.board, self.position_text = lines, board, position
        begun = read(lines, moduleposition.read, position, board, True)
        lines.number = question_line
        self.rules, self.start = begun.rules, begun.start
        self.attacks = None
        aim, colon, self.actions = rest.partition(": ")
        emperor = Figure(begun.rules, begun.start, begun.rules.active)
        self.objective = read(lines, Objective, aim, emperor, begun.start.ip, begun.rules.use)
        if not colon or len(self.objective.terms) != 1 or not isinstance(self.objective.terms[0], Goal):
            raise lines.unreadable("expected one goal, a colon and the actions of a turn")
        self.scale = self.scale_of()
        self.known = {}

    def options(self) -> Options:
        """What each action gives up of the chance of the aim: dice are not to blame."""
        now, end, found = self.start, ON, Options()
        best = self.value(now)
        for number, action in enumerate(split(self.actions, "; "), start=1):
            after = self.played(now, action) if end == ON else None
            if after is None:
                raise self.lines.refuted(f"'{action}' is not legal there")
            expected, now, end = after
            found[f"{number}: {action}"] = Fraction(best[0] - expected[0], self.scale)
            best = self.value(now) if end == ON else self.stopped(now, end)
        if len(found) < 2 or sum(loss > 0 for loss in found.values()) != 1:
            raise self.lines.refuted("there is not exactly one action that gives something up")
        return found

    def played(self, now: Situation, action: str) -> tuple[tuple[int, ...], Situation, str] | None:
        """What an action is worth before its dice, and what came of it; None: it is not legal."""
        if action == "end":
            return (self.stopped(now), now, "stop") if may_stop(self.rules, now) else None
        name, _, outcome = action.partition(": ")
        deed = self.named(now, name)
        results = [] if deed is None else [result for result in deed.results if result.outcome == outcome]
        if deed is None or not results:
            return None
        return self.mean(deed.results), results[0].after, results[0].end
