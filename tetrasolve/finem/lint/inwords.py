"""What differs in the smallest position, in words: for each decision or card what comes of it under the first and the second way.

Findings keep what comes as lines of notation (`tetrasolve.lint.findings.Shown`); here two lines are compared thing by thing, and
only what is not the same in both is said, with what happens next. The words of a language are those of the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tetrasolve.finem.layout import NUMBER, TRIBES
from tetrasolve.finem.position import Position, Result, State, Step, in_order
from tetrasolve.finem.rules.campaign import DISCARD_WORD
from tetrasolve.finem.rules.invasion import EXCHANGE
from tetrasolve.finem.ruleset import ROLES
from tetrasolve.finem.text import NAMES
from tetrasolve.lint.findings import Finding, Shown

_REMOVAL = re.compile(r"remove (?P<region>\S+) (?P<tribe>[OCEB])(?P<all> all(?: (?P<other>\S+))?)?")
GROUPS = 2  # that are said; the others are counted
NO_CUBE = "lost: no cube of "


def differences_in_words(finding: Finding, words: Mapping[str, str]) -> list[str]:
    """A sentence for each kind of difference that a finding lists; the last one says how many more there are."""
    if finding.position is None:
        return []
    position = Position.parse(finding.position)
    groups: dict[tuple[str, str, str], list[str]] = {}
    for shown in finding.differences:
        groups.setdefault(_both(position, shown, words), []).append(shown.what)
    said = [
        words["there"].format(
            option=_options(position, options, words), next=f" ({same})" if same else "", first=one, second=other
        )
        for (same, one, other), options in [*groups.items()][:GROUPS]
    ]
    left = finding.more + sum(map(len, [*groups.values()][GROUPS:]))
    if left:
        key = "there_cards" if position.step.is_chance else "there_decisions"
        said[-1] += words["there_too"].format(others=words[f"{key}_one" if left == 1 else key].format(count=left))
    return said


def decision(text: str, words: Mapping[str, str]) -> str:
    """A decision in words; a card, a tribe or a region is written alike in every language."""
    if text == EXCHANGE:
        return words["there_seen_first"]
    if (found := _REMOVAL.fullmatch(text)) is not None:
        key = "remove_both" if found["other"] else "remove_all" if found["all"] else "remove_one"
        return words[key].format(region=found["region"], tribe=NAMES[found["tribe"]], other=found["other"])
    first, *points = text.split(" ")
    if first == DISCARD_WORD:
        taken = words["and"].join(words["points"].format(count=point[1:], tribe=NAMES[point[0]]) for point in points)
        return f"{words.get(first, first)} {taken}"
    return " ".join(words.get(word, word) for word in text.split(" "))


def _options(position: Position, options: list[str], words: Mapping[str, str]) -> str:
    key = "there_decision"
    if position.step.is_chance:
        key = "there_role" if options[0] in ROLES else "there_card"
    return f"{words[key if len(options) == 1 else f'{key}_many']} {', '.join(decision(option, words) for option in options)}"


def _both(position: Position, shown: Shown, words: Mapping[str, str]) -> tuple[str, str, str]:
    """What happens next under both, where it is the same, and what else there is under each."""
    if shown.kind == "legal":
        one, other = (words[f"there_{value.replace(' ', '_')}"] for value in shown.values)
        return "", one, other
    here, there = (_state(position, value) for value in shown.values)
    if not isinstance(here, Position) or not isinstance(there, Position):
        return "", _end(here, words), _end(there, words)
    nexts = [_next(state, words) for state in (here, there)]
    is_same = nexts[0] == nexts[1]
    rows = [*_fields(here, there, words)] + ([] if is_same else [_two(nexts)])
    one, other = (", ".join(row[at] for row in rows) for at in (0, 1))
    return nexts[0] if is_same else "", one, other


def _state(position: Position, text: str) -> State:
    """A position without its rules, or a result, as findings write it."""
    is_result = text.partition(":")[0] in ("won", "lost")
    return Result(text) if is_result else Position.parse(f"{position.ruleset} {text}")


def _end(state: State, words: Mapping[str, str]) -> str:
    """How the game ends, or what happens next where it goes on."""
    if isinstance(state, Position):
        return words["there_on"].format(next=_next(state, words))
    if state.text.startswith(NO_CUBE):
        return words["end_no_cube"].format(tribe=NAMES[state.text.removeprefix(NO_CUBE)[0]])
    return words[f"end_{state.text.replace(': ', '_')}"]


def _next(state: Position, words: Mapping[str, str]) -> str:
    """What happens next."""
    key = f"next_{state.step.replace('-', '_')}"
    text = words[f"{key}_one" if state.left == 1 and f"{key}_one" in words else key]
    if state.step is Step.DISCARD and state.left:
        text = words["next_discard_point"]
    return words["next"].format(text=text.format(left=state.left, card=state.card))


def _fields(one: Position, other: Position, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is not the same in two positions, but for the step."""
    both = (one, other)
    names = {tribe: NAMES[tribe] for tribe in TRIBES}
    for name in ("role", "pawn", "start", "last", "protected"):
        values = [getattr(state, name) for state in both]
        if values[0] != values[1]:
            yield _two([words[f"said_{name}"].format(value=words.get(str(value), value)) for value in values])
    for tribe in TRIBES:
        if one.die(tribe) != other.die(tribe):
            yield _two([_die(state.die(tribe), names[tribe], words) for state in both])
        if (tribe in one.pacified) != (tribe in other.pacified):
            keys = ["said_pacified" if tribe in state.pacified else "said_not_pacified" for state in both]
            yield _two([words[key].format(tribe=names[tribe]) for key in keys])
    for name in ("decline", "outbreaks"):
        values = [getattr(state, name) for state in both]
        if values[0] != values[1]:
            yield _two([words[f"said_{name}"].format(value=value) for value in values])
    for region in NUMBER:
        for tribe in TRIBES:
            counts = [state.count(region, tribe) for state in both]
            if counts[0] != counts[1]:
                yield _two([_cubes(count, region, names[tribe], words) for count in counts])
    yield from _cards(one, other, words)


