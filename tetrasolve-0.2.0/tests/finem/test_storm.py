"""A third method for the best policy, and for a stated one: the model checker Storm on the reference rules, in rational numbers.

`storm-fragments.txt` has the fragments, each a position in the middle of a turn with few cards left in the deck, the number of its
states, and what Storm says: the least and the most of a linear worth and of the chance of a loss that decisions can reach (a Markov
decision process), and the chance of a loss under the careful policy (a Markov chain).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tablefinem import RULESETS

from tetrasolve.finem import rules
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.fast import engine_of, position_of, state_of
from tetrasolve.finem.kernel import Rng
from tetrasolve.finem.layout import REGIONS
from tetrasolve.finem.policies import careful
from tetrasolve.finem.position import Phase, Position, Result, State, Step
from tetrasolve.finem.ruleset import Ruleset

FRAGMENTS = 36
FILE = Path(__file__).with_name("storm-fragments.txt")  # TETRASOLVE_UPDATE=1 writes it, with Storm
UPDATE = bool(os.environ.get("TETRASOLVE_UPDATE"))
CAREFUL = "careful lost"
FIGURES = ("min worth", "max worth", "min lost", "max lost", CAREFUL)
OUT = 13  # cards that are out, so that a fragment has some hundred to some thousand states
LOST = read_objective("p_lost").evaluation
MIXED = read_objective("constant=200 won=300 outbreaks=-20 decline=-3 die:O=2 die:B=1 pacified:C=30 cubes=1").evaluation
DECISIONS = (
    Step.RESIST,
    Step.RAISE,
    Step.PROTECT,
    Step.DISCARD,
    Step.DISCARD_EVENT,
    Step.EXCHANGE,
    Step.SWAP,
)


def fragments() -> Iterator[Position]:
    """Rests of turns of random games under all rulesets, with few cards left in the deck."""
    for seed in range(10**6):
        chosen = Ruleset.from_text(RULESETS[seed % len(RULESETS)]).dealt(Random(seed))
        random, rng = Random(seed), Rng(seed)
        position = position_of(chosen, engine_of(chosen).random_state(random.randrange(5, 90), rng))
        if not isinstance(position, Position) or position.step not in DECISIONS or position.decline > 4:
            continue
        if position.step is Step.RESIST and len(position.occupied) > 8:
            continue
        if position.role == "tribune" and "E-TRIBUNE" in str(chosen) and position.step is not Step.SWAP:
            continue  # he looks at all cards of the invasion: too many states
        kept = [card for card in REGIONS if card not in position.out]
        random.shuffle(kept)
        yield position.replace(out=position.out | frozenset(kept[: max(0, OUT - len(position.out))]))


States = dict[State, tuple[tuple[State, ...], bool]]


def explored(position: Position, most: int) -> States:
    """Each state with those that follow it, and whether chance decides; nothing where there are more than `most`."""
    found: States = {}
    waiting: list[State] = [position]
    while waiting:
        if len(found) > most:
            return {}
        state = waiting.pop()
        if state in found:
            continue
        if isinstance(state, Result) or state.phase is Phase.ROLE:
            found[state] = ((), False)
            continue
        node = rules.node(state)
        found[state] = (tuple(rules.take(state, option) for option in node.options), node.is_chance)
        waiting += found[state][0]
    return found


def as_drn(states: States) -> str:
    """A Markov decision process in Storm's format: the reward `worth` is paid at the end of the turn."""
    numbers, done, lines, choices = {state: at for at, state in enumerate(states)}, len(states), list[str](), 1
    for state, (after, is_chance) in states.items():
        worth = MIXED.of(state) if not after else 0
        label = "lost" if isinstance(state, Result) and not state.is_won else "" if numbers[state] else "init"
        lines.append(f"state {numbers[state]} [{worth}] {label}".rstrip())
        rows: list[dict[int, Fraction]] = [{done: Fraction(1)}] if not after else []
        if is_chance:
            row: dict[int, Fraction] = {}
            for image in after:
                row[numbers[image]] = row.get(numbers[image], Fraction(0)) + Fraction(1, len(after))
            rows = [row]
        elif after:
            rows = [{numbers[image]: Fraction(1)} for image in after]
        choices += len(rows)
        for at, row in enumerate(rows):
            lines.append(f"\taction {at} [0]")
            lines += [f"\t\t{image} : {chance}" for image, chance in sorted(row.items())]
    lines += [f"state {done} [0] done", "\taction 0 [0]", f"\t\t{done} : 1"]
    head = ["@type: MDP", "@value_type: rational", "@parameters", "", "@reward_models", "worth", "@nr_states"]
    return "\n".join([*head, str(done + 1), "@nr_choices", str(choices), "@model", *lines]) + "\n"


