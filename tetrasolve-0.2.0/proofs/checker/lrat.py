"""Proofs of unsatisfiability in the LRAT format, checked clause by clause.

The format is that of Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, "Efficient certified RAT verification" (CADE
2017). A formula is in DIMACS, its clauses have the numbers 1, 2, 3, and so on. A line of a proof adds a clause, with hints
why it may be added, or deletes clauses that are not needed any more::

    12 -3 5 0 4 7 2 0         clause 12, not 3 or 5, follows from clauses 4, 7 and 2
    12 d 4 7 0                clauses 4 and 7 are not used after clause 12

Hints are the numbers of clauses in the order in which they become *unit*: let all literals of the new clause be false, then
each hint must leave one literal, which is made true, and the last hint none, which is the contradiction. This is a RUP
step: the new clause follows. In a RAT step the positive hints do not suffice, and for each clause that holds the opposite of
the new clause's first literal, its pivot, there is a negative hint with a chain of its own. Such a clause does not follow, but
adding it makes no satisfiable formula unsatisfiable.
"""

import re

from text import Lines

NUMBER = re.compile(r"-?[1-9][0-9]{0,14}")

Clause = tuple[int, ...]


def check_unsatisfiable(lines: Lines) -> str:
    """Confirm a certificate of unsatisfiability: a formula in DIMACS and its proof, each with its number of lines."""
    about = lines.field("about")
    variables, clauses = read_formula(lines, lines.count("formula"))
    steps = check_proof(lines, lines.count("proof"), variables, clauses)
    lines.end()
    return (
        f"the formula of {len(clauses)} clauses over {variables} variables has no solution "
        f"({steps} steps); what it stands for is stated, not proved: {about}"
    )


# -- reading ---------------------------------------------------------------------------------------------------


def integers(text: str, lines: Lines) -> list[int]:
    """Numbers with one space between them, the last one 0, which is left out."""
    *words, last = text.split(" ")
    if last != "0":
        raise lines.unreadable("expected a 0 at the end of the line")
    for word in words:
        if not NUMBER.fullmatch(word):
            raise lines.unreadable(f"'{word[:40]}' is no number of a literal or clause")
    return list(map(int, words))


def clause_of(literals: list[int], variables: int, lines: Lines) -> Clause:
    """A clause: no variable twice, none that the formula does not have."""
    named = set(map(abs, literals))
    if len(named) != len(literals):
        raise lines.unreadable("a variable stands twice in this clause")
    if named and max(named) > variables:
        raise lines.unreadable(f"the formula has the variables 1 to {variables}")
    return tuple(literals)


def read_formula(lines: Lines, count: int) -> tuple[int, list[Clause]]:
    """The number of variables, and the clauses: a line ``p cnf`` and then one line for each clause."""
    words = lines.field("p").split(" ")
    if len(words) != 3 or words[0] != "cnf":
        raise lines.unreadable("expected 'p cnf', the number of variables and the number of clauses")
    variables, clauses = lines.whole(words[1]), lines.whole(words[2])
    if clauses + 1 != count:
        raise lines.unreadable(f"the formula has {count} lines, so there should be {count - 1} clauses")
    return variables, [clause_of(integers(lines.take("a clause"), lines), variables, lines) for _ in range(clauses)]


# -- checking --------------------------------------------------------------------------------------------------


def check_proof(lines: Lines, count: int, variables: int, formula: list[Clause], *, plain: bool = False) -> int:
    """Follow all lines of a proof to the empty clause, which must come last; tells how many clauses were added.

    A `plain` proof has RUP steps only, numbered without a gap, and nothing in it can be left out: see `Plain`.
    """
    clauses = dict(enumerate(formula, start=1))
    last = len(formula)
    added = 0
    form = Plain(lines, last) if plain else None
    for left in range(count, 0, -1):
        head, blank, rest = lines.take("a line of the proof").partition(" ")
        number = lines.whole(head)
        if rest.startswith("d ") and form is None:
            if number != last:
                raise lines.unreadable(f"a deletion bears the number of the clause before it, {last}")
            delete(integers(rest[2:], lines), clauses, lines)
            continue
        if not blank or number <= last:
            raise lines.unreadable(f"expected a number above {last}, then a clause and its hints")
        literals, hints = split(rest, variables, lines)
        check_step(literals, hints, clauses, lines)
        if form is not None:
            form.look_at(number, literals, hints, clauses)
        clauses[number] = literals
        last = number
        added += 1
        if not literals:
            if left != 1:
                raise lines.unreadable("the empty clause is derived, nothing may follow")
            if form is not None and form.waiting:
                raise lines.refuted(f"clause {min(form.waiting)} is of no use")
            return added
    raise lines.refuted("the proof ends without the empty clause")


