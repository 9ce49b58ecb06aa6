"""Games: what a game gives to the rest of the library, and the registry behind ``--game``.

A `GameDefinition` is light: it names its parts as ``"module:attribute"``, and a part is imported when it is asked for. So
``tetrasolve --help`` lists the commands of a game without importing its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, Protocol

from tetrasolve.errors import TetrasolveError, shown

if TYPE_CHECKING:  # claims take time to import, and `--help` does not need them
    from random import Random

    from tetrasolve.claims.families import Claims
    from tetrasolve.claims.subject import Subject
    from tetrasolve.exact import Distribution
    from tetrasolve.sentences import Sentences


class GameError(TetrasolveError, ValueError):
    """A game that is not registered, or a part that a game does not have."""


class Notation(Protocol):
    """How the positions of a game are written."""

    def read(self, text: str) -> Any:
        """The position with this text.

        :raises PositionSyntaxError: when it cannot be read.
        """
        ...

    def write(self, position: Any) -> str:
        """A position as one line of text; `read` gives an equal one."""
        ...

    def examples(self) -> Mapping[str, Any]:
        """Example positions by name."""
        ...

    def levels(self) -> tuple[str, ...]:
        """Some levels at which the game can begin, in a fixed order."""
        ...

    def start(self, level: str, seed: int) -> Any:
        """The first position of a game at a level, with the chance of the set-up drawn from a seed.

        :raises TetrasolveError: when there is no such level.
        """
        ...


class Play(Protocol):
    """The rules of a game, move by move, for replays and conformance tests."""

    def moves(self, position: Any) -> tuple[str, ...]:
        """The legal moves of a position as text, in a fixed order; none where the game is over."""
        ...

    def outcomes(self, position: Any, move: str) -> Distribution[Any]:
        """The positions that a move can lead to, with their exact chances.

        :raises TetrasolveError: when the move is not legal.
        """
        ...

    def sample(self, position: Any, move: str, random: Random) -> Any:
        """One of these positions, drawn with its chance; fast even where listing all takes long.

        :raises TetrasolveError: as `outcomes`.
        """
        ...

    def result(self, position: Any) -> str:
        """How the game ended, as text; empty while it continues."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the command line: ``module:attribute`` of its `click.Command`, and its line in ``--help``."""

    where: str
    help: str


def _as_text(result: Mapping[str, Any]) -> str:
    return str(result.get("text", ""))


@dataclass(frozen=True, slots=True)
class Page:
    """What a game adds to the web page of ``serve``.

    `folder` holds its scripts (``game.js`` is imported first), styles (``game.css``) and texts (``strings/PART.LANGUAGE.json``).
    `made` are files that are made when the service starts, as text by name. `first` names those of them that the first view
    requires, so that a browser asks for them at once.

    The document of a position shows its picture before any script runs. `ground` names the made file with the picture of an
    empty board, `view` the request of the analysis protocol that gives what a board shows of a position: ``picture`` (the
    pieces, which are put over the ground), and what the scripts ask first; they find the answer in the document. Without a
    `ground` the picture is that of ``picture``. `boards` are the views that begin with this board; "" is the first one.

    `about` is the part of `view`, or without a ground the request, whose answer a browser without scripts gets beside the
    picture; `advice` the request with the fields that it gets when it asks for more; `written` gives the text of an answer.
    `sentences` has for each language but English what makes the sentences of answers. `examples` gives positions by name, which a
    browser without scripts can choose.
    """

    folder: Traversable
    made: Mapping[str, Callable[[], str]]
    first: tuple[str, ...] = ()
    ground: str = ""
    view: str = "view"
    boards: tuple[str, ...] = ("",)
    about: str = "read"
    advice: tuple[str, Mapping[str, Any]] = ("hint", {})
    written: Callable[[Mapping[str, Any]], str] = _as_text
    sentences: Mapping[str, Callable[[], Sentences]] = field(default_factory=dict)
    examples: Callable[[], Mapping[str, str]] = dict


