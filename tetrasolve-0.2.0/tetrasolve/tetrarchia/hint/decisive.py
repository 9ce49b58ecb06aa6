"""What decided between two plans: what the next Emperors can do after one that they cannot after the other, and what each gives up.

What an Emperor *can* do is the greatest chance, over all plans for his turn, that it ends with a border secured or an army beaten,
if nothing changes before that turn. It is exact, by the kernel's graph of the turn. Nothing is said about a turn with more states
than `MOST_STATES`, which modules can bring, and about a turn of Galerius with Imperium, who decides between dice and outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.hint.contrast import gives_up, in_groups
from tetrasolve.tetrarchia.hint.prospects import Outlook, Prospects, before_phase
from tetrasolve.tetrarchia.hint.reasons import FIGURE_WORDS, LEAST, NOTEWORTHY, PlanReason, percent
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.rules.modules.imperium import GALERIUS

NEXT = 2  # Emperors whose turns come next
MOST_STATES = 200_000  # of one such turn: a fraction of a second, and some MB
LISTED = 3  # things given up that the text names

Can: TypeAlias = Mapping[tuple[str, str, str], Fraction]  # the Emperor, secure or beat, and the province; its chance
Against = Literal["the runner-up", "the best plan"]


def decisive(
    outlook: Outlook, mine: Prospects, other: Prospects, against: Against, stop: Stop | None
) -> Iterator[PlanReason]:
    """What speaks for a plan against another one, and what it gives up.

    Kinds: ``allows`` and ``forgoes`` (turns of the next Emperors), ``better`` and ``worse`` (figures of the coming phase), and
    ``gives_up`` (pieces on the table). The data of each names the other plan.

    :raises Stopped: when `stop` is set before all is known.
    """
    position = outlook.position
    if other.p_won > mine.p_won:
        likely = "" if other.p_won == 1 else f" with chance {other.p_won}"
        data = {"with": mine.p_won, "without": other.p_won, "plan": str(other.plan)}
        yield PlanReason("forgoes", f"{against} wins the game in this turn{likely}", data)
    if 1 in (mine.p_won, other.p_won):
        return  # no turn and no phase comes after the victory
    for found in (mine, other):
        if found.plan not in outlook.abilities:
            outlook.abilities[found.plan] = can(position, found, stop)
    ours, theirs = outlook.abilities[mine.plan], outlook.abilities[other.plan]
    yield from _options(position, "allows", ours, theirs, other.plan, against)
    yield from _figures("better", mine, other, against)
    yield from _figures("worse", mine, other, against)
    yield from _options(position, "forgoes", ours, theirs, other.plan, against)
    lacking = gives_up(position, mine, other)
    if lacking:
        said = in_groups(position, lacking)
        said = [*said[:LISTED], *(["and more"] if len(said) > LISTED else [])]
        facts = [{name: str(value) for name, value in reason.data.items()} for reason in lacking]
        yield PlanReason(
            "gives_up", f"gives up, against {against}: {'; '.join(said)}", {"plan": str(other.plan), "facts": facts}
        )


# -- the next turns --------------------------------------------------------------------------------------------


def can(position: Position, found: Prospects, stop: Stop | None = None) -> Can:
    """For each of the next Emperors the greatest chance that his turn secures each border, or beats each army, after this plan.

    The chances are means over the ends of the plan's turn, if nothing changes before his. An army that may be beaten in the plan's
    turn is left out, and so is a turn with too many states.

    :raises Stopped: when `stop` is set before all is known.
    """
    chances: dict[tuple[str, str, str], Fraction] = {}
    emperor = position.to_move
    standing = [end for _, end, _ in found.ends if isinstance(end, Position) and not end.is_won]
    left = frozenset(position.board.ids).intersection(*(end.armies for end in standing))
    for _ in range(NEXT):
        emperor = next_emperor(position.replace(to_move=emperor))
        sums: dict[tuple[str, str, str], Fraction] = {}
        for share, end, _ in found.ends:
            if not isinstance(end, Position) or end.is_won:
                continue
            best = _best_of_turn(start_of_turn(before_phase(end), emperor), bool(position.rebels), stop)
            if best is None:
                break
            for (what, place), chance in best.items():
                if what == "beat" and place not in left:
                    continue
                sums[emperor, what, place] = sums.get((emperor, what, place), Fraction(0)) + share * chance
        else:
            chances.update(sums)
    return chances


def _best_of_turn(start: Position, rebels: bool, stop: Stop | None) -> dict[tuple[str, str], Fraction] | None:
    """The greatest chances in this turn, by what and where; None where the graph of the turn is not to be had."""
    if start.pieces.removed is not None and start.to_move == GALERIUS:
        return None
    board = start.board
    engine = fast.engine_for(start.ruleset, rebels=rebels)
    state = fast.state_of(start, rebels=rebels)
    try:
        turn = engine.Turn(
            fast.kernel_for(board, start.ruleset, rebels=rebels), state, max_nodes=MOST_STATES, stop=stop
        )
    except (kernel.KernelError, whole.KernelError) as error:
        if "max_nodes" not in str(error):
            raise
        return None
    goals = {
        ("secure", border): (1 << board.order[border], 0) for border in board.borders if border not in start.secured
    }
    goals |= {("beat", army): (0, 1 << board.order[army]) for army in start.armies}
    found = {}
    for goal, (garrison, army) in goals.items():
        ((numerator, denominator),) = turn.solve([("goal", 0, garrison, 0, 0, army)], stop=stop).values
        found[goal] = Fraction(numerator, denominator)
    return found


def _options(
    position: Position, kind: str, ours: Can, theirs: Can, plan: Plan, against: Against
) -> Iterator[PlanReason]:
    """What can be done by the next Emperors after one of two plans, and not, or less likely, after the other."""
    order = [emperor.id for emperor in position.board.emperors]
    turn = order.index(position.to_move)
    both = sorted(
        ours.keys() & theirs.keys(),
        key=lambda key: (key[1] != "secure", (order.index(key[0]) - turn) % len(order), position.board.order[key[2]]),
    )
    places: dict[tuple[str, str, Fraction, Fraction], list[str]] = {}
    for emperor, what, place in both:
        with_it, without_it = ours[emperor, what, place], theirs[emperor, what, place]
        if (with_it - without_it) * (1 if kind == "allows" else -1) >= NOTEWORTHY:
            places.setdefault((emperor, what, with_it, without_it), []).append(place)
    alike: dict[tuple[str, Fraction, Fraction, tuple[str, ...]], list[str]] = {}
    for (emperor, what, with_it, without_it), found in places.items():
        alike.setdefault((what, with_it, without_it, tuple(found)), []).append(emperor)
    for (what, with_it, without_it, where), emperors in alike.items():
        yield PlanReason(
            kind,
            _can_words(position, emperors, what, where, with_it, without_it, against),
            {
                "emperors": emperors, "what": what, "provinces": list(where), "with": with_it, "without": without_it,
                "plan": str(plan),
            },
        )  # fmt: skip


def _can_words(
    position: Position,
    emperors: Sequence[str],
    what: str,
    places: Sequence[str],
    mine: Fraction,
    other: Fraction,
    against: Against,
) -> str:
    where = _either([position.board[place].name for place in places])
    who = _either([one.name for one in position.board.emperors if one.id in emperors])
    deed = f"secure {where}" if what == "secure" else f"beat the army in {where}"
    if not mine:
        likely = "" if other == 1 else f" with chance {percent(other)}"
        return f"only after {against} could {who} {deed}{likely} in his next turn, if nothing changes until then"
    likely = "" if mine == 1 else f" with chance {percent(mine)}"
    then = "for certain" if other == 1 else f"with chance {percent(other)}"
    then = then if other else "he cannot" if len(emperors) == 1 else "neither can"
    return f"if nothing changes until then, {who} can {deed}{likely}; after {against} {then}"


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


# -- the coming phase ------------------------------------------------------------------------------------------


def _figures(kind: str, mine: Prospects, other: Prospects, against: Against) -> Iterator[PlanReason]:
    """The figures of the coming phase that are better, or worse, than after another plan."""
    ours, theirs = mine.figures, other.figures
    for name, words in FIGURE_WORDS.items():
        if name not in ours or name not in theirs:
            continue  # the time ran out before it was known
        gain = (theirs[name] - ours[name]) * (1 if kind == "better" else -1)
        least = LEAST if name == "p_lost" else NOTEWORTHY
        if gain >= least:
            text = f"{words} is {percent(ours[name])}, after {against} {percent(theirs[name])}"
            data = {"figure": name, "with": ours[name], "without": theirs[name], "plan": str(other.plan)}
            yield PlanReason(kind, text, data)


# -- where the Emperor stands ----------------------------------------------------------------------------------


def before_last_moves(plan: Plan) -> Plan | None:
    """The plan without the moves at its end, with which the Emperor only changes his place; None where there are none."""
    steps = plan.steps
    while steps and steps[-1].kind == "move" and steps[-1].figure is None:
        steps = steps[:-1]
    return Plan(steps) if plan.fork is None and 0 < len(steps) < len(plan.steps) else None


def placement(position: Position, mine: Prospects, staying: Prospects, gain: float) -> Iterator[PlanReason]:
    """Why he ends his turn where he does: the figures against staying where he acted last, and the evaluation's gain of it."""
    ((_, here, _),), ((_, there, _),) = mine.ends, staying.ends
    assert isinstance(here, Position) and isinstance(there, Position)  # a plan does not end with a fall
    if here.here is None or there.here is None or here.here == there.here:
        return
    names = [position.board[place].name for place in (here.here, there.here)]
    ours, theirs = mine.figures, staying.figures
    lower = [
        f"lowers {words} from {percent(theirs[name])} to {percent(ours[name])}"
        for name, words in FIGURE_WORDS.items()
        if name in ours and name in theirs and theirs[name] - ours[name] >= (LEAST if name == "p_lost" else NOTEWORTHY)
    ]
    points = round(gain, 3)
    if points < 0.001 and not lower:
        return
    said = [
        *lower,
        *([f"raises the chance to win by {100 * points:.1f} points (evaluation)"] if points >= 0.001 else []),
    ]
    text = f"ending the turn in {names[0]} rather than {names[1]} {' and '.join(said)}"
    data = {
        "province": here.here, "instead_of": there.here, "gain": {"kind": "evaluation", "value": round(gain, 6)},
        "with": {name: str(ours[name]) for name in ours}, "without": {name: str(theirs[name]) for name in theirs},
    }  # fmt: skip
    yield PlanReason("stands", text, data)
