"""``tetrasolve play``: play a game in the terminal, with dice rolled or typed in, undo, and a record."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import click

from tetrasolve.cli.common import read_input, write_file
from tetrasolve.cli.playing import Quit, in_columns, record_option, require_new, resume_option, until_stopped
from tetrasolve.cli.playing import ask as read_answer
from tetrasolve.errors import AmbiguousActionError, IllegalActionError, TetrasolveError
from tetrasolve.tables import value_cells
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, PIRATES, VERBS, Action, read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.cli.positions import find_board, find_game, position_options
from tetrasolve.tetrarchia.game import Game, Played
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import Choice, Decide, Dice, RandomDice
from tetrasolve.tetrarchia.rules.choices import BARBARIAN, NO
from tetrasolve.tetrarchia.status import require_legal
from tetrasolve.tetrarchia.text import pieces_in_words, position_text

HELP = """\
an action by its number or in words (move roma, attack nar, sail 2>3, secure, ...), or
  end           stop: the Barbarian phase follows
  undo          take the last action or Barbarian phase back; where a die or a decision is asked for, what it is for
  redo          what was undone, with the same dice
  list          the legal actions again (or just Enter)
  show          the position
  picture ...   draws the position in a file, like: picture board.svg
  risk          what the coming Barbarian phase can do
  plan ...      an optimal plan for an objective, like: plan secure sarmatia
  hint          the best plans by the evaluation; hint FILE.svg draws the best one; a decision asked for has hints too
  help, quit
