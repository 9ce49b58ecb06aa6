"""The fewest turns in which a game can be won: a bound for all dice, and a game that takes no longer.

One fact has the kindest set-ups of all levels, a game for each. The others are about harsh set-ups with some number of
additional revolts. Their bound is made with a fleet in every zone, and no army counts in it, so it holds at every level with so
many; their game has a single fleet and no army.

The bound is by free tours, see `freetours`; for a set-up that is stated they have to subdue its revolts too.

The game is carried out by the rules of both phases, from a set-up that the level can have. The dice are the kindest: broken
links never hold, and activity comes where it does nothing. A certificate may come without one: then the bound alone is proved.
"""

import re
from itertools import product

from barbarian import Phase
from board import Board
from claim import read_position
from claimed import Fact
from freetours import least_turns
from maps import row
from phasesteps import Fallen, Scene
from played import steps
from rules import IP_A_TURN, ON, USUAL, WON, State, Turn
from text import Lines, Unreadable

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
    start = begun(lines, board, begin[0], level) if begin else None
    dice = read_faces(lines, f"dice{end}")
    places: list[str | None] = [None] * len(board.emperors)
    state, turns, won = start, 0, False
    for plan in lines.section(f"turns{end}"):
        if state is None or won:
            raise lines.refuted("the game was won before, or has not begun")
        if turns:
            scene = one_phase(lines, board, Scene(state.table, tuple(places)), dice.pop(turns + 1, None))
            state, places = state._replace(table=scene.table), list(scene.places)
        active = turns % len(places)
        turn = Turn(board, USUAL, GARRISONS, active, places)
        state, won = play(lines, turn, state._replace(ip=IP_A_TURN, place=places[active]), plan)
        places[active] = state.place
        turns += 1
    if len(begin) > 1 or dice:
        raise lines.refuted("there is more than one beginning, or there are dice for a phase that does not come")
    if turns and not won:
        raise lines.refuted("the game is not won with its last turn")
    return start, turns or None


def begun(lines: Lines, board: Board, text: str, level: str) -> State:
    """The set-up in which a game begins, which must be one of its level."""
    try:
        turn, state = read_position(text, board)
    except Unreadable as error:
        raise lines.unreadable(str(error)) from None
    why = no_set_up(board, text, turn, state, level)
    if why:
        raise lines.refuted(f"no game at a level {GARRISONS}{level} begins so: {why}")
    return state


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
    for _, _, way in steps(lines, turn, state, plan.split("; ")):
        state, end = way.state, way.end
    if end not in (ON, WON) or (end == ON and not turn.may_stop(state)):
        raise lines.refuted("the turn may not end so")
    return state, end == WON


def read_faces(lines: Lines, section: str) -> dict[int, Faces]:
    """The dice of phases, by the number of the turn that comes after: for each question the faces, in their order."""
    found: dict[int, Faces] = {}
    for line in lines.section(section):
        number, _, rest = line.partition(" ")
        turn = lines.whole(number)
        if turn in found:
            raise lines.unreadable("expected the number of a turn, each once, and dice")
        found[turn] = {}
        for part in rest.split("; "):
            word, *faces = part.split(" ")
            if word in found[turn] or not faces or not all(re.fullmatch("[1-6]", face) for face in faces):
                raise lines.unreadable("expected questions, each once, with faces from 1 to 6")
            found[turn][word] = list(map(int, faces))
    return found


def one_phase(lines: Lines, board: Board, scene: Scene, faces: Faces | None) -> Scene:
    """A Barbarian phase with these dice. Without any they do nothing: no link holds, activity leaves the position as it is."""
    phase = Phase(board, USUAL)
    step = phase.begin(scene)
    while not isinstance(step, Scene):
        if isinstance(step, Fallen):
            raise lines.refuted(f"the Empire falls before this turn ({step.why})")
        word, results = phase.roll(step)
        if faces is not None:
            left = faces.get({"link": "check", "province": "echo"}.get(word, word), [])
            thrown = [left.pop(0) - 1 for _ in range(2 if len(results) == 36 else 1) if left]
            if 6 ** len(thrown) != len(results):
                raise lines.refuted(f"there are no dice left for {word} before this turn")
            step = results[thrown[0] if len(thrown) == 1 else 6 * thrown[0] + thrown[1]]
        elif word == "link":
            step = results[0]  # a link holds with 4 to 6
        else:
            quiet = [after for after in results if getattr(after, "scene", after) == step.scene]
            if word != "activity" or not quiet:
                raise lines.refuted("no dice leave the position as it is before this turn")
            step = quiet[0]
    if any((faces or {}).values()):
        raise lines.refuted("there are more dice than the phase before this turn asks for")
    return step
