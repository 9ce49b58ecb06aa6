"""Rules in play: what applies in a step of a game, and how often in games of a policy.

A rule *applies* in a step when something came of it: a card that was replaced, a chain of more than one outbreak, a die that
pacified. What is listed can be seen from the position before and the state after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from tetrasolve.errors import ArgumentError
from tetrasolve.exact.deadline import is_over
from tetrasolve.finem import rules
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.policies import greedy
from tetrasolve.finem.position import WON, Position, Result, State, Step
from tetrasolve.finem.ruleset import ROLES, Ruleset
from tetrasolve.stop import Stop

GREEDY, RANDOM = "greedy", "random"
PLAYERS = (GREEDY, RANDOM)
EVENTS = ("5", "6", "7", "S", "C", "R")
ENDS = (WON, "lost: outbreaks", "lost: decline", "lost: reserve")
RULES: Mapping[str, str] = {
    **{f"step {step}": f"the step {step} of a turn" for step in Step},
    **{f"event {rank}": f"the special event of a card of rank {rank}" for rank in EVENTS},
    **{f"role {role}": f"a turn as {role}" for role in ROLES},
    **{f"end {end}": f"the game ends: {end}" for end in ENDS},
    "outbreak": "an outbreak",
    "chain": "a chain of two outbreaks or more",
    "crisis-outbreak": "a crisis on a region that had cubes of its suit",
    "eradicated": "a die is put away",
    "returned": "an eradicated tribe comes back",
    "gone-card": "a card of an eradicated tribe puts no cube",
    "pacified-by-die": "a point pacifies",
    "pacified-by-action": "the action Pacify",
    "pacified-again": "a tribe is pacified that was pacified before",
    "magister-all": "the Magister removes more than one cube with an action",
    "consul-far": "Consul or Emperor move to a region that is not adjacent",
    "replaced": "the card of a protected region is replaced",
    "exchanged": "the Tribune exchanges a card",
    "decline-2": "two cards of a suit move the decline",
    "decline-3": "three cards of a suit move the decline",
    "third-card": "an invasion of three or four cards",
}


@dataclass(frozen=True, slots=True)
class Profile:
    """How often each rule applied in games of a table: games, the turns in them, and by rule the number of games and of steps."""

    table: str
    games: int
    turns: int
    in_games: Mapping[str, int]
    steps: Mapping[str, int]

    def never(self) -> tuple[str, ...]:
        """The rules that applied in none of the games."""
        return tuple(rule for rule in RULES if not self.in_games.get(rule))

    def as_data(self) -> dict[str, object]:
        """The profile as JSON data."""
        rows = {rule: {"games": self.in_games.get(rule, 0), "steps": self.steps.get(rule, 0)} for rule in RULES}
        return {"table": self.table, "games": self.games, "turns": self.turns, "rules": rows}


def applied(before: Position, option: str, after: State) -> Iterator[str]:
    """The rules that apply where an option came in a position."""
    yield f"step {before.step}"
    if isinstance(after, Result):
        yield "end lost: reserve" if after.text.startswith("lost: no cube") else f"end {after.text}"
    if before.step is Step.EVENT:
        yield f"event {option[1]}"
    if before.step in (Step.ROLE, Step.APPOINT):
        yield f"role {option}"
    yield from _of_action(before, option)
    yield from _of_cards(before, option)
    if isinstance(after, Position):
        yield from _of_table(before, after)


def _of_action(before: Position, option: str) -> Iterator[str]:
    verb, *words = option.split()
    if before.step is Step.ACT and verb == "pacify":
        yield "pacified-by-action"
    if verb == "confront" and "all" in words:
        yield "magister-all"
    if before.step is Step.ACT and verb == "move" and words[0] not in before.layout.neighbours[before.pawn]:
        yield "consul-far"
    if verb == "exchange":
        yield "exchanged"


def _of_cards(before: Position, option: str) -> Iterator[str]:
    if before.step is Step.INVADE:
        if option == before.protected:
            yield "replaced"
        if before.left > 2:
            yield "third-card"
    if before.step in (Step.INVADE, Step.CRISIS) and before.is_eradicated(option[0]):
        yield "gone-card"
    if before.step is Step.CRISIS and before.count(option, option[0]) and not before.is_eradicated(option[0]):
        yield "crisis-outbreak"
    if before.step is Step.DRAW and len(before.hand) == 2:
        suits = len({card[0] for card in (*before.hand, option)})
        if suits < 3:
            yield "decline-2" if suits == 2 else "decline-3"


def _of_table(before: Position, after: Position) -> Iterator[str]:
    more = after.outbreaks - before.outbreaks
    if more:
        yield "outbreak"
    if more > 1:
        yield "chain"
    for tribe in TRIBES:
        if before.die(tribe) and not after.die(tribe):
            yield "eradicated"
        if after.die(tribe) and not before.die(tribe):
            yield "returned"
        by_die = before.step is not Step.ACT and (tribe not in before.pacified and tribe in after.pacified)
        if by_die:
            yield "pacified-by-die"
        fell = tribe in before.pacified and before.die(tribe) > 1 and after.die(tribe) == 1
        if fell and before.step in (Step.ACT, Step.DRAW, Step.RAISE, Step.CRISIS, Step.EXCHANGE):
            yield "pacified-again"


Steps = Iterator[tuple[Position, str, State]]


def games_of(table: str, count: int, *, policy: str = GREEDY, seed: int = 0) -> Iterator[Steps]:
    """Games by a policy, greedy or random, each step by step.

    :raises ArgumentError: for another policy.
    """
    if policy not in PLAYERS:
        raise ArgumentError("policy", policy, f"one of {', '.join(PLAYERS)}")
    for number in range(count):
        yield _game(Ruleset.from_text(table), policy, f"{table} {seed} {number}")


def _game(ruleset: Ruleset, policy: str, seed: str) -> Steps:
    random = Random(seed)
    state = rules.random_set_up(ruleset, seed)
    while isinstance(state, Position):
        found = rules.node(state)
        by_chance = found.is_chance or policy != GREEDY
        option = random.choice(found.options) if by_chance else greedy(state, found)
        following = rules.take(state, option)
        yield state, option, following
        state = following


def profile(table: str, count: int, *, policy: str = GREEDY, seed: int = 0, stop: Stop | None = None) -> Profile:
    """The rules in play in so many games of a table; fewer where `stop` is set before.

    :raises ArgumentError: for a policy that is not greedy or random.
    """
    in_games: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    played = turns = 0
    for game in games_of(table, count, policy=policy, seed=seed):
        if is_over(stop):
            break
        seen: Counter[str] = Counter()
        for before, option, after in game:
            seen.update(applied(before, option, after))
            turns += before.step is Step.DRAW and not before.hand
        in_games.update(seen.keys())
        steps.update(seen)
        played += 1
    return Profile(table, played, turns, dict(in_games), dict(steps))