class Plain:
    """The form of proofs in which nothing is idle: each clause is a hint later on, each hint and each literal is needed."""

    def __init__(self, lines: Lines, given: int) -> None:
        self.lines = lines
        self.last = given
        self.waiting: set[int] = set()  # clauses that are no hint yet

    def look_at(self, number: int, literals: Clause, hints: list[int], clauses: dict[int, Clause]) -> None:
        """A step that follows, before its clause is added."""
        if number != self.last + 1 or any(hint < 0 for hint in hints):
            raise self.lines.unreadable(f"expected clause {self.last + 1}, with positive hints alone")
        if literals and len(hints) == 1:
            raise self.lines.refuted(f"clause {hints[0]} says so already")
        true = {-literal for literal in literals}
        forced: dict[int, Clause] = {}  # by literal: the hint that forces it
        for hint in hints[:-1]:
            literal = next(literal for literal in clauses[hint] if -literal not in true)
            true.add(literal)
            forced[literal] = clauses[hint]
        needed = {-literal for literal in clauses[hints[-1]]}
        for literal, clause in reversed(forced.items()):
            if literal not in needed:
                raise self.lines.refuted(f"the hint that makes {literal} true is of no use")
            needed |= {-other for other in clause if other != literal}
        idle = [literal for literal in literals if -literal not in needed]
        if idle:
            raise self.lines.refuted(f"the clause follows without its literal {idle[0]}")
        self.waiting -= set(hints)
        if literals:
            self.waiting.add(number)
        self.last = number


def delete(numbers: list[int], clauses: dict[int, Clause], lines: Lines) -> None:
    """Take clauses away, each of which must be there."""
    if not numbers:
        raise lines.unreadable("expected the numbers of the clauses to be deleted")
    for number in numbers:
        if number not in clauses:
            raise lines.refuted(f"there is no clause {number} to be deleted")
        del clauses[number]


def split(text: str, variables: int, lines: Lines) -> tuple[Clause, list[int]]:
    """The clause of a line and its hints."""
    words = text.split(" ")
    if words.count("0") != 2:
        raise lines.unreadable("expected a clause, 0, its hints, 0")
    middle = words.index("0") + 1
    literals = integers(" ".join(words[:middle]), lines)
    return clause_of(literals, variables, lines), integers(" ".join(words[middle:]), lines)


def check_step(literals: Clause, hints: list[int], clauses: dict[int, Clause], lines: Lines) -> None:
    """Make sure that a clause may be added."""
    true = {-literal for literal in literals}
    first = next((index for index, hint in enumerate(hints) if hint < 0), len(hints))
    if follow(hints[:first], true, clauses, lines):
        if first != len(hints):
            raise lines.refuted("the clause follows already, there are more hints than are of use")
        return
    if not literals:
        raise lines.refuted("the hints lead to no contradiction")
    # RAT on the first literal: one chain for each clause that holds its opposite
    pivot = literals[0]
    chains: dict[int, list[int]] = {}
    for hint in hints[first:]:
        if hint > 0:
            chains[next(reversed(chains))].append(hint)
        elif -hint in chains:
            raise lines.refuted(f"clause {-hint} has two chains")
        else:
            chains[-hint] = []
    opposite = {number for number, clause in clauses.items() if -pivot in clause}
    if set(chains) != opposite:
        number = min(set(chains) ^ opposite)
        why = "has no chain" if number in opposite else f"holds no {-pivot}, or does not exist"
        raise lines.refuted(f"the hints lead to no contradiction, and as a RAT step on {pivot}: clause {number} {why}")
    for number, chain in chains.items():
        others = [literal for literal in clauses[number] if literal != -pivot]
        if any(literal in true for literal in others):
            if chain:
                raise lines.refuted(f"clause {number} needs no hints: it agrees with what is assumed")
        elif not follow(chain, true | {-literal for literal in others}, clauses, lines):
            raise lines.refuted(f"the hints for clause {number} lead to no contradiction")


def follow(hints: list[int], true: set[int], clauses: dict[int, Clause], lines: Lines) -> bool:
    """Whether the hints lead to a contradiction with the literals in `true`, which grows on the way."""
    for index, hint in enumerate(hints):
        if hint not in clauses:
            raise lines.refuted(f"hint {hint} is no clause here, or is deleted")
        left = [literal for literal in clauses[hint] if -literal not in true]
        if not left:
            if index + 1 != len(hints):
                raise lines.refuted(f"hint {hint} is the contradiction, there are more hints than are of use")
            return True
        if len(left) > 1 or left[0] in true:
            raise lines.refuted(f"clause {hint} is not unit when its turn comes")
        true.add(left[0])
    return False
