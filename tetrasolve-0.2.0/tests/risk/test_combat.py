"""The table of a fight, against the rulebook's example and a second way to each chance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from phases import phases

from tetrasolve.errors import IllegalPositionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome, move
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.position import Phase, Position, start_of_turn
from tetrasolve.tetrarchia.risk.combat import Fight, chances, fights
from tetrasolve.tetrarchia.rules import Battle


def _the_fight() -> Fight:
    (fight,) = fights(example("fight"))
    return fight


def test_the_example_of_the_rulebook() -> None:
    """From Germania Superior 2 IP, from Cisalpina 3 IP, with the same values: (d6 + 3) x 2 against d6 + 7 (page 8)."""
    attacks = {attack.origin: attack for attack in _the_fight().attacks}

    assert attacks["germania_superior"].battle == attacks["cisalpina"].battle == Battle(3, 1, 7, 0)
    assert (attacks["germania_superior"].ip_to_attack, attacks["cisalpina"].ip_to_attack) == (2, 3)
    assert (attacks["germania_superior"].ip, attacks["cisalpina"].ip) == (2, 5)
    assert "aquitania" not in attacks  # Constantius stands there


def test_waiting_has_the_same_numbers_but_may_be_in_vain() -> None:
    """In the army's way the values are those of the attack, and it comes with chance 1/2 (page 11)."""
    waiting = _the_fight().waiting

    assert waiting is not None
    assert (waiting.place, waiting.ip_to_be_there, waiting.arrives) == ("cisalpina", 2, Fraction(1, 2))
    assert waiting.battle == Battle(3, 1, 7, 0)
    assert waiting.no_battle == Fraction(1, 2)
    assert sum(waiting.exact.values()) + waiting.no_battle == 1


def test_what_the_rulebook_says_of_waiting_is_not_the_whole_truth() -> None:
    """Waiting costs more than the chance of no attack: what the phase does before can only help the army here."""
    waiting = _the_fight().waiting

    assert waiting is not None
    given_it_comes = waiting.exact[Outcome.VICTORY] / (1 - waiting.no_battle)
    assert given_it_comes == Fraction(47, 72) < waiting.chances[Outcome.VICTORY] == Fraction(48, 72)


@pytest.mark.parametrize("values", list(product((0, 3, 7), (0, 1, 2), (0, 2, 9), (0, 1))), ids=str)
def test_chances_by_counting_faces(values: tuple[int, int, int, int]) -> None:
    """The chances of a battle are the counts over the 36 pairs of faces, nothing else."""
    g, e, r, a = values
    counted = dict.fromkeys(Outcome, Fraction(0))
    for roman, barbarian in product(range(1, 7), repeat=2):
        left, right = (roman + g) << e, (barbarian + r) << a
        outcome = Outcome.VICTORY if left > right else Outcome.DEFEAT if left < right else Outcome.DRAW
        counted[outcome] += Fraction(1, 36)

    assert chances(Battle(g, e, r, a)) == counted


@pytest.mark.parametrize("position", list(phases(16, most_visits=600, seed=3)), ids=str)
def test_each_row_is_what_the_rules_say_there(position: Position) -> None:
    """An attack's price, values and chances are those of the position with the Emperor in that province."""
    turn = start_of_turn(position, position.to_move)
    if turn.here is None or turn.status():
        return
    for fight in fights(turn):
        for attack in fight.attacks:
            there = turn.with_emperor(turn.to_move, attack.origin)
            roll = rules.attack_roll(there, fight.army)
            faces = [action.outcome for action in roll.results]
            for outcome, chance in attack.chances.items():
                assert chance == Fraction(faces.count(outcome), 36)
            assert attack.chances == attack.with_support[attack.battle.emperors]
            if attack.origin == turn.here:
                assert attack.ip_to_be_there == (0 if attack.ip_to_attack <= turn.ip else None)
            elif attack.ip_to_be_there == 1:
                assert rules.objection(turn, move(attack.origin)) is None or turn.fleets


def test_only_an_emperor_in_his_turn_can_fight() -> None:
    """In the Barbarian phase nobody chooses a fight."""
    with pytest.raises(IllegalPositionError, match="Roman phase"):
        fights(example("fight").replace(phase=Phase.BARBARIAN, ip=0))
