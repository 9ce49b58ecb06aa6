"""Facts about single positions: the Barbarian phase is followed through all its dice, and its figures are read off.

`figures` gives the figures of a phase, `wait` compares an attack with waiting for one. The positions of the rulebook's
examples stand here, so that a certificate cannot put another position in their place.
"""

from fractions import Fraction
from itertools import product

from barbarian import FACES, Activity, Again, Clash, Echo, Phase, Scene, Solved, Step
from board import Board
from claim import read_position
from claimed import Fact
from combat import paths
from phasetext import read_phase, read_plain
from rules import MOST_UNREST, Table, Turn
from text import Lines, Unreadable

EXAMPLES = {
    "ambush": "4211 M:b bit/pin/aqu/cis 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal",
    "fight": "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal",
    "movement": "4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-",
}


def stated(lines: Lines, board: Board, text: str) -> tuple[Phase, Scene]:
    """A position before a Barbarian phase, whatever IP are left."""
    words = text.split(" ")
    try:
        read_phase_text = " ".join((words[0], words[1].partition(":")[0] + ":b", *words[2:]))
        return read_phase(read_phase_text, board)
    except (Unreadable, IndexError) as error:
        raise lines.unreadable(f"position: {error}") from None


# -- figures ---------------------------------------------------------------------------------------------------