words may be cut short as long as it is clear what is meant: m nar, att nar, u"""

HINT_BUDGET = "expectimax"  # takes a fraction of a second
WORDS = (*VERBS, "undo", "redo", "list", "show", "picture", "risk", "plan", "hint", "help", "quit")


class Back(Exception):  # noqa: N818  # not an error
    """The player undoes the action that requires a die."""


class TypedDice:
    """Dice that the player rolls and types in."""

    def roll(self, question: str) -> int:
        """The face that the player types; repeated until it is valid.

        :raises Back: when he types undo.
        """
        while True:
            text = ask(f"  {question}, 1 to 6: ")
            if text in ("1", "2", "3", "4", "5", "6"):
                return int(text)
            if text and "undo".startswith(text.casefold()):
                raise Back
            click.echo("  a die shows 1 to 6")


def ask(prompt: str) -> str:
    """A line of input, as `tetrasolve.cli.playing.ask` reads it.

    :raises Quit: at the end of the input, or when the player types quit.
    """
    text = read_answer(prompt)
    if text and "quit".startswith(text.casefold()):
        raise Quit
    return text


def choose(question: str, options: tuple[str, ...], advice: Callable[[], str] | None = None) -> int:
    """The number of the option that the player takes, counted from 0; asked again until it is one, Enter is the first.

    `advice` is printed when he types hint.

    :raises Back: when he types undo.
    """
    click.echo(f"  {question}")
    for line in in_columns([f"{number:>6}  {option}" for number, option in enumerate(options)]):
        click.echo(line)
    while True:
        text = ask("  ? ").casefold()
        if text.isascii() and text.isdigit() and int(text) < len(options):
            return int(text)
        found = [option for option in options if option.startswith(text)]
        if text in options or len(found) == 1 or not text:
            return options.index(text if text in options else found[0])
        if "undo".startswith(text):
            raise Back
        if advice is not None and "hint".startswith(text):
            click.echo(_advice_or_why_not(advice))
            continue
        click.echo(f"  expected a number from 0 to {len(options) - 1} or one of these words")


def _advice_or_why_not(advice: Callable[[], str]) -> str:
    """The advice, or the sentence that refuses it: the question still waits for an answer."""
    try:
        return advice()
    except TetrasolveError as error:
        return f"  {error}"


def led_by(text: str) -> tuple[str | None, str]:
    """The figure that a text begins with, as in ``dux: move dacia``, and the rest; None is the active Emperor."""
    who, colon, deed = text.partition(":")
    figure = who.strip().casefold()
    return (figure, deed.strip()) if colon and figure.isalpha() and figure not in WORDS else (None, text)


def in_full(text: str) -> str:
    """The typed text with its first word (after the figure, if there is one) completed, if it is an abbreviation of one word.

    One that could be several verbs stays as it is, if something follows by which `read_action` knows them. Alone it is refused:
    ``e`` could end the turn for somebody who has not named the province to enter yet.

    :raises AmbiguousActionError: when the word could be several, and a command among them or nothing follows.
    """
    figure, deed = led_by(text)
    if figure is not None:
        return f"{figure}: {in_full(deed)}"
    word, blank, rest = text.partition(" ")
    found = [known for known in WORDS if known.startswith(word.casefold())]
    if word.casefold() in found:
        found = [word.casefold()]
    if len(found) > 1 and not (rest.strip() and set(found) <= set(VERBS)):
        raise AmbiguousActionError(word, found)
    return found[0] + blank + rest if len(found) == 1 else text


@click.command("play")
@position_options
@click.option(
    "--dice",
    type=click.Choice(["roll", "enter"]),
    default="roll",
    show_default=True,
    help="Dice: rolled by the program, or typed in.",
)
@click.option("--dice-seed", type=int, help="Seed of the program's dice (default: random, and printed).")
@record_option
@click.option(
    "--barbarian",
    type=click.Choice(["ask", *rules.POLICIES]),
    default="ask",
    show_default=True,
    help="With Barbaria: ask the Barbarian player, or use a policy.",
)
@resume_option
def command(
    position: str,
    dice: str,
    dice_seed: int | None,
    record: str | None,
    barbarian: str,
    resume: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> None:
    """Play a game from POSITION with legal moves only, undo, and a record."""
    if position == "-":
        raise click.UsageError("standard input is for your actions: give the position in another way than -")
    if dice == "enter" and dice_seed is not None:
        raise click.UsageError("--dice-seed goes with --dice roll")
    require_new(record, position)
    if resume:
        game = _resumed(position, find_board(board), seed, fleets)
        record = record or position
    else:
        game = find_game(position, find_board(board), seed, fleets)
    require_legal(game.start)
    if dice == "roll" and dice_seed is None:
        dice_seed = secrets.randbelow(10**9)
    rolled = TypedDice() if dice_seed is None else RandomDice(f"play {dice_seed}")
    table = Table(game, rolled, record, rules.POLICIES.get(barbarian))
    table.keep()  # now, so that an error in writing occurs before the game
    if dice_seed is not None:
        click.echo(f"dice are rolled from --dice-seed {dice_seed}")
    until_stopped(table.play)
    click.echo(f"result: {game.result}")
    if record is None:
        click.echo(write_record(game), nl=False)
    elif not game.is_over:
        click.echo(f"continue with: tetrasolve play {record} --resume")


def _resumed(path: str, board: Board, seed: int | None, fleets: str | None) -> Game:
    if seed is not None or fleets is not None:
        raise click.UsageError("--seed and --fleets go with a level, not with --resume")
    return read_record(read_input(path), board)


class Table:
    """One game at the terminal."""

    def __init__(self, game: Game, dice: Dice, record: str | None, barbarian: Decide | None = None) -> None:
        self.game = game
        self.dice = dice
        self.record = record
        self.barbarian = barbarian  # the policy of the Barbarian player; None: ask him

    def keep(self) -> None:
        """Write the record, if there is a file for it."""
        if self.record is not None:
            write_file(self.record, write_record(self.game))

    # -- the course of the game --------------------------------------------------------------------------------

    def play(self) -> None:
        """Play turns and Barbarian phases until the game is over."""
        self.show()
        while not self.game.is_over or self.goes_on():
            if self.game.position.phase is Phase.BARBARIAN:
                self.barbarians()
            else:
                self.turn(self.game.position)
            self.keep()

    def goes_on(self) -> bool:
        """Whether the player undoes the end of the game."""
        click.echo(f"\nThe game is over: {self.game.result}")
        if not self.game.played or not ask("undo, or Enter to end > "):
            return False
        self.undo()
        return True

    def turn(self, position: Position) -> None:
        """One action of the active Emperor."""
        choices = self.choices(position)
        self.offer(position, choices)
        before = self.game.state
        while self.game.state is before:
            text = ask("> ")
            try:
                if not text:
                    self.offer(position, choices)
                elif text.isascii() and text.isdigit() and 1 <= int(text) <= len(choices):
                    self.obey(choices[int(text) - 1].partition(" (")[0], position, choices)
                else:
                    self.obey(in_full(text), position, choices)
            except TetrasolveError as error:
                click.echo(f"  {error}")

    def obey(self, text: str, position: Position, choices: list[str]) -> None:
        """Carry out a command of the player."""
        figure, deed = led_by(text)
        word, _, rest = deed.partition(" ")
        match word:
            case "attack":
                self.attack(position, deed, figure)
            case _ if figure is not None:
                self.act(position, text)
            case "help" | "?":
                click.echo(HELP)
            case "list":
                self.offer(position, choices)
            case "show":
                self.show()
            case "picture":
                self.picture(rest)
            case "undo":
                self.undo()
            case "redo":
                self.redo()
            case "risk":
                self.risk(position)
            case "plan":
                self.plan(position, rest)
            case "hint":
                self.hint(position, rest)
            case _:
                self.act(position, text)

    def act(self, position: Position, text: str) -> None:
        """An action without dice."""
        action = rules.parse(position, text)
        self.game.act(action)
        if action != END:
            self.print_changes(position)

    def attack(self, position: Position, text: str, figure: str | None) -> None:
        """Roll a battle: the dice decide the outcome, not the player."""
        if ":" in text:
            raise IllegalActionError(text.partition(":")[0], "the dice decide the outcome: leave it out")
        if "+" in text:
            raise IllegalActionError(text.partition("+")[0].strip(), "you are asked for discs when the dice are rolled")
        enemies = (*position.armies, PIRATES)
        armies = {action.place for action in read_action(text, position.board) if action.place in enemies}
        if len(armies) != 1:
            rules.parse(position, text if figure is None else f"{figure}: {text}")  # raises the reason
            return
        army = armies.pop()
        assert army is not None
        try:
            action = self.game.attack(army, self.dice, figure, self.pay)
        except Back:
            click.echo("  no attack")
            return
        fight = rules.battle(position, figure or position.to_move, army)
        faces = self.game.played[-1].faces
        added = f" and {len(action.payments)} added" if action.payments else ""
        click.echo(f"  {fight}: {faces[0]}-{faces[1]}{added}, {action.outcome}")
        self.print_changes(position)

    def barbarians(self) -> None:
        """Play the Barbarian phase, and print the changes."""
        before = self.game.position
        click.echo("\nBarbarian phase:")
        try:
            course = self.game.barbarians(self.dice, self.decide)
        except Back:
            self.undo()
            return
        click.echo(f"  dice: {' '.join(map(str, course))}")
        self.print_changes(before)

    def decide(self, choice: Choice) -> int:
        """The answer to a choice of the Barbarian phase, of a player or of the Barbarian player's policy."""
        if choice.decider == BARBARIAN and self.barbarian is not None:
            return self.barbarian(choice)
        return choose(f"{choice.decider.title()}: {choice.question}", choice.options, partial(advice_on, choice))

    def pay(self, action: Action, faces: tuple[int, ...], discs: tuple[str, ...]) -> str | None:
        """The disc that the leader of a battle pays to add 1 to his die, after the roll."""
        options = (NO, *discs)
        added = f" with {len(action.payments)} added" if action.payments else ""
        question = f"{faces[0]}-{faces[1]}{added} is a {action.outcome}; add 1 for a disc?"
        number = choose(question, options, partial(payment_advice, self.game.position, action, faces))
        return options[number] if number else None

    def undo(self) -> None:
        """Undo the last step, including the dice of a Barbarian phase."""
        taken = [self.game.undo()]
        while self.game.played and self.game.position.phase is Phase.BARBARIAN:
            taken.append(self.game.undo())  # the end of a turn is undone with the phase that follows it
        words = [_name(played) for played in taken if played is not None]
        click.echo(f"  undone: {', '.join(words)}" if words else "  nothing to undo")

    def redo(self) -> None:
        """Play again what one undo undid."""
        taken = [self.game.redo()]
        while taken[-1] is not None and not self.game.is_over and self.game.position.phase is Phase.BARBARIAN:
            taken.append(self.game.redo())  # the end of a turn comes again with the phase that follows it
        words = [_name(played) for played in taken if played is not None]
        click.echo(f"  again: {', '.join(words)}" if words else "  nothing was undone")

    # -- what the player sees ----------------------------------------------------------------------------------

    def show(self) -> None:
        """Print the position."""
        click.echo(position_text(self.game.position))

    def picture(self, file: str) -> None:
        """Draw the position in a file."""
        if not file:
            click.echo("  picture: name a file, like picture board.svg")
            return
        if not is_file_name("picture", file, "picture board.svg"):
            return
        write_file(file, self.game.position._repr_svg_())  # the picture that notebooks show
        click.echo(f"  drawn in {file}")

    def offer(self, position: Position, choices: list[str]) -> None:
        """Print whose turn it is, and the legal actions."""
        emperor = position.board.emperor(position.to_move)
        assert emperor is not None
        click.echo(f"\n{emperor.name}, {position.ip} IP:")
        cells = [f"{number:>4}  {choice}" for number, choice in enumerate(choices, start=1)]
        for line in in_columns(cells):
            click.echo(line)

    def choices(self, position: Position) -> list[str]:
        """The legal actions with their IP, an attack once."""
        choices: dict[str, int] = {}
        for action in rules.legal_actions(position):
            words = str(replace(action, outcome=None, payments=()))
            choices[words] = rules.cost(position, action)
        listed = [f"{words} ({price} IP)" for words, price in choices.items()]
        return listed + (["end"] if rules.may_end(position) else [])

    def print_changes(self, before: Position) -> None:
        """Print the changes since a position."""
        after = self.game.state
        for line in changes(before, after) if isinstance(after, Position) else [f"the Empire has fallen: {after}"]:
            click.echo(f"  {line}")

    def risk(self, position: Position) -> None:
        """The figures of the phase that would follow now."""
        from tetrasolve.tetrarchia.risk import risk

        figures = risk(position).figures
        chances = {"uprising": figures.p_uprising, "fall": figures.p_lost, "new army": figures.p_new_army}
        shown = ", ".join(f"{name} {' '.join(filter(None, value_cells(chance)))}" for name, chance in chances.items())
        click.echo(f"  {shown} (exact)")

    def plan(self, position: Position, objective: str) -> None:
        """An optimal plan for an objective."""
        from tetrasolve.tetrarchia.plan import plan

        found = plan(position, objective)
        values = ", ".join(f"{term} {value}" for term, value in found.named_values)
        click.echo(f"  {found.plan}\n  {found.status}: {values}")

    def hint(self, position: Position, file: str) -> None:
        """The best plans for the turn; the best one drawn on the board where a file is named."""
        if file and not is_file_name("hint", file, "hint best.svg, or hint alone"):
            return
        from tetrasolve.tetrarchia.hint.advice import hint

        found = hint(position, budget=HINT_BUDGET)
        for line in str(found).splitlines():
            click.echo(f"  {line}".rstrip())
        if file:
            write_file(file, found._repr_svg_())
            click.echo(f"  drawn in {file}")


