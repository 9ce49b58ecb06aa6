"""What positions show: the worked examples of the rulebook, and how turns, phases and games come to their ends.

A line of the certificate is a position, and after each semicolon an action that is played there. A function first makes sure
that the position is the one that its statement is about, then runs the rules, and gives the numbers that it finds.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from barbarian import FACES, Activity, Again, Clash, Echo, Fallen, Phase, Scene, Uprising, late
from bare import Answer, Statement
from board import Board
from claim import MOST_REVOLTS, read_position
from phasetext import read_phase
from rules import FALLEN, IP_A_TURN, WON, State, Turn, Way, odds
from text import Unreadable
from tried import falls


class Played(NamedTuple):
    """A turn, the states from the start on, and how the last action ended."""

    turn: Turn
    states: list[State]
    names: list[str]
    way: Way | None

    @property
    def emperor(self) -> str:
        """Whose turn it is."""
        return self.turn.emperor


def demand(so: bool, what: str) -> None:
    """The position must be the one that is spoken of."""
    if not so:
        raise Unreadable(f"expected a position where {what}")


def played(line: str, board: Board) -> Played:
    """The actions of a line played one after the other; an attack says how it ends: ``attack dacia: draw``."""
    text, *names = line.split("; ")
    turn, start = read_position(text, board)
    states, way = [start], None
    for name in names:
        what, _, outcome = name.partition(": ")
        found = [w for a in turn.actions(states[-1]) if a.name == what for w in a.ways if w.outcome == outcome]
        demand(len(found) == 1, f"'{name}' can be played")
        way = found[0]
        states.append(way.state)
    return Played(turn, states, names, way)


def barbarians(line: str, board: Board) -> tuple[Phase, Scene]:
    """The Barbarian phase of a position."""
    return read_phase(line, board)


# -- moving (page 7) -----------------------------------------------------------------------------------------------


def movement(board: Board, lines: list[str]) -> Answer:
    """By sea for 1 IP past another Emperor, over difficult ground into a revolt for 3, and 2 are left to remove it."""
    (line,) = lines
    turn, states, names, _ = game = played(line, board)
    first = states[0].table
    demand(game.emperor == "diocletian" and states[0].place == "bithynia", "Diocletian is in Bithynia")
    demand(states[0].ip == IP_A_TURN and 3 in first.fleets, "he has all his IP, and a fleet is in zone 3")
    demand("macedonia" in turn.others and "dalmatia" in first.revolts, "another is in Macedonia, a revolt in Dalmatia")
    demand(names == ["move macedonia", "move dalmatia", "remove"], "he goes to Macedonia and Dalmatia, and removes")
    costs = [a.ip - b.ip for a, b in pairwise(states)]
    values: dict[str, object] = {
        "by-sea": costs[0],
        "into-the-revolt": costs[1],
        "left": states[2].ip,
        "remove": costs[2],
        "may-stay": turn.may_stop(states[1]),
    }
    return values, costs == [1, 3, 2] and states[2].ip == 2 and not turn.may_stop(states[1])


# -- battles (pages 8 and 9) ---------------------------------------------------------------------------------------


class Told(NamedTuple):
    """A battle as the rulebook tells it: who attacks from where whom, what else is so, and the numbers it gives.

    `told` are what is added to the Roman die, how often his value is doubled, the same of the Barbarians, and the IP; None
    where it says nothing.
    """

    emperor: str
    place: str
    army: str
    told: tuple[int | None, ...]
    so: Callable[[Turn, State], bool] = lambda _, __: True


BATTLES = {
    "attack": Told("maximian", "germania_superior", "narbonensis", (3, 1, 7, 0, 2)),
    "cisalpina": Told("maximian", "cisalpina", "narbonensis", (3, 1, 7, 0, 3)),
    "diocletian": Told(
        "maximian",
        "germania_superior",
        "narbonensis",
        (3, 2, 7, 0, 2),
        lambda turn, _: "lugdunensis" in turn.others,
    ),
    "rhaetia": Told(
        "maximian",
        "germania_superior",
        "narbonensis",
        (3, 1, 7, 1, 2),
        lambda _, state: "rhaetia" in state.table.armies,
    ),
    "constantius": Told("constantius", "aquitania", "narbonensis", (1, 1, 7, 0, None)),
    "tarraconensis": Told(
        "constantius",
        "tarraconensis",
        "narbonensis",
        (None, None, 1, None, None),
        lambda _, state: "tarraconensis" not in state.table.discs(),
    ),
    "pannonia": Told("maximian", "pannonia_superior", "rhaetia", (3, None, None, None, None)),
}


def battle(name: str, board: Board, lines: list[str]) -> Answer:
    """The numbers of a battle, and of 36 throws how many win, draw and lose it."""
    (line,) = lines
    told = BATTLES[name]
    game = played(line, board)
    turn, state = game.turn, game.states[-1]
    demand(game.emperor == told.emperor and state.place == told.place, f"{told.emperor} is in {told.place}")
    demand(told.army in state.table.armies and told.so(turn, state), f"an army is in {told.army}, and so on")
    if name == "tarraconensis":
        before = turn.strengths(told.place, game.states[0].table, told.army)[2]
        demand(game.names == ["remove"] and before == 7, "he subdues the province, and 7 revolts are together before")
    strengths = turn.strengths(told.place, state.table, told.army)
    ip = turn.link_cost(state.table, told.place, told.army)
    values: dict[str, object] = dict(zip(NUMBERS, (*strengths, ip), strict=True))
    values |= dict(zip(("victory", "draw", "defeat"), odds(*strengths), strict=True))
    if name == "pannonia":
        own = state.table.garrisons[turn.active] | turn.board.printed[turn.emperor] - state.table.discs()
        groups = sorted({turn.largest_group({start}, own) for start in turn.linked[told.place] & own})
        values["groups"] = [f"of-{size}" for size in groups]
        return values, strengths[0] == max(groups) == 3 and groups == [1, 3]
    right = all(said is None or said == found for said, found in zip(told.told, (*strengths, ip), strict=True))
    return values, right


ZERO = Fraction(0)
NUMBERS = ("garrisons", "emperors", "revolts", "armies", "ip")

# -- waiting for an army (page 11) ---------------------------------------------------------------------------------


def waiting(lines: list[str], board: Board) -> tuple[tuple[int, ...], Phase, Scene]:
    """The numbers of Maximian's attack from Cisalpina, and the phase in which he waits there instead."""
    attack, wait = lines
    game = played(attack, board)
    state = game.states[0]
    phase, scene = barbarians(wait, board)
    demand(game.emperor == "maximian" and state.place == "cisalpina", "Maximian attacks from Cisalpina")
    demand(scene.table == state.table and scene.places[game.turn.active] == "cisalpina", "he waits at the same table")
    demand("narbonensis" in scene.table.armies and board.arrow["narbonensis"] == "cisalpina", "the army comes his way")
    demand(sorted(filter(None, scene.places)) == sorted([state.place or "", *game.turn.others]), "all stand the same")
    return game.turn.strengths("cisalpina", state.table, "narbonensis"), phase, scene


