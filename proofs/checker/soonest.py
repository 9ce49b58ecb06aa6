"""The fewest turns in which a game can be won: a bound for all dice, and a game that takes no longer.

One fact has the kindest set-ups of all levels, a game for each. The others are about harsh set-ups with some number of
additional revolts. Their bound is made with a fleet in every zone, and no army counts in it, so it holds at every level with so
many; their game has a single fleet and no army.

The bound is by free tours, see `freetours`; for a set-up that is stated they have to hush its revolts too.

The game is carried out by the rules of both phases, from a set-up that the level can have. The dice are the kindest: broken
links never hold, and activity comes where it does nothing. A certificate may come without one: then the bound alone is proved.
"""

import re
from collections.abc import Iterator
from itertools import product

from barbarian import Fallen, Phase, Roll, Scene, Step
from board import Board
from claim import read_position
from claimed import Fact
from freetours import least_turns
from maps import row
from phasetext import USUAL
from rules import IP_A_TURN, ON, WON, State, Turn
from text import Lines, Refuted, Unreadable

GARRISONS = 3  # with the fewest that a level gives; what is done with them can be done with more

Places = frozenset[str]
Faces = dict[str, list[int]]  # of the dice of a phase, by what they answer


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    if fact.id == "victory-soonest":
        values: dict[str, str] = {}
        for level in map("".join, product("123", "012", "012")):
            _, most = read_game(lines, board, level, f"-{level}")
            found = bounds(least_turns(board, int(level[0]), Places(), most), most)
            values |= {f"{path}.{level}": value for path, value in found.items()}
        return values
    if fact.kind != "victory-harsh" or fact.instance not in ("0", "1", "2"):
        raise lines.refuted(f"there is no fact {fact.id}")
    begin, most = read_game(lines, board, f"1{fact.instance}0", "")
    if begin is None:
        raise lines.refuted("a harsh set-up has to be stated")
    revolts = begin.table.revolts - set(board.arrow.values())
    shown = {"revolts": row(sorted(begin.table.revolts, key=board.row.__getitem__))}
    return shown | bounds(least_turns(board, len(board.all_zones), revolts, most), most)


def bounds(least: int | None, most: int | None) -> dict[str, str]:
    """One number where the bound and the game meet, else both."""
    if least is not None and least == most:
        return {"turns": str(least)}
    return {"least": str(least or "unknown"), "most": str(most or "unknown")}


# -- the game --------------------------------------------------------------------------------------------------


def read_game(lines: Lines, board: Board, level: str, end: str) -> tuple[State | None, int | None]:
    """How the game begins, and how many turns it takes; none where there is no game, or only a beginning.

    The names of its sections end so.
    """
    begin = list(lines.section(f"start{end}"))
    if len(begin) > 1:
        raise lines.unreadable("expected one position to begin with")
    if not begin:
        if list(lines.section(f"dice{end}")) or list(lines.section(f"turns{end}")):
            raise lines.unreadable("expected neither dice nor turns without a beginning")
        return None, None
    try:
        turn, state = read_position(begin[0], board)
    except Unreadable as error:
        raise lines.unreadable(str(error)) from None
    why = no_set_up(board, begin[0], turn, state, level)
    if why:
        raise lines.refuted(f"no game at a level {GARRISONS}{level} begins so: {why}")
    beginning = state
    dice = read_faces(lines, f"dice{end}")
    plans: list[str] = []
    carry_out(lines, board, turn, state, collected(lines, f"turns{end}", plans), faces_of(dice))
    for number in dice:  # the same dice a turn sooner would be another text of the same game
        sooner = {number - 1 if other == number else other: faces for other, faces in faces_of(dice).items()}
        if number > 2 and len(sooner) == len(dice) and is_won(lines, board, turn, state, plans, sooner):
            raise lines.refuted(f"the dice before turn {number} could come a turn sooner")
    return beginning, len(plans) or None


def collected(lines: Lines, section: str, plans: list[str]) -> Iterator[str]:
    """The plans of a section, which are put down as they come."""
    for line in lines.section(section):
        plans.append(line)
        yield line


def faces_of(dice: dict[int, Faces]) -> dict[int, Faces]:
    """The same dice, not yet rolled."""
    return {number: {word: list(row) for word, row in faces.items()} for number, faces in dice.items()}


def is_won(lines: Lines, board: Board, turn: Turn, state: State, plans: list[str], dice: dict[int, Faces]) -> bool:
    """Whether these plans would win with these dice."""
    try:
        carry_out(lines, board, turn, state, iter(plans), dice)
    except Refuted:
        return False
    return True


