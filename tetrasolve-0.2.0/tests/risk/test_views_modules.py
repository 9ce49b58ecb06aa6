"""What `risk --by` shows, with modules, variants and rebels: the reference rules against the kernel, and by a second way."""

from random import Random

import pytest
from scatter import RECIPES
from scattermodules import any_extensions, with_figures
from tabletop import MAP

from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.phase.events import MOST_UPRISINGS, events
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.risk.causes import CAUSES
from tetrasolve.tetrarchia.risk.why import cuts, deadliest, marginals
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
CLOSE = 1e-11


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


def leaders(position):
    """Those who fight, as the kernel numbers them."""
    return (*(emperor.id for emperor in position.board.emperors), "dux")


@pytest.mark.parametrize(("seed", "number"), [("events", 12), pytest.param("more events", 400, marks=pytest.mark.slow)])
def test_both_engines_see_the_same_events(seed, number):
    for position in small_positions(seed, number):
        board, seen = position.board, events(position)
        found = fast.kernel_of(position).events(fast.to_state(position), MOST_UPRISINGS)
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
        assert all(abs(exact - rounded) <= CLOSE for exact, rounded in pairs), position


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