def same_values(board: Board, lines: list[str]) -> Answer:
    """The combat values do not depend on who attacks."""
    strengths, phase, scene = waiting(lines, board)
    throws = list(phase.clash(scene, ("narbonensis",)))  # of the army alone, on the table as it is
    won = sum(isinstance(end, Scene) and not end.table.armies & {"narbonensis", "cisalpina"} for end in throws)
    values: dict[str, object] = dict(zip(NUMBERS[:4], strengths, strict=True))
    values |= {"attack.victory": odds(*strengths)[0], "wait.victory": won}
    return values, odds(*strengths)[0] == won


def arrives(board: Board, lines: list[str]) -> Answer:
    """The attack on him who waits comes with a chance of 50%."""
    _, phase, scene = waiting(lines, board)
    comes = sum((chance for _, _, chance in clashes(phase, scene)), Fraction(0))
    return {"comes": comes}, comes == Fraction(1, 2)


def same_turn(board: Board, lines: list[str]) -> Answer:
    """The numbers are still the same when the attack comes, after revolts and activity."""
    strengths, phase, scene = waiting(lines, board)
    sums = {"comes": Fraction(0), "victory": Fraction(0), "defeat": Fraction(0)}
    for step, army, chance in clashes(phase, scene):
        leader = step.places.index("cisalpina")
        turn = Turn(board, phase.readings, 0, leader, list(step.places))
        victory, _, defeat = odds(*turn.strengths("cisalpina", step.table, army))
        sums["comes"] += chance
        sums["victory"] += chance * victory / 36
        sums["defeat"] += chance * defeat / 36
    attack = odds(*strengths)
    values: dict[str, object] = {
        "attack.victory": Fraction(attack[0], 36),
        "attack.defeat": Fraction(attack[2], 36),
        "wait.victory": sums["victory"],
        "wait.defeat": sums["defeat"],
        "wait.victory-if-it-comes": sums["victory"] / sums["comes"],
    }
    return values, values["attack.victory"] == values["wait.victory-if-it-comes"]


