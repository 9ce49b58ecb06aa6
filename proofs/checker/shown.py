"""What a value of a reading makes of one thing in a position: an action, or a result of the Barbarian phase.

Of an action it is ``not legal``, or the chance of its outcome and the position after it. Where Galerius can pay it has no chance,
since he decides when he has seen the dice. Of a result of a phase, which is a position or ``fallen``, it is the chance. Positions
are written as in certificates, in the usual readings.
"""

import json
import re
from fractions import Fraction
from typing import Any

from claim import write_table
from modulephase import more
from moduleposition import NOT_ALWAYS, PIECES, Begun
from moduleturn import deeds, may_stop
from phasesteps import Fallen, Scene
from rules import BEATEN, FALLEN, IP_A_TURN
from situations import DEAD, DUX, HELPERS, RESERVE, VICARIUS, Result, Rules, Situation
from wholephase import WholePhase

END, NOT_LEGAL, FALL = "end", "not legal", "fallen"
ATTACK = re.compile(r"((?:.*: )?attack ([a-z_]+)): (victory|draw|defeat)((?: \+[a-z_]+)*)")


class Shown:
    """Things in a position under one value."""

    def __init__(self, text: str, begun: Begun, readings: dict[str, str]) -> None:
        self.level, *words = text.split(" ")
        self.pieces: dict[str, Any] = {}
        for word in words[7:]:
            name, _, value = word.partition("=")
            self.pieces[name] = json.loads(value)
        self.rules, self.start = begun.rules._replace(readings=readings), begun.start

    def action(self, name: str) -> str:
        """What an action does, an attack with one outcome."""
        if name == END:
            ends = may_stop(self.rules, self.start)
            return f"chance 1, {self.written(self.start, BEATEN)}" if ends else NOT_LEGAL
        attack = ATTACK.fullmatch(name)
        found = self.results(self.rules, attack[1] if attack else name)
        if attack and (attack[4] or any(one.after.dice is not None for one in found)):
            (one, *_) = self.results(self.rules._replace(stated={attack[2]: attack[3]}), name) or (None,)
            return NOT_LEGAL if one is None else self.written(one.after, one.end)
        for one in found:
            if one.outcome == (attack[3] if attack else ""):
                return f"chance {Fraction(one.share, 36)}, {self.written(one.after, one.end)}"
        return NOT_LEGAL

    def results(self, rules: Rules, name: str) -> list[Result]:
        """All that can come of a deed; nothing where it is not legal."""
        return next((deed.results for deed in deeds(rules, self.start) if deed.name == name), [])

    def phase(self, result: str) -> str:
        """The chance of a result."""
        chances = WholePhase(self.rules, self.start).ends(self.start).items()
        return str(sum((chance for end, chance in chances if self.result(end) == result), Fraction(0)))

    def result(self, end: Scene | Fallen) -> str:
        """The start of the next turn, or a fall."""
        if isinstance(end, Fallen):
            return FALL
        now = more(end)
        before = self.start.places[DUX:]
        helpers = [
            here or (None if there is None else DEAD)
            for here, there in zip((end.places[DUX], now.vicarius), before, strict=True)
        ]
        places = (*end.places[:DUX], *helpers)
        after = self.start._replace(
            ip=IP_A_TURN,
            places=places,
            table=end.table,
            power=False,
            goths=now.goths,
            pirates=now.pirates,
            glory=now.glory,
        )
        rules = self.rules._replace(active=(self.rules.active + 1) % DUX, gray=now.gray)
        return self.line(rules, after._replace(rebels=now.rebels), str(IP_A_TURN))

    def written(self, now: Situation, end: str) -> str:
        """A position after an action; `BEATEN`: the turn is over."""
        if end == FALLEN:
            return FALL
        over = end == BEATEN
        return self.line(self.rules, now._replace(power=now.power and not over), "b" if over else str(now.ip))

    def line(self, rules: Rules, now: Situation, ip: str) -> str:
        """A position in one line."""
        board = rules.board
        places = "/".join("-" if place is None else board.code[place] for place in now.places[:DUX])
        words = [self.level, f"{board.letters[rules.active]}:{ip}", places, write_table(now.table, board)]
        names = [*board.emperors, *HELPERS.values()]
        glory, paid = (dict(sorted(zip(board.emperors, counts, strict=True))) for counts in (now.glory, now.paid))
        values: dict[str, Any] = {
            "barbarian_discs": {"black": rules.black, "gray": rules.gray},
            "dux": now.places[DUX],
            "glory": glory,
            "goths": now.goths or RESERVE,
            "passing": None if now.passing is None else names[now.passing],
            "pirates": now.pirates,
            "power": True if now.power else None,
            "rebels": {
                border: rebel for border, rebel in self.pieces.get("rebels", {}).items() if border in now.rebels
            },
            "removed": paid,
            "vicarius": now.places[VICARIUS],
        }
        for name, needs in PIECES.items():  # those of the modules in use, and others that are there
            in_use = not needs.isdisjoint(rules.use) or not needs
            if in_use and (values[name] or name not in NOT_ALWAYS):
                words.append(f"{name}={json.dumps(values[name], separators=(',', ':'))}")
        return " ".join(words)
