"""How turns, phases and games end, and a border that one reading of the rules lets go.

Each statement is shown by positions, and these are found here, by a rule that the board alone decides: the first border, the
first province with a normal link to Roma, and so on. So nobody else can choose a position of which something else is true.
The value `witness` is taken from the text of the positions; whoever quotes the numbers thereby says which positions they are of.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from barbarian import FACES, Again, Echo, Fallen, Phase, Scene, late
from board import Board
from claim import MOST_REVOLTS, write_table
from claimed import Fact
from phasetext import read_phase
from played import demand, played
from rules import FALLEN, IP_A_TURN, MOST_UNREST, WON, Table
from statements import written
from text import Lines, Unreadable, witness
from words import prices, table

Answer = tuple[Mapping[str, object], bool]  # the values, and whether the rulebook is right

ZERO = Fraction(0)
ENDS = ("unrest", "revolts", "roma")
FLEETS = frozenset({2, 3})


def provinces(board: Board) -> list[str]:
    """All Roman provinces, in their order."""
    return [place for place in board.provinces if place not in board.borders]


def position(
    board: Board,
    level: str,
    turn: str,
    *,
    at: str | None = None,
    armies: Iterable[str] = (),
    revolts: Iterable[str] = (),
    unrest: Iterable[str] = (),
    garrisons: Iterable[Iterable[str]] = ((), (), (), ()),
    fleets: frozenset[int] = FLEETS,
) -> str:
    """A position of the first Emperor as a line of text; nobody else is on the board."""
    four = tuple(map(frozenset, garrisons))
    table = Table(fleets, frozenset(armies), frozenset(revolts), frozenset(unrest), four)
    place = "-" if at is None else board.code[at]
    return f"{level} {board.letters[0]}:{turn} {place}/-/-/- {write_table(table, board)}"


def first(places: Iterable[str]) -> str:
    """The first of these places."""
    for place in places:
        return place
    raise Unreadable("this board has no such position")


# -- turns ---------------------------------------------------------------------------------------------------------


def long_turn(board: Board) -> list[str]:
    """An Emperor enters Roma with all his IP, and moves back and forth over a normal link."""
    near = first(place for place, broken in board.links[board.roma].items() if not broken)
    start = position(board, "5300", str(IP_A_TURN), fleets=frozenset({1, 2, 3}))
    walk = [f"move {near}", f"move {board.roma}"] * (IP_A_TURN // 2)
    return ["; ".join((start, f"enter {board.roma}", *walk))]


def falls(board: Board) -> dict[str, int]:
    """By how much each kind of action lowers twice the IP, with one more for an Emperor off the board, at least."""
    found = {"enter": 1}
    inside = provinces(board)
    for place in board.provinces:
        for fleets in ((), (1,), (2,), (3,), (1, 2, 3)):
            lies: tuple[dict[str, Any], ...] = (
                {},
                {"revolts": inside},
                {"unrest": inside},
                *({"armies": [army]} for army in board.links[place]),
            )
            for what in lies:
                for name, ip in prices(table(board, at=place, fleets=fleets, **what)).items():
                    kind = name.partition(" ")[0]
                    found[kind] = min(2 * ip, found.get(kind, 2 * ip))
    return found


def turn_ends(board: Board, lines: list[str]) -> Answer:
    """Twice the IP, and one more off the board: each action lowers this number, so a turn has an end."""
    (line,) = lines
    game = played(line, board)
    fall = falls(board)
    measure = 2 * IP_A_TURN + 1
    most = 1 + (measure - fall["enter"]) // min(number for kind, number in fall.items() if kind != "enter")
    values: dict[str, object] = {f"falls.{kind}": number for kind, number in fall.items()}
    values |= {"measure": measure, "most": most, "shown": len(game.states) - 1}
    return values, min(fall.values()) >= 1 and len(game.states) - 1 == most


# -- phases --------------------------------------------------------------------------------------------------------


def restless(board: Board) -> list[str]:
    """One and three revolts in each region; and three regions full of them, while no border is empty."""
    at = {(board.region[place], face): place for place, face in board.number.items() if face}
    found = [
        position(board, "4200", "b", revolts=[at[region, face] for region in FACES for face in range(2, 2 + number)])
        for number in (1, 3)
    ]
    *five, sixth = borders(board)
    four = [[border for row, border in enumerate(five) if row % 4 == emperor] for emperor in range(4)]
    full = [place for place in provinces(board) if board.region[place] in (1, 2, 6)]
    return [*found, position(board, "4200", "b", armies=[sixth], revolts=full, garrisons=four)]


def phase_ends(board: Board, lines: list[str]) -> Answer:
    """No step comes back but an echo, and at most 21 of 36 throws make an uprising echo again.

    There are 36 throws for 36 provinces, and 21 revolts. So a chain of uprisings goes on without end with chance 0, whatever
    lies on the table. That the steps have an order is tried wherever the positions lead.
    """
    echoes, worst = 0, ZERO
    named = 0
    for line in lines:
        phase, scene = read_phase(line, board)
        named = len(set(phase.at.values()))
        number, likeliest = followed(phase, scene)
        echoes, worst = echoes + number, max(worst, likeliest)
    throws = len(FACES) ** 2
    values: dict[str, object] = {"dice": throws, "again": min(MOST_REVOLTS, named)}
    values |= {"echoes": echoes, "worst": worst}
    return values, named == throws > MOST_REVOLTS and worst <= Fraction(MOST_REVOLTS, throws)


def followed(phase: Phase, scene: Scene) -> tuple[int, Fraction]:
    """All steps of a phase: how many echoes there are, and the likeliest chance of one to be followed by another."""
    echoes, worst = 0, ZERO
    begun = phase.begin(scene)
    known, waiting = {begun}, [begun]
    while waiting:
        step = waiting.pop()
        if isinstance(step, Scene | Fallen):
            continue
        # what names a province again is followed as a part of its echo
        for result in () if isinstance(step, Again) else phase.row(step):
            again = isinstance(step, Echo) and result == step
            demand(again or late(result) > late(step), f"steps have an order: after {step} comes {result}")
        if isinstance(step, Echo):
            echoes += 1
            chances = phase.row(step).items()
            worst = max(worst, sum((chance for result, chance in chances if isinstance(result, Echo)), ZERO))
        for result in phase.roll(step).results:
            if result not in known:
                known.add(result)
                waiting.append(result)
    return echoes, worst


# -- borders -------------------------------------------------------------------------------------------------------


def borders(board: Board) -> list[str]:
    """The borders in their order."""
    return [place for place in board.provinces if place in board.borders]


def from_a_border(board: Board) -> list[str]:
    """The first border from which an army can be attacked that stands on a Barbarian path, under both readings."""
    for border in borders(board):
        army = next((place for place in board.links[border] if on_a_path(board, place)), None)
        if army is not None and army not in board.borders:
            found = []
            for level in ("4200?I-BORDER-DEFEAT=removed", "4200"):
                garrisons = ((border,), (), (), ())
                text = position(board, level, "6", at=border, armies=[army], revolts=[army], garrisons=garrisons)
                found.append(f"{text}; attack {army}: defeat")
            return found
    raise Unreadable("no army can be attacked from a border")


def on_a_path(board: Board, place: str) -> bool:
    """Whether an army from a border can come here, on its way to Roma."""
    for border in board.borders:
        path = [border]
        while path[-1] in board.arrow and board.arrow[path[-1]] not in path:
            path.append(board.arrow[path[-1]])
        if place in path and place != board.roma and path[-1] == board.roma:
            return True
    return False


def border_lost(board: Board, lines: list[str]) -> Answer:
    """A defeat on a secured border takes its garrison under one reading and leaves it under the other."""
    values: dict[str, object] = {}
    for line, reading in zip(lines, ("removed", "stays"), strict=True):
        game = played(line, board)
        demand(game.turn.readings["I-BORDER-DEFEAT"] == reading, f"the border's garrison is {reading}")
        demand(game.way is not None and game.way.outcome == "defeat", "an Emperor on a border is beaten")
        values["border"], values["chance"] = game.states[0].place, Fraction(game.way.share if game.way else 0, 36)
        values[f"{reading}.before"] = len(game.states[0].table.secured() & board.borders)
        values[f"{reading}.after"] = len(game.states[-1].table.secured() & board.borders)
    lost = values["removed.after"] != values["removed.before"]
    return values, lost and values["stays.after"] == values["stays.before"]


# -- games ---------------------------------------------------------------------------------------------------------


def last_moments(reserve: str, board: Board) -> list[str]:
    """Before a victory, before a revolt is reduced with no unrest left, and before a phase that ends the Empire, three times."""
    level = "4200" if reserve == "illegal" else f"4200?I-RESERVE={reserve}"
    inside = provinces(board)
    *five, last = borders(board)
    four = [[], *([border for row, border in enumerate(five) if row % 3 == emperor] for emperor in range(3))]
    unrest, revolt = inside[:MOST_UNREST], inside[MOST_UNREST]
    front, beside = next((a, b) for a in inside for b in board.links[a] if b in inside and not board.links[a][b])
    others = [place for place in inside if place not in (front, beside)]
    gate = first(
        place
        for place in board.provinces
        if board.arrow.get(place) == board.roma
        and on_a_path(board, place)
        and board.links[place].get(board.roma) is False
    )
    make = partial(position, board, level)
    return [
        make("6", at=last, garrisons=four) + "; secure",
        make("6", at=revolt, unrest=unrest, revolts=[revolt]),
        make("b", unrest=unrest),
        make("b", revolts=[front, *others[: MOST_REVOLTS - 1]], unrest=[beside]),
        make("b", armies=[gate], revolts=[gate]),
    ]


def game_ends(reserve: str, board: Board, lines: list[str]) -> Answer:
    """A game is won by securing, and lost for want of discs or by an army in Roma; never both."""
    win, reduce, *phases = lines
    game, other = played(win, board), played(reduce, board)
    won = game.way is not None and game.way.end == WON
    ways = [way for action in other.turn.actions(other.states[0]) for way in action.ways]
    ends = [*ways, *(way for action in game.turn.actions(game.states[0]) for way in action.ways)]
    alike = all((way.end == WON) == (board.borders <= way.state.table.secured()) for way in ends)
    values: dict[str, object] = {
        "secured.before": len(game.states[0].table.secured() & board.borders),
        "won": won,
        "fallen.reduce": sum(way.end == FALLEN for way in ways),
    }
    for why, line in zip(ENDS, phases, strict=True):
        phase, scene = read_phase(line, board)
        solved = phase.solve(phase.begin(scene)).ends
        values[f"fallen.{why}"] = solved.get(Fallen(why), ZERO)
        alike &= not any(isinstance(end, Scene) and board.borders <= end.table.secured() for end in solved)
    values["exclusive"] = alike
    happen = all(values[f"fallen.{why}"] != 0 for why in ENDS)
    return values, won and happen and alike and values["fallen.reduce"] == int(reserve == "falls")


# -- all of them ---------------------------------------------------------------------------------------------------

Shown = Callable[[Board], list[str]]
Told = Callable[[Board, list[str]], Answer]

# For each fact how its positions are found, and what is worked out from them
STATEMENTS: dict[str, tuple[Shown, Told]] = {
    "ends/turn": (long_turn, turn_ends),
    "ends/phase": (restless, phase_ends),
    "border/lost": (from_a_border, border_lost),
    "ends/game/illegal": (partial(last_moments, "illegal"), partial(game_ends, "illegal")),
    "ends/game/falls": (partial(last_moments, "falls"), partial(game_ends, "falls")),
}


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    if fact.id not in STATEMENTS:
        raise lines.refuted(f"there is no fact {fact.id}")
    shown, told = STATEMENTS[fact.id]
    positions = shown(board)
    values, right = told(board, positions)
    proved = {path: written(value) for path, value in values.items()}
    return proved | {"witness": witness(positions), "verdict": "confirmed" if right else "refuted"}