def dice(board: Board, lines: list[str]) -> Answer:
    """There are two dice, and no roll takes more: not the attack, and none of the phase in which he waits."""
    _, phase, scene = waiting(lines, board)
    faces = {len(phase.roll(step).results) for step in phase.solve(phase.begin(scene)).visits}
    found = {{6: 1, 36: 2}[number] for number in faces | {36}}  # an attack takes two
    return {"least": min(found), "most": max(found)}, max(found) == 2


def clashes(phase: Phase, scene: Scene) -> Iterator[tuple[Scene, str, Fraction]]:
    """Where the army of Narbonensis attacks in this phase: the scene, the army, and the chance."""
    for step, visits in phase.solve(phase.begin(scene)).visits.items():
        if isinstance(step, Clash) and step.armies[0] == "narbonensis":
            yield step.scene, step.armies[0], visits


# -- the Barbarian phase (pages 9 to 11) ---------------------------------------------------------------------------


def domino(board: Board, lines: list[str]) -> Answer:
    """Unrest, unrest, revolt in a row become three revolts."""
    (line,) = lines
    phase, scene = barbarians(line, board)
    row = scene.table.revolts | scene.table.unrest
    demand(len(scene.table.revolts) == 1 and len(scene.table.unrest) == 2, "a revolt and two unrest lie")
    near = [place for place in row if scene.table.revolts & set(board.links[place])]
    demand(len(near) == 1 and near[0] in scene.table.unrest, "one unrest alone is linked to the revolt")
    ends = phase.solve(phase.begin(scene)).ends
    chance = sum((chance for end, chance in ends.items() if isinstance(end, Scene) and row <= end.table.revolts), ZERO)
    return {"three-revolts": chance}, chance == 1


def reached(board: Board, lines: list[str]) -> Answer:
    """An Emperor whom an uprising reaches is removed in the next phase only."""
    (line,) = lines
    phase, scene = barbarians(line, board)
    (revolt,) = scene.table.revolts
    emperor = next(index for index, place in enumerate(scene.places) if place is not None)
    place = scene.places[emperor]
    assert place is not None
    demand(place in board.links[revolt] and not scene.table.armies, "an Emperor is beside the revolt, and no army near")
    step = phase.begin(scene)
    demand(isinstance(step, Activity), "nothing spreads")
    after = phase.resolve(scene, revolt)
    while isinstance(after, Uprising):
        after = phase.roll(after).results[-1]
    demand(isinstance(after, Echo), "the uprising echoes")
    assert isinstance(after, Echo)
    under, stays = place in after.scene.table.revolts, after.scene.places[emperor] == place
    then = phase.begin(after.scene)
    gone = isinstance(then, Activity) and then.scene.places[emperor] is None
    return {"reached": under, "stays": stays, "removed-next": gone}, under and stays and gone


def chained(board: Board, lines: list[str]) -> Answer:
    """One uprising can bring another about."""
    (line,) = lines
    phase, scene = barbarians(line, board)
    first = next(phase.at[pair] for pair in sorted(phase.at) if phase.at[pair] in scene.table.revolts)
    after = phase.resolve(scene, first)
    while isinstance(after, Uprising):
        after = phase.roll(after).results[0]  # not linked
    demand(isinstance(after, Echo), "an uprising echoes")
    again = sum((chance for step, chance in phase.row(after).items() if isinstance(step, Echo)), ZERO)
    return {"again": again}, again > 0


# -- ends ----------------------------------------------------------------------------------------------------------


def turn_ends(board: Board, lines: list[str]) -> Answer:
    """Twice the IP, and one more off the board: each action lowers this number, so a turn has an end."""
    (line,) = lines
    game = played(line, board)
    demand(game.states[0].place is None and game.states[0].ip == IP_A_TURN, "an Emperor is off the board")
    fall = falls(board)
    measure = 2 * IP_A_TURN + 1
    most = 1 + (measure - fall["enter"]) // min(number for kind, number in fall.items() if kind != "enter")
    values: dict[str, object] = {f"falls.{kind}": number for kind, number in fall.items()}
    values |= {"measure": measure, "most": most, "shown": len(game.names)}
    return values, min(fall.values()) >= 1 and len(game.names) == most


