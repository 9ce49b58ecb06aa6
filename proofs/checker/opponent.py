"""Barbaria (pages 15 and 16): the discs of the Barbarian player, and what he does with them."""

from collections.abc import Iterable
from fractions import Fraction

from barbarian import FACES, Fallen, Phase, Scene, Step
from bare import LATEST, NOBODY, NOTHING, Answer, Statement, empire
from board import Board
from claim import MOST_REVOLTS
from rules import MOST_UNREST, Table

GRAY, BLACK = 4, 1


class Poorer(Phase):
    """A Barbarian phase with his discs out of the reserves, in which he spends none."""

    def put_revolts(self, scene: Scene, places: Iterable[str]) -> Scene | Fallen:
        """One revolt is his black disc."""
        left = MOST_REVOLTS - BLACK
        return (
            Fallen("revolts") if len(scene.table.revolts.union(places)) > left else super().put_revolts(scene, places)
        )

    def resolve(self, scene: Scene, place: str) -> Step:
        """Four unrest are his gray discs."""
        bare = place not in scene.table.discs() and not any(place in own for own in self.board.printed.values())
        return (
            Fallen("unrest")
            if bare and len(scene.table.unrest) >= MOST_UNREST - GRAY
            else super().resolve(scene, place)
        )


def refilled(board: Board, emperor: str, gray: int, reserve: int) -> int:
    """His gray discs when an Emperor's turn begins: four again in the first one's, as far as the reserve has some."""
    return min(GRAY, gray + reserve) if emperor == board.emperors[0] else gray


def discs(board: Board, _: list[str]) -> Answer:
    """Four gray discs, which he has again in Diocletian's turns, and a black one; he is the fifth player."""
    values = {"gray": GRAY, "black": BLACK, "unrest-left": MOST_UNREST - GRAY, "revolts-left": MOST_REVOLTS - BLACK}
    for emperor in board.emperors:
        values[f"refill.{emperor}"] = refilled(board, emperor, 0, MOST_UNREST)
    return values | {"players": len(board.emperors) + 1}, board.emperors[0] == "diocletian" and len(board.emperors) == 4


def rerolls(board: Board, _: list[str]) -> Answer:
    """Six revolts, and the first dice rolled again up to four times until they name one."""
    at = Phase(board, LATEST).at
    revolts = {at[region, 2] for region in FACES}
    miss = Fraction(sum(place not in revolts for place in at.values()), len(at))
    chance = Fraction(0)
    values: dict[str, object] = {}
    for gray in range(GRAY + 1):
        chance = 1 - miss + miss * chance
        values[f"uprising.{gray}"] = chance
    return values, [*values.values()] == [1 - Fraction(5, 6) ** (gray + 1) for gray in range(GRAY + 1)]


def next_of(board: Board, army: str) -> str | None:
    """Where an army goes by itself: along its arrow, else the shortest way to Roma, if there is one."""
    if army in board.arrow:
        return board.arrow[army]
    roman = empire(board)
    links, edge = {board.roma: 0}, [board.roma]
    for place in edge:  # grows while it is read
        for near in board.links[place]:
            if near in roman and near not in links:
                links[near] = links[place] + 1
                edge.append(near)
    nearer = [near for near in board.links[army] if links.get(near) == links.get(army, 0) - 1]
    return min(nearer, default=None, key=lambda near: (board.region[near], board.number[near], board.row[near]))


def turns(board: Board, army: str) -> list[str]:
    """The other ways of an army: once it is inside the Empire, to any Roman province linked to its own."""
    if army in board.borders:
        return []
    usual = next_of(board, army)
    return [there for there in board.links[army] if there not in board.borders and there != usual]


def direction(board: Board, _: list[str]) -> Answer:
    """Each army alone: he can stop it, and turn it once it is inside."""
    values = {"border": 0, "inside": 0, "cancelled": 0, "paid": 0, "armies": 0}
    for army in board.provinces:
        if army == board.roma:
            continue
        values["armies"] += 1
        values["border" if army in board.borders else "inside"] += len(turns(board, army))
        if next_of(board, army) is not None:  # an advance that can be cancelled
            after, left = cancelled(NOTHING._replace(armies=frozenset({army})), GRAY)
            values["cancelled"] += army in after.armies
            values["paid"] += left == GRAY - 1
    right = values["cancelled"] == values["paid"] == values["armies"]
    return values, right and not values["border"] and values["inside"] > 0


def cancelled(table: Table, gray: int) -> tuple[Table, int]:
    """An advance that he cancels: the army stays, and a disc goes back to the reserve."""
    return table, gray - 1


def broken(board: Board, _: list[str]) -> Answer:
    """An army that is turned over a broken link: where that is not passed the change is cancelled, and it stays."""
    values = {"turns": 0, "faces": 0, "stopped": 0, "went-its-old-way": 0}
    for army in empire(board) - {board.roma}:
        for there in turns(board, army):
            if board.links[army][there]:
                ends = [there if face >= 4 else army for face in FACES]
                values["turns"] += 1
                values["faces"] += len(ends)
                values["stopped"] += ends.count(army)
                values["went-its-old-way"] += sum(end not in (army, there) for end in ends)
    return values, 2 * values["stopped"] == values["faces"] > 0 == values["went-its-old-way"]


def black_places(board: Board, scene: Scene) -> list[str]:
    """The empty Roman provinces that are no capitals; Roma is one, by the usual reading."""
    capitals = {*board.capital.values(), board.roma}
    return [place for place in empire(board) if place not in capitals and scene.empty(place)]


def black_borders(board: Board, scene: Scene) -> list[str]:
    """Where an army can come instead: to empty borders, while no army is on the board."""
    return [] if scene.table.armies else [border for border in board.borders if scene.empty(border)]


def black(board: Board, _: list[str]) -> Answer:
    """Once a game: a revolt on an empty province but no capital, or an army."""
    bare = Scene(NOTHING, NOBODY)
    first = min(board.borders, key=board.row.__getitem__)
    places = black_places(board, bare)
    occupied = 0
    for place in Phase(board, LATEST).at.values():
        occupied += place in black_places(board, Scene(NOTHING._replace(revolts=frozenset({place})), NOBODY))
    values = {
        "places": len(places),
        "capitals": sum(place in board.capital.values() for place in places),
        "roma": places.count(board.roma),
        "borders": len(black_borders(board, bare)),
        "borders-with-an-army": len(black_borders(board, Scene(NOTHING._replace(armies=frozenset({first})), NOBODY))),
        "left": BLACK - 1,
        "occupied": occupied,
    }
    right = not values["capitals"] and values["borders"] == len(board.borders)
    return values, right and not values["borders-with-an-army"] and not occupied and not values["left"]


def harder(board: Board, _: list[str]) -> Answer:
    """Where he spends nothing and the reserves last, the phase is as it would be without him."""
    values = {"phases": 0, "alike": 0}
    plain, poorer = Phase(board, LATEST), Poorer(board, LATEST)
    for border in board.borders:
        scene = Scene(NOTHING._replace(armies=frozenset({border})), NOBODY)
        values["phases"] += 1
        values["alike"] += plain.solve(plain.begin(scene)).ends == poorer.solve(poorer.begin(scene)).ends
    return values, values["phases"] == values["alike"]


STATEMENTS: dict[str, tuple[int, Statement]] = {
    "book-barbaria/discs": (15, discs),
    "book-barbaria/rerolls": (15, rerolls),
    "book-barbaria/direction": (15, direction),
    "book-barbaria/broken-links": (15, broken),
    "book-barbaria/black": (16, black),
    "book-barbaria/harder": (16, harder),
}
