"""The planted set of the second game, on which a finder of open points is measured: every plant applies, and does what it says."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from finemplants import CHAPTERS, FOLDER, PACKAGE, answer, read, reading_answers
from plantfile import PlantError
from plants import changed_sources, planted

from tetrasolve.finem.position import Position

PLANTS = read()
LEAST = {"settled": 75, "open or named": 30}  # an open point that gets a reading becomes a named one


def ids(plant):
    return plant.id


def test_there_are_enough_plants():
    """Both labels have enough plants to measure shares on, each chapter has some, and each plant has an id of its own."""
    labels = Counter("settled" if plant.label == "settled" else "open or named" for plant in PLANTS)

    assert all(labels[label] >= least for label, least in LEAST.items()), labels
    assert {plant.chapter for plant in PLANTS} == set(CHAPTERS)
    assert len(PLANTS) == len({plant.id for plant in PLANTS})


@pytest.mark.parametrize("plant", PLANTS, ids=ids)
def test_a_plant_changes_the_game(plant):
    """From a position that can occur the rules answer as stated, before and after the change, and when it is taken back."""
    if plant.shown.question != "set_up":
        assert Position.parse(plant.shown.position).status() == ()
    assert answer(plant.shown) == plant.shown.original
    with planted(plant):
        assert answer(plant.shown) == plant.shown.planted
    assert answer(plant.shown) == plant.shown.original


@pytest.mark.parametrize("plant", [plant for plant in PLANTS if plant.reading], ids=ids)
def test_a_named_plant_is_the_value_of_its_reading(plant):
    """The default answers as the rules do without a reading, the other value as the changed rules do."""
    for answered, said in reading_answers(plant):
        assert answered == said


def test_a_fragment_that_is_not_there_once_is_refused():
    """A fragment that is not there, or there twice, is an error and no silent miss."""
    plant = PLANTS[0]
    for before, problem in (("there is no such line", "occurs 0 times"), ("position", "occurs [0-9]+ times")):
        changed = replace(plant, changes=(replace(plant.changes[0], before=before),))
        with pytest.raises(PlantError, match=problem):
            changed_sources(changed)


GOOD = """
[[plant]]
id = "x"
label = "open"
chapter = "map"
sections = ["Crisis, 1"]
says = "x"
question = "x?"
today = "x"
change = [{ module = "x", function = "x", before = "x", after = "y" }]
shown = { position = "x", can = ["x"], original = "yes", planted = "no" }
"""


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ('"open"', '"unclear"', "expected one of settled, open, named"),
        ('"map"', '"maps"', "expected one of set-up"),
        ("Crisis, 1", "Crises", "section 'Crises'"),
        ('"x?"', '"x."', "expected a question"),
        ('"no"', '"yes"', "both answers are 'yes'"),
        ("can = ", "may = ", "may: expected only"),
        ('today = "x"', "settled = {}", "settled: expected only"),
        ("[[plant]]", "[[seed]]", "seed: expected only plant"),
    ],
)
def test_a_file_that_is_not_as_expected_is_refused(tmp_path, before, after, problem):
    """Unknown keys and labels, and what is missing, are errors that name the plant."""
    path = tmp_path / "x.toml"
    path.write_text(GOOD, "utf-8")
    assert [plant.ask for plant in read(tmp_path)] == ["x?"]

    path.write_text(GOOD.replace(before, after), "utf-8")
    with pytest.raises(PlantError, match=problem):
        read(tmp_path)


REPLAY = f"""
import sys
from importlib import abc, util
sys.path.insert(0, {str(FOLDER.parents[1])!r})
import finemplants, plants

PLANT = next(plant for plant in finemplants.read() if plant.id == sys.argv[1])
SOURCES = {{"{PACKAGE}." + module: text for module, text in plants.changed_sources(PLANT).items()}}
for name in [name for name in sys.modules if name.startswith("{PACKAGE}") or name == "finemplants"]:
    del sys.modules[name]

class Planted(abc.MetaPathFinder, abc.InspectLoader):
    def find_spec(self, name, path=None, target=None):
        return util.spec_from_loader(name, self) if name in SOURCES else None
    def get_source(self, name):
        return SOURCES[name]

sys.meta_path.insert(0, Planted())
import finemplants
sys.stdout.write(finemplants.answer(PLANT.shown))
"""


ONE_EACH = {tuple(sorted({change.module for change in plant.changes})): plant for plant in PLANTS}


@pytest.mark.slow
@pytest.mark.parametrize("plant", ONE_EACH.values(), ids=ids)
def test_a_plant_changes_the_game_from_its_source(plant):
    """The same in a new process, which imports the changed source in place of the modules: a plant for each of them."""
    replay = [sys.executable, "-c", REPLAY, plant.id]

    assert subprocess.run(replay, capture_output=True, text=True, check=True, timeout=60).stdout == plant.shown.planted
