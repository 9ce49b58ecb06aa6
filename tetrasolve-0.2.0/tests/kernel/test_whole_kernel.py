"""The kernel of the whole rulebook: the base game where nothing else is played, and what any game keeps to."""

import pickle
from collections import Counter
from math import sqrt

import pytest

from tetrasolve.tetrarchia import kernel, whole

EVERYTHING = (
    "dux", "vicarius", "pirates", "goths", "mare_nostrum", "via_romana", "usurpator", "roma_aeterna", "imperium", "barbaria",
)  # fmt: skip
OTHER_READINGS = (
    "dux_only", "dux_no_revolt", "pirates_higher", "pirates_discs_only", "goths_block", "goths_lead_only", "via_no_disc",
    "via_border_moves", "shortest_file", "imperium_border", "black_anywhere", "black_first", "black_in_roma",
    "reroll_again",
)  # fmt: skip
BASE_READINGS = {
    "default": (),
    "some": ("pass_single", "one_roll", "fresh_wait", "order_file"),
    "others": (
        "entry_may", "entry_free_only", "reserve_falls", "group_under_army", "battle_unbroken", "border_defeat_removes",
    ),
}  # fmt: skip


# -- the base game ---------------------------------------------------------------------------------------------------


def in_whole(state):
    """The same position for the other kernel, which says who passes through a province."""
    fields = {
        name: getattr(state, name)
        for name in (
            "revolts",
            "unrest",
            "garrisons",
            "armies",
            "emperors",
            "fleets",
            "to_move",
            "ip",
            "phase",
            "result",
        )
    }
    here = state.emperors[state.to_move]
    return whole.State(**fields, passing=int(here != kernel.OFF and state.emperors.count(here) > 1))


def games(engine, module, count, steps, seed):
    """Positions of random games."""
    rng = module.Rng(seed)
    for _ in range(count):
        state = engine.setup(1, 2, 1, rng)
        for _ in range(steps):
            yield state
            state = engine.sample(state, rng) if state.phase == module.BARBARIAN else engine.random_turn(state, rng)
            if state.result != module.OPEN:
                break


@pytest.mark.parametrize("readings", BASE_READINGS)
def test_without_modules_it_is_the_base_game(kit, readings):
    switches = dict.fromkeys(BASE_READINGS[readings], True)
    base, engine = kit.kernel(**switches), kit.whole(**switches)
    met = Counter()
    for number, state in enumerate(games(base, kernel, 8, 60, 7)):
        same = in_whole(state)
        assert bytes(same)[:64] == bytes(state)
        if state.phase == kernel.ROMAN:
            assert engine.legal(same) == base.legal(state)
            assert engine.may_end(same) == base.may_end(state)
            assert engine.perft(same, 3) == engine.perft(same, 3, bulk=False) == base.perft(state, 3)
            if number % 16 == 0:
                assert {in_whole(end) for end in base.end_states(state)} == set(engine.end_states(same))
            for code in base.legal(state):
                assert engine.cost(same, code) == base.cost(state, code)
                assert engine.play(same, code) == in_whole(base.play(state, code))
            met["roman"] += 1
            continue
        figures, others = base.phase(state), engine.phase(same)
        assert others == pytest.approx(figures | {"visits": others["visits"]}, rel=1e-12, abs=1e-14)
        if figures["visits"] < 2_000:
            chances = dict(engine.outcomes(same))
            expected = {in_whole(after): chance for after, chance in base.outcomes(state)}
            assert chances == pytest.approx(expected, rel=1e-12, abs=1e-15)
            assert engine.phase_exact(same) == base.phase_exact(state)
            assert engine.events(same)["uprisings"] == pytest.approx(base.events(state)["uprisings"], abs=1e-14)
            met["barbarian"] += 1
    assert met["roman"] > 150
    assert met["barbarian"] > 15


def test_turns_are_solved_alike(kit, played):
    base, engine = kit.kernel(), kit.whole()
    criteria = [("uprising",), ("ip",)]
    for state in played[:12]:
        one, other = kernel.Turn(base, state), whole.Turn(engine, in_whole(state))
        assert (one.nodes, one.edges, one.ends) == (other.nodes, other.edges, other.ends)
        solved, again = one.solve(criteria), other.solve(criteria)
        assert solved.values == again.values
        assert solved.runner_up == again.runner_up
        assert solved.optimal_ends == again.optimal_ends


# -- everything played -----------------------------------------------------------------------------------------------

FLAVOURS = {"default": {}, "other": dict.fromkeys(OTHER_READINGS, True)}


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_perft_divides_and_counts_as_it_plays(kit, flavour):
    engine = kit.whole(*EVERYTHING, **FLAVOURS[flavour])
    states = [state for state in games(engine, whole, 6, 40, 5) if state.phase == whole.ROMAN]
    assert len(states) > 100
    for state in states:
        count = engine.perft(state, 2)
        assert count == engine.perft(state, 2, bulk=False) == sum(count for _, count in engine.divide(state, 2))
    for state in states[::25]:
        assert engine.perft(state, 3) == engine.perft(state, 3, bulk=False)


