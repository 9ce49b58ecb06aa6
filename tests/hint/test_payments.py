"""Advice on what Galerius pays after the dice of his own attack."""

import json
from functools import partial
from itertools import product
from random import Random

import pytest

from tetrasolve.errors import IllegalActionError, OutOfTimeError, ReferenceOnlyError
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.hint import payments
from tetrasolve.tetrarchia.hint.evaluation import evaluate
from tetrasolve.tetrarchia.hint.payments import advise_on_payment
from tetrasolve.tetrarchia.hint.players import borrow
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, RandomDice

REMOVED = 'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
FIGHT = f"4211+imperium G:6 -/nor/-/rom 12 rha rha - -/dac/-/num {REMOVED}"
FACES = [*product(range(1, 7), repeat=2)]


def ways_by_playing(position, army, faces):
    """What can be paid and what comes of it, found by playing: each answer at each question."""
    found = {}

    def play(answers):
        game, left, open_questions = Game(position), [*answers], []

        def pay(_action, _faces, discs):
            if left:
                return left.pop(0)
            open_questions.extend(discs)
            return None

        action = game.attack(army, rules.GivenCourse(faces), None, pay)
        found[action.payments] = (action.outcome, game.position)
        for disc in open_questions:
            play((*answers, disc))

    play(())
    return found


def mean_after_a_phase(position):
    """The mean evaluation after phases that the reference rules roll."""
    ends = [rules.sample(position, RandomDice(f"payments {number}"), rules.eager) for number in range(100)]
    return sum(0.0 if isinstance(end, Fall) else evaluate(end) for end in ends) / len(ends)


def test_the_ways_are_those_of_a_game_with_the_value_of_the_turn_after_them():
    position = Position.parse(FIGHT)
    for faces in Random("ways").sample(FACES, 12):
        expected = ways_by_playing(position, "rhaetia", faces)
        if len(expected) == 1:
            with pytest.raises(IllegalActionError, match="no disc can be paid"):
                advise_on_payment(position, "rhaetia", faces)
            continue
        found = advise_on_payment(position, "rhaetia", faces)
        assert {way.payments: way.outcome for way in found.ways} == {key: row[0] for key, row in expected.items()}
        values = [way.value for way in found.ways]
        assert values == sorted(values, reverse=True) and found.best.value == values[0] and found.left_out == 0
        with borrow(position.board, position.ruleset) as player:
            for way in found.ways:
                after = expected[way.payments][1]
                if after.phase is Phase.ROMAN:
                    best, *_ = player.think(fast.state_of(after), 0, top=1, policy="expectimax")
                    assert best[0] == way.value
                else:
                    assert way.value == pytest.approx(mean_after_a_phase(after), abs=0.05)


def test_what_is_paid_already_is_in_every_way():
    position = Position.parse(FIGHT)
    whole, rest = (advise_on_payment(position, "rhaetia", (1, 3), payments=paid) for paid in ((), ("reserve",)))
    assert {way.payments for way in rest.ways} == {way.payments for way in whole.ways if "reserve" in way.payments}
    assert rest.best.outcome is Outcome.VICTORY and "pay nothing" in str(whole) and "pay nothing" not in str(rest)
    assert json.loads(json.dumps(whole.as_data()))["ways"][0]["payments"] == [*whole.best.payments]


def test_an_attack_that_ends_the_turn_is_worth_what_the_phase_leads_to():
    """A defeat with the last IP: the values are means over phases, and a pair of discs for a victory is worth more."""
    found = advise_on_payment(Position.parse(FIGHT.replace("G:6", "G:2")), "rhaetia", (1, 3), seed=4)
    values = {way.payments: way.value for way in found.ways}
    assert all(0 <= value <= 1 for value in values.values()) and len(values) == 5
    again = advise_on_payment(Position.parse(FIGHT.replace("G:6", "G:2")), "rhaetia", (1, 3), seed=4)
    assert again == found and found.status == "complete"


def test_what_cannot_be_advised_on_is_refused():
    position = Position.parse(FIGHT)
    with pytest.raises(IllegalActionError, match="expected two faces from 1 to 6"):
        advise_on_payment(position, "rhaetia", (1, 7))
    with pytest.raises(IllegalActionError, match="no disc can be paid"):
        advise_on_payment(position, "rhaetia", (6, 1))
    with pytest.raises(IllegalActionError):
        advise_on_payment(position, "dacia", (1, 3))
    with pytest.raises(ReferenceOnlyError, match="I-GALERIUS-WON=goes-on"):
        advise_on_payment(Position.parse(FIGHT.replace(" G:", "?I-GALERIUS-WON=goes-on G:", 1)), "rhaetia", (1, 3))
    with pytest.raises(OutOfTimeError, match="before one way to pay was searched"):
        advise_on_payment(position, "rhaetia", (1, 3), seconds=0.0)


def test_many_ways_are_cut_and_counted(monkeypatch):
    ask = partial(advise_on_payment, Position.parse(FIGHT), "rhaetia", (1, 5))
    whole = ask()
    monkeypatch.setattr(payments, "MOST_WAYS", 3)
    found = ask()
    assert (len(found.ways), found.left_out) == (3, len(whole.ways) - 3) and found.status == "complete"
    assert max(len(way.payments) for way in found.ways) == 1
    assert f"and {len(whole.ways) - 3} more" in str(found)
