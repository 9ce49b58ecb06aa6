"""What a game takes as the dice of an action: two faces for an attack, none for anything else."""

import pytest

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia.action import SECURE, Outcome, attack
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import Game

VICTORY = attack("narbonensis", Outcome.VICTORY)
DEFEAT = attack("narbonensis", Outcome.DEFEAT)


@pytest.mark.parametrize("faces", [(), (6,), (6, 1, 1), (0, 1), (7, 1), (1, 36)])
@pytest.mark.parametrize("action", [VICTORY, DEFEAT], ids=str)
def test_an_attack_has_two_faces(action, faces):
    """Anything else is refused, and nothing has happened."""
    game = Game(example("fight"))
    with pytest.raises(IllegalActionError, match="two dice"):
        game.act(action, faces)
    assert game.played == ()


def test_the_faces_decide():
    """(6 + 3) x 2 beats 1 + 7; the same faces do not make it a defeat."""
    with pytest.raises(IllegalActionError, match="6-1 make it a victory"):
        Game(example("fight")).act(DEFEAT, (6, 1))
    game = Game(example("fight"))
    game.act(VICTORY, (6, 1))
    assert game.position.here == "narbonensis"


def test_nothing_else_has_dice():
    """A record could not say what they were for."""
    with pytest.raises(IllegalActionError, match="only an attack"):
        Game(example("fight")).act(SECURE, (1, 2))
