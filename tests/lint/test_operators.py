"""Operators: each changes what it says, every change can be made, and examples of a difference become small."""

import pytest

from tetrasolve.errors import ArgumentError
from tetrasolve.lint.beside import guarded
from tetrasolve.lint.changes import Change
from tetrasolve.lint.operators import OPERATORS, changes
from tetrasolve.lint.vocabulary import Repeated, Vocabulary
from tetrasolve.lint.witness import shrunk

WORDS = Vocabulary(groups=(("pieces", "figures"),))
RULE = '''
LIMIT = 3


@decorated(1)
def rule(table, limit=2):
    """Up to 3 of them."""
    best = max(piece.size for piece in table.pieces if piece.ours)
    if table.ours and best < limit:
        table = table.with_piece(best).with_less(1)
    table.count += 1
    found = any(table.empty)
    table.note(best == 1 and found)
    return found if best else None
'''


def made(operator, words=None):
    """Each change of one operator as the line that it makes."""
    found = []
    for name in ("LIMIT", "rule"):
        for maker, change in changes("rule.py", RULE, name, words or Vocabulary()):
            compile(change.applied(RULE), "rule.py", "exec")
            if maker == operator:
                found.append(change.after.strip())
    return found


@pytest.mark.parametrize(
    ("operator", "lines"),
    [
        (
            "bound",
            [
                "LIMIT = 4",
                "LIMIT = 2",
                "if table.ours and best <= limit:",
                "table.count += 2",
                "table.count += 0",
                "table = table.with_piece(best).with_less(2)",
                "table = table.with_piece(best).with_less(0)",
                "table.note(best == 2 and found)",
                "table.note(best == 0 and found)",
                "if table.ours and best < limit - 1:",
                "LIMIT = 0",
                "LIMIT = 6",
            ],
        ),
        (
            "quantity",
            [
                "best = min(piece.size for piece in table.pieces if piece.ours)",
                "found = all(table.empty)",
                *(f"best = max(piece.size for piece in list(table.pieces)[:{n}] if piece.ours)" for n in (1, 2, 3)),
                "best = max(piece.size for piece in list(table.pieces)[-1:] if piece.ours)",
            ],
        ),
        ("connective", ["if (table.ours or best < limit):", "table.note((best == 1 or found))"]),
        ("part", ["if (best < limit):", "if (table.ours):", "table.note((found))", "table.note((best == 1))"]),
        ("restriction", ["best = max(piece.size for piece in table.pieces if True)"]),
        ("effect", ["pass", "pass", "pass", "table = table.with_piece(best)"]),
        ("choice", ["if True:", "if False:", "return (found)", "return (None)", "return (None if best else found)"]),
        ("condition", ["table.note(True)", "table.note(False)"]),  # `choice` has made those of the if before
        ("names", ["best = max(piece.size for piece in table.figures if piece.ours)"]),
    ],
)
def test_what_an_operator_changes(operator, lines):
    """Neither the docstring nor the signature nor a decorator."""
    assert sorted(made(operator, WORDS)) == sorted(lines)


GAME = Vocabulary(
    kinds=(("place", "here"),),
    rewrites=(("_t.has_disc(_p)", "_t.has_figure(_p)", "not _t.is_empty(_p)"),),
    senses=("{table}.is_border({place})", "{figure} == {table}.active"),
    counts=("_t.left",),
    effects=frozenset({"with_disc", "fought"}),
    additions=(".with_disc({place}, None)",),
    tables=("table",),
    places=("place", "target", "p"),
)
RULES = """
def objection(table, place: str, here: str) -> str | None:
    if table.has_disc(here):
        return "a disc"
    return None


def play(table, target: str):
    return fought(table.with_disc(target, 1), min(2, table.left))


def near(table, several):
    for p in sorted(several - table.armies):
        return sum(p.size for p in (table.here, *several))
"""


@pytest.mark.parametrize(
    ("operator", "name", "wanted"),
    [
        (
            "names",
            "objection",
            ["if table.has_disc(place):", "if (table.has_figure(here)):", "if (not table.is_empty(here)):"],
        ),
        ("restriction", "objection", ["if table.is_border(place):\n        return 'not here'\n    return None"]),
        ("restriction", "objection", ["if not (table.is_border(place)):\n        return 'not here'\n    return None"]),
        ("effect", "play", ["return fought(table, min(2, table.left))", "return table.with_disc(target, 1)"]),
        ("effect", "play", ["return fought(table.with_disc(target, 1).with_disc(target, None), min(2, table.left))"]),
        (
            "bound",
            "play",
            [f"return fought(table.with_disc(target, 1), min(2, ({n})))" for n in ("2 * table.left", "0")],
        ),
        ("part", "play", [f"return fought(table.with_disc(target, 1), ({n}))" for n in ("2", "table.left")]),
        ("quantity", "near", ["return min(sum((p.size for p in (table.here, *several))), 1)"]),
        ("quantity", "near", ["for p in list(sorted(several - table.armies))[:1]:"]),
        ("connective", "near", ["for p in sorted((several + table.armies)):"]),
        ("part", "near", ["for p in sorted((several)):", "return sum(p.size for p in (*several,))"]),
        ("order", "near", ["for p in list(sorted(several - table.armies))[::-1]:"]),
        ("restriction", "near", ["return sum(p.size for p in (table.here, *several) if table.is_border(p))"]),
    ],
)
def test_what_an_operator_changes_in_the_words_of_a_game(operator, name, wanted):
    """Senses of a place or a figure are added where the definition has what they need, and there only."""
    found = {change.after.strip() for maker, change in changes("rules.py", RULES, name, GAME) if maker == operator}

    assert found.issuperset(wanted)
    assert not any("active" in line for line in found)  # it names no figure


