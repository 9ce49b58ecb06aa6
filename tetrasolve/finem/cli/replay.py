"""``tetrasolve --game et-finem replay``: verify a game record with the reference rules."""

from __future__ import annotations

from itertools import pairwise

import click

from tetrasolve.cli.common import echo_json, json_option, read_input
from tetrasolve.errors import RecordError
from tetrasolve.finem.position import Phase, Position, Result, State
from tetrasolve.finem.record import read_record
from tetrasolve.finem.text import position_text

REFUTED = 1


@click.command("replay")
@click.argument("record")
@json_option
def command(record: str, as_json: bool) -> int:
    """Replay RECORD (a file, or -); exit code 1 when a line of it does not follow the rules.

    A record that begins with a set-up is a whole game. One that begins at a stated position says nothing about how the game
    came there, only that the position can occur as far as `show` can tell.
    """
    try:
        game = read_record(read_input(record))
    except RecordError as error:
        if as_json:
            echo_json({"verified": False, "line": error.line, "problem": error.problem})
        else:
            click.echo(str(error))
        return REFUTED
    played = [state for state in game.states[:-1] if isinstance(state, Position)]
    cards = sum(state.step.is_chance for state in played)
    turns = sum(_ends_turn(*both) for both in pairwise(game.states)) + 1
    has_begun = not isinstance(game.start, Result)
    begins = "set-up" if game.set_up is not None else "position"
    if as_json:
        line = str(game.position) if has_begun else None
        echo_json(
            {
                "verified": True,
                "begins": begins,
                "result": game.result,
                "turns": turns,
                "cards": cards,
                "position": line,
            }
        )
        return 0
    counted = [(turns, "turn"), (cards, "card"), (len(played) - cards, "decision")]
    words = ", ".join(f"{number} {word}{'' if number == 1 else 's'}" for number, word in counted)
    source = "a set-up" if game.set_up is not None else "a stated position, not from a set-up"
    click.echo(f"verified from {source}: {words}, {game.result}")
    if has_begun:
        click.echo(position_text(game.position))
    return 0


def _ends_turn(before: State, after: State) -> bool:
    """Whether a turn has ended between two states; an Emperor may name a role when his card is drawn [E-EMPEROR-WHEN]."""
    was_in, is_in = (isinstance(state, Position) and state.phase is Phase.ROLE for state in (before, after))
    return was_in and not is_in
