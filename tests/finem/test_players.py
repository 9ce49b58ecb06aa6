"""Whole games by policies of the kernel: plain greedy as written in Python, choices as found by looking at all of them."""

import struct
import threading
import time
from random import Random
from statistics import mean, variance

import pytest

from tetrasolve.errors import ArgumentError
from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, option_text, position_of, state_of
from tetrasolve.finem.game import new_game
from tetrasolve.finem.hint.courses import drawn
from tetrasolve.finem.hint.players import EFFORTS, POLICIES, games, player_of
from tetrasolve.finem.hint.weights import MOMENTS, NUMBERS, WeightsError, read_weights, shipped, write_weights
from tetrasolve.finem.kernel import FEATURE_NAMES, KernelError, Networks, Player
from tetrasolve.finem.policies import greedy
from tetrasolve.finem.position import Position, Result, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop, Stopped

RULESETS = [
    "introductory",
    "standard",
    "standard?E-PACIFY=action",
    "expert+corner+sphere+cap3?E-SPHERE=skip",
    "introductory?E-PACIFY=action,E-TRIBUNE=invasion",
    "standard?E-EXCHANGE=may,E-TRIBUNE=either",
    "standard?E-DICTATOR=must,E-EXCHANGE=must",
]
SMALL = (4, 2, 2, 0, 0.1, 4.0)  # the effort of a search in tests


def walk(ruleset, seed, steps=150):
    """Positions of a random game, with what can come at each."""
    random = Random(seed)
    state = new_game(ruleset, seed).start
    for _ in range(steps):
        if isinstance(state, Result):
            return
        node = rules.node(state)
        yield state, node
        state = rules.take(state, random.choice(node.options))


@pytest.mark.parametrize("text", RULESETS)
def test_the_plain_greedy_policy_is_the_one_written_in_python(text):
    ruleset = Ruleset.from_text(text)
    player = player_of(ruleset)
    seen = set()
    for seed in range(25):
        for position, node in walk(ruleset, seed):
            if not node.is_chance:
                (option,) = player.choose(state_of(position), "discs")
                assert option_text(option) == greedy(position, node), str(position)
                seen.add(position.step)
    assert {Step.ACT, Step.TRAVEL, Step.RESIST} <= seen


@pytest.mark.parametrize("games", [20, pytest.param(80, marks=pytest.mark.slow)])
@pytest.mark.parametrize("text", RULESETS)
def test_the_cards_that_lose_are_those_of_the_reference_rules(text, games):
    """At an invasion of plain cards."""
    ruleset = Ruleset.from_text(text)
    player = player_of(ruleset)
    at = FEATURE_NAMES.index("losing cards 0")
    breaking = FEATURE_NAMES.index("outbreak cards 0")
    seen = 0
    for seed in range(games):
        for position, node in walk(ruleset, seed, 400):
            if position.step is not Step.INVADE or position.role == "tribune":
                continue
            outcomes = [(card, rules.take(position, card)) for card in node.options if card != position.protected]
            losing = sum(isinstance(state, Result) for _, state in outcomes)
            grown = [state.outbreaks - position.outbreaks for _, state in outcomes if isinstance(state, Position)]
            row = player.features(state_of(position))
            assert (2 * row[at], row[breaking]) == (losing, sum(map(bool, grown))), str(position)
            assert row[breaking + 1] == sum(grown)
            seen += losing > 0
    assert seen > 5


def sequences(kernel, state):
    """All ends of the actions, by brute force; without the Dictator's ride."""
    if state.result or state.step > 2:
        return {state}
    found = set()
    for option in kernel.options(state):
        if option >> 12 != 4:
            found |= sequences(kernel, kernel.take(state, option))
    return found