def test_what_is_said_in_errors_is_no_rule():
    text = "def f(n):\n    assert n > 1\n    if n:\n        raise ValueError(f'{n + 1}')\n    return n"

    assert {change.after.strip() for _, change in changes("f.py", text, "f")} == {"if True:", "if False:"}


def test_statements_that_follow_one_another_change_places():
    orders = made("order")

    assert orders[0].startswith("if table.ours")
    assert "found = any(table.empty)\n    table.count += 1" in orders
    assert len(orders) == 10
    assert (
        sum(order.startswith("table.note(") and order.count("\n") == 5 for order in orders) == 1
    )  # the last one first


LOOP = """
def rule(position, several):
    for one in several:
        position = position.fought(one)
        position = ended(position)
    return first, position
def first(position, several): ...
"""


def test_what_is_done_for_each_is_done_once_and_the_other_way():
    after = {change.applied(LOOP) for operator, change in changes("a.py", LOOP, "rule") if operator == "order"}

    assert LOOP.replace("    position = ended", "position = ended") in after
    assert LOOP.replace("return first, position", "return (position, first)") in after


GIVEN = """
def struck(position: Position, card: str) -> State:
    return position.fought(card)


def spared(position: Position, card: str) -> State:
    return lost(card) if struck(position, card) else position
"""
ENDED = Vocabulary(
    senses=("{table}.is_gone({place})",),
    tables=("position",),
    places=("card",),
    effects=frozenset({"fought"}),
    ends=("lost(card)", "won(card)", "struck(position, card)"),
)


@pytest.mark.parametrize(
    ("operator", "name", "wanted"),
    [
        (
            "restriction",
            "struck",
            "if position.is_gone(card):\n        return position\n    return position.fought(card)",
        ),
        ("choice", "struck", "return struck(position, card)"),  # an end that the file has, and no other
        ("names", "spared", "return lost(card) if spared(position, card) else position"),
    ],
)
def test_what_happens_is_nothing_an_end_or_another_function(operator, name, wanted):
    found = {change.applied(GIVEN) for maker, change in changes("a.py", GIVEN, name, ENDED) if maker == operator}

    assert any(wanted in text for text in found)
    assert not any("won" in text for text in found)


AGAIN = """
def thrown(random, pool, number):
    while True:
        several = tuple(random.sample(pool, number))
        if fits(several):
            return several


def added(several, number):
    while len(several) < number:
        if (one := rolled()) not in several:
            several.append(one)


def fallen(position, several):
    for one in several:
        if one.stands:
            continue
        if one.blocks:
            return position
        position = position.fought(one)
    return position
"""


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (
            "thrown",
            AGAIN[AGAIN.index("    while True") : AGAIN.index("\n\n\ndef added")],
            (
                "    several = ()\n    for one in random.sample(pool, len(pool)):\n        if len(several) < number and (fits("
                "(*several, one))):\n            several = (*several, one)\n    return several"
            ),
        ),
        ("added", ".append(one)", ".append(one)\n        else:\n            several.clear()"),
        ("fallen", "continue", "break"),
        ("fallen", "        return position\n        position", "        continue\n        position"),
    ],
)
def test_what_is_done_with_all_is_done_with_one_and_the_other_way(name, before, after):
    """What is drawn again is drawn one by one; what ends a loop passes one over; and the opposite."""
    found = {change.applied(AGAIN) for operator, change in changes("a.py", AGAIN, name) if operator == "quantity"}

    assert AGAIN.replace(before, after, 1) in found


def test_one_of_several_entries_comes_first_or_last():
    text = "ORDER = (a, b, c, d)"
    found = {change.after for operator, change in changes("a.py", text, "ORDER") if operator == "order"}

    neighbours = {"(b, a, c, d)", "(a, c, b, d)", "(a, b, d, c)"}
    assert found == {
        f"ORDER = {entries}"
        for entries in neighbours | {"(b, c, d, a)", "(a, c, d, b)", "(c, a, b, d)", "(d, a, b, c)"}
    }


TIMED = """
def won(position) -> bool:
    return position.count == 4


def left(position, number):
    return number // 2 if position.ready else max(number % 3, 1)


def gone(position, card):
    if card.far:
        position = position.fought(card)
    return position
"""
WHEN = Vocabulary(times=("{table}.phase == 'end'",), tables=("position",), effects=frozenset({"fought"}))


