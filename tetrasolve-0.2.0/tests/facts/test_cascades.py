"""Cascades: other methods to the numbers, random positions against the bounds, and certificates changed in one place."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, islice, product
from math import comb
from random import Random

import checker  # puts the modules of the checker within reach
import opening as checkers_opening
import pytest
from board import read_board
from phases import phases
from scatter import RECIPES, scattered
from tampered import certificates, claiming, confirmed, count_again, other_lines, other_numbers, values_in

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades import TOPICS, growth, openings
from tetrasolve.tetrarchia.facts.cascades.uprisings import nameable, position_of
from tetrasolve.tetrarchia.facts.changes import neighbourhood
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import GivenDice, RandomDice, RolledSetUp
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

BOARD = Board.standard()
BY_ID = {kind.id: kind for kind in TOPICS}
FEW = {"growth"}  # kinds of which a certificate takes long to check
MEASURED = 1_000  # set-ups
FEWER = 250


def values(kind: str, instance: str = "") -> Values:
    return BY_ID[kind].derive(BOARD)[instance]


# -- uprisings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", nameable(BOARD))
def test_an_uprising_on_quiet_ground_is_so_many_coins(place: str) -> None:
    roman = [link for other, link in BOARD.neighbours(place).items() if not BOARD[other].is_border]
    broken = sum(link.broken for link in roman)
    normal = len(roman) - broken

    found = values("uprising", f"in-{place}")

    assert (found["min"], found["max"]) == (normal, normal + broken)
    assert found["mean"] == normal + Fraction(broken, 2)
    for well in range(broken + 1):
        assert found[f"chance.{normal + well}"] == Fraction(comb(broken, well), 2**broken)


def test_the_deadliest_of_the_empire_is_the_deadliest_of_a_region() -> None:
    regions = [values("uprising", f"deadliest-region-{region}") for region in FACES]

    for word in ("mean", "max"):
        most = max(region[word] for region in regions)  # type: ignore[type-var]  # numbers all
        assert values("uprising", "deadliest-empire")[word] == most
        tied = {place for region in regions if region[word] == most for place in region[f"by-{word}"]}  # type: ignore[union-attr]  # rows
        assert set(values("uprising", "deadliest-empire")[f"by-{word}"]) == tied  # type: ignore[arg-type]  # a row


def test_the_chance_of_an_uprising_is_counted_in_revolts_that_dice_name() -> None:
    random = Random("chances")
    roman = [place for place in BOARD.ids if not BOARD[place].is_border]
    for _ in range(60):
        revolts = random.sample(roman, random.randint(0, REVOLTS))
        chance = rules.uprising_chance(position_of(BOARD, dict.fromkeys(revolts, REVOLT_DISC)))
        assert chance == Fraction(len(set(revolts) & set(nameable(BOARD))), 36)


def test_the_first_phase_of_a_set_up() -> None:
    """Set-ups drawn at random lie between the extremes, and the kernel's mean over many is near the mean."""
    opening = values("opening", "00")
    random = Random("openings")
    total = Fraction(0)
    for _ in range(MEASURED):
        chosen = [BOARD.at(region, random.choice(FACES[1:])) for region in FACES]
        position = position_of(BOARD, dict.fromkeys(chosen, REVOLT_DISC))
        kernel = fast.kernel_of(position)
        new = Fraction(*kernel.phase_exact(fast.to_state(position))["e_revolts"]) - len(chosen)
        assert opening["min"] <= new <= opening["max"]  # type: ignore[operator]  # numbers
        total += new
    assert abs(total / MEASURED - Fraction(str(opening["mean"]))) < Fraction(
        1, 50
    )  # six times the deviation of such a mean


@pytest.mark.parametrize("added", range(3))
def test_set_ups_by_counting_and_roll_by_roll(added: int) -> None:
    """The library's chance that one province is in revolt and another is not is that of the checker, and of set-ups drawn."""
    theirs = read_board(checker.BOARDS[0])
    pairs = [(a, b) for a in (*nameable(BOARD), "roma") for b in (*nameable(BOARD), "roma") if a != b]
    for pair in pairs:
        if BOARD[pair[0]].number:
            assert openings.alone(BOARD, added, *pair) == checkers_opening.first_alone(theirs, added, pair), pair

    random, drawn = Random(f"set-ups {added}"), Counter[tuple[str, str]]()
    asked = [("gallaecia", "lusitania"), ("tingitana", "gallaecia"), ("gallaecia", "dacia"), ("dacia", "roma")]
    for _ in range(2_000):
        chosen = {BOARD.at(region, random.choice(FACES[1:])) for region in FACES}
        chosen.update(random.sample([place for place in nameable(BOARD) if place not in chosen], added))
        drawn.update(pair for pair in asked if pair[0] in chosen and pair[1] not in chosen)
    for pair in asked:
        assert abs(drawn[pair] / 2_000 - openings.alone(BOARD, added, *pair)) < 0.05, pair  # five deviations


