"""The table of chances: (d6 + g) x 2^e against (d6 + r) x 2^a, for all groups and supports that the pieces allow.

g is the Emperor's group: his garrisons, at most 5, and two printed discs. r is the army's group of revolts. e counts the
other Emperors beside the army, a the other armies beside the Emperor. No row of the board is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import many, words
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.numbers import ARMIES, IP_A_TURN, REVOLTS
from tetrasolve.tetrarchia.rules import Battle

GROUPS = range(5 + 2 + 1)  # of an Emperor: garrisons of the easiest level, and two printed discs
REVOLT_GROUPS = range(REVOLTS + 1)
EMPERORS = range(4)
SUPPORTERS = range(ARMIES)
PAIRS = 36  # of faces
NONE = "none"  # no group is large enough
EDGE = 6  # from this difference on the dice cannot change who wins


@lru_cache(maxsize=65536)
def odds(g: int, e: int, r: int, a: int) -> tuple[int, int, int]:
    """Victories, draws and defeats among the 36 pairs of faces."""
    counts = Battle(g, e, r, a).chances()
    return counts.get(Outcome.VICTORY, 0), counts.get(Outcome.DRAW, 0), counts.get(Outcome.DEFEAT, 0)


def _support(instance: str) -> str:
    """The support of both sides, in words."""
    emperors, armies = many(int(instance[1]), "other Emperor"), many(int(instance[4]), "other army", "other armies")
    return f"{emperors} beside the army and {armies} beside the Emperor".replace("0 other", "no other")


def _row(values: Iterator[object]) -> tuple[str, ...]:
    return tuple(map(str, values))


# -- the table -------------------------------------------------------------------------------------------------


@cache
def _battles() -> dict[str, Values]:
    """For each support the table, the least groups, and what one more disc or Emperor would be worth."""
    return {
        f"e{e}-a{a}": _table(e, a) | _least_groups(e, a) | (_worth(e, a) if e + 1 in EMPERORS else {})
        for e, a in product(EMPERORS, SUPPORTERS)
    }


def _say_battle(instance: str, v: Values) -> str:
    say = f"With {_support(instance)}: {_say_table(v)}; {_say_least(v)}."
    return say + (f" {_say_worth(v)}." if "emperor" in v else "")


def _table(e: int, a: int) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for g in GROUPS:
        for index, outcome in enumerate(("victory", "draw", "defeat")):
            values[f"{outcome}.{g}"] = _row(odds(g, e, r, a)[index] for r in REVOLT_GROUPS)
    return values


def _say_table(values: Values) -> str:
    even, behind, lone = (words(values, f"victory.{g}") for g in (0, 3, 7))
    return (
        f"out of 36 rolls an Emperor without a group wins {even[0]} against no revolt and {even[1]} "
        f"against one; with a group of 3 he wins {behind[3]} against three revolts and {behind[7]} against seven; with the "
        f"largest group, 7, he wins {lone[7]} against seven revolts and {lone[21]} against all 21"
    )


# -- least groups ----------------------------------------------------------------------------------------------

GOALS: Mapping[str, Callable[[int, int, int], bool]] = {
    "possible": lambda victory, _, __: victory > 0,
    "better": lambda victory, _, defeat: victory > defeat,
    "likely": lambda victory, _, __: 2 * victory > PAIRS,
    "certain": lambda victory, _, __: victory == PAIRS,
    "safe": lambda _, __, defeat: defeat == 0,
}


def _least_groups(e: int, a: int) -> dict[str, Value]:
    return {
        goal: _row(next((g for g in GROUPS if reached(*odds(g, e, r, a))), NONE) for r in REVOLT_GROUPS)
        for goal, reached in GOALS.items()
    }


def _say_least(values: Values) -> str:
    def most(goal: str) -> str:
        """The largest group of revolts against which some group reaches the goal."""
        reached = [r for r, g in enumerate(words(values, goal)) if g != NONE]
        return (
            f"against up to {many(max(reached), 'revolt')} (with a group of {words(values, goal)[max(reached)]})"
            if reached
            else "never"
        )

    return (
        f"a group of at most 7 makes victory possible {most('possible')}, more likely than defeat "
        f"{most('better')}, more likely than not {most('likely')}, and certain {most('certain')}"
    )


# -- a garrison more, or an Emperor more -----------------------------------------------------------------------


def _worth(e: int, a: int) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for g in GROUPS[:-1]:
        gains = {r: (odds(g + 1, e, r, a)[0], odds(g, e + 1, r, a)[0]) for r in REVOLT_GROUPS}
        values[f"garrison.{g}"] = _row(r for r, (garrison, emperor) in gains.items() if garrison > emperor)
        values[f"emperor.{g}"] = _row(r for r, (garrison, emperor) in gains.items() if emperor > garrison)
    for word in ("garrison", "emperor"):
        values[word] = sum(len(words(values, f"{word}.{g}")) for g in GROUPS[:-1])
    return values


def _say_worth(v: Values) -> str:
    cells = len(GROUPS[:-1]) * len(REVOLT_GROUPS)
    return (
        f"One more Emperor beside the army wins more rolls than one more disc in the group in "
        f"{v['emperor']} of {cells} cases (groups of 0 to 6 against 0 to 21 revolts), one more disc wins more in {v['garrison']}, "
        f"and they win the same in the others"
    )


# -- attacking again -------------------------------------------------------------------------------------------


@cache
def _repeats() -> dict[str, Values]:
    """Chances of victory when an attack is made again after each draw, as long as IP are left."""
    facts: dict[str, Values] = {}
    for cost in (1, 2, 3):
        values: dict[str, Value] = {"attacks": IP_A_TURN // cost}
        for ahead in range(-EDGE, EDGE + 1):
            g, r = max(ahead, 0), max(-ahead, 0)
            victory, draw, _ = (Fraction(count, PAIRS) for count in odds(g, 0, r, 0))
            values[f"{_ahead(ahead)}.once"] = victory
            values[f"{_ahead(ahead)}.again"] = sum(
                (victory * draw**number for number in range(IP_A_TURN // cost)), Fraction(0)
            )
        facts[str(cost)] = values
    return facts


def _say_repeat(cost: str, v: Values) -> str:
    return (
        f"Where an attack costs {cost} IP and equal support decides nothing, a turn of 6 IP can hold "
        f"{many(v['attacks'], 'attack')} as long as the dice draw: with equal groups the chance of victory is {v['even.once']} "
        f"with one attack and {v['even.again']} with all of them; two ahead {v['ahead.2.once']} and {v['ahead.2.again']}; two "
        f"behind {v['behind.2.once']} and {v['behind.2.again']}."
    )


# -- attacking first -------------------------------------------------------------------------------------------


@cache
def _first() -> dict[str, Values]:
    """One battle by groups alone: attacked, waited for, or attacked and after a draw waited for."""
    facts: dict[str, Values] = {}
    for link, comes in (("normal", Fraction(1)), ("broken", Fraction(1, 2))):
        values: dict[str, Value] = {}
        for ahead in range(-EDGE, EDGE + 1):
            victory, draw, defeat = (Fraction(count, PAIRS) for count in odds(max(ahead, 0), 0, max(-ahead, 0), 0))
            for word, chance in (("victory", victory), ("defeat", defeat)):
                values[f"{_ahead(ahead)}.attack.{word}"] = chance
                values[f"{_ahead(ahead)}.wait.{word}"] = comes * chance
                values[f"{_ahead(ahead)}.both.{word}"] = chance + draw * comes * chance
        facts[link] = values
    return facts


def _ahead(difference: int) -> str:
    return f"ahead.{difference}" if difference > 0 else f"behind.{-difference}" if difference < 0 else "even"


def _say_first(link: str, v: Values) -> str:
    return (
        f"Where the position stays as it is and a {link} link leads from the army to the Emperor, with equal groups he wins with "
        f"chance "
        f"{v['even.attack.victory']} if he attacks, with {v['even.wait.victory']} if he waits, and with "
        f"{v['even.both.victory']} if he attacks and, after a draw, waits; he loses with {v['even.attack.defeat']}, "
        f"{v['even.wait.defeat']} and {v['even.both.defeat']}."
    )


# -- facts -----------------------------------------------------------------------------------------------------


TOPICS = (
    recounted(
        "battle",
        "combat",
        "How battles end: by group, revolts and support; attacking again, and attacking first",
        "the 36 pairs of faces, for every group of Rome from 0 to 7 and every group of revolts from 0 to 21",
        (),
        {
            "": Group(lambda _: _battles(), _say_battle),
            "again-cost": Group(lambda _: _repeats(), _say_repeat),
            "first": Group(lambda _: _first(), _say_first),
        },
        ruleset="every ruleset of the base game",
    ),
)