@pytest.mark.parametrize("text", RULESETS[:4])
def test_the_best_end_is_the_best_of_all(text):
    ruleset = Ruleset.from_text(text)
    player, kernel = player_of(ruleset), engine_of(ruleset)
    looked_at = 0
    for seed in range(12):
        for position, _ in walk(ruleset, seed):
            if position.step is not Step.ACT or position.role == "dictator":
                continue
            state = state_of(position)
            ends = sequences(kernel, state)
            found = player.ends(state)
            assert len(found) == min(64, len(ends))
            assert [value for _, _, value in found] == sorted(map(player.value, ends), reverse=True)[: len(found)]
            for options, after, value in found:
                there = state
                for option in options:
                    there = kernel.take(there, option)
                assert (there, player.value(there)) == (after, value)
            looked_at += 1
    assert looked_at > 30


def test_a_ride_is_worth_the_mean_over_its_cards():
    """Each card with the best that can follow it but another ride."""
    ruleset = Ruleset("standard")
    player, kernel = player_of(ruleset), engine_of(ruleset)
    position = new_game(ruleset, 5).start.replace(role="dictator", left=2)
    state = state_of(position)
    rides = [one for one in player.ends(state) if option_text(one[0][0]) == "ride"]
    (after,) = {after for _, after, _ in rides}
    total = 0.0
    for card in kernel.options(after):
        seen = kernel.take(after, card)
        ends = set()
        for option in kernel.options(seen):
            ends |= sequences(kernel, kernel.take(seen, option))
        total += max(map(player.value, ends))
    assert rides[0][2] == pytest.approx(total / 24, abs=0.02)  # the kernel leaves out that the card is out


def test_a_decision_takes_the_best_value_after_it():
    """Also where the Tribune waits for the card that he draws."""
    ruleset = Ruleset("standard")
    player, kernel = player_of(ruleset), engine_of(ruleset)
    seen = set()
    for seed in range(60):
        for position, node in walk(ruleset, seed):
            if node.is_chance or position.step in (Step.ACT, Step.RIDE):
                continue
            state = state_of(position)
            values = {}
            for option in kernel.options(state):
                after = kernel.take(state, option)
                if not after.result and draws_next(after, position):
                    cards = [player.value(kernel.take(after, card)) for card in kernel.options(after)]
                    values[option] = sum(cards) / len(cards)
                else:
                    values[option] = player.value(after)
            (chosen,) = player.choose(state, "value")
            assert values[chosen] == pytest.approx(max(values.values()), abs=1e-12), str(position)
            seen.add(position.step)
    assert {Step.EXCHANGE, Step.DISCARD, Step.RAISE, Step.PROTECT, Step.APPOINT} <= seen


def draws_next(state, position):
    return position.step is Step.EXCHANGE and position_of(position.ruleset, state).step is Step.DRAW


@pytest.mark.parametrize("policy", POLICIES)
def test_games_do_not_depend_on_how_they_are_divided(policy, monkeypatch):
    small = {name: type(one)(3, 2, 1, 0, 0.1, 4.0) for name, one in EFFORTS.items()}
    monkeypatch.setattr("tetrasolve.finem.hint.players.EFFORTS", small)
    ruleset = Ruleset("standard")
    whole = games(ruleset, policy, 3, 0, 6)
    assert whole == [*games(ruleset, policy, 3, 0, 2), *games(ruleset, policy, 3, 2, 4)]
    assert all(end and 1 <= turns <= 60 for end, turns in whole)
    assert whole != games(ruleset, policy, 4, 0, 6)


def test_policies_meet_the_same_set_ups_and_the_better_ones_win_more():
    ruleset = Ruleset("standard")
    rate = {policy: sum(end == "won" for end, _ in games(ruleset, policy, 1, 0, 400)) for policy in list(POLICIES)[:3]}
    assert rate["random"] < 20 < rate["discs"] < rate["greedy"]


def test_the_first_turn_is_won_where_pacifying_is_free():
    assert set(games(Ruleset.from_text("standard?E-PACIFY=free"), "greedy", 1, 0, 20)) == {("won", 1)}