@pytest.mark.parametrize(
    ("operator", "name", "wanted"),
    [
        ("restriction", "won", "return (position.count == 4) and position.phase == 'end'"),
        ("restriction", "won", "return (position.count == 4) and not (position.phase == 'end')"),
        ("restriction", "gone", "    if (card.far) and not (position.phase == 'end'):\n"),
        ("restriction", "gone", "    if position.phase == 'end':\n        return position\n"),
        ("bound", "left", "return (number // 2 - 1) if position.ready"),
        ("bound", "left", "max((number % 3 + 1), 1)"),
    ],
)
def test_when_a_rule_holds_and_what_is_worked_out(operator, name, wanted):
    found = [change.applied(TIMED) for maker, change in changes("a.py", TIMED, name, WHEN) if maker == operator]

    assert any(wanted in text for text in found)


def test_a_change_beside_a_condition():
    """Each is the change where what the definition asks holds, or the game says of it, and else the rule as it is."""
    words = Vocabulary(values=("readings[_n]",))
    text = "def f(readings, n, far):\n    n = n + 1 if far else n\n    n -= readings['a'] == 'b'\n    return n < 3\n"
    bound = next(change for _, change in changes("f.py", text, "f", words) if change.after.strip() == "return n < 4")
    found = [change.after.strip() for change in guarded(text, words, bound)]

    assert found == ["return n < (4 if far else 3)", "return n < (4 if not (far) else 3)"]
    pair = next(change for _, change in changes("f.py", text, "f", words) if change.after.strip() == "pass")
    for change in guarded(text, words, pair):
        compile(change.applied(text), "f.py", "exec")
    assert not list(guarded(text, words, Change("f.py", "f", "n < 3", "n < 9")))


STEPS = "STEPS = {\n    'throw': (throws, thrown),\n    'draw': (cards, drawn, 1),\n}\n"
TWICE = Vocabulary(
    senses=("{place} in {table}.open", "{table}.is_ours({figure})", "{table}.is_late"),
    repeated=Repeated(
        "(_o, _t)",
        "twice(_o, _t{only})",
        "both(_o, _t{only})",
        same=(", same='place'",),
        table="position",
        place="region",
        figure="tribe",
        of_place=", lambda position, region: {sense}",
        of_figure=", lambda position, tribe: {sense}",
        of_table=", lambda position: {sense}",
    ),
)


def test_what_is_chosen_once_is_chosen_once_or_twice():
    """In each entry of the table of choices; beside a condition where both are of one place, or a sense holds of each of both."""
    found = [
        (operator, change) for operator, change in changes("a.py", STEPS, "STEPS", TWICE) if "twice" in change.after
    ]

    (operator, change), *more = found
    assert operator == "quantity" and not more
    other = [change for maker, change in changes("a.py", STEPS, "STEPS", TWICE) if maker == "connective"]
    assert [one.applied(STEPS) for one in other] == [STEPS.replace("(throws, thrown)", "both(throws, thrown)")]
    assert {"both(" in one.after for one in guarded(STEPS, TWICE, other[0])} == {True}
    assert change.applied(STEPS) == STEPS.replace("(throws, thrown)", "twice(throws, thrown)")
    said = [one.after.strip().removeprefix("'throw': twice(throws, thrown, ") for one in guarded(STEPS, TWICE, change)]
    assert said[0] == "same='place'),"
    assert said[1:4] == [
        "lambda position, region: region in position.open),",
        "lambda position, tribe: position.is_ours(tribe)),",
        "lambda position: position.is_late),",
    ]
    assert [one.replace(": not ", ": ") for one in said[4:]] == said[1:4]


def test_there_are_at_most_ten_operators():
    assert len(OPERATORS) <= 10
    assert set(OPERATORS) == {
        "order",
        *"bound quantity connective part restriction effect choice condition names".split(),
    }


def test_the_same_text_is_made_once():
    texts = [change.applied(RULE) for _, change in changes("rule.py", RULE, "rule", WORDS)]

    assert len(set(texts)) == len(texts)
    assert RULE not in texts


def test_the_place_of_a_change_is_its_own():
    """Two equal lines are two places."""
    text = "def f(n):\n    if n < 1:\n        return 5\n    n += 1\n    if n < 1:\n        return 5\n    return 6\n"
    bounds = {change.applied(text) for operator, change in changes("f.py", text, "f") if operator == "bound"}

    assert text.replace("n < 1", "n <= 1", 1) in bounds
    assert text[:40] + text[40:].replace("n < 1", "n <= 1") in bounds


def test_a_definition_that_is_not_there():
    with pytest.raises(ArgumentError):
        list(changes("rule.py", RULE, "missing"))


# -- small examples --------------------------------------------------------------------------------------------


def without_one(numbers):
    return (numbers - {number} for number in sorted(numbers))


def test_an_example_becomes_as_small_as_single_steps_make_it():
    assert shrunk(set(range(20)), without_one, lambda numbers: {3, 7} <= numbers) == {3, 7}
    assert shrunk({1}, without_one, lambda _: True) == set()


def test_the_number_of_tries_is_bounded():
    asked = []

    def differs(numbers):
        asked.append(numbers)
        return True

    assert len(shrunk(set(range(20)), without_one, differs, tries=5)) == 15
    assert len(asked) == 5
