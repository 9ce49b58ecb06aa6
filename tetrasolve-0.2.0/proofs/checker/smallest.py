"""The smallest sets of provinces that meet a demand: all of them.

What the demand is follows from the fact. The certificate lists the sets. Each is compared with the demand as it is put in
words. That no set is smaller and no other as small is shown by a formula: some set meets the demand, has no more provinces than
these, and contains none of them. This program makes the formula by itself, and checks a proof that it has no solution.

Variable v stands for the province of row v, from 1 on: it is taken. The clauses come in this order:

1. for each province that may not be taken, that it is not;
2. the demand. To cover: for each Roman province that one of those is taken which will do. To bar ways: layer by
   layer, with a new variable for each province which says that it is reached: the start is; what is linked to it is, if it
   is not taken; the ends are not;
3. that no more than so many are taken: a sequential counter (Sinz 2005) over the provinces that may be taken; its j-th
   variable for the i-th of them says that j of the first i are taken;
4. for each set that is listed, that not all of it is taken.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import maps
from board import Board
from claimed import Fact
from lrat import Clause, check_proof
from text import Lines

ALL, NORMAL, EVERY = "all", "normal", "every-border"

Places = frozenset[str]
Arcs = dict[str, list[str]]


class Demand(NamedTuple):
    """The provinces that may be taken; what a set has to hit, or the layers of ways that it has to bar."""

    allowed: list[str]
    hit: list[list[str]]
    layers: list[tuple[str, list[str], Arcs]]


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    name, _, rest = fact.instance.partition("-")
    if (fact.kind, name) not in DEMANDS or rest not in DEMANDS[fact.kind, name][0](board):
        raise lines.refuted(f"there is no fact {fact.id}")
    demand = DEMANDS[fact.kind, name][1](board, rest)
    found = list(read_sets(lines, board, demand))
    clauses = list(formula(board, demand, found))
    variables = max(abs(literal) for clause in clauses for literal in clause)
    check_proof(lines, lines.count("proof"), variables, clauses, plain=True)
    return dict(values(board, demand, found))


def values(board: Board, demand: Demand, found: list[Places]) -> Iterator[tuple[str, str]]:
    """What is claimed of the sets."""
    yield "count", str(len(found))
    if not found:
        yield "least", "never"
        return
    yield "least", str(len(found[0]))
    yield "first", row(board, min(found, key=lambda chosen: sorted(board.row[place] for place in chosen)))
    yield "always", row(board, frozenset(demand.allowed).intersection(*found))
    for place in demand.allowed:
        yield f"times.{place}", str(sum(place in chosen for chosen in found))


def row(board: Board, places: Places) -> str:
    """Provinces as a row of words."""
    return maps.row(sorted(places, key=board.row.__getitem__))


# -- the demands -----------------------------------------------------------------------------------------------


def roman(board: Board) -> list[str]:
    """The Roman provinces."""
    return [place for place in board.provinces if place not in board.borders]


def danger(board: Board, links: str) -> Demand:
    """A revolt in each Roman province, or beside it where dice can raise it."""
    hit = []
    for place in roman(board):
        linked = (p for p, broken in board.links[place].items() if links == ALL or not broken)
        hit.append([place, *(p for p in linked if board.number[p])])
    return Demand(roman(board), hit, [])


def cut(board: Board, border: str) -> Demand:
    """An army on each land way from Roma; within the Empire armies stand where an arrow begins."""
    allowed = [place for place in roman(board) if place in board.arrow]
    ends = [place for place in board.provinces if place in board.borders and border in (place, EVERY)]
    return Demand(allowed, [], [(board.roma, ends, {place: list(board.links[place]) for place in board.provinces})])


def hinder(board: Board, start: str) -> Demand:
    """A revolt on each cheapest way to each border to which there is one."""
    layers: list[tuple[str, list[str], Arcs]] = []
    for border in board.provinces:
        if border in board.borders:
            left = cheapest(board, border)
            arcs = {
                a: [b for b, broken in board.links[a].items() if a in left and left[a] == left[b] + 1 + broken]
                for a in board.provinces
            }
            if start in left:
                layers.append((start, [border], arcs))
    return Demand(roman(board), [], layers)


def cheapest(board: Board, border: str) -> dict[str, int]:
    """The IP of the cheapest way by land from each province to a border."""
    left = {border: 0}
    for ip in range(2 * len(board.provinces)):
        for place in [place for place in left if left[place] == ip]:
            for other, broken in board.links[place].items():
                left[other] = min(left.get(other, ip + 2), ip + 1 + broken)
    return left


def starts(board: Board) -> Iterable[str]:
    """Where Emperors enter."""
    return {board.roma, *board.capital.values()}


# For each kind of fact, and what begins the instance, how the instance can continue, and the demand
DEMANDS: dict[tuple[str, str], tuple[Callable[[Board], Iterable[str]], Callable[[Board, str], Demand]]] = {
    ("cover", "revolts"): (lambda _: (ALL, NORMAL), danger),
    ("barrier", "cut"): (lambda board: {*board.borders, EVERY}, cut),
    ("barrier", "hinder"): (starts, hinder),
}


# -- the sets --------------------------------------------------------------------------------------------------


def read_sets(lines: Lines, board: Board, demand: Demand) -> Iterator[Places]:
    """Sets of one size that meet the demand: provinces by their codes, in the order of the board, the sets so too."""
    before: list[int] = []
    size = -1
    for line in lines.section("sets"):
        places = [board.by_code.get(code, "") for code in line.split(".")] if line != "-" else []
        if not set(places) <= set(demand.allowed):
            raise lines.unreadable("expected provinces by their codes, such as may be taken")
        rows = [board.row[place] for place in places]
        if rows != sorted(set(rows)) or (size >= 0 and rows <= before):
            raise lines.unreadable(
                "expected provinces in the order of the board, and sets in the order of their provinces"
            )
        if size not in (-1, len(rows)):
            raise lines.refuted("expected sets of one size")
        before, size = rows, len(rows)
        if not meets(demand, frozenset(places)):
            raise lines.refuted("this set does not meet the demand")
        yield frozenset(places)


def meets(demand: Demand, chosen: Places) -> bool:
    """Whether a set meets the demand."""
    for start, ends, arcs in demand.layers:
        reached, edge = {start}, [start]
        while edge:
            new = set(arcs[edge.pop()]) - reached - chosen
            reached |= new
            edge += new
        if reached.intersection(ends):
            return False
    return all(chosen.intersection(places) for places in demand.hit)


# -- the formula -----------------------------------------------------------------------------------------------


def formula(board: Board, demand: Demand, found: list[Places]) -> Iterator[Clause]:
    """The clauses, in the order stated above."""
    number = {place: index for index, place in enumerate(board.provinces, start=1)}
    allowed = set(demand.allowed)
    last = len(number)
    for place in board.provinces:
        if place not in allowed:
            yield (-number[place],)
    for places in demand.hit:
        yield tuple(sorted(number[place] for place in places))
    for start, ends, arcs in demand.layers:
        reached = {place: last + number[place] for place in board.provinces}
        last += len(number)
        yield (reached[start],)
        for a in board.provinces:
            for b in sorted(arcs[a], key=board.row.__getitem__):
                yield (-reached[a], number[b], reached[b]) if b in allowed else (-reached[a], reached[b])
        for end in ends:
            yield (-reached[end],)
    if found:
        yield from at_most([number[place] for place in demand.allowed], len(found[0]), last)
    for chosen in found:
        yield tuple(-number[place] for place in board.provinces if place in chosen)


def at_most(variables: list[int], most: int, last: int) -> Iterator[Clause]:
    """No more than so many variables are true."""
    if most == 0:
        yield from ((-variable,) for variable in variables)
        return
    before: list[int] = []
    for variable in variables:
        here = list(range(last + 1, last + 1 + most))  # 1, 2, ... of the variables up to this one
        last += most
        yield (-variable, here[0])
        if before:
            yield from ((-less, more) for less, more in zip(before, here, strict=True))
            yield from ((-variable, -less, more) for less, more in zip(before[:-1], here[1:], strict=True))
            yield (-variable, -before[-1])
        before = here
