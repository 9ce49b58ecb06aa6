"""Operators that change one definition: each gives other ways to read the sentence that it states. No game is named here.

=============== =================================================================================
operator        what it changes
=============== =================================================================================
`bound`         a bound of a comparison, or a number, also a product, share or rest that is worked out, by one; a number doubled,
                waived, at most or at least one
`quantity`      ``any`` and ``all``, ``min`` and ``max``; a sum that counts once; the first one, two or three of several, or the
                last; once, not again and again; where one of several stops or is passed over, all of them, or only this one; what
                is drawn again, all of it or only what does not fit; what is chosen once, once or twice
`connective`    ``and`` and ``or``; plus and minus, ``|`` and ``&``; a choice of one kind or another, or one of each
`part`          one of several conditions, addends, sets or entries left out
`restriction`   a condition of a comprehension left out; one more for it, for a branch, an answer or a legal action, also one of
                when: only in a phase, or not in it; nothing happens where a condition holds
`effect`        one of several effects left out, or one more
`order`         two statements, or entries of a list, that follow one another exchanged; a statement or an entry first or last, or
                once for all of a loop, not for each; several taken in the opposite order, or as they come
`choice`        a choice between two values, or of an ``if``, always made in the same way, or the other way; another answer, or
                the end of the game; what is offered can be declined
`condition`     a condition, also one that is returned or passed on, taken as always or as never true
`names`         a name, or what a pattern says, exchanged for another one of its group, which the game states; a function for
                another one of its file with the same signature; all of a definition at once
=============== =================================================================================

What a game states for them is its `Vocabulary`. Without one the operators change only what every program has. A change that says
too much can be made only where a condition holds (`tetrasolve.lint.beside`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from tetrasolve.errors import ArgumentError
from tetrasolve.lint.changes import Change, Definition, definitions
from tetrasolve.lint.operators.amounts import bound, quantity
from tetrasolve.lint.operators.conditions import choice, condition, connective
from tetrasolve.lint.operators.naming import names
from tetrasolve.lint.operators.nodes import Piece, code
from tetrasolve.lint.operators.ordering import order
from tetrasolve.lint.operators.parts import effect, part
from tetrasolve.lint.operators.places import Places
from tetrasolve.lint.operators.repeated import narrowed
from tetrasolve.lint.operators.restrictions import restriction
from tetrasolve.lint.vocabulary import Scope, Vocabulary, scope

__all__ = ["OPERATORS", "Places", "changes", "code", "narrowed"]

_NO_WORDS = Vocabulary()


def changes(path: str, text: str, name: str, words: Vocabulary = _NO_WORDS) -> Iterator[tuple[str, Change]]:
    r"""Every change of a definition of this file that an operator makes, with the name of the operator.

    :raises ArgumentError: when the file has no such definition.

    >>> for operator, change in changes("a.py", "def f(n):\n    return n < 3", "f"):
    ...     print(operator, change.after.strip())
    bound return n <= 3
    bound return n < 4
    bound return n < 2
    bound return n < 0
    bound return n < 6
    condition return True
    condition return False
    """
    node = definitions(text).get(name)
    if node is None:
        raise ArgumentError("definition", name, f"one of {path}")
    place, called = Places(path, text, name), scope(node, words, text)
    seen = {("", "", 0)}
    for operator, pieces in OPERATORS.items():
        for old, new in pieces(node, called):
            change, mark = place.change(old, new)
            if mark not in seen and (mark[0] or mark[1]):
                seen.add(mark)
                yield operator, change


OPERATORS: Mapping[str, Callable[[Definition, Scope], Iterator[Piece]]] = MappingProxyType(
    {
        "bound": bound,
        "quantity": quantity,
        "connective": connective,
        "part": part,
        "restriction": restriction,
        "effect": effect,
        "order": order,
        "choice": choice,
        "condition": condition,
        "names": names,
    }
)
