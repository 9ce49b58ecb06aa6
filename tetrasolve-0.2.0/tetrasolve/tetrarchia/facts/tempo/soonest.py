"""How soon the game can be won: a bound by free tours, whatever the dice, and a game that takes no longer.

Once for the kindest set-up, where the bound holds for all of them, and once for a harsh one, where the bound counts the
revolts that lie there. How soon the game can be won from the harshest of all is at least that; it is not known to be no more.
The bound of a harsh set-up is made with a fleet in every zone, so that one serves all levels with these revolts.

What dice are the kindest is not always that they do nothing. An army that stands on a revolt may lose against an Emperor in
its way, and the revolt goes with it for no IP; a game may state the dice which bring that about.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.claims.saying import listed, many
from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Outcome, read_action
from tetrasolve.tetrarchia.action import Kind as ActionKind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.routes.travel import travel
from tetrasolve.tetrarchia.facts.saying import provinces
from tetrasolve.tetrarchia.facts.tempo.games import FEWEST_GARRISONS, HARSH, KINDEST, Game, games
from tetrasolve.tetrarchia.facts.tempo.tours import Tours
from tetrasolve.tetrarchia.numbers import FIRST_PROVINCE, IP_A_TURN
from tetrasolve.tetrarchia.plan.campaign.dice import DiceError, Faces, PhaseDice, StatedDice, read_dice
from tetrasolve.tetrarchia.plan.replay import carry_out
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.chance import FACES

SOONEST, HARSH_KIND = "victory-soonest", "victory-harsh"
CERTIFICATE = "soonest-victory"
MOST_TURNS = 24
UNKNOWN = "unknown"  # in place of turns: none are enough up to the most, or no game is known


@lru_cache(maxsize=16)
def tours_of(board: Board, fleets: int, revolts: tuple[str, ...]) -> Tours:
    """Free tours with so many fleets that subdue those of these revolts which no army can take away."""
    return Tours(travel(board), fleets, revolts)


def least_turns(board: Board, fleets: int, revolts: tuple[str, ...] = (), known: int | None = None) -> int | None:
    """No game with so many fleets, from a set-up with these revolts, is won in fewer turns; None: nor in `MOST_TURNS`.

    `known` are the turns of a game: no more than these have to be tried.
    """
    tours = tours_of(board, fleets, revolts)
    if known is None:
        return tours.least_turns(MOST_TURNS)
    return next((turns for turns in range(known, 1, -1) if not tours.enough(turns - 1)), 1)


# -- the witness -----------------------------------------------------------------------------------------------


def kindest_dice(position: Position) -> PhaseDice:
    """Dice of a Barbarian phase that do nothing: they name the first protected province, and every broken link fails.

    :raises DiceError: when no province is protected.
    """
    for region, number in product(FACES, repeat=2):
        if position.is_protected(position.board.at(region, number)):
            return PhaseDice(activity=Faces((region, number)), check=Faces((min(FACES),), again=True))
    raise DiceError("no province is protected: activity does something wherever it comes")


def dice_before(game: Game, turn: int, position: Position) -> PhaseDice:
    """The dice of the phase before a turn (the second is 2): those that the game states, or else the kindest."""
    stated = dict(game.dice)
    return read_dice(stated[turn])[0] if turn in stated else kindest_dice(position)


@lru_cache(maxsize=256)
def is_won(game: Game, board: Board) -> bool:
    """Whether the game begins as one of its level can, the rules allow it, and it is won with its last turn."""
    try:
        start = Position.parse(game.position, board)
        turns = [[action for step in plan for action in read_action(step, board)] for plan in game.turns]
        return is_set_up(start, game.level) and wins(start, turns, game)
    except TetrasolveError:
        return False


def wins(start: Position, turns: Sequence[Sequence[Action]], game: Game) -> bool:
    """Whether these turns, with the dice of the game between them, win it with the last of them and not before.

    :raises TetrasolveError: when the rules forbid something, or there are no such dice.
    """
    state = start
    for turn, steps in enumerate(turns, start=1):
        if turn > 1:
            before = state.replace(phase=Phase.BARBARIAN, ip=0)
            after = rules.sample(before, StatedDice(dice_before(game, turn, before)))
            if isinstance(after, Fall):
                return False
            state = after
        stated = tuple((step.place, Outcome.VICTORY) for step in steps if step.kind is ActionKind.ATTACK and step.place)
        end, _ = carry_out(state, steps, stated)
        if isinstance(end, Fall) or end.is_won:
            return isinstance(end, Position) and turn == len(turns)
        state = end
    return False


def is_set_up(position: Position, level: str) -> bool:
    """Whether a game at a level with these figures can begin so: fleets, additional revolts, armies."""
    board = position.board
    fleets, revolts, armies = map(int, level)
    regions = {board[place].region for place in position.revolts if board[place].number >= FIRST_PROVINCE + 1}
    return (
        str(position.ruleset) == f"{FEWEST_GARRISONS}{level}"
        and len(position.fleets) == fleets
        and (position.to_move, position.ip) == (board.emperors[0].id, IP_A_TURN)
        and not any(position.emperors.values())
        and len(position.discs) == len(position.revolts) == len(board.borders) + revolts
        and all(board[place].number for place in position.revolts)
        and regions == set(range(1, len(board.borders) + 1))
        and len(position.armies) == armies
        and all(board[army].is_border for army in position.armies)
    )


# -- the facts -------------------------------------------------------------------------------------------------


def _game(board: Board, level: str, set_up: str) -> Game:
    """The first game of a level that is won on this board; if none is, the first of all."""
    known = games(set_up)[level]
    return next((game for game in known if is_won(game, board)), known[0])


def _values(board: Board, level: str, set_up: str) -> dict[str, Value]:
    """The bound and the length of the game, as one number where they meet; of a harsh set-up its revolts too."""
    game = _game(board, level, set_up)
    values: dict[str, Value] = {}
    revolts: tuple[str, ...] = ()
    fleets = int(level[0])
    if set_up == HARSH:
        revolts = tuple(sorted(Position.parse(game.position, board).revolts, key=board.order.__getitem__))
        values["revolts"] = revolts
        fleets = len(board.zones)  # who has one in every zone can do whatever others can: one bound for all levels
    most = len(game.turns) if is_won(game, board) else None
    least = least_turns(board, fleets, revolts, most)
    if least is not None and least == most:
        return values | {"turns": least}
    return values | {"least": UNKNOWN if least is None else least, "most": UNKNOWN if most is None else most}


def _sections(board: Board, game: Game, end: str, *, stated: bool = False) -> dict[str, list[str]]:
    """A game as sections whose names end so; if it is not won only its beginning, where that has to be stated."""
    won = is_won(game, board)
    return {
        f"start{end}": [game.position] if won or stated else [],
        f"dice{end}": [f"{turn} {dice}" for turn, dice in game.dice] if won else [],
        f"turns{end}": ["; ".join(plan) for plan in game.turns] if won else [],
    }


def _all_levels(board: Board) -> dict[str, Values]:
    found = {level: _values(board, level, KINDEST) for level in games(KINDEST)}
    return {"": {f"{path}.{level}": value for level, values in found.items() for path, value in values.items()}}


def _certify_soonest(board: Board, _: str, values: Values) -> Certificate:
    """A game for each level; the bound needs no certificate, for the checker makes all free tours by itself."""
    sections: dict[str, list[str]] = {}
    for level in games(KINDEST):
        sections |= _sections(board, _game(board, level, KINDEST), f"-{level}")
    return fact_certificate(CERTIFICATE, board, SOONEST, {}, values, sections)


def harsh_level(extras: str) -> str:
    """The level of the game from a harsh set-up with so many additional revolts: one fleet, no army."""
    return f"1{extras}0"


def _certify_harsh(board: Board, extras: str, values: Values) -> Certificate:
    game = _game(board, harsh_level(extras), HARSH)
    return fact_certificate(
        CERTIFICATE, board, f"{HARSH_KIND}/{extras}", {}, values, _sections(board, game, "", stated=True)
    )


def _say_soonest(_: str, v: Values) -> str:
    met = {path[-3:]: value for path, value in v.items() if path.startswith("turns")}
    left = {path[-3:]: (value, v[f"most.{path[-3:]}"]) for path, value in v.items() if path.startswith("least")}
    lines = [
        f"no game is won in fewer than {turns} turns, whatever the dice, and from the kindest set-up and with the kindest "
        f"dice one is won in {turns}, at {many(sum(other == turns for other in met.values()), 'level')} of {len(met | left)}"
        for turns in sorted(set(met.values()), key=str)
    ]
    lines += [
        f"at levels {listed(level for level, found in left.items() if found == pair)} no game is won in fewer than "
        f"{pair[0]} turns, "
        f"{'and none is known' if pair[1] == UNKNOWN else f'and one that is known takes {pair[1]}'}"
        for pair in sorted(set(left.values()), key=str)
    ]
    text = "; ".join(lines)
    return f"{text[0].upper()}{text[1:]} (levels by fleets, additional revolts and armies)."


def _say_harsh(extras: str, v: Values) -> str:
    least, most = (v["turns"], v["turns"]) if "turns" in v else (v["least"], v["most"])
    known = (
        f"with one fleet, no army and the kindest dice one is won in {most}"
        if most != UNKNOWN
        else "no game from there is known"
    )
    return (
        f"At levels with {many(int(extras), 'additional revolt')} there is a set-up (revolts in {provinces(v, 'revolts')}) from "
        f"which no game is won in "
        f"fewer than {least} turns, whatever the dice, the fleets and the armies; {known}."
    )


ROWS = ("links", "kinds", "arrows", "zones", "regions", "numbers", "printed")
RULESET = "the base game: the bound in every reading, the game in the usual one"

TOPICS = (
    Topic(
        SOONEST,
        "tempo",
        "The fewest turns in which a game can be won",
        "free tours of all four Emperors as a bound, and for each level a game from the kindest set-up with the kindest dice",
        CERTIFICATE,
        ROWS,
        _all_levels,
        _certify_soonest,
        _say_soonest,
        ruleset=RULESET,
        certainty="proved",  # at some levels a bound from below and one from above, which do not meet
        effort=0.8,
    ),
    Topic(
        HARSH_KIND,
        "tempo",
        "The fewest turns from a harsh set-up",
        "free tours that subdue the revolts of this set-up as a bound, and a game with the kindest dice",
        CERTIFICATE,
        ROWS,
        lambda board: {extras: _values(board, harsh_level(extras), HARSH) for extras in "012"},
        _certify_harsh,
        _say_harsh,
        ruleset=RULESET,
        certainty="proved",
        effort=3.5,
    ),
)
