"""How soon a game can be won or lost, counted again; games that are that short are carried out by the rules.

The bound of a victory is of the dice alone: as if no cube, no decline and no card were in the way. A state is the position without
cubes; the rules for points, pacification and the limit are those of every turn.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

from claimed import Fact
from text import Lines

from finem import rules
from finem.map import AT, BORDERS, CARDS, Map
from finem.position import READINGS, State, read_rules, too_many

Values = dict[str, str]

RULESETS = {
    "introductory": "introductory",
    "standard": "standard",
    "introductory-pacify-action": "introductory?E-PACIFY=action",
    "standard-pacify-action": "standard?E-PACIFY=action",
    "introductory-prefect-turn": "introductory?E-PREFECT=turn",
    "standard-prefect-turn": "standard?E-PREFECT=turn",
    "introductory-event-never": "introductory?E-EVENT=never",
    "standard-event-never": "standard?E-EVENT=never",
}
LOSING = {
    "introductory": "introductory",
    "standard": "standard",
    "standard-sphere": "standard+sphere",
    "standard-cap3": "standard+cap3",
}


def first_state(text: str, table: Map) -> State:
    """The beginning of a game, without a cube on the map; with two starts the first."""
    found = read_rules(text, table)
    start = found.starts[0]
    return State(found, "none", start, start, start, (1,) * 4, (False,) * 4, 1, 1, (0,) * 96, "act", 4)


# -- the dice alone ----------------------------------------------------------------------------------------------------


def by_actions(state: State) -> Iterator[State]:
    """The dice after up to four pacifications by action, none of a tribe twice; the first without any."""
    can = [word[-1] for word in rules.act_choices(state) if word.startswith("pacify")]
    for number in range(len(can) + 1):
        for chosen in combinations(can, number):
            found = state
            for name in chosen:
                suit = "OCEB".index(name)
                dice = (*found.dice[:suit], 1, *found.dice[suit + 1 :])
                found = found._replace(dice=dice, pacified=(*found.pacified[:suit], True, *found.pacified[suit + 1 :]))
            yield found


def cut(states: Iterable[State]) -> Iterator[State]:
    """The dice after points above eleven are taken off, in every way."""
    for state in states:
        if not too_many(state):
            yield state
            continue
        for word in rules.discard_choices(state):
            dice = list(state.dice)
            for part in word.split(" ")[1:]:
                dice["OCEB".index(part[0])] -= int(part[1:])
            yield state._replace(dice=tuple(dice))


def risen(states: Iterable[State], suits: tuple[int, ...]) -> Iterator[State]:
    """The dice after points for these tribes; a victory does not end it, so that the others are looked at as well."""
    for state in states:
        found = state
        for suit in sorted(set(suits)):
            for _ in range(suits.count(suit)):
                before = found.pacified
                after, did = rules.point(found._replace(pacified=(False,) * 4), suit)  # nothing is won by it alone
                assert isinstance(after, State)
                flags = tuple(old or (did and at == suit) for at, old in enumerate(before))
                found = after._replace(pacified=flags)
                if did and found.rules.readings["E-OVER"] == "lost":
                    break
        yield found


def by_campaign(state: State) -> Iterator[State]:
    """The dice after a campaign with any suits, and the point of an event S where three suits bring one."""
    has_events = state.rules.readings["E-EVENT"] == "three-suits"
    for suits in combinations_with_replacement(range(4), 3):
        yield from cut(risen([state], suits))
        for extra in range(4) if len(set(suits)) == 3 and has_events else ():
            yield from cut(risen(cut(risen([state], (extra,))), suits))


def key(state: State) -> tuple[tuple[int, bool], ...]:
    """The dice without the order of the tribes, who are alike."""
    return tuple(sorted(zip(state.dice, state.pacified, strict=True)))


@lru_cache(maxsize=4)
def all_turns(text: str, table: Map) -> tuple[tuple[int, list[State]], ...]:
    """All of `turns` of a ruleset."""
    return tuple(turns(first_state(text, table)))


def turns(start: State) -> Iterator[tuple[int, list[State]]]:
    """Turn by turn the dice at its beginning that were not there before."""
    known, level, turn = {key(start)}, [start], 1
    while level:
        yield turn, level
        following = []
        for state in level:
            for role in ("none",) if turn == 1 else ("none", "prefect"):
                for middle in by_actions(state._replace(role=role)):
                    for after in () if all(middle.pacified) else by_campaign(middle):
                        if not all(after.pacified) and key(after) not in known:
                            known.add(key(after))
                            following.append(after)
        level, turn = following, turn + 1


def soonest(start: State) -> tuple[int, str]:
    """The turn and the phase in which all tribes can first be pacified."""
    for turn, level in turns(start):
        phases = set()
        for state in level:
            for role in ("none",) if turn == 1 else ("none", "prefect"):
                for middle in by_actions(state._replace(role=role)):
                    if all(middle.pacified):
                        phases.add("actions")
                    elif any(all(after.pacified) for after in by_campaign(middle)):
                        phases.add("campaign")
        if phases:
            return turn, min(phases)
    raise AssertionError("no dice win")


# -- games -------------------------------------------------------------------------------------------------------------


def played(lines: Lines, table: Map, text: str) -> tuple[str, int, str, int]:
    """How the game of a certificate ends, the turn and the phase in which it does, and the cards drawn in that turn."""
    game = list(lines.section("game"))
    if not game:
        raise lines.refuted("there is no game")
    ruleset, _, cards = game[0].partition(" ")
    if ruleset != text:
        raise lines.refuted(f"the game is one of {ruleset[:60]}, not of {text}")
    drawn = cards.split(".")
    if len(drawn) != 9 or len(set(drawn)) != 9 or not set(drawn) <= set(CARDS):
        raise lines.refuted("expected nine different cards of a set-up")
    state = rules.set_up(first_state(text, table), tuple(AT[card] for card in drawn))
    turn, number, phase = 1, 0, "actions"
    for word in game[1:]:
        if isinstance(state, str):
            raise lines.refuted(f"'{word}' comes after the end of the game")
        if word not in rules.choices(state):
            raise lines.refuted(f"'{word[:40]}' cannot come at step {state.step} of turn {turn}")
        phase = "actions" if state.step in ("act", "dictator", "ride") else "campaign" if state.step not in (
            "invade", "swap", "order", "role", "appoint") else "invasion"  # fmt: skip
        number += word in CARDS
        was = state.step
        state = rules.after(state, word)
        if was in ("role", "appoint"):
            turn, number = turn + 1, 0
    if isinstance(state, State):
        raise lines.refuted("the game does not end")
    return state, turn, phase, number


def win_soonest(lines: Lines, table: Map, fact: Fact) -> Values:
    """The fewest turns to win: no game is shorter, by the dice alone, and this one is no longer."""
    if fact.instance not in RULESETS:
        raise lines.refuted(f"there is no fact {fact.id}")
    text = RULESETS[fact.instance]
    end, turn, phase, _ = played(lines, table, text)
    least = soonest(first_state(text, table))
    if end != rules.WON or (turn, phase) != least:
        raise lines.refuted(f"the game ends '{end}' in turn {turn}, {phase}; the bound is turn {least[0]}, {least[1]}")
    return {"turns": str(turn), "phase": phase}


def lose_soonest(lines: Lines, table: Map, fact: Fact) -> Values:
    """The fewest cards to lose: three cards of a campaign put no cube and reach no end of the decline."""
    if fact.instance not in LOSING:
        raise lines.refuted(f"there is no fact {fact.id}")
    text = LOSING[fact.instance]
    end, turn, _, number = played(lines, table, text)
    start = first_state(text, table)
    if start.decline + max(rules.steps(start, "three"), rules.steps(start, "two")) >= start.rules.last_decline:
        raise lines.refuted("a campaign can lose by the decline")
    if not end.startswith("lost") or turn != 1 or number != 4:
        raise lines.refuted(f"the game ends '{end}' in turn {turn} by card {number}; the bound is card 4 of turn 1")
    return {"turns": "1", "cards": "4"}


# -- the first turn ----------------------------------------------------------------------------------------------------


def after_all(state: State | str, words: Iterable[str]) -> State | str:
    """After these words, each of which must be possible; the end of a game stays."""
    for word in words:
        if isinstance(state, str):
            return state
        if word not in rules.choices(state):
            raise AssertionError(f"{word} cannot come")
        state = rules.after(state, word)
    return state


def free(table: Map) -> Values:
    """Pacify all four tribes, of which each has cubes or none; more cubes change nothing, nor does the place of the pawn."""
    cases = wins = 0
    for level in ("introductory", "standard"):
        for win in ("at-once", "phase"):
            for look in READINGS["E-ERADICATE"] if level == "introductory" else ("removal",):
                names = {"E-ERADICATE": look, "E-PACIFY": "free", "E-WIN": win}
                text = ",".join(f"{name}={value}" for name, value in names.items() if value != READINGS[name][0])
                start = first_state(f"{level}?{text}", table)
                for some in range(16):
                    state = start
                    for suit in range(4):
                        state = rules.with_cubes(state, 6 * suit, suit, some >> suit & 1)
                    cases += 1
                    wins += after_all(state, [f"pacify {name}" for name in "OCEB"]) == rules.WON
    return {"cases": str(cases), "wins": str(wins), "actions": "4", "cards": "0"}


def lost(table: Map) -> Values:
    """Three regions with three, three and one cubes of their suits, all others empty; cards of a suit that has three left."""
    tables = losses = 0
    for border in BORDERS:
        text = {"flat": "standard", "gap": "standard+sphere", "skip": "standard+sphere?E-SPHERE=skip"}[border]
        start = first_state(text, table)
        for one, other in combinations(range(24), 2):
            for third in range(24):
                if third in (one, other):
                    continue
                state = start
                for region, number in ((one, 3), (other, 3), (third, 1)):
                    state = rules.with_cubes(state, region, region // 6, number)
                left = [c for c in range(24) if c not in (one, other, third)]
                hand = next(h for h in ([c for c in left if c // 6 == suit] for suit in (3, 2, 1, 0)) if len(h) >= 3)[
                    :3
                ]
                words = ["pass", *(CARDS[c] for c in (*hand, third, other, one))]
                end = after_all(state, words)
                tables, losses = tables + 1, losses + (isinstance(end, str) and end != rules.WON)
    return {"tables": str(tables), "lost": str(losses), "turns": "1", "outbreaks": "3"}


def first_turn(table: Map, instance: str) -> Values:
    """What the first turn can bring."""
    return free(table) if instance == "free" else lost(table)


def decline_soonest(table: Map, instance: str) -> Values:
    """The fewest campaigns with which the decline loses, by all ways."""
    *option, three = instance.split("-")
    more = f",E-CAP3-END={option[1]}" if option[1:] == ["ten"] else ""
    chosen = [part for part in (f"E-THREE={three}" if three != "crisis" else "", more[1:]) if part]
    text = ("standard+cap3" if option else "standard") + ("?" + ",".join(sorted(chosen)) if chosen else "")
    start = first_state(text, table)
    level, number = {start.decline}, 0
    while start.rules.last_decline not in level:
        number += 1
        level = {
            min(start.rules.last_decline, at + rules.steps(start._replace(decline=at), suits))
            for at in level for suits in ("three", "two")
        } | level  # fmt: skip
    return {"turns": str(number), "at": str(start.rules.last_decline)}


DECLINES = tuple(
    f"{option}{three}" for option in ("", "cap3-nine-", "cap3-ten-") for three in ("crisis", "two", "stop", "need")
)
COUNTS: dict[str, tuple[tuple[str, ...], Callable[[Map, str], Values]]] = {
    "first-turn": (("free", "lost"), first_turn),
    "decline-soonest": (DECLINES, decline_soonest),
}
PROVERS: dict[str, Callable[[Lines, Map, Fact], Values]] = {"win-soonest": win_soonest, "lose-soonest": lose_soonest}
