"""The checker has the rules of the Roman phase a third time; here they meet the reference rules."""

from __future__ import annotations

from collections import Counter
from random import Random

import checker  # puts the modules of the checker within reach
import pytest
from board import read_board
from claim import read_position, write_table
from rules import BEATEN, FALLEN, ON, WON, Action, State, Turn
from tabletop import random_game
from text import Unreadable

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.certificate import board_digest, board_rows
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS

BOARD = read_board(checker.BOARDS[0])
ROMAN_READINGS = [
    (name, value)
    for name in (
        "I-ENTRY",
        "I-ENTRY-ROMA",
        "I-ENTRY-SHARED",
        "I-PASS",
        "I-SECURE-OWN",
        "I-SECURE-OTHERS",
        "I-SECURE-ROMA",
        "I-RESERVE",
        "I-REVOLT-GROUP",
        "I-BATTLE-BROKEN",
        "I-ROMA-COVERED",
        "I-BORDER-DEFEAT",
    )
    for value in list(KERNEL_READINGS[name].played)[1:]
]


def written(table: object, place: str | None, ip: int) -> tuple[str, str | None, int]:
    return write_table(table, BOARD), place, ip


def of_reference(position: Position, ip: int) -> tuple[str, str | None, int]:
    return " ".join(str(position).split(" ")[3:]), position.here, ip


def seen_by_checker(turn: Turn, state: State) -> Counter[object]:
    """Every action with its outcome, chance, cost and what it leads to."""
    return Counter(
        (action.name, way.outcome, way.share, way.end, written(way.state.table, way.state.place, way.state.ip))
        for action in turn.actions(state)
        for way in action.ways
    )


def seen_by_reference(position: Position) -> Counter[object]:
    found: Counter[object] = Counter()
    for action in rules.legal_actions(position):
        after = rules.play(position, action)
        left = position.ip - rules.cost(position, action)
        name, outcome, share = str(action), "", 36
        if action.kind is Kind.ATTACK:
            assert action.place is not None and action.outcome is not None
            name, outcome = f"attack {action.place}", str(action.outcome)
            share = rules.battle(position, position.to_move, action.place).chances()[action.outcome]
        if isinstance(after, Fall):
            end, there = FALLEN, of_reference(position, left)
        else:
            end = WON if after.is_won else BEATEN if after.phase is Phase.BARBARIAN else ON
            there = of_reference(after, left)
        found[name, outcome, share, end, there] += 1
    return found


def compare(position: Position) -> Action | None:
    """Both methods agree on everything; returns an action to continue with."""
    checked = read_position(str(position), BOARD)

    assert seen_by_checker(checked.turn, checked.start) == seen_by_reference(position), str(position)
    assert checked.turn.may_stop(checked.start) == rules.may_end(position), str(position)


@pytest.mark.parametrize("seed", range(8))
def test_actions_of_games(seed: int) -> None:
    """In games at random, under readings drawn again for each position."""
    random = Random(f"readings {seed}")
    for position in random_game(f"checker {seed}", 10):
        if position.phase is Phase.ROMAN and not position.is_won:
            chosen = [reading for reading in ROMAN_READINGS if random.random() < 0.4]
            compare(position.replace(ruleset=position.ruleset.with_readings(chosen)))


