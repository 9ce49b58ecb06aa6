"""``tetrasolve --game et-finem play``: play a game in the terminal, with cards drawn or typed in, undo, and a record."""

from __future__ import annotations

import secrets
from random import Random

import click

from tetrasolve.cli.common import read_input, write_file
from tetrasolve.cli.playing import Quit, ask, in_columns, record_option, require_new, resume_option, until_stopped
from tetrasolve.errors import TetrasolveError, shown
from tetrasolve.finem import rules
from tetrasolve.finem.cli.positions import find_game, position_options
from tetrasolve.finem.game import Game
from tetrasolve.finem.jsonform import NO_ROLE
from tetrasolve.finem.position import Position
from tetrasolve.finem.record import read_record, write_record
from tetrasolve.finem.status import require_legal
from tetrasolve.finem.text import position_text

HELP = """\
a decision by its number or in words (move C6, confront O, pass, ...), a card by its name, or
  undo   take back your last decision, with the cards drawn since
  list   what can come again (or just Enter)
  hint   the best plans from here, or how good each option seems
  show   the position
  help, quit"""


@click.command("play")
@position_options
@click.option(
    "--cards",
    type=click.Choice(["draw", "enter"]),
    default="draw",
    show_default=True,
    help="Cards: drawn by the program, or typed in.",
)
@click.option("--cards-seed", type=int, help="Seed of the program's cards (default: random, and printed).")
@record_option
@resume_option
def command(
    position: str, seed: int | None, cards: str, cards_seed: int | None, record: str | None, resume: bool
) -> None:
    """Play a game from POSITION with legal decisions only, undo, and a record."""
    if position == "-":
        raise click.UsageError("standard input is for your decisions: give the position in another way than -")
    if cards == "enter" and cards_seed is not None:
        raise click.UsageError("--cards-seed goes with --cards draw")
    if resume and seed is not None:
        raise click.UsageError("--seed goes with a level, not with --resume")
    require_new(record, position)
    game = read_record(read_input(position)) if resume else find_game(position, seed)
    record = record or (position if resume else None)
    if isinstance(game.start, Position):
        require_legal(game.start)
    if cards == "draw" and cards_seed is None:
        cards_seed = secrets.randbelow(10**9)
    table = Table(game, None if cards_seed is None else Random(f"play {cards_seed}"), record)
    table.keep()  # now, so that an error in writing occurs before the game
    if cards_seed is not None:
        click.echo(f"cards are drawn from --cards-seed {cards_seed}")
    until_stopped(table.play)
    click.echo(f"result: {game.result}")
    if record is None:
        click.echo(write_record(game), nl=False)


class Table:
    """One game at the terminal; `random` draws the cards, None: they are typed in."""

    def __init__(self, game: Game, random: Random | None, record: str | None) -> None:
        self.game = game
        self.random = random
        self.record = record

    def keep(self) -> None:
        """Write the record, if there is a file for it."""
        if self.record is not None:
            write_file(self.record, write_record(self.game))

    def play(self) -> None:
        """Play until the game is over, and until the player does not undo its end."""
        if isinstance(self.game.state, Position):
            click.echo(position_text(self.game.state))
        while True:
            state = self.game.state
            if not isinstance(state, Position):
                click.echo(f"\nThe game is over: {state}")
                if not self.game.played or ask("undo, or Enter to end > ") != "undo":
                    return
                self.undo()
            elif state.step.is_chance and self.random is not None:
                card = self.game.draw(self.random)
                click.echo(f"  {state.step}: {card}")
            else:
                self.decide(state)
            self.keep()

    def decide(self, position: Position) -> None:
        """One decision, or a card that is typed in."""
        options = rules.node(position).options
        self.offer(position, options)
        before = self.game.state
        while self.game.state is before:
            words = " ".join(ask("> ").split())
            match words:
                case "" | "list":
                    self.offer(position, options)
                case "help" | "?":
                    click.echo(HELP)
                case "hint":
                    self.hint(position)
                case _ if words.startswith("hint "):
                    click.echo(f"  hint: found {shown(words[5:])}, expected hint alone")
                case "show":
                    click.echo(position_text(position))
                case "undo":
                    if self.undo():
                        return
                case "quit":
                    raise Quit
                case _:
                    self.take(words, options)

    def take(self, words: str, options: tuple[str, ...]) -> None:
        """Carry out an option by its number or its words."""
        is_number = words.isascii() and words.isdigit() and 1 <= int(words[:4]) <= len(options)
        try:
            self.game.take(options[int(words[:4]) - 1] if is_number else words)
        except TetrasolveError as error:
            click.echo(f"  {error}")

    def hint(self, position: Position) -> None:
        """The best plans from here; a card that is typed in is no decision."""
        if position.step.is_chance:
            click.echo("  a card is drawn here: nothing is decided")
            return
        from tetrasolve.finem.hint.advice import hint  # not needed by those who do not ask

        for line in str(hint(position, budget="expectimax")).splitlines():
            click.echo(f"  {line}" if line else "")

    def undo(self) -> bool:
        """Undo the last decision with the cards drawn since; cards that are typed in are undone one by one."""
        taken = [self.game.undo()]
        while self.random is not None and self.game.played and self.game.position.step.is_chance:
            taken.append(self.game.undo())
        words = [option for option in taken if option is not None]
        click.echo(f"  undone: {', '.join(words)}" if words else "  nothing to undo")
        return bool(words)

    def offer(self, position: Position, options: tuple[str, ...]) -> None:
        """Print where in the turn the game is, and what can come."""
        left = f", {position.left} left" if position.left else ""
        click.echo(f"\n{position.role or NO_ROLE}, {position.phase}: {position.step}{left}")
        cells = [f"{number:>4}  {option}" for number, option in enumerate(options, start=1)]
        for line in in_columns(cells):
            click.echo(line)
