"""What every game keeps to, whichever it is: `tetrasolve.games` says it, and these tests ask for it.

`TETRASOLVE_UPDATE=1` writes the playthroughs again instead of comparing.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import click
import pytest

from tetrasolve.errors import PositionSyntaxError, TetrasolveError
from tetrasolve.games import DEFAULT, GameDefinition, GameError, found

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
UPDATE = bool(os.environ.get("TETRASOLVE_UPDATE"))
MOST_MOVES = 60  # of a playthrough
SEEDS = (5, 6, 8)
FEW = 12  # moves whose outcomes are compared with samples


def played(game: GameDefinition, level: str, seed: int, most: int = MOST_MOVES) -> Iterator[tuple[Any, str, Any]]:
    """The moves of a player who draws lots, each with the position before it and the one after."""
    play, random = game.get_play(), Random(f"{level} {seed}")
    position = game.get_notation().start(level, seed)
    for _ in range(most):
        moves = play.moves(position)
        if not moves:
            return
        move = random.choice(moves)
        after = play.sample(position, move, random)
        yield position, move, after
        position = after


def shown(game: GameDefinition, position: Any) -> str:
    """A position as text, or how the game ended."""
    return game.get_play().result(position) or game.get_notation().write(position)


def test_levels_begin_as_their_seeds_say(game: GameDefinition) -> None:
    notation = game.get_notation()
    assert notation.levels()
    for level in notation.levels():
        assert notation.start(level, 1) == notation.start(level, 1)
        assert game.get_play().result(notation.start(level, 1)) == ""
    with pytest.raises(TetrasolveError):
        notation.start("no such level", 1)


def test_positions_are_read_as_they_are_written(game: GameDefinition) -> None:
    notation = game.get_notation()
    positions = [*notation.examples().values()]
    for level in notation.levels():
        for before, _, after in played(game, level, 2):
            positions += [before] if game.get_play().result(after) else [before, after]

    assert len(positions) > len(notation.examples())
    for position in positions:
        text = notation.write(position)
        assert "\n" not in text and text.isascii()
        again = notation.read(text)
        assert again == position and hash(again) == hash(position) and notation.write(again) == text


@pytest.mark.parametrize("text", ["", "?", "\n", "0" * 5000, "\N{SNOWMAN}"])
def test_what_is_no_position_is_refused(game: GameDefinition, text: str) -> None:
    with pytest.raises(PositionSyntaxError):
        game.get_notation().read(text)


def test_moves_are_listed_once_and_in_one_order(game: GameDefinition) -> None:
    play = game.get_play()
    for before, move, after in played(game, game.get_notation().levels()[0], 3):
        moves = play.moves(before)
        assert move in moves and moves == play.moves(before) and len(set(moves)) == len(moves)
        assert bool(play.moves(after)) == (play.result(after) == "")
        with pytest.raises(TetrasolveError):
            play.outcomes(before, "no such move")
        with pytest.raises(TetrasolveError):
            play.sample(before, "no such move", Random(1))


def test_a_sample_is_one_of_the_outcomes(game: GameDefinition) -> None:
    play = game.get_play()
    for before, move, after in played(game, game.get_notation().levels()[0], 4, FEW):
        outcomes = play.outcomes(before, move)
        assert outcomes[after] > 0
        assert sum((weight for _, weight in outcomes.items()), Fraction(0)) == 1


def test_the_playthrough_is_the_one_that_was_written_down(game: GameDefinition) -> None:
    """A golden playthrough: whatever changes in notation, rules or the order of moves is seen here."""
    notation = game.get_notation()
    lines = []
    for level, seed in product(notation.levels(), SEEDS):
        lines += [f"# level {level}, seed {seed}", shown(game, notation.start(level, seed))]
        for _, move, after in played(game, level, seed):
            lines += [f"> {move}", shown(game, after)]
    path = PLAYTHROUGHS / f"{game.name}.txt"
    text = "".join(f"{line}\n" for line in lines)
    if UPDATE:
        path.write_text(text, "utf-8")

    assert path.read_text("utf-8") == text


OPTIONAL = ("claims", "subject", "questions")


def test_only_some_parts_may_be_missing(game: GameDefinition) -> None:
    """The first game and the toy have every part; a part that a game does not have says so."""
    missing = [part for part in OPTIONAL if not getattr(game, part)]
    assert missing == [] or game.name not in (DEFAULT, "climb")
    assert bool(game.claims) == bool(game.subject)
    for part in missing:
        with pytest.raises(GameError, match=f"the game {game.name} has no {part}"):
            game.get_questions() if part == "questions" else game.part(part)


def test_every_part_is_there(game: GameDefinition) -> None:
    if game.claims:
        claims, subject = game.get_claims(), game.get_subject()
        assert subject.claims == claims and claims.game == game.name
    assert all(command.help.endswith(".") for command in game.commands.values())
    for command in game.commands.values():
        assert isinstance(found(command.where), click.Command)
    if game.questions:
        engine = importlib.import_module(game.get_questions())
        assert set(engine.about()["asks"]) == {"about", "cancel", *engine.HANDLERS}


def test_pictures_are_svg(game: GameDefinition) -> None:
    for position in game.get_notation().examples().values():
        assert ET.fromstring(game.get_picture(position)).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  # ours


def test_the_subject_of_claims(game: GameDefinition) -> None:
    """Rows name the board, neighbours differ from it in what they say, and kinds read rows that there are."""
    if not game.claims:
        assert "facts" not in game.commands  # there are none to list
        return
    subject, claims = game.get_subject(), game.get_claims()
    rows = subject.rows()
    assert rows and len(set(rows)) == len(rows) and all(row.isascii() and row.isprintable() for row in rows)
    assert set(subject.places()) <= set(subject.names()) and len(set(subject.places())) == len(subject.places())
    near = subject.neighbourhood()
    assert set(near.impossible) <= set(claims.rows)
    for change in near.changes:
        assert change.kinds <= set(claims.rows) and set(change.rows) <= set(subject.uncertain_rows())
    assert all(subject.question(row).endswith("?") for row in subject.uncertain_rows())
    assert all(set(kind.rows) <= set(claims.rows) for kind in claims.topics().values())
