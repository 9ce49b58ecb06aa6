"""The harshest set-up: halves against the reference rules, from true set-ups; and that no set-up is left out."""

from __future__ import annotations

from importlib.resources import files
from itertools import product
from random import Random

import checker
import pytest
from tampered import certificates, confirmed, lines_of, other_lines, other_numbers, sealed

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind, Outcome, attack, move, read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.tempo import harshest
from tetrasolve.tetrarchia.facts.tempo.building import Recipe, build, toml
from tetrasolve.tetrarchia.facts.tempo.divisions import (
    FILE,
    Division,
    Part,
    choices,
    game_text,
    halves_of,
    read_game,
    repertoires,
    standing,
    texts,
    turns,
    unanswered,
)
from tetrasolve.tetrarchia.facts.tempo.games import HARSH, games
from tetrasolve.tetrarchia.facts.tempo.halves import GUARDED, NO_GAME, QUIET, Half, PartGame, strength, turn_of
from tetrasolve.tetrarchia.facts.tempo.harshest import best, hardest, set_up
from tetrasolve.tetrarchia.facts.tempo.seeking import Seeker, boxes, mask_of, parts
from tetrasolve.tetrarchia.facts.tempo.soonest import kindest_dice
from tetrasolve.tetrarchia.plan.campaign.dice import Faces, PhaseDice, StatedDice
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.setup import random_set_up
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
(KIND,) = harshest.KINDS
LEVELS = [f"{f}{r}{a}" for f, r, a in product("123", "012", "012")]
NORTH = Half(BOARD, (1, 2), (3, 4, 5), (1, 2, 3), anywhere=False, armed=True)


def revolts(*names: str) -> int:
    return BOARD.mask(names)


# -- two halves are a game -----------------------------------------------------------------------------------------


def fitting(division: Division, level: str, mask: int, most: int) -> list[tuple[Half, PartGame, int]] | None:
    """Games of both halves that begin with these revolts or more, one of them guarded, if the division has such."""
    armed = level[2] != "0"
    found = []
    for half, part in zip(
        halves_of(BOARD, division, anywhere=level[1] != "0", armed=armed), division.halves, strict=True
    ):
        its = [read_game(BOARD, line) for line in texts(part, armed=armed)]
        its = [game for game in its if not mask & half.own & ~game.revolts]
        if not its:
            return None
        found.append(max(((half, game, strength(half, game, most)) for game in its), key=lambda three: three[2]))
    return found if any(its == GUARDED for _, _, its in found) else None


def needed(position: Position, step: Action) -> Action | None:
    """What the Emperor does instead, where less lies on the table than a half supposes; None: nothing."""
    place = position.emperors[position.to_move]
    if step.kind is Kind.ATTACK and step.place not in position.armies:
        assert step.place is not None
        return move(step.place)
    if step.kind is Kind.MOVE and step.place in position.armies:
        return attack(step.place, Outcome.VICTORY)
    gone = step.kind is Kind.REMOVE and place not in {*position.revolts, *position.unrest}
    idle = step.kind is Kind.REDUCE and place not in position.revolts
    return None if gone or idle else step


def dice(position: Position) -> PhaseDice:
    """The kindest dice; an army that meets an Emperor loses."""
    quiet = kindest_dice(position)
    return PhaseDice(activity=quiet.activity, check=quiet.check, battle=Faces((6, 1)))


