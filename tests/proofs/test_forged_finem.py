"""False claims about the second game, made by hand, as a clever forger would make them: the checker confirms none.

Digests and counts of lines are computed again, since they are no obstacle for a forger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import checker
import pytest
from finem import facts as checker_facts
from finem import map as checker_map
from tampered import sealed

from tetrasolve.certify.form import load
from tetrasolve.finem.facts.families import CLAIMS
from tetrasolve.finem.facts.subject import read_subject, standard_index

MAP = checker_map.read_map(next(path for path in checker.BOARDS if checker_map.is_map(path)))
INDEX = standard_index()


def counted(fact: str, **changes: str) -> tuple[int, str]:
    """What the checker says of a fact without a certificate, with some values changed (empty: left out)."""
    values = dict(INDEX.by_id[fact].values) if fact in INDEX.by_id else {}
    values |= {path.replace("_", "-").replace("__", "."): value for path, value in changes.items()}
    row = {"id": fact, "form": "recount", "values": {path: value for path, value in values.items() if value}}
    reasons = list(checker._index.check_facts(None, [row], None, lambda name: checker_facts.count_fact(name, MAP)))
    if not reasons:
        return checker.CONFIRMED, ""
    ((_, reason),) = reasons
    return (checker.REFUTED if isinstance(reason, checker._index.Refuted) else checker.UNREADABLE), str(reason)


# The fact, what is claimed instead, and a word of the answer
COUNTED = [
    ("region/flat", {"adjacencies": "29"}, "28"),  # one across a gap of the map
    ("region/gap", {"adjacencies": "38"}, "36"),  # those of the other reading
    ("region/skip", {"min": "4"}, "3"),
    ("region/flat", {"articulation": "c7."}, "no such value|-"),
    ("distance/flat", {"max": "6"}, "7"),
    ("distance/gap", {"diameter": "12"}, "7"),  # that of the printed map
    ("distance/skip", {"in_four": "24"}, "16"),
    ("distance/flat", {"radius": ""}, "missing"),
    ("order/confluence", {"cases": "24"}, "48"),  # half of the orders left out
    ("order/confluence", {"differ": "1"}, "0"),
    ("order/confluence", {"states": "5"}, "6"),  # without protected regions
    ("order/monotone", {"broken": "1"}, "0"),
    ("order/monotone", {"cases": "36"}, "16"),  # pairs of which neither has more
    ("longest/flat", {"regions": "5", "cubes": "12"}, "4|11"),
    ("longest/flat", {"cubes": "10"}, "11"),
    ("longest/skip", {"example": "e5.e7.es.er"}, "o5"),  # a chain of another place in the order
    ("longest/flat", {"example": "o5.o6.o7.oc"}, "o7"),  # a chain of as many regions that requires a cube more
    ("longest/gap", {"cubes_for_one_more": "12"}, "14"),
    ("first-turn/free", {"wins": "127"}, "128"),
    ("first-turn/free", {"actions": "3"}, "4"),  # three pacifications are not enough
    ("first-turn/free", {"cases": "32", "wins": "32"}, "128"),
    ("first-turn/lost", {"lost": "18215"}, "18216"),  # one start that would be safe
    ("first-turn/lost", {"outbreaks": "2"}, "3"),
    ("first-turn/lost", {"turns": "2"}, "1"),
    ("decline-soonest/crisis", {"turns": "3"}, "4"),
    ("decline-soonest/cap3-ten-crisis", {"at": "9"}, "10"),
    ("decline-soonest/stop", {"turns": "6"}, "7"),  # that of the reading two
    ("doom-invasion/3", {"cubes": "48"}, "45"),  # all cubes of all tribes
    ("doom-invasion/12", {"deck": "3.3.3.3"}, "6.6.0.0"),
    ("doom-invasion/6", {"cubes": "35"}, "36"),
    ("doom-crisis/3", {"cubes": "63"}, "21"),  # three cubes in each region
    ("doom-crisis/8", {"cubes": "15"}, "16"),
    ("doom-crisis/3", {"out": "4"}, "3"),
    ("suits", {"suits.4": "1"}, "0"),
    ("suits", {"suits.3": "1296"}, "864"),  # ordered by a suit that is missing
    ("suits", {"hands": "12144"}, "2024"),  # hands in the order drawn
    ("deck", {"most": "14", "left": "10"}, "13|11"),
    ("deck", {"most.tribune": "14"}, "10"),  # he rides and exchanges
    ("deck", {"left": "0"}, "11"),
]
SLOW = [
    ("pacify-action/standard-automatic", {"action": "1"}, "0"),  # anybody at a die of 6
    ("pacify-action/standard-automatic", {"states": "1296"}, "272"),  # all dice, also those above eleven
    ("pacify-action/standard-action", {"at_six": "0"}, "40"),
    ("limit/standard-automatic", {"soonest": "1"}, "2"),
    ("limit/standard-automatic", {"most": "4"}, "3"),
    ("limit/standard-action", {"soonest": "3"}, "2"),
]
MISSING = [
    "region/round",
    "longest/torus",
    "order",
    "doom-invasion/13",
    "doom-crisis/9",
    "deck/all",
    "first-turn/won",
    "map/count",
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("fact", "changes", "answer"), COUNTED, ids=[f"{f} {c}" for f, c, _ in COUNTED])
def test_a_false_value_is_refuted(fact: str, changes: dict[str, str], answer: str) -> None:
    code, reason = counted(fact, **changes)

    assert code == checker.REFUTED
    assert any(word in reason for word in answer.split("|"))


def test_what_is_proved_is_confirmed() -> None:
    for fact in dict.fromkeys(fact for fact, _, _ in COUNTED):
        assert counted(fact)[0] == checker.CONFIRMED


@pytest.mark.slow
@pytest.mark.parametrize(("fact", "changes", "answer"), SLOW, ids=[f"{f} {c}" for f, c, _ in SLOW])
def test_a_false_value_of_all_ways_of_the_dice_is_refuted(fact: str, changes: dict[str, str], answer: str) -> None:
    code, reason = counted(fact, **changes)

    assert (code, answer in reason) == (checker.REFUTED, True)


@pytest.mark.parametrize("fact", MISSING)
def test_a_fact_that_does_not_exist_is_no_fact(fact: str) -> None:
    assert counted(fact, value="1")[0] == checker.UNREADABLE


# -- games --------------------------------------------------------------------------------------------------------------


def lines_of(fact: str) -> list[str]:
    return load(CLAIMS.proofs_folder() / INDEX.by_id[fact].file).split("\n")[:-2]


def replaced(fact: str, old: str, new: str) -> str:
    lines = lines_of(fact)
    assert old in lines, lines
    return sealed([new if line == old else line for line in lines])


def with_game(fact: str, change: Callable[[list[str]], list[str]], **values: str) -> str:
    """The certificate with another game, and other values."""
    lines = lines_of(fact)
    at = next(row for row, line in enumerate(lines) if line.startswith("game "))
    game = change(lines[at + 1 :])
    head = [
        f"{line.split(' ')[0]} {values[line.split(' ')[0]]}" if line.split(" ")[0] in values else line
        for line in lines[:at]
    ]
    return sealed([*head, f"game {len(game)}", *game])


LOSS, WIN = "lose-soonest/standard", "win-soonest/introductory-prefect-turn"
GAMES = {
    "lose-soonest: one card less": lambda: with_game(LOSS, lambda game: game, cards="3"),
    "lose-soonest: the game stops before it is lost": lambda: with_game(LOSS, lambda game: game[:-1], cards="3"),
    "lose-soonest: a loss of another turn": lambda: with_game(LOSS, lambda game: game, turns="0"),
    "lose-soonest: a card that is out is drawn again": lambda: with_game(LOSS, lambda game: [*game[:3], *game[2:]]),
    "lose-soonest: regions twice in the set-up": lambda: with_game(
        LOSS, lambda game: [game[0].replace("B5", "O6"), *game[1:]]
    ),
    "lose-soonest: a game of another level": lambda: with_game(
        LOSS, lambda game: [game[0].replace("standard", "introductory"), *game[1:]]
    ),
    "win-soonest: a turn less": lambda: with_game(WIN, lambda game: game, turns="3"),
    "win-soonest: in the phase before": lambda: with_game(WIN, lambda game: game, phase="actions"),
    "win-soonest: under a reading that wins at once": lambda: with_game(
        WIN,
        lambda game: [
            game[0].replace("E-PREFECT=turn", "E-PACIFY=free"),
            "pacify O",
            "pacify C",
            "pacify E",
            "pacify B",
        ],
        turns="1",
        phase="actions",
    ),
    "win-soonest: a game that is not over": lambda: with_game(WIN, lambda game: game[:-1]),
    "win-soonest: words after the end": lambda: with_game(WIN, lambda game: [*game, "pass"]),
    "win-soonest: an action that is not legal": lambda: with_game(WIN, lambda game: [game[0], "pacify O", *game[1:]]),
    "win-soonest: the game of another fact": lambda: replaced(
        WIN, f"fact {WIN}", "fact win-soonest/standard-prefect-turn"
    ),
    "win-soonest: a longer game, as the fewest": lambda: with_game(
        WIN, lambda game: [*game[:-1], "raise E", "E6", "ES", "prefect", "pass"], turns="5"
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_false_game_is_refuted(name: str) -> None:
    code, message = checker.verdict(GAMES[name]())

    assert code == checker.REFUTED, message


def test_the_games_are_confirmed_as_they_are() -> None:
    for fact in (LOSS, WIN):
        assert checker.verdict(sealed(lines_of(fact)))[0] == checker.CONFIRMED


def test_a_fact_of_one_game_is_none_of_the_other() -> None:
    code, message = checker.verdict(replaced(LOSS, "kind finem-game", "kind growth"))

    assert code == checker.UNREADABLE
    assert "board" in message


def test_each_kind_has_three_false_claims() -> None:
    claims = [*(fact for fact, _, _ in (*COUNTED, *SLOW)), *(name.split(":")[0] for name in GAMES)]
    kinds = Counter(claim.partition("/")[0] for claim in claims)

    assert set(kinds) == set(checker_facts.FORM_OF)
    assert min(kinds.values()) >= 3


def test_the_checker_and_the_library_have_the_same_kinds_and_forms() -> None:
    assert {topic.kind: topic.form for topic in CLAIMS.topics().values()} == checker_facts.FORM_OF


def test_the_checker_reads_the_rows_of_the_library() -> None:
    subject = read_subject()

    assert tuple(MAP.all_rows()) == subject.rows()
    assert MAP.whole_digest() == subject.digest()
