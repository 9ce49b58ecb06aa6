"""A position with modules, variants or rebels, read from one line: as one of the base game, then a word for each piece."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import aeterna
import dux
import goths
import imperium
import marenostrum
import pirates
import rebels
import viaromana
import vicarius
from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS, province, read_readings, read_table
from rules import IP_A_TURN, LATER, MOST_UNREST
from rules import READINGS as OF_BASE
from situations import DEAD, DUX, HELPERS, MAXIMIAN, RESERVE, VICARIUS, Rules, Situation
from text import Unreadable

MODULES = ("dux", "goths", "pirates", "vicarius")  # in the order in which a ruleset names them
VARIANTS = ("barbaria", "imperium", "mare-nostrum", "roma-aeterna", "usurpator", "via-romana")
RULESET = re.compile(r"([3-5])([1-3])[0-2][0-2]((?:\+[a-z-]+)*)(?:\?(.+))?")
MOST_WITH_PIRATES = 2  # fleets
GRAY, BLACK = 4, 1  # discs of the Barbarian player

WAY = {"I-SHORTEST": ("region", "file"), "I-WAY-ARROWS": ("links", "arrows"), "I-WAY-BROKEN": ("one", "two")}
# The readings of each module and variant; on those that are written out here no Roman phase depends
READINGS: dict[str, Mapping[str, tuple[str, ...]]] = {
    "dux": dux.READINGS,
    "vicarius": vicarius.READINGS,
    "pirates": pirates.READINGS,
    "goths": goths.READINGS,
    "imperium": imperium.READINGS,
    "mare-nostrum": marenostrum.READINGS,
    "via-romana": viaromana.READINGS,
    "roma-aeterna": aeterna.READINGS,
    "usurpator": WAY
    | {
        "I-USURPER-ORDER": ("lower", "higher"),
        "I-USURPER-EMPERORS": ("removed", "stand"),
        "I-USURPER-ECHO": ("before", "after"),
        "I-USURPER-ROOM": ("none", "expels"),
        "I-USURPER-ADVANCE": ("at-once", "after-all"),
    },
    "barbaria": WAY
    | {
        "I-BLACK-WHEN": ("steps", "start"),
        "I-BLACK-PLACE": ("roman", "any"),
        "I-BLACK-CAPITALS": ("all", "emperors"),
        "I-BLACK-EMPTY": ("no-figure", "no-disc"),
        "I-REROLL": ("stands", "again"),
        "I-REFILL": ("rest", "none"),
        "I-CANCEL-WHEN": ("before", "after"),
        "I-CHECK-ORDER": ("file", "reverse"),
        "I-TURN-BORDERS": ("inside", "may"),
        "I-TURN-BLOCKED": ("turns", "stays"),
        "I-TURN-STOPPED": ("stays", "usual"),
        "I-TURN-DISC": ("spent", "returned"),
    },
}

# The pieces, in the order in which they are written, each with the modules and variants, one of which it needs
PIECES: dict[str, set[str]] = {
    "barbarian_discs": {"barbaria"},
    "dux": {"dux"},
    "glory": {"roma-aeterna"},
    "goths": {"goths"},
    "passing": {"dux", "vicarius", "imperium"},
    "pirates": {"pirates"},
    "power": {"imperium"},
    "rebels": set(),
    "removed": {"imperium"},
    "vicarius": {"vicarius"},
}
NOT_ALWAYS = ("passing", "power", "rebels")


class Begun(NamedTuple):
    """A situation, and the rules of the turn that begins there."""

    rules: Rules
    start: Situation


def read(text: str, board: Board, of_base_game: bool = False) -> Begun:
    """A position with at least one module, variant or rebel army, or one of the base game, written in the one usual way."""
    words = text.split(" ")
    ruleset = RULESET.fullmatch(words[0])
    if len(words) < 8 or ruleset is None:
        raise Unreadable("a position has 8 fields, the first of them a ruleset, and a word for each piece of a module")
    use = read_modules(ruleset[3].split("+")[1:])
    pieces = read_pieces(words[8:], use)
    check_pieces(pieces, board)
    more = {name: values for module in use for name, values in READINGS[module].items()}
    rest = {name: values for module in READINGS.values() for name, values in module.items()}
    readings = {name: values[0] for name, values in rest.items()} | read_readings(ruleset[4], more)
    letter, colon, ip = words[1].partition(":")
    if not colon or letter not in board.letters or not re.fullmatch(f"[0-{IP_A_TURN + 1}]", ip):
        raise Unreadable(f"active Emperor '{words[1]}': expected {', '.join(board.letters)}, a colon and the IP")
    places = [None if code == "-" else province(code, board) for code in words[2].split("/")]
    if len(places) != len(board.emperors):
        raise Unreadable(f"Emperors '{words[2]}': expected four places")
    own, gray = pieces.get("rebels", {}), pieces.get("barbarian_discs", {"gray": 0, "black": 0})
    fleets = {border: rebel["fleet"] for border, rebel in own.items()}
    rules = Rules(
        board, use, readings, int(ruleset[1]), board.letters.index(letter), fleets, gray["gray"], None, gray["black"]
    )
    figures = [pieces.get(name) for name in HELPERS.values()]
    none = dict.fromkeys(board.emperors, 0)
    glory, paid = (tuple(pieces.get(key, none)[name] for name in board.emperors) for key in ("glory", "removed"))
    army = pieces.get("goths")
    start = Situation(
        int(ip),
        (*places, *figures),
        read_table(" ".join(words[3:8]), board),
        read_passing(pieces, places, rules),
        None if army == RESERVE else army,
        pieces.get("pirates"),
        frozenset(own),
        glory,
        paid,
        "power" in pieces,
        None,
    )
    if not use and not own and not of_base_game:
        raise Unreadable("no module, variant or rebel army is in use: the kind of this certificate is turn")
    trouble = trouble_of(rules, start, int(ruleset[2]), [rebel["figure"] for rebel in own.values()])
    if trouble:
        raise Unreadable(f"this position cannot occur: {trouble}")
    return Begun(rules, start)


def trouble_of(rules: Rules, start: Situation, fleets: int, rebel_figures: list[str]) -> str:
    """Why this is no position of an open game at a level with so many fleets; empty if it is one."""
    return (
        cannot_occur(rules, start, fleets)
        or vicarius.trouble(rules, start)
        or pirates.trouble(start)
        or goths.trouble(start)
        or rebels.trouble(rules, start, rebel_figures)
        or imperium.trouble(rules, start)
    )


def pieces_of(begun: Begun) -> int:
    """Fleets, figures, armies, discs on the board, of glory, paid, and of the Barbarian player, and the Pirates."""
    rules, now, table = begun.rules, begun.start, begun.start.table
    figures = sum(place in rules.board.row for place in now.places)
    discs = len(table.revolts) + len(table.unrest) + sum(map(len, table.garrisons))
    beside = sum(now.glory) + sum(now.paid) + rules.gray + rules.black
    return len(table.fleets) + figures + len(table.armies) + discs + beside + (now.pirates is not None)


def known_to(use: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """The readings that this program knows in a game with these modules and variants, with their values."""
    return {**OF_BASE, **LATER} | {name: values for module in use for name, values in READINGS[module].items()}


def read_modules(names: list[str]) -> frozenset[str]:
    """The modules, then the variants, each once and in alphabetical order."""
    if names != [name for name in (*MODULES, *VARIANTS) if name in names]:
        raise Unreadable(f"'{'+'.join(names)}': expected modules, then variants, each once, in alphabetical order")
    return frozenset(names)


# -- pieces ------------------------------------------------------------------------------------------------------


def read_pieces(words: list[str], use: frozenset[str]) -> dict[str, Any]:
    """The pieces by their names, in JSON without spaces; those that do not belong to the rules in use are refused."""
    found: dict[str, Any] = {}
    for word in words:
        name, _, text = word.partition("=")
        try:
            found[name] = json.loads(text)
        except ValueError:
            raise Unreadable(f"'{word}': expected the name of a piece and its value in JSON") from None
        if json.dumps(found[name], separators=(",", ":")) != text:
            raise Unreadable(f"'{word}': expected JSON in its usual form")
    wanted = [name for name, needs in PIECES.items() if name in found or (needs & use and name not in NOT_ALWAYS)]
    unknown = [name for name in found if name not in PIECES or (PIECES[name] and not PIECES[name] & use)]
    if unknown or list(found) != wanted or len(words) != len(wanted):
        raise Unreadable(f"pieces {', '.join(found) or 'none'}: expected {', '.join(wanted) or 'none'}, in this order")
    return found


def check_pieces(pieces: dict[str, Any], board: Board) -> None:
    """Make sure that pieces have values of the right form."""
    of_each = sorted(board.emperors)
    forms: dict[str, Callable[[Any], bool]] = {
        "barbarian_discs": lambda value: counted(value, ["black", "gray"]),
        "dux": lambda value: value in (None, DEAD, *board.provinces),
        "glory": lambda value: counted(value, of_each),
        "goths": lambda value: value in (RESERVE, *board.provinces),
        "passing": lambda value: value in (*HELPERS.values(), *board.emperors),
        "pirates": lambda value: value is None or (type(value) is int and value in board.all_zones),
        "power": lambda value: value is True,
        "rebels": lambda value: is_rebels(value, board),
        "removed": lambda value: counted(value, of_each),
        "vicarius": lambda value: value in (None, DEAD, *board.provinces),
    }
    for name, value in pieces.items():
        if not forms[name](value):
            raise Unreadable(f"{name}: this is no value of that piece")


def counted(value: Any, names: list[str]) -> bool:
    """Whether this is a number of discs for each of some names, in this order."""
    return isinstance(value, dict) and list(value) == names and all(type(n) is int and n >= 0 for n in value.values())


def is_rebels(value: Any, board: Board) -> bool:
    """Whether these are rebel armies, with the figure used and the zone of a fleet, by borders in alphabetical order."""
    return (
        isinstance(value, dict)
        and bool(value)
        and list(value) == sorted(set(value) & set(board.provinces))
        and all(
            isinstance(rebel, dict)
            and list(rebel) == ["figure", "fleet"]
            and rebel["figure"] in rebels.FIGURES
            and type(rebel["fleet"]) is int
            and rebel["fleet"] in board.all_zones
            for rebel in value.values()
        )
    )


def read_passing(pieces: dict[str, Any], places: list[str | None], rules: Rules) -> int | None:
    """Who shares a province and must move on: where others than the active Emperor can be moved, a piece says it."""
    if not rules.use & PIECES["passing"]:
        here = places[rules.active]
        return rules.active if here is not None and places.count(here) > 1 else None
    names = {**dict(enumerate(rules.board.emperors)), **HELPERS}
    return next((who for who, name in names.items() if name == pieces.get("passing")), None)


# -- what can occur ----------------------------------------------------------------------------------------------


def cannot_occur(rules: Rules, now: Situation, fleets: int) -> str:
    """Why this is no position of an open game in the Roman phase; empty if it is one."""
    board, table, here = rules.board, now.table, now.places[rules.active]
    if len(table.fleets) != fleets or ("pirates" in rules.use and fleets > MOST_WITH_PIRATES):
        return "the level has another number of fleets"
    unrest_left, revolts_left = rules.unrest_left(now), MOST_REVOLTS - rules.black - len(table.revolts)
    if min(unrest_left, revolts_left) < 0 or len(table.armies) > MOST_ARMIES:
        return "there are not so many revolts, unrest or armies"
    if rules.gray > GRAY or rules.black > BLACK or len(table.unrest) > MOST_UNREST:
        return "there are not so many discs"
    if any(len(garrisons) > rules.supply for garrisons in table.garrisons):
        return "the level gives no Emperor so many garrisons"
    most = IP_A_TURN + imperium.MAXIMIAN_GAINS * (now.power and rules.active == MAXIMIAN)
    if now.ip > most or (here is None and now.ip < IP_A_TURN):
        return "this is no number of IP at this place"
    if board.borders <= table.secured():
        return "the game is won"
    return figures_cannot(rules, now) or armies_cannot(rules, now)


def figures_cannot(rules: Rules, now: Situation) -> str:
    """Why figures of Rome cannot stand so: they share a province only while one of them passes."""
    stand = now.others(-1)
    if now.table.armies & set(stand):
        return "a figure of Rome stands with an army"
    movable = {rules.active, DUX, VICARIUS, *imperium.led(rules, now)}
    shared = None if now.passing is None else now.places[now.passing]
    if now.passing is not None and (
        stand.count(str(shared)) != 2 or now.passing not in movable or now.places[rules.active] is None
    ):
        return "who is passing shares no province, or cannot have been moved"
    if any(stand.count(place) > 1 for place in stand if place != shared):
        return "two figures of Rome stand in one province"
    return ""


def armies_cannot(rules: Rules, now: Situation) -> str:
    """Why armies cannot stand so, or discs lie so."""
    board, table, readings = rules.board, now.table, rules.readings
    black_outside = "barbaria" in rules.use and readings["I-BLACK-PLACE"] == "any"
    if not black_outside and (table.revolts - now.rebels | table.unrest) & board.borders:
        return "a revolt or an unrest lies on a border"
    for army in table.armies - now.rebels:
        may_lie = readings["I-TURN-BORDERS"] == "may" or goths.may_lie_under(rules, now, army)
        may_lie |= army in table.revolts and black_outside and readings["I-BLACK-EMPTY"] == "no-disc"
        wrong = army in table.discs() and not may_lie if army in board.borders else army not in table.revolts
        if army == board.roma or wrong:
            return "an army stands in Roma, on a border with a disc, or on no revolt within the Empire"
    return ""
