"""The game of a command, from ``--game``."""

from __future__ import annotations

import click

from tetrasolve.games import GameDefinition, game


def game_of(ctx: click.Context) -> GameDefinition:
    """The game of ``--game``, or the default game."""
    chosen = ctx.find_root().obj
    return chosen if isinstance(chosen, GameDefinition) else game()


def current_game() -> GameDefinition:
    """The game of the running command, or the default game where none runs."""
    ctx = click.get_current_context(silent=True)
    return game() if ctx is None else game_of(ctx)
