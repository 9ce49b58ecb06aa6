"""Contests of bench/: the same set-ups and dice for all, books that are gone on from, and rivals who play by the rules."""

import json
import subprocess
import sys
from importlib import import_module
from math import exp
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import pytest

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.bounds.unavoidable import proved_bound
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.hint.evaluation import evaluate
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.weights import Weights, shipped, write_weights
from tetrasolve.tetrarchia.kernel import Rng, State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

BENCH = Path(__file__).parents[2] / "bench"
BOARD = Board.standard()
LEVEL = Ruleset.from_level("4211")
RULES = fast.kernel_for(BOARD, LEVEL)

pytestmark = pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The modules of bench/, by name."""
    monkeypatch.syspath_prepend(str(BENCH))
    parts = ("samedice", "contestants", "race")
    modules = {name: import_module(f"benchkit.{name}") for name in parts}
    return SimpleNamespace(**modules, **{name: import_module(name) for name in ("rivals", "levels", "latency")})


def run(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / f"{script}.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class AtRandom:
    """Plays turns of its own dice."""

    def __init__(self, seed: int) -> None:
        self.rng = Rng(seed)

    def turn(self, state: State, _: Any) -> State:
        while state.phase == kernel.ROMAN and state.result == kernel.OPEN:
            state = RULES.random_turn(state, self.rng)
        return state


def table(**fields: Any) -> State:
    """Diocletian on the first border, the others secured as given."""
    here, *others = [BOARD.order[border] for border in BOARD.borders]
    secured = others[: fields.pop("secured", 5)]
    discs = tuple(sum(1 << row for row in secured[at : at + 3]) for at in (0, 3, 6, 9))
    return State(garrisons=discs, emperors=(here, 63, 63, 63), fleets=3, **fields)  # type: ignore[arg-type]


# -- the same dice ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["3122", "4211", "5300"])
def test_set_ups_are_those_of_the_kernels_games(kit: Any, level: str) -> None:
    ruleset = Ruleset.from_level(level)
    player, rules = new_player(BOARD, ruleset), fast.kernel_for(BOARD, ruleset)
    for number in range(6):
        _, noted, *_ = player.lessons(
            1, ruleset.revolts, ruleset.fleets, ruleset.armies, 77, first=number, strays=0, others=0, ends=1, samples=1,
            most_turns=1,
        )  # fmt: skip
        own = kit.samedice.mixed(77, number)
        assert kit.samedice.first_table(rules, player, ruleset, own) == State.from_bytes(noted[:64])


def test_a_game_depends_on_its_seed_number_and_player(kit: Any) -> None:
    player = new_player(BOARD, LEVEL)

    def course(seed: int, number: int, own: int) -> tuple[str, int]:
        played = kit.samedice.play(AtRandom(own), RULES, player, LEVEL, seed, number)
        assert sum(played.milliseconds.values()) == played.turns
        return played.result, played.turns

    games = [course(3, number, 1) for number in range(12)]
    assert games == [course(3, number, 1) for number in range(12)]
    assert games != [course(4, number, 1) for number in range(12)] and games != [course(3, n, 2) for n in range(12)]


def test_every_roll_of_an_attack_has_its_outcome(kit: Any) -> None:
    position = example("fight")
    state, rules = fast.to_state(position), fast.kernel_of(position)
    army = BOARD.order["narbonensis"]
    rolled = [kit.samedice.attack_code(rules, state, army, lambda roll=roll: roll) >> 10 for roll in range(36)]

    assert tuple(rolled.count(outcome) for outcome in range(3)) == rules.odds(state, army)


# -- contestants -----------------------------------------------------------------------------------------------


def flat(kit: Any, **settings: Any) -> Any:
    settings = {"aim": "progress", "share": 0.5, "ends": 40, "shares": "halving", "c": 0.2, "turns": 2} | settings
    return kit.contestants.FlatMonteCarlo(RULES, LEVEL, 0.02, 5, settings)


def rival(kit: Any, name: str, seconds: float = 0.05) -> Any:
    if name == "flat":
        return flat(kit)
    pytest.importorskip("pyspiel")
    return kit.contestants.OpenSpielMcts(RULES, LEVEL, seconds, 5, dict(kit.rivals.CONTESTANTS[name]))


def thinker(kit: Any, name: str, rules: Any, level: Ruleset) -> Any:
    """Ours, or one that is a part of ours."""
    kind = kit.contestants.Ours if name == "ours" else kit.contestants.OneTurn
    return kind(rules, level, 0.05, 5, shipped(), dict(kit.rivals.CONTESTANTS[name]))


THINKERS = ["ours", "halving", "discs"]


@pytest.mark.parametrize("name", [*THINKERS, "flat", "mcts", "mcts-kernel"])
def test_everybody_wins_what_one_step_wins(kit: Any, name: str) -> None:
    state = table(ip=2)
    assert kernel.SECURE in RULES.legal(state)
    far_more_than_it_takes = 1.0
    contestant = thinker(kit, name, RULES, LEVEL) if name in THINKERS else rival(kit, name, far_more_than_it_takes)

    assert contestant.turn(state, lambda: 0).result == kernel.WON


@pytest.mark.parametrize("name", [*THINKERS, "flat", "mcts", "mcts-kernel"])
def test_a_turn_ends_in_a_position_that_the_rules_allow(kit: Any, name: str) -> None:
    """An army stands beside him, so that attacks are among what can be done; all dice show what is worst for Rome."""
    position = example("fight")
    state, rules = fast.to_state(position), fast.kernel_of(position)
    settings = dict(kit.rivals.CONTESTANTS[name])
    if name in THINKERS:
        contestant = thinker(kit, name, rules, position.ruleset)
    elif name == "flat":
        contestant = kit.contestants.FlatMonteCarlo(rules, position.ruleset, 0.05, 5, settings)
    else:
        pytest.importorskip("pyspiel")
        contestant = kit.contestants.OpenSpielMcts(rules, position.ruleset, 0.05, 5, settings)
    after = contestant.turn(state, lambda: 35)
    turn = kernel.Turn(rules, state)
    ends = {bytes(turn.state(node))[:60] for node in range(turn.nodes) if turn.may_end(node)}  # all but IP and phase

    assert after.phase == kernel.BARBARIAN and bytes(after)[:60] in ends


def test_the_plain_evaluation_counts_what_lies_on_the_board(kit: Any) -> None:
    """By the numbers it is given, and by nothing else."""
    counted = kit.contestants.by_discs(secured=1.0, revolt=-0.25, unrest=-0.125, army=-0.5)
    for text in (
        "4211 D:6 rom/-/-/- 23 - bae.lus tar -/-/-/-",
        "4211 D:6 rom/-/-/- 23 gae.bri bae.lus.nar - per/-/-/lib",
    ):
        position = Position.parse(text)
        secured = sum(position.has_garrison(border) for border in BOARD.borders)
        odds = secured - 0.25 * len(position.revolts) - 0.125 * len(position.unrest) - 0.5 * len(position.armies)
        assert evaluate(position, counted) == pytest.approx(1 / (1 + exp(-odds)), abs=1e-6)


def test_candidates_of_flat_monte_carlo_are_ends_and_attacks(kit: Any) -> None:
    position = example("fight")
    rules = fast.kernel_of(position)
    contestant = flat(kit, ends=10**6)
    contestant.rules = rules
    arms = contestant.candidates(fast.to_state(position))
    ends = rules.end_states(fast.to_state(position))
    attacks = [arm for arm in arms if arm.army is not None]

    assert len(arms) - len(attacks) == len(ends)
    assert attacks and all(sum(rules.odds(arm.state, arm.army)) == 36 for arm in attacks)
    contestant.settings["ends"] = 7
    assert len(contestant.candidates(fast.to_state(position))) == 7


@pytest.mark.parametrize("shares", ["even", "halving", "ucb"])
def test_playouts_find_the_better_of_two_ends(kit: Any, shares: str) -> None:
    """Five borders secured rather than none; the same otherwise."""
    good, bad = table(ip=0, phase=1), table(ip=0, phase=1, secured=0)
    contestant = flat(kit, shares=shares, aim="borders")
    arms = [kit.contestants.Arm(bad, None), kit.contestants.Arm(good, None)]
    deadline = perf_counter() + 0.1

    assert contestant.best(arms, deadline).state == good


def test_what_playouts_are_worth(kit: Any) -> None:
    won = State(garrisons=(sum(1 << BOARD.order[b] for b in BOARD.borders[:3]), 0, 0, 0), result=kernel.WON)
    fallen = State(result=kernel.FALLEN, phase=1)
    for aim in ("victory", "endurance", "borders", "progress"):
        worth = kit.contestants.Playouts(RULES, 1, {"aim": aim, "turns": 1, "share": 0.5}).worth
        assert worth(won) == 1 and worth(fallen) == 0
        some = [worth(table(ip=0, phase=1)) for _ in range(50)]
        assert all(0 <= value <= 1 for value in some)
        if aim == "borders":
            assert set(some) <= {0.0, 5 / 6}
        if aim == "progress":
            assert min(some) > 5 / 12


# -- books -----------------------------------------------------------------------------------------------------


def test_rivals_go_on_from_what_was_played(tmp_path: Path) -> None:
    kept, words = tmp_path / "kept.json", ["--contestants", "ours,flat", "--seconds", "0.005"]
    outcomes = []
    for games in ("1", "2", "2"):
        result = run("rivals", "--games", games, "--json", str(kept), *words)
        assert result.returncode == 0, result.stderr
        data = json.loads(kept.read_text("utf-8"))
        outcomes.append({entry["name"]: entry["outcomes"] for entry in data["series"]})
    assert outcomes[1] == outcomes[2]
    assert all(len(first) == 1 and outcomes[1][name].startswith(first) for name, first in outcomes[0].items())
    (pair,) = data["compared"]
    assert (pair["rival"], pair["games"], pair["difference"]["method"]) == ("flat", 2, "paired")
    for entry in data["series"]:
        assert sum(entry["milliseconds"].values()) == entry["turns"]
        assert {"commit", "settings", "seed", "seconds"} <= set(entry)
        assert (entry["weights"] is None) == (entry["name"] == "flat")
    assert run("rivals", "--contestants", "nobody").returncode == 2


def test_a_comparison_is_reported_beside_its_goal(kit: Any) -> None:
    def series(name: str, outcomes: str) -> Any:
        return kit.rivals.Series({
            "name": name, "level": "4211", "seconds": 0.1, "settings": {}, "weights": None, "outcomes": outcomes,
        })  # fmt: skip

    verdicts = [
        kit.rivals.compared(
            series("ours", "w" * won + "l" * (100 - won)), series("flat", "w" * rival + "l" * (100 - rival))
        )
        for won, rival in ((90, 0), (20, 19), (0, 50))
    ]
    assert [found["above_goal"] for found in verdicts] == [True, None, False]
    assert verdicts[0]["difference"]["float"] == 0.9 and verdicts[0]["only_ours"] == 90


def test_openspiel_that_is_missing_is_one_line(
    kit: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)

    assert kit.rivals.main(["--quick", "--contestants", "mcts"]) == 0
    assert (
        capsys.readouterr().err
        == "rivals: OpenSpiel is missing (pip install open-spiel); the rest is measured without it\n"
    )


def test_levels_are_gone_on_from_and_not_mixed_with_other_weights(kit: Any, tmp_path: Path) -> None:
    kept, words = tmp_path / "kept.json", ["--levels", "4211,5300", "--json"]
    rows = []
    for games in ("1", "2", "2"):
        result = run("levels", "--games", games, *words, str(kept))
        assert result.returncode == 0, result.stderr
        rows.append(json.loads(kept.read_text("utf-8"))["levels"])
    assert rows[1] == rows[2] and {*rows[0]} == {"4211", "5300"}
    for level, row in rows[1].items():
        ruleset = Ruleset.from_level(level)
        games = new_player(BOARD, ruleset).games(
            2, ruleset.revolts, ruleset.fleets, ruleset.armies, 285, **kit.levels.POLICY
        )
        assert row["won"] == sum(result == kernel.WON for result, *_ in games)
        assert row["games"] == 2 and row["turns"] == sum(turns for _, turns, _ in games)

    ours = shipped()
    other = Weights(ours.width, ours.start, bytes(len(ours.end)), {"made": "of nothing"})
    (tmp_path / "other.txt").write_text(write_weights(other), "utf-8")
    result = run("levels", "--games", "1", *words, str(kept), "--weights", str(tmp_path / "other.txt"))
    assert "started again" in result.stderr
    assert {row["games"] for row in json.loads(kept.read_text("utf-8"))["levels"].values()} == {1}
    assert run("levels", "--levels", "9999").returncode == 2


def test_bounds_are_gone_on_from_and_are_those_of_the_library(kit: Any, tmp_path: Path) -> None:
    kept, words = tmp_path / "kept.json", ["--levels", "3122,5300", "--json"]
    rows = []
    for games in ("1", "2", "2"):
        result = run("bounds", "--games", games, *words, str(kept))
        assert result.returncode == 0, result.stderr
        rows.append(json.loads(kept.read_text("utf-8"))["levels"])

    assert rows[1] == rows[2] and {row["games"] for row in rows[1].values()} == {2}
    for level, row in rows[2].items():
        assert row["bound"] == proved_bound(Ruleset.from_level(level)).as_data()
        ruleset = Ruleset.from_level(level)
        numbers = (2, ruleset.revolts, ruleset.fleets, ruleset.armies, 285)
        games = new_player(BOARD, ruleset).games(*numbers, most_turns=8, **kit.levels.POLICY)
        assert row["fallen"] == sum(result == kernel.FALLEN for result, *_ in games)
    assert run("bounds", "--levels", "9999").returncode == 2


# -- latency ---------------------------------------------------------------------------------------------------


def test_positions_are_starts_of_turns_of_each_level(kit: Any) -> None:
    levels = [Ruleset.from_level(level) for level in ("4211", "5300")]
    found = kit.latency.positions(2, 9, levels)

    assert [str(position.ruleset) for position in found] == ["4211", "4211", "5300", "5300"]
    assert all(position.ip == 6 and not position.is_won for position in found)
    assert found == kit.latency.positions(2, 9, levels) != kit.latency.positions(2, 10, levels)


def test_times_are_reported_beside_their_goal(kit: Any) -> None:
    stated = kit.latency.summary([0.5, 0.1, 0.3, 1.5, 0.2], 0.4)

    assert stated == {"median": 300, "95%": 500, "max": 1500, "goal": 400, "within": 3}
    assert run("latency", "--keep", "--a-level", "2").returncode == 2


@pytest.mark.slow
def test_hints_are_timed_in_every_way(tmp_path: Path) -> None:
    result = run("latency", "--quick", "--json", str(tmp_path / "out.json"))

    assert result.returncode == 0, result.stderr
    report = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert report["positions"] == 4 and {*report["milliseconds"]} == {"policy", "hint", "service"}
    for both in report["milliseconds"].values():
        assert 0 < both["first"]["median"] <= both["last"]["median"] <= both["last"]["max"]
