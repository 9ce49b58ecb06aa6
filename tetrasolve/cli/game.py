"""Which game a command is about."""

from __future__ import annotations

import click

from tetrasolve.games import GameDefinition, game


def game_of(ctx: click.Context) -> GameDefinition:
    """The game of ``--game``, or the usual one."""
    chosen = ctx.find_root().obj
    return chosen if isinstance(chosen, GameDefinition) else game()


def current_game() -> GameDefinition:
    """The game of the command that runs now, or the usual one where none runs."""
    ctx = click.get_current_context(silent=True)
    return game() if ctx is None else game_of(ctx)
