"""What two values of a reading make of a position with modules, variants or rebels, and of all that are smaller.

Of a turn all deeds are compared, with all that can come of each, and whether the turn may end; of a Barbarian phase all results
with their chances, while players decline what they may decide. So if something can be decided and nothing differs, this program
does not know whether the values do.
"""

from collections.abc import Iterator
from itertools import combinations, product

import moduleposition
from board import Board
from moduleposition import Begun, trouble_of
from moduleturn import deeds, may_stop
from rules import IP_A_TURN, NOWHERE, Table
from situations import DEAD, DUX, HELPERS, Rules, Situation
from text import Lines, Unreadable
from wholephase import WholePhase

Both = list[dict[str, str]]
NOBODY = (0, 0, 0, 0)
LARGEST = 2  # pieces of the positions that are made: with three there could be somebody who passes, rebels, and powers


def is_phase(text: str) -> bool:
    """Whether a line is a position before a Barbarian phase."""
    return ":b " in text


def read(text: str, board: Board) -> Begun:
    """A position before either phase: before a Barbarian one with ``b`` for the IP."""
    if not is_phase(text):
        return moduleposition.read(text, board, True)
    begun = moduleposition.read(text.replace(":b ", f":{IP_A_TURN} ", 1), board, True)
    if begun.start.passing is not None or begun.start.power:
        raise Unreadable("this position cannot occur: nobody passes and no power is in use when the Barbarians come")
    return begun


def differ(lines: Lines, begun: Begun, both: Both, *, before_phase: bool) -> bool:
    """Whether the values differ in a position."""
    one, other = (begun._replace(rules=begun.rules._replace(readings=readings)) for readings in both)
    if not before_phase:
        return turn_of(*one) != turn_of(*other)
    first, second = (WholePhase(rules, start) for rules, start in (one, other))
    if first.ends(begun.start) != second.ends(begun.start):
        return True
    if first.decided or second.decided:
        raise lines.unreadable(
            "players decide in a Barbarian phase, which this program follows only while they decline: then nothing differs"
        )
    return False


class Smaller:
    """All positions of so many pieces with the same modules, and whether the values differ in one."""

    def __init__(self, lines: Lines, rules: Rules, both: Both) -> None:
        self.lines, self.rules, self.both = lines, rules, both
        self.count = 0
        self.same: set[tuple[object, ...]] = set()

    def different(self, size: int) -> str:
        """A position of this size in which they do, in a few words; empty where there is none."""
        for begun in positions(self.rules, size):
            self.count += 1
            if differ(self.lines, begun, self.both, before_phase=False):
                return f"a turn with {begun.start.ip} IP, {said(begun)}"
            if begun.start.ip == IP_A_TURN:  # once for the phase after it
                self.count += 1
                if not self.known(begun) and differ(self.lines, begun, self.both, before_phase=True):
                    return f"a Barbarian phase, {said(begun)}"
        return ""

    def known(self, begun: Begun) -> bool:
        """Whether the phase has been compared: only Pirates depend on fleets, and few discs on whose turn it was."""
        rules, start = begun
        if "pirates" not in rules.use:
            start = start._replace(table=start.table._replace(fleets=frozenset()))
        active = rules.active if "barbaria" in rules.use or {"dux", "roma-aeterna"} <= rules.use else 0
        key = (start, active, rules.gray, rules.black)
        if key in self.same:
            return True
        self.same.add(key)
        return False


def said(begun: Begun) -> str:
    """The pieces on the board in words."""
    rules, now, table = begun.rules, begun.start, begun.start.table
    names = [*rules.board.emperors, *HELPERS.values()]
    parts = [f"{name} in {place}" for name, place in zip(names, now.places, strict=True) if place in rules.board.row]
    lying = {"army": table.armies, "revolt": table.revolts, "unrest": table.unrest, "garrison": table.secured()}
    parts += [f"{kind} in {place}" for kind, places in lying.items() for place in places]
    return ", ".join(parts) or "nothing on land"


def turn_of(rules: Rules, start: Situation) -> tuple[object, ...]:
    """All deeds, each with all that can come of it, and whether the turn may end."""
    return may_stop(rules, start), {deed.name: tuple(deed.results) for deed in deeds(rules, start)}


# -- all positions -----------------------------------------------------------------------------------------------


def positions(like: Rules, size: int) -> Iterator[Begun]:
    """Every position of one or two pieces with the modules of another one: fleets alone, or one fleet and one more piece."""
    assert 1 <= size <= LARGEST
    board = like.board
    rules = Rules(board, like.use, like.readings, like.supply, 0, {}, 0, None)
    for fleets in combinations(board.all_zones, size):
        yield from each_turn(rules, bare(board, fleets))
    for zone in board.all_zones if size == LARGEST else ():
        for with_discs, start in with_one(rules, bare(board, (zone,))):
            yield from each_turn(with_discs, start)


def bare(board: Board, fleets: tuple[int, ...]) -> Situation:
    """Nothing but fleets on the table."""
    table = Table(frozenset(fleets), NOWHERE, NOWHERE, NOWHERE, (NOWHERE,) * 4)
    places = (None,) * (len(board.emperors) + len(HELPERS))
    return Situation(IP_A_TURN, places, table, None, None, None, NOWHERE, NOBODY, NOBODY, False, None)


def each_turn(rules: Rules, start: Situation) -> Iterator[Begun]:
    """The position in each turn, with all IP that can be left, and helpers who are not on the board still to come, or dead."""
    away = [who for who in HELPERS if HELPERS[who] in rules.use and start.places[who] is None]
    for gone in product((False, True), repeat=len(away)):
        now = start
        for who in (who for who, dead in zip(away, gone, strict=True) if dead):
            now = now._replace(places=(*now.places[:who], DEAD, *now.places[who + 1 :]))
        for active, ip in product(range(len(rules.board.emperors)), range(IP_A_TURN + 1)):
            begun = Begun(rules._replace(active=active), now._replace(ip=ip))
            if not trouble_of(*begun, len(now.table.fleets), []):
                yield begun


def with_one(rules: Rules, now: Situation) -> Iterator[tuple[Rules, Situation]]:
    """Every way to add one piece; not all can lie so."""
    use, board, table = rules.use, rules.board, now.table
    figures = [*range(DUX), *(who for who, name in HELPERS.items() if name in use)]
    for place in board.provinces:
        for who in figures:
            yield rules, now._replace(places=(*now.places[:who], place, *now.places[who + 1 :]))
        alone = frozenset({place})
        yield rules, now._replace(table=table._replace(revolts=alone))
        yield rules, now._replace(table=table._replace(unrest=alone))
        yield rules, now._replace(table=table._replace(armies=alone))
        for owner in range(len(board.emperors)):
            four = tuple(alone if who == owner else NOWHERE for who in range(len(board.emperors)))
            yield rules, now._replace(table=table._replace(garrisons=four))
        if "goths" in use:
            yield rules, now._replace(table=table._replace(armies=alone), goths=place)
    for zone in board.all_zones if "pirates" in use else ():
        yield rules, now._replace(pirates=zone)
    for owner in range(len(board.emperors)):
        one = tuple(int(who == owner) for who in range(len(board.emperors)))
        if "roma-aeterna" in use:
            yield rules, now._replace(glory=one)
        if "imperium" in use:
            yield rules, now._replace(paid=one)
    if "barbaria" in use:
        yield rules._replace(gray=1), now
        yield rules._replace(black=1), now
