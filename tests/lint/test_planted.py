"""The planted set on which a finder of open points is measured: every plant applies, and does what it says."""

import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from plantfile import PlantError
from plants import FOLDER, LATER, PACKAGE, UNSEEN, answer, changed_sources, planted, read

PLANTS, SILENT = read()
AFTERWARDS = [*read(LATER)[0], *read(UNSEEN)[0]]  # written after the operators, or when they were extended
SHOWN = [plant for plant in PLANTS if plant.shown is not None]
OPEN = [plant for plant in PLANTS if plant.label == "open"]
RULEBOOK = Path(__file__).parents[2] / "docs" / "rulebook.toml"
LEAST = {"settled": 120, "open or named": 65}  # an open point that gets a reading becomes a named one


def ids(plant):
    return plant.id


def test_there_are_enough_plants():
    """Both labels have enough plants to measure shares on, and each plant and silent side has an id of its own."""
    labels = Counter("settled" if plant.label == "settled" else "open or named" for plant in PLANTS)
    known = [*(plant.id for plant in PLANTS), *(side.id for side in SILENT)]

    assert all(labels[label] >= least for label, least in LEAST.items()), labels
    assert len(known) == len(set(known))


@pytest.mark.skipif(not RULEBOOK.exists(), reason="the documentation is not there")
def test_plants_belong_to_rows_of_the_rulebook():
    """Each row that a plant or a silent side names is one of the rulebook, and one of them is on its page."""
    chapters = tomllib.loads(RULEBOOK.read_text("utf-8"))["chapter"]
    rows = {row for chapter in chapters for row in chapter["rules"]}

    for entry in (*PLANTS, *AFTERWARDS, *SILENT):
        assert rows.issuperset(entry.rows), entry.id
        assert any(row.startswith(f"p{entry.page:02}-") for row in entry.rows), entry.id


def test_later_plants_have_both_labels_and_ids_of_their_own():
    """Each with a position that shows it."""
    assert {plant.label for plant in AFTERWARDS} == {"settled", "named"}  # none is left open
    assert not {plant.id for plant in AFTERWARDS} & {plant.id for plant in PLANTS}
    assert all(plant.shown is not None for plant in AFTERWARDS)


@pytest.mark.parametrize("plant", [*PLANTS, *AFTERWARDS], ids=ids)
def test_a_plant_applies(plant):
    """Each fragment occurs once in its function, and the changed modules compile."""
    for module, source in changed_sources(plant).items():
        compile(source, module, "exec")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("plant", [*SHOWN, *AFTERWARDS], ids=ids)
def test_a_plant_changes_the_game(plant):
    """On its position the rules answer as stated, before and after the change, and again when it is taken back."""
    assert answer(plant.shown) == plant.shown.original
    with planted(plant):
        assert answer(plant.shown) == plant.shown.planted
    assert answer(plant.shown) == plant.shown.original


def test_every_open_point_is_shown():
    """An open point without a position would not be known to be one."""
    assert [plant.id for plant in OPEN if plant.shown is None] == []


def test_silent_sides_name_plants_that_take_the_other_side():
    """What a silent side refers to is an open plant."""
    assert {name for side in SILENT for name in side.plants} <= {plant.id for plant in OPEN}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('before = "there is no such line"', "occurs 0 times"),
        ('before = "return"', "occurs [2-9] times"),
        ('function = "no_such_function"\nbefore = "x"', "has no no_such_function"),
    ],
)
def test_a_plant_that_does_not_apply_is_refused(tmp_path, line, problem):
    """A fragment that is not there, or there twice, is an error and no silent miss."""
    function = "" if line.startswith("function") else 'function = "secure_objection"\n'
    text = (
        '[[plant]]\nid = "x"\nlabel = "open"\npage = 8\nrows = ["p08-secure"]\nsays = "x"\nquestion = "x?"\n'
        f'[[plant.change]]\nmodule = "rules.protection"\n{function}{line}\nafter = ""\n'
    )
    (tmp_path / "x.toml").write_text(text)
    (plant,), _ = read(tmp_path)

    with pytest.raises(PlantError, match=problem):
        changed_sources(plant)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[plant]]\nid = "x"\nlabel = "unclear"', "expected one of"),
        ('[[plant]]\nid = "x"\nlabel = "open"\npage = 8\nsettled = {}', "expected only"),
        ('[[plant]]\nid = "x"\nlabel = "open"\npage = 2\nchange = [{}]', "expected 4 to 19"),
        ("[[seed]]", "expected only"),
    ],
)
def test_a_file_that_is_not_as_expected_is_refused(tmp_path, text, problem):
    """Unknown keys and labels, and what is missing, are errors that name the plant."""
    (tmp_path / "x.toml").write_text(text)

    with pytest.raises(PlantError, match=problem):
        read(tmp_path)


REPLAY = f"""
import sys
from importlib import abc, machinery, util
sys.path.insert(0, {str(FOLDER.parents[1])!r})
import plants

PLANT = next(plant for plant in plants.read()[0] if plant.id == sys.argv[1])
SOURCES = {{"{PACKAGE}." + module: text for module, text in plants.changed_sources(PLANT).items()}}
for name in [name for name in sys.modules if name.startswith("{PACKAGE}.") or name in ("plants", "tabletop")]:
    del sys.modules[name]

class Planted(abc.MetaPathFinder, abc.InspectLoader):
    def find_spec(self, name, path=None, target=None):
        return util.spec_from_loader(name, self) if name in SOURCES else None
    def get_source(self, name):
        return SOURCES[name]

sys.meta_path.insert(0, Planted())
import plants
sys.stdout.write(plants.answer(PLANT.shown))
"""


@pytest.mark.slow
@pytest.mark.parametrize("plant", SHOWN, ids=ids)
def test_a_plant_changes_the_game_from_its_source(plant):
    """The same in a new process, which imports the changed source in place of the module."""
    replay = [sys.executable, "-c", REPLAY, plant.id]

    assert subprocess.run(replay, capture_output=True, text=True, check=True, timeout=60).stdout == plant.shown.planted
