"""The Pirates and the Goths (page 13): what they change in the rules, tried for every zone, coast, border and battle."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from barbarian import FACES, Again, Echo, Phase, Scene, Step, Uprising
from bare import LATEST, NOBODY, NOTHING, USUAL, Answer, Statement, of_emperor
from board import Board
from claim import MOST_ARMIES
from rules import Table, Turn, odds

LEVELS = list(product((5, 4, 3), (3, 2, 1), (0, 1, 2), (0, 1, 2)))

# -- the Pirates ---------------------------------------------------------------------------------------------------

MEDITERRANEAN = (2, 3)
ATTACK = 2  # IP


def coast(board: Board, zone: int) -> list[str]:
    """The provinces on the coast of a zone."""
    return [place for place in board.provinces if zone in board.zones[place]]


def fleet_places(board: Board, pirates: int, fleets: int) -> Iterator[tuple[int, ...]]:
    """The choices of zones for so many Roman fleets: none where the Pirates lie."""
    return combinations([zone for zone in board.all_zones if zone != pirates], fleets)


def voyages(turn: Turn, fleets: frozenset[int], pirates: int | None) -> list[tuple[int, int]]:
    """Where Roman fleets can sail: not to the Pirates."""
    return [voyage for voyage in turn.voyages(fleets) if voyage[1] != pirates]


def at_sea(board: Board, zone: int, leader: int, table: Table, others: list[str]) -> tuple[int, int, int, int]:
    """A battle against them: all that lies on that coast counts, as if its provinces were linked."""
    shore = set(coast(board, zone))
    own = table.garrisons[leader] | board.printed[board.emperors[leader]] - table.discs()
    return (
        len(own & shore),
        sum(place in shore for place in others),
        len(table.revolts & shore),
        len(table.armies & shore),
    )


def returns(board: Board, uprising: str, fleets: frozenset[int]) -> int | None:
    """The zone to which beaten Pirates come back: without a Roman fleet, the lower of two."""
    return min(board.zones[uprising] - fleets, default=None)


def pirate_levels(_: Board, __: list[str]) -> Answer:
    """Only with fewer than three fleets."""
    able = [level for level in LEVELS if level[1] < 3]
    return {"levels": len(able), "all": len(LEVELS)}, {level[1] for level in able} == {1, 2}


def rolled(board: Board, _: list[str]) -> Answer:
    """A die until it shows 2 or 3."""
    faces = [face for face in FACES if face in MEDITERRANEAN]
    values: dict[str, object] = {f"zone-{zone}": Fraction(faces.count(zone), len(faces)) for zone in MEDITERRANEAN}
    for fleets in (1, 2):
        (number,) = {len(list(fleet_places(board, zone, fleets))) for zone in MEDITERRANEAN}
        values[f"fleets-{fleets}"] = number
    return values, faces == [2, 3]


def closed(board: Board, _: list[str]) -> Answer:
    """They keep fleets out of their zone until they are beaten."""
    turn = Turn(board, USUAL, 5, 0, [board.roma, None, None, None])
    values = {"voyages": 0, "closed": 0, "open": 0}
    for fleet, zone in product(board.all_zones, repeat=2):
        if sorted((fleet, zone)) in board.adjacent:
            values["voyages"] += 1
            values["closed"] += (fleet, zone) not in voyages(turn, frozenset({fleet}), zone)
            values["open"] += (fleet, zone) in voyages(turn, frozenset({fleet}), None)
    return values, len(set(values.values())) == 1


def attacked(board: Board, _: list[str]) -> Answer:
    """From their coast, for 2 IP."""
    return {f"from.{zone}": len(coast(board, zone)) for zone in board.all_zones} | {"price": ATTACK}, ATTACK == 2


def sea_battles(board: Board, _: list[str]) -> Answer:
    """What one thing more in each place changes: it does so on that coast, and nowhere else."""
    values: dict[str, object] = {}
    right = True
    for zone in board.all_zones:
        shore = set(coast(board, zone))
        base = at_sea(board, zone, 0, NOTHING, [])
        where: dict[str, set[str]] = {"garrisons": set(), "emperors": set(), "revolts": set(), "armies": set()}
        for place in board.provinces:
            one = frozenset({place})
            changed = (
                at_sea(board, zone, 0, NOTHING._replace(garrisons=of_emperor(0, place)), [])[0],
                at_sea(board, zone, 0, NOTHING, [place])[1],
                at_sea(board, zone, 0, NOTHING._replace(revolts=one), [])[2],
                at_sea(board, zone, 0, NOTHING._replace(armies=one), [])[3],
            )
            for what, before, now in zip(where, base, changed, strict=True):
                if now == before + 1:
                    where[what].add(place)
        printed = shore & board.printed[board.emperors[0]]
        values |= {f"{what}.{zone}": len(places) for what, places in where.items()}
        values[f"printed.{zone}"] = base[0]
        right &= where["revolts"] == where["armies"] == where["emperors"] == shore
        right &= where["garrisons"] == shore - printed and base[0] == len(printed)
    return values, right


def sea_defeats(board: Board, _: list[str]) -> Answer:
    """A defeat takes all garrisons of that coast, whoever's they are; those of borders stay."""
    values: dict[str, object] = {}
    right = True
    roman = [place for place in board.provinces if place not in board.borders]
    for zone in board.all_zones:
        shore = coast(board, zone)
        gone = [place for place in roman if place in shore]
        values[f"garrisons.{zone}"] = len(gone)
        values[f"owners.{zone}"] = len({roman.index(place) % 4 for place in gone})
        right &= len(gone) == len(shore)
    return values, right


