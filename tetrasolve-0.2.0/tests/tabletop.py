"""The position that tests of the rules play on: a map of their own, positions in a few words, games at random.

The map is that of the library as it was when the tests were written, and it stays as it is: a row of the board file that is
corrected later must not change what the rules do here. The rows of Gallia are not in the order of their numbers, so that the
two orders can be distinguished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from types import MappingProxyType

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.board import Board, Emperor, Evidence, Link, Province, Region
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import Fall, GivenDice, RandomDice
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

# Province, code, region:number ("0:0" in Italia, "I:0" a border), sea zones, next province on the Barbarian path
PROVINCES = """
roma               rom 0:0   2  -
cisalpina          cis 0:0   2  etruria
etruria            etr 0:0   2  roma
lucania            luc 0:0   2  roma
sicilia            sic 0:0   2  lucania
sardinia           sar 0:0   2  -
tingitana          tin I:1   12 baetica
baetica            bae I:2   12 carthagenensis
lusitania          lus I:3   1  -
carthagenensis     car I:4   2  tarraconensis
gallaecia          gla I:5   1  -
tarraconensis      tar I:6   2  narbonensis
narbonensis        nar II:6  2  cisalpina
germania_superior  gsu II:3  -  cisalpina
belgica            bel II:1  1  germania_superior
germania_inferior  gin II:2  1  -
lugdunensis        lug II:4  1  -
aquitania          aqu II:5  1  -
rhaetia            rha III:1 -  cisalpina
pannonia_superior  psu III:2 -  -
noricum            nor III:3 -  -
pannonia_inferior  pin III:4 -  -
dacia              dac III:5 -  -
dalmatia           dal III:6 2  -
moesia_inferior    min IV:1  3  moesia_superior
moesia_superior    msu IV:2  -  macedonia
thracia            thr IV:3  3  macedonia
macedonia          mac IV:4  3  epirus
achaia             ach IV:5  23 -
epirus             epi IV:6  2  lucania
syria              syr V:1   3  cilicia
cilicia            cil V:2   3  galatia
cappadocia         cap V:3   -  -
galatia            gat V:4   -  bithynia
asia               asi V:5   3  -
bithynia           bit V:6   3  thracia
aegyptus           aeg VI:1  3  cyrenaica
cyrenaica          cyr VI:2  3  tripolitania
tripolitania       tri VI:3  2  africa
numidia            num VI:4  2  -
caesariensis       cae VI:5  2  -
africa             afr VI:6  2  sicilia
gaetulia           gae I:0   -  tingitana
britannia          bri II:0  -  belgica
germania_magna     gma III:0 -  rhaetia
sarmatia           srm IV:0  -  moesia_inferior
persia             per V:0   -  syria
libya              lib VI:0  -  aegyptus
"""

# Every link, with ~ where it is broken
LINKS = """
narbonensis~cisalpina germania_superior-narbonensis macedonia~dalmatia germania_superior~cisalpina cisalpina-etruria
etruria-roma lugdunensis-narbonensis germania_superior-rhaetia rhaetia-pannonia_superior pannonia_superior-cisalpina
pannonia_superior-dalmatia tarraconensis~narbonensis aquitania-narbonensis aquitania-lugdunensis
aquitania~tarraconensis noricum-pannonia_inferior noricum~germania_magna belgica~britannia belgica-germania_inferior
sarmatia~moesia_inferior moesia_inferior-moesia_superior moesia_superior-macedonia macedonia-epirus epirus~lucania
lucania-roma gaetulia~tingitana gaetulia~caesariensis tingitana~baetica tingitana-caesariensis baetica-lusitania
baetica-carthagenensis lusitania-carthagenensis lusitania-gallaecia gallaecia-tarraconensis gallaecia-carthagenensis
carthagenensis-tarraconensis belgica-lugdunensis belgica-germania_superior germania_inferior-germania_superior
germania_superior-lugdunensis germania_magna~rhaetia rhaetia~cisalpina rhaetia-noricum noricum-pannonia_superior
pannonia_superior-pannonia_inferior pannonia_inferior-dalmatia pannonia_inferior-moesia_superior
pannonia_inferior~dacia dacia~moesia_superior sarmatia~dacia dalmatia-moesia_superior moesia_inferior-thracia
moesia_superior-thracia thracia-macedonia macedonia-achaia epirus-achaia thracia~bithynia bithynia-asia
bithynia-galatia asia-galatia asia-cilicia galatia-cappadocia galatia-cilicia cilicia~cappadocia cilicia-syria
cappadocia-syria persia~syria persia~cappadocia syria-aegyptus libya-aegyptus libya-cyrenaica libya-tripolitania
aegyptus-cyrenaica cyrenaica-tripolitania tripolitania-africa africa-numidia numidia-caesariensis africa~sicilia
sicilia~lucania sardinia~etruria
"""

REGIONS = {
    "0": ("italia", None),
    "I": ("hispania", "gaetulia"),
    "II": ("gallia", "britannia"),
    "III": ("illyricum", "germania_magna"),
    "IV": ("graecia", "sarmatia"),
    "V": ("asia_minor", "persia"),
    "VI": ("africa", "libya"),
}
CAPITALS = {
    "diocletian": "bithynia",
    "galerius": "pannonia_inferior",
    "constantius": "germania_inferior",
    "maximian": "cisalpina",
}
BORDERS = ("gaetulia", "britannia", "germania_magna", "sarmatia", "persia", "libya")
GIVEN = Evidence("tests", 1.0)


def build_map(provinces: str = PROVINCES, links: str = LINKS) -> Board:
    """A board from the two texts above, or from others like them."""
    borders = [border for _, border in REGIONS.values()]
    capital_of = {place: emperor for emperor, place in CAPITALS.items()}
    rows = {}
    for line in provinces.split("\n"):
        if not line:
            continue
        name, code, coordinates, zones, arrow = line.split()
        region, number = coordinates.split(":")
        rows[name] = Province(
            id=name,
            code=code,
            name=name.replace("_", " ").title(),
            kind="border" if name in borders else "roman",
            region=list(REGIONS).index(region),
            number=int(number),
            zones=frozenset() if zones == "-" else frozenset(map(int, zones)),
            arrow=None if arrow == "-" else arrow,
            printed=tuple(CAPITALS) if name == "roma" else (capital_of[name],) if name in capital_of else (),
            lonlat=(0.0, 0.0),
            evidence=MappingProxyType({}),
        )
    pairs = [(tuple(link.replace("~", "-").split("-")), "~" in link) for link in links.split()]
    return Board(
        id="tetrarchia",
        name="Tetrarchia",
        edition="map of the tests",
        roma="roma",
        zones=("Mare Atlanticum", "Mare Internum", "Mare Aegaeum"),
        adjacent_zones=frozenset({frozenset({1, 2}), frozenset({2, 3})}),
        regions=tuple(Region(name, name, row, border) for row, (name, border) in enumerate(REGIONS.values())),
        emperors=tuple(Emperor(name, name.title(), "white", capital) for name, capital in CAPITALS.items()),
        provinces=MappingProxyType(rows),
        links=tuple(Link((a, b), broken, GIVEN, GIVEN) for (a, b), broken in pairs),
        no_links=(),
        source="tests",
    )


MAP = build_map()

# -- positions ---------------------------------------------------------------------------------------------------


def make_position(
    to_move: str = "diocletian",
    at: Mapping[str, str] | None = None,
    *,
    ip: int = 6,
    fleets: tuple[int, ...] = (2, 3),
    armies: str = "",
    revolts: str = "",
    unrest: str = "",
    garrisons: Mapping[str, str] | None = None,
    level: int = 4,
    readings: Mapping[str, str] | None = None,
    barbarian: bool = False,
    board: Board = MAP,
    legal: bool = True,
) -> Position:
    """A position in names: `at` says where Emperors stand, the others are off; lists of provinces are one text.

    `level` is the number of garrisons. What cannot occur is a mistake of the test unless it says `legal=False`.
    """
    discs = dict.fromkeys(revolts.split(), REVOLT_DISC) | dict.fromkeys(unrest.split(), UNREST_DISC)
    for emperor, provinces in (garrisons or {}).items():
        discs |= dict.fromkeys(provinces.split(), emperor)
    position = Position(
        board=board,
        ruleset=Ruleset(level, max(1, len(fleets)), interpretations=tuple((readings or {}).items())),
        to_move=to_move,
        phase=Phase.BARBARIAN if barbarian else Phase.ROMAN,
        ip=0 if barbarian else ip,
        emperors=at or {},
        fleets=fleets,
        armies=tuple(armies.split()),
        discs=discs,
    )
    if legal:
        assert position.status() == (), "the test asks for a position that cannot occur"
    return position


def others_than(*free: str, board: Board = MAP) -> str:
    """All Roman provinces but these."""
    return " ".join(p.id for p in board.provinces.values() if not p.is_border and p.id not in free)


def play(position: Position, *lines: str) -> Position | Fall:
    """The position after these actions, as a player types them."""
    after: Position | Fall = position
    for line in lines:
        assert isinstance(after, Position), f"nothing can be played after {after}"
        after = rules.play(after, rules.parse(after, line))
    return after


def barbarians(position: Position, *faces: int) -> Position | Fall:
    """One Barbarian phase with these faces, all of which have to be used."""
    dice = GivenDice(faces)
    after = rules.sample(position, dice)
    assert dice.left == 0, f"{dice.left} dice were not asked for"
    return after


def faces_of(province: str, board: Board = MAP) -> tuple[int, int]:
    """The two dice of an activity in this province."""
    return board[province].region, board[province].number


def chance(position: Position, event: Callable[[Position], bool]) -> Fraction:
    """The chance that the Barbarian phase ends in a standing Empire with this event."""
    return rules.outcomes(position).probability(lambda after: isinstance(after, Position) and event(after))


# -- games at random ---------------------------------------------------------------------------------------------


def random_game(seed: int | str, turns: int = 12, board: Board | None = None) -> Iterator[Position]:
    """Every position of a game in which each Emperor chooses at random, after each action and phase."""
    board = board or Board.standard()
    random = Random(f"game {seed}")
    dice = RandomDice(f"dice {seed}")
    levels = list(all_levels())
    now: Position | Fall = rules.random_set_up(random.choice(levels), seed, board=board)
    for _ in range(turns):
        while True:
            assert isinstance(now, Position)
            yield now
            action = random_action(now, random)
            if action is None:
                return
            now = rules.play(now, action)
            if not isinstance(now, Position) or now.phase is Phase.BARBARIAN:
                break
        if not isinstance(now, Position):
            return
        yield now
        now = rules.sample(now, dice)
        if not isinstance(now, Position):
            return


def random_action(position: Position, random: Random) -> Action | None:
    """A legal action, with a liking for work over walking about; None where the game is over."""
    legal = rules.legal_actions(position)
    work = [action for action in legal if action.kind not in (Kind.MOVE, Kind.SAIL)]
    if work and random.random() < 0.6:
        return random.choice(work)
    if legal and (random.random() < 0.9 or not rules.may_end(position)):
        return random.choice(legal)
    return Action(Kind.END) if rules.may_end(position) else None


def played_on(game: Game, seed: object, things: int) -> Game:
    """The game after so many more things, or after its end, everybody choosing at random."""
    random, dice = Random(f"mind {seed}"), RandomDice(f"dice {seed}")
    for _ in range(things):
        if game.is_over:
            break
        if game.position.phase is Phase.BARBARIAN:
            game.barbarians(dice, lambda choice: random.randrange(len(choice.options)))
            continue
        action = random_action(game.position, random)
        if action is None:  # with another Emperor, and nowhere to go
            break
        if action.kind is Kind.ATTACK:
            game.attack(action.place, dice, action.figure, lambda _action, _faces, discs: random.choice((None, *discs)))
        else:
            game.act(action)
    return game
