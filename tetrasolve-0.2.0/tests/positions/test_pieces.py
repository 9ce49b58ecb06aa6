"""Pieces of modules: typed values, their hashable form and their JSON form."""

import dataclasses

import pytest
from hypothesis import given
from strategies import positions
from tabletop import make_position

from tetrasolve.tetrarchia.pieces import (
    NO_PIECES,
    PIECES,
    BarbarianDiscs,
    Counts,
    Goths,
    Helper,
    Pieces,
    Pirates,
    Rebel,
    Rebels,
    plain_piece,
    read_piece,
)

# The hashable form, the typed value, the JSON form
VALUES = [
    ("dux", None, Helper(), None),
    ("dux", "dead", Helper(dead=True), "dead"),
    ("vicarius", "asia", Helper("asia"), "asia"),
    ("pirates", None, Pirates(), None),
    ("pirates", 3, Pirates(3), 3),
    ("goths", "reserve", Goths(), "reserve"),
    ("goths", "out", Goths(out=True), "out"),
    ("goths", "dacia", Goths("dacia"), "dacia"),
    ("rebels", (), Rebels(()), {}),
    (
        "rebels",
        (("libya", Rebel("dux", 3)),),
        Rebels((("libya", Rebel("dux", 3)),)),
        {"libya": {"figure": "dux", "fleet": 3}},
    ),
    ("glory", (("galerius", 2),), Counts((("galerius", 2),)), {"galerius": 2}),
    ("removed", (), Counts(()), {}),
    ("barbarian_discs", (("black", 1), ("gray", 0)), BarbarianDiscs(1, 0), {"black": 1, "gray": 0}),
    ("barbarian_discs", (("gray", 2),), BarbarianDiscs(gray=2), {"gray": 2}),
    ("passing", "galerius", "galerius", "galerius"),
    ("power", True, True, True),
]


@pytest.mark.parametrize(("key", "plain", "typed", "json"), VALUES)
def test_a_value_has_three_forms(key, plain, typed, json):
    """All of them make the same pieces, and none is the absence of the key."""
    position = make_position()
    pieces = Pieces.of({key: plain})

    assert getattr(pieces, key) == typed
    assert pieces == Pieces.of({key: typed}) == Pieces(**{key: typed})
    assert pieces.plain() == {key: plain}
    assert plain_piece(key, pieces.plain()[key]) == json
    assert read_piece(key, json, position.board) == typed
    assert position.with_piece(key, plain) == position.with_piece(key, typed) == position.replace(pieces=pieces)
    assert position.with_piece(key, plain).without_piece(key) == position
    assert hash(position.with_piece(key, plain)) == hash(position.with_piece(key, typed))


def test_every_key_is_tried_and_is_a_field():
    assert {key for key, *_ in VALUES} == set(PIECES)
    assert [field.name for field in dataclasses.fields(Pieces)] == sorted(PIECES)


def test_the_base_game_has_no_pieces():
    """Its positions have one and the same value, so that asking for it is quick."""
    assert make_position().pieces is NO_PIECES
    assert make_position().replace(pieces={}).pieces is NO_PIECES
    assert make_position().with_piece("dux", None).without_piece("dux").pieces is NO_PIECES
    assert NO_PIECES.plain() == {}


def test_a_key_that_does_not_exist_is_an_error():
    with pytest.raises(TypeError, match="elephant"):
        Pieces.of({"elephant": "asia"})


@given(positions())
def test_the_hashable_form_reads_back(position):
    """The keys are in alphabetical order."""
    assert Pieces.of(position.pieces.plain()) == position.pieces
    assert list(position.pieces.plain()) == sorted(position.pieces.plain())
