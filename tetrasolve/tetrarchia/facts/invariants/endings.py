"""How turns, phases and games end, and a border that one reading of the rules lets go.

A turn ends since each action lowers a number: twice the IP that are left, and one more while the Emperor is off the board. A
phase ends with probability one: its steps come in an order in which none comes back, but for the echo of an uprising, and
an echo is followed by another uprising only where the dice name a revolt, of which there are 21 for 36 throws.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import permutations

from tetrasolve.claims.fact import Topic, Value
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import REDUCE, SECURE, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.invariants.claims import STAYS, values_of
from tetrasolve.tetrarchia.facts.invariants.shown import (
    Answer,
    NotHereError,
    Statement,
    empire,
    exact,
    falls,
    legal,
    play,
    quiet,
    statements,
)
from tetrasolve.tetrarchia.facts.rulebook.words import FACES, again, barbarians
from tetrasolve.tetrarchia.numbers import IP_A_TURN, REVOLTS, UNREST
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules.activity import EchoRegion
from tetrasolve.tetrarchia.rules.choices import settled

# -- turns ---------------------------------------------------------------------------------------------------------


def _turn_ends(board: Board) -> Answer:
    fall = falls(board)
    measure = 2 * IP_A_TURN + 1
    most = 1 + (measure - fall["enter"]) // min(number for kind, number in fall.items() if kind != "enter")
    start = Position.parse("5300 D:6 -/-/-/- 123 - - - -/-/-/-", board)
    links = board.neighbours(board.roma)
    near = next((place for place in board.ids if place in links and not links[place].broken), None)
    if near is None:
        raise NotHereError("no normal link leads to Roma")
    walk = [f"move {near}", f"move {board.roma}"] * (IP_A_TURN // 2)
    states, line = play(start, f"enter {board.roma}", *walk)
    values: dict[str, Value] = {f"falls.{kind}": number for kind, number in fall.items()}
    values |= {"measure": measure, "most": most, "shown": len(states) - 1}
    return Answer(values, min(fall.values()) >= 1 and len(states) - 1 == most, (line,))


# -- phases --------------------------------------------------------------------------------------------------------


def _phase_ends(board: Board) -> Answer:
    echoes, worst = 0, Fraction(0)
    positions = tuple(_restless(board))
    for position in positions:
        first = rules.begin(position)
        known, waiting = {first}, [first]
        while waiting:
            step = settled(waiting.pop(), rules.decline)
            if isinstance(step, (Position, rules.Fall)):
                continue
            if isinstance(step, EchoRegion):
                echoes += 1
                worst = max(worst, again(step))
            for result in step.roll().results:
                if result not in known:
                    known.add(result)
                    waiting.append(result)
    throws = len(FACES) ** 2
    named = len({board.at(region, number) for region in FACES for number in FACES})
    values: dict[str, Value] = {"dice": throws, "again": min(REVOLTS, named)}
    values |= {"echoes": echoes, "worst": exact(worst)}
    right = named == throws > REVOLTS and worst <= Fraction(REVOLTS, throws)
    return Answer(values, right, tuple(map(str, positions)))


def _restless(board: Board) -> Iterator[Position]:
    """One and three revolts in each region; and three regions full of them, while no border is empty."""
    for number in (1, 3):
        revolts = [board.at(region, face) for region in FACES for face in range(2, 2 + number)]
        yield legal(quiet(board).replace(discs=dict.fromkeys(revolts, REVOLT_DISC)))
    *five, sixth = board.borders
    emperors = [emperor.id for emperor in board.emperors]
    secured = {border: emperors[row % 4] for row, border in enumerate(five)}
    full = [place for region in (1, 2, 6) for place in board.members(region)]
    yield legal(quiet(board).replace(discs=secured | dict.fromkeys(full, REVOLT_DISC), armies=(sixth,)))


# -- games ---------------------------------------------------------------------------------------------------------

ENDS = {rules.Fall.NO_UNREST_LEFT: "unrest", rules.Fall.NO_REVOLT_LEFT: "revolts", rules.Fall.ARMY_IN_ROMA: "roma"}


def _game_ends(reserve: str, board: Board) -> Answer:
    reading = "" if reserve == "illegal" else f"?I-RESERVE={reserve}"
    bare = Position.parse(f"4200{reading} D:6 -/-/-/- 23 - - - -/-/-/-", board)
    inside = empire(board)
    *five, last = board.borders
    emperors = [emperor.id for emperor in board.emperors]
    secured = {border: emperors[1 + row % 3] for row, border in enumerate(five)}
    win = legal(bare.replace(discs=secured).with_emperor("diocletian", last))
    unrest = bare.replace(discs=dict.fromkeys(inside[:UNREST], UNREST_DISC))
    revolt = inside[UNREST]
    reduce = legal(unrest.with_disc(revolt, REVOLT_DISC).with_emperor("diocletian", revolt))
    phases = {
        "unrest": legal(barbarians(unrest)),
        "revolts": legal(barbarians(_crowded(board, bare))),
        "roma": legal(barbarians(_at_the_gates(board, bare))),
    }
    states, line = play(win, "secure")
    values: dict[str, Value] = {"secured.before": len(win.secured), "won": "yes" if states[-1].is_won else "no"}
    fallen = rules.objection(reduce, REDUCE) is None and isinstance(rules.play(reduce, REDUCE), rules.Fall)
    values["fallen.reduce"] = int(fallen)
    exclusive = all(
        not after.is_won
        for action in rules.legal_actions(reduce)
        if isinstance(after := rules.play(reduce, action), Position)
    ) and all(
        after.is_won == (action == SECURE)
        for action in rules.legal_actions(win)
        if isinstance(after := rules.play(win, action), Position)
    )
    for why, position in phases.items():
        ends = rules.outcomes(position)
        chance = ends.probability(lambda end, why=why: isinstance(end, rules.Fall) and ENDS[end] == why)  # type: ignore[misc]
        values[f"fallen.{why}"] = exact(chance)
        exclusive = exclusive and not any(isinstance(end, Position) and end.is_won for end, _ in ends.items())
    values["exclusive"] = "yes" if exclusive else "no"
    happen = all(values[f"fallen.{why}"] != 0 for why in phases)
    right = states[-1].is_won and happen and exclusive and fallen == (reserve == "falls")
    return Answer(values, right, (line, *map(str, (reduce, *phases.values()))))


def _crowded(board: Board, bare: Position) -> Position:
    """All revolts on the board, and an unrest beside one, over the first normal link inside the Empire."""
    inside = empire(board)
    for front, beside in permutations(inside, 2):
        link = board.link(front, beside)
        if link is not None and not link.broken:
            others = [place for place in inside if place not in (front, beside)]
            revolts = dict.fromkeys((front, *others[: REVOLTS - 1]), REVOLT_DISC)
            return bare.replace(discs={**revolts, beside: UNREST_DISC})
    raise NotHereError("no normal link is inside the Empire")


def _at_the_gates(board: Board, bare: Position) -> Position:
    """An army before Roma, on a normal link."""
    for place in board.ids:
        link = board.link(place, board.roma)
        if (
            board[place].arrow == board.roma
            and place in board.distance_to_roma
            and link is not None
            and not link.broken
        ):
            return bare.replace(armies=(place,)).with_disc(place, REVOLT_DISC)
    raise NotHereError("no normal link leads an army to Roma")


# -- a border lost -------------------------------------------------------------------------------------------------


def _border_lost(board: Board) -> Answer:
    """The first border from which an army can be attacked that stands on a Barbarian path."""
    for border in board.borders:
        links, on_a_path = board.neighbours(border), board.distance_to_roma
        army = next((p for p in board.ids if p in links and p in on_a_path and p != board.roma), None)
        if army is None or board[army].is_border:
            continue
        lines, values = [], dict[str, Value](border=border)
        for reading in ("removed", "stays"):
            given = "?I-BORDER-DEFEAT=removed" if reading == "removed" else ""
            bare = Position.parse(f"4200{given} D:6 -/-/-/- 23 - - - -/-/-/-", board)
            on_it = bare.replace(armies=(army,), discs={army: REVOLT_DISC, border: "diocletian"})
            start = legal(on_it.with_emperor("diocletian", border))
            states, line = play(start, f"attack {army}: {Outcome.DEFEAT}")
            lines.append(line)
            chance = rules.battle(start, "diocletian", army).chances()[Outcome.DEFEAT]
            values |= {"chance": exact(Fraction(chance, 36)), f"{reading}.before": len(start.secured)}
            values[f"{reading}.after"] = len(states[-1].secured)
        right = values["removed.after"] != values["removed.before"] and values["stays.after"] == values["stays.before"]
        return Answer(values, right, tuple(lines))
    raise NotHereError("no army can be attacked from a border")


# -- the facts -----------------------------------------------------------------------------------------------------

SECURED = Topic(
    id="border/secured",
    family="invariants",
    title="Secured borders stay secured",
    how="Induction: every primitive change, at every place with up to three things where the claim holds.",
    certificate="",
    rows=("arrows",),
    certify=None,
    derive=lambda board: {"": values_of(board, STAYS)},
    say=lambda _, values: (
        "A border that is secured stays secured for ever, where a defeat there leaves its garrison."
        if values["holds"] == "yes"
        else "On this board a secured border can be lost."
    ),
    ruleset="every ruleset of the base game with I-BORDER-DEFEAT=stays",
    certainty="proved",
)
LOST = statements(
    "border/lost",
    "Secured borders do not stay secured under the other reading",
    "An attack from a secured border is lost under both readings of I-BORDER-DEFEAT.",
    ("links", "arrows", "kinds"),
    {
        "": Statement(
            8,
            _border_lost,
            "where a defeat removes the garrison of a border, {border} can be lost, with a chance of {chance} in this position;"
            " under the other reading it stays.",
        )
    },
)
TURN = statements(
    "ends/turn",
    "Every turn ends",
    "A number that every action lowers: twice the IP, and one more off the board; the price of each case of an action.",
    ("links", "kinds", "zones"),
    {
        "": Statement(
            7,
            _turn_ends,
            "each action lowers a number that is {measure} at most, so no turn has more than {most} actions, and one has {shown}.",
        )
    },
    certainty="proved",
    effort=0.3,
)
PHASE = statements(
    "ends/phase",
    "Every Barbarian phase ends with probability one",
    "The steps have an order in which none comes back but an echo, and an echo comes back only where dice name a revolt.",
    ("links", "kinds", "regions", "numbers", "arrows", "printed"),
    {
        "": Statement(
            10,
            _phase_ends,
            "after an uprising at most {again} of {dice} throws bring another, so a chain of them without end has chance 0;"
            " no other step comes back, and the likeliest of {echoes} echoes is followed by another one with {worst}.",
        )
    },
    certainty="proved",
)
GAME = statements(
    "ends/game",
    "How games end",
    "A position for each end, every action and every result of the phase there.",
    ("links", "kinds", "arrows", "printed", "numbers"),
    {
        reserve: Statement(
            11,
            partial(_game_ends, reserve),
            "the sixth border wins at once; want of unrest ({fallen.unrest} in this position), want of revolts ({fallen.revolts})"
            f" and an army in Roma ({{fallen.roma}}) end the Empire, {words}; no end is both.",
        )
        for reserve, words in (
            ("illegal", "and no action of an Emperor does"),
            ("falls", "and so does a revolt reduced when no unrest is left"),
        )
    },
    effort=0.1,
)
TOPICS = (SECURED, LOST, TURN, PHASE, GAME)