def is_file_name(command: str, text: str, expected: str) -> bool:
    """Whether a text is meant as the name of a file; one that looks like an option is refused, with what is expected."""
    if text.startswith("-"):
        click.echo(f"  {command}: {text} is no file name: there are no options here, expected {expected}")
    return not text.startswith("-")


def advice_on(choice: Choice) -> str:
    """The options of a choice of the Barbarian phase by the evaluation, as text."""
    from tetrasolve.tetrarchia.hint.choices import advise

    return "\n".join(f"  {line}" for line in str(advise(choice)).splitlines())


def payment_advice(position: Position, action: Action, faces: tuple[int, ...]) -> str:
    """What further discs for an attack are worth by the evaluation, as text."""
    from tetrasolve.tetrarchia.hint.payments import advise_on_payment

    assert action.place is not None
    found = advise_on_payment(position, action.place, faces, payments=action.payments)
    return "\n".join(f"  {line}" for line in str(found).splitlines())


def _name(played: Played) -> str:
    return "a Barbarian phase" if played.action is None else str(played.action)


def changes(before: Position, after: Position) -> list[str]:
    """The differences between two positions of a game, a line each."""
    return [*_figures(before, after), *_pieces(before, after), *_discs(before, after)] or ["nothing changes"]


def _figures(before: Position, after: Position) -> Iterator[str]:
    board = before.board
    for emperor in board.emperors:
        old, new = before.emperors[emperor.id], after.emperors[emperor.id]
        if old != new:
            places = [board[place].name if place else "off the board" for place in (old, new)]
            yield f"{emperor.name}: {places[0]} -> {places[1]}"
    yield from _exchanged("armies", *([board[army].name for army in table.armies] for table in (before, after)))
    yield from _exchanged("fleets", *([board.zones[zone - 1] for zone in table.fleets] for table in (before, after)))


def _exchanged(figures: str, old: list[str], new: list[str]) -> Iterator[str]:
    gone, come = ([place for place in places if place not in others] for places, others in ((old, new), (new, old)))
    if gone or come:
        yield f"{figures}: {', '.join(gone) or 'reserve'} -> {', '.join(come) or 'reserve'}"


def _pieces(before: Position, after: Position) -> Iterator[str]:
    old, new = pieces_in_words(before), pieces_in_words(after)
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            yield f"{key}: {old.get(key, 'none')} -> {new.get(key, 'none')}"


def _discs(before: Position, after: Position) -> Iterator[str]:
    board = before.board
    words = {emperor.id: f"garrison of {emperor.name}" for emperor in board.emperors}
    for province in board.ids:
        old, new = (table.discs.get(province, "no disc") for table in (before, after))
        if old != new:
            yield f"{board[province].name}: {words.get(old, old)} -> {words.get(new, new)}"
