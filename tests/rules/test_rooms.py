"""Rooms: the base game knows no module, and every question that a chapter can ask is asked."""

import ast
import inspect
from importlib import import_module

import pytest
from moduletable import extended
from tabletop import table

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.rules import extensions
from tetrasolve.tetrarchia.rules.extensions import Room
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

CHAPTERS = (
    "setup roman movement protection links battle barbarian revolts activity advance end choices shortest".split()
)
ROOMS = "dux vicarius pirates goths imperium mare_nostrum via_romana usurpator aeterna barbaria rebels".split()
QUESTIONS = [name for name, _ in inspect.getmembers(Room, inspect.isfunction)]


def source(name):
    return ast.parse(inspect.getsource(import_module(f"tetrasolve.tetrarchia.rules.{name}")))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_of_the_base_game_imports_no_room(chapter):
    """It asks the rooms in use, whichever they are."""
    imported = {node.module or "" for node in ast.walk(source(chapter)) if isinstance(node, ast.ImportFrom)}
    names = {
        alias.name
        for node in ast.walk(source(chapter))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }

    assert not {module.rpartition(".")[2] for module in imported} & set(ROOMS)
    assert not names & set(ROOMS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_of_the_base_game_names_no_module(chapter):
    """No name of a module or variant is a constant of its code."""
    texts = {node.value for node in ast.walk(source(chapter)) if isinstance(node, ast.Constant)}

    assert not texts & {*MODULES, *VARIANTS, "rebels", "glory"}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_asked_and_answered(question):
    """What a room can say is asked somewhere in the base game, and some room has something to say."""
    asked = {
        node.attr
        for chapter in [*CHAPTERS, "extensions"]
        for node in ast.walk(source(chapter))
        if isinstance(node, ast.Attribute)
    }
    answered = {node.name for room in ROOMS for node in ast.walk(source(room)) if isinstance(node, ast.FunctionDef)}

    assert question in asked
    assert question in answered


@pytest.mark.rule("p04-base-game")
def test_the_base_game_has_no_rooms():
    """With nothing in use nobody is asked."""
    assert extensions.rooms(table()) == ()
    assert extensions.rooms_of(Ruleset()) == ()


@pytest.mark.rule("p12-modules", "p14-variants")
@pytest.mark.parametrize("name", [*MODULES, *VARIANTS])
def test_each_module_has_one_room(name):
    """It is there when the module is in use."""
    assert len(extensions.rooms(extended(name))) == 1


def test_rebels_have_their_room_while_there_are_some():
    """They are no switch of the ruleset: the position says whether they are there."""
    war = rules.rolled_scenario("mauretanian-war", 1).position

    assert len(extensions.rooms(war)) == 1
    assert extensions.rooms(war.with_army("gaetulia", None)) == ()
