"""Turns whose objective may be about the time after them, counted again: the values at their ends need the dice that follow."""

from collections.abc import Iterator
from math import lcm

from ahead import Ahead, Asked
from moduleturn import deeds, ending, may_stop
from objectives import Next, Risk, Value
from recounted import MOST_SITUATIONS, Recount
from rules import ON
from situations import Situation


class Foreseen(Recount):
    """The claim about a turn in any game, with an objective that may look ahead."""

    of_base_game = True
    objective_form = Asked

    def scale_of(self) -> int:
        """Values have the dice of the turn below the line, and what the chances of the time after it have in common."""
        assert isinstance(self.objective, Asked)
        scale = super().scale_of()
        if self.objective.looks_ahead:
            self.ahead = Ahead(self.lines, self.rules, self.start)
            later = [term for term in self.objective.terms if isinstance(term, Risk | Next)]
            found = (self.ahead.worth(term, *last) for last in self.ends() for term in later)
            scale *= lcm(*{chance.denominator for chance in found})
        return scale

    def ends(self) -> Iterator[tuple[Situation, str]]:
        """All situations in which the turn can end, each with how."""
        waiting, seen = [self.start], {self.start}
        while waiting:
            now = waiting.pop()
            if may_stop(self.rules, now):
                yield now, "stop"
            for result in (result for deed in deeds(self.rules, now) for result in deed.results):
                if result.end != ON:
                    yield result.after, result.end
                elif result.after not in seen:
                    seen.add(result.after)
                    waiting.append(result.after)
            if len(seen) > MOST_SITUATIONS:
                raise self.lines.unreadable(
                    f"the turn has more than {MOST_SITUATIONS} situations, too many for this program"
                )

    def stopped(self, now: Situation, end: str = "stop") -> Value:
        """What it is worth that the turn ends in a situation."""
        assert isinstance(self.objective, Asked)
        if not self.objective.looks_ahead:
            return super().stopped(now, end)
        seen = ending(self.rules, self.start, now)
        return tuple(
            int(self.scale * self.ahead.worth(term, now, end))
            if isinstance(term, Risk | Next)
            else self.scale * term.worth(seen, end)
            for term in self.objective.terms
        )