def test_every_ruleset_can_be_played():
    """All levels, options and readings, to the end."""
    for number in range(120):
        ruleset = drawn(5, number).dealt(rules.seeded(number))
        player = player_of(ruleset)
        for policy in ("random", "discs", "value"):
            ((end, _),) = player.games(policy, 2, number, 1)
            assert end, (str(ruleset), policy)
        ((end, _),) = player.games("search", 2, number, 1, effort=SMALL)
        assert end, str(ruleset)


def test_players_in_threads_play_the_same_games():
    found = {}
    ruleset = Ruleset("introductory")

    def play(number):
        found[number] = games(ruleset, "greedy", 9, 0, 20)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(one == found[0] for one in found.values())


def test_a_stopped_player_returns_what_it_has():
    player = player_of(Ruleset("standard"))
    stop = Stop(seconds=0.2)
    with pytest.raises(Stopped) as stopped:
        player.games("search", 1, 0, 10**6, effort=(64, 64, 6, 3, 1, 0), stop=stop)
    assert stopped.value.reason == "deadline"
    assert player.games("discs", 1, 0, 2) == player.games("discs", 1, 0, 2)
    set_before = Stop()
    set_before.set()
    with pytest.raises(Stopped) as stopped:
        player.play_out(state_of(new_game(Ruleset("standard"), 1).start), 1, 0, 10**6, 200, stop=set_before)
    assert isinstance(stopped.value.partial, list)


def test_a_player_serves_one_call_at_a_time():
    player = player_of(Ruleset("standard"))
    stop = Stop()
    caught = []

    def play():
        with pytest.raises(Stopped):
            player.games("value", 1, 0, 10**7, stop=stop)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        while not caught and thread.is_alive():
            try:
                player.games("discs", 1, 0, 1)
                time.sleep(0.001)
            except KernelError as error:
                caught.append(str(error))
    finally:
        stop.set()
        thread.join()
    assert caught == ["player: in use by another thread; give each thread one of its own"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p, _: p.games("best", 1, 0, 1), "policy: expected one of"),
        (lambda p, _: p.games("value", 1, -1, 1), "first: expected"),
        (lambda p, _: p.games("search", 1, 0, 1, effort=(1, 2)), "effort: expected 6"),
        (lambda p, _: p.games("search", 1, 0, 1, effort=(1, 2, 1, 0, 2.0, 0)), "margin"),
        (lambda p, _: p.games("search", 1, 0, 1, effort=(0, 2, 1, 0, 1.0, 0)), "candidates"),
        (lambda p, _: p.lessons("search", 1, 0, 1), "no lessons"),
        (lambda p, s: p.ends(s, 0), "most: expected"),
        (lambda p, s: p.ends(engine_of(Ruleset("standard")).take(s, 6 << 12)), "nothing is decided"),
        (lambda *_: Networks(b"", b"", b""), "turn: expected"),
    ],
    ids=["policy", "first", "effort", "margin", "candidates", "lessons", "most", "chance", "size"],
)
def test_what_a_player_cannot_take_is_refused(call, words):
    player = player_of(Ruleset("standard"))
    with pytest.raises(KernelError, match=words):
        call(player, state_of(new_game(Ruleset("standard"), 1).start))


def test_an_unknown_policy_is_refused():
    with pytest.raises(ArgumentError, match="one of random, discs"):
        games(Ruleset("standard"), "best", 1, 0, 1)


def test_weights_are_read_as_they_were_written():
    weights = shipped()
    assert read_weights(write_weights(weights)) == weights
    assert len(weights.parts) == len(MOMENTS)
    assert all(len(struct.unpack(f"<{NUMBERS}f", part)) == NUMBERS for part in weights.parts)
    assert "done" not in weights.made
    assert weights.made["command"].startswith("python -m tetrasolve.finem.hint.learn ")


@pytest.mark.parametrize(
    "change",
    [lambda t: t[:200], lambda _: "{}", lambda t: t.replace("105", "104", 1), lambda _: ""],
    ids=["cut", "empty object", "other features", "empty"],
)
def test_another_text_is_no_file_of_weights(change):
    with pytest.raises(WeightsError, match="expected"):
        read_weights(change(write_weights(shipped())))


