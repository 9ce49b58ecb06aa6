"""Games in two halves, as data: for each half games from so many tables that every set-up is part of one of them.

Whether they are games, and whether no set-up is left out, is for `halves` and for this module to see; nothing is believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations, product
from typing import Any, NamedTuple, TypeAlias

from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.tempo.halves import GUARDED, NO_GAME, QUIET, Half, PartGame, last_turn, strength
from tetrasolve.tetrarchia.numbers import FIRST_PROVINCE, REVOLTS
from tetrasolve.tetrarchia.rules.chance import FACES

FILE = "halves.toml"
ATTACK, MOVE, WON = "attack ", "move ", ": victory"
STAY = "-"


class Part(NamedTuple):
    """Half of a game: its Emperors, its regions by number, and its games, each as a line of text."""

    emperors: tuple[str, ...]
    regions: tuple[int, ...]
    games: tuple[str, ...]


class Division(NamedTuple):
    """Games in two halves, with fleets in these zones."""

    zones: tuple[int, ...]
    halves: tuple[Part, ...]


class Repertoire(NamedTuple):
    """Divisions of which one at least serves, whatever the set-up: additional revolts, whether armies stand on all borders."""

    extras: int
    armed: bool
    divisions: tuple[Division, ...]

    def serves(self, level: str) -> bool:
        """Whether what it shows holds at levels with these last three figures."""
        fleets, revolts, armies = map(int, level)
        enough = all(len(division.zones) <= fleets for division in self.divisions)
        return enough and self.extras >= revolts and (self.armed or not armies)


@cache
def repertoires() -> tuple[Repertoire, ...]:
    """All that have been found."""
    data = read_toml((files("tetrasolve.tetrarchia") / "data" / FILE).read_text("utf-8"))
    return tuple(
        Repertoire(row["extras"], row["armed"], tuple(map(_division, row["division"]))) for row in data["repertoire"]
    )


def _division(row: dict[str, Any]) -> Division:
    return Division(tuple(map(int, row["zones"])), tuple(map(_part, row["half"])))


def _part(row: dict[str, str]) -> Part:
    games = tuple(row["games"].strip().split("\n"))
    return Part(tuple(row["emperors"].split(".")), tuple(map(int, row["regions"])), games)


def read_game(board: Board, line: str) -> PartGame:
    """A game from its line: the codes of the provinces where revolts may lie, then the plans."""
    codes, *plans = line.split(" | ")
    places = {province.code: place for place, province in board.provinces.items()}
    return PartGame(
        board.mask(places[code] for code in codes.split(".")),
        tuple(() if plan == STAY else tuple(plan.split("; ")) for plan in plans),
    )


def game_text(board: Board, game: PartGame) -> str:
    """A game as a line, `STAY` for a turn in which nothing is done.

    >>> board = Board.standard()
    >>> game_text(board, PartGame(board.mask(["achaia"]), (("enter roma", "move achaia", "remove"), ("move epirus",))))
    'ach | enter roma; move achaia; remove | move epirus'
    """
    codes = ".".join(board[place].code for place in board.unmask(game.revolts))
    return " | ".join((codes, *("; ".join(plan) or STAY for plan in game.plans)))


# -- what they show --------------------------------------------------------------------------------------------------


def texts(part: Part, *, armed: bool) -> tuple[str, ...]:
    """The games of a half as lines; where no army stands who would attack it moves."""
    if armed:
        return part.games
    return tuple(line.replace(WON, "").replace(ATTACK, MOVE) for line in part.games)


def halves_of(board: Board, division: Division, *, anywhere: bool, armed: bool) -> tuple[Half, ...]:
    """The halves of a division, at a level with or without additional revolts and armies."""
    order = [emperor.id for emperor in board.emperors]
    return tuple(
        Half(board, tuple(map(order.index, part.emperors)), part.regions, division.zones, anywhere, armed)
        for part in division.halves
    )


@lru_cache(maxsize=64)
def length(repertoire: Repertoire, board: Board) -> int:
    """In how many turns the last of its games is over, if all goes well."""
    return max(
        last_turn(half, line.count(" | "))
        for division in repertoire.divisions
        for half, part in zip(halves_of(board, division, anywhere=False, armed=False), division.halves, strict=True)
        for line in part.games
    )


@lru_cache(maxsize=64)
def turns(repertoire: Repertoire, board: Board, revolts: int, *, armed: bool) -> int | None:
    """In how many turns every set-up with so many additional revolts is won; None if a game goes wrong, or a set-up is left out."""
    played = []
    for division in repertoire.divisions:
        halves = halves_of(board, division, anywhere=revolts > 0, armed=armed)
        if not are_whole(board, halves) or len(board.borders) + revolts + sum(map(trail, halves)) > REVOLTS:
            return None
        for half, part in zip(halves, division.halves, strict=True):
            played.append((half, [read_game(board, line) for line in texts(part, armed=armed)]))
    most = length(repertoire, board)
    standings = []
    for half, games in played:
        strengths = [strength(half, game, most) for game in games]
        if not all(strengths):
            return None
        standings.append(standing(half, revolts, [game.revolts for game in games], strengths))
    left = unanswered([(h, s) for (h, _), s in zip(played, standings, strict=True)], revolts)
    return None if left else most


def are_whole(board: Board, halves: Iterable[Half]) -> bool:
    """Whether halves have all Emperors and all regions between them, and none in common."""
    emperors = [emperor for half in halves for emperor in half.emperors]
    regions = [region for half in halves for region in half.regions]
    return sorted(emperors) == list(range(len(board.emperors))) and sorted(regions) == list(FACES)


def trail(half: Half) -> int:
    """In how many provinces the armies of a half can leave a revolt."""
    places = list(half.board.unmask(half.borders)) if half.armed else []
    borders = len(places)
    for place in places:
        target = half.arrow(place)
        if target is not None and target not in places:
            places.append(target)
    return len(places) - borders


# -- which set-ups are answered ----------------------------------------------------------------------------------------

Standing: TypeAlias = "list[dict[int, int]]"  # by the number of additional revolts: for each choice its best game


def standing(half: Half, extras: int, begins: Sequence[int], strengths: Sequence[int]) -> Standing:
    """For all that a set-up can have in the regions of a half the strength of the best game that begins with no less."""
    holds = {
        row: sum(1 << number for number, mask in enumerate(begins) if mask >> row & 1)
        for row in range(len(half.board.ids))
    }
    strong = sum(1 << number for number, its in enumerate(strengths) if its == GUARDED)
    found: Standing = [{} for _ in range(extras + 1)]
    for sizes in product(range(1, extras + 2), repeat=len(half.regions)):
        more = sum(sizes) - len(sizes)
        if more > extras:
            continue
        for choice in product(*(choices(half.board, r, size) for r, size in zip(half.regions, sizes, strict=True))):
            rows = [row for places in choice for row in places]
            alive = (1 << len(begins)) - 1
            for row in rows:
                alive &= holds[row]
            best = GUARDED if alive & strong else QUIET if alive else NO_GAME
            found[more][sum(1 << row for row in rows)] = best
    return found


def choices(board: Board, region: int, size: int) -> Iterator[tuple[int, ...]]:
    """The rows of a region where so many revolts of a set-up can lie: one at least not on its number 1."""
    for numbers in combinations(FACES, size):
        if numbers != (FIRST_PROVINCE,):
            yield tuple(board.order[board.at(region, number)] for number in numbers)


def unanswered(halves: Sequence[tuple[Half, Standing]], extras: int) -> set[int]:
    """The set-ups for which no division, two halves after two halves, has games of which one is guarded."""
    (_, first), (_, second) = halves[:2]
    left = {
        one | other
        for more in range(extras + 1)
        for one, its in first[more].items()
        if its < GUARDED or min(second[extras - more].values()) < QUIET
        for other, others in second[extras - more].items()
        if not _answer(its, others)
    }
    for number in range(2, len(halves), 2):
        (one, its), (other, others) = halves[number : number + 2]
        known, more_known = ({c: s for row in all_its for c, s in row.items()} for all_its in (its, others))
        left = {setup for setup in left if not _answer(known[setup & one.own], more_known[setup & other.own])}
    return left


def _answer(one: int, other: int) -> bool:
    """Whether games of these strengths, one of each half, make a game: one of them must be guarded."""
    return NO_GAME not in (one, other) and GUARDED in (one, other)
