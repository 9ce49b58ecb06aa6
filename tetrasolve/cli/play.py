"""``tetrasolve play``: a game in the terminal, dice rolled or typed in, every step undoable, the record saved."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

import click

from tetrasolve.cli.common import find_board, find_position, position_options, zones_of
from tetrasolve.cli.show import as_text
from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import Dice, RandomDice
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.status import require_legal

HELP = """\
an action by its number or in words (move roma, attack nar, sail 2>3, ...), or
  end           stop: the Barbarian phase follows
  undo          take the last action or Barbarian phase back
  show          the table
  risk          what the coming Barbarian phase can do
  plan ...      an optimal plan for an objective, like: plan secure sarmatia
  help, quit"""


class Quit(Exception):  # noqa: N818  # not an error
    """The player wants to stop, or there is no more input."""


class TypedDice:
    """Dice that the player rolls at the table and types in."""

    def roll(self, question: str) -> int:
        """The face that the player types; asked again until it is one."""
        while True:
            text = ask(f"  {question}, 1 to 6: ")
            if text in ("1", "2", "3", "4", "5", "6"):
                return int(text)
            click.echo("  a die shows 1 to 6")


def ask(prompt: str) -> str:
    """A line of input without the blanks around it.

    :raises Quit: at the end of the input, or when the player types quit.
    """
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line or line.strip().casefold() in ("quit", "q"):
        raise Quit
    return line.strip()


@click.command("play")
@position_options
@click.option("--dice", type=click.Choice(["roll", "enter"]), default="roll", help="Who rolls: the program or you.")
@click.option("--dice-seed", type=int, help="Seed of the dice that the program rolls (default: drawn anew, and told).")
@click.option("--record", metavar="FILE", help="Keep the record of the game in this file, after every step.")
@click.option("--resume", is_flag=True, help="POSITION is a game record: go on from its end.")
def command(
    position: str,
    dice: str,
    dice_seed: int | None,
    record: str | None,
    resume: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> None:
    """Play a game from POSITION: legal moves only, undo, and a record at the end."""
    game = _game(position, find_board(board), seed, fleets, resume=resume)
    source: Dice = TypedDice()
    if dice == "roll":
        dice_seed = secrets.randbelow(10**9) if dice_seed is None else dice_seed
        click.echo(f"dice are rolled from --dice-seed {dice_seed}")
        source = RandomDice(f"play {dice_seed}")
    table = Table(game, source, Path(record) if record else None)
    try:
        table.play()
    except Quit:
        click.echo("\nstopped")
    table.keep()
    click.echo(f"result: {game.result}")
    if record is None:
        click.echo(write_record(game), nl=False)


def _game(text: str, board: Board, seed: int | None, fleets: str | None, *, resume: bool) -> Game:
    if resume:
        return read_record(Path(text).read_text("utf-8"), board)
    if seed is not None and text[:4].isdigit() and " " not in text:
        return new_game(Ruleset.from_text(text), seed, zones_of(fleets), board)
    position = find_position(text, board, seed, fleets)
    require_legal(position)
    return Game(position)


class Table:
    """One game at the terminal."""

    def __init__(self, game: Game, dice: Dice, record: Path | None) -> None:
        self.game = game
        self.dice = dice
        self.record = record

    def keep(self) -> None:
        """Write the record, where one is kept."""
        if self.record is not None:
            self.record.write_text(write_record(self.game), "utf-8")

    def play(self) -> None:
        """Ask, act, and let the Barbarians answer until the game is over."""
        self.show()
        while not self.game.is_over:
            if self.game.position.phase is Phase.BARBARIAN:
                self.barbarians()
            else:
                self.turn(self.game.position)
            self.keep()

    def show(self) -> None:
        """The table as it lies."""
        for line in as_text(self.game.position):
            click.echo(line)

    def turn(self, position: Position) -> None:
        """One thing that the active Emperor does."""
        choices = self.choices(position)
        click.echo(f"\n{position.to_move}, {position.ip} IP:")
        for number, choice in enumerate(choices, start=1):
            click.echo(f"{number:>4}  {choice}")
        text = ask("> ")
        try:
            self.obey(text, position, choices)
        except TetrasolveError as error:
            click.echo(f"  {error}")

    def choices(self, position: Position) -> list[str]:
        """The legal actions with their IP, an attack once."""
        choices: dict[str, int] = {}
        for action in rules.legal_actions(position):
            words = str(action).partition(":")[0]
            choices[words] = rules.cost(position, action)
        listed = [f"{words} ({price} IP)" for words, price in choices.items()]
        return listed + (["end"] if rules.may_end(position) else [])

    def obey(self, text: str, position: Position, choices: list[str]) -> None:
        """Carry out what the player typed."""
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(choices):
            text = choices[int(text) - 1].partition(" (")[0]
        word, _, rest = text.partition(" ")
        match word.casefold():
            case "":
                return
            case "help" | "?":
                click.echo(HELP)
            case "show":
                self.show()
            case "undo":
                self.undo()
            case "risk":
                self.risk(position)
            case "plan":
                self.plan(position, rest)
            case "attack":
                self.attack(position, text)
            case _:
                self.game.act(rules.parse(position, text))

    def attack(self, position: Position, text: str) -> None:
        """Roll a battle: the dice decide the outcome, not the player."""
        armies = {action.place for action in read_action(text, position.board) if action.place in position.armies}
        if len(armies) != 1:
            rules.parse(position, text)  # says what is wrong with it
            return
        army = armies.pop()
        assert army is not None
        fight = rules.battle(position, position.to_move, army) if position.here else None
        action = self.game.attack(army, self.dice)
        faces = self.game.played[-1].faces
        click.echo(f"  {fight}: {faces[0]}-{faces[1]}, {action.outcome}")

    def undo(self) -> None:
        """Take something back, the dice of a Barbarian phase too."""
        played = self.game.undo()
        click.echo(
            "  nothing to take back" if played is None else f"  taken back: {played.action or 'a Barbarian phase'}"
        )
        while self.game.played and self.game.position.phase is Phase.BARBARIAN:
            self.game.undo()  # the end of a turn goes with the phase that it brought

    def barbarians(self) -> None:
        """The Barbarian phase, and what it changed."""
        before = self.game.position
        click.echo("\nBarbarian phase:")
        faces = self.game.barbarians(self.dice)
        click.echo(f"  dice: {' '.join(map(str, faces))}")
        after = self.game.state
        if isinstance(after, Position):
            for line in changes(before, after):
                click.echo(f"  {line}")
        else:
            click.echo(f"  the Empire has fallen: {after}")

    def risk(self, position: Position) -> None:
        """The figures of the phase that would follow now."""
        from tetrasolve.tetrarchia.risk import risk

        figures = risk(position).figures
        click.echo(f"  uprising {figures.p_uprising}, fall {figures.p_lost}, new army {figures.p_new_army} (exact)")

    def plan(self, position: Position, objective: str) -> None:
        """An optimal plan for an objective."""
        from tetrasolve.tetrarchia.plan import plan

        found = plan(position, objective)
        values = ", ".join(f"{term} {value}" for term, value in found.named_values)
        click.echo(f"  {found.plan}\n  {found.status}: {values}")


def changes(before: Position, after: Position) -> list[str]:
    """What a Barbarian phase changed on the table, a line each."""
    board = before.board
    lines = []
    for province in board.ids:
        old, new = before.discs.get(province, "no disc"), after.discs.get(province, "no disc")
        if old != new:
            lines.append(f"{board[province].name}: {old} -> {new}")
    gone = [army for army in before.armies if army not in after.armies]
    come = [army for army in after.armies if army not in before.armies]
    if gone or come:
        names = [", ".join(board[p].name for p in armies) or "none" for armies in (gone, come)]
        lines.append(f"armies left {names[0]}, came to {names[1]}")
    for emperor, place in before.emperors.items():
        if place is not None and after.emperors[emperor] is None:
            lines.append(f"{emperor} is removed from {board[place].name}")
    return lines or ["nothing changes"]