def _cards(one: Position, other: Position, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The cards that are kept, those out of the deck, and what is noted about them."""
    both = (one, other)
    hands = [_kept(state) for state in both]
    if one.step is other.step and hands[0] != hands[1]:  # elsewhere the hand goes with the step
        keys = ["said_hand" if hand else "said_no_hand" for hand in hands]
        yield _two([words[key].format(cards=" ".join(hand)) for key, hand in zip(keys, hands, strict=True)])
    if one.step is other.step and one.card != other.card:
        kind = "place" if one.step is Step.INVADE else "card"
        yield _two(
            [words[f"said_{kind}" if state.card else f"said_no_{kind}"].format(card=state.card) for state in both]
        )
    if one.out != other.out:
        keys = ["said_out" if state.out else "said_no_out" for state in both]
        yield _two(
            [words[key].format(cards=" ".join(in_order(state.out))) for key, state in zip(keys, both, strict=True)]
        )
    if one.is_quiet != other.is_quiet:
        yield _two([words["said_quiet" if state.is_quiet else "said_not_quiet"] for state in both])
    if one.has_exchanged != other.has_exchanged:
        yield _two([words["said_exchanged" if state.has_exchanged else "said_not_exchanged"] for state in both])
    if one.has_travel != other.has_travel:
        yield _two([words["said_travel" if state.has_travel else "said_no_travel"] for state in both])


def _kept(state: Position) -> tuple[str, ...]:
    """The hand, but for the card in whose place the new card of an invasion comes [E-SWAP]."""
    return tuple(card for card in state.hand if state.step is not Step.INVADE or card != state.card)


def _die(face: int, tribe: str, words: Mapping[str, str]) -> str:
    return words["said_die" if face else "said_eradicated"].format(tribe=tribe, value=face)


def _cubes(count: int, region: str, tribe: str, words: Mapping[str, str]) -> str:
    key = "said_cubes" if count > 1 else "said_cube" if count else "said_no_cube"
    return words[key].format(count=count, region=region, tribe=tribe)


def _two(texts: list[str]) -> tuple[str, str]:
    one, other = texts
    return one, other