def carry_out(
    lines: Lines, board: Board, turn: Turn, state: State, plans: Iterator[str], dice: dict[int, Faces]
) -> None:
    """All turns and the phases between them; refuted unless the last turn wins, or there is none."""
    places: list[str | None] = [None] * len(board.emperors)
    turns, won = 0, False
    for plan in plans:
        if won:
            raise lines.refuted("the game was won before")
        if turns:
            faces = dice.pop(turns + 1, None)
            scene = one_phase(lines, Phase(board, turn.readings | USUAL), Scene(state.table, tuple(places)), faces)
            state, places = state._replace(table=scene.table), list(scene.places)
        active = turns % len(places)
        now = Turn(board, turn.readings, GARRISONS, active, places)
        state, won = play(lines, now, state._replace(ip=IP_A_TURN, place=places[active]), plan)
        places[active] = state.place
        turns += 1
    if dice:
        raise lines.refuted("there are dice for a phase that does not come")
    if turns and not won:
        raise lines.refuted("the game is not won with its last turn")


def no_set_up(board: Board, text: str, turn: Turn, state: State, level: str) -> str:
    """Why no game at a level can begin so; empty if one can."""
    table = state.table
    if text.partition(" ")[0] != f"{GARRISONS}{level}":  # the number of fleets is that of the level
        return "the level is another one"
    if turn.active != 0 or state.ip != IP_A_TURN or state.place is not None or turn.others:
        return f"{board.emperors[0]} begins, with {IP_A_TURN} IP, and all are off the board"
    if table.unrest or table.secured():
        return "there are discs other than revolts"
    if len(table.revolts) != len(board.borders) + int(level[1]) or not all(
        board.number[place] for place in table.revolts
    ):
        return "there is a revolt a region and so many more, none of them in Italia"
    if {board.region[place] for place in table.revolts if board.number[place] != 1} != {
        board.region[border] for border in board.borders
    }:
        return "the first revolt of a region is not on its number 1"
    if len(table.armies) != int(level[2]) or not table.armies <= board.borders:
        return "so many armies stand on borders"
    return ""


def play(lines: Lines, turn: Turn, state: State, plan: str) -> tuple[State, bool]:
    """A turn: the state where it ends, and whether the game is won."""
    end = ON
    for step in plan.split("; "):
        name, _, outcome = step.partition(": ")
        found = [
            way
            for action in turn.actions(state)
            for way in action.ways
            if (action.name, way.outcome) == (name, outcome)
        ]
        if end != ON or not found:
            raise lines.refuted(f"'{step}' is no legal action there")
        state, end = found[0].state, found[0].end
    if end not in (ON, WON) or (end == ON and not turn.may_stop(state)):
        raise lines.refuted("the turn may not end so")
    return state, end == WON


def read_faces(lines: Lines, section: str) -> dict[int, Faces]:
    """The dice of phases, by the number of the turn that comes after: for each question the faces, in their order."""
    found: dict[int, Faces] = {}
    for line in lines.section(section):
        number, _, rest = line.partition(" ")
        turn = lines.whole(number)
        if turn < 2 or turn <= max(found, default=0):
            raise lines.unreadable("expected a later turn than before, and not the first")
        found[turn] = {}
        for part in rest.split("; "):
            word, *faces = part.split(" ")
            if word not in ("activity", "echo", "check", "battle") or word in found[turn]:
                raise lines.unreadable("expected activity, echo, check or battle, each once, with its faces")
            if not faces or not all(re.fullmatch("[1-6]", face) for face in faces):
                raise lines.unreadable("expected faces from 1 to 6")
            found[turn][word] = list(map(int, faces))
    return found


def one_phase(lines: Lines, phase: Phase, scene: Scene, faces: Faces | None) -> Scene:
    """A Barbarian phase with these dice. Without any they do nothing: no link holds, activity leaves the table as it is."""
    step = phase.begin(scene)
    while not isinstance(step, Scene):
        if isinstance(step, Fallen):
            raise lines.refuted(f"the Empire falls before this turn ({step.why})")
        rolled = phase.roll(step)
        if faces is not None:
            step = stated(lines, rolled, faces)
            continue
        if rolled.word == "link":
            step = rolled.results[0]  # a link holds with 4 to 6
            continue
        quiet = [after for after in rolled.results if getattr(after, "scene", after) == step.scene]
        if rolled.word != "activity" or not quiet:
            raise lines.refuted("no dice leave the table as it is before this turn")
        step = quiet[0]
    if any((faces or {}).values()):
        raise lines.refuted("there are more dice than the phase before this turn asks for")
    return step


def stated(lines: Lines, rolled: Roll, faces: Faces) -> Step:
    """What follows the next faces that answer this question."""
    left = faces.get({"link": "check", "province": "echo"}.get(rolled.word, rolled.word), [])
    many = 2 if len(rolled.results) == 36 else 1
    if len(left) < many:
        raise lines.refuted(f"there are no dice left for {rolled.word} before this turn")
    number = 0
    for _ in range(many):
        number = 6 * number + left.pop(0) - 1
    first = rolled.results.index(rolled.results[number])
    if first != number:  # so that a phase has one text
        raise lines.refuted(
            f"the first dice that do so for {rolled.word} before this turn are number {first}, not {number}"
        )
    return rolled.results[number]
