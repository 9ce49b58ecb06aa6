"""The words of statements about the base game, answered by this program's own rules.

A `Setting` is a moment of a Roman phase, a `Moment` one of a Barbarian phase: a step, and the rules by which it continues. What
lies on the board is asked of both alike.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from barbarian import Phase
from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS, read_position
from phasesteps import FACES, Activity, Clash, Echo, Fallen, Scene, Step, Uprising
from phasetext import read_phase
from rules import BEATEN, FALLEN, IP_A_TURN, MOST_UNREST, ON, USUAL, WON, State, Table, Turn, odds
from text import Unreadable

LEVELS = tuple(product((5, 4, 3), (3, 2, 1), (0, 1, 2), (0, 1, 2)))
NONE = frozenset[str]()
FIRST = 1  # the province of a region on which no first revolt falls


class Setting(NamedTuple):
    """A turn, its state, where the four Emperors stand, how the last action ended, and what modules have put down."""

    turn: Turn
    state: State
    places: tuple[str | None, ...]
    end: str = ON
    level: str = "5300"
    use: frozenset[str] = NONE
    pieces: Mapping[str, Any] = {}


class Moment(NamedTuple):
    """A step of a Barbarian phase, or what a variant puts in its place."""

    phase: Phase
    step: Any
    pieces: Mapping[str, Any] = {}

    def scene(self) -> Scene:
        """The board and the Emperors; after a fall there are none."""
        if isinstance(self.step, Fallen):
            return Scene(Table(frozenset(), NONE, NONE, NONE, (NONE,) * 4), (None,) * 4)
        return self.step if isinstance(self.step, Scene) else self.step.scene

    def then(self, step: Step) -> "Moment":
        """The same phase at another step."""
        return self._replace(step=step)


# -- positions -----------------------------------------------------------------------------------------------------


def board_words(board: Board) -> dict[str, Any]:
    """The rows of the board, and the numbers of the box."""
    at = {(board.region[place], number): place for place, number in board.number.items() if number}
    coast = {zone: tuple(place for place in board.provinces if zone in board.zones[place]) for zone in board.all_zones}
    return {
        "provinces": tuple(board.provinces),
        "empire": tuple(place for place in board.provinces if place not in board.borders),
        "borders": tuple(sorted(board.borders, key=lambda border: (board.region[border], board.row[border]))),
        "dice": tuple(at[pair] for pair in sorted(at)),
        "roma": board.roma,
        "emperors": tuple(board.emperors),
        "capital": board.capital,
        "printed": {p: [name for name in board.emperors if p in board.printed[name]] for p in board.provinces},
        "region": board.region,
        "number": board.number,
        "arrow": board.arrow,
        "links": board.links,
        "zones": tuple(board.all_zones),
        "coast": coast,
        "seas": board.zones,
        "adjacent": frozenset((a, b) for pair in board.adjacent for a, b in (pair, pair[::-1])),
        "faces": FACES,
        "levels": LEVELS,
        "supply": {"revolts": MOST_REVOLTS, "unrest": MOST_UNREST, "armies": MOST_ARMIES},
        "first_province": FIRST,
    }


def distances(
    board: Board, starts: Iterable[str], *, links: bool = False, within: Iterable[str] = ()
) -> dict[str, int]:
    """The IP by links alone from the nearest of some provinces, or the links; `within` some provinces or all."""
    inside = set(within) or set(board.provinces)
    found = dict.fromkeys(starts, 0)
    for spent in range(2 * len(board.provinces)):
        for place in [place for place, cost in found.items() if cost == spent]:
            for other, broken in board.links[place].items():
                cost = spent + (1 if links or not broken else 2)
                if other in inside and cost < found.get(other, cost + 1):
                    found[other] = cost
    return found


def position(
    board: Board,
    *,
    use: Iterable[str] = (),
    level: str = "5300",
    emperor: str = "",
    at: str | None = None,
    others: Mapping[str, str | None] | None = None,
    fleets: Iterable[int] = (),
    armies: Iterable[str] = (),
    revolts: Iterable[str] = (),
    unrest: Iterable[str] = (),
    garrisons: Iterable[str] | Mapping[str, str] = (),
    **pieces: Any,
) -> Setting:
    """A position in a turn of an Emperor, with all his IP: nothing on it but what is named."""
    emperor = emperor or board.emperors[0]
    owners = garrisons if isinstance(garrisons, Mapping) else dict.fromkeys(garrisons, emperor)
    own = tuple(frozenset(place for place, owner in owners.items() if owner == name) for name in board.emperors)
    lies = Table(frozenset(fleets), frozenset(armies), frozenset(revolts), frozenset(unrest), own)
    where = {**(others or {}), emperor: at}
    places = tuple(where.get(name) for name in board.emperors)
    turn = Turn(board, USUAL, int(level[0]), board.emperors.index(emperor), list(places))
    return Setting(turn, State(IP_A_TURN, at, lies), places, ON, level, frozenset(use), pieces)


def barbarians(now: Setting) -> Moment:
    """The same position when the Barbarians come."""
    return Moment(Phase(now.turn.board, USUAL), Scene(now.state.table, now.places))


def played(board: Board, text: str, actions: list[str]) -> list[Setting] | list[Moment]:
    """The position in a line, and after each action."""
    if text.split(" ")[1].endswith(":b"):
        return [Moment(*read_phase(text, board))]
    turn, start = read_position(text, board)
    found = [Setting(turn, start, read_places(text, board))]
    for action in actions:
        found.append(after(found[-1], action))
    return found


def read_places(text: str, board: Board) -> tuple[str | None, ...]:
    """Where the four Emperors of a position stand."""
    return tuple(None if code == "-" else board.by_code[code] for code in text.split(" ")[2].split("/"))


def on(now: Setting | Moment) -> Table:
    """What lies on the board."""
    return now.state.table if isinstance(now, Setting) else now.scene().table


def standing(now: Setting | Moment) -> frozenset[str]:
    """Where somebody of Rome stands."""
    if isinstance(now, Moment):
        return frozenset(place for place in now.scene().places if place is not None)
    places = [now.state.place, *now.turn.others]
    return frozenset(place for place in places if place is not None)


# -- the Roman phase -----------------------------------------------------------------------------------------------


def prices(now: Setting) -> dict[str, int]:
    """The legal actions with their IP; an attack is named without its outcome."""
    return {action.name: now.state.ip - action.ways[0].state.ip for action in now.turn.actions(now.state)}


def after(now: Setting, text: str) -> Setting:
    """The setting after an action; an attack is written with its outcome."""
    name, _, outcome = text.partition(": ")
    ways = [w for a in now.turn.actions(now.state) if a.name == name for w in a.ways if w.outcome == outcome]
    if len(ways) != 1:
        raise Unreadable(f"'{text}' cannot be played")
    places = tuple(ways[0].state.place if row == now.turn.active else place for row, place in enumerate(now.places))
    return now._replace(state=ways[0].state, places=places, end=ways[0].end)


def legal(now: Setting, name: str) -> bool:
    """Whether an action is legal; an attack is named without its outcome."""
    return name in prices(now)


def ways(now: Setting, here: str) -> dict[str, int]:
    """Where a move from a place leads, and its IP."""
    return dict(now.turn.ways(State(IP_A_TURN, here, now.state.table)))


def attack_price(now: Setting, here: str, there: str) -> int | None:
    """The IP of an attack."""
    return now.turn.link_cost(now.state.table, here, there)


def battle(now: Setting | Moment, army: str, leader: str = "") -> tuple[int, int, int, int]:
    """What counts in a battle: his group, Emperors beside the army, its group, armies beside him."""
    if isinstance(now, Setting):
        assert now.state.place is not None and leader in ("", now.turn.emperor)
        return now.turn.strengths(now.state.place, now.state.table, army)
    board, places = now.phase.board, now.scene().places
    place = places[board.emperors.index(leader)]
    assert place is not None
    turn = Turn(board, now.phase.readings, 0, board.emperors.index(leader), list(places))
    return turn.strengths(place, now.scene().table, army)


def throws(strengths: tuple[int, int, int, int], bonus: int = 0) -> tuple[int, int, int]:
    """Of 36 throws those that are a victory, a draw and a defeat; the bonus is the Barbarians'."""
    g, e, r, a = strengths
    return odds(g, e, r + bonus, a)


