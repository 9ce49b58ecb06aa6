"""The fewest turns to win with kind cards and to lose with cruel ones, and what the first turn can bring.

A game that takes so few is a certificate, card by card. The bound to the fewest turns of a victory is that of the dice alone
(`tetrasolve.finem.facts.dice`), that of a loss is that no card puts a cube before the fourth of a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, product

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.certificates import fact_certificate
from tetrasolve.claims.fact import Topic, Values
from tetrasolve.claims.saying import many, whole
from tetrasolve.errors import FactError
from tetrasolve.finem import numbers, rules
from tetrasolve.finem.facts.dice import Turn, soonest
from tetrasolve.finem.facts.ground import BORDERS
from tetrasolve.finem.layout import FLAT, REGIONS, TRIBES
from tetrasolve.finem.position import WON, Position, Result, State, Step
from tetrasolve.finem.ruleset import Ruleset

WINS: Mapping[str, str] = {
    "introductory": "introductory",
    "standard": "standard",
    "introductory-pacify-action": "introductory?E-PACIFY=action",
    "standard-pacify-action": "standard?E-PACIFY=action",
    "introductory-prefect-turn": "introductory?E-PREFECT=turn",
    "standard-prefect-turn": "standard?E-PREFECT=turn",
    "introductory-event-never": "introductory?E-EVENT=never",
    "standard-event-never": "standard?E-EVENT=never",
}
LOSSES: Mapping[str, str] = {
    "introductory": "introductory",
    "standard": "standard",
    "standard-sphere": "standard+sphere",
    "standard-cap3": "standard+cap3",
}
# Few cubes of each tribe, on regions without neighbours of theirs among them; and three regions of a tribe in a row
KIND_START = ("O5", "C6", "E7", "BS", "B6", "OC", "CR", "ES", "C7")
CRUEL_START = ("O6", "O7", "OC", "B5", "B7", "C5", "E5", "E7", "C6")
CRUEL_CARDS = ("E6", "ES", "ER", "O7")

Played = tuple[tuple[str, ...], State]  # the cards and decisions of a game, and how it ended


# -- games ------------------------------------------------------------------------------------------------------------


@cache
def won_game(text: str) -> tuple[int, str, tuple[str, ...]]:
    """The fewest turns of a victory, its phase, and a game from `KIND_START` that takes them.

    :raises FactError: when no such game was found, which is a mistake of this module.
    """
    ruleset = Ruleset.from_text(text)
    turns, phase, way = soonest(ruleset)
    words: list[str] = []
    state = rules.set_up(ruleset, KIND_START)
    for number, turn in enumerate(way, start=1):
        state = _played(state, turn, words, is_last=number == len(way), following=way[number : number + 1])
    if state != Result(WON):
        raise FactError(f"{text}: the game ends {state}, expected {WON}")
    return turns, phase, tuple(words)


def _played(state: State, turn: Turn, words: list[str], *, is_last: bool, following: tuple[Turn, ...]) -> State:
    """A turn of a kind game: the dice as planned, all other cards as harmless as they can be."""
    pacify = [f"pacify {tribe}" for tribe in turn.pacified]
    hand = list(turn.hand)
    while isinstance(state, Position):
        options = rules.node(state).options
        match state.step:
            case Step.ACT:
                option = pacify.pop(0) if pacify else "pass"
            case Step.DRAW:
                option = next(card for card in _calmest(state, options) if card[0] == hand[0] and card[1] not in "6S")
                hand.pop(0)
            case Step.EVENT:
                option = next(card for card in options if card[1] == ("S" if turn.raised else "6"))
            case Step.RAISE:
                option = f"raise {turn.raised}"
            case Step.DISCARD | Step.DISCARD_EVENT:
                option = next(o for o in options if _leads(state, o, turn, is_last=is_last))
            case Step.ROLE:
                option = following[0].role if following else options[0]
            case _:
                option = next(_calmest(state, options))
        words.append(option)
        is_over, state = state.step is Step.ROLE, rules.take(state, option)
        if is_over:
            return state
    return state


def _leads(state: Position, option: str, turn: Turn, *, is_last: bool) -> bool:
    """Whether taking points off leads to the planned dice; the last discard of the turn has to."""
    after = rules.take(state, option)
    if is_last or not isinstance(after, Position):
        return True
    return after.dice == turn.after[0] or state.step is Step.DISCARD_EVENT


def _calmest(state: Position, options: Iterable[str]) -> Iterator[str]:
    """Cards by how little they do: the fewest cubes of the tribe in the region, then on the map."""
    cards = [option for option in options if option in REGIONS]
    yield from sorted(cards, key=lambda card: (state.count(card, card[0]), state.on_map(card[0])))


@cache
def lost_game(text: str) -> tuple[int, tuple[str, ...]]:
    """The fewest cards to a loss in the first turn, and a game from `CRUEL_START` that takes them.

    :raises FactError: when it does not, which is a mistake of this module.
    """
    ruleset = Ruleset.from_text(text)
    words = ("pass", *CRUEL_CARDS)
    state: State = rules.set_up(ruleset, CRUEL_START)
    for word in words:
        state = rules.take(state, word)
    if not isinstance(state, Result) or state.is_won:
        raise FactError(f"{text}: the cruel cards do not lose")
    return len(CRUEL_CARDS), words


def _wins(board: object) -> dict[str, Values]:
    del board
    found = {name: soonest(Ruleset.from_text(text)) for name, text in WINS.items()}
    return {name: {"turns": turns, "phase": phase} for name, (turns, phase, _) in found.items()}


def _losses(board: object) -> dict[str, Values]:
    del board
    return {name: {"turns": 1, "cards": lost_game(text)[0]} for name, text in LOSSES.items()}


def _certified(
    topic: str, names: Mapping[str, str], cards: tuple[str, ...], words: Callable[[str], tuple[str, ...]]
) -> Callable[[object, str, Values], Certificate]:
    def certify(board: object, instance: str, values: Values) -> Certificate:
        from tetrasolve.finem.facts.subject import read_subject

        del board
        subject, text = read_subject(), names[instance]
        game = [f"{text} {'.'.join(cards)}", *words(text)]
        fact_id = f"{topic}/{instance}"
        return fact_certificate("finem-game", subject.id, subject.digest(), fact_id, {}, values, {"game": game})

    return certify


# -- the first turn -------------------------------------------------------------------------------------------------------


def _first(board: object) -> dict[str, Values]:
    del board
    return {"free": _free(), "lost": _lost()}


def _free() -> Values:
    """With E-PACIFY=free the four actions of the first turn win; cubes matter only to eradication: none, or some, of each tribe."""
    cases = wins = 0
    for level, win, look in product(("introductory", "standard"), ("at-once", "phase"), ("removal", "own", "always")):
        if level == "standard" and look != "removal":
            continue
        readings = {"E-PACIFY": "free", "E-WIN": win} | ({"E-ERADICATE": look} if level == "introductory" else {})
        ruleset = Ruleset(level, interpretations=tuple(readings.items()))
        for some in product((0, 1), repeat=len(TRIBES)):
            state: State = rules.set_up(ruleset, KIND_START).replace(cubes=((0,) * 4,) * len(REGIONS))  # type: ignore[union-attr]
            for tribe, number in zip(TRIBES, some, strict=True):
                assert isinstance(state, Position)
                state = state.with_count(tribe + "5", tribe, number)
            for tribe in TRIBES:
                state = rules.take(state, f"pacify {tribe}")
            cases, wins = cases + 1, wins + (state == Result(WON))
    return {"cases": cases, "wins": wins, "actions": numbers.ACTIONS, "cards": 0}


def _lost() -> Values:
    """Three regions of the set-up, two of them with three cubes: a crisis on the third and invasions of the two lose.

    The fewest cubes that they can have are looked at: with more of them a chain has at least the same outbreaks.
    """
    tables = lost = 0
    for border in BORDERS:
        options = frozenset() if border == FLAT else frozenset({"sphere"})
        readings = (("E-SPHERE", "skip"),) if border == "skip" else ()
        start = rules.set_up(Ruleset("standard", options, readings), KIND_START)
        assert isinstance(start, Position)
        start = start.replace(cubes=((0,) * 4,) * len(REGIONS))
        for one, other in combinations(REGIONS, 2):
            for third in REGIONS:
                if third in (one, other):
                    continue
                state: State = (
                    start.with_count(one, one[0], 3).with_count(other, other[0], 3).with_count(third, third[0], 1)
                )
                tables += 1
                lost += _loses(state, one, other, third)
    return {"tables": tables, "lost": lost, "turns": 1, "outbreaks": 3}


def _loses(state: State, one: str, other: str, third: str) -> bool:
    """Whether three cards of a suit, a crisis on the third region and invasions of the two lose after a pass."""
    suit = next(t for t in TRIBES if sum(card[0] == t for card in (one, other, third)) <= 3)
    hand = [card for card in REGIONS if card[0] == suit and card not in (one, other, third)][: numbers.CAMPAIGN_CARDS]
    for option in ("pass", *hand, third, one, other):
        if isinstance(state, Result):
            break
        state = rules.take(state, option)
    return isinstance(state, Result) and not state.is_won


# -- the decline --------------------------------------------------------------------------------------------------------

THREES = ("crisis", "two", "stop", "need")


def _declines(board: object) -> dict[str, Values]:
    from tetrasolve.finem.tracks import moved

    del board
    found: dict[str, Values] = {}
    for option, end in (("", ""), ("cap3", "nine"), ("cap3", "ten")):
        for three in THREES:
            chosen = (("E-THREE", three), *((("E-CAP3-END", end),) if option else ()))
            ruleset = Ruleset("standard", frozenset({option} - {""}), chosen)
            turns, decline = 0, numbers.FIRST_DECLINE
            while decline < ruleset.most_decline:  # two of a suit never move it further than three
                turns, decline = turns + 1, max(moved(ruleset, decline, suits) for suits in (1, 2, 3))
            found["-".join(filter(None, (option, end, three)))] = {"turns": turns, "at": ruleset.most_decline}
    return found


def _say_win(instance: str, values: Values) -> str:
    return (
        f"With the kindest cards and `{WINS[instance]}` a game is won in turn {values['turns']} at the earliest, in its "
        f"{values['phase']} phase."
    )


def _say_loss(instance: str, values: Values) -> str:
    return f"With the cruellest cards and `{LOSSES[instance]}` a game is lost in turn {values['turns']} by card {values['cards']}."


def _say_first(instance: str, values: Values) -> str:
    if instance == "free":
        return (
            f"With E-PACIFY=free the {values['actions']} actions of the first turn win from every start, before a card is drawn "
            f"({values['wins']} of {values['cases']} cases)."
        )
    return (
        "Every start can be lost in its first turn: if the player passes, there are cards with which three outbreaks follow "
        f"({whole(values, 'lost'):,} of {whole(values, 'tables'):,} tables with the fewest cubes)."
    )


def _say_decline(instance: str, values: Values) -> str:
    return f"The decline loses in turn {values['turns']} at the earliest ({instance}: at {many(values['at'], 'cube')})."


TOPICS = (
    Topic(
        "win-soonest", "tempo", "The fewest turns to win", "all ways of the dice alone, and a game that takes no more",
        "finem-game", ("map", "numbers"), _wins,
        _certified("win-soonest", WINS, KIND_START, lambda text: won_game(text)[2]), _say_win,
        ruleset="the named ruleset", effort=15,
    ),
    Topic(
        "lose-soonest", "tempo", "The fewest turns and cards to lose", "no card puts a cube before the fourth, and a game",
        "finem-game", ("map", "numbers"), _losses,
        _certified("lose-soonest", LOSSES, CRUEL_START, lambda text: lost_game(text)[1]), _say_loss,
        ruleset="the named ruleset", effort=0.1,
    ),
    Topic(
        "first-turn", "tempo", "What the first turn can bring", "all cases that differ for the rules", "", ("map", "numbers"),
        _first, None, _say_first, ruleset="every level and option, with the usual readings", effort=20,
    ),
    Topic(
        "decline-soonest", "tempo", "The fewest turns to lose by decline", "the largest move of each turn", "",
        ("numbers",), _declines, None, _say_decline, ruleset="every level", effort=0.1,
    ),
)  # fmt: skip