def test_the_first_phase_at_each_level() -> None:
    """The kernel's mean over many set-ups is near the mean."""
    random = Random("levels")
    for level, found in BY_ID["opening"].derive(BOARD).items():
        total = 0.0
        for _ in range(FEWER):
            chosen = [BOARD.at(region, random.choice(FACES[1:])) for region in FACES]
            chosen += random.sample([place for place in nameable(BOARD) if place not in chosen], int(level[0]))
            position = position_of(BOARD, dict.fromkeys(chosen, REVOLT_DISC))
            total += fast.kernel_of(position).phase(fast.to_state(position))["e_revolts"] - len(chosen)
        assert abs(total / FEWER - float(Fraction(str(found["mean"])))) < 0.08  # four deviations of such a mean


def test_a_set_up_is_what_the_rules_call_one() -> None:
    rolled = rules.rolled_set_up(Ruleset.from_text("4200"), "a set-up", (2, 3), BOARD)

    assert isinstance(rolled, RolledSetUp)
    assert sorted(BOARD[place].region for place in rolled.position.revolts) == list(FACES)
    assert all(BOARD[place].number in FACES[1:] for place in rolled.position.revolts)


# -- growth ----------------------------------------------------------------------------------------------------


def most_new(borders: int, revolts: int) -> int | None:
    """The bound on new revolts, or None where the class or the number is not asked for."""
    if borders not in growth.CLASSES:
        return None
    return next((cell.bound for cell in growth.cells(BOARD, borders) if cell.revolts == revolts), None)


def room_left(position: Position, bound: int, phases: int) -> int:
    """By how much the worst of so many rolled phases stays below a bound on new revolts, which none may pass."""
    left = 99
    for seed in range(phases):
        end = rules.sample(position, RandomDice(f"{seed}"))
        if isinstance(end, Position):
            new = len(end.revolts - position.revolts)
            assert new <= bound
            left = min(left, bound - new)
        elif end is rules.Fall.NO_REVOLT_LEFT:
            assert len(position.revolts) + bound > REVOLTS
    return left


def test_no_phase_of_a_random_position_adds_more_than_the_bound() -> None:
    random = Random("growth")
    closest = 99
    for _ in range(400):
        ruleset = random.choice(list(all_levels()))
        recipe = random.choice([name for name in RECIPES if "unrest" not in name])
        position = without_unrest(scattered(recipe, ruleset, random, BOARD, Phase.BARBARIAN))
        borders = sum(not position.is_empty(border) for border in BOARD.borders)
        bound = most_new(borders, len(position.revolts))
        if not position.revolts or bound is None or position.is_won:
            continue
        closest = min(closest, room_left(position, bound, 6))
    assert closest < 6


@pytest.mark.parametrize(("borders", "revolts"), [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (2, 1), (2, 2)])
def test_the_worst_of_all_positions_with_few_revolts(borders: int, revolts: int) -> None:
    """All sets of so few revolts, when all links hold and dice are at their worst."""
    found, worst = values("growth", str(borders)), worst_of_all(borders, revolts)

    assert worst <= most_new(borders, revolts)  # type: ignore[operator]  # a number
    assert found.get(f"max.{revolts}") == worst or (found["falls-with"] == revolts and worst + revolts > REVOLTS)


def worst_of_all(borders: int, revolts: int) -> int:
    """The most new revolts from so many, by trying every choice."""
    roman = [place for place in BOARD.ids if not BOARD[place].is_border]
    around = {p: BOARD.mask(other for other in BOARD.neighbours(p) if not BOARD[other].is_border) for p in roman}
    goes = {place: BOARD[place].arrow for place in BOARD.ids if not BOARD[BOARD[place].arrow or BOARD.roma].is_border}
    goes = {place: BOARD.mask([target]) for place, target in goes.items() if target not in (None, BOARD.roma)}
    border_of = {BOARD[border].region: border for border in BOARD.borders}
    worst = 0
    for chosen in combinations(roman, revolts):
        for regions, first in product(combinations(FACES, borders), (p for p in chosen if BOARD[p].number)):
            able = [p for p in roman if BOARD[p].number and BOARD[p].region in regions]
            now, before = BOARD.mask(chosen) | around[first], 0
            while now != before:
                before = now
                for place in able:
                    now |= around[place] if before & BOARD.mask([place]) else 0
            late = [goes[border] for region, border in border_of.items() if region not in regions and border in goes]
            walls = [border_of[region] for region in regions]
            sources = [place for place in (*walls, *chosen) if place in goes and not goes[place] & now]
            for size in range(3):
                for armies in combinations(sources, size):
                    entered = {goes[army] for army in armies}
                    more = any(target not in entered and not target & now for target in late)
                    worst = max(worst, now.bit_count() + len(entered) + more - revolts)
    return worst