def groups(now: Setting) -> list[int]:
    """The sizes of the groups of discs linked to the Emperor whose turn it is."""
    turn, own = now.turn, now.turn.own_discs(now.state.table)
    assert now.state.place is not None
    return sorted({turn.largest_group({start}, own) for start in turn.linked[now.state.place] & own})


# -- the Barbarian phase -------------------------------------------------------------------------------------------


def kind(now: Moment) -> str:
    """What a step waits for."""
    return {Uprising: "uprising", Echo: "echo", Activity: "activity"}.get(type(now.step), "other")


def begin(now: Moment) -> Moment:
    """The phase up to its first dice, from this position."""
    return now.then(now.phase.begin(now.scene()))


def named(now: Moment, place: str, passed: bool | None = None) -> Moment:
    """What follows when the dice name a province; with `passed` after the checks of broken links."""
    step = now.phase.resolve(now.scene(), place)
    while passed is not None and isinstance(step, Uprising):
        step = now.phase.roll(step).results[-1 if passed else 0]
    return now.then(step)


def results(now: Moment) -> list[Moment]:
    """What follows each face of the dice of a step."""
    return [now.then(step) for step in now.phase.roll(now.step).results]


def ends(now: Moment) -> list[tuple[Moment, Fraction]]:
    """Everything that a phase can lead to, with its chance."""
    return [(now.then(end), chance) for end, chance in now.phase.solve(begin(now).step).ends.items()]