def test_the_search_plays_its_choice_out():
    """What its best candidates lead to, is what `play_out` says of them."""
    ruleset = Ruleset("standard")
    player = player_of(ruleset)
    state = state_of(new_game(ruleset, 3).start)
    (first, *_), *_ = player.ends(state, 1)
    assert player.choose(state, "search", effort=(1, 1, 1, 0, 1, 0)) == first
    values = player.play_out(player.ends(state, 1)[0][1], 5, 0, 50, 0)
    assert values == player.play_out(player.ends(state, 1)[0][1], 5, 0, 50, 0)
    assert values[10:20] == player.play_out(player.ends(state, 1)[0][1], 5, 10, 10, 0)
    assert len(set(values)) > 10
    assert all(0 <= value <= 1 for value in values)
    assert set(player.play_out(player.ends(state, 1)[0][1], 5, 0, 20, 200)) <= {0.0, 1.0}


def test_spread_lucks_have_each_card_once_and_each_role_four_times():
    """At the last card of an invasion, before the Emperor names a role or before one is drawn."""
    ruleset = Ruleset("standard")
    player, kernel = player_of(ruleset), engine_of(ruleset)
    seen = set()
    for seed in range(25):
        for position, _ in walk(ruleset, seed):
            if (
                position.step is not Step.INVADE
                or position.left != 1
                or position.role == "tribune"
                or position.protected
            ):
                continue
            state = state_of(position.replace(out=frozenset()))
            values = player.play_out(state, seed, 48, 24, 0, spread=True)
            if position.role == "emperor":
                cards = [player.play_out(kernel.take(state, card), 1, 0, 1, 0)[0] for card in kernel.options(state)]
                assert sorted(values) == sorted(cards), str(position)
            elif (after := kernel.take(state, kernel.options(state)[0])) and not after.result:
                roles = player.play_out(after, seed, 48, 24, 0, spread=True)
                each = [player.play_out(kernel.take(after, role), 1, 0, 1, 0)[0] for role in kernel.options(after)]
                assert sorted(roles) == sorted(4 * each), str(position)
            seen.add(position.role == "emperor")
    assert seen == {True, False}


def test_spread_lucks_tell_two_ends_apart_with_less_than_half_of_the_variance():
    ruleset = Ruleset("standard")
    player = player_of(ruleset)
    spread, plain = 0.0, 0.0
    for seed in range(6):
        (_, one, _), *_, (_, other, _) = player.ends(state_of(new_game(ruleset, seed).start))
        spread += variance([difference(player, one, other, block, spread=True) for block in range(16)])
        plain += variance([difference(player, one, other, block, spread=False) for block in range(16)])
    assert spread < plain / 2


def difference(player, one, other, block, *, spread):
    """Of the mean values of two states with the same 24 lucks."""
    first, second = (player.play_out(state, 7, 24 * block, 24, 0, spread=spread) for state in (one, other))
    return mean(first) - mean(second)


def test_the_search_names_the_role_whose_best_actions_are_worth_most():
    """Nothing is drawn before them, so one continuation of each role is exact."""
    ruleset = Ruleset("standard")
    player, kernel = player_of(ruleset), engine_of(ruleset)
    seen = 0
    for seed in range(30):
        for position, _ in walk(ruleset, seed):
            if position.step is Step.APPOINT:
                state = state_of(position)
                roles = {
                    role: player.play_out(kernel.take(state, role), 1, 0, 1, 0)[0] for role in kernel.options(state)
                }
                (chosen,) = player.choose(state, "search", effort=(6, 24, 1, 0, 1, 0))
                assert roles[chosen] == max(roles.values()), str(position)
                seen += 1
    assert seen > 5


def test_a_player_outlives_its_kernel_and_networks():
    player = Player(engine_of(Ruleset("introductory")), shipped().networks())
    engine_of.cache_clear()
    assert player.games("value", 1, 0, 3) == games(Ruleset("introductory"), "greedy", 1, 0, 3)
