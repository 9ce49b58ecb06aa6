"""The words of statements about the base game, answered by the reference rules.

What lies on the board is asked of a position, of a step of a Barbarian phase or of a fall alike. The other words of a statement
are those of `extensions` (modules, variants and scenarios) and a few of Python's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from typing import Any

from tetrasolve.errors import FactError, IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import FIRST_PROVINCE
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position, next_emperor
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, Uprising, resolve
from tetrasolve.tetrarchia.rules.advance import Clash
from tetrasolve.tetrarchia.rules.battle import group
from tetrasolve.tetrarchia.rules.links import attack_cost, destinations, move_cost
from tetrasolve.tetrarchia.rules.modules.usurpator import Rising
from tetrasolve.tetrarchia.rules.setup import empty_board
from tetrasolve.tetrarchia.rules.step import Step
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset, all_levels

HE = "diocletian"
FACES = range(1, 7)

# -- the board -----------------------------------------------------------------------------------------------------


def board_words(board: Board) -> dict[str, Any]:
    """The rows of the board, and the numbers of the box."""
    places = board.provinces.values()
    return {
        "provinces": board.ids,
        "empire": tuple(place.id for place in places if not place.is_border),
        "borders": board.borders,
        "dice": tuple(board.at(region, number) for region, number in product(FACES, FACES)),
        "roma": board.roma,
        "emperors": tuple(emperor.id for emperor in board.emperors),
        "capital": {emperor.id: emperor.capital for emperor in board.emperors},
        "printed": {place.id: place.printed for place in places},
        "region": {place.id: place.region for place in places},
        "number": {place.id: place.number or 0 for place in places},
        "arrow": {place.id: place.arrow for place in places if place.arrow is not None},
        "links": {
            place: {other: link.broken for other, link in board.neighbours(place).items()} for place in board.ids
        },
        "zones": tuple(board.coast),
        "coast": board.coast,
        "seas": {place.id: frozenset(place.zones) for place in places},
        "adjacent": frozenset(
            pair for zone in board.coast for other in board.adjacent(zone) for pair in [(zone, other)]
        ),
        "faces": FACES,
        "levels": tuple((level.garrisons, level.fleets, level.revolts, level.armies) for level in all_levels()),
        "supply": {name: Ruleset().numbers[name] for name in ("revolts", "unrest", "armies")},
        "first_province": FIRST_PROVINCE,
    }


def distances(
    board: Board, starts: Iterable[str], *, links: bool = False, within: Iterable[str] = ()
) -> dict[str, int]:
    """The IP by links alone from the nearest of some provinces, or the links; `within` some provinces or all."""
    import networkx

    network = networkx.Graph()
    network.add_weighted_edges_from((*link.between, 2 if link.broken and not links else 1) for link in board.links)
    network.add_nodes_from(board.ids)
    inside = network.subgraph(tuple(within) or board.ids)
    return dict(networkx.multi_source_dijkstra_path_length(inside, set(starts)))


# -- positions --------------------------------------------------------------------------------------------------------


def position(
    board: Board,
    *,
    use: Sequence[str] = (),
    level: str = "5300",
    emperor: str = HE,
    at: str | None = None,
    others: Mapping[str, str | None] | None = None,
    fleets: Iterable[int] = (),
    armies: Iterable[str] = (),
    revolts: Iterable[str] = (),
    unrest: Iterable[str] = (),
    garrisons: Iterable[str] | Mapping[str, str] = (),
    **pieces: Any,
) -> Position:
    """A position in a turn of an Emperor, with all his IP: nothing on it but what is named.

    `others` maps other Emperors to their places, `garrisons` are his or map provinces to their owners.
    """
    extensions = [name for name in use if name in MODULES], [name for name in use if name in VARIANTS]
    discs = dict.fromkeys(revolts, REVOLT_DISC) | dict.fromkeys(unrest, UNREST_DISC)
    discs |= garrisons if isinstance(garrisons, Mapping) else dict.fromkeys(garrisons, emperor)
    now = empty_board(Ruleset.from_level(level).with_extensions(*extensions), board)
    now = now.replace(to_move=emperor, fleets=tuple(fleets), armies=tuple(armies), discs=discs)
    for name, place in {**(others or {}), emperor: at}.items():
        now = now.with_emperor(name, place)
    for name, piece in pieces.items():
        now = now.with_piece(name, piece)
    return now


def barbarians(now: Position) -> Position:
    """The same position when the Barbarians come."""
    return now.replace(phase=Phase.BARBARIAN, ip=0)


def played(
    board: Board, text: str, actions: Sequence[str], then: Callable[[Position, str], Position | rules.Fall]
) -> list[Any]:
    """The position in a line, and what comes `then`, after each action.

    :raises FactError: when it cannot occur on this board.
    """
    found: list[Any] = [Position.parse(text, board)]
    if found[0].status():
        raise FactError(f"{text} cannot occur on this board")
    for action in actions:
        found.append(then(found[-1], action))
    return found


def after(now: Position, action: str) -> Position | rules.Fall:
    """The position after an action; an attack is written with its outcome."""
    return rules.play(now, rules.parse(now, action))


def on(step: Step) -> Position | None:
    """The position of a step; None after a fall."""
    return step if isinstance(step, Position) else getattr(step, "position", None)


def asked(what: Callable[[Position], Any], step: Step) -> Any:
    """What holds in the position of a step; nothing after a fall."""
    now = on(step)
    return frozenset() if now is None else what(now)


# -- the Roman phase -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def prices(now: Position) -> Mapping[str, int]:
    """The legal actions of this position with their IP; an attack is named without its outcome."""
    return {str(replace(action, outcome=None)): rules.cost(now, action) for action in rules.legal_actions(now)}


def ways(now: Position, here: str) -> dict[str, int]:
    """Where a move from a place leads, and its IP."""
    return {there: cost for there in destinations(now, here) if (cost := move_cost(now, here, there)) is not None}


def legal(now: Position, action: str) -> bool:
    """Whether an action is legal; an attack is named without its outcome."""
    word, _, army = action.partition(" ")
    if word == "attack" and ":" not in army:
        return rules.objection(now, Action(Kind.ATTACK, army)) is None
    try:
        return rules.objection(now, rules.parse(now, action)) is None
    except IllegalActionError:
        return False


def battle(now: Position, army: str, leader: str | None = None) -> tuple[int, int, int, int]:
    """What counts in a battle: his group, Emperors beside the army, its group, armies beside him."""
    fight = rules.battle(now, leader or now.to_move, army)
    return fight.garrisons, fight.emperors, fight.revolts, fight.armies


def throws(strengths: tuple[int, int, int, int], bonus: int = 0) -> tuple[int, int, int]:
    """Of 36 throws those that are a victory, a draw and a defeat."""
    chances = rules.Battle(*strengths, bonus=bonus).chances()
    return tuple(chances.get(outcome, 0) for outcome in Outcome)  # type: ignore[return-value]


def groups(now: Position) -> list[int]:
    """The sizes of the groups of discs linked to the Emperor whose turn it is."""
    own, here = now.own_discs(now.to_move), now.here
    assert here is not None
    return sorted({len(group(now, place, own)) for place in now.board.neighbours(here) if place in own})


# -- the Barbarian phase -------------------------------------------------------------------------------------------


def kind(step: Step) -> str:
    """What a step waits for: ``uprising`` (a check of a broken link), ``echo``, ``activity``, ``rising``, ``other``."""
    names = {Uprising: "uprising", EchoRegion: "echo", Activity: "activity", Rising: "rising"}
    return names.get(type(step), "other")


def named(now: Position, place: str, passed: bool | None = None) -> Step:
    """What follows when the dice name a province; with `passed` after the checks of broken links: all pass, or none does."""
    step = resolve(now, place)
    while passed is not None and isinstance(step, Uprising):
        step = step.roll().results[-1 if passed else 0]
    return step


def results(step: Step) -> list[Step]:
    """What follows each face of the dice of a step."""
    return list(step.roll().results)  # type: ignore[union-attr]


def ends(now: Position) -> list[tuple[Step, Fraction]]:
    """Everything that a phase can lead to, with its chance."""
    return list(rules.outcomes(now).items())


FALLS = {rules.Fall.NO_UNREST_LEFT: "unrest", rules.Fall.NO_REVOLT_LEFT: "revolts", rules.Fall.ARMY_IN_ROMA: "roma"}


def fallen(step: Step) -> str:
    """Why the Empire has fallen: no ``unrest`` or ``revolts`` left, or an army in ``roma``; empty where it has not."""
    return FALLS[step] if isinstance(step, rules.Fall) else ""


def again(echo: EchoRegion) -> Fraction:
    """The chance that an echo is followed by another one."""
    chance, waiting = Fraction(0), list(echo.roll().distribution().items())
    while waiting:
        now, share = waiting.pop()
        if isinstance(now, EchoRegion):
            chance += share
        elif isinstance(now, (EchoProvince, Uprising)):
            waiting += [(then, share * part) for then, part in now.roll().distribution().items()]
    return chance


def clash(now: Position, army: str) -> list[Step]:
    """What follows each throw when an army attacks the Emperor in its way."""
    return list(Clash(now, (army,), now.board[army].arrow or "").roll().results)


def meetings(now: Position, army: str) -> list[tuple[Position, Fraction]]:
    """The positions on which an army attacks in this phase, before any other advances, each with its chance."""
    visits = rules.solve(now).visits.items()
    return [(step.position, chance) for step, chance in visits if isinstance(step, Clash) and step.armies[0] == army]


def rolled(now: Position) -> set[int]:
    """How many dice the rolls of a phase take."""
    return {
        len(step.roll().questions) for step in rules.solve(now).visits if not isinstance(step, (Position, rules.Fall))
    }


# -- set-up --------------------------------------------------------------------------------------------------------


def additional(board: Board, region: int, number: int) -> str | None:
    """Where a throw puts an additional revolt, each first one lying on a second province; None: it is made again."""
    dice = rules.GivenDice([2] * len(board.borders) + [region, number])
    try:
        found = rules.set_up(Ruleset.from_level("5310"), (1, 2, 3), dice, board)
    except LookupError:
        return None
    return next(place for place in found.revolts if (board[place].region, board[place].number) == (region, number))


def words_of(board: Board) -> Mapping[str, Any]:
    """All words of statements about a board."""
    from tetrasolve.tetrarchia.facts.rulebook import extensions

    return _words(board) | extensions.words_of(board)


@lru_cache(maxsize=4)
def _words(board: Board) -> dict[str, Any]:
    plain = (barbarians, after, prices, ways, legal, battle, throws, groups)
    more = (kind, named, results, ends, fallen, again, clash, meetings, rolled)
    return (
        board_words(board)
        | {word.__name__: word for word in (*plain, *more)}
        | {word.__name__: partial(word, board) for word in (distances, position, additional)}
        | {
            "attack_price": attack_cost,
            "next_emperor": next_emperor,
            "begin": partial(asked, rules.begin),
            "may_end": rules.may_end,
            "at": lambda now: now.here,
            "ip": lambda now: now.ip,
            "over": lambda now: now.phase is Phase.BARBARIAN,
            "is_won": lambda now: now.is_won,
            "revolts": partial(asked, lambda now: now.revolts),
            "unrest": partial(asked, lambda now: now.unrest),
            "armies": partial(asked, lambda now: frozenset(now.armies)),
            "garrisons": partial(asked, lambda now: frozenset(place for place in now.discs if now.has_garrison(place))),
            "standing": partial(asked, lambda now: frozenset(now.romans.values())),
        }
    )
