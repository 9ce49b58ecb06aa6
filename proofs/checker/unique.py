"""Certificates that a turn has one best answer: the claim alone, which this program works out again.

Two plans are the same answer if they end the turn in the same positions with the same chances, whatever IP are left. The claim is
that no plan is better than the one it names, and that every other answer is worse by at least the gap.

This program makes all situations of the turn, as for `recounted`, and gives each two answers: the best, and the best of all
others. Where the Emperor decides, each deed offers its two. Where dice decide, the best after all that can come
of them is one offer; another answer must be another one after at least one of them, and the best of these gives up the best after
one only. No situation is left out.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from board import Board
from foreseen import Foreseen
from moduleturn import deeds, may_stop
from objectives import Value
from recounted import MOST_SITUATIONS
from rules import FALLEN, ON
from situations import Deed, Result, Situation
from text import Lines
from turns import read_values, sentence, written

Table = Situation | None  # what lies there at the end of a turn; None: the Empire has fallen


class Answer(NamedTuple):
    """Where a plan leads, with the chances, and what it is worth."""

    worth: Value
    tables: frozenset[tuple[Table, Fraction]]


Two = tuple[Answer, Answer | None]


def check_unique(lines: Lines, find_board: Callable[[str, str], Board]) -> str:
    """Confirm a certificate, and say what it proves."""
    claim = Unique(lines, find_board)
    claim.gap = read_values(lines.field("gap"), claim, lines)
    gap_line = lines.number
    lines.end()
    best, other = claim.two(claim.start)
    lines.number = claim.optimum_line
    if claim.optimum != best.worth:
        raise lines.refuted(f"the start is worth {written(best.worth, claim.scale)}")
    lines.number = gap_line
    if other is None:
        raise lines.refuted("all plans are the same answer")
    gap = tuple(first - second for first, second in zip(best.worth, other.worth, strict=True))
    if not any(gap):
        raise lines.refuted("there is a second answer of the same worth")
    if claim.gap != gap:
        raise lines.refuted(f"the best other answer is worse by {written(gap, claim.scale)}")
    lines.number = claim.plan_line
    claim.follow(claim.start, claim.plan)
    return f"{sentence(claim, len(claim.answers))}; every other answer is worse by {written(gap, claim.scale)} or more"


class Unique(Foreseen):
    """The claim, and the two best answers from each situation on."""

    gap: Value

    def __init__(self, lines: Lines, find_board: Callable[[str, str], Board]) -> None:
        self.answers: dict[Situation, Two] = {}
        super().__init__(lines, find_board)

    def value(self, now: Situation) -> Value:
        """What the turn is worth from a situation on."""
        return self.two(now)[0].worth

    def two(self, now: Situation) -> Two:
        """The best answer from a situation on, and the best other one; None: there is no other."""
        found = self.answers.get(now)
        if found is None:
            if len(self.answers) >= MOST_SITUATIONS:
                raise self.lines.unreadable(
                    f"the turn has more than {MOST_SITUATIONS} situations, too many for this program"
                )
            offers = [answer for deed in deeds(self.rules, now) for answer in self.offers(deed)]
            if may_stop(self.rules, now):
                offers.append(self.at_end(now, "stop"))
            if not offers:
                raise self.lines.refuted("the Emperor can neither act nor stop in a situation that can be reached")
            best = max(offers, key=lambda answer: answer.worth)
            others = [answer for answer in offers if answer.tables != best.tables]
            found = self.answers[now] = best, max(others, key=lambda answer: answer.worth, default=None)
        return found

    def at_end(self, now: Situation, end: str) -> Answer:
        """The answer of a turn that ends here."""
        table = None if end == FALLEN else now._replace(ip=0)
        return Answer(self.stopped(now, end), frozenset([(table, Fraction(1))]))

    def after(self, result: Result) -> Two:
        """The two answers after one thing that can come of a deed."""
        return self.two(result.after) if result.end == ON else (self.at_end(result.after, result.end), None)

    def offers(self, deed: Deed) -> Iterator[Answer]:
        """The best answer with this deed, and every answer that gives up the best after one thing that can come of it."""
        twos = [self.after(result) for result in deed.results]
        firsts = [first for first, _ in twos]
        yield self.joined(deed.results, firsts)
        for row, (_, second) in enumerate(twos):
            if second is not None:
                yield self.joined(deed.results, [*firsts[:row], second, *firsts[row + 1 :]])

    def joined(self, results: list[Result], answers: list[Answer]) -> Answer:
        """One answer after each thing that can come of a deed, together."""
        if len(answers) == 1:
            return answers[0]
        chances: dict[Table, Fraction] = {}
        total = [0] * len(answers[0].worth)
        for result, answer in zip(results, answers, strict=True):
            for place, number in enumerate(answer.worth):
                total[place] += result.share * number
            for table, chance in answer.tables:
                chances[table] = chances.get(table, Fraction(0)) + Fraction(result.share, 36) * chance
        return Answer(tuple(number // 36 for number in total), frozenset(chances.items()))
