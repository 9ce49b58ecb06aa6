"""Tempo: the machine against turns of random positions, free tours against ways, games against both sets of rules."""

from __future__ import annotations

from random import Random

import checker
import pytest
from scatter import RECIPES, scattered
from tampered import certificates, claiming, confirmed, lines_of, other_lines, other_numbers, sealed, values_in

from tetrasolve.claims.fact import Topic
from tetrasolve.tetrarchia.action import read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.routes.travel import travel
from tetrasolve.tetrarchia.facts.tempo import TOPICS
from tetrasolve.tetrarchia.facts.tempo.finding import find, kindly
from tetrasolve.tetrarchia.facts.tempo.games import HARSH, KINDEST, Game, games
from tetrasolve.tetrarchia.facts.tempo.most import THINGS, machine
from tetrasolve.tetrarchia.facts.tempo.soonest import harsh_level, is_set_up, is_won, least_turns
from tetrasolve.tetrarchia.facts.tempo.tours import OFF, Tours
from tetrasolve.tetrarchia.plan import Status, plan
from tetrasolve.tetrarchia.plan.campaign import Campaign, read_goal, solve_campaign
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
MOST, SOONEST, HARSH_KIND = TOPICS
GAMES = {level: known[0] for level, known in games(KINDEST).items()}
HARSH_GAMES = {level: known[0] for level, known in games(HARSH).items()}


# -- one turn --------------------------------------------------------------------------------------------------


def test_no_turn_of_a_random_position_does_more_than_the_machine() -> None:
    """What the search of turns can take off the table is within the bound; some turn comes close."""
    random = Random("machine")
    closest = {"revolt": 9, "unrest": 9, "army": 9, "garrison": 9}
    things = {"revolt": "revolts", "unrest": "unrest", "army": "armies", "garrison": "garrisons"}
    for _ in range(60):
        ruleset = Ruleset.from_text(random.choice(("3300", "5312", "4211")))
        position = scattered(random.choice([*RECIPES]), ruleset, random, BOARD)
        if position.is_won:
            continue
        stated = tuple((army, "victory") for army in position.armies)
        for disc, thing in things.items():
            sign = 1 if disc == "garrison" else -1
            attacks = ", ".join(f"{outcome}@{army}" for army, outcome in stated) or "none"
            result = plan(position, f"most value {disc}={sign}", attacks=attacks)
            before = {
                "revolt": len(position.revolts),
                "unrest": len(position.unrest),
                "army": len(position.armies),
                "garrison": sum(len(position.garrisons(emperor.id)) for emperor in BOARD.emperors),
            }[disc]
            assert result.values is not None
            done = abs(int(result.values[0])) - before if disc == "garrison" else before - abs(int(result.values[0]))
            bound = machine(BOARD, thing).bound(max(position.ip, 1))
            assert done <= bound, (str(position), disc)
            closest[disc] = min(closest[disc], bound - done)
    assert set(closest.values()) == {0}


def test_the_machine_does_more_with_more_ip() -> None:
    for thing in THINGS:
        bounds = [machine(BOARD, thing).bound(ip) for ip in range(7)]
        assert bounds == sorted(bounds) and bounds[0] == 0


def test_what_has_been_found() -> None:
    values = MOST.derive(BOARD)

    assert {thing: values[thing]["ip.6"] for thing in values} == {
        "revolts": 3,
        "revolts-subdued": 2,
        "revolts-removed": 2,
        "unrest": 3,
        "discs": 3,
        "garrisons": 3,
        "armies": 3,
        "provinces": 6,
    }


# -- tours -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_free_turn_ends_where_ways_lead(size: int) -> None:
    ways = travel(BOARD)
    tours = Tours(ways, size)
    settings = [name for name, (fleets, sails) in ways.settings.items() if len(fleets) == size and (sails or size == 3)]
    for start in ("roma", "persia", "dacia"):
        row = BOARD.order[start]
        ends = tours.turn(row)
        near = {
            other
            for other in BOARD.ids
            if any((ip := ways.potential(other, name)[row]) is not None and ip <= 6 for name in settings)
        }
        assert {BOARD.ids[place] for place in ends if place != OFF} == near
        secured = set(
            BOARD.unmask(sum({1 << r for sets in ends.values() for done in sets for r in range(48) if done >> r & 1}))
        )
        ips = {border: [ways.potential(border, name)[row] for name in settings] for border in BOARD.borders}
        assert secured == {border for border in ips if any(ip is not None and ip <= 4 for ip in ips[border])}