def test_states_come_back_from_their_bytes(kit):
    engine = kit.whole(*EVERYTHING)
    for state in games(engine, whole, 4, 60, 6):
        assert whole.State.from_bytes(bytes(state)) == state
        assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301
        assert eval(repr(state), {"State": whole.State}) == state  # noqa: S307
    with pytest.raises(whole.KernelError, match="data"):
        whole.State.from_bytes(bytes(64))
    with pytest.raises(whole.KernelError, match="data: expected the bytes of a state"):
        whole.State.from_bytes(bytes(state)[:72] + b"\1" + bytes(state)[73:])  # an army that waits, as in a phase only
    with pytest.raises(whole.KernelError, match="power: expected an integer from 0 to 1, got 2"):
        whole.State.from_bytes(bytes(state)[:-1] + b"\2")


POLICIES = {"decline": whole.DECLINE, "eager": whole.EAGER}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("flavour", FLAVOURS)
def test_rolled_phases_follow_the_distribution(kit, flavour, policy):
    """Each result lies within six standard deviations; the seeds are fixed, so this holds always or never."""
    engine = kit.whole(*EVERYTHING, **FLAVOURS[flavour])
    rng = whole.Rng(9)
    rolls = 4_000
    phases = 0
    decides = POLICIES[policy]
    for state in games(engine, whole, 30, 80, 8):
        if state.phase != whole.BARBARIAN or engine.phase(state, decides)["outcomes"] > 400:
            continue
        phases += 1
        chances = dict(engine.outcomes(state, decides))
        assert sum(chances.values()) == pytest.approx(1, abs=1e-13)
        counts = Counter(engine.sample(state, rng, decides) for _ in range(rolls))
        assert counts.keys() <= chances.keys()
        for after, chance in chances.items():
            assert abs(counts[after] - rolls * chance) <= 6 * sqrt(rolls * chance * max(0, 1 - chance)) + 6
        if phases == 12:
            return
    pytest.fail("too few phases")


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_uprisings_counted_one_by_one_add_up(kit, policy):
    engine = kit.whole(*EVERYTHING)
    phases = 0
    for state in games(engine, whole, 6, 60, 12):
        if state.phase == whole.BARBARIAN and engine.phase(state, policy)["visits"] < 5_000:
            figures, events = engine.phase(state, policy), engine.events(state, 64, policy)
            assert 1 - events["uprisings"][0] == pytest.approx(figures["p_uprising"], abs=1e-13)
            assert sum(n * chance for n, chance in enumerate(events["uprisings"])) == pytest.approx(
                figures["e_uprisings"] - 65 * events["more_uprisings"], abs=1e-9
            )
            assert sum(events["falls"]) == pytest.approx(figures["p_lost"], abs=1e-14)
            phases += 1
    assert phases > 8


def test_a_turn_with_the_dux_is_solved(kit):
    """He is beside the army and the Emperor is not: the plan branches at the Dux's attack, named by its code."""
    engine = kit.whole("dux")
    state = kit.whole_state(at={"diocletian": "roma"}, armies="germania_magna", revolts="rhaetia", dux="noricum")
    turn = whole.Turn(engine, state)
    solution = turn.solve([("goal", 0, 0, 0, 0, kit.mask("germania_magna")), ("ip",)])
    codes, branch = solution.plan()
    assert branch is not None
    attack, outcomes = branch
    assert attack == whole.ATTACK | kit.row["germania_magna"] << 4 | 1 << 12
    for code in codes:
        state = engine.play(state, code)
    odds = whole.attack_odds(engine, state, attack)
    assert {outcome: chance for outcome, (chance, _) in outcomes.items()} == {i: n for i, n in enumerate(odds) if n}
    (numerator, denominator), _ = solution.values
    assert numerator / denominator >= odds[0] / 36  # a draw can be fought again


def test_set_up_with_everything(kit):
    engine = kit.whole(*EVERYTHING)
    rng = whole.Rng(3)
    goths = 0
    for _ in range(200):
        state = engine.setup(2, 2, 2, rng)
        assert (state.dux, state.vicarius, state.glory, state.passing) == (whole.RESERVE, whole.RESERVE, (0,) * 4, 0)
        assert (state.removed, state.power, state.gray, state.black) == ((0,) * 4, 0, 4, 1)
        assert state.pirates in (2, 3)
        assert not state.fleets >> state.pirates - 1 & 1
        assert state.fleets.bit_count() == state.armies.bit_count() == 2
        northeast = {row for row in kit.borders[2:4] if state.armies >> row & 1}
        assert (state.goths in northeast) if northeast else state.goths == whole.RESERVE
        goths += bool(northeast)
    assert goths > 50
    with pytest.raises(whole.KernelError, match="fleets: expected an integer from 0 to 2"):
        engine.setup(1, 3, 1, rng)


@pytest.mark.parametrize("policy", [whole.DECLINE, whole.EAGER, whole.AT_RANDOM])
def test_random_games_end(kit, policy):
    engine = kit.whole(*EVERYTHING)
    games = engine.random_games(50, 1, 2, 1, 4, policy)
    assert games == engine.random_games(50, 1, 2, 1, 4, policy)
    assert games["won"] + games["fallen"] == games["games"] == 50
