"""Policies with modules: their turns are legal, worth what they say, and the best there are; games end as they say."""

from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import Any

import pytest
from advisers import BOARD, weights
from scatter import RECIPES
from scattermodules import any_extensions, with_figures

from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.kernel import Kernel, Player, State
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.pieces import Helper
from tetrasolve.tetrarchia.plan.codes import plan_of
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.tree import Plan, read_plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

LEVELS = tuple(all_levels())
OUTCOME = 3 << 10  # the bits of a code that name the outcome of an attack
ATTACKS = (whole.ATTACK, whole.PIRATES)
# Steps and forks that plans must show
NEEDED = {"dux", "vicarius", "None attacks", "dux attacks", "transfer", "imperium"}
ONE_DISC = '{"diocletian":1,"galerius":0,"constantius":0,"maximian":0}'
EVERY_MODULE = Ruleset(4, 2, 1, 1, frozenset({"dux", "vicarius", "pirates", "goths"}), frozenset({"usurpator"}))


def drawn(random: Random, most_ip: int) -> Position:
    """A position with any modules in which a turn is under way with few IP left."""
    while True:
        ruleset = any_extensions(random.choice(LEVELS), random)
        position = with_figures(random.choice(sorted(RECIPES)), ruleset, random, BOARD)
        short = position.replace(ip=min(position.ip, random.randint(1, most_ip)))
        if not short.status() and not short.is_shared and None not in short.emperors.values():
            return short


def player_of(position: Position) -> Player:
    return new_player(BOARD, position.ruleset, weights(), rebels=True)


def worth(player: Player, end: Position | Fall) -> float:
    """What the evaluation says of the end of a turn."""
    if isinstance(end, Fall):
        return 0.0
    if end.is_won:
        return 1.0
    over = end.replace(phase=Phase.BARBARIAN, ip=0).without_piece("power")
    return player.value(fast.state_of(over, rebels=True))


def best(engine: Kernel, player: Player, state: State, known: dict[bytes, float]) -> float:
    """The best mean value of all ways to play the rest of a turn, tried out one by one."""
    key = bytes(state)
    if key in known:
        return known[key]
    if state.result != kernel.OPEN:
        return float(state.result == kernel.WON)
    if state.phase == kernel.BARBARIAN:
        return player.value(without_ip(state))
    found = [best_end(engine, player, state)]
    for code, group in groupby(sorted(engine.legal(state), key=deed), deed):
        codes = list(group)
        if code & 15 in ATTACKS:
            shares = whole.attack_odds(engine, state, codes[0])  # type: ignore[arg-type]  # a kernel of all modules
            parts = [(shares[c >> 10 & 3], best(engine, player, engine.play(state, c), known)) for c in codes]
            found.append(sum(share * value for share, value in parts) / 36)
        else:
            found.append(best(engine, player, engine.play(state, codes[0]), known))
    known[key] = max(found)
    return known[key]


def deed(code: int) -> int:
    """The code of an action; of an attack, without its outcome."""
    return code & ~OUTCOME if code & 15 in ATTACKS else code


def best_end(engine: Kernel, player: Player, state: State) -> float:
    return player.value(engine.play(state, whole.END)) if engine.may_end(state) else -100.0


def without_ip(state: Any) -> Any:
    """After a defeat the kernel keeps the IP that are left."""
    names = (
        "revolts", "unrest", "garrisons", "armies", "emperors", "fleets", "to_move", "phase", "result", "rebels", "dux",
        "vicarius", "goths", "pirates", "passing", "glory", "removed", "gray", "black",
    )  # fmt: skip
    return whole.State(ip=0, **{name: getattr(state, name) for name in names})


def test_a_greedy_turn_is_the_best_of_all_ways_to_play_it() -> None:
    random = Random(17)
    for _ in range(40):
        position = drawn(random, 2)
        player, state = player_of(position), fast.state_of(position, rebels=True)
        engine = fast.kernel_for(BOARD, position.ruleset, rebels=True)

        found = player.think(state, policy="greedy", top=1)
        assert found[0][0] == pytest.approx(best(engine, player, state, {}), abs=1e-6), position


@pytest.mark.parametrize(
    "text",
    [
        "3122+dux+vicarius D:3 rom/-/-/- 3 gma.lib bae.car.gin.dac.dal.mac.gat.num - -/-/-/- dux=null vicarius=null",
        '3122+dux+vicarius D:3 rom/-/-/- 3 gma.lib bae.gin.dac.mac.gat.num cis -/-/-/- dux="etruria" vicarius="sicilia"',
        f"4222+imperium D:2 rom/cis/syr/gat 12 per dac bae -/-/-/- power=true removed={ONE_DISC}",
    ],
)
def test_a_policy_knows_every_end_where_other_figures_go(text: str) -> None:
    """Tables that differ in one other figure share where its steps lead; those of two figures are not mixed up."""
    position = read_position(text, BOARD)
    player, state = player_of(position), fast.state_of(position, rebels=True)
    engine = fast.kernel_for(BOARD, position.ruleset, rebels=True)
    found = [value for value, _, _, tree in player.think(state, policy="greedy", top=4096) if not has_fork(tree)]
    ends = [player.value(engine.play(end, whole.END)) for end in engine.end_states(state)]
    assert sorted(found) == pytest.approx(sorted(ends), abs=1e-6)


def has_fork(tree: Any) -> bool:
    return plan_of(tree, BOARD, named_by_code=True).fork is not None