def turns_taken(start: Position, level: str) -> int:
    """How many turns the game takes that two halves make from this set-up, by the reference rules.

    The halves are those of the level with one fleet and two armies, whatever the level has.
    """
    served = hardest(level[1])
    found = best(BOARD, served)
    assert found is not None
    mask = BOARD.mask(start.revolts)
    pair = next(filter(None, (fitting(division, served, mask, found[0]) for division in found[1].divisions)))
    fleets = max((division.zones for division in found[1].divisions), key=len)
    extra = [zone for zone in range(1, 4) if zone not in pair[0][0].fleets]
    fleets = (*pair[0][0].fleets, *extra)[: int(level[0])]
    state = start.replace(fleets=tuple(sorted(fleets)))
    plans = [list(game.plans) for _, game, _ in pair]
    for turn in range(1, found[0] + 1):
        if turn > 1:
            after = rules.sample(state, StatedDice(dice(state)))
            assert isinstance(after, Position)
            state = after
        (half,) = (number for number, (half, _, _) in enumerate(pair) if turn_of(half, turn) is not None)
        for text in plans[half].pop(0) if plans[half] else ():
            for step in read_action(text, BOARD):
                action = needed(state, step)
                if action is None:
                    continue
                end = rules.play(state, action)
                assert isinstance(end, Position)
                if end.is_won:
                    return turn
                state = end
        ended = rules.play(state, END)
        assert isinstance(ended, Position)
        state = ended
    raise AssertionError("the game is not won")


@pytest.mark.parametrize("level", ["100", "101", "112", "120", "202", "210", "222", "300", "302", "311", "321"])
def test_from_any_set_up_two_halves_make_a_game(level: str) -> None:
    """The reference rules carry out what both halves say, less what is not needed, and it is won in time."""
    (number,) = (value for path, value in KIND.derive(BOARD)[level[1]].items() if path in ("turns", "most"))
    for seed in range(6):
        start = random_set_up(Ruleset.from_text(f"3{level}"), seed)
        assert turns_taken(start, level) <= int(str(number)), str(start)


def test_from_the_worst_set_ups_too() -> None:
    """Revolts on all capitals; an army where it can march; the set-up from which the bound is shown."""
    capitals = ("germania_inferior", "pannonia_inferior", "bithynia")
    for level, places in (("302", (*capitals, "baetica", "africa", "achaia")), ("301", set_up(BOARD, "301"))):
        start = Position.parse(games(HARSH)[level][0].position).replace(
            discs={place: "revolt" for place in places}, armies=("libya", "gaetulia")[: int(level[2])]
        )
        found = best(BOARD, hardest(level[1]))
        assert found is not None and turns_taken(start, level) <= found[0]


# -- what a half may not do ----------------------------------------------------------------------------------------


def test_a_game_of_a_half_and_what_spoils_it() -> None:
    found = Seeker(NORTH, guarded=False).find(revolts("dalmatia", "achaia", "asia"), 10, 12)
    assert found is not None
    assert strength(NORTH, found, 12) == GUARDED  # two capitals lie bare
    *plans, last = found.plans
    assert strength(NORTH, found._replace(plans=tuple(plans)), 12) == NO_GAME
    assert strength(NORTH, found._replace(plans=(*plans, (*last[:-1], "move roma"))), 12) == NO_GAME
    assert strength(NORTH, found._replace(plans=(*plans[:-1], ("remove",), last)), 12) == NO_GAME
    more = found._replace(revolts=found.revolts | revolts("noricum"))
    assert strength(NORTH, more, 12) == NO_GAME
    fewer = found._replace(revolts=0)
    assert (
        strength(NORTH, fewer, 12) == NO_GAME
    )  # a plan is carried out as it stands; what is not there cannot be removed


def test_a_half_stays_in_its_regions_and_in_italia() -> None:
    open_to = set(BOARD.unmask(NORTH.open))

    assert {BOARD[place].region for place in open_to} == {0, 3, 4, 5}
    assert not NORTH.strange & NORTH.own and BOARD.unmask(NORTH.strangers)[:1] == ("aegyptus",)
    for row, ways in enumerate(NORTH.ways):
        for other, (cost, link) in ways.items():
            assert BOARD.ids[other] in open_to and cost in (1, 2) and link in (0, 1, 2)
            assert link == 0 or BOARD.link(BOARD.ids[row], BOARD.ids[other]) is not None


