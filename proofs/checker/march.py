"""How many phases an army that nothing blocks needs from a border to Roma.

The certificate lists the provinces on its way, each with the number of phases that are expected from there. That the
numbers are right can be seen province by province: each must be one phase more than the mean over where that phase leads.
From the last province, which an army leaves with a chance above zero, only one row of numbers fits.
"""

from fractions import Fraction

from barbarian import Fallen, Phase, Scene
from board import Board
from claimed import Fact
from phasetext import USUAL
from rules import Table
from text import Lines

LISTED = 10  # phases beyond the fewest


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    if fact.kind != "march" or fact.instance not in board.borders:
        raise lines.refuted(f"there is no fact {fact.id}")
    states: dict[str, Fraction] = {}
    for line in lines.section("states"):
        place, _, text = line.partition(" ")
        if place not in board.row or place in states:
            raise lines.unreadable("expected a province, each once")
        states[place] = lines.fraction(text)
    way = on_its_way(board, fact.instance)
    if list(states) != way:
        raise lines.refuted("these are not the provinces on the way to Roma")
    if not way:
        return {"min": "never"}
    steps = {place: one_phase(board, place) for place in way}
    expected = states | {board.roma: Fraction(0)}
    for place, ways in steps.items():
        if (
            expected[place] != 1 + sum(chance * expected[there] for there, chance in ways.items())
            or ways.get(place) == 1
        ):
            raise lines.refuted(f"the number of {place} does not fit those it leads to")
    fallen = arrivals(board, steps, fact.instance, len(way) + LISTED)
    values = {"min": str(len(way)), "broken": str(sum(len(ways) > 1 for ways in steps.values()))}
    values["mean"] = str(expected[fact.instance])
    for number, place in enumerate(way):
        values[f"from.{place}"] = str(len(way) - number)
        values[f"mean-from.{place}"] = str(expected[place])
    for number in range(len(way), len(fallen)):
        values[f"phase.{number}"] = str(fallen[number])
    if any(fallen[: len(way)]):
        raise lines.refuted("Roma can fall sooner")
    values["later"] = str(1 - sum(fallen))
    return values


def on_its_way(board: Board, border: str) -> list[str]:
    """The provinces by the arrows from a border to before Roma; none if they lead elsewhere."""
    way = [border]
    while board.arrow.get(way[-1], way[0]) not in (board.roma, *way):
        way.append(board.arrow[way[-1]])
    return way if board.arrow.get(way[-1]) == board.roma else []


def one_phase(board: Board, place: str) -> dict[str, Fraction]:
    """Where an army that is alone on the map is after it has advanced once."""
    phase = Phase(board, USUAL)
    revolts = frozenset({place} - board.borders)
    table = Table(frozenset(), frozenset({place}), revolts, frozenset(), (frozenset(),) * 4)
    found: dict[str, Fraction] = {}
    for end, chance in phase.solve(phase.advance(Scene(table, (None,) * 4))).ends.items():
        there = board.roma if isinstance(end, Fallen) else next(iter(end.table.armies))
        found[there] = found.get(there, Fraction(0)) + chance
    return found


def arrivals(board: Board, steps: dict[str, dict[str, Fraction]], border: str, phases: int) -> list[Fraction]:
    """The chance that it enters Roma in phase 0, 1, 2, ..."""
    where, fallen = {border: Fraction(1)}, [Fraction(0)]
    for _ in range(phases):
        after: dict[str, Fraction] = {}
        for place, share in where.items():
            for there, chance in steps[place].items():
                after[there] = after.get(there, Fraction(0)) + share * chance
        fallen.append(after.pop(board.roma, Fraction(0)))
        where = after
    return fallen
