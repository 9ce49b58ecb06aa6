"""The words of statements about modules, variants and scenarios, answered by the reference rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from tetrasolve.errors import IllegalActionError, RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import PIRATES, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.rulebook.words import barbarians, on, position
from tetrasolve.tetrarchia.numbers import FIXED_PROVINCE
from tetrasolve.tetrarchia.pieces import BARBARIAN_DISCS, BLACK, GRAY, RESERVE
from tetrasolve.tetrarchia.position import Position, start_of_turn
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.activity import Activity, arrival
from tetrasolve.tetrarchia.rules.advance import Clash, Crossing
from tetrasolve.tetrarchia.rules.chance import GivenDice, passes
from tetrasolve.tetrarchia.rules.choices import Reroll
from tetrasolve.tetrarchia.rules.links import sea_ways
from tetrasolve.tetrarchia.rules.modules.barbaria import Advance, BlackDisc
from tetrasolve.tetrarchia.rules.modules.imperium import Block
from tetrasolve.tetrarchia.rules.modules.pirates import Pirates
from tetrasolve.tetrarchia.rules.modules.usurpator import Rising
from tetrasolve.tetrarchia.rules.questions import new_turn
from tetrasolve.tetrarchia.rules.step import Choice, Step
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

WARS = {
    "carausian": "carausian-revolt",
    "danubian": "danubian-wars",
    "mauretanian": "mauretanian-war",
    "persian": "great-persian-war",
}

# -- rulesets and actions ------------------------------------------------------------------------------------------


def playable(level: Sequence[int], modules: Sequence[str], variants: Sequence[str] = ()) -> bool:
    """Whether there is such a game."""
    try:
        Ruleset.from_level("".join(map(str, level))).with_extensions(modules, variants)
    except RulesetError:
        return False
    return True


def deeds(now: Position, figure: str) -> dict[str, int]:
    """What another figure than the active Emperor can do with his IP, and the IP."""
    actions = [action for action in rules.legal_actions(now) if action.figure == figure and action.kind != "deploy"]
    return {str(replace(action, outcome=None, figure=None)): rules.cost(now, action) for action in actions}


def piece(now: Step, name: str) -> Any:
    """Where a piece of a module is: its place, its zone, ``dead``, or None."""
    found = on(now)
    return None if found is None else found.pieces.plain().get(name)


def choices(now: Position) -> int:
    """In how many ways the players can place the fleets."""
    return len(list(rules.open_choices(now)))


def pirate_zone(board: Board, face: int) -> int | None:
    """The zone in which the Pirates begin by a face of their die; None: it is rolled again."""
    try:
        rolled = Pirates().roll(position(board, use=(PIRATES,), level="5200"), GivenDice([face]))
    except LookupError:
        return None
    return None if rolled.pieces.pirates is None else rolled.pieces.pirates.zone


# -- armies --------------------------------------------------------------------------------------------------------


def beaten(now: Position, army: str) -> Step:
    """What follows when the army beats who is in its way."""
    return Clash(now, (army,), now.board[army].arrow or "").after(Outcome.DEFEAT)


def march(now: Position, army: str) -> Step:
    """What follows when the army goes its way, and passes a broken link."""
    step = advance.towards(now, (army,), now.board[army].arrow or "")
    return step.roll().results[-1] if isinstance(step, Crossing) else step


def crossings(now: Position, army: str) -> list[Step]:
    """What follows each face with which the army checks the broken link in its way."""
    return list(Crossing(now, (army,), now.board[army].arrow or "").roll().results)


def marched(now: Position) -> Step:
    """The position after all armies have advanced, up to the first dice."""
    return advance.begin(now, frozenset())


def block(now: Position, army: str) -> Step | None:
    """The position after Constantius has stopped an army with a disc of his reserve; None where he cannot."""
    step = march(now, army)
    return step.after(f"block:{RESERVE}") if isinstance(step, Block) else None


# -- Imperium and Roma Aeterna -------------------------------------------------------------------------------------


def removed(now: Position | None, emperor: str) -> int:
    """The discs that an Emperor has paid."""
    return 0 if now is None else now.removed[emperor]


def power_uses(board: Board, garrisons: int) -> int:
    """How often Maximian can use his power in a game, turn after turn."""
    now = position(board, use=("imperium",), level=f"{garrisons}200", emperor="maximian", at=board.roma)
    power = rules.parse(now, "imperium reserve")
    times = 0
    while rules.objection(now, power) is None:
        used = rules.play(now, power)
        assert isinstance(used, Position) and used.removed["maximian"] == times + 1
        assert rules.objection(used, power) is not None
        now, times = used.without_piece("power").replace(ip=now.ip), times + 1
    return times


def boost(now: Position, army: str, paid: int) -> int | None:
    """Of 36 throws those that Galerius wins with so many discs; None where he cannot pay them."""
    try:
        ends = rules.attack_roll(now, army, payments=(RESERVE,) * paid).results
    except IllegalActionError:
        return None
    return sum(end.outcome is Outcome.VICTORY for end in ends)


def of_each(board: Board, numbers: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """A number of each Emperor, as a piece of a position; 0 where none is given."""
    return tuple((emperor.id, numbers.get(emperor.id, 0)) for emperor in board.emperors)


# -- Usurpator and Barbaria ----------------------------------------------------------------------------------------


def rising(step: Step) -> tuple[str, ...]:
    """Where a usurper rises by each face of the die; nowhere where none rises."""
    return tuple(step.places()) if isinstance(step, Rising) else ()


def way(board: Board, army: str) -> tuple[str | None, int]:
    """Where an army goes next by itself, and how many links it has to Roma."""
    return advance.way(barbarians(position(board, use=("usurpator",), level="5200")), army)


def player(board: Board, gray: int = 4, black: int = 0, **changes: Any) -> Position:
    """A position when the Barbarians come, with these discs of their player."""
    pieces: dict[str, Any] = {BARBARIAN_DISCS: ((BLACK, black), (GRAY, gray))}
    return barbarians(position(board, use=("barbaria",), level="5200", **changes, **pieces))


def refilled(board: Board, emperor: str) -> int:
    """The gray discs of the Barbarian player when an Emperor's turn begins, who had none left."""
    return new_turn(start_of_turn(player(board, 0), emperor)).gray


