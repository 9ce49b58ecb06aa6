"""Games that were constructed for findings are those that their plans give: each die and choice of the records has a reason."""

from pathlib import Path

import pytest

from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, SetUp
from tetrasolve.tetrarchia.lint.compare import with_value
from tetrasolve.tetrarchia.lint.reached import stored_records
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import write_record
from tetrasolve.tetrarchia.rules import Choice, Fall, GivenCourse
from tetrasolve.tetrarchia.rules.activity import is_untouched
from tetrasolve.tetrarchia.rules.chance import GivenDice, faces_of
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
GAMES = {
    row["finding"]: row for row in read_toml((Path(__file__).parent / "written-games.toml").read_text("utf-8"))["game"]
}


def played(row):
    """The game of a plan."""
    fleets, faces = tuple(row.get("fleets", [2])), tuple(row["set-up"])
    start = rules.set_up(Ruleset.from_text(row["level"]), fleets, GivenDice(faces), BOARD)
    game = Game(start, SetUp(fleets, faces))
    for number, step in enumerate(row["steps"]):
        if number % 2:
            given = GivenCourse(course(game.position, step))
            game.barbarians(given, given.decide)
        else:
            act(game, step)
    return game


def act(game, text):
    for name in text.split("; "):
        game.act(next(action for action in (*rules.legal_actions(game.position), END) if str(action) == name))


def course(position, text):
    """The faces and answers of a phase: those of the plan, each used once, and the least that can happen elsewhere."""
    wanted = [tuple(item.split("=")) for item in text.split(", ") if item]
    step, taken = rules.begin(position), []
    while not isinstance(step, (Position, Fall)):
        asked = step.question if isinstance(step, Choice) else ", ".join(step.roll().questions)
        found = next((item for item in wanted if item[0] in asked), None)
        if found:
            wanted.remove(found)
        answer = found and found[1]
        if isinstance(step, Choice):
            made = (answer or step.options[0],)
            step = step.after(made[0])
        else:
            made = faces(step, answer)
            step = landed(step, made, step.roll().result(made))
        taken += made
    assert not wanted, f"{wanted} were not asked in {position}"
    return taken


def faces(step, answer):
    dice = len(step.roll().questions)
    if answer is not None and answer.isdigit():
        return (int(answer),)
    if answer is not None:
        place = BOARD[answer]
        return (place.region, place.number)[-dice:]
    named = getattr(step, "rolled", step)  # a roll that is made again
    if not hasattr(named, "places"):
        return (1,) * dice
    pairs = zip(faces_of(dice), named.places(), strict=True)
    return next(found for found, place in pairs if is_untouched(step.position, place))


@pytest.mark.parametrize("name", GAMES)
def test_a_plan_gives_the_record(name):
    """Dice that the plan does not name change nothing."""
    assert write_record(played(GAMES[name])).splitlines() == stored_records().rows[name]


@pytest.mark.parametrize(("value", "usurper"), [("lower", "germania_inferior"), ("higher", "pannonia_superior")])
def test_regions_that_become_full_at_once(value, usurper):
    """By the reference rules, which need minutes for the distribution: an echo leads to another until both are full."""
    game = stored_records().game("I-USURPER-ORDER=lower/higher")
    assert game is not None
    table = with_value(game.position, "I-USURPER-ORDER", value)
    chain = (
        "activity=dalmatia, echo: region=3, echo: province=pannonia_inferior, ~dacia=6, "
        "echo: region=2, echo: province=narbonensis, echo: region=2, echo: province=germania_superior, usurper=2"
    )
    after = rules.sample(table, GivenCourse(course(table, chain)))

    assert isinstance(after, Position)
    assert set(after.armies) == {usurper, "sarmatia", "persia"}