def come_back(board: Board, _: list[str]) -> Answer:
    """Of the 36 provinces that dice name, those whose uprising brings them back."""
    values: dict[str, object] = {}
    named = Phase(board, LATEST).at.values()
    atlantic = 0
    for size in (1, 2):
        for fleets in combinations(board.all_zones, size):
            zones = [returns(board, place, frozenset(fleets)) for place in named]
            values[f"back.{''.join(map(str, fleets))}"] = sum(zone is not None for zone in zones)
            atlantic += zones.count(1)
    return values | {"atlantic": atlantic}, not any(
        returns(board, place, frozenset({zone})) == zone for place in named for zone in board.all_zones
    )


# -- the Goths -----------------------------------------------------------------------------------------------------

NORTHEAST = (3, 4)


class WithGoths(Phase):
    """A Barbarian phase while the Goths are in the reserve."""

    def echo(self, scene: Scene, region: int) -> Step:
        """To III and IV they come in any case: what stands or lies there goes."""
        border = self.border[region]
        if region in NORTHEAST:
            table = scene.table.without_disc(border)._replace(armies=scene.table.armies - {border})
            scene = scene._replace(table=table, places=tuple(None if p == border else p for p in scene.places))
        return super().echo(scene, region)


def three(board: Board, _: list[str]) -> Answer:
    """There are never more than three armies: with three an uprising has no echo."""
    phase = WithGoths(board, LATEST)
    values = {}
    borders = sorted(board.borders, key=board.row.__getitem__)
    for armies in range(MOST_ARMIES + 1):
        table = NOTHING._replace(armies=frozenset(borders[:armies]))
        echoes = 0
        for place in phase.at.values():
            step = phase.resolve(Scene(table._replace(revolts=frozenset({place})), NOBODY), place)
            while isinstance(step, Uprising):
                step = phase.roll(step).results[0]  # not linked
            echoes += isinstance(step, Echo)
        values[f"echo.{armies}"] = echoes
    return values, list(values.values()) == [36, 36, 36, 0]


def occupied(border: str) -> dict[str, Scene]:
    """A border with nothing, a garrison, an Emperor or an army on it."""
    return {
        "nothing": Scene(NOTHING, NOBODY),
        "garrison": Scene(NOTHING._replace(garrisons=of_emperor(0, border)), NOBODY),
        "emperor": Scene(NOTHING, (border, None, None, None)),
        "army": Scene(NOTHING._replace(armies=frozenset({border})), NOBODY),
    }


