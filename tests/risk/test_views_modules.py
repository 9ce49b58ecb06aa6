"""What `risk --by` shows, with modules, variants and rebels: the reference rules against the kernel, and by a second way."""

from dataclasses import replace
from random import Random

import pytest
from scatter import RECIPES
from scattermodules import any_extensions, with_figures
from tabletop import MAP

from tetrasolve.errors import TooLargeError
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.phase.events import MOST_UPRISINGS, events
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.risk.best import best_play, read_wanted
from tetrasolve.tetrarchia.risk.causes import CAUSES
from tetrasolve.tetrarchia.risk.deciders import by_best_play, by_policy, of_details
from tetrasolve.tetrarchia.risk.views import VIEWS
from tetrasolve.tetrarchia.risk.why import cuts, deadliest, marginals, struck
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
CLOSE = 1e-11
EAGER = 1  # the number of the policy for the kernel

ROLLED_AGAIN = '4210+barbaria D:b cis/-/-/- 12 - rha dac -/-/-/- barbarian_discs={"gray":1,"black":0}'
BLOCKED = (
    "4210+imperium D:b asi/-/cis/- 12 rha nor.rha - -/-/-/- "
    'removed={"diocletian":0,"galerius":0,"constantius":3,"maximian":0}'
)


def small_positions(seed, number, most=150):
    """Positions with modules or rebels before a small phase."""
    random = Random(seed)
    while number:
        ruleset = any_extensions(random.choice(LEVELS), random)
        position = with_figures(random.choice((*RECIPES, "walled")), ruleset, random, MAP, Phase.BARBARIAN)
        is_small = fast.kernel_of(position).phase(fast.to_state(position))["visits"] <= most
        if is_small and (position.ruleset.extensions or position.rebels):
            number -= 1
            yield position


def decided_positions(seed, number, most=150):
    """Positions before a small phase in which players decide."""
    random = Random(seed)
    while number:
        drawn = any_extensions(random.choice(LEVELS), random)
        variants = drawn.variants | {random.choice(("imperium", "barbaria"))}
        ruleset = replace(drawn, variants=variants) if not drawn.interpretations else drawn
        if not ruleset.variants & {"imperium", "barbaria"}:
            continue
        position = with_figures(random.choice((*RECIPES, "walled")), ruleset, random, MAP, Phase.BARBARIAN)
        if fast.kernel_of(position).phase(fast.to_state(position), EAGER)["visits"] <= most:
            number -= 1
            yield position


def leaders(position):
    """Those who fight, as the kernel numbers them."""
    return (*(emperor.id for emperor in position.board.emperors), "dux")


def differences(position, policy=0):
    """The pairs of numbers in which the two engines differ."""
    decide = list(rules.POLICIES.values())[policy]
    board, seen = position.board, events(position, decide=decide)
    found = fast.kernel_of(position).events(fast.to_state(position), MOST_UPRISINGS, policy)
    pairs = [(seen.uprisings[n], found["uprisings"][n]) for n in range(MOST_UPRISINGS + 1)]
    pairs.append((seen.more_uprisings, found["more_uprisings"]))
    pairs += [(seen.arrivals.get(border, 0), found["arrivals"][n]) for n, border in enumerate(board.borders)]
    pairs += [(seen.falls.get(cause, 0), found["falls"][n]) for n, cause in enumerate(CAUSES)]
    pairs += [(seen.removed.get(e.id, 0), found["removed"][n]) for n, e in enumerate(board.emperors)]
    pairs += [(seen.turned.get(place, 0), found["turned"][n]) for n, place in enumerate(board.ids)]
    for name in ("new_revolts", "new_unrest", "garrisons_lost"):
        pairs += [(getattr(seen, name).get(n, 0), chance) for n, chance in enumerate(found[name])]
    battles = {
        (board.ids[army], leaders(position)[leader], outcome): chance
        for (army, leader), chances in found["battles"].items()
        for outcome, chance in zip(fast.OUTCOMES, chances, strict=True)
    }
    pairs += [(seen.battles.get(key, 0), battles.get(key, 0)) for key in battles.keys() | seen.battles.keys()]
    return [(exact, rounded) for exact, rounded in pairs if abs(exact - rounded) > CLOSE]


@pytest.mark.parametrize(("seed", "number"), [("events", 12), pytest.param("more events", 400, marks=pytest.mark.slow)])
def test_both_engines_see_the_same_events(seed, number):
    for position in small_positions(seed, number):
        assert differences(position) == [], position


@pytest.mark.parametrize(("seed", "number"), [("eager", 12), pytest.param("more eager", 100, marks=pytest.mark.slow)])
def test_both_engines_see_the_same_events_under_a_policy(seed, number):
    """Where players decide, with all readings of their discs; some of these phases go another way than where all decline."""
    changed = 0
    for position in decided_positions(seed, number):
        assert differences(position, EAGER) == [], position
        changed += events(position) != events(position, decide=rules.eager)
    assert changed >= number // 6


