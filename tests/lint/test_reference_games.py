"""Whole games under values that only the reference rules play: which pairs, the policy, the dice, and the stored games."""

from types import SimpleNamespace

import pytest

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Outcome
from tetrasolve.tetrarchia.hint import byreference
from tetrasolve.tetrarchia.hint.byreference import (
    reference_game,
    reference_policy,
    reference_results,
)
from tetrasolve.tetrarchia.hint.policy import GREEDY, candidates
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.lint.wholegames import (
    BATCH,
    LEVELS,
    WITHOUT_GAMES,
    ReadingGames,
    games_of,
    measured_pairs,
    play_games_of_pairs,
    problems,
    reference_pairs,
    stored_games,
    stored_games_by_reference,
    tables_of,
)
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

FIRST = Pair("I-DIOCLETIAN-WHEN", "any-time", "first")


def positions_of(ruleset, seed):
    """The Roman positions of a game under the default, with another ruleset."""
    plain = Ruleset.from_text(ruleset.partition("?")[0])
    for state in reference_game(plain, seed).states:
        if isinstance(state, Position) and state.phase == "roman" and not state.is_won:
            yield state.replace(ruleset=Ruleset.from_text(ruleset))


def test_every_value_is_measured_by_one_of_the_two_ways_or_is_listed_as_without_games():
    listed = {tuple(name.split("=")) for name in WITHOUT_GAMES}
    assert all(value in READINGS[name].reference for name, value in listed)
    measured = {
        (pair.reading, value)
        for pair in (*measured_pairs(), *reference_pairs())
        for value in pair.values
        if value != READINGS[pair.reading].default
    }
    assert not measured & listed
    assert measured | listed == {
        (reading.name, value) for reading in READINGS.values() for value in reading.options if value != reading.default
    }


def test_a_table_has_what_the_smallest_position_needs():
    for pair in reference_pairs():
        shown = findings().named(pair.id).position
        wanted = {*READINGS[pair.reading].needs} if shown is None else {*Position.parse(shown).ruleset.extensions}
        for level in LEVELS:
            first, second = tables_of(pair, level)
            assert {*first.extensions} == {*second.extensions} == wanted
            assert (first.readings[pair.reading], second.readings[pair.reading]) == pair.values


@pytest.mark.parametrize("ruleset", ["4211?I-ECHO-HOME=other-region", "3122?I-FLEETS=together", "4200+pirates"])
def test_a_game_is_legal_from_end_to_end(ruleset):
    game = reference_game(Ruleset.from_text(ruleset), "0 5")
    again = read_record(write_record(game))
    assert again.result == game.result != "open"
    assert reference_results(ruleset, 0, 5, 1) == ("w" if game.result.startswith("won") else "l")


def test_a_value_that_is_never_asked_for_changes_no_game():
    plain, other = (
        reference_game(Ruleset.from_text(f"5300+roma-aeterna{value}"), "1") for value in ("", "?I-GLORY-RESERVE=falls")
    )
    assert [played.faces for played in plain.played] == [played.faces for played in other.played]


def test_dice_are_by_question_so_that_one_more_changes_no_other():
    one, two = byreference._Dice("s"), byreference._Dice("s")
    two.roll("another question")
    assert [one.roll("a") for _ in range(8)] == [two.roll("a") for _ in range(8)]
    assert len({one.roll("a") for _ in range(40)}) == 6


def test_the_best_plan_that_the_rules_allow_is_played():
    refused = 0
    for position in [*positions_of("4211+imperium?I-DIOCLETIAN-WHEN=first", "0 2")][24:32]:
        best = candidates(byreference._known(position), GREEDY, top=1).best.plan
        chosen = byreference._chosen(position)
        state = position
        for action in chosen.steps:
            state = rules.play(state, action)  # raises where it is illegal
        if not byreference._is_allowed(position, best):
            refused += 1
            assert chosen.steps != best.steps
        else:
            assert chosen.steps == best.steps
    assert refused


def test_where_no_plan_is_allowed_the_turn_ends_by_the_fewest_actions(monkeypatch):
    monkeypatch.setattr(byreference, "_is_allowed", lambda *_: False)
    ways = [byreference._chosen(position).steps for position in positions_of("4211?I-CHECK=each-unrest", "0 1")]
    assert () in ways
    for position, way in zip(positions_of("4211?I-CHECK=each-unrest", "0 1"), ways, strict=True):
        state = position
        for action in way:
            with pytest.raises(IllegalActionError):
                rules.play(state, END)
            state = rules.play(state, action)
        rules.play(state, END)


def test_discs_that_a_plan_names_are_paid_until_the_attack_is_a_victory():
    pay, faces = byreference._paying(("rha", "cis")), (1, 6)
    lost, won = (SimpleNamespace(outcome=outcome) for outcome in (Outcome.DEFEAT, Outcome.VICTORY))
    assert pay(won, faces, ("cis", "rha")) is None
    assert [pay(lost, faces, discs) for discs in (("cis", "rha"), ("rha",), ("cis",), ("cis", "rha"))] == [
        "rha",
        None,
        "cis",
        None,
    ]


def test_games_that_are_known_are_not_played_again():
    calls = []

    def play(ruleset, seed, first, games, stop=None):
        del seed, stop
        calls.append((ruleset, first))
        return "w" * games

    known, _ = play_games_of_pairs([FIRST], play, "p", levels=["4211"], most=2 * BATCH)
    assert len(calls) == 4
    calls.clear()
    found, complete = play_games_of_pairs([FIRST], play, "p", levels=["4211"], most=3 * BATCH, known=known)
    assert complete
    assert {first for _, first in calls} == {2 * BATCH}
    assert {len(letters) for letters in found.series.values()} == {3 * BATCH}
    with pytest.raises(Exception, match="another seed or policy"):
        play_games_of_pairs([FIRST], play, "another", levels=["4211"], known=known)


def test_the_stored_games_are_right():
    stored = stored_games_by_reference()
    assert not [*problems(stored, reference_results, reference_policy(), pairs=reference_pairs())]
    names = [name for name in sorted(stored.series) if "imperium" not in name]
    some = ReadingGames(
        stored.seed, stored.policy, stored.rules, {name: stored.series[name] for name in names[:: len(names) // 6 + 1]}
    )
    assert not [*problems(some, reference_results, reference_policy(), sample=1, pairs=reference_pairs())]
    assert games_of(FIRST) is stored
    assert games_of(Pair("I-ENTRY", "must", "may")) is stored_games()