def test_free_tours_do_more_in_more_turns_and_with_more_fleets() -> None:
    tours = {size: Tours(travel(BOARD), size) for size in (1, 2, 3)}
    done = {size: [max(map(int.bit_count, tours[size].together(turns))) for turns in range(5, 10)] for size in tours}

    for row in done.values():
        assert row == sorted(row) and row[-1] == 6 and row[-2] == 5
    assert all(a <= b <= c for a, b, c in zip(done[1], done[2], done[3], strict=True))
    assert [least_turns(BOARD, size) for size in (1, 2, 3)] == [9, 9, 9]


def test_revolts_off_the_paths_are_tasks_and_others_are_not() -> None:
    tours = Tours(travel(BOARD), 3, ("lusitania", "tingitana"))

    assert BOARD.unmask(tours.all) == tuple(sorted(("lusitania", *BOARD.borders), key=BOARD.order.__getitem__))
    spots = {BOARD.unmask(done) for done in tours.turn(BOARD.order["gallaecia"])[BOARD.order["lusitania"]]}
    assert ("lusitania",) in spots
    gallaecia = tours.turn(BOARD.order["gallaecia"])[BOARD.order["gallaecia"]]
    assert {BOARD.unmask(done) for done in gallaecia} == {("lusitania",)}  # there and back: 1 + 1 + 1 and 1 IP


# -- games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [*(known[0] for known in games(KINDEST).values()), *(HARSH_GAMES[level] for level in ("100", "212", "322"))],
    ids=lambda g: g.position,
)
def test_games_begin_as_their_level_says_and_are_won(game: Game) -> None:
    assert is_set_up(Position.parse(game.position), game.level)
    assert not any(is_set_up(Position.parse(game.position), other) for other in GAMES if other != game.level)
    assert is_won(game, BOARD)


def test_harsh_set_ups_are_harsher_than_the_kindest() -> None:
    soonest, harsh = SOONEST.derive(BOARD)[""], HARSH_KIND.derive(BOARD)

    assert list(harsh) == ["0", "1", "2"]
    for extras, values in harsh.items():
        assert values["turns"] == len(HARSH_GAMES[harsh_level(extras)].turns) == (10 if extras == "0" else 11), extras
    assert {path: value for path, value in soonest.items() if value != 9} == {f"most.12{n}": 10 for n in range(3)}
    assert len(soonest) == 27 + 3


@pytest.mark.slow
def test_the_search_of_campaigns_does_no_better_than_the_harsh_bound() -> None:
    start = Position.parse("3300 D:6 -/-/-/- 123 - gla.lug.nor.ach.asi.num - -/-/-/-")
    result = solve_campaign(Campaign(start, read_goal("victory"), most_turns=9))

    assert result.status is Status.INFEASIBLE_PROVED and least_turns(BOARD, 3, tuple(start.revolts)) == 10


def test_a_game_with_another_step_is_not_won() -> None:
    game = GAMES["300"]
    assert is_won(game, BOARD)
    assert not is_won(game._replace(turns=(*game.turns[:-1], ("move roma",))), BOARD)
    assert not is_won(game._replace(turns=game.turns[:-1]), BOARD)
    assert not is_won(game._replace(turns=(*game.turns, ("secure",))), BOARD)
    assert not is_won(game._replace(turns=((*game.turns[0][:-1], "move persia"), *game.turns[1:])), BOARD)
    assert not is_won(game._replace(turns=(game.turns[0][:1], *game.turns[1:])), BOARD)


def test_a_revolt_can_go_with_the_army_that_stands_on_it() -> None:
    """Dice bring an army to a revolt and let it lose against an Emperor in its way; with other dice the game is not won."""
    for level in ("321", "320"):
        game = GAMES[level]
        assert len(game.dice) == 2 and len(game.turns) == 9 and is_won(game, BOARD)
        assert not is_won(game._replace(dice=()), BOARD)
        assert not is_won(game._replace(dice=game.dice[:1]), BOARD)
        turn, last = game.dice[1]
        lost = last.partition("battle")[0] + "battle 1 6"
        assert not is_won(game._replace(dice=(game.dice[0], (turn, lost))), BOARD)


def test_after_a_border_come_no_revolts_of_its_region() -> None:
    """Roma, Lusitania and Gaetulia: who secures Gaetulia first has not subdued Lusitania after it."""
    tours = Tours(travel(BOARD), 3, ("lusitania",))
    gaetulia, lusitania = (1 << BOARD.order[place] for place in ("gaetulia", "lusitania"))

    assert set(tours._joined(lusitania, gaetulia)) == {lusitania | gaetulia}
    assert set(tours._joined(gaetulia, lusitania)) == {gaetulia, lusitania}
    assert set(tours._joined(gaetulia | lusitania, lusitania)) == {gaetulia | lusitania}
    assert set(tours._joined(1 << BOARD.order["libya"], lusitania)) == {1 << BOARD.order["libya"] | lusitania}


