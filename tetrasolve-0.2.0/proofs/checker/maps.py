"""Facts about the map itself: everything is counted again from the rows of the board.

Distances are worked out for all pairs of provinces at once, and what holds the map together is found by taking it away and
looking at what is left.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from board import Board
from claimed import Fact
from text import Lines

NEVER = "never"
FAR = 10**6  # more than any distance: there is no way

Numbers = dict[str, int]


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    what, _, instance = fact.instance.partition("/")
    instances, count = COUNTS.get(f"{fact.kind}/{what}", (never, degree))
    if instance not in instances(board):
        raise lines.refuted(f"there is no fact {fact.id}")
    return dict(count(board, instance))


def row(provinces: Iterable[str]) -> str:
    """Words in a row as text."""
    words = list(provinces)
    return ".".join(words) + "." * (len(words) == 1) or "-"


def number(steps: int) -> str:
    """A distance as text."""
    return NEVER if steps >= FAR else str(steps)


def having(wanted: int, numbers: Numbers) -> str:
    """The provinces with this number."""
    return row(place for place, steps in numbers.items() if steps == wanted)


def extreme(pick: Callable[[Iterable[int]], int], numbers: Numbers, word: str, who: str) -> Iterator[tuple[str, str]]:
    """The largest or the smallest number, and the provinces that have it."""
    wanted = pick(numbers.values())
    yield word, number(wanted)
    yield who, having(wanted, numbers)


# -- walking ---------------------------------------------------------------------------------------------------


def parts(board: Board, places: list[str], links: Callable[[str, str], bool]) -> list[list[str]]:
    """These provinces, divided into those that are connected by these links."""
    left, found = list(places), []
    while left:
        part, edge = {left[0]}, [left[0]]
        while edge:
            place = edge.pop()
            new = {other for other in left if other in board.links[place] and links(place, other)} - part
            part |= new
            edge += new
        found.append([place for place in left if place in part])
        left = [place for place in left if place not in part]
    return found


def all_distances(board: Board, places: list[str], *, broken: bool = True) -> dict[str, Numbers]:
    """The least number of links between any two of these provinces by ways among them (Floyd and Warshall)."""
    steps = {
        a: {b: 0 if a == b else 1 if b in board.links[a] and broken >= board.links[a][b] else FAR for b in places}
        for a in places
    }
    for middle in places:
        for a in places:
            first = steps[a][middle]
            if first < FAR:
                for b, second in steps[middle].items():
                    steps[a][b] = min(steps[a][b], first + second)
    return steps


def roman(board: Board) -> list[str]:
    """All provinces but the borders."""
    return [place for place in board.provinces if place not in board.borders]


def all_links(board: Board) -> list[tuple[str, str]]:
    """Every link once."""
    return [
        (a, b) for a in board.provinces for b in board.provinces if board.row[a] < board.row[b] and b in board.links[a]
    ]


# -- counts ----------------------------------------------------------------------------------------------------

Values = Iterator[tuple[str, str]]


def count(board: Board, _: str) -> Values:
    """How many provinces and links there are."""
    links = all_links(board)
    broken = [(a, b) for a, b in links if board.links[a][b]]
    outer = [(a, b) for a, b in links if {a, b} & board.borders]
    inner = [(a, b) for a, b in links if not {a, b} & board.borders]
    yield "provinces", str(len(board.provinces))
    yield "borders", str(len(board.borders))
    yield "roman", str(len(roman(board)))
    yield "links", str(len(links))
    yield "broken", str(len(broken))
    yield "normal", str(len(links) - len(broken))
    yield "roman-links", str(len(inner))
    yield "border-links", str(len(outer))
    yield "border-broken", str(len(set(outer) & set(broken)))
    yield "across-regions", str(sum(board.region[a] != board.region[b] for a, b in inner))


def degree(board: Board, _: str) -> Values:
    """How many links each province has."""
    links = {place: len(board.links[place]) for place in board.provinces}
    for place in board.provinces:
        yield f"links.{place}", str(links[place])
        yield f"broken.{place}", str(list(board.links[place].values()).count(True))
    yield from extreme(max, links, "max", "most")
    yield from extreme(min, links, "min", "fewest")


def border(board: Board, place: str) -> Values:
    """To what a border is linked."""
    neighbours = sorted(board.links[place], key=board.row.__getitem__)
    yield "links", str(len(neighbours))
    yield "broken", str(sum(board.links[place][other] for other in neighbours))
    yield "neighbours", row(neighbours)
    yield "other-regions", row(other for other in neighbours if board.region[other] != board.region[place])


def coast(board: Board, zone: str) -> Values:
    """The coast of a zone."""
    places = [place for place in board.provinces if int(zone) in board.zones[place]]
    yield "count", str(len(places))
    yield "provinces", row(places)
    yield "only", row(place for place in places if board.zones[place] == {int(zone)})


def inland(board: Board, _: str) -> Values:
    """Who lies on no coast, and who on several."""
    dry = [place for place in roman(board) if not board.zones[place]]
    yield "count", str(len(dry))
    yield "provinces", row(dry)
    yield "two-coasts", row(place for place in board.provinces if len(board.zones[place]) >= 2)
    yield "border-coasts", row(place for place in board.provinces if place in board.borders and board.zones[place])


# -- cuts ------------------------------------------------------------------------------------------------------


def articulation(board: Board, _: str) -> Values:
    """Provinces without which others lose each other: for each, how many parts its own part falls into."""
    whole = {place: part for part in parts(board, board.provinces, anyhow) for place in part}
    vital = {}
    for place in board.provinces:
        others = [other for other in whole[place] if other != place]
        pieces = len(parts(board, others, anyhow))
        if pieces > 1:
            vital[place] = pieces
    yield "count", str(len(vital))
    yield "provinces", row(vital)
    for place, pieces in vital.items():
        yield f"parts.{place}", str(pieces)


def anyhow(_: str, __: str) -> bool:
    """Any link will do."""
    return True


def bridge(board: Board, _: str) -> Values:
    """Links without which the map has more parts."""
    before = len(parts(board, board.provinces, anyhow))
    bridges = [
        f"{a}:{b}"
        for a, b in all_links(board)
        if len(parts(board, board.provinces, lambda p, q, link={a, b}: {p, q} != link)) > before  # type: ignore[misc]
    ]
    yield "count", str(len(bridges))
    yield "links", row(bridges)


def unbroken(board: Board, _: str) -> Values:
    """What is connected by normal links."""
    pieces = parts(board, board.provinces, lambda a, b: not board.links[a][b])
    yield "parts", str(len(pieces))
    yield "largest", str(max(map(len, pieces)))
    yield "alone", row(piece[0] for piece in pieces if len(piece) == 1)
    for piece in pieces:
        if len(piece) > 1:
            yield f"part.{piece[0]}", row(piece)


# -- distances -------------------------------------------------------------------------------------------------


def distance(board: Board, start: str) -> Values:
    """From one province to all."""
    steps = all_distances(board, board.provinces)[start]
    for place, links in steps.items():
        yield f"to.{place}", number(links)
    yield from extreme(max, steps, "max", "farthest")


def radius(board: Board, _: str) -> Values:
    """Centre and rim."""
    far = {place: max(steps.values()) for place, steps in all_distances(board, board.provinces).items()}
    for place, links in far.items():
        yield f"links.{place}", number(links)
    yield from extreme(min, far, "radius", "centre")
    yield from extreme(max, far, "diameter", "rim")


def uprising(board: Board, links: str) -> Values:
    """How many other Roman provinces lie within so many links of each Roman one."""
    for word, broken in (("linked", True), ("unlinked", False)):
        steps = all_distances(board, roman(board), broken=broken)
        reached = {a: sum(0 < far <= int(links) for far in steps[a].values()) for a in steps}
        for place, others in reached.items():
            yield f"{word}.{place}", str(others)
        yield from extreme(max, reached, f"max-{word}", f"most-{word}")


def spread(board: Board, _: str) -> Values:
    """How many links from each Roman province to the farthest other."""
    far = {place: max(steps.values()) for place, steps in all_distances(board, roman(board)).items()}
    for place, links in far.items():
        yield f"links.{place}", number(links)
    yield from extreme(min, far, "min", "quickest")
    yield from extreme(max, far, "max", "slowest")


# -- arrows ----------------------------------------------------------------------------------------------------


def along(board: Board, place: str) -> list[str]:
    """The provinces on the path from here, up to one without an arrow or one where it has been."""
    path = [place]
    while path[-1] in board.arrow and board.arrow[path[-1]] not in path:
        path.append(board.arrow[path[-1]])
    return path


def arrow_path(board: Board, place: str) -> Values:
    """The path from a border."""
    path = along(board, place)
    checks = [f"{a}:{b}" for a, b in pairwise(path) if board.links[a].get(b)]
    yield "path", row(path)
    yield "moves", str(len(path) - 1)
    yield "broken", str(len(checks))
    yield "checks", row(checks)


def arrow_cover(board: Board, _: str) -> Values:
    """How many paths lead through each Roman province but Roma."""
    through = dict.fromkeys((place for place in roman(board) if place != board.roma), 0)
    for start in board.borders:
        for place in along(board, start):
            if place in through:
                through[place] += 1
    for place, paths in through.items():
        yield f"paths.{place}", str(paths)
    yield from extreme(max, through, "max", "most")
    yield "safe", having(0, through)
    yield "count", str(sum(paths > 0 for paths in through.values()))


# -- all of them -----------------------------------------------------------------------------------------------


def never(_: Board) -> set[str]:
    """There is no such fact."""
    return set()


def once(_: Board) -> set[str]:
    """There is one fact of this kind."""
    return {""}


# For each count which instances it has, and how they are counted
COUNTS: dict[str, tuple[Callable[[Board], set[str]], Callable[[Board, str], Values]]] = {
    "map/count": (once, count),
    "map/degree": (once, degree),
    "map/border": (lambda board: board.borders, border),
    "map/coast": (lambda board: set(map(str, board.all_zones)), coast),
    "map/inland": (once, inland),
    "map/articulation": (once, articulation),
    "map/bridge": (once, bridge),
    "map/unbroken": (once, unbroken),
    "map/distance": (lambda board: {board.roma, *board.borders}, distance),
    "map/radius": (once, radius),
    "map/reach": (lambda _: set("12345"), uprising),
    "map/spread": (once, spread),
    "arrow/path": (lambda board: board.borders, arrow_path),
    "arrow/cover": (once, arrow_cover),
}
