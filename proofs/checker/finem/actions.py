"""The best actions of a turn: all sequences are carried out by the rules, and the claim is held against the best of them.

What the actions aim at is a linear evaluation of the position in which they end, before a card of the campaign is drawn. The
Dictator's cards are chance: the value of a ride is the mean over the deck. A certificate has a claim and nothing beside it, so the
verdict depends on the claim alone.
"""

import re
from collections.abc import Mapping
from fractions import Fraction

from text import Lines, Unreadable

from finem import rules
from finem.map import Map
from finem.position import State, cannot_occur, read_start

KIND = "finem-actions"
MOST_STATES = 200_000  # of a phase of actions: more would take minutes here
WORD = re.compile(r"(?:(outbreaks|decline|constant|won|lost)|(die|pacified|cubes)(?::([OCEB]))?)=(0|-?[1-9][0-9]{0,4})")
SINGLE = ("outbreaks", "decline", "constant", "won", "lost")
KINDS = ("die", "pacified", "cubes")
LARGEST = {**dict.fromkeys(("constant", "won", "lost"), 10_000), **dict.fromkeys(("outbreaks", "decline", *KINDS), 500)}

Weights = Mapping[str, tuple[int, ...]]  # one number, or one for each tribe


def check_actions(lines: Lines, tables: list[Map]) -> str:
    """What a certificate of actions proves, in a sentence."""
    start = read_start(lines, tables)
    if trouble := cannot_occur(start):
        raise lines.unreadable(f"this position cannot occur: {trouble}")
    side, weights = read_objective(lines.field("objective"), lines)
    value = read_value(lines.field("value"), lines)
    at_value = lines.number
    actions = [] if (text := lines.field("actions")) == "none" else text.split(", ")
    search = Search(side, weights)
    end = follow(lines, start, actions)
    best = search.best(start)
    if value != best:
        lines.number = at_value
        raise lines.refuted(f"the best value is {best}, not {value}")
    reached = search.best(end)
    if reached != best:
        lines.number = at_value + 1
        raise lines.refuted(f"these actions reach {reached}, the best are worth {best}")
    lines.end()
    return f"no actions are better than {text}: {side} {best}"


def follow(lines: Lines, state: State, actions: list[str]) -> rules.Next:
    """The position after the stated actions, to a ride at most; then the phase is passed, unless a card is drawn."""
    after: rules.Next = state
    for number, action in enumerate(actions, start=1):
        if isinstance(after, str) or after.step != "act":
            raise lines.refuted(f"action {number}, '{action[:40]}', comes when the actions are over")
        if action == "pass":
            raise lines.refuted(
                f"action {number} is 'pass': the actions end without it, as the phase is passed after the last"
            )
        if action not in rules.choices(after):
            raise lines.refuted(f"action {number}, '{action[:40]}', is not legal there")
        after = rules.after(after, action)
    if isinstance(after, State) and after.step == "act":
        after = rules.after(after, "pass")
    return after


class Search:
    """The best value of each state of a phase of actions."""

    def __init__(self, side: str, weights: Weights) -> None:
        self.weights = weights
        self.choose = max if side == "most" else min
        self.known: dict[tuple[object, ...], Fraction] = {}

    def best(self, state: rules.Next) -> Fraction:
        """The best value that can be reached; each action leaves fewer, so that it comes to an end."""
        if isinstance(state, str):
            return Fraction(self.weights["won" if state == rules.WON else "lost"][0])
        if state.step not in ("act", "dictator", "ride"):
            return Fraction(self.worth(state))
        key = state[1:]  # all but the rules, which stay the same
        if key in self.known:
            return self.known[key]
        if len(self.known) >= MOST_STATES:
            raise Unreadable(f"this phase has more than {MOST_STATES} states, too many to be counted here")
        values = [self.best(rules.after(state, choice)) for choice in rules.choices(state)]
        is_card = state.step in rules.CHANCE
        found = sum(values, Fraction(0)) / len(values) if is_card else self.choose(values)
        self.known[key] = found
        return found

    def worth(self, state: State) -> int:
        """The evaluation of a position."""
        totals = [rules.total(state, suit) for suit in range(4)]
        value = self.weights["constant"][0]
        value += self.weights["outbreaks"][0] * state.outbreaks + self.weights["decline"][0] * state.decline
        for name, numbers in (("die", state.dice), ("pacified", state.pacified), ("cubes", totals)):
            value += sum(weight * int(number) for weight, number in zip(self.weights[name], numbers, strict=True))
        return value


def read_objective(text: str, lines: Lines) -> tuple[str, Weights]:
    """``most`` or ``least`` and an evaluation, each weight that is not 0 in its place."""
    side, _, rest = text.partition(" ")
    weights = {**dict.fromkeys(SINGLE, (0,)), **dict.fromkeys(KINDS, (0, 0, 0, 0))}
    if side not in ("most", "least"):
        raise lines.unreadable("expected 'most' or 'least' and weights")
    for word in rest.split(" "):
        match = WORD.fullmatch(word)
        if match is None or abs(int(match[4])) > LARGEST[match[1] or match[2]]:
            raise lines.unreadable(f"weight '{word[:40]}': expected one like cubes=-1 or die:O=2")
        number = int(match[4])
        if match[1]:
            weights[match[1]] = (number,)
        else:
            row = weights[match[2]]
            weights[match[2]] = tuple(
                number if match[3] in (None, suit) else old for suit, old in zip("OCEB", row, strict=True)
            )
    if write_objective(side, weights) != text:
        raise lines.unreadable(f"the usual form of this objective is '{write_objective(side, weights)}'")
    return side, weights


def write_objective(side: str, weights: Weights) -> str:
    """The one text of an objective."""
    words = [f"{name}={weights[name][0]}" for name in SINGLE if weights[name][0]]
    for name in KINDS:
        if len(set(weights[name])) == 1:
            words += [f"{name}={weights[name][0]}"] * (weights[name][0] != 0)
        else:
            words += [f"{name}:{suit}={number}" for suit, number in zip("OCEB", weights[name], strict=True) if number]
    return " ".join([side, *(words or ["constant=0"])])


def read_value(text: str, lines: Lines) -> Fraction:
    """A number, negative or not, in the one usual way."""
    number = lines.fraction(text.removeprefix("-"))
    if text.startswith("-") and not number:
        raise lines.unreadable("expected 0 without a sign")
    return -number if text.startswith("-") else number