def scattered(random: Random) -> Position:
    """A table as crowded as tables can be, so that rare rules come up: passing, groups, support, borders, empty reserves."""
    board = Board.standard()
    roman = [place for place in board.ids if not board[place].is_border]
    places = random.sample(roman, len(roman))
    discs = dict.fromkeys(places[: random.choice((8, 21))], "revolt")
    discs |= dict.fromkeys(places[21 : 21 + random.choice((3, 21))], "unrest")
    free = [place for place in board.ids if place not in discs]
    for emperor in board.emperors:
        own = random.sample(free, min(len(free), random.randint(0, 3)))
        discs |= dict.fromkeys(own, emperor.id)
        free = [place for place in free if place not in own]
    # an Emperor, often on a border or beside one, his neighbours, and armies near them
    start = random.choice((random.choice(board.ids), random.choice(board.borders)))
    if random.random() < 0.3:
        start = random.choice(list(board.neighbours(start)))
    if random.random() < 0.3 and list(discs.values()).count("galerius") < 3:
        discs[start] = "galerius"
    near = sorted({start, *board.neighbours(start), *(q for p in board.neighbours(start) for q in board.neighbours(p))})
    armies: list[str] = []
    for place in sorted(random.sample(near, len(near)), key=board.borders.__contains__, reverse=random.random() < 0.5):
        able = place not in discs if board[place].is_border else discs.get(place) == "revolt"
        if able and place in board.distance_to_roma and place != board.roma and len(armies) < 3:
            armies.append(place)
    rest = [place for place in near if place not in armies]
    rest += [place for place in board.ids if place not in near and place not in armies][: max(0, 3 - len(rest))]
    standing = random.sample(rest, 3)
    emperors: dict[str, str | None] = dict(zip([e.id for e in board.emperors], [start, *standing], strict=True))
    if start in armies:
        emperors["diocletian"] = None
    ruleset = f"{random.randint(3, 5)}{random.randint(1, 3)}00"
    readings = [reading for reading in ROMAN_READINGS if random.random() < 0.4]
    base = Position.parse(f"{ruleset} D:6 -/-/-/- - - - - -/-/-/-")
    return base.replace(
        ruleset=base.ruleset.with_readings(readings),
        ip=6 if emperors["diocletian"] is None else random.randint(0, 6),
        emperors=emperors,
        fleets=tuple(random.sample((1, 2, 3), int(ruleset[1]))),
        armies=tuple(armies),
        discs=discs,
    )


@pytest.mark.parametrize("seed", range(4))
def test_actions_on_crowded_tables(seed: int) -> None:
    random = Random(f"crowded {seed}")
    seen: set[str] = set()
    for _ in range(300):
        position = scattered(random)
        if position.status() or position.is_won:
            continue
        compare(position)
        checked = read_position(str(position), BOARD)
        seen |= {
            way.outcome or action.name.split()[0]
            for action in checked.turn.actions(checked.start)
            for way in action.ways
        }

    assert seen >= {"move", "sail", "secure", "remove", "reduce", *map(str, Outcome)}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "value"), ROMAN_READINGS)
def test_every_reading_matters(name: str, value: str) -> None:
    """The tables above tell the two values apart, or else they would prove nothing about it."""
    random = Random("matters")
    for _ in range(2_000):
        position = scattered(random)
        if position.status() or position.is_won:
            continue
        usual = position.replace(ruleset=position.ruleset.with_readings([(name, KERNEL_READINGS[name].default)]))
        other = position.replace(ruleset=position.ruleset.with_readings([(name, value)]))
        a, b = (read_position(str(table), BOARD) for table in (usual, other))
        if seen_by_checker(a.turn, a.start) != seen_by_checker(b.turn, b.start):
            return
        if a.turn.may_stop(a.start) != b.turn.may_stop(b.start):
            return
    pytest.fail(f"no table tells the readings of {name} apart")


def test_both_read_the_same_rows_of_the_board() -> None:
    assert list(BOARD.rows()) == list(board_rows(Board.standard()))
    assert BOARD.digest() == board_digest(Board.standard())


def test_positions_that_cannot_occur_are_refused() -> None:
    """What the checker takes for a position is one for the library too."""
    random = Random("status")
    refused = 0
    for _ in range(400):
        position = scattered(random)
        if random.random() < 0.5:
            board = Board.standard()
            tampered = dict(position.discs)
            tampered[random.choice(board.ids)] = random.choice(("revolt", "unrest", "maximian"))
            position = position.replace(
                discs=tampered, emperors={**position.emperors, "galerius": random.choice((*board.ids, None))}
            )
        try:
            read_position(str(position), BOARD)
        except Unreadable:
            refused += 1
            assert position.status() or position.is_won, str(position)
        else:
            assert not position.status() and not position.is_won, str(position)

    assert 20 < refused < 380
