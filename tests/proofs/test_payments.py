"""Galerius stops paying when he has won [I-GALERIUS-WON]: in plans, games, records, requests and certificates alike."""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec
from itertools import permutations, product

import checker
import pytest
from tampered import lines_of, sealed

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia.action import Outcome, read_action
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan import ENGINES, Status, plan, read_attacks
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.plan.replay import carry_out
from tetrasolve.tetrarchia.plan.tree import Shown
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import GivenDice

SOLVERS = find_spec("ortools") and find_spec("z3")
BOARDS = [path for path in checker.BOARDS if path.exists()]
# Galerius can only win at Persia, and would like to have no disc left on the board
OVERPAID = '4222+imperium G:2 -/syr/-/- 12 per - - -/thr.mac/-/- removed={"constantius":0,"diocletian":0,"galerius":1,"maximian":0}'
ASKED = "kill persia then most value garrison=-1"
# With Constantius beside him no dice need the fourth disc
DOUBLED = (
    "4222+imperium G:2 -/syr/cap/- 12 per - - -/thr.mac.dac.ach/-/- "
    'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
)


def by_all_faces(position: Position) -> tuple[Fraction, Fraction]:
    """The best chance to win, and of those the fewest discs on average, with each pair of faces and each order of discs."""
    rows = []
    for faces in product(range(1, 7), repeat=2):
        found = []
        for many in range(4):
            for discs in permutations(("reserve", "thracia", "macedonia"), many):
                game, left = Game(position), iter(discs)
                game.attack("persia", GivenDice(faces), pay=lambda *_, left=left: next(left, None))
                end = game.position
                found.append(("persia" not in end.armies, -len(end.garrisons("galerius"))))
        rows.append(max(found))
    return Fraction(sum(won for won, _ in rows), 36), Fraction(sum(discs for _, discs in rows), 36)


@pytest.mark.choice("I-GALERIUS-WON")
def test_galerius_pays_no_disc_more_when_he_has_won() -> None:
    """One who would like to throw discs away cannot do so after a victory: plan, judge, certificate and all faces agree."""
    position = read_position(OVERPAID)
    found = plan(position, ASKED)
    assert found.values is not None
    assert tuple(found.values[:2]) == by_all_faces(position) == (Fraction(5, 6), Fraction(-1))
    assert checker.verdict(certify(position, ASKED).text().encode(), BOARDS)[0] == checker.CONFIRMED
    for shows, _, branch in found.plan.fork.branches:  # type: ignore[union-attr]
        assert isinstance(shows, Shown)
        paid = len(branch.steps[0].payments)
        assert paid == 0 or shows.outcome(paid - 1) is not Outcome.VICTORY


@pytest.mark.choice("I-GALERIUS-WON")
@pytest.mark.parametrize("paid", ["+reserve", "+thracia +macedonia", "+reserve +thracia +macedonia"])
def test_a_plan_that_pays_after_a_victory_is_refused(paid: str) -> None:
    """By the replay of the plan, by the game, and by the checker in a certificate that claims it."""
    position = read_position(OVERPAID)
    honest = certify(position, ASKED)
    won = "{victory 5/12: attack persia: victory"
    lines = [line.replace(won, f"{won} {paid}") for line in lines_of(honest)]
    assert lines != lines_of(honest)
    code, sentence = checker.verdict(sealed(lines).encode(), BOARDS)
    assert code == checker.REFUTED
    assert "is not legal there" in sentence
    action = read_action(f"attack persia: victory {paid}", position.board)[0]
    with pytest.raises(IllegalActionError, match="with the dice 6-1 it is a victory for less, and he stops paying"):
        Game(position).act(action, (6, 1))


@pytest.mark.choice("I-GALERIUS-WON")
def test_a_stated_victory_pays_no_more_than_some_dice_need() -> None:
    """For all engines; the certificate is confirmed, and its claims with another disc, or with a better value, are refused."""
    position, attacks = read_position(DOUBLED), read_attacks("victory@persia")
    for engine in ENGINES:
        if engine in ("exhaustive", "judge") or SOLVERS:
            found = plan(position, ASKED, engine=engine, attacks="victory@persia")
            assert (found.status, found.values) == (Status.OPTIMAL_PROVED, (1, -1, 2)), engine
    honest = certify(position, ASKED, attacks)
    assert checker.verdict(honest.text().encode(), BOARDS)[0] == checker.CONFIRMED
    lines = lines_of(honest)
    fourth = [line.replace("+dacia +thracia +macedonia", "+dacia +thracia +macedonia +achaia") for line in lines]
    better = [line.replace("optimum 1 -1 -2", "optimum 1 0 -2") for line in fourth]
    assert lines != fourth != better
    for forged in (fourth, better):
        code, sentence = checker.verdict(sealed(forged).encode(), BOARDS)
        assert code == checker.REFUTED, sentence
    action = read_action("attack persia: victory +dacia +thracia +macedonia +achaia", position.board)[0]
    assert attacks is not None
    with pytest.raises(IllegalActionError, match="is a victory for less"):
        carry_out(position, [action], attacks)
