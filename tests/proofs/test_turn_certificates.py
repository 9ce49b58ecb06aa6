"""Certificates of turns: what the library proves, a checker with rules of its own confirms."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from random import Random

import checker
import pytest
from tabletop import random_game

from tetrasolve.errors import IllegalPositionError, ObjectiveError
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import plan, read_objective
from tetrasolve.tetrarchia.plan.certificate import attacks_text, certify
from tetrasolve.tetrarchia.plan.objective import natural
from tetrasolve.tetrarchia.plan.task import Stated, read_attacks
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS

FIGHT = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
ROMAN_READINGS = [
    (name, value)
    for name, reading in KERNEL_READINGS.items()
    if not reading.needs and not reading.whole
    for value in list(reading.played)[1:]
]


def proved(position: Position, objective: str, stated: Stated | None = None) -> str:
    """What the checker says of a certificate, which holds what `plan` says."""
    certificate = certify(position, objective, stated)
    code, message = checker.verdict(certificate.text())
    assert code == checker.CONFIRMED, f"{position} {objective} {stated}: {message}"
    wanted = read_objective(objective, position.board)
    found = plan(position, objective, attacks=stated)
    numbers = [Fraction(word) for word in certificate.field("optimum").split()]
    values = numbers[1:] if wanted.constraint else numbers
    assert found.values == tuple(natural(term, n) for term, n in zip(wanted.terms, values, strict=True))
    return message


def objective_at_random(random: Random, board: Board) -> str:
    place, other = random.sample(board.ids, 2)
    first = random.choice(
        (
            f"clear {place}",
            f"reach {place}",
            f"secure {place}",
            f"kill {place} and clear {other}",
            f"most value revolt=-3 unrest=-1 garrison@{place}=5 army=-4 emperor@{other}=2",
            "least ip then most value garrison=1",
        )
    )
    limits = [
        f"end in {place}, {other}",
        f"do not end in {other}",
        f"keep {random.randint(1, 3)} garrisons",
        f"spend at most {random.randint(0, 6)}",
    ]
    subject = " and ".join(sorted(random.sample(limits, random.choice((0, 0, 1, 2))), key=limits.index))
    return f"{first} subject to {subject}" if subject else first


def turns(seed: object, most_ip: int) -> list[Position]:
    """Turns that have begun, of a game at random, with readings at random."""
    random = Random(f"turns {seed}")
    found = []
    for position in random_game(f"certificates {seed}", 12):
        if position.phase is Phase.ROMAN and not position.is_won and position.here is not None:
            readings = [reading for reading in ROMAN_READINGS if random.random() < 0.3]
            found.append(
                position.replace(
                    ip=min(position.ip, random.randint(1, most_ip)),
                    ruleset=position.ruleset.with_readings(readings),
                )
            )
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(6))
def test_turns_of_games(seed: int) -> None:
    random = Random(f"objectives {seed}")
    for position in islice(turns(seed, 3), 0, None, 4):
        stated = tuple((army, random.choice(tuple(Outcome))) for army in sorted(position.armies))
        for attacks in (None, (), stated):
            proved(position, objective_at_random(random, position.board), attacks)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6, 26))
def test_whole_turns_of_games(seed: int) -> None:
    random = Random(f"objectives {seed}")
    for position in islice(turns(seed, 6), 0, None, 5):
        stated = tuple((army, random.choice(tuple(Outcome))) for army in sorted(position.armies))
        for attacks in (None, (), stated):
            proved(position, objective_at_random(random, position.board), attacks)


@pytest.mark.parametrize("reading", [pytest.param("must", marks=pytest.mark.slow), "may"])
def test_an_emperor_who_enters(reading: str) -> None:
    text = f"4100?I-ENTRY={reading}" if reading == "may" else "4100"
    position = Position.parse(f"{text} D:6 -/pin/aqu/gsu 1 - cis.etr.luc.sic.sar.bit.dac - -/-/-/-")
    message = proved(position, "reach thracia then most value emperor@etruria=1")

    assert "enter roma" in message


def test_the_fight() -> None:
    message = proved(example("fight"), "kill narbonensis")

    assert "kill narbonensis: 17/18, least ip: 6" in message
    assert "whatever the dice" in message


def test_a_victory_ends_the_turn() -> None:
    """The sixth border: nothing that follows is listed."""
    position = Position.parse("5200 D:4 min/pin/aqu/gsu 23 - tin - -/gae.bri.gma/-/per.lib")
    message = proved(position, "secure sarmatia", ())

    assert "'move sarmatia; secure': secure sarmatia: 1, least ip: 4" in message


def test_an_empire_that_falls() -> None:
    """With the reading that lets him reduce without unrest: the end is worth nothing, and keeps to no constraint."""
    unrest = "cis.etr.luc.sic.sar.tin.bae.lus.car.gla.tar.bel.gin.gsu.lug.aqu.nar.rha.psu.nor.pin"
    position = Position.parse(f"4200?I-RESERVE=falls D:1 thr/-/-/- 23 - thr {unrest} -/-/-/-")
    message = proved(position, "most value revolt=-7 unrest=-1")
    limited = proved(position, "most value revolt=-7 unrest=-1 subject to spend at most 6")

    assert "'reduce': most value revolt=-7 unrest=-1: 0, least ip: 1" in message
    assert "'end': subject to spend at most 6: kept, most value revolt=-7 unrest=-1: -28" in limited


def test_limits_that_cannot_be_kept() -> None:
    position = Position.parse(FIGHT).replace(ip=3)

    assert "cannot be kept for certain, chance 5/6" in proved(position, "clear roma subject to end in narbonensis")
    assert "cannot be kept for certain, chance 0" in proved(position, "clear roma subject to keep 3 garrisons", ())


@pytest.mark.parametrize("text", ["dice", "none", "draw@rhaetia", "victory@narbonensis, defeat@rhaetia"])
def test_attacks_read_back(text: str) -> None:
    assert attacks_text(read_attacks(text)) == text


def test_what_is_not_covered() -> None:
    for figure in ("p_uprising", "p_lost", "e_revolts"):
        with pytest.raises(ObjectiveError, match=f"least {figure}.* do not cover"):
            certify(example("fight"), f"kill narbonensis then least {figure}")
    with pytest.raises(IllegalPositionError):
        certify(example("ambush"), "reach roma")


def test_another_board(tmp_path: object) -> None:
    """A certificate does not speak of a board with another link, and does of one whose notes differ."""
    text = checker.BOARDS[0].read_text("utf-8")
    row = 'between = ["belgica", "germania_superior"]\nbroken = '
    assert row + "false" in text
    folder = checker.Path(str(tmp_path))
    other, noted = folder / "other.toml", folder / "noted.toml"
    other.write_text(text.replace(row + "false", row + "true"), "utf-8")
    noted.write_text(text.replace("confidence = 0.", "confidence = 0.1") + "\n# a note\n", "utf-8")
    position = Position.parse(FIGHT).replace(ip=2)
    certificate = certify(position, "reach lugdunensis").text()

    assert checker.verdict(certificate, [noted])[0] == checker.CONFIRMED
    code, message = checker.verdict(certificate, [other])
    assert code == checker.UNREADABLE and "line 3: this is not the board in other.toml" in message
    code, message = checker.verdict(certificate, [])
    assert code == checker.UNREADABLE and "no board file" in message
    code, message = checker.verdict(certificate, [folder / "nowhere.toml"])
    assert code == checker.UNREADABLE and "nowhere.toml: cannot be read" in message
    there = certify(position.replace(board=Board.load(other)), "reach lugdunensis").text()
    assert checker.verdict(there, [*checker.BOARDS, other])[0] == checker.CONFIRMED