def by_storm(states: States, folder: Path) -> dict[str, Fraction]:
    """The most and the least that decisions can reach, as Storm says."""
    import stormpy

    path = folder / "turn.drn"
    path.write_text(as_drn(states), "utf-8")
    model: Any = stormpy.build_model_from_drn[stormpy.Rational](str(path))
    found = {}
    for side in ("min", "max"):
        formulas = {f"{side} worth": f'R{{"worth"}}{side}=? [F "done"]', f"{side} lost": f'P{side}=? [F "lost"]'}
        for name, formula in formulas.items():
            if name.endswith("lost") and not model.labeling.contains_label("lost"):
                found[name] = Fraction(0)  # Storm refuses a label that no state has
                continue
            result = stormpy.model_checking(model, stormpy.parse_properties(formula)[0])
            found[name] = Fraction(str(result.get_value(model.initial_states[0])))
    return found


def by_kernel(position: Position) -> dict[str, Fraction]:
    """The same by the kernel."""
    engine, state, found = engine_of(position.ruleset), state_of(position), {}
    for name, evaluation in (("worth", MIXED), ("lost", LOST)):
        for side, aim, sign in (("min", evaluation.negated(), -1), ("max", evaluation, 1)):
            figures = engine.best(state, aim.weights)
            found[f"{side} {name}"] = sign * Fraction(figures["worth"], figures["unit"])
    return found


def chain_by_storm(states: States, position: Position, folder: Path) -> Fraction:
    """The chance of a loss where the careful policy decides, a Markov chain: only the options that it takes are kept."""
    kept: States = {}
    waiting: list[State] = [position]
    while waiting:
        state = waiting.pop()
        if state in kept:
            continue
        after, is_chance = states[state]
        if after and not is_chance:
            assert isinstance(state, Position)
            after = (rules.take(state, careful(state, rules.node(state))),)
        kept[state] = (after, is_chance)
        waiting += after
    return by_storm(kept, folder)["max lost"]


def chain_by_kernel(position: Position) -> Fraction:
    """The same by the grouped tree of the kernel."""
    figures = engine_of(position.ruleset).turn(state_of(position), "careful")
    lost = sum(weight for end, weight in figures["ends"].items() if end.startswith("lost"))
    return Fraction(lost, figures["unit"])


def made(number: int, most: int, folder: Path) -> Iterator[str]:
    """Lines for the file: fragments of at most `most` states, all of them with something to decide, and what Storm says of each."""
    for position in fragments():
        states = explored(position, most)
        if not any(len(after) > 1 and not is_chance for after, is_chance in states.values()):
            continue
        found = by_storm(states, folder) | {CAREFUL: chain_by_storm(states, position, folder)}
        yield " | ".join([str(position), str(len(states)), *(str(found[name]) for name in FIGURES)])
        number -= 1
        if not number:
            return


def read() -> list[tuple[Position, int, dict[str, Fraction]]]:
    """The fragments of the file: the position, the number of its states, the figures."""
    rows = [line.split(" | ") for line in FILE.read_text("utf-8").splitlines()]
    return [
        (Position.parse(line), int(states), dict(zip(FIGURES, map(Fraction, numbers), strict=True)))
        for line, states, *numbers in rows
    ]


def test_the_kernel_gives_the_figures_of_every_fragment() -> None:
    """What Storm said of each is in the file, so that this needs no Storm."""
    if UPDATE:
        pytest.importorskip("stormpy", reason="the extra 'storm' is not installed")
        with TemporaryDirectory() as folder:
            FILE.write_text("".join(f"{line}\n" for line in made(FRAGMENTS, 1500, Path(folder))), "utf-8")
    rows = read()
    for position, _, figures in rows:
        assert by_kernel(position) | {CAREFUL: chain_by_kernel(position)} == figures, str(position)
    assert len(rows) >= 30 and len({str(position) for position, _, _ in rows}) == len(rows)
    assert (
        len({position.step for position, _, _ in rows}) > 4 and len({position.ruleset for position, _, _ in rows}) > 8
    )
    assert sum(figures["min worth"] != figures["max worth"] for _, _, figures in rows) > 20
    assert sum(figures["max lost"] > 0 for _, _, figures in rows) > 10


def compare(rows: list[tuple[Position, int, dict[str, Fraction]]], folder: Path) -> None:
    pytest.importorskip("stormpy", reason="the extra 'storm' is not installed")
    for position, number, figures in rows:
        states = explored(position, number)
        assert len(states) == number
        assert by_storm(states, folder) | {CAREFUL: chain_by_storm(states, position, folder)} == figures, str(position)


def test_storm_gives_the_figures_of_the_smallest_fragments(tmp_path: Path) -> None:
    compare(sorted(read(), key=lambda row: row[1])[:5], tmp_path)


@pytest.mark.slow
def test_storm_gives_the_figures_of_every_fragment(tmp_path: Path) -> None:
    compare(read(), tmp_path)
