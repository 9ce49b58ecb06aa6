"""Makes `data/halves.toml`: for each number of fleets and of additional revolts, with armies or without, games for all set-ups.

``python -m tetrasolve.tetrarchia.facts.tempo.building RECIPE...`` prints the repertoires of these recipes, `ALL` of them where
none is named, in the form of the data file. It takes some minutes for each. Nothing is left to chance, so it prints the same
each time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.tempo.divisions import (
    Division,
    Part,
    Repertoire,
    Standing,
    game_text,
    halves_of,
    standing,
    unanswered,
)
from tetrasolve.tetrarchia.facts.tempo.halves import GUARDED, NO_GAME, QUIET, Half, PartGame, strength
from tetrasolve.tetrarchia.facts.tempo.seeking import MOST_TURNS, Seeker

Cut: TypeAlias = (
    "tuple[str, str, str]"  # zones with a fleet; the first half, as Emperors by letter and regions; the second
)


class Recipe(NamedTuple):
    """What is to be found, and how: cuts into halves, one after the other while a set-up is left; beams; turns that will do."""

    extras: int
    armed: bool
    cuts: tuple[Cut, ...]
    beams: tuple[int, ...]
    goal: int


def build(board: Board, recipe: Recipe) -> Repertoire:
    """The repertoire of a recipe.

    :raises ValueError: when a set-up is left for which no game has been found.
    """
    divisions: list[Division] = []
    known: list[tuple[Half, Standing]] = []
    left: set[int] | None = None
    for zones, *cut in recipe.cuts:
        empty = Division(
            tuple(map(int, zones)), tuple(Part(_emperors(board, part), _regions(part), ()) for part in cut)
        )
        parts: list[Part] = []
        guarded = False
        for half, part in zip(
            halves_of(board, empty, anywhere=recipe.extras > 0, armed=recipe.armed), empty.halves, strict=True
        ):
            sets = None if left is None else sorted({setup & half.own for setup in left})
            games = list(_games(half, sets, recipe, quiet=guarded))
            strengths = [strength(half, game, MOST_TURNS) for game in games]
            known.append((half, standing(half, recipe.extras, [game.revolts for game in games], strengths)))
            guarded = all(its == GUARDED for row in known[-1][1] for its in row.values())
            parts.append(part._replace(games=tuple(game_text(board, game) for game in games)))
        divisions.append(empty._replace(halves=tuple(parts)))
        left = unanswered(known, recipe.extras)
        report(recipe, divisions[-1], left)
        if not left:
            return Repertoire(recipe.extras, recipe.armed, tuple(divisions))
    raise ValueError(f"{len(left or ())} set-ups are left")


def _games(half: Half, sets: Iterable[int] | None, recipe: Recipe, *, quiet: bool) -> Iterator[PartGame]:
    """Games that are short enough, guarded ones if there are any: from these tables, or for all set-ups."""
    guards, quiets = Seeker(half, guarded=True), Seeker(half, guarded=False)
    if sets is None:
        seeker = quiets if quiet else guards
        games = list(seeker.cover(recipe.extras, recipe.beams, recipe.goal))
        yield from games
        done = standing(half, recipe.extras, [game.revolts for game in games], [QUIET] * len(games))
        sets = () if quiet else [choice for row in done for choice, its in row.items() if its == NO_GAME]
    for revolts in sets:
        seekers = [quiets] if quiet else [guards, quiets]
        found = (seeker.find(revolts, beam, recipe.goal) for seeker in seekers for beam in recipe.beams)
        game = next(filter(None, found), None)
        if game is not None:
            yield game


def _emperors(board: Board, part: str) -> tuple[str, ...]:
    return tuple(emperor.id for emperor in board.emperors if emperor.letter in part)


def _regions(part: str) -> tuple[int, ...]:
    return tuple(int(figure) for figure in part if figure.isdigit())


def report(recipe: Recipe, division: Division, left: set[int]) -> None:
    """Tell how far it has come."""
    sizes = ", ".join(f"{'.'.join(part.emperors)}: {len(part.games)} games" for part in division.halves)
    sys.stderr.write(f"{recipe.extras} additional revolts, zones {division.zones}, {sizes}; {len(left)} left\n")


def toml(repertoire: Repertoire) -> Iterator[str]:
    """A repertoire as it stands in the data file."""
    yield from ("[[repertoire]]", f"extras = {repertoire.extras}", f"armed = {str(repertoire.armed).lower()}", "")
    for division in repertoire.divisions:
        yield from ("[[repertoire.division]]", f'zones = "{"".join(map(str, division.zones))}"', "")
        for part in division.halves:
            yield from ("[[repertoire.division.half]]", f'emperors = "{".".join(part.emperors)}"')
            yield from (f'regions = "{"".join(map(str, part.regions))}"', "games = '''", *part.games, "'''", "")


ONE, TWO = ("2", "DM156", "GC234"), ("2", "DM126", "GC345")
ALL: Mapping[str, Recipe] = {
    "none": Recipe(0, True, (ONE,), (12, 60), 13),  # by additional revolts
    "one": Recipe(1, True, (ONE, TWO, ("2", "DC156", "GM234")), (6, 30), 15),
    "two": Recipe(2, True, (ONE, TWO), (6, 30), 18),
}


def main(names: Sequence[str]) -> None:
    """Print the repertoires of these recipes."""
    for name in names or ALL:
        sys.stdout.write("\n".join(toml(build(Board.standard(), ALL[name]))) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
