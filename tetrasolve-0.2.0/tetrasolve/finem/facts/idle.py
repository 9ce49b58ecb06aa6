"""What never happens: rules that never apply under a reading, found by all ways of the dice alone, or by counting cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.claims.saying import whole
from tetrasolve.finem import numbers
from tetrasolve.finem.facts.dice import above, actions, campaigns, is_won, points, reached
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.ruleset import Ruleset

TABLES: Mapping[str, str] = {
    "introductory-automatic": "introductory",
    "introductory-action": "introductory?E-PACIFY=action",
    "standard-automatic": "standard",
    "standard-action": "standard?E-PACIFY=action",
}


@cache
def _states(text: str) -> Values:
    ruleset = Ruleset.from_text(text)
    found = dict.fromkeys(("states", "at-six", "action", "action-prefect"), 0)
    for _, state in reached(ruleset):
        found["states"] += 1
        found["at-six"] += numbers.PACIFIED_AT in state[0]
        found["action"] += max(len(taken) for taken, _ in actions(ruleset, state, "none")) > 0
        found["action-prefect"] += max(len(taken) for taken, _ in actions(ruleset, state, "prefect")) > 0
    return dict(found)


@cache
def _limits(text: str) -> Values:
    """When points above eleven first have to be taken off, and how many at most at once."""
    ruleset, soonest, most = Ruleset.from_text(text), 0, 0
    for turn, state in reached(ruleset):
        for role in ("none",) if turn == 1 else ("none", "prefect"):
            for _, middle in actions(ruleset, state, role):
                if is_won(middle):
                    continue
                for number in _taken(ruleset, middle, role):
                    soonest = soonest or turn
                    most = max(most, number)
    return {"soonest": soonest, "most": most}


def _taken(ruleset: Ruleset, state: tuple[tuple[int, int, int, int], frozenset[str]], role: str) -> list[int]:
    """How many points are taken off at once in a campaign, each number."""
    found = set()
    for hand, raised, _ in campaigns(ruleset, state, role):
        first = points(ruleset, state, role, [raised] if raised else [])
        found.add(above(ruleset, first))
        if not above(ruleset, first):
            found.add(above(ruleset, points(ruleset, first, role, [*hand])))
    return sorted(found - {0})


def _dice(board: object) -> dict[str, Values]:
    del board
    return {name: _states(text) for name, text in TABLES.items()}


def _limit(board: object) -> dict[str, Values]:
    del board
    return {name: _limits(text) for name, text in TABLES.items() if name.startswith("standard")}


def _suits(board: object) -> dict[str, Values]:
    del board
    counts = {str(suits): 0 for suits in range(1, len(TRIBES) + 1)}
    for hand in combinations(REGIONS, numbers.CAMPAIGN_CARDS):
        counts[str(len({card[0] for card in hand}))] += 1
    return {"": {f"suits.{suits}": number for suits, number in counts.items()} | {"hands": sum(counts.values())}}


def _deck(board: object) -> dict[str, Values]:
    """The most cards that are drawn in a turn, by role: rides, the campaign, an exchange, event or crisis, the invasion."""
    del board
    most_invading = numbers.INVASIONS_OF_FIRST_CARD + numbers.DECLINE_CARDS - 1
    inner = {"crisis": 1 + most_invading, "war": 2 + most_invading, "protected": 1 + 1 + most_invading}
    before: dict[str, int] = {"dictator": numbers.ACTIONS, "tribune": 1, "other": 0}
    found = {
        role: max(extra + numbers.CAMPAIGN_CARDS + later for later in inner.values()) for role, extra in before.items()
    }
    most = max(found.values())
    return {
        "": {f"most.{role}": number for role, number in found.items()} | {"most": most, "left": len(REGIONS) - most}
    }


def _say_dice(instance: str, values: Values) -> str:
    six = "no die ever stands at 6 where a turn begins" if not values["at-six"] else "a die can stand at 6"
    role = (
        "only the Prefect can ever take the action Pacify"
        if not values["action"]
        else "anybody can take the action Pacify"
    )
    return f"With `{TABLES[instance]}` {six}, and {role} ({values['states']} states of the dice, the order of the tribes apart)."


def _say_limit(instance: str, values: Values) -> str:
    return (
        f"With `{TABLES[instance]}` points above eleven are never taken off before turn {values['soonest']}, and never more than "
        f"{values['most']} at once."
    )


def _say_suits(_: str, values: Values) -> str:
    return (
        f"Three cards never show four suits: of {whole(values, 'hands'):,} hands {whole(values, 'suits.3'):,} show three, so that "
        "with E-EVENT=never the table of events is never used."
    )


def _say_deck(_: str, values: Values) -> str:
    return (
        f"The deck never runs out: at most {values['most']} cards are drawn in a turn, and {values['left']} are left."
    )


def _topic(id_: str, title: str, how: str, derive: Callable[[object], Mapping[str, Values]], say: Callable[[str, Values], str],
           effort: float, ruleset: str) -> Topic:  # fmt: skip
    return Topic(id_, "idle", title, how, "", ("numbers",), derive, None, say, ruleset=ruleset, effort=effort)


TOPICS = (
    _topic(
        "pacify-action",
        "Who can take the action Pacify",
        "all ways of the dice alone",
        _dice,
        _say_dice,
        10,
        "the named ruleset",
    ),
    _topic(
        "limit", "The limit of eleven points", "all ways of the dice alone", _limit, _say_limit, 10, "the named ruleset"
    ),
    _topic("suits", "The suits of a campaign", "all hands of three cards", _suits, _say_suits, 0.1, "every ruleset"),
    _topic(
        "deck", "The cards of a turn", "the most cards of each phase together", _deck, _say_deck, 0.1, "every ruleset"
    ),
)