def without_unrest(position: Position) -> Position:
    return position.replace(discs={place: disc for place, disc in position.discs.items() if disc != UNREST_DISC})


def test_bounds_of_growth_are_reached_on_this_board() -> None:
    """Without unrest every bound is reached, and the least number from which the Empire falls is exact."""
    for borders in growth.CLASSES:
        found = values("growth", str(borders))
        falls = int(str(found["falls-with"]))
        assert [path for path in found if path.startswith(("falls-by", "open-from"))] == []
        assert all(f"max.{k}" in found for k in range(1, falls))


def test_more_borders_let_an_uprising_go_on() -> None:
    falls = [int(str(values("growth", str(borders))["falls-with"])) for borders in growth.CLASSES]

    assert falls == sorted(falls, reverse=True) and falls[-1] == 2


def test_with_more_borders_one_revolt_is_enough() -> None:
    """So there are no facts for three borders and more."""
    assert growth.cells(BOARD, len(growth.CLASSES))[0].witness.falls


def test_every_single_revolt_on_a_map_with_empty_borders() -> None:
    """All results of all phases from one revolt and an army on it: none adds more than the bound, one adds as many."""
    most = 0
    for place in nameable(BOARD):
        armies = [place] if BOARD[place].arrow is not None else []
        ends = rules.outcomes(position_of(BOARD, {place: REVOLT_DISC}, armies))
        most = max(most, *(len(end.revolts) - 1 for end in ends if isinstance(end, Position)))

    assert most == values("growth", "0")["max.1"]


# -- chains ----------------------------------------------------------------------------------------------------


def test_no_position_has_longer_chains_than_its_bound() -> None:
    most = Fraction(0)
    for position in phases(40, 600, seed=11):
        borders = sum(not position.is_empty(border) for border in BOARD.borders)
        figures = rules.figures(position)
        assert figures.e_uprisings <= values("chain")[f"borders.{borders}.mean"]  # type: ignore[operator]  # numbers
        most = max(most, figures.e_uprisings)
    assert most > Fraction(1, 2)


# -- marches ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("border", BOARD.borders)
def test_a_march_waits_for_its_broken_links(border: str) -> None:
    found = values("march", border)
    broken, least = int(str(found["broken"])), int(str(found["min"]))

    assert least == BOARD.distance_to_roma[border]
    assert found["mean"] == least + broken
    assert found["soonest"] == Fraction(1, 2**broken)


def test_a_march_replayed() -> None:
    """With dice that let every link hold, an army from each border is in Roma after so many phases, and not before."""
    for border in BOARD.borders:
        position, number = position_of(BOARD, {}, [border]), 0
        while isinstance(position, Position):
            region, face = (BOARD[BOARD.emperors[0].capital].region, BOARD[BOARD.emperors[0].capital].number)
            dice = GivenDice([region, face] + [6] * 9)  # the dice name a capital, where nothing happens
            end = rules.sample(position, dice)
            number += 1
            position = end.replace(phase=Phase.BARBARIAN, ip=0) if isinstance(end, Position) else end  # type: ignore[assignment]  # the fall ends it
        assert position is rules.Fall.ARMY_IN_ROMA and number == values("march", border)["min"]


# -- certificates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in TOPICS if kind.certify is None], ids=lambda kind: kind.id)
def test_facts_counted_again(kind: Topic) -> None:
    count_again(kind)


@pytest.mark.parametrize("kind", [kind for kind in TOPICS if kind.certify is not None], ids=lambda kind: kind.id)
def test_certificates_are_confirmed_and_changed_ones_are_not(kind: Topic) -> None:
    chosen = list(certificates(kind))[: 2 if kind.id in FEW else 6]
    for fact, certificate in chosen:
        assert confirmed(certificate) == (True, confirmed(certificate)[1]), fact
        changes = [
            *other_numbers(certificate, 1 if kind.id in FEW else 10),
            *other_lines(certificate, 1 if kind.id in FEW else 10),
        ]
        for changed in changes:
            good, message = confirmed(changed)
            assert not good or values_in(changed) == values_in(certificate.text()), (fact, message, changed)


def test_a_certificate_stands_for_no_other_fact() -> None:
    (_, one), (_, other) = islice(certificates(BY_ID["growth"]), 2)
    lines = one.text().replace("fact growth/0", "fact growth/1")
    good, _ = confirmed(lines)
    assert not good
    assert not confirmed(claiming(other, values("growth", "2")))[0]


# -- other boards ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_boards_with_a_row_changed() -> None:
    """On each such board every fact is derived, and witnesses replay."""
    for change in neighbourhood(BOARD).changes[::15]:
        other = change.apply(BOARD)
        for kind in TOPICS:
            for instance, found in kind.derive(other).items():
                if kind.certify is not None:
                    kind.certify(other, instance, found)  # replays what it claims
