"""Plans as text and as pictures."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import PIRATES, Action, Kind, Outcome
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.pieces import RESERVE
from tetrasolve.tetrarchia.plan.answer import Status
from tetrasolve.tetrarchia.plan.exhaustive import PlanResult
from tetrasolve.tetrarchia.plan.objective import Term
from tetrasolve.tetrarchia.plan.replay import made_by_dice
from tetrasolve.tetrarchia.plan.task import attacks_text
from tetrasolve.tetrarchia.plan.tree import Fork, Plan, Shown
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall


def result_lines(found: PlanResult) -> Iterator[str]:
    """The answer as lines of text."""
    emperor = found.position.board.emperor(found.position.to_move)
    assert emperor is not None
    yield f"{emperor.name}, {found.position.ip} IP: {found.objective}"
    if found.stated is not None:
        yield f"attacks: {attacks_text(found.stated)}"
    yield f"status: {found.status} ({_work(found)})"
    if found.status is Status.INFEASIBLE_PROVED:
        yield f"no plan: none {'meets the constraint' if found.plan is None else 'can reach the goal'}"
        return
    if found.plan is None:
        yield "no plan found yet"
    else:
        yield ""
        yield from plan_lines(found.position, found.plan, "", 1)
        yield ""
    for term, value in found.named_values:
        yield f"{term}: {value_text(value)}"
    if found.status in (Status.FEASIBLE, Status.UNKNOWN) and found.bounds is not None:
        bounds = (f"{term} {'unknown' if b is None else value_text(b)}" for term, b in bounds_of(found))
        yield f"no plan is better than: {', '.join(bounds)}"
    if found.optimal_ends is None:
        return
    yield f"other end positions as good: {found.others_as_good}"
    if found.runner_up is None or found.runner_up_values is None:
        yield "runner-up: none, every plan is as good"
    else:
        values = ", ".join(value_text(value) for value in found.runner_up_values)
        yield f"runner-up ({values}): {found.runner_up}"


def _work(found: PlanResult) -> str:
    """The engine and its counts, as text."""
    if found.edges is None:
        return f"{found.engine}, {found.version}, {found.nodes:,} nodes"
    policies = "policies not counted" if found.policies is None else f"{_count(found.policies)} policies"
    return f"{found.engine}, {found.nodes:,} turn states, {found.edges:,} actions, {policies}"


def _count(number: int) -> str:
    """A count, rounded if it has more than twelve digits."""
    return f"{number:,}" if number < 10**12 else f"{number:.3e}"


def bounds_of(found: PlanResult) -> Iterator[tuple[Term, Fraction | None]]:
    """The terms of the objective, each with its bound (None: unknown)."""
    if found.bounds is not None:
        yield from zip(found.objective.terms, found.bounds, strict=True)


def plan_lines(position: Position, steps: Plan, indent: str, number: int) -> Iterator[str]:
    """The steps of a plan as text, numbered from `number`."""
    state: Position | Fall = position
    for action in steps.steps:
        assert isinstance(state, Position)  # a replayed plan ends with a fall
        yield f"{indent}{number}. {words(action, state):<52} {rules.cost(state, action)} IP"
        state = rules.play(state, action)
        number += 1
    if steps.fork is None:
        if not steps.steps:
            yield f"{indent}{number}. stop"
        return
    assert isinstance(state, Position)
    fork = steps.fork
    fight = rules.battle(state, fork.figure or state.to_move, fork.army)
    price = rules.cost(state, fork.action(Outcome.VICTORY))
    yield f"{indent}{number}. {_attack_words(fork, state) + f': {fight}':<52} {price} IP"
    for shows, chance, branch in fork.branches:
        *_, (_, attack, rest) = made_by_dice(state, fork, shows, branch)
        after = rules.play(state, attack)
        paid = f": {_bill(attack, state)}" if isinstance(shows, Shown) and attack.payments else ""
        is_over = isinstance(after, Fall) or after.phase is not Phase.ROMAN
        yield f"{indent}   {shows} {chance}{paid}" + (": the turn is over" if is_over else ":")
        if isinstance(after, Position) and not is_over:
            yield from plan_lines(after, rest, indent + "      ", number + 1)


def _bill(attack: Action, position: Position) -> str:
    """What is paid for an attack, and what it comes to."""
    reserve = attack.payments.count(RESERVE)
    discs = [f"{reserve} of the reserve"] if reserve else []
    discs += [position.board[place].name for place in attack.payments if place != RESERVE]
    return f"pay {', '.join(discs)} for a {attack.outcome}"


def _attack_words(fork: Fork, position: Position) -> str:
    """An attack as text, with the figure that leads it and the discs that are paid."""
    who = "" if fork.figure is None else f"{fork.figure.title()}: "
    target = "the Pirates" if fork.army == PIRATES else position.board[fork.army].name
    paid = f", paying up to {len(fork.payments)}" if fork.payments else ""
    return f"{who}attack {target}{paid}"


def words(action: Action, position: Position) -> str:
    """An action as text."""
    board, place = position.board, position.place_of(action.figure or position.to_move)
    here = "" if place is None else board[place].name
    who = "" if action.figure is None else f"{action.figure.title()}: "
    disc = position.discs.get(place or "", "")
    match action.kind:
        case Kind.ENTER | Kind.MOVE:
            assert action.place is not None
            return f"{who}{action.kind} {'in' if action.kind is Kind.ENTER else 'to'} {board[action.place].name}"
        case Kind.SAIL:
            assert action.zones is not None
            return f"sail from zone {action.zones[0]} to zone {action.zones[1]}"
        case Kind.SECURE:
            return f"secure {here}"
        case Kind.REMOVE:
            return f"{who}remove the {disc} in {here}"
        case Kind.REDUCE:
            return f"{who}reduce the revolt in {here} to unrest"
        case Kind.DEPLOY:
            assert action.place is not None and action.figure is not None
            return f"deploy the {action.figure.title()} in {board[action.place].name}"
        case Kind.TRANSFER:
            assert action.place is not None
            return f"send the garrison of {here} to {board[action.place].name}"
        case Kind.IMPERIUM:
            assert action.place is not None
            disc = "a disc of the reserve" if action.place == RESERVE else f"the disc in {board[action.place].name}"
            return f"use the power for {disc}"
    return str(action)


def value_text(value: Fraction) -> str:
    """A value as a fraction, with a decimal if it is not whole."""
    return str(value) if value.denominator == 1 else f"{value} (~ {float(value):.4g})"


def result_svg(found: PlanResult, title: str | None = None) -> str:
    """The plan on the board: arrows with numbered steps, as the text of an SVG picture."""
    heading = f"Plan: {found.objective}" if title is None else title
    return board_svg(found.position.board, found.position, title=heading, route=route_of(found.position, found.plan))


def route_of(position: Position, steps: Plan | None) -> list[tuple[str, str, str]]:
    """The main line of a plan, in which every attack is won, as numbered steps from province to province."""
    route: list[tuple[str, str, str]] = []
    places: dict[str, str | None] = dict(position.romans)
    for number, action in enumerate(() if steps is None else steps.main_line(), start=1):
        who = action.figure or position.to_move
        here = places.get(who)
        target = action.place if action.place in position.board.provinces else here
        if target is not None:
            route.append((here or target, target, str(number)))
        won = action.outcome is Outcome.VICTORY and action.place != PIRATES
        if won or action.kind in (Kind.ENTER, Kind.MOVE, Kind.DEPLOY):
            places[who] = target
    return route
