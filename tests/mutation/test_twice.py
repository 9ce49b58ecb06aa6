"""A choice of the second game that is made once or twice, as the operator `quantity` makes it."""

import finemplants
import pytest
from mutation import finding, generated, points, running
from mutation.etfinem import ET_FINEM
from mutation.etfinemtwice import either_or_both, twice
from plants import planted

from tetrasolve.finem import rules
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.rules.turn import _STEPS as STEPS

RESIST = "introductory consul CS/C7/C7 2121/C 1/1 C7:C1.C6:C2.E5:E1 resist OS.C7.B7.BC hand=OS.C7.BC"
ACT = "introductory magister C7/C7/E5 2221/- 1/1 C7:C1 act:2 -"
PLANTS = {plant.id: plant for plant in finemplants.read()}


def cases():
    """The changes of the table of steps."""
    return [case for case in points.cases("finem-rules") if case.changes[0].name == "_STEPS"]


def second(line, **only):
    """What can be chosen at a position that is two choices, with what follows."""
    position = Position.parse(line)
    options, after = twice(*STEPS[position.step], **only)
    return {option: after(position, option) for option in options(position) if " then " in option}


def after(line, *course):
    state = Position.parse(line)
    for option in course:
        state = rules.take(state, option)
    return state


def test_both_have_their_effect_and_the_game_goes_on_once():
    """Two cubes go before the dice rise; one action is taken, not two; two cards are put away before others are drawn."""
    assert second(RESIST)["remove C6 C then remove E5 E"] == after(RESIST.replace(".E5:E1", ""), "remove C6 C")
    assert second(ACT)["confront C then move C6"] == after(ACT.replace("C7:C1 act:2", "- act:2"), "move C6")
    exchange = "introductory tribune C7/C7/E5 1111/- 1/1 E5:E1 exchange O5.C6.E7 hand=O5.C6.E7"
    assert second(exchange)["exchange O5 then exchange E7"].hand == ("C6",)
    raised = second("standard consul C7/C7/E5 1111/- 1/1 E5:E1 raise OS.C6.E7.BS hand=C6.E7.BS")
    assert [die - 1 for die in raised["raise O then raise O"].dice] == [2, 1, 1, 1]


def test_a_second_choice_is_one_that_the_first_leaves():
    assert "confront C then confront C" not in second(ACT)
    assert "move C6 then move C5" in second(ACT)
    rides = second(ACT.replace("magister", "dictator"))
    assert "confront C then ride" in rides and not any(option.startswith("ride then") for option in rides)


def test_what_two_choices_do_that_one_does_is_left_out():
    """Both cubes of a region one by one, which is all of them; a journey from where the pawn has gone; the same two again."""
    options = second(RESIST)
    assert "remove C6 C then remove C6 C" not in options
    assert "remove C6 C then remove E5 E" in options and "remove E5 E then remove C6 C" not in options
    assert not second("introductory prefect C7/C7/CC 1111/B 1/1 - travel C5.EC.B5.BC hand=C5.EC.BC")


def test_two_choices_where_something_holds_of_both():
    pacified = second(RESIST, of="tribe", holds=lambda position, tribe: tribe in position.pacified)
    assert [*pacified] == ["remove C6 C then remove C7 C", "remove C6 C all then remove C7 C"]
    assert pacified.keys() == second(RESIST, same="tribe").keys()
    assert not second(RESIST, holds=lambda position: position.role == "emperor")
    assert not second(RESIST, same="region")
    move = second(ACT, of="tribe", holds=lambda _position, _tribe: True)
    assert not move  # a region is no tribe, and a second cube is not there


def test_one_of_each_of_two_kinds():
    """A cube and all cubes of a region; not two of a kind."""
    options, after = either_or_both(*STEPS[Step.RESIST])
    position = Position.parse(RESIST.replace("C7:C1", "C7:C2"))
    both = {option: after(position, option) for option in options(position) if " then " in option}
    assert [*both] == [
        "remove C6 C then remove C7 C all",
        "remove C6 C all then remove C7 C",
        "remove C6 C all then remove E5 E",
        "remove C7 C all then remove E5 E",
    ]
    assert [state.on_map("C") for state in both.values()] == [1, 1, 2, 2]
    assert not second(RESIST, kinds=lambda first, second: first == "remove all" == second)


def test_what_chance_brings_is_not_chosen():
    position = Position.parse("introductory consul C7/C7/E5 1111/- 1/1 E5:E1 draw -")
    assert twice(*STEPS[Step.DRAW])[0](position) == position.deck


def test_every_step_is_changed_and_nothing_else_of_the_table():
    for operator in ("quantity", "connective"):
        changed = [case.changes[0].before.split(":")[0] for case in cases() if case.operator == operator]
        assert [text.strip() for text in changed] == [f"Step.{step.name}" for step in STEPS]
    assert len(cases()) == 2 * len(STEPS)
    case = next(case for case in cases() if "Step.RESIST" in case.changes[0].before)
    assert case.at == (("rules/events.py", "removals"), ("rules/events.py", "resisted"))


def test_every_module_sees_a_changed_table_whatever_it_calls_it():
    """`STEPS` of this one, too; until the block ends."""
    (change,) = next(case.changes for case in cases() if "Step.RESIST" in case.changes[0].before)
    both = {*second(RESIST)}
    position = Position.parse(RESIST)
    before = rules.node(position).options
    with running.taken(change, ET_FINEM):
        assert {*rules.node(position).options} == {*STEPS[Step.RESIST][0](position)} == {*before} | both
    assert rules.node(position).options == before == STEPS[Step.RESIST][0](position)


@pytest.mark.parametrize("name", ["resistance-one-and-all", "magister-takes-two", "diagonal-move"])
def test_where_choices_lead_is_compared_and_not_what_they_are_called(name):
    """An answer by other names is given; nothing is by the rules of today."""
    shown, of = PLANTS[name].shown, points.SETS["finem"]
    with planted(PLANTS[name]):
        wanted = finemplants.wanted(shown)
    assert of.leads(shown) != wanted
    found = finding.named(ET_FINEM, {case.id: case for case in cases()}, generated.kept("finem")[name].by)
    with running.taken(found.changes[0], ET_FINEM):
        assert of.leads(shown) == wanted and of.answer(shown) != shown.planted


def test_one_decision_is_looked_for_among_all():
    shown = PLANTS["magister-at-a-distance"].shown
    with planted(PLANTS["magister-at-a-distance"]):
        (wanted,) = finemplants.wanted(shown)
        assert wanted in finemplants.leads(shown)
    assert wanted not in finemplants.leads(shown)
    assert not finemplants.wanted(shown)  # it cannot come
    assert not finemplants.leads(PLANTS["no-role-twice"].shown)  # what chance brings has no other name
