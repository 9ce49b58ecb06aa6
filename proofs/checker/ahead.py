"""What a puzzle asks about the time after the turn: the dice of the phase that follows, or the turns of the next Emperors.

A figure of the phase is worked out for each table at which the turn can end: the chance of an uprising from the first dice
alone, the others from all of them. The turns of the next Emperors are made in full, as `recounted` does, with nothing in
between: where one of them ends the next one begins, and the goal is looked at where the last one ends.
"""

from fractions import Fraction

from claim import MOST_REVOLTS
from modulephase import phase_of, scene_of
from moduleturn import Figure, ending
from objectives import Names, Next, Objective, Risk, Term, Value, read_goal
from phasesteps import Again, Echo, Fallen, Scene
from recounted import Recount
from rules import FALLEN, IP_A_TURN, Turn
from situations import Rules, Situation
from text import Lines
from uprising import Uprising

MOST_TURNS = 8  # after this one
MOST_STEPS = 1_000_000  # of all phases of a certificate
MOST_FOLLOWING = 2_000_000  # situations of all turns that follow, for all terms of a certificate
# With these, players decide in the phase, as is best for them, which this program does not follow
DECIDED = {"least p_uprising": frozenset({"barbaria"})} | dict.fromkeys(
    ("least p_lost", "least p_new_army", "least e_revolts"), frozenset({"barbaria", "imperium"})
)
AT_THE_START = frozenset({"barbaria", "imperium"})  # discs come back, and powers are over, when a turn begins


class Following(Recount):
    """The next Emperor's turn, from any end of this one; with more than one, the turn after it, and so on, follows its ends."""

    def __init__(
        self, lines: Lines, rules: Rules, start: Situation, term: Next, turns: int, every: list["Following"]
    ) -> None:
        self.lines, self.board, self.attacks, self.every = lines, rules.board, None, every
        self.rules = rules._replace(active=(rules.active + 1) % len(rules.board.emperors), stated=None)
        self.start, self.goal = begun(start), term.goal
        self.objective = Objective(term.text, Figure(self.rules, self.start, self.rules.active), IP_A_TURN, rules.use)
        self.then = Following(lines, self.rules, self.start, term, turns - 1, every) if turns > 1 else None
        self.scale, self.known = self.scale_of(), {}
        every.append(self)

    def scale_of(self) -> int:
        """The dice of the turns that follow come on top of those of this one."""
        return super().scale_of() * (self.then.scale if self.then else 1)

    def stopped(self, now: Situation, end: str = "stop") -> Value:
        """What it is worth that the turn ends in a situation: the goal, or what the turns after it are worth."""
        if self.then is None:
            return super().stopped(now, end)
        if end == FALLEN:
            return (0,)
        if self.board.borders <= now.table.secured():  # a victory, after which no turn follows
            return (self.scale * self.goal.worth(ending(self.rules, self.start, now), end),)
        return (int(self.scale * self.then.chance(now)),)

    def chance(self, end: Situation) -> Fraction:
        """The best chance of the goal after this end."""
        worth = Fraction(self.value(begun(end))[0], self.scale)
        if sum(len(turn.known) for turn in self.every) > MOST_FOLLOWING:
            raise self.lines.unreadable(
                f"the turns that follow have more than {MOST_FOLLOWING} situations, too many for this program"
            )
        return worth


def begun(end: Situation) -> Situation:
    """The start of a turn at the end of another one."""
    return end._replace(ip=IP_A_TURN, passing=None)


class Ahead:
    """The values of terms about the time after the turn, at each of its ends."""

    def __init__(self, lines: Lines, rules: Rules, start: Situation) -> None:
        self.lines, self.rules, self.start = lines, rules, start
        self.phase, self.uprising = phase_of(rules, start), Uprising(rules.board, rules.readings)
        self.steps = 0
        self.turns: dict[tuple[str, int], Following] = {}
        self.every: list[Following] = []  # with those that follow others
        self.known: dict[tuple[object, ...], Fraction] = {}

    def worth(self, term: Risk | Next, now: Situation, end: str) -> Fraction:
        """What a term is worth at an end: risks count as negative."""
        key = (term, now._replace(ip=0), end)
        if key not in self.known:
            self.known[key] = -self.risk(term.figure, now, end) if isinstance(term, Risk) else self.next(term, now, end)
        return self.known[key]

    def risk(self, figure: str, now: Situation, end: str) -> Fraction:
        """A figure of the phase; none comes after a victory."""
        if end == FALLEN:
            return Fraction(MOST_REVOLTS if figure == "e_revolts" else 1)
        if self.rules.board.borders <= now.table.secured():
            return Fraction(0)
        if figure == "p_uprising":
            return Fraction(-self.uprising.after(now.table, end), self.uprising.parts)
        return self.followed(figure, scene_of(self.phase, now))

    def followed(self, figure: str, scene: Scene) -> Fraction:
        """The chance of a fall or of a new army in the phase of a scene, or the revolts to be expected after it."""
        if (figure, scene) not in self.known:
            solved = self.phase.solve(self.phase.begin(scene))
            self.steps += len(solved.visits)
            if self.steps > MOST_STEPS:
                raise self.lines.unreadable(f"the phases have more than {MOST_STEPS} steps, too many for this program")
            lost, new, revolts = Fraction(0), Fraction(0), Fraction(0)
            for last, chance in solved.ends.items():
                revolts += chance * (len(last.table.revolts) if isinstance(last, Scene) else MOST_REVOLTS)
                lost += chance * isinstance(last, Fallen)
            for step, times in solved.visits.items():
                if isinstance(step, Echo):  # where it does not name a province, an army has come
                    faces = self.phase.roll(step).results
                    new += times * Fraction(sum(not isinstance(face, Again) for face in faces), len(faces))
            found = {"p_lost": lost, "p_new_army": new, "e_revolts": revolts}
            self.known |= {(name, scene): value for name, value in found.items()}
        return self.known[figure, scene]

    def next(self, term: Next, now: Situation, end: str) -> Fraction:
        """The best chance of a goal in the turns that follow; after a victory there are none, and the goal is met or not."""
        if end == FALLEN:
            return Fraction(0)
        if self.rules.board.borders <= now.table.secured():
            return Fraction(term.goal.worth(ending(self.rules, self.start, now), end))
        key = (term.text, term.turns)
        if key not in self.turns:
            self.turns[key] = Following(self.lines, self.rules, self.start, term, term.turns, self.every)
        return self.turns[key].chance(now)


class Asked(Objective):
    """The objective of a puzzle, which may also be about the time after the turn."""

    def term(self, text: str, turn: Turn, ip: int, use: Names) -> Term:
        """A term by its text."""
        if text in DECIDED and not use & DECIDED[text]:
            return Risk(text.removeprefix("least "))
        goal, turns = text, 0
        while goal.startswith("next ") and turns < MOST_TURNS and not use & AT_THE_START:
            goal, turns = goal.removeprefix("next "), turns + 1
        if turns:
            return Next(goal, read_goal(goal, turn.board, use), turns)
        return super().term(text, turn, ip, use)

    @property
    def looks_ahead(self) -> bool:
        """Whether a term is about the time after the turn."""
        return any(isinstance(term, Risk | Next) for term in self.terms)