def fallen(now: Setting | Moment) -> str:
    """Why the Empire has fallen: no ``unrest`` or ``revolts`` left, or an army in ``roma``; empty where it has not."""
    if isinstance(now, Setting):
        return "unrest" if now.end == FALLEN else ""
    return now.step.why if isinstance(now.step, Fallen) else ""


def again(now: Moment) -> Fraction:
    """The chance that an echo is followed by another one."""
    return sum((chance for step, chance in now.phase.row(now.step).items() if isinstance(step, Echo)), Fraction(0))


def clash(now: Moment, army: str) -> list[Moment]:
    """What follows each throw when an army attacks the Emperor in its way."""
    return [now.then(step) for step in now.phase.clash(now.scene(), (army,))]


def meetings(now: Moment, army: str) -> list[tuple[Moment, Fraction]]:
    """The positions in which an army attacks in this phase, before any other advances, each with its chance."""
    visits = now.phase.solve(begin(now).step).visits.items()
    met = [(step, chance) for step, chance in visits if isinstance(step, Clash) and step.armies[0] == army]
    return [(now.then(step), chance) for step, chance in met]


def rolled(now: Moment) -> set[int]:
    """How many dice the rolls of a phase take."""
    visits = now.phase.solve(begin(now).step).visits
    return {{6: 1, 36: 2}[len(now.phase.roll(step).results)] for step in visits}


# -- all of them ---------------------------------------------------------------------------------------------------


def additional(board: Board, region: int, number: int) -> str | None:
    """Where a throw puts an additional revolt; the first ones lie on second provinces, where it is made again."""
    at = {(board.region[place], face): place for place, face in board.number.items() if face}
    return None if number == FIRST + 1 else at[region, number]


def words_of(board: Board) -> dict[str, Any]:
    """All words about the base game."""
    plain = (barbarians, standing, prices, after, legal, ways, attack_price, battle, throws, groups, kind, begin)
    more = (named, results, ends, fallen, again, clash, meetings, rolled)
    return (
        board_words(board)
        | {word.__name__: word for word in (*plain, *more)}
        | {word.__name__: partial(word, board) for word in (distances, position, additional)}
        | {
            "may_end": lambda now: now.turn.may_stop(now.state),
            "at": lambda now: now.state.place,
            "ip": lambda now: now.state.ip,
            "over": lambda now: now.end == BEATEN,
            "is_won": lambda now: now.end == WON,
            "revolts": lambda now: on(now).revolts,
            "unrest": lambda now: on(now).unrest,
            "armies": lambda now: on(now).armies,
            "garrisons": lambda now: on(now).secured(),
        }
    )