@dataclass(frozen=True, slots=True)
class GameDefinition:
    """A game: its name for ``--game``, its line in ``--help``, and where its parts are.

    ============== ============================================================ ==========================================
    part           what the attribute is                                         who uses it
    ============== ============================================================ ==========================================
    `notation`     a `Notation`                                                  conformance tests, services
    `play`         a `Play`                                                      conformance tests, replays
    `claims`       a `tetrasolve.claims.families.Claims`                         ``facts``, documentation
    `subject`      a function: the path of a board file, or None for the         ``facts``, ``check``
                   standard board, to a `tetrasolve.claims.subject.Subject`
    `questions`    the name of a module: an engine of `tetrasolve.analysis`      ``analyse``, ``serve``
    `messages`     a function: the JSON Schema of these questions and answers   ``serve``
    `picture`      a function from a position to SVG text                        documentation, services
    `page`         a `Page`                                                      ``serve``
    ============== ============================================================ ==========================================

    A part that is empty is missing; getting it raises `GameError`. Every game gives `notation`, `play` and `picture`.
    """

    name: str
    about: str
    notation: str = ""
    play: str = ""
    claims: str = ""
    subject: str = ""
    questions: str = ""
    messages: str = ""
    picture: str = ""
    page: str = ""
    commands: Mapping[str, Command] = field(default_factory=dict)

    def part(self, name: str) -> Any:
        """A part, imported now.

        :raises GameError: when the game does not give it.
        """
        where = getattr(self, name)
        if not where:
            raise GameError(f"the game {self.name} has no {name}")
        return found(where)

    def get_notation(self) -> Notation:
        """The notation of positions."""
        notation: Notation = self.part("notation")
        return notation

    def get_play(self) -> Play:
        """The rules."""
        play: Play = self.part("play")
        return play

    def get_questions(self) -> str:
        """The name of the module that answers questions of the analysis protocol.

        :raises GameError: when the game has none.
        """
        if not self.questions:
            raise GameError(f"the game {self.name} has no questions")
        return self.questions

    def get_messages(self) -> Mapping[str, Any]:
        """The JSON Schema of the messages of the analysis protocol.

        :raises GameError: when the game has none.
        """
        read: Callable[[], Mapping[str, Any]] = self.part("messages")
        return read()

    def get_page(self) -> Page | None:
        """Its part of the web page; None where it has none."""
        found: Page | None = self.part("page") if self.page else None
        return found

    def get_claims(self) -> Claims:
        """The claims of the game."""
        claims: Claims = self.part("claims")
        return claims

    def get_subject(self, board: str | None = None) -> Subject:
        """The board in a file, or the standard one, as the subject of claims.

        :raises TetrasolveError: when the file holds no board that the game can be played on.
        """
        make: Callable[[str | None], Subject] = self.part("subject")
        return make(board)

    def get_picture(self, position: Any) -> str:
        """A position as SVG text."""
        draw: Callable[[Any], str] = self.part("picture")
        return draw(position)


def found(where: str) -> Any:
    """The object that ``module:attribute`` names."""
    module, _, attribute = where.partition(":")
    return getattr(import_module(module), attribute)


# -- the registry ------------------------------------------------------------------------------------------------------

# The games that come with the library. These are the only lines outside their packages that name one.
SHIPPED: Mapping[str, str] = {
    "tetrarchia": "tetrasolve.tetrarchia.definition:GAME",
    "et-finem": "tetrasolve.finem.definition:GAME",
}
DEFAULT = next(iter(SHIPPED))

_registered: dict[str, GameDefinition] = {}


def register(definition: GameDefinition) -> None:
    """Register a game under its name; it replaces one that was registered with the same name.

    :raises GameError: when a game of the library has the name.
    """
    if definition.name in SHIPPED:
        raise GameError(f"{shown(definition.name)} is a game of the library; choose another name")
    _registered[definition.name] = definition


def unregister(name: str) -> None:
    """Remove a registered game; nothing happens if there is none with this name."""
    _registered.pop(name, None)


def names() -> tuple[str, ...]:
    """The names of all games, those of the library first."""
    return (*SHIPPED, *_registered)


def game(name: str = DEFAULT) -> GameDefinition:
    """The game with this name.

    >>> game().name == DEFAULT
    True

    :raises GameError: when there is none.
    """
    if name in SHIPPED:
        definition: GameDefinition = found(SHIPPED[name])
        return definition
    if name not in _registered:
        raise GameError(f"{shown(name)} is no game, expected one of {', '.join(names())}")
    return _registered[name]
