"""Second solutions in the shipped collection, looked for in independent ways: bench/results/second_solutions.json.

    python bench/second_solutions.py --keep
    python bench/second_solutions.py --show

Each puzzle is looked at in up to five ways:

- *exhaustive*: the search that made it, over all states of the turn; the answer, its value and the gap must be those of the file;
- *brute force*: every plan, or every phase, by the reference rules alone (tests/everyplan.py);
- *CP-SAT, turn*: the turn as a formula, for questions without dice: the best plan that ends otherwise must be worse;
- *CP-SAT, policies*: the plans with dice as a flow (tests/policymodel.py): none that is as good ends otherwise;
- *checker*: the stand-alone checker confirms the certificate, which claims this answer.

Results are kept by the id of the puzzle with digests of what it says and of its certificate, so a run goes on where another one was
stopped, and looks again only at puzzles that were changed. Puzzles that take little come first. Where a way does not apply the
reason stands in its place.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.series import write

from tetrasolve.certify.checking import run_checker
from tetrasolve.errors import ObjectiveError
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.plan import Status, Task
from tetrasolve.tetrarchia.plan.amount import Amount
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.nextturn import open_ends, situations
from tetrasolve.tetrarchia.plan.objective import LeastRisk, NextGoal, natural
from tetrasolve.tetrarchia.plan.prospect import prospect_of
from tetrasolve.tetrarchia.plan.solvers import solve as solve_turn
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.puzzle.collection import Entry, shipped
from tetrasolve.tetrarchia.puzzle.kinds import GARRISON, MISTAKE, TURN
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, solve
from tetrasolve.tetrarchia.puzzle.ranked import Ranked
from tetrasolve.tetrarchia.puzzle.unique import Search, Uniqueness, tables

sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]  # the second ways are those of the tests
from everyplan import EveryPlan, named_first, new_revolts, phase_figure  # noqa: E402  # needs the path
from policymodel import Policies, TooWideError  # noqa: E402  # needs the path

RESULTS = Path(__file__).parent / "results" / "second_solutions.json"
WAYS = ("exhaustive", "brute force", "CP-SAT, turn", "CP-SAT, policies", "checker")
CONFIRMED = "confirmed"
WRONG = "WRONG"  # begins what is said of a second solution, or of another number
FREE = (
    "version",
    "grade",
    "figures",
    "certificate",
    "themes",
    "board",
)  # keys of a puzzle that say nothing of its answer
TURN_STATES = 12_000  # of the reference rules: some seconds
CHOICE_STATES = 60  # of turns with a phase with choices after each end
PHASE_STATES = 8_000  # of all phases that the reference rules solve for a puzzle: half a minute
NEXT_STATES = 60_000  # of all turns that the reference rules play after the ends of a turn
SOLVER_SECONDS = 600.0
KEEP_EVERY = 30.0  # seconds
NO_CHOICE = "dice alone: nothing is chosen"


def digest(data: object) -> str:
    """A few digits of the digest of JSON data."""
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]


class Looked:
    """A puzzle with what several ways need of it."""

    def __init__(self, entry: Entry) -> None:
        self.entry, self.question, self.data = entry, entry.question, entry.data
        self.position, self.form = entry.question.position, entry.question.kind.form
        self.search: Search | None = None
        if self.form == TURN:
            self.search = Search(self.position, self.question.objective, None, None)
            self.solution: Uniqueness | Ranked = self.search.result()
        else:
            self.solution = solve(self.question)

    @property
    def asked(self) -> int:
        """The number of terms in which every other answer must be worse: those up to that of the gap."""
        return [row["term"] for row in self.data["values"]].index(self.data["gap"]["term"]) + 1

    def maximised(self) -> tuple[Fraction, ...]:
        """The values as the file says them, each to be maximised."""
        values = (Fraction(row["exact"]) for row in self.data["values"])
        return tuple(natural(term, value) for term, value in zip(self.question.objective.terms, values, strict=True))


def is_as_filed(looked: Looked) -> str:
    """The search again: one answer, and all that the file says of it."""
    if not looked.solution.is_unique:
        return f"{WRONG}: {looked.solution.sentence}"
    again = Puzzle(looked.question, looked.entry.source, looked.solution).data()
    wrong = [key for key in again if key not in FREE and again[key] != looked.data.get(key)]
    return f"{WRONG}: {', '.join(wrong)}" if wrong else CONFIRMED


# -- brute force of the reference rules ----------------------------------------------------------------------------------


def by_brute_force(looked: Looked) -> str:
    """Every plan, or every phase, by the reference rules."""
    return BRUTE[looked.form](looked)


def _visits(position: Position) -> float:
    begins = position.replace(phase=Phase.BARBARIAN, ip=0)
    return fast.kernel_of(begins).phase(fast.to_state(begins))["visits"]


def _every_turn(looked: Looked) -> str:
    position, objective, states = looked.position, looked.question.objective, looked.data["states"]
    if states > TURN_STATES:
        return f"more than {TURN_STATES:,} states"
    for term in objective.terms:
        if isinstance(term, LeastRisk) and prospect_of(term, position) is not None:
            if states > CHOICE_STATES:
                return f"phases with choices after more than {CHOICE_STATES} states"
        elif isinstance(term, LeastRisk) and term.figure != "p_uprising":
            if sum(map(_visits, open_ends(position, turn_of(position)))) > PHASE_STATES:
                return f"more than {PHASE_STATES:,} states of phases"
        elif isinstance(term, NextGoal):
            ends = open_ends(position, turn_of(position))
            if sum(situations(ends, term.turns)) > NEXT_STATES:
                return f"more than {NEXT_STATES:,} states of next turns"
    best = EveryPlan(objective, looked.asked, TURN_STATES + 1).best(position)
    if best.values != looked.maximised():
        return f"{WRONG}: the best value is {', '.join(map(str, best.values))}"
    if len(best.answers) > 1:
        return f"{WRONG}: two answers"
    assert isinstance(looked.solution, Uniqueness)
    (answer,) = best.answers
    return CONFIRMED if dict(answer) == dict(tables(looked.solution.ends)) else f"{WRONG}: another answer"


def _options(looked: Looked) -> dict[str, Fraction]:
    """The options and numbers as the file says them."""
    return {row["option"]: Fraction(row["exact"]) for row in looked.data["options"]}


def _said(found: dict[str, Fraction], stated: dict[str, Fraction]) -> str:
    return CONFIRMED if found == stated else f"{WRONG}: the numbers are {found}"


def _chance(looked: Looked) -> str:
    figure = looked.question.kind.measure
    if figure != "p_uprising" and _visits(looked.position) > PHASE_STATES:
        return f"more than {PHASE_STATES:,} states of phases"
    found = phase_figure(figure, looked.position)
    return _said({str(found): found}, {looked.data["answer"]: Fraction(looked.data["answer"])})


def _revolt(looked: Looked) -> str:
    if _visits(looked.position) > PHASE_STATES:
        return f"more than {PHASE_STATES:,} states of phases"
    return _said(new_revolts(looked.position), _options(looked))


def _garrison(looked: Looked) -> str:
    position, stated = looked.position, _options(looked)
    free = [place for place in position.board.provinces if place not in position.discs and place not in position.armies]
    placed = {place: position.with_disc(place, position.to_move) for place in free}
    if sum(map(_visits, placed.values())) > PHASE_STATES:
        return f"more than {PHASE_STATES:,} states of phases"
    found = {p: phase_figure(looked.question.kind.measure, after) for p, after in placed.items() if not after.is_won}
    return _said(found, stated)


def _fall(looked: Looked) -> str:
    stated = _options(looked)
    for most in range(int(max(stated.values())) + 1):
        if named_first(looked.position, most) != {place for place, number in stated.items() if number <= most}:
            return f"{WRONG}: other provinces with {most} uprisings"
    return CONFIRMED


def _mistake(looked: Looked) -> str:
    position, objective = looked.position, looked.question.objective
    if turn_of(position).nodes > TURN_STATES:
        return f"more than {TURN_STATES:,} states"
    actions = [step.action for step in looked.question.line.steps]
    losses = EveryPlan(objective, 1, TURN_STATES + 1).losses(position, actions)
    found = {f"{row}: {action}": loss for row, (action, loss) in enumerate(zip(actions, losses, strict=True), start=1)}
    return _said(found, _options(looked))


BRUTE: dict[str, Callable[[Looked], str]] = {
    TURN: _every_turn,
    "chance": _chance,
    "revolt": _revolt,
    GARRISON: _garrison,
    "fall": _fall,
    MISTAKE: _mistake,
}

# -- CP-SAT --------------------------------------------------------------------------------------------------------------


def by_formula(looked: Looked) -> str:
    """The turn model, where there are no dice: the best plan, and the best one that ends otherwise."""
    if looked.form not in (TURN, MISTAKE):
        return NO_CHOICE
    objective, solution = looked.question.objective, looked.solution
    if not isinstance(solution, Uniqueness) or "attack" in looked.data["answer"]:
        return "dice decide"
    if not objective.is_deterministic:
        return "about the time after the turn"
    (_, end, _), *others = solution.ends
    assert not others, "without an attack there is one end"
    best = looked.maximised()
    try:
        optimum = solve_turn("cpsat", Task(looked.position, objective, ()), seconds=SOLVER_SECONDS)
        other = solve_turn("cpsat", Task(looked.position, objective, (), other_than=end), seconds=SOLVER_SECONDS)
    except ObjectiveError:
        return "discs beside the board"
    if Status.UNKNOWN in (optimum.status, other.status) or Status.FEASIBLE in (optimum.status, other.status):
        return "no answer in time"
    if optimum.values != best:
        return f"{WRONG}: the best value is {optimum.values}"
    if other.values is not None and other.values[: looked.asked] >= best[: looked.asked]:
        return f"{WRONG}: another plan is as good"
    return CONFIRMED


def by_flow(looked: Looked) -> str:
    """The policy model: no plan with dice is as good and ends otherwise."""
    if looked.form == MISTAKE:
        return "a list of actions, not a plan"
    if looked.search is None:
        return NO_CHOICE
    answers, asked = looked.search.answers, looked.asked
    names = {number: table for table, number in answers._numbers.items()}  # noqa: SLF001  # the answer by its own tables
    ends = {node: (table, _exact(value[:asked])) for node, (table, value) in looked.search.ends.items()}
    best = answers.best[0]
    try:
        policies = Policies([*looked.search.turn.order()], ends, looked.search.branches)
        status = policies.other(
            _exact(best.value[:asked]), {names[number]: chance for number, chance in best.chances}, SOLVER_SECONDS
        )
    except TooWideError:
        return "denominators too large"
    if status == "INFEASIBLE":
        return CONFIRMED
    return "no answer in time" if status == "UNKNOWN" else f"{WRONG}: {status.lower()}"


def _exact(value: tuple[Any, ...]) -> tuple[Fraction, ...]:
    return tuple(part.exact() if isinstance(part, Amount) else Fraction(part) for part in value)


# -- the checker ---------------------------------------------------------------------------------------------------------


def by_checker(looked: Looked) -> str:
    """The certificate of the file, if it claims this answer."""
    stated = looked.data["certificate"]
    if stated is None:
        return "no certificate"
    proof = Puzzle(looked.question, looked.entry.source, looked.solution).certificate
    if proof is None or proof.text() != stated:
        return f"{WRONG}: another certificate"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answer.cert"
        path.write_text(stated, "utf-8")
        code, text = run_checker([str(path)])
    return CONFIRMED if code == 0 else f"{WRONG}: {text.strip()}"


LOOKS = dict(zip(WAYS, (is_as_filed, by_brute_force, by_formula, by_flow, by_checker), strict=True))


# -- all puzzles ---------------------------------------------------------------------------------------------------------


def claims(entry: Entry) -> dict[str, str]:
    """The digests of what a puzzle says and of its certificate."""
    said = {key: value for key, value in entry.data.items() if key not in FREE}
    return {"says": digest(said), "proof": digest(entry.data["certificate"])}


def is_known(row: dict[str, Any] | None, entry: Entry) -> bool:
    """Whether the kept row is about the puzzle as it is now; faults are looked at again."""
    if row is None or any(row[way].startswith(WRONG) for way in WAYS):
        return False
    return all(row[key] == value for key, value in claims(entry).items())


def looked_at(entry: Entry, before: dict[str, Any] | None) -> dict[str, Any]:
    """The row of a puzzle; of a puzzle with another certificate only the checker is asked again."""
    row: dict[str, Any] = {"kind": entry.question.kind.name, **claims(entry)}
    looked = Looked(entry)
    same = before is not None and before["says"] == row["says"]
    for way in WAYS:
        kept = before is not None and same and way != "checker" and not before[way].startswith(WRONG)
        row[way] = before[way] if before is not None and kept else LOOKS[way](looked)
    return row


def work(entry: Entry) -> int:
    """About how long a puzzle takes, in turn states; only the order depends on it."""
    form = entry.question.kind.form
    return int(entry.data.get("states", {GARRISON: 1_500, MISTAKE: 5_000}.get(form, 0)))


def summary(puzzles: dict[str, dict[str, Any]]) -> dict[str, dict[str, Counter[str]]]:
    """By kind and way, how many puzzles have each result."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for row in puzzles.values():
        for way in WAYS:
            found.setdefault(row["kind"], {}).setdefault(way, Counter())[row[way]] += 1
    return found


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The table."""
    puzzles = data["puzzles"]
    yield f"{'kind':17} {'puzzles':>7}" + "".join(f"{way:>18}" for way in WAYS)
    table = summary(puzzles)
    for kind, ways in table.items():
        count = sum(ways[WAYS[0]].values())
        yield f"{kind:17} {count:7}" + "".join(f"{ways[way][CONFIRMED]:18}" for way in WAYS)
    total = {way: sum(ways[way][CONFIRMED] for ways in table.values()) for way in WAYS}
    yield f"{'all':17} {len(puzzles):7}" + "".join(f"{total[way]:18}" for way in WAYS)
    reasons = Counter((way, row["kind"], row[way]) for row in puzzles.values() for way in WAYS if row[way] != CONFIRMED)
    for (way, kind, reason), count in sorted(reasons.items()):
        yield f"{way}: {kind}: {count}: {reason}"
    wrong = [name for name, row in puzzles.items() if any(row[way].startswith(WRONG) for way in WAYS)]
    yield f"not looked at yet: {data['shipped'] - len(puzzles)}"
    yield f"second solutions and other faults: {len(wrong)}{': ' if wrong else ''}{' '.join(wrong)}"


def main() -> int:
    """Look at all puzzles that are not known yet."""
    kept = Kept(__doc__ or "", RESULTS, lines, quick="a few puzzles")
    kept.parser.add_argument("--seconds", type=float, default=float("inf"), help="how long puzzles are begun")
    options = kept.options(None)
    if options is None:
        return 0
    entries = sorted(shipped(), key=lambda entry: (work(entry), entry.id))
    target = RESULTS if options.keep else options.json
    begun = json.loads(target.read_text("utf-8"))["puzzles"] if target and target.exists() else {}
    puzzles = {entry.id: begun[entry.id] for entry in entries if entry.id in begun}
    data = {"versions": {"tetrasolve": facts.version("tetrasolve")}, "shipped": len(entries), "puzzles": puzzles}
    started = written = time.monotonic()
    for number, entry in enumerate(entries, start=1):
        if time.monotonic() - started > options.seconds or (options.quick and number > len(BRUTE)):
            break
        if is_known(puzzles.get(entry.id), entry):
            continue
        began = time.process_time()
        row = puzzles[entry.id] = looked_at(entry, puzzles.get(entry.id))
        wrong = [row[way] for way in WAYS if row[way].startswith(WRONG)]
        took = time.process_time() - began
        print(f"{number} of {len(entries)}: {entry.id} {row['kind']} {took:.1f} s {'; '.join(wrong)}", flush=True)
        if target and time.monotonic() - written > KEEP_EVERY:
            write(target, data)
            written = time.monotonic()
    data["puzzles"] = {name: puzzles[name] for name in sorted(puzzles)}
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
