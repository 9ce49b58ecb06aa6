"""Imperium (page 14) in a Roman phase: each use of a power costs a disc for good."""

from collections.abc import Iterator
from itertools import combinations

from pirates import PIRATES
from rules import IP_A_TURN
from situations import CONSTANTIUS, DIOCLETIAN, GALERIUS, MAXIMIAN, RESERVE, Deed, Dice, Rules, Situation, sure

READINGS = {"I-IMPERIUM-BORDER": ("stays", "any"), "I-MAXIMIAN-WHEN": ("any-time", "first")}
READINGS |= {"I-CONSTANTIUS-WHEN": ("after-check", "before-check"), "I-GALERIUS-DEFENDS": ("adds", "not")}
READINGS |= {"I-GALERIUS-SEA": ("adds", "not")}
MAXIMIAN_GAINS = 1  # IP

Payments = tuple[str, ...]


def lying(rules: Rules, now: Situation) -> list[str]:
    """The provinces with discs of the active Emperor with which he can pay; those of borders perhaps stay."""
    kept = rules.board.borders if rules.readings["I-IMPERIUM-BORDER"] == "stays" else set()
    return rules.in_order(now.table.garrisons[rules.active] - kept)


def purse(rules: Rules, now: Situation) -> int:
    """The discs with which the active Emperor can pay."""
    return rules.reserve(now) + len(lying(rules, now))


def paid(rules: Rules, now: Situation, payments: Payments) -> Situation:
    """The situation without these discs of his."""
    counts, garrisons = list(now.paid), list(now.table.garrisons)
    counts[rules.active] += len(payments)
    garrisons[rules.active] -= set(payments)
    return now._replace(paid=tuple(counts), table=now.table._replace(garrisons=tuple(garrisons)))


def powers(rules: Rules, now: Situation) -> Iterator[Deed]:
    """Once in their turns Diocletian may pay to lead others, and Maximian for one more IP."""
    late = rules.active == MAXIMIAN and now.ip < IP_A_TURN and rules.readings["I-MAXIMIAN-WHEN"] == "first"
    if "imperium" not in rules.use or rules.active not in (DIOCLETIAN, MAXIMIAN) or now.power or late:
        return
    more = MAXIMIAN_GAINS if rules.active == MAXIMIAN else 0
    for disc in ([RESERVE] if rules.reserve(now) > 0 else []) + lying(rules, now):
        yield sure(f"imperium {disc}", paid(rules, now, (disc,))._replace(power=True, ip=now.ip + more))


def led(rules: Rules, now: Situation) -> list[int]:
    """The other Emperors, where Diocletian has paid to move them."""
    if not (rules.active == DIOCLETIAN and now.power):
        return []
    return [who for who in (GALERIUS, CONSTANTIUS, MAXIMIAN) if now.places[who] is not None]


def adds(rules: Rules, now: Situation, leader: int, target: str) -> bool:
    """Whether he who leads an attack can add to his die."""
    sea = target != PIRATES or rules.readings["I-GALERIUS-SEA"] == "adds"
    return "imperium" in rules.use and rules.active == leader == GALERIUS and sea and purse(rules, now) > 0


def payments(rules: Rules, now: Situation) -> Iterator[Payments]:
    """All that Galerius can pay for a battle, nothing first: discs of the reserve, and of provinces."""
    places = lying(rules, now)
    for many in range(purse(rules, now) + 1):
        for lie in range(min(many, len(places)) + 1):
            if many - lie <= rules.reserve(now):
                yield from ((RESERVE,) * (many - lie) + some for some in combinations(places, lie))


def shown(
    rules: Rules, now: Situation, target: str, price: int, strengths: tuple[int, int, int, int]
) -> dict[Dice, int]:
    """What the dice of his attack can show, with how many of 36 pairs of faces."""
    g, e, r, a = strengths
    found: dict[Dice, int] = {}
    for roman in range(1, 7):
        for barbarian in range(1, 7):
            ahead = [(roman + g + n) * 2**e - (barbarian + r) * 2**a for n in range(purse(rules, now) + 1)]
            draw = next((n for n, by in enumerate(ahead) if by >= 0), None)
            victory = next((n for n, by in enumerate(ahead) if by > 0), None)
            dice = Dice(target, price, draw, victory)
            found[dice] = found.get(dice, 0) + 1
    best = sorted(found, key=lambda dice: [99 if n is None else n for n in (dice.victory, dice.draw)])
    return {dice: found[dice] for dice in best}


def trouble(rules: Rules, now: Situation) -> str:
    """Why powers cannot have been used like this; empty if they can."""
    if any(len(own) + paid > rules.supply for own, paid in zip(now.table.garrisons, now.paid, strict=True)):
        return "an Emperor has not so many discs to pay with"
    unpaid = rules.active not in (DIOCLETIAN, MAXIMIAN) or not now.paid[rules.active]
    if now.power and (unpaid or now.places[rules.active] is None):
        return "a power is used that nobody has paid for in his turn"
    return ""
