"""Certificates of turns with modules, variants or rebels: the claim alone, which this program works out again.

The certificate has no proof in it. This program makes all situations that the turn can reach, by rules of its own, and gives
each its value: the largest of what it is worth to stop there and of what each deed is worth, an attack the mean over its dice.
All deeds but entering, a power and the fall of dice cost IP; nobody enters twice, a power is used once in a turn, and from
dice that lie on the table the battle is fought. So no chain of situations comes back to one of them. Then it follows the plan,
which must take a best deed in each situation.
"""

from collections.abc import Callable
from fractions import Fraction
from operator import mul

import moduleposition
from board import Board
from claim import read_attacks
from moduleturn import Figure, deeds, ending, may_stop
from objectives import Objective, Value
from pirates import PIRATES
from rules import ON
from situations import Deed, Result, Situation
from text import Lines
from turns import Header, read, read_values, sentence, written

MOST_SITUATIONS = 2_000_000


def check_module_turn(lines: Lines, find_board: Callable[[str, str], Board]) -> str:
    """Confirm a certificate, and say what it proves."""
    claim = Recount(lines, find_board)
    lines.end()
    lines.number = claim.optimum_line
    best = claim.value(claim.start)
    if claim.optimum != best:
        raise lines.refuted(f"the start is worth {written(best, claim.scale)}")
    lines.number = claim.plan_line
    claim.follow(claim.start, claim.plan)
    return sentence(claim, len(claim.known))


class Recount(Header):
    """The claim about a turn with modules, and the values of all situations that have been looked at."""

    of_base_game = False  # whether a turn without modules is one, too
    objective_form = Objective

    def __init__(self, lines: Lines, find_board: Callable[[str, str], Board]) -> None:
        self.lines = lines
        name, _, digest = lines.field("board").partition(" ")
        self.board = find_board(name, digest)
        self.position_text = lines.field("position")
        begun = read(lines, moduleposition.read, self.position_text, self.board, self.of_base_game)
        objective = lines.field("objective")
        emperor = Figure(begun.rules, begun.start, begun.rules.active)
        self.objective = read(lines, self.objective_form, objective, emperor, begun.start.ip, begun.rules.use)
        others = {PIRATES} & begun.rules.use
        self.attacks = read(lines, read_attacks, lines.field("attacks"), self.board, others)
        self.rules, self.start = begun.rules._replace(stated=self.attacks), begun.start
        self.scale = self.scale_of()
        self.optimum = read_values(lines.field("optimum"), self, lines)
        self.optimum_line = lines.number
        self.plan = lines.field("plan")
        self.plan_line = lines.number
        self.known: dict[Situation, Value] = {}

    # -- values --------------------------------------------------------------------------------------------------

    def scale_of(self) -> int:
        """An attack divides by 36 and costs at least one IP, of which a power can bring one more."""
        return 1 if self.attacks is not None else 36 ** (self.start.ip + 1)

    def value(self, now: Situation) -> Value:
        """What the turn is worth from a situation on."""
        found = self.known.get(now)
        if found is None:
            if len(self.known) >= MOST_SITUATIONS:
                raise self.lines.unreadable(
                    f"the turn has more than {MOST_SITUATIONS} situations, too many for this program"
                )
            worths = [self.mean(deed.results) for deed in deeds(self.rules, now)]
            if may_stop(self.rules, now):
                worths.append(self.stopped(now))
            if not worths:
                raise self.lines.refuted("the Emperor can neither act nor stop in a situation that can be reached")
            found = self.known[now] = max(worths)
        return found

    def stopped(self, now: Situation, end: str = "stop") -> Value:
        """What it is worth that the turn ends in a situation."""
        return tuple(self.scale * number for number in self.objective.worth(ending(self.rules, self.start, now), end))

    def mean(self, results: list[Result]) -> Value:
        """What a deed is worth."""
        values = [
            self.value(result.after) if result.end == ON else self.stopped(result.after, result.end)
            for result in results
        ]
        if len(values) == 1:
            return values[0]
        shares = [result.share for result in results]
        return tuple(sum(map(mul, shares, column)) // 36 for column in zip(*values, strict=True))

    # -- the plan ------------------------------------------------------------------------------------------------

    def follow(self, now: Situation, plan: str, end: str = ON) -> None:
        """Follow a plan, which must take a best deed in each situation, and be written in the one usual way."""
        steps = [] if plan == "end" else split(plan, "; ")
        for number, step in enumerate(steps, start=1):
            name, brace, branches = step.partition(" {")
            deed = self.named(now, name) if end == ON else None
            if deed is None:
                raise self.lines.refuted(f"'{name[:60]}' is not legal there")
            self.compare(now, name, self.mean(deed.results))
            if deed.results[0].outcome:  # it has dice
                if number < len(steps) or not branches.endswith("}"):
                    raise self.lines.refuted(f"expected a branch for all that can come of '{name}', and no more")
                self.branch(deed, split(branches[:-1], " | "))
                return
            if brace:
                raise self.lines.refuted(f"'{name}' has no branches")
            ((_, _, now, end),) = deed.results
        if end == ON:
            if not may_stop(self.rules, now):
                raise self.lines.refuted("the turn cannot end where the plan ends")
            self.compare(now, "end", self.stopped(now))

    def branch(self, deed: Deed, branches: list[str]) -> None:
        """Follow a plan after each thing that can come of an attack."""
        if len(branches) != len(deed.results):
            raise self.lines.refuted(f"'{deed.name}' has {len(deed.results)} branches")
        for text, result in zip(branches, deed.results, strict=True):
            label = f"{result.outcome} {Fraction(result.share, 36)}: "
            if not text.startswith(label):
                raise self.lines.refuted(f"expected the branch '{label}' of '{deed.name}'")
            self.follow(result.after, text.removeprefix(label), result.end)

    def named(self, now: Situation, name: str) -> Deed | None:
        """The deed with this name, if it is legal."""
        return next((deed for deed in deeds(self.rules, now) if deed.name == name), None)

    def compare(self, now: Situation, name: str, worth: Value) -> None:
        """Make sure that a deed is as good as any."""
        best = self.value(now)
        if worth != best:
            raise self.lines.refuted(
                f"'{name}' is worth {written(worth, self.scale)}, and the best {written(best, self.scale)}"
            )


def split(text: str, mark: str) -> list[str]:
    """The parts of a text between marks that are not inside braces."""
    parts, depth, begin = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if depth == 0 and text.startswith(mark, place):
            parts.append(text[begin:place])
            begin = place + len(mark)
    return [*parts, text[begin:]]