@pytest.mark.parametrize("number", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_struck_provinces_average_to_the_phase_under_a_policy(number):
    """By the kernel's figures under that policy; where all decline the averages are others."""
    changed = 0
    for position in decided_positions("struck", number, most=100):
        figures = fast.kernel_of(position).phase(fast.to_state(position), EAGER)
        ends = rules.outcomes(position, rules.eager)
        new = sum(ends[end] * len(end.revolts - position.revolts) for end in ends if isinstance(end, Position))
        seen = [row for rows in deadliest(position, decide=rules.eager).values() for row in rows]
        assert float(sum(row.p_lost for row in seen) / 36) == pytest.approx(figures["p_lost"], abs=CLOSE)
        assert sum(row.e_new_revolts for row in seen) / 36 == new
        changed += deadliest(position) != deadliest(position, decide=rules.eager)
    assert changed >= number // 6


def test_the_dice_that_are_rolled_again():
    """With one gray disc an eager player rolls again where nothing would happen; then the phase is that without the disc."""
    position = Position.parse(ROLLED_AGAIN)
    without = rules.figures(position.with_barbarian_discs(0, 0))
    for row in (row for rows in deadliest(position, decide=rules.eager).values() for row in rows):
        protected = position.is_protected(row.province)
        assert row.rolled_again == protected
        if protected:
            assert row.p_lost == without.p_lost
            assert row.e_new_revolts + len(position.revolts) * (1 - row.p_lost) == without.e_revolts
        assert struck(position, row.province, decide=rules.eager) == row


def test_changes_under_a_policy():
    """The figures of each changed position under it are the kernel's."""
    for position in decided_positions("changes under eager", 2, most=40):
        found = marginals(position, gaps=False, decider=by_policy("eager"))
        for change in found.changes:
            table = position.with_disc(change.province, None)
            figures = fast.kernel_of(table).phase(fast.to_state(table), EAGER)
            assert float(change.figures.e_revolts) == pytest.approx(figures["e_revolts"], abs=CLOSE)
            assert float(change.figures.p_uprising) == pytest.approx(figures["p_uprising"], abs=CLOSE)


# -- best play -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [ROLLED_AGAIN, BLOCKED])
@pytest.mark.parametrize("objective", ["e_revolts", "least e_revolts", "p_uprising"])
def test_events_under_best_play(text, objective):
    """They add up to the figures under best play, and to the kernel's value."""
    position = Position.parse(text)
    found, wanted = best_play(position, objective), read_wanted(objective, position.board)
    seen = events(position, decide=by_best_play(wanted)(position))
    figures = found.figures
    assert 1 - seen.uprisings[0] == figures.p_uprising
    assert sum(seen.falls.values()) == figures.p_lost
    assert sum(seen.arrivals.values()) == figures.p_new_army
    assert sum(seen.new_revolts.values()) == 1 - figures.p_lost
    assert sum(number * chance for number, chance in seen.new_revolts.items()) == sum(seen.turned.values())
    aimed_at = 1 - seen.uprisings[0] if wanted.what == "p_uprising" else figures.e_revolts
    assert float(aimed_at) == pytest.approx(by_kernel(position, wanted)["value"], abs=1e-8)
    assert any(seen.battles.values()) == bool(position.armies)


@pytest.mark.parametrize("objective", ["e_revolts", "least e_revolts"])
def test_struck_provinces_under_best_play(objective):
    """What the kernel finds for each province that the dice name, rolled again where that is better."""
    position = Position.parse(ROLLED_AGAIN)
    wanted = read_wanted(objective, position.board)
    found, better = by_kernel(position, wanted), max if wanted.barbarian_most else min
    seen = deadliest(position, decide=by_best_play(wanted)(position))
    for row in (row for rows in seen.values() for row in rows):
        stands = found["activity"][position.board.order[row.province]]
        value = float(row.e_new_revolts + len(position.revolts) * (1 - row.p_lost))
        assert value == pytest.approx(better(stands, found["again"]), abs=1e-8)
        if abs(stands - found["again"]) > 1e-8:
            assert row.rolled_again == (better(stands, found["again"]) != stands)


def test_changes_under_best_play():
    """Each changed position is solved for itself."""
    position = Position.parse(ROLLED_AGAIN)
    wanted = read_wanted("e_revolts", position.board)
    found = marginals(position, gaps=False, decider=by_best_play(wanted))
    assert found.before == best_play(position, "e_revolts").figures
    for change in found.changes:
        table = position.with_disc(change.province, None)
        assert float(change.figures.e_revolts) == pytest.approx(by_kernel(table, wanted)["value"], abs=1e-8)


def by_kernel(position, wanted):
    """Best play of each player by the kernel."""
    aims = (1 if most else -1 for most in (wanted.barbarian_most, wanted.rome_most))
    return whole.best_phase(fast.kernel_of(position), fast.to_state(position), wanted.what, *aims)


@pytest.mark.parametrize("view", VIEWS)
def test_details_of_a_phase_that_is_too_large_are_refused(view):
    wanted = read_wanted("p_lost", MAP)
    decider = of_details(view, by_best_play(wanted, most_states=10))
    with pytest.raises(TooLargeError, match=f"the details by {view} under best play: .* under decline or eager"):
        VIEWS[view](Position.parse(ROLLED_AGAIN), None, decider)


@pytest.mark.parametrize("number", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_each_change_is_another_phase(number):
    for position in small_positions("changes", number, most=50):
        found = marginals(position, gaps=False)
        assert found.before == rules.figures(position)
        for change in found.changes:
            assert change.figures == rules.figures(position.with_disc(change.province, None))
        assert all(cut.left <= cut.support for cut in cuts(position))


def test_struck_provinces_average_to_the_phase():
    for position in small_positions("struck", 3, most=50):
        figures, ends = rules.figures(position), rules.outcomes(position)
        new = sum(
            chance * len(end.revolts - position.revolts) for end, chance in ends.items() if isinstance(end, Position)
        )
        seen = [row for rows in deadliest(position).values() for row in rows]
        assert len(seen) == 36
        assert sum(row.p_lost for row in seen) / 36 == figures.p_lost
        assert sum(row.e_new_revolts for row in seen) / 36 == new
