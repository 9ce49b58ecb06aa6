"""Changes of source text, and the same changes made in a running program."""

import importlib.util
import sys

import pytest

from tetrasolve.errors import ArgumentError
from tetrasolve.lint.changes import Change, definitions, extent, meaning
from tetrasolve.lint.patching import patch

TOY = '''"""Rules of a toy."""
from functools import cached_property, lru_cache

LIMIT = 3  # no more than 3


def allowed(number):
    """Whether it is."""
    return number <= LIMIT


@lru_cache
def doubled(number):
    return number + number


class Table:
    colour = "red"

    def height(self):
        return 7

    @property
    def width(self):
        return 8

    @cached_property
    def depth(self):
        return 9
'''


@pytest.fixture
def toy(tmp_path):
    """The toy as a module, and one that imports from it."""
    found = []
    for name, text in (("toyrules", TOY), ("toyuser", "from toyrules import LIMIT, Table, allowed, doubled\n")):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(name, path)
        found.append(importlib.util.module_from_spec(spec))
        sys.modules[name] = found[-1]
        spec.loader.exec_module(found[-1])
    yield found
    del sys.modules["toyrules"], sys.modules["toyuser"]


# -- text ------------------------------------------------------------------------------------------------------


def test_the_extent_of_a_definition_is_its_code():
    first, last = extent(TOY, "LIMIT")

    assert TOY[first:last] == "LIMIT = 3"
    first, last = extent(TOY, "Table.width")
    assert TOY[first:last] == "    @property\n    def width(self):\n        return 8"
    first, last = extent("# é\na = 'é'  # 1", "a")
    assert "# é\na = 'é'  # 1"[first:last] == "a = 'é'"


@pytest.mark.parametrize(
    "change",
    [
        Change("toy.py", "LIMIT", "4", "5"),  # not there
        Change("toy.py", "doubled", "number", "n"),  # several times
        Change("toy.py", "doubled", "number", "n", 4),  # three only
        Change("toy.py", "doubled", "", "n"),
        Change("toy.py", "missing", "3", "4"),
        Change("toy.py", "Table.colour.red", "3", "4"),
    ],
)
def test_what_does_not_stand_there_is_not_changed(change):
    with pytest.raises(ArgumentError):
        change.applied(TOY)


def test_the_number_of_the_place():
    texts = [Change("toy.py", "doubled", "number", "n", place).applied(TOY) for place in (1, 2, 3)]

    assert [meaning(text, "doubled").count("'n'") for text in texts] == [1, 1, 1]
    assert len(set(texts)) == 3
    assert Change("toy.py", "", "<=", "<").applied(TOY) == TOY.replace("<=", "<")


def test_comments_docstrings_and_layout_have_no_meaning():
    other = (
        TOY.replace("# no more than 3", "# three").replace("Whether it is.", "Is it?").replace("number <= ", "number<=")
    )

    assert {name: meaning(TOY, name) for name in definitions(TOY)} == {
        name: meaning(other, name) for name in definitions(TOY)
    }
    assert meaning(TOY, "allowed") != meaning(TOY.replace("<=", "<"), "allowed")


# -- the running program ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "seen"),
    [
        ("<= LIMIT", "< LIMIT", (False, 6, 7, 8, 9, 3)),
        ("LIMIT = 3", "LIMIT = 2 + 3", (True, 6, 7, 8, 9, 5)),
        ("number + number", "number", (True, 3, 7, 8, 9, 3)),
        ("return 7", "return 1", (True, 6, 1, 8, 9, 3)),
        ("return 8", "return 1", (True, 6, 7, 1, 9, 3)),
        ("return 9", "return 1", (True, 6, 7, 8, 1, 3)),
    ],
)
def test_every_module_sees_the_change(toy, before, after, seen):
    rules, user = toy
    table = user.Table()
    assert user.doubled(3) == 6  # and keeps it

    patch(rules, TOY.replace(before, after))

    assert (user.allowed(3), user.doubled(3), table.height(), table.width, table.depth, user.LIMIT) == seen


@pytest.mark.parametrize(
    "new",
    [
        TOY,
        TOY.replace("no more", "fewer"),  # a comment
        TOY.replace("red", "blue"),  # a value in a class
        TOY + "\nMORE = 1\n",
    ],
)
def test_what_cannot_be_changed_in_place_is_refused(toy, new):
    with pytest.raises(ArgumentError):
        patch(toy[0], new)
