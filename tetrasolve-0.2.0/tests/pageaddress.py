"""Addresses of the web page, and what is there when each view is ready."""

from urllib.parse import urlencode

FIGHT = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
KILL = "4dd6b25a57"  # a puzzle of one turn: destroy the army in Syria
CHANCE = "0de5605978"  # one whose answer is a fraction
RECORD = """tetrasolve-record/1
board tetrarchia
ruleset 4211
start 4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal
1 maximian: attack narbonensis: victory 6-1; secure; end
dice: 4 4
2 diocletian: secure
result open
"""
CHANGE = "link sardinia-etruria absent"
FINDING = "I-ENTRY=must/may"


def at(view, fragment="", **state):
    """The address of a state."""
    return "/?" + urlencode({"view": view, **state}) + (f"#{urlencode(fragment)}" if fragment else "")


# By name: an address, and a selector of what comes last
VIEWS = {
    "play": (at("play", position=FIGHT), ".board .hit"),
    "puzzles": (at("puzzles"), ".cards li:nth-child(24)"),
    "puzzle": (at("puzzles", puzzle=KILL), ".legal button"),
    "chance": (at("puzzles", puzzle=CHANCE), "form input"),
    "review": (at("review", {"record": RECORD}, turn="1"), ".detail .hit"),
    "editor": (at("editor", position=FIGHT), ".verdict .good"),
    "impossible": (at("editor", position=FIGHT.replace(" nar ", " rom.nar ")), ".verdict li"),
    "map": (at("map", changes=CHANGE), ".facts summary"),
    "findings": (at("findings"), ".cards li"),
    "finding": (at("findings", finding=FINDING), ".finding svg"),
}
