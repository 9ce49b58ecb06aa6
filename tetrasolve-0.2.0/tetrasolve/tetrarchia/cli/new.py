"""``tetrasolve new``: set up a game, or a historical scenario."""

from __future__ import annotations

import click

from tetrasolve.cli.common import write_file
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.cli.positions import PositionError, find_board, zones_of
from tetrasolve.tetrarchia.game import Game, SetUp, new_game, new_scenario
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import write_record
from tetrasolve.tetrarchia.rules import open_choices, scenario, scenario_set_up, set_up
from tetrasolve.tetrarchia.rules.chance import GivenDice
from tetrasolve.tetrarchia.ruleset import Ruleset


@click.command("new")
@click.argument("level", required=False)
@click.option("--seed", type=int, required=True, help="Seed of the set-up dice.")
@click.option("--modules", metavar="NAMES", help="Modules in use, like dux,goths.")
@click.option("--variants", metavar="NAMES", help="Variants in use, like usurpator,via-romana.")
@click.option(
    "--scenario", "war", metavar="NAME", help="A historical scenario, like danubian-wars; it has its own LEVEL."
)
@click.option("--fixed", is_flag=True, help="The scenario's set-up without dice: revolts in province 3.")
@click.option("--fleets", metavar="ZONES", help="Zones of the fleets, like 23 (default: drawn from the seed).")
@click.option("--all-fleets", is_flag=True, help="Print the set-up with every choice of zones.")
@click.option("--board", metavar="FILE", help="A board file.")
@click.option(
    "--form", type=click.Choice(["json", "line", "record"]), default="json", show_default=True, help="Output form."
)
@click.option("--json", "form", flag_value="json", help="As --form json.")
@click.option("--out", metavar="FILE", default="-", help="Output file (default: standard output).")
def command(
    level: str | None,
    seed: int,
    modules: str | None,
    variants: str | None,
    war: str | None,
    fixed: bool,
    fleets: str | None,
    all_fleets: bool,
    board: str | None,
    form: str,
    out: str,
) -> None:
    """Set up a game of LEVEL, like 4211, or a scenario, with the rulebook's dice."""
    map_ = find_board(board)
    ruleset = _ruleset(level, war, _names(modules), _names(variants), fixed=fixed)
    game = _game(ruleset, seed, zones_of(fleets), map_, war, fixed=fixed)
    if not all_fleets:
        text = write_record(game) if form == "record" else str(game.start) if form == "line" else game.start.to_json()
        write_file(out, text.rstrip("\n") + "\n")
        return
    if form != "line":
        raise PositionError("--all-fleets writes one position a line: use it with --form line")
    assert game.set_up is not None
    lines = [str(_with_fleets(game, game.set_up, choice, map_)) for choice in open_choices(game.start)]
    write_file(out, "\n".join(lines) + "\n")


def _game(
    ruleset: Ruleset, seed: int, zones: tuple[int, ...] | None, board: Board, war: str | None, *, fixed: bool
) -> Game:
    if war is None:
        return new_game(ruleset, seed, zones, board)
    return new_scenario(war, seed, zones, ruleset, fixed=fixed, board=board)


def _ruleset(
    level: str | None, war: str | None, modules: frozenset[str], variants: frozenset[str], *, fixed: bool
) -> Ruleset:
    """The ruleset of LEVEL and the options."""
    if war is None:
        if level is None:
            raise PositionError("expected a LEVEL like 4211, or --scenario NAME")
        if fixed:
            raise PositionError("--fixed is the set-up of a scenario: use it with --scenario NAME")
        return Ruleset.from_text(level).with_extensions(modules, variants)
    if level is None:
        return scenario(war).ruleset(modules=modules, variants=variants)
    given = Ruleset.from_text(level)
    return scenario(war).checked(given.with_extensions(modules | scenario(war).modules, variants))


def _names(text: str | None) -> frozenset[str]:
    return frozenset(text.split(",")) if text else frozenset()


def _with_fleets(game: Game, rolled: SetUp, zones: tuple[int, ...], board: Board) -> Position:
    """The same dice with other zones."""
    dice = GivenDice(rolled.faces)
    if rolled.scenario is None:
        return set_up(game.start.ruleset, zones, dice, board)
    return scenario_set_up(rolled.scenario, zones, dice, game.start.ruleset, fixed=rolled.fixed, board=board)
