"""What never happens, and positions in which every card loses, counted again."""

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, product

from finem import rules
from finem.map import Map
from finem.position import State, too_many
from finem.tempo import all_turns, by_actions, cut, first_state, risen

Values = dict[str, str]

RULESETS = {
    "introductory-automatic": "introductory",
    "introductory-action": "introductory?E-PACIFY=action",
    "standard-automatic": "standard",
    "standard-action": "standard?E-PACIFY=action",
}


def pacify_action(table: Map, instance: str) -> Values:
    """The dice at the beginning of turns, those with a 6, and those at which the action Pacify can be taken."""
    states = [state for _, level in all_turns(RULESETS[instance], table) for state in level]

    def can(role: str) -> str:
        number = 0
        for state in states:
            words = rules.act_choices(state._replace(role=role))
            number += any(word.startswith("pacify") for word in words)
        return str(number)

    six = sum(6 in state.dice for state in states)
    return {"states": str(len(states)), "at-six": str(six), "action": can("none"), "action-prefect": can("prefect")}


def limit(table: Map, instance: str) -> Values:
    """The first turn in which points above eleven are taken off, and the most at once."""
    soonest, most = 0, 0
    for turn, level in all_turns(RULESETS[instance], table):
        for state in level:
            for number in surplus(state, turn):
                soonest, most = soonest or turn, max(most, number)
    return {"soonest": str(soonest), "most": str(most)}


def surplus(state: State, turn: int) -> Iterator[int]:
    """The points above eleven at each moment of a turn at which they are looked at."""
    for role in ("none", "prefect")[: 1 + (turn > 1)]:
        for middle in by_actions(state._replace(role=role)):
            if all(middle.pacified):
                continue
            for suits in combinations_with_replacement(range(4), 3):
                earlier = [middle]
                if len(set(suits)) == 3:
                    events = [state for extra in range(4) for state in risen([middle], (extra,))]
                    yield from (number for event in events if (number := too_many(event)))
                    earlier += cut(events)
                for after in risen(earlier, suits):
                    if number := too_many(after):
                        yield number


def suits(table: Map, instance: str) -> Values:
    """The hands of three cards by their suits."""
    del table, instance
    found = [len({card // 6 for card in hand}) for hand in combinations(range(24), 3)]
    return {f"suits.{number}": str(found.count(number)) for number in range(1, 5)} | {"hands": str(len(found))}


def deck(table: Map, instance: str) -> Values:
    """The most cards of a turn: what is drawn before the invasion, and its four cards."""
    del instance
    start = first_state("standard", table)
    late = start._replace(decline=start.rules.last_decline - 1)
    invading = rules.cards_of_invasion(late)
    # with the campaign: a crisis; an event; the event's civil war, or a card that it replaces in the invasion
    campaign = 3 + max(1, 1, 1 + 1, 1 + 1)
    found = {role: number + campaign + invading for role, number in (("dictator", 4), ("tribune", 1), ("other", 0))}
    most = max(found.values())
    return {f"most.{role}": str(number) for role, number in found.items()} | {"most": str(most), "left": str(24 - most)}


# -- every card loses --------------------------------------------------------------------------------------------------


def doom(table: Map, step: str, cards: int) -> int:
    """The fewest cubes of a tribe with which so many of its cards lose, by trying out all numbers in their regions.

    The rest of the tribe lies elsewhere. Regions with equal numbers are alike, since one outbreak loses.
    """
    start = first_state("standard", table)._replace(outbreaks=3, step=step, left=4, decline=3)
    best = 99
    for counts in combinations_with_replacement(range(4), cards):
        for others in range(13 - sum(counts)) if sum(counts) <= 12 else ():
            if sum(counts) + others >= best:
                break
            state = start
            for region, number in enumerate(counts):
                state = rules.with_cubes(state, region, 0, number)
            place = 6
            for at in range(others):
                place = 6 + at // 3
                state = rules.with_cubes(state, place, 0, at % 3 + 1)
            act = rules.invade_region if step == "invade" else rules.crisis
            if all(isinstance(act(state._replace(hand=(6, 7, 12)), region), str) for region in range(cards)):
                best = sum(counts) + others
    return best


def fewest(table: Map, out: str, step: str) -> Values:
    """The fewest cubes of all tribes with so many cards out, and of the decks with so few the first."""
    of = [0] + [doom(table, step, cards) for cards in range(1, 7)]
    left = 24 - int(out)
    found = [
        (sum(of[cards] for cards in way), tuple(sorted(way, reverse=True)))
        for way in product(range(7), repeat=4)
        if sum(way) == left
    ]
    least, way = min(found)
    return {"cubes": str(least), "deck": ".".join(map(str, way)), "out": out}


COUNTS: dict[str, tuple[tuple[str, ...], Callable[[Map, str], Values]]] = {
    "pacify-action": (tuple(RULESETS), pacify_action),
    "limit": (("standard-automatic", "standard-action"), limit),
    "suits": (("",), suits),
    "deck": (("",), deck),
    "doom-invasion": (tuple(map(str, range(3, 13))), lambda table, out: fewest(table, out, "invade")),
    "doom-crisis": (tuple(map(str, range(3, 9))), lambda table, out: fewest(table, out, "crisis")),
}
