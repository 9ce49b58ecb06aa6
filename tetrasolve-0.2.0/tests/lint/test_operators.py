"""Operators: each changes what it says, every change can be made, and examples of a difference become small."""

import pytest

from tetrasolve.errors import ArgumentError
from tetrasolve.lint.operators import OPERATORS, changes
from tetrasolve.lint.witness import shrunk

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


def made(operator, groups=()):
    """Each change of one operator as the line that it makes."""
    found = []
    for name in ("LIMIT", "rule"):
        for maker, change in changes("rule.py", RULE, name, groups):
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
            ],
        ),
        ("quantity", ["best = min(piece.size for piece in table.pieces if piece.ours)", "found = all(table.empty)"]),
        ("connective", ["if (table.ours or best < limit):", "table.note((best == 1 or found))"]),
        ("part", ["if (best < limit):", "if (table.ours):", "table.note((found))", "table.note((best == 1))"]),
        ("restriction", ["best = max(piece.size for piece in table.pieces if True)"]),
        ("effect", ["pass", "pass", "pass", "table = table.with_piece(best)"]),
        ("choice", ["if True:", "if False:", "return (found)", "return (None)"]),
        ("condition", ["table.note(True)", "table.note(False)"]),  # `choice` has made those of the if before
        ("names", ["best = max(piece.size for piece in table.figures if piece.ours)"]),
    ],
)
def test_what_an_operator_changes(operator, lines):
    """Neither the docstring nor the signature nor a decorator."""
    assert sorted(made(operator, [("pieces", "figures")])) == sorted(lines)


def test_statements_that_follow_one_another_change_places():
    orders = made("order")

    assert len(orders) == 4
    assert orders[0].startswith("if table.ours")
    assert orders[-2] == "found = any(table.empty)\n    table.count += 1"


def test_there_are_at_most_ten_operators():
    assert len(OPERATORS) <= 10
    assert set(OPERATORS) == {
        "order",
        *"bound quantity connective part restriction effect choice condition names".split(),
    }


def test_the_same_text_is_made_once():
    texts = [change.applied(RULE) for _, change in changes("rule.py", RULE, "rule", [("pieces", "figures")])]

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