def rerolled(board: Board, gray: int, revolts: Iterable[str]) -> Fraction:
    """The chance of an uprising where he rolls again, as often as he can with these discs, until dice name a revolt."""
    return rules.uprising_chance(player(board, gray, revolts=revolts), _only_uprisings)


def _only_uprisings(choice: Choice) -> int:
    if isinstance(choice, Reroll) and isinstance(choice.rolled, Activity):
        region, number = choice.faces
        return int(not choice.position.has_revolt(choice.position.board.at(region, number)))
    return 0


def turns(board: Board, army: str) -> tuple[str, ...]:
    """Where the Barbarian player can turn an army."""
    return tuple(Advance(player(board, armies=(army,)), (army,)).turns())


def cancelled(board: Board, army: str) -> tuple[bool, int]:
    """Whether an army stays where he cancels its advance, and how many discs that takes."""
    choice = Advance(player(board, armies=(army,)), (army,))
    after = choice.after("cancel") if "cancel" in choice.options else None
    if not isinstance(after, Position):
        return False, 0
    return army in after.armies, after.reserve_unrest - choice.position.reserve_unrest


def turned(board: Board, army: str, there: str) -> list[str]:
    """Where an army is after each face of the check of a broken link over which he turns it; none where none is made."""
    step = Advance(player(board, armies=(army,)), (army,)).after(f"turn:{there}")
    if not isinstance(step, Crossing):
        return []
    ends = [end.armies for end in step.roll().results if isinstance(end, Position)]
    return [(*armies, "nowhere")[0] for armies in ends]


def black_disc(board: Board, **changes: Any) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Where the black disc can go, where an army can come instead, and the black discs left after that."""
    asks = "spend the black disc before step 1?"
    choice = BlackDisc(player(board, 0, 1, **changes), asks, frozenset(), lambda position, _: position)
    places = tuple(choice.places())
    spent = choice.after(f"black:{places[0]}")
    assert isinstance(spent, Position)
    return places, tuple(choice.borders()), spent.black


# -- scenarios -----------------------------------------------------------------------------------------------------


def wars(board: Board) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each scenario begins with."""
    for short, name in WARS.items():
        war = rules.scenario(name)
        places = [board.find(coordinates) for coordinates in war.revolts]
        yield (
            short,
            {
                "level": tuple(map(int, war.level)),
                "revolts": tuple(place.id for place in places if place is not None),
                "rebels": {border: rebel.fleet for border, rebel in war.rebels.items()},
                "armies": war.armies,
                "emperors": tuple(war.emperors.values()),
                "first": war.first,
                "pirates": war.pirates,
            },
        )


def begun(board: Board, name: str, **changes: Any) -> Position:
    """A scenario with its fixed set-up, the fleets in the first zones that are open; with nobody but who is `at` a place."""
    war = rules.scenario(WARS[name])
    zones = [zone for zone in board.coast if zone != war.pirates][: war.ruleset().fleets]
    now = rules.scenario_set_up(WARS[name], tuple(zones), GivenDice([]), fixed=True, board=board)
    here = changes.pop("at", None)
    if here is not None:
        now = now.replace(emperors={}).with_emperor(now.to_move, here)
    return now.replace(**{key: tuple(value) for key, value in changes.items()})


@lru_cache(maxsize=4)
def words_of(board: Board) -> dict[str, Any]:
    """The words about a board."""
    plain = (playable, deeds, piece, choices, beaten, march, crossings, marched, block, removed, boost, rising, passes)
    boarded = (
        pirate_zone,
        power_uses,
        of_each,
        way,
        player,
        refilled,
        rerolled,
        turns,
        cancelled,
        turned,
        black_disc,
        begun,
    )
    return (
        {word.__name__: word for word in plain}
        | {word.__name__: partial(word, board) for word in boarded}
        | {
            "modules": MODULES,
            "variants": VARIANTS,
            "wars": dict(wars(board)),
            "fixed_province": FIXED_PROVINCE,
            "verb": lambda action: action.partition(" ")[0],
            "goal": lambda action: action.partition(" ")[2],
            "arrives": arrival,
            "by_sea": sea_ways,
            "great": rules.great,
            "glory": lambda now: now.glory,
            "gray": lambda now: now.gray,
            "black": lambda now: now.black,
            "unrest_left": lambda now: now.reserve_unrest,
            "revolts_left": lambda now: now.reserve_revolts,
        }
    )