def phase_ends(board: Board, lines: list[str]) -> Answer:
    """No step comes back but an echo, and at most 21 of 36 throws make an uprising echo again.

    There are 36 throws for 36 provinces, and 21 revolts. So a chain of uprisings goes on without end with chance 0, whatever
    lies on the table. That the steps have an order is tried wherever the positions lead.
    """
    echoes, worst = 0, ZERO
    named = 0
    for line in lines:
        phase, scene = barbarians(line, board)
        named = len(set(phase.at.values()))
        first = phase.begin(scene)
        known, waiting = {first}, [first]
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
    throws = len(FACES) ** 2
    values: dict[str, object] = {"dice": throws, "again": min(MOST_REVOLTS, named)}
    values |= {"echoes": echoes, "worst": worst}
    return values, named == throws > MOST_REVOLTS and worst <= Fraction(MOST_REVOLTS, throws)


def border_lost(board: Board, lines: list[str]) -> Answer:
    """A defeat on a secured border takes its garrison under one reading and leaves it under the other."""
    values: dict[str, object] = {}
    for line, reading in zip(lines, ("removed", "stays"), strict=True):
        game = played(line, board)
        here = game.states[0].place
        assert game.way is not None
        demand(game.turn.readings["I-BORDER-DEFEAT"] == reading, f"the border's garrison is {reading}")
        demand(here in board.borders and game.way.outcome == "defeat", "an Emperor on a border is beaten")
        values["border"], values["chance"] = here, Fraction(game.way.share, 36)
        values[f"{reading}.before"] = len(game.states[0].table.secured() & board.borders)
        values[f"{reading}.after"] = len(game.states[-1].table.secured() & board.borders)
    lost = values["removed.after"] != values["removed.before"]
    return values, lost and values["stays.after"] == values["stays.before"]


ENDS = ("unrest", "revolts", "roma")


def game_ends(reserve: str, board: Board, lines: list[str]) -> Answer:
    """A game is won by securing, and lost for want of discs or by an army in Roma; never both."""
    win, reduce, *phases = lines
    game = played(win, board)
    assert game.way is not None
    demand(game.names == ["secure"], "the last border is secured")
    other = played(reduce, board)
    state = other.states[0]
    demand(other.turn.readings["I-RESERVE"] == reserve and state.place in state.table.revolts, "he is on a revolt")
    ways = [way for action in other.turn.actions(state) for way in action.ways]
    ends = [*ways, *(way for action in game.turn.actions(game.states[0]) for way in action.ways)]
    alike = all((way.end == WON) == (board.borders <= way.state.table.secured()) for way in ends)
    values: dict[str, object] = {
        "secured.before": len(game.states[0].table.secured() & board.borders),
        "won": game.way.end == WON,
        "fallen.reduce": sum(way.end == FALLEN for way in ways),
    }
    for why, line in zip(ENDS, phases, strict=True):
        phase, scene = barbarians(line, board)
        solved = phase.solve(phase.begin(scene)).ends
        values[f"fallen.{why}"] = solved.get(Fallen(why), ZERO)
        alike &= not any(isinstance(end, Scene) and board.borders <= end.table.secured() for end in solved)
    values["exclusive"] = alike
    happen = all(values[f"fallen.{why}"] != 0 for why in ENDS)
    return values, game.way.end == WON and happen and alike and values["fallen.reduce"] == int(reserve == "falls")


STATEMENTS: dict[str, tuple[int, Statement]] = {
    "book-movement": (7, movement),
    "book-battle/attack": (8, partial(battle, "attack")),
    "book-battle/cisalpina": (9, partial(battle, "cisalpina")),
    "book-battle/diocletian": (9, partial(battle, "diocletian")),
    "book-battle/rhaetia": (9, partial(battle, "rhaetia")),
    "book-battle/constantius": (9, partial(battle, "constantius")),
    "book-battle/tarraconensis": (9, partial(battle, "tarraconensis")),
    "book-battle/pannonia": (9, partial(battle, "pannonia")),
    "book-round/dice": (4, dice),
    "book-waiting/values": (11, same_values),
    "book-waiting/chance": (11, arrives),
    "book-waiting/turn": (11, same_turn),
    "book-barbarians/domino": (9, domino),
    "book-barbarians/chain": (10, chained),
    "book-barbarians/emperor": (11, reached),
    "turn-ends": (7, turn_ends),
    "phase-ends": (10, phase_ends),
    "border-lost": (8, border_lost),
    "game-ends/illegal": (11, partial(game_ends, "illegal")),
    "game-ends/falls": (11, partial(game_ends, "falls")),
}