def figures(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """What one phase can do to a position."""
    text = fact.fields["position"]
    if fact.kind == "phase-example":
        if EXAMPLES.get(fact.instance) != text:
            raise lines.refuted("this is not the position of that example")
    elif fact.id in FALLS:
        FALLS[fact.id](lines, board, text)
    else:
        raise lines.refuted(f"no figures of a phase give facts of the kind {fact.kind}")
    phase, scene = stated(lines, board, text)
    solved = phase.solve(phase.begin(scene))
    lost = sum((chance for end, chance in solved.ends.items() if not isinstance(end, Scene)), Fraction(0))
    if fact.id in FALLS:
        discs = {"revolts": str(len(scene.table.revolts)), "unrest": str(len(scene.table.unrest)), "lost": str(lost)}
        return discs | ({"bound": most_unrest_falls(board)} if fact.id == "fall-unrest" else {})
    open_ends = {end: chance for end, chance in solved.ends.items() if isinstance(end, Scene)}
    first, uprisings, arrivals = count_uprisings(phase, solved)
    return {
        "uprising": str(first),
        "uprisings": str(uprisings),
        "lost": str(lost),
        "army": str(arrivals),
        "revolts": str(sum((chance * len(end.table.revolts) for end, chance in open_ends.items()), Fraction(0))),
        "outcomes": str(len(open_ends) + (lost > 0)),
    }


def count_uprisings(phase: Phase, solved: Solved) -> tuple[Fraction, Fraction, Fraction]:
    """The chance of at least one uprising, the number of uprisings expected, and the chance that an army comes."""
    first = more = arrivals = Fraction(0)
    for step, visits in solved.visits.items():
        if isinstance(step, Activity):
            first += visits * Fraction(risers(phase, step.scene, FACES), 36)
        elif isinstance(step, Echo):
            again = [region for region in FACES if isinstance(phase.echo(step.scene, region), Again)]
            more += visits * Fraction(risers(phase, step.scene, again), 36)
            arrivals += visits * Fraction(6 - len(again), 6)
    return first, first + more, arrivals


def risers(phase: Phase, scene: Scene, regions: object) -> int:
    """Of the 36 provinces that two dice can name, how many of these regions are in revolt."""
    return sum(phase.at[pair] in scene.table.revolts for pair in product(regions, FACES))  # type: ignore[call-overload]


# -- falls -----------------------------------------------------------------------------------------------------


def check_domino(lines: Lines, board: Board, text: str) -> None:
    """One revolt, nothing else but unrest: without unrest nobody falls from one."""
    table = only_discs(lines, board, text)
    if len(table.revolts) != 1 or not table.unrest:
        raise lines.refuted("expected one revolt, and unrest")


def check_unrest(lines: Lines, board: Board, text: str) -> None:
    """All unrest and no revolt. A phase places one unrest at most, so with less on the map it cannot fall short."""
    table = only_discs(lines, board, text)
    if table.revolts or len(table.unrest) != MOST_UNREST:
        raise lines.refuted("expected all unrest, and no revolt")


def only_discs(lines: Lines, board: Board, text: str) -> Table:
    """A table with no figures of either side, and no garrisons."""
    try:
        scene = read_plain(text, board)[1]
    except Unreadable as error:
        raise lines.unreadable(f"position: {error}") from None
    if scene.table.armies or any(scene.table.garrisons) or any(scene.places):
        raise lines.refuted("expected revolts or unrest, and nothing else")
    return scene.table


def most_unrest_falls(board: Board) -> str:
    """The Empire falls when dice name a province without any disc: as much unrest as can be lies where they name nothing."""
    named = sum(number > 0 for number in board.number.values())
    hidden = len(board.provinces) - len(board.borders) - named
    return str(Fraction(named - max(0, MOST_UNREST - hidden), 36))


FALLS = {"fall-domino": check_domino, "fall-unrest": check_unrest}


# -- attacking or waiting --------------------------------------------------------------------------------------


def wait(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """An attack from where the active Emperor stands, and what comes of waiting where the army goes."""
    army, text = fact.fields["army"], fact.fields["position"]
    try:
        claimed = read_position(text, board)
    except Unreadable as error:
        raise lines.unreadable(f"position: {error}") from None
    turn, start = claimed
    if fact.kind == "wait-example":
        meant = EXAMPLES.get(fact.instance) == text and army == "narbonensis"
    else:
        meant = fact.kind == "wait-alone" and fact.instance == army and is_alone(board, claimed.turn, text, army)
    if not meant or army not in start.table.armies:
        raise lines.refuted("this is not the position that the fact speaks of")
    assert start.place is not None  # as he stands in each of these positions
    price, target = turn.link_cost(start.table, start.place, army), board.arrow.get(army)
    if price is None or target is None:
        raise lines.refuted("the Emperor cannot attack the army from here, or it goes nowhere")
    values = {"attack.ip": str(price), "attack.from": start.place, "wait.in": target}
    for word, count in zip(OUTCOMES, turn.odds(start.place, start.table, army), strict=True):
        values[f"attack.{word}"] = str(Fraction(count, 36))
    phase, scene = stated(lines, board, text)
    places = tuple(target if index == turn.active else place for index, place in enumerate(scene.places))
    if places.count(target) > 1 or target in scene.table.armies:
        raise lines.refuted("he cannot wait there")
    met = battles(phase, phase.solve(phase.begin(scene._replace(places=places))), army, turn.active)
    for word, chance in zip(OUTCOMES, met, strict=True):
        values[f"wait.{word}"] = str(chance)
    values["wait.none"] = str(1 - sum(met))
    return values


OUTCOMES = ("victory", "draw", "defeat")


def is_alone(board: Board, turn: Turn, text: str, army: str) -> bool:
    """Whether the first Emperor stands where the army goes, and nothing else is on the map but a revolt under the army."""
    if army not in paths(board) or army not in board.arrow:
        return False
    code = board.code[army]
    revolt = "-" if army in board.borders else code
    place = board.code[board.arrow[army]]
    return turn.active == 0 and text == f"4211 {board.letters[0]}:6 {place}/-/-/- 23 {code} {revolt} - -/-/-/-"


def battles(phase: Phase, solved: Solved, army: str, emperor: int) -> list[Fraction]:
    """The chances of victory, draw and defeat of this Emperor when this army attacks him."""
    met = [Fraction(0)] * 3
    for step, visits in solved.visits.items():
        if isinstance(step, Clash) and step.armies[0] == army and phase_target(phase, step, emperor):
            turn = Turn(phase.board, phase.readings, 0, emperor, list(step.scene.places))
            counts = turn.odds(phase.board.arrow[army], step.scene.table, army)
            met = [chance + visits * Fraction(count, 36) for chance, count in zip(met, counts, strict=True)]
    return met


def phase_target(phase: Phase, step: Step, emperor: int) -> bool:
    """Whether it is this Emperor who is in the way."""
    assert isinstance(step, Clash)
    return step.scene.places[emperor] == phase.board.arrow[step.armies[0]]