def ends_if_all_is_paid(position: Position, plan: Plan) -> Iterator[tuple[float, Position | Fall]]:
    """The ends of a plan, with their chances, where discs that it names for an attack are all paid: so policies value it."""
    rules = position.ruleset
    given = [("I-GALERIUS-WON", "goes-on")] if "imperium" in rules.variants else []
    for chance, end, _ in endings(position.replace(ruleset=rules.with_readings(given)), plan):
        yield float(chance), end if isinstance(end, Fall) else end.replace(ruleset=rules)


def test_plans_are_legal_and_worth_what_they_say() -> None:
    """By the reference rules; each reads back from its notation."""
    random = Random(23)
    seen: set[str] = set()
    for turn in range(1000):
        if turn >= 120 and seen >= NEEDED:
            break
        position = drawn(random, 5)
        player, state = player_of(position), fast.state_of(position, rebels=True)
        for value, stage, _, tree in player.think(state, policy="greedy", top=4):
            plan = plan_of(tree, BOARD, named_by_code=True)
            assert sum(chance for chance, _, _ in endings(position, plan)) == 1
            expected = sum(chance * worth(player, end) for chance, end in ends_if_all_is_paid(position, plan))
            assert value == pytest.approx(expected, abs=1e-5) and stage in (1, 3), (position, plan)
            assert read_plan(str(plan), BOARD) == plan
            fork = plan.fork
            seen |= {action.figure or str(action.kind) for action in plan.steps}
            seen |= set() if fork is None else {f"{fork.figure} attacks", *fork.payments[:1]}
    assert seen >= NEEDED


@pytest.mark.parametrize("policy", ["greedy", "expectimax", "search"])
def test_games_end_as_they_say(policy: str) -> None:
    player = new_player(BOARD, EVERY_MODULE, weights())
    found = player.games(2, 1, 2, 1, 3, policy=policy, ends=2, samples=2, deep_ends=1, deep_samples=2, most_turns=3)
    for result, turns, step in found:
        assert result in (kernel.OPEN, kernel.WON, kernel.FALLEN)
        assert (result == kernel.FALLEN) == (step > 0)
        assert 1 <= turns <= 3 and (turns == 3 or result != kernel.OPEN)
    again = new_player(BOARD, EVERY_MODULE, weights())
    assert found[1:] == again.games(
        1, 1, 2, 1, 3, first=1, policy=policy, ends=2, samples=2, deep_ends=1, deep_samples=2, most_turns=3
    )


def test_a_game_can_begin_anywhere() -> None:
    random = Random(4)
    position = with_figures("before Roma", EVERY_MODULE, random, BOARD)
    player, state = player_of(position), fast.state_of(position, rebels=True)
    first = player.games(3, 0, 0, 0, 9, most_turns=3, start=state)
    assert first == player.games(3, 2, 1, 2, 9, most_turns=3, start=state)
    with pytest.raises(whole.KernelError, match="start: expected an open game in the Roman phase"):
        player.games(1, 0, 0, 0, 9, start=whole.State(phase=whole.BARBARIAN, ip=0))  # type: ignore[arg-type]
    _, raw, kinds, _ = player.lessons(1, 0, 0, 0, 9, most_turns=1, others=0, samples=1, strays=0, start=state)
    assert kinds[0] == 0 and raw.startswith(bytes(state))


def test_who_decides_in_the_phase_changes_what_a_turn_is_worth() -> None:
    """With Barbaria the Barbarian player's discs cost Rome something; without choices nothing changes."""
    chances = {}
    for variants in (frozenset({"barbaria"}), frozenset({"usurpator"})):
        ruleset = Ruleset(4, 2, 2, 1, frozenset(), variants)
        state = fast.kernel_for(BOARD, ruleset).setup(2, 2, 1, whole.Rng(3))  # type: ignore[arg-type]
        for decide in ("decline", "eager"):
            player = new_player(BOARD, ruleset, decide=decide)
            found = player.think(state, policy="expectimax", ends=1, samples=720, top=1)
            chances[min(variants), decide] = found[0][0]
    assert chances["barbaria", "eager"] < chances["barbaria", "decline"] - 0.02
    assert chances["usurpator", "eager"] == chances["usurpator", "decline"]


def test_a_turn_that_is_too_large_is_narrowed_and_stays_legal() -> None:
    """Diocletian's power lets five figures move; the answer is the same each time."""
    ruleset = Ruleset(4, 2, 1, 1, frozenset({"dux", "vicarius"}), frozenset({"imperium"}))
    set_up = fast.kernel_for(BOARD, ruleset).setup(1, 2, 1, whole.Rng(1))  # type: ignore[arg-type]  # of the same kernel
    start = fast.to_position(set_up, BOARD, ruleset)
    places = [place for place in BOARD.ids if start.is_empty(place) and not BOARD[place].is_border]
    start = start.replace(emperors=dict(zip(start.emperors, places, strict=False)))
    position = start.with_piece("dux", Helper(places[5])).with_piece("vicarius", Helper(places[9]))
    player, state = player_of(position), fast.state_of(position, rebels=True)
    found = player.think(state, policy="greedy", top=3)
    assert player.scope() > 0
    for _, _, _, tree in found:
        assert endings(position, plan_of(tree, BOARD, named_by_code=True))
    assert found == player_of(position).think(state, policy="greedy", top=3)


def test_thinking_stops() -> None:
    position = with_figures("before Roma", EVERY_MODULE, Random(4), BOARD)
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        player_of(position).think(fast.state_of(position, rebels=True), policy="search", stop=stop)
