"""Stated dice: the faces of each Barbarian phase of a campaign, given in advance.

One line a phase. The faces follow the question that they answer, in the order of the rolls:

========================================= ================================================================
``activity 4 2``                          region and province of the activity
``activity 4 2; echo 3 5 1``              after an uprising: region, province if that border is not empty, ...
``activity 4 2; check 6 1 4``             broken links: one face a check, 4 to 6 linked
``activity 4 2; check 1*``                every check is a 1: all broken links are blocked
``activity 4 2; battle 5 3``              Roman and Barbarian die where an army attacks an Emperor
``activity 4 2; usurper 3``               province where a usurper rises, with Usurpator
``dice: 1 4 2 3``                         all faces in the order in which they are rolled, as a record has them
========================================= ================================================================

Faces that are not needed do not matter. A plan that needs more faces does not fit the dice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields

from tetrasolve.errors import TetrasolveError, shown

FIRST_LINKED = 4  # of a check, rulebook page 9
_FACES = re.compile(r"[1-6](\s+[1-6])*(\s*\*)?")


class DiceError(TetrasolveError):
    """Stated dice that cannot be read, or that run out."""


@dataclass(frozen=True, slots=True)
class Faces:
    """Faces in order; with `again` the last one is repeated for ever."""

    faces: tuple[int, ...] = ()
    again: bool = False

    def __str__(self) -> str:
        return " ".join(map(str, self.faces)) + "*" * self.again


@dataclass(frozen=True, slots=True)
class PhaseDice:
    """The dice of one Barbarian phase: faces by question or, in `rolled`, in one sequence.

    :raises DiceError: when other faces than those of checks and battles are repeated for ever: echoes might never end.
    """

    activity: Faces = Faces()
    echo: Faces = Faces()
    check: Faces = Faces()
    battle: Faces = Faces()
    usurper: Faces = Faces()
    rolled: Faces = Faces()

    def __post_init__(self) -> None:
        for name in ("activity", "echo", "usurper", "rolled"):
            if getattr(self, name).again:
                raise DiceError(
                    f"{name} {getattr(self, name)}: only the faces of checks and battles can be repeated for ever"
                )

    @property
    def all_checks(self) -> bool | None:
        """Whether every broken link that is checked is linked; None where the checks differ."""
        if self.rolled.faces:
            return None
        if not self.check.faces:
            return None
        linked = {face >= FIRST_LINKED for face in self.check.faces}
        return linked.pop() if self.check.again and len(linked) == 1 else None

    def __str__(self) -> str:
        if self.rolled.faces:
            return f"dice: {self.rolled}"
        parts = ((field.name, getattr(self, field.name)) for field in fields(self))
        return "; ".join(f"{name} {faces}" for name, faces in parts if faces.faces)


class StatedDice:
    """The dice of one phase, for the rules.

    :raises DiceError: when more faces are needed than are stated; the question is named.
    """

    def __init__(self, phase: PhaseDice) -> None:
        self.phase = phase
        self.used: dict[str, int] = {}

    def roll(self, question: str) -> int:
        """The next face that answers this question."""
        name = "rolled" if self.phase.rolled.faces else _queue(question)
        faces: Faces = getattr(self.phase, name)
        used = self.used.get(name, 0)
        self.used[name] = used + 1
        if used < len(faces.faces):
            return faces.faces[used]
        if faces.again:
            return faces.faces[-1]
        raise DiceError(f"the stated dice ({self.phase}) run out: no face is left for {question!r}")


def _queue(question: str) -> str:
    """The name of the faces that answer a question of the rules."""
    for name in ("activity", "echo", "check", "usurper"):
        if question.startswith(name):
            return name
    return "battle"


# -- reading ---------------------------------------------------------------------------------------------------


def read_dice(text: str) -> tuple[PhaseDice, ...]:
    """Stated dice, a line a phase; empty lines and those that begin with ``#`` are left out.

    >>> [str(phase) for phase in read_dice("activity 4 2; check 1*")]
    ['activity 4 2; check 1*']

    :raises DiceError: when a line cannot be read; it is named.
    """
    return tuple(_phase(number, line) for number, line in _lines(text))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()


def _phase(number: int, line: str) -> PhaseDice:
    where = f"dice, line {number}"
    if line.casefold().startswith("dice:"):
        return PhaseDice(rolled=_faces(line[len("dice:") :].strip(), where))
    found: dict[str, Faces] = {}
    for part in (part.strip() for part in line.split(";")):
        name, _, faces = part.partition(" ")
        if name.casefold() not in ("activity", "echo", "check", "battle", "usurper"):
            raise DiceError(
                f"{where}: {shown(part)}: expected activity, echo, check, battle or usurper with faces, or 'dice: FACES'"
            )
        if name.casefold() in found:
            raise DiceError(f"{where}: {name.casefold()} is stated twice")
        found[name.casefold()] = _faces(faces.strip(), where)
    activity = found.get("activity", Faces())
    if len(activity.faces) != 2:
        raise DiceError(f"{where}: expected a region and a province for the activity, like 'activity 4 2'")
    return PhaseDice(**found)


def _faces(text: str, where: str) -> Faces:
    if not _FACES.fullmatch(text):
        raise DiceError(
            f"{where}: {shown(text)}: expected faces from 1 to 6, like '4 2 6', with a * where the last continues"
        )
    return Faces(tuple(int(face) for face in text if face in "123456"), text.endswith("*"))