def test_what_is_enough_for_some_turns_is_enough_for_more() -> None:
    tours = Tours(travel(BOARD), 3, ("gallaecia", "noricum", "achaia"))
    enough = [tours.enough(turns) for turns in range(1, 12)]

    assert enough == sorted(enough) and tours.least_turns(11) == enough.index(True) + 1
    known = least_turns(BOARD, 3, ("gallaecia", "noricum", "achaia"), 11)
    assert known == least_turns(BOARD, 3, ("gallaecia", "noricum", "achaia")) == enough.index(True) + 1


def test_such_a_game_can_be_found() -> None:
    """The search that found the games finds the first one again from its seed."""
    found = find("301", [69], 9)

    assert found is not None and is_won(found, BOARD) and len(found.turns) == 9
    assert found.level == "301" and find("300", [2], 9) is None


def test_kind_dice_do_not_make_every_plan_a_game() -> None:
    """An Emperor who is removed before his next turn cannot continue as if nothing had happened."""
    game = GAMES["300"]
    plans = [[action for step in steps for action in read_action(step, BOARD)] for steps in game.turns]
    plans[0], plans[4] = plans[0][:2], [*plans[0][2:], *plans[4]]

    assert kindly(Position.parse(game.position), plans, ()) is None


# -- certificates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [MOST, SOONEST, pytest.param(HARSH_KIND, marks=pytest.mark.slow)], ids=lambda kind: kind.id
)
def test_certificates_are_confirmed_and_others_are_not(kind: Topic) -> None:
    for fact, certificate in certificates(kind, ["armies", "provinces", "", "0", "2"]):
        assert confirmed(certificate) == (True, confirmed(certificate)[1]), fact
        for text in [*other_numbers(certificate, 6), *other_lines(certificate, 4)]:
            assert not confirmed(text)[0] or values_in(text) == values_in(certificate.text()), (fact, text[-2000:])


@pytest.mark.slow
@pytest.mark.parametrize("kind", TOPICS, ids=lambda kind: kind.id)
def test_all_certificates_are_confirmed(kind: Topic) -> None:
    for fact, certificate in certificates(kind):
        assert confirmed(certificate)[0], fact


@pytest.mark.parametrize(
    ("fact", "old", "new"),
    [
        ("victory-soonest", "fact victory-soonest", "fact victory-soonest/300"),
        ("victory-harsh/0", "fact victory-harsh/0", "fact victory-harsh/1"),
        ("victory-harsh/0", "fact victory-harsh/0", "fact victory-harsh/3"),
        ("turn-most/armies", "fact turn-most/armies", "fact turn-most/unrest"),
        ("turn-most/armies", "fact turn-most/armies", "fact turn-most/borders"),
    ],
)
def test_no_certificate_stands_for_another_fact(fact: str, old: str, new: str) -> None:
    kind = next(kind for kind in TOPICS if fact.partition("/")[0] == kind.id)
    _, certificate = next(certificates(kind, [fact.partition("/")[2]]))
    lines = lines_of(certificate)
    assert old in lines

    assert checker.verdict(sealed([new if line == old else line for line in lines]))[0] == checker.REFUTED


def test_a_bound_without_a_game_proves_the_bound_alone() -> None:
    _, certificate = next(certificates(SOONEST, [""]))
    lines = lines_of(certificate)
    start, after = lines.index("start-300 1"), lines.index("start-301 1")
    bare = [*lines[:start], "start-300 0", "dice-300 0", "turns-300 0", *lines[after:]]

    assert checker.verdict(sealed(bare))[0] == checker.REFUTED
    values = sorted(
        {*lines[lines.index("values 30") + 1 : lines.index("start-100 1")]} - {"turns.300 9"}
        | {"least.300 9", "most.300 unknown"}
    )
    bare[lines.index("values 30") : lines.index("start-100 1")] = [f"values {len(values)}", *values]
    assert checker.verdict(sealed(bare))[0] == checker.CONFIRMED


def test_a_game_claimed_to_be_shorter_is_refuted() -> None:
    _, certificate = next(certificates(HARSH_KIND, ["0"]))
    revolts = HARSH_KIND.derive(BOARD)["0"]["revolts"]

    assert checker.verdict(claiming(certificate, {"revolts": revolts, "turns": 9}))[0] == checker.REFUTED