def test_a_phase_is_that_of_the_rules_or_none() -> None:
    """Fire, marches and blocked ways of a half alone, against the rules of the Barbarian phase with kind dice."""
    half = Half(BOARD, (0, 1, 2, 3), (1, 2, 3, 4, 5, 6), (1, 2, 3), anywhere=False, armed=True)
    assert not half.strange and not half.strangers
    random, compared = Random("phases"), 0
    romans = [place for place in BOARD.ids if BOARD[place].number]
    for _ in range(300):
        places = random.sample(romans, 12)
        emperors = random.sample(sorted({*places[8:], "aegyptus", "persia", "gaetulia", "roma"}), 4)
        position = Position.parse("3302 D:6 -/-/-/- 123 - lus.aqu.dal.epi.gat.tri - -/-/-/-").replace(
            emperors={emperor.id: place for emperor, place in zip(BOARD.emperors, emperors, strict=True)},
            discs={place: "revolt" for place in places[:4]} | {place: "unrest" for place in places[4:8]},
            armies=("libya", "britannia"),
        )
        table = half.begin(BOARD.mask(places[:4]))._replace(
            unrest=BOARD.mask(places[4:8]),
            armies=BOARD.mask(position.armies),
            places=tuple(BOARD.order[place] for place in emperors),
        )
        after = half.phase(table)
        if after is None or not half.is_guarded(table):
            continue
        end = rules.play(position, END)
        assert isinstance(end, Position)
        truth = rules.sample(end, StatedDice(dice(end)))
        assert isinstance(truth, Position)
        compared += 1
        assert (after.revolts, after.unrest) == (BOARD.mask(truth.revolts), BOARD.mask(truth.unrest)), str(position)
        assert (
            after.armies == BOARD.mask(truth.armies)
            and [truth.emperors[emperor.id] for emperor in BOARD.emperors] == emperors
        )
    assert compared > 50


# -- all set-ups ---------------------------------------------------------------------------------------------------


def test_all_set_ups_are_asked_for() -> None:
    sizes = [sum(1 for _ in choices(BOARD, 1, size)) for size in (1, 2, 3)]
    assert sizes == [5, 15, 20]

    rows = standing(NORTH, 2, [], [])
    assert [len(row) for row in rows] == [125, 3 * 15 * 25, 3 * 20 * 25 + 3 * 15 * 15 * 5]
    assert {its for row in rows for its in row.values()} == {NO_GAME}


@pytest.mark.parametrize("extras", [0, 1, 2])
def test_every_choice_is_in_the_last_parts_of_a_box(extras: int) -> None:
    wanted = set(standing(NORTH, extras, [], [])[extras])
    waiting, seen = list(boxes(3, extras)), set()
    while waiting:
        box = waiting.pop()
        if box not in seen:
            seen.add(box)
            waiting += parts(box)
    single = {mask_of(BOARD, NORTH.regions, box) for box in seen if not any(True for _ in parts(box))}

    assert wanted <= single and all(mask.bit_count() == 3 + extras for mask in single)


def test_what_no_game_answers_is_told() -> None:
    division = repertoires()[0].divisions[0]
    level = f"1{repertoires()[0].extras}1"
    halves = halves_of(BOARD, division, anywhere=level[1] != "0", armed=True)
    begins = [[read_game(BOARD, line).revolts for line in part.games] for part in division.halves]
    strengths = [[GUARDED] * len(its) for its in begins]

    def left(its: list[list[int]], how: list[list[int]]) -> set[int]:
        rows = [standing(half, int(level[1]), a, b) for half, a, b in zip(halves, its, how, strict=True)]
        return unanswered(list(zip(halves, rows, strict=True)), int(level[1]))

    assert left(begins, strengths) == set()
    assert left(begins, [[QUIET] * len(its) for its in begins])
    without = left([begins[0][1:], begins[1]], [strengths[0][1:], strengths[1]])
    assert all(not setup & halves[0].own & ~begins[0][0] for setup in without)


# -- the search, and the facts -------------------------------------------------------------------------------------


def test_such_games_can_be_found() -> None:
    """For few set-ups the recipe is quick: those of a half with one choice are found, and told as data."""
    half = Half(BOARD, (0, 3), (1, 5, 6), (2,), anywhere=False, armed=True)
    game = Seeker(half, guarded=True).find(revolts("lusitania", "asia", "africa"), 10, 12)

    assert game is not None and strength(half, game, 24) == GUARDED
    assert read_game(BOARD, game_text(BOARD, game)) == game
    assert Seeker(half, guarded=True).find(revolts("lusitania", "asia", "africa"), 10, 5) is None