def arrivals(board: Board, _: list[str]) -> Answer:
    """They come to III and IV whatever is there, other armies to empty borders only."""
    where: dict[str, set[int]] = {}
    for who, phase in (("without", Phase(board, LATEST)), ("with", WithGoths(board, LATEST))):
        for region, border in phase.border.items():
            for what, scene in occupied(border).items():
                found = where.setdefault(f"{who}.{what}", set())
                if not isinstance(phase.echo(scene, region), Again):
                    found.add(region)
    taken = [where[f"with.{what}"] for what in ("garrison", "emperor", "army")]
    kept = [where[f"without.{what}"] for what in ("garrison", "emperor", "army")]
    right = taken == [set(NORTHEAST)] * 3 and kept == [set()] * 3
    values = {path: len(regions) for path, regions in where.items()}
    return values, right and values["with.nothing"] == values["without.nothing"] == 6


def permanent(board: Board, _: list[str]) -> Answer:
    """Whether borders stay secured when an army is to come there."""
    phase = WithGoths(board, LATEST)
    lost = {
        border
        for region, border in phase.border.items()
        if not isinstance(phase.echo(occupied(border)["garrison"], region), Again)
    }
    values: dict[str, object] = {"kept": len(board.borders) - len(lost)}
    return values | {"lost": sorted(lost, key=lambda border: board.region[border])}, not lost


def raised_battles() -> dict[str, int]:
    """What one more on the Barbarian die does to battles: of so many, how many are worse for Rome, the same, better."""
    values = {"battles": 0, "worse": 0, "same": 0, "better": 0}
    for g, e, r, a in product(range(8), range(4), range(22), range(3)):
        base, raised = odds(g, e, r, a), odds(g, e, r + 1, a)
        wins, losses = raised[0] - base[0], raised[2] - base[2]
        values["battles"] += 1
        values["better" if wins > 0 or losses < 0 else "worse" if wins < 0 or losses > 0 else "same"] += 1
    return values


def goth_battles(_: Board, __: list[str]) -> Answer:
    """No battle is better for Rome with them."""
    values = raised_battles()
    right = values["better"] == 0
    for who, numbers in (("without", odds(0, 0, 0, 0)), ("with", odds(0, 0, 1, 0))):
        for outcome, throws in zip(("victory", "draw", "defeat"), numbers, strict=True):
            values[f"even.{outcome}.{who}"] = throws
    return values, right


def goth_links(board: Board, _: list[str]) -> Answer:
    """On a broken link they add 1 to the die."""
    ways = [(army, target) for army, target in board.arrow.items() if target != board.roma]
    broken = [(army, target) for army, target in ways if board.links[army].get(target)]
    passed = {"without": sum(face >= 4 for face in FACES), "with": sum(face + 1 >= 4 for face in FACES)}
    values = {who: faces * len(broken) for who, faces in passed.items()}
    values |= {"links": len(broken), "faces": len(FACES) * len(broken)}
    return values, values["without"] * 2 == values["faces"] > 0 and values["with"] * 3 == values["faces"] * 2


STATEMENTS: dict[str, tuple[int, Statement]] = {
    "book-pirates/levels": (13, pirate_levels),
    "book-pirates/zone": (13, rolled),
    "book-pirates/closed": (13, closed),
    "book-pirates/attack": (13, attacked),
    "book-pirates/battle": (13, sea_battles),
    "book-pirates/defeat": (13, sea_defeats),
    "book-pirates/return": (13, come_back),
    "book-goths/three": (13, three),
    "book-goths/arrival": (13, arrivals),
    "book-goths/permanent": (11, permanent),
    "book-goths/battle": (13, goth_battles),
    "book-goths/broken-links": (13, goth_links),
}
