"""Best play in the Barbarian phase: the reference against all policies there are, the kernel against the reference, and laws."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from bestplay import SIDES, Question, compare_best, value_under
from moduletable import extended
from scatter import RECIPES
from scattermodules import any_extensions, with_figures
from tabletop import MAP

from tetrasolve.exact import absorb
from tetrasolve.exact.choices import Chance
from tetrasolve.exact.contest import Pick, TooManyStatesError, optimum
from tetrasolve.exact.distribution import Distribution
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.activity import EchoProvince
from tetrasolve.tetrarchia.rules.choices import NO, Reroll
from tetrasolve.tetrarchia.rules.optimum import Aim, best_from, best_phase, node
from tetrasolve.tetrarchia.rules.step import Choice
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
DECIDED = {"imperium", "barbaria"}
MOST_WAYS = 200  # through a phase
MOST_POLICIES = 600


def decided_positions(seed, most_ways=MOST_WAYS, most_gray=4):
    """Positions before a Barbarian phase in which somebody may decide."""
    random = Random(seed)
    while True:
        ruleset = any_extensions(random.choice(LEVELS), random)
        if not DECIDED & ruleset.extensions:
            continue
        recipe = random.choice((*RECIPES, "quiet", "walled"))
        position = with_figures(recipe, ruleset, random, MAP, Phase.BARBARIAN)
        if position.gray > most_gray:
            position = position.with_barbarian_discs(random.randint(1, most_gray), position.black)
        if position.status() == () and ways_of(position) <= most_ways:
            yield position


def without_black(position):
    return position.with_barbarian_discs(position.gray, 0) if position.black else position


def ways_of(position):
    return fast.kernel_of(position).phase(fast.to_state(position))["visits"]


# -- against all policies ----------------------------------------------------------------------------------------------


def all_choices(start, aim):
    """Every choice that can be met from a step; dice with the same result are one."""
    seen, waiting, found = set(), [start], {}
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        following = node(state, aim)
        if isinstance(following, Pick):
            found.setdefault(name_of(state), (following.most, len(following.options)))
            waiting.extend(after for _, after in following.options.values())
        elif isinstance(following, Chance):
            waiting.extend(following.outcomes)
        if len(seen) > 2_000:
            return None
    return found


def name_of(choice: Choice) -> Hashable:
    return (choice.rolled, choice.result) if isinstance(choice, Reroll) else choice


def value_of(start, aim, answers):
    """The value where each choice is answered by the number of an option."""

    def row(state):
        found = node(state, aim)
        if isinstance(found, Chance):
            return found.outcomes
        if isinstance(found, Pick):
            return Distribution.point(list(found.options.values())[answers[name_of(state)]][1])
        return None

    passed = absorb(start, row)
    paid = sum(
        (
            visits * list(node(state, aim).options.values())[answers[name_of(state)]][0]
            for state, visits in passed.visits.items()
            if isinstance(state, Choice)
        ),
        Fraction(0),
    )
    return paid + passed.ends.expectation(lambda end: Fraction(end) if isinstance(end, bool) else aim.value(end))


def starts(random):
    """Steps in the middle of a phase with few discs, so that there are few policies."""
    for position in decided_positions(random.random(), most_gray=2):
        calm = without_black(position)
        if position.revolts and "barbaria" in position.ruleset.extensions and random.random() < 0.4:
            yield EchoProvince(calm, random.randint(1, 6))
        else:
            yield advance.begin(calm, frozenset())


def test_no_policy_is_better_than_the_best():
    """Every policy of each player, against every one of the other, on the last steps of small phases."""
    random = Random("all policies")
    compared, with_two = 0, 0
    for start in starts(random):
        question = Question.random(random)
        if question.what == "p_uprising":  # decided before these steps
            continue
        aim = question.aim(start.position if hasattr(start, "position") else MAP_POSITION)
        choices = all_choices(start, aim) if not isinstance(start, rules.Fall) else None
        if not choices:
            continue
        mine = [name for name, (most, _) in choices.items() if most]
        yours = [name for name, (most, _) in choices.items() if not most]
        number = 1
        for _, options in choices.values():
            number *= options
        if number > MOST_POLICIES:
            continue
        value = max(
            min(
                value_of(start, aim, dict(zip((*mine, *yours), (*a, *b), strict=True)))
                for b in product(*(range(choices[name][1]) for name in yours))
            )
            for a in product(*(range(choices[name][1]) for name in mine))
        )
        assert best_from(start, aim).value == value
        compared += 1
        with_two += number > 2
        if compared == 8:
            break
    assert with_two >= 3


MAP_POSITION = next(decided_positions("any"))


# -- both engines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "most_states"), [(15, 2_500), pytest.param(3_000, 6_000, marks=pytest.mark.slow)])
def test_both_engines_find_the_same_value(number, most_states):
    """The kernel's doubles are the reference's fractions; and best play as a policy has the value it claims."""
    random, compared, decided = Random(f"both engines {number}"), 0, 0
    for position in decided_positions(f"values {number}", most_ways=400, most_gray=3):
        if not position.gray and random.random() < 0.7:
            continue
        asked = without_black(position) if random.random() < 0.8 else position  # with it phases are large
        found = compare_best(asked, Question.random(random), most_states)
        compared += found is not None
        decided += found is not None and any(name != NO for name in found.solved.picks.values())
        if compared == number:
            break
    assert decided >= number / 6


# -- wrong claims --------------------------------------------------------------------------------------------------------


def never(choice):
    del choice
    return 0


def always(choice):
    """The last option of each."""
    return len(choice.options) - 1


def at_first(choice):
    """The second option of each: the first disc, the first place."""
    del choice
    return 1


def only_rolls(choice):
    """Rolls again whatever the dice show."""
    return int(isinstance(choice, Reroll))


WRONG = (never, always, at_first, only_rolls, rules.eager)


def test_no_stated_policy_is_better():
    """Who claims the value of another policy as the best for all claims too little, and is found out where it matters."""
    random = Random("wrong claims")
    found_out = dict.fromkeys(WRONG, 0)
    for position in map(without_black, decided_positions("wrong", most_ways=60, most_gray=1)):
        what = random.choice(("p_lost", "p_uprising", "e_revolts"))
        most = random.random() < 0.5
        try:
            best = best_phase(position, Aim(what, most, most), most_states=1_500).value
        except TooManyStatesError:
            continue
        for policy in WRONG:
            claimed = value_under(position, Aim(what, most, most), policy)
            assert claimed <= best if most else claimed >= best, (position, policy)
            found_out[policy] += claimed != best
        if all(found_out.values()):
            return


def test_a_value_of_the_other_player_is_no_value_of_the_game():
    """The game lies between what all could do together for the least and for the most."""
    random = Random("together")
    inside = 0
    for position in decided_positions("together"):
        what = random.choice(("p_lost", "e_revolts", "worth"))
        values = {side: Question(what, *side, Fraction(0)).by_kernel(position) for side in SIDES}
        assert values[-1, -1] <= values[-1, 1] + 1e-9 and values[1, -1] <= values[1, 1] + 1e-9
        assert values[-1, -1] <= values[1, -1] + 1e-9 and values[-1, 1] <= values[1, 1] + 1e-9
        inside += values[-1, -1] + 1e-9 < values[1, -1] < values[1, 1] - 1e-9
        if inside == 3:
            return


# -- laws ----------------------------------------------------------------------------------------------------------------


def test_more_discs_never_hurt_the_barbarian_player():
    """Discs that he may spend, of those he has; and, the reserve being full, discs that he has."""
    random, helped = Random("discs"), 0
    for position in decided_positions("discs"):
        if not position.gray:
            continue
        what = random.choice(("p_lost", "p_uprising", "e_revolts", "worth"))
        price = random.choice((Fraction(0), Fraction(1, 50)))
        question = Question(what, 1, random.choice((1, -1)), price)
        values = [
            question.by_kernel(position, gray_kept=kept, black_kept=True) for kept in range(position.gray, -1, -1)
        ]
        values.append(question.by_kernel(position))
        assert all(less <= more + 1e-9 for less, more in pairwise(values)), position
        if what in ("p_lost", "p_uprising"):
            fewer = position.with_barbarian_discs(position.gray - 1, position.black)
            assert question.by_kernel(fewer) <= question.by_kernel(position) + 1e-9, position
        helped += values[-1] > values[0] + 1e-6
        if helped == 15:
            return


def test_more_discs_never_hurt_the_emperors():
    """A disc of the reserve more, with which Constantius or Galerius can pay."""
    helped = 0
    for position in decided_positions("garrisons"):
        if not position.armies:
            continue
        for emperor in ("constantius", "galerius"):
            removed = position.removed
            if not removed.get(emperor):
                continue
            more = {**removed, emperor: removed[emperor] - 1}
            richer = position.with_piece("removed", type(position.pieces.removed).of(more))
            question = Question("p_lost", 1, -1, Fraction(0))
            poor, rich = question.by_kernel(position), question.by_kernel(richer)
            assert rich <= poor + 1e-9, position
            helped += rich < poor - 1e-9
        if helped:
            return


def test_a_price_above_all_gain_keeps_every_disc():
    """Then best play is that of who declines."""
    for number, position in enumerate(decided_positions("price")):
        engine, state = fast.kernel_of(position), fast.to_state(position)
        for what in ("p_lost", "p_uprising"):
            found = Question(what, 1, -1, Fraction(2)).by_kernel(position)
            assert abs(found - engine.phase(state)[what]) < 1e-9, position
        if number == 25:
            return


def test_nothing_is_asked_in_the_base_game():
    """Where nobody decides the value is that of the phase."""
    position = extended("dux", revolts="dacia", barbarian=True)
    engine, state = fast.kernel_of(position), fast.to_state(position)
    found = whole.best_phase(engine, state, "p_lost", 1, -1)
    assert abs(found["value"] - engine.phase(state)["p_lost"]) < 1e-12
    assert not optimum(rules.begin(position), lambda step: node(step, Aim("p_lost", True, False))).picks


# -- stopping, and wrong arguments -----------------------------------------------------------------------------------------


def test_the_kernel_stops():
    position = MAP_POSITION
    with pytest.raises(Stopped):
        whole.best_phase(fast.kernel_of(position), fast.to_state(position), "p_lost", 1, -1, stop=Stop(0))


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"aim": "p_won"}, "aim: expected one of p_lost"),
        ({"barbarian": 2}, "barbarian: expected"),
        ({"barbarian": 0}, "barbarian: expected 1 for most"),
        ({"rome": -3}, "rome: expected"),
        ({"price": -1.0}, "price: expected a number from 0"),
        ({"price": float("nan")}, "price: expected a number from 0"),
        ({"gray_kept": 9}, "gray_kept: expected"),
        ({"aim": "worth", "weights": None}, "weights"),
    ],
)
def test_wrong_arguments_are_named(wrong, problem):
    position = MAP_POSITION
    given = {"aim": "p_lost", "barbarian": 1, "rome": -1} | wrong
    with pytest.raises(whole.KernelError, match=problem):
        whole.best_phase(fast.kernel_of(position), fast.to_state(position), **given)
