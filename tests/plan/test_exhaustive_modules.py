"""The exhaustive search with modules, variants and rebels, against all policies tried out by the reference rules.

The slow test looks at more than 2,000 positions, in parts: for each set of modules `PARTS` of them, `-k` chooses some.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest
from moduleplans import agree, cases
from moduleturns import EACH, TOGETHER

from tetrasolve.errors import IllegalActionError, UnreadableActionError
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan import Status, plan, read_plan
from tetrasolve.tetrarchia.plan.replay import completed, endings
from tetrasolve.tetrarchia.plan.tree import Fork, Shown
from tetrasolve.tetrarchia.position import Position

SETS = (*EACH, *TOGETHER)
PARTS, IN_A_PART = 4, 34
# Galerius beside an army, with three discs to pay with
GALERIUS = (
    "4222+imperium G:2 -/syr/-/- 12 per - - -/thr.mac/-/- "
    'removed={"diocletian":0,"galerius":1,"constantius":0,"maximian":0}'
)
FALLING = (
    "4121+dux+goths+pirates+vicarius+barbaria+imperium+mare-nostrum+roma-aeterna+usurpator+via-romana?I-BATTLE-BROK"
    "EN=not-linked,I-BLACK-WHEN=start,I-BORDER-DEFEAT=removed,I-CANCEL-WHEN=after,I-CHECK=one-roll,I-CONSTANTIUS-WH"
    "EN=before-check,I-DUX-BROKEN=forbidden,I-DUX-REVOLT=forbidden,I-ENTRY-ROMA=no-revolt,I-GLORY-DEFENCE=none,I-GL"
    "ORY-SEA=none,I-GOTHS-ARMY=blocks,I-GOTHS-SEA=not,I-ORDER-BORDER=last,I-ORDER-DISTANCE=links,I-ORDER-ITALIA=las"
    "t,I-PIRATES-EMPERORS=once,I-RESERVE=falls,I-REVOLT-GROUP=under-army,I-SECURE-OWN=forbidden,I-SHAME-DEFENCE=kee"
    "ps,I-TURN-BLOCKED=stays,I-TURN-DISC=returned,I-USURPER-EMPERORS=stand,I-VIA-BORDER=moves,I-VIA-EMPTY=no-disc,I"
    "-VICARIUS-BORDER=dies,I-VICARIUS-ENTRY=closed,I-VICARIUS-UNREST=stays D:2 bae/-/lib/psu 3 gla.aqu.srm tin.bae."
    "car.gla.tar.aqu.dac rom.cis.etr.luc.sic.bel.nar.rha.psu.nor.dal.mac.epi.syr.cil.cap.tri.num.afr -/-/msu.gat.pe"
    'r/gae.lib barbarian_discs={"black":1,"gray":0} dux="dacia" glory={"constantius":0,"diocletian":0,"galerius":0,'
    '"maximian":1} goths="reserve" pirates=null removed={"constantius":0,"diocletian":0,"galerius":2,"maximian":2} '
    'vicarius="pannonia_inferior"'
)


@pytest.mark.parametrize("extensions", SETS)
def test_plans_equal_those_of_all_policies(extensions: str) -> None:
    """A few positions for each set of modules; the bar is in the slow test below."""
    for position, text in islice(cases(extensions), 3):
        agree(position, text)


def test_some_of_these_plans_fight() -> None:
    """With payments after the roll, and of the Dux, too."""

    def forks(extensions: str) -> Iterator[Fork]:
        for position, text in islice(cases(extensions), 400):
            found = plan(position, text).plan
            if found is not None and found.fork is not None:
                yield found.fork

    assert any(fork.pays_after_dice for fork in forks("imperium"))
    assert any(fork.figure == "dux" for fork in forks("dux"))


def test_chances_of_branches_can_be_left_out() -> None:
    """The dice have them: the plan that is completed is the plan itself, with payments after the roll, too."""
    paying = 0
    for position, text in islice(cases("imperium"), 80):
        found = plan(position, text).plan
        if found is None or found.fork is None:
            continue
        bare = re.sub(r" [0-9]+(/[0-9]+)?(?=: )", "", str(found))
        with pytest.raises(UnreadableActionError, match="expected a branch like"):
            read_plan(bare, position.board)
        assert completed(position, read_plan(bare, position.board, is_complete=False)) == found
        paying += found.fork.pays_after_dice
    assert paying


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("attack narbonensis", "attack narbonensis {DICE}"),
        (
            "attack narbonensis {defeat: end | draw: attack narbonensis | victory 2/3: secure}",
            "attack narbonensis {defeat 1/4: end | draw 1/12: attack narbonensis {DICE} | victory 2/3: secure}",
        ),
        ("move roma", "move roma"),
        ("end", "end"),
    ],
)
def test_what_a_plan_leaves_out_comes_from_the_dice(text: str, meant: str) -> None:
    """Also in a branch; the order of the branches stays."""
    position = example("fight").replace(ip=6)
    board = position.board
    assert completed(position, read_plan(text, board, is_complete=False)) == read_plan(
        meant.replace("DICE", "victory 2/3: end | draw 1/12: end | defeat 1/4: end"), board
    )


def test_a_wrong_chance_and_a_missing_branch_are_not_completed() -> None:
    """They stay as they are, and the plan is refused where it is replayed."""
    position = example("fight")
    for text in (
        "attack narbonensis {victory 1/2: end | draw: end | defeat: end}",
        "attack narbonensis {victory: end | draw: end}",
        "attack narbonensis {victory 0: end | draw: end | defeat: end}",
        "attack narbonensis {victory: end | victory: end | defeat: end}",
    ):
        with pytest.raises(IllegalActionError, match="the dice victory 2/3, draw 1/12, defeat 1/4"):
            endings(position, completed(position, read_plan(text, position.board, is_complete=False)))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("extensions", SETS)
def test_plans_equal_those_of_all_policies_on_two_thousand_positions(extensions: str, part: int) -> None:
    assert len(SETS) * PARTS * IN_A_PART >= 2_000
    for position, text in islice(cases(extensions), part * IN_A_PART, (part + 1) * IN_A_PART):
        agree(position, text)


def test_all_fallen_empires_are_one_end() -> None:
    """Here every best plan lets Rome fall, and there are several."""
    agree(read_position(FALLING), "most value army@aquitania=-4 revolt@tarraconensis=-1 garrison=-1")


# -- what Galerius pays ------------------------------------------------------------------------------------------


def test_galerius_pays_when_he_has_seen_the_dice() -> None:
    """Each thing that the dice show is a branch, and begins with what he makes of it."""
    found = plan(read_position(GALERIUS), "kill persia")
    assert found.status is Status.OPTIMAL_PROVED
    assert found.plan is not None and found.plan.fork is not None

    for shows, _, branch in found.plan.fork.branches:
        assert isinstance(shows, Shown)
        attack = branch.steps[0]
        assert attack.outcome is shows.outcome(len(attack.payments))
        if shows.victory is not None and shows.victory <= 3:
            assert attack.outcome is Outcome.VICTORY


def test_plans_that_pay_wrongly_do_not_pass_the_replay() -> None:
    """A disc that he does not have, a victory that so many discs do not give, dice that fall otherwise."""
    position = read_position(GALERIUS)
    good = str(plan(position, "kill persia").plan)
    assert sum(chance for chance, _, _ in endings(position, read_plan(good, position.board))) == 1
    once = good.index("+reserve")
    bad = [
        good[:once] + "+reserve +reserve +reserve +reserve +reserve" + good[once + 8 :],
        good[:once] + "+asia" + good[once + 8 :],  # where none of his discs lies
        good[:once] + good[once + 9 :],  # nothing is paid for it
        good.replace("attack persia: victory +reserve", "end", 1),
        good.replace("attack persia: victory +reserve", "attack dacia: victory +reserve", 1),
        "attack persia {victory 1: attack persia: victory +reserve}",  # pays whatever the dice show
        good.replace("}", " | defeat 1/36: attack persia: defeat}"),  # more than all dice
        good.replace(" | ", " | victory 5/12: end | ", 1),  # an outcome among the things that dice show
    ]
    for text in bad:
        assert text != good
        with pytest.raises(IllegalActionError):
            endings(position, read_plan(text, position.board))


def test_galerius_pays_nothing_at_sea_where_a_reading_says_so() -> None:
    """[I-GALERIUS-SEA] The dice then decide, as for everybody else."""
    place = 'G:2 -/syr/-/- 12 - - - -/-/thr.mac/- pirates=3 removed={"diocletian":0,"galerius":1,"constantius":0,"maximian":0}'
    pays, not_at_sea = (
        plan(read_position(f"4221+pirates+imperium{reading} {place}"), "kill pirates")
        for reading in ("", "?I-GALERIUS-SEA=not")
    )
    assert pays.plan is not None and pays.plan.fork is not None and pays.plan.fork.pays_after_dice
    assert not_at_sea.plan is not None and not_at_sea.plan.fork is not None
    assert not not_at_sea.plan.fork.pays_after_dice
    assert pays.values is not None and not_at_sea.values is not None and pays.values[0] > not_at_sea.values[0]


def test_what_is_paid_may_be_stated_before_the_dice_are_rolled() -> None:
    """Such a plan is legal, and worse than one that waits for the dice; what the dice do not need is not paid."""
    position = read_position(GALERIUS)
    had = position.removed["galerius"]
    best = plan(position, "kill persia").values
    assert best is not None
    for text, chance, paid in (
        ("attack persia {victory 5/12: end | draw 1/6: end | defeat 5/12: end}", Fraction(5, 12), {0: 36}),
        (
            "attack persia +reserve {victory 7/12: end | draw 5/36: end | defeat 5/18: end}",
            Fraction(7, 12),
            {0: 15, 1: 21},
        ),
    ):
        given = read_plan(text, position.board)
        assert str(given) == text
        ends = endings(position, given)
        won = sum(share for share, end, _ in ends if isinstance(end, Position) and "persia" not in end.armies)
        assert won == chance < best[0]
        discs = Counter[int]()
        for share, end, _ in ends:
            assert isinstance(end, Position)
            discs[end.removed["galerius"] - had] += share * 36
        assert discs == paid
        assert completed(position, given) == given