def test_a_recipe_that_is_not_enough_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="15625 set-ups are left"):
        build(BOARD, Recipe(0, True, (("2", "DM156", "GC234"),), (1,), 2))
    assert "0 games" in capsys.readouterr().err


def test_the_data_are_as_they_are_written() -> None:
    text = "\n".join(line for repertoire in repertoires() for line in toml(repertoire))
    kept = (files("tetrasolve.tetrarchia") / "data" / FILE).read_text("utf-8")

    assert text.split() == [word for line in kept.split("\n") if not line.startswith("#") for word in line.split()]


def test_what_has_been_found() -> None:
    values = KIND.derive(BOARD)

    assert list(values) == ["0", "1", "2"]
    for extras, its in values.items():
        least, most = (its["turns"],) * 2 if "turns" in its else (its["least"], its["most"])
        assert isinstance(least, int) and isinstance(most, int)
        assert least == (10 if extras == "0" else 11) <= most, extras
    assert turns(repertoires()[0], BOARD, 0, armed=True) is not None


def test_certificates_are_confirmed_and_others_are_not() -> None:
    ((_, certificate),) = certificates(KIND, ["0"])
    assert confirmed(certificate)[0]
    values = dict(KIND.derive(BOARD)["0"])
    for text in [*other_numbers(certificate, 6), *other_lines(certificate, 6)]:
        code, said = checker.verdict(text)
        assert code != checker.CONFIRMED or all(f"{path} {value}" in text for path, value in values.items()), said


@pytest.mark.slow
def test_all_certificates_are_confirmed() -> None:
    for fact, certificate in certificates(KIND):
        assert confirmed(certificate)[0], fact


def changed(extras: str, old: str, new: str) -> tuple[int, str]:
    """What the checker says of a certificate in which one line is another."""
    ((_, certificate),) = certificates(KIND, [extras])
    lines = lines_of(certificate)
    rows = [row for row, line in enumerate(lines) if old in line]
    assert rows, old
    lines[rows[0]] = lines[rows[0]].replace(old, new)
    code, said = checker.verdict(sealed(lines))
    return code, said


def test_what_the_checker_does_not_let_pass() -> None:
    code, said = changed("0", "fact victory-harshest/0", "fact victory-harshest/1")
    assert code == checker.REFUTED and "no set-up of the level" in said
    ((_, certificate),) = certificates(KIND, ["0"])
    lines = lines_of(certificate)
    start = next(row for row, line in enumerate(lines) if line.startswith("games "))
    few = [*lines[:start], f"games {len(lines) - start - 2}", *lines[start + 2 :]]
    assert checker.verdict(sealed(few))[0] == checker.REFUTED
    assert changed("0", "enter roma; ", "enter roma; move sicilia; ")[0] == checker.REFUTED
    half = next(line for line in lines if line.startswith("2 ") and "maximian" in line)
    assert changed("0", half, half.replace("maximian", "galerius"))[0] == checker.REFUTED
    assert changed("0", half, half.replace("2 ", "123 ", 1))[0] == checker.REFUTED
    assert changed("0", half, half[:-1] + "5")[0] != checker.CONFIRMED


def test_two_halves_that_are_not_whole_show_nothing() -> None:
    repertoire = next(one for one in repertoires() if one.serves("101"))
    division = repertoire.divisions[0]
    one, other = division.halves
    assert turns(repertoire._replace(divisions=(division,)), BOARD, 0, armed=True) is not None
    wrong = [
        (one, one),
        (one, other._replace(regions=one.regions)),
        (one._replace(games=one.games[1:]), other),
        (one._replace(emperors=other.emperors), other._replace(emperors=one.emperors)),
    ]
    for halves in wrong:
        assert turns(repertoire._replace(divisions=(division._replace(halves=halves),)), BOARD, 0, armed=True) is None
    assert isinstance(one, Part)
