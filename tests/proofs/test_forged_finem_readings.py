"""False claims that a reading makes tempting: what is best under one value is claimed under the other.

Each position is one at which the two differ, so that a checker which did not know the value would confirm the wrong one. Each pair
of values of a reading has one, unless nothing that a certificate can say depends on which of the two it is; that is tested, too.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import NamedTuple

import checker
import pytest
from finem import map as checker_map
from finem import position as checker_position
from tampered import sealed
from text import Unreadable

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import RulesetError
from tetrasolve.finem.certificate import certify
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle.certificate import certify_answer
from tetrasolve.finem.puzzle.kinds import Question, kind
from tetrasolve.finem.puzzle.solving import solve
from tetrasolve.finem.ruleset import OPTIONS, READINGS, Ruleset

pytestmark = pytest.mark.program

BOARDS = [path for path in checker.BOARDS if path.exists()]
MAP = checker_map.read_map(next(path for path in checker.BOARDS if checker_map.is_map(path)))
# The reading, the position under it, and what is asked: an objective of actions, or a kind of question with one answer
CASES = {
    "a Dictator who must leave may stay": (
        "E-DICTATOR=there",
        "standard?E-DICTATOR=there dictator C7/C7/E5 2221/- 2/1 C7:C2.E5:E3 act:2 -",
        "cubes:C=-1 cubes:E=-9",
    ),
    "a stay that uses an action": (
        "E-DICTATOR-STAY=free",
        "standard?E-DICTATOR-STAY=free dictator C7/C7/E5 2221/- 2/1 C7:C2.E5:E3 act:2 O5.O6",
        "cubes:C=-1 cubes:E=-9",
    ),
    "the corner as the region of the start": (
        "E-CORNER-START=table",
        "standard+corner?E-CORNER-START=table consul ER/C7/ER 2221/- 2/1 C7:C3 act:2 -",
        "cubes=-1",
    ),
    "a victory that comes at once": (
        "E-WIN=turn",
        "standard?E-WIN=turn prefect C7/C7/E5 5111/CEB 2/1 C7:C2 act:2 -",
        "cubes=-1 won=9",
    ),
    "a victory before the invasion": (
        "E-WIN=turn",
        "standard?E-WIN=turn prefect C7/C7/E5 5111/CEB 2/3 C7:C3.E5:E3.E6:E3 act:1 -",
        "win",
    ),
    "a point that pacifies at 5 in a Prefect's turn": (
        "E-PREFECT=found",
        "standard?E-PREFECT=found prefect C7/C7/E5 4111/CEB 2/3 C7:C3.E5:E3.E6:E3 act:1 -",
        "survive",
    ),
    "a chain that does not come back": (
        "E-CHAIN-FIRST=again",
        "standard?E-CHAIN-FIRST=again consul E5/C7/E5 3322/- 1/1 C7:C3.CS:C3 invade:2 O5.B6.C5.E7",
        "chance-lost",
    ),
}

# Those of the limit, the crisis and the events; the checker follows the turn for seconds where it says `slow`
OF_TURN = {
    "a chain that reaches the protected region": (
        "E-PROTECT=chain",
        (
            "standard?E-PROTECT=chain consul C7/C7/E5 2333/CB 3/1 "
            "O5:O3.O6:O3.O7:O1.OS:O3.C7:C3.E7:E3.B6:B3.B7:B3 protect O6.EC.ER.B5 hand=O6.ER.B5"
        ),
        "protect",
    ),
    "three of a suit that stop at a crisis": (
        "E-THREE=stop",
        (
            "standard?E-THREE=stop tribune C7/C7/E5 3323/OC 3/1 "
            "O5:O1.O6:O3.OR:O1.C5:C3.C6:C1.C7:C3.CR:C1.E6:E3.EC:E1.BR:B3 exchange OR.E6.E7 hand=OR.E6.E7"
        ),
        "tribune",
    ),
    "cubes of a crisis that are not there": (
        "E-FILL=held",
        (
            "standard?E-FILL=held tribune C7/C7/E5 3332/CB 2/2 "
            "O6:O1.OS:O3.OC:O3.OR:O1.C7:C3.CC:C1.E5:E3.E6:E1.ES:E3.EC:E3.BS:B1.BC:B3 exchange O6.CR.E5 hand=O6.CR.E5"
        ),
        "tribune",
    ),
    "three suits without an event": (
        "E-EVENT=never",
        (
            "standard?E-EVENT=never tribune C7/C7/E5 3314/OC 3/3 OR:O1.C6:C3.E6:E1.ES:E3.ER:E1.B6:B1.B7:B3.BS:B3 "
            "exchange C7.E5.BR hand=C7.E5.BR"
        ),
        "tribune-die B",
    ),
    "cards of an eradicated tribe that count": (
        "E-GONE-SUITS=ignored",
        (
            "introductory?E-GONE-SUITS=ignored tribune C7/C7/E5 3250/B 2/1 O5:O1.O7:O3.CC:C3.E6:E3.EC:E3 "
            "exchange CC.E7.BS hand=CC.E7.BS"
        ),
        "tribune",
    ),
    "a die that cannot rise": (
        "E-RAISE-STUCK=not",
        (
            "standard?E-AGAIN=stays,E-RAISE-STUCK=not tribune C7/C7/E5 1115/OCE 3/2 "
            "OR:O1.C5:C1.C6:C1.CS:C3.CR:C3.EC:E3.B6:B1 exchange O5.EC.ER hand=O5.EC.ER"
        ),
        "tribune-die B",
    ),
    "a civil war without outbreaks": (
        "E-WAR=none",
        (
            "standard?E-WAR=none tribune C7/C7/E5 3233/OCB 3/3 O5:O3.OR:O3.CR:C1.EC:E1.B5:B3.B7:B3.BS:B3.BR:B3 "
            "exchange O6.CS.B7 hand=O6.CS.B7"
        ),
        "tribune-die E",
    ),
    "points taken off once": (
        "E-LIMIT=each-point",
        (
            "standard?E-LIMIT=each-point tribune C7/C7/E5 4151/EB 1/1 "
            "O6:O1.O7:O1.OC:O3.OR:O3.CS:C3.E7:E1.B6:B3.B7:B3.BC:B1.BR:B3 exchange OS.EC.B5 hand=OS.EC.B5"
        ),
        "tribune-die O",
    ),
    "points above eleven that the player chooses": (
        "E-LIMIT=lost",
        (
            "standard?E-LIMIT=lost tribune C7/C7/E5 4313/CE 4/1 O6:O3.O7:O1.C7:C3.CS:C1.E5:E1.B5:B1.B6:B3.BS:B3 "
            "exchange OC.E5.B7 hand=OC.E5.B7"
        ),
        "tribune-die O",
    ),
    "points off any die": (
        "E-LIMIT-DICE=raised",
        (
            "standard?E-LIMIT-DICE=raised tribune C7/C7/E5 3224/C 2/1 OS:O3.C6:C1.E6:E3.ER:E3.BR:B3 exchange "
            "O5.C6.ES hand=O5.C6.ES"
        ),
        "tribune-die O",
    ),
    "points off dice of pacified tribes": (
        "E-LIMIT-DICE=open",
        (
            "standard?E-LIMIT-DICE=open tribune C7/C7/E5 3341/OC 1/3 "
            "O5:O1.O6:O3.OC:O3.C5:C3.C6:C3.C7:C3.E5:E3.E6:E3.EC:E3.B7:B3.BR:B3 exchange C7.E6.BC hand=C7.E6.BC"
        ),
        "tribune-die B",
    ),
    "eleven points of all tribes": (
        "E-ELEVEN=open",
        (
            "standard?E-ELEVEN=open tribune C7/C7/E5 4511/OB 3/2 O6:O3.OR:O3.C6:C1.ER:E1.B5:B3.BS:B1.BC:B1.BR:B3 "
            "exchange C7.E5.BC hand=C7.E5.BC"
        ),
        "tribune-die C",
    ),
    "an event before the dice": (
        "E-WHEN=after",
        (
            "standard?E-WHEN=after tribune C7/C7/E5 5212/CB 2/2 O5:O3.O7:O3.OC:O3.C7:C3.CS:C3.CR:C3.E5:E3.B6:B3 "
            "exchange CR.ES.BC hand=CR.ES.BC"
        ),
        "tribune",
    ),
    "dice after the crisis": (
        "E-ORDER=dice-first",
        (
            "standard?E-ORDER=dice-first tribune C7/C7/E5 2153/OB 2/3 O7:O1.C7:C3.E6:E3.E7:E3.ES:E3.B7:B3 "
            "exchange O6.CR.B7 hand=O6.CR.B7"
        ),
        "tribune-die E",
    ),
    "one cube or all of a tribe": (
        "E-RESIST-ALL=besides",
        (
            "standard?E-RESIST-ALL=besides consul C7/C7/E5 2333/OEB 2/2 "
            "O5:O3.OS:O3.OC:O1.C7:C3.CC:C3.CR:C1.E5:E3.E7:E3.EC:E3.B6:B3.B7:B3.BS:B3.BR:B3 resist C7.ER.B7.BC hand=C7.ER.BC"
        ),
        "resist",
    ),
    "a crisis that is passed": (
        "E-CRISIS=exact",
        (
            "standard?E-CRISIS=exact tribune C7/C7/E5 1511/OCB 2/2 O5:O3.OR:O1.CS:C3.E7:E1.ER:E3.BR:B3 exchange "
            "E6.E7.ER hand=E6.E7.ER"
        ),
        "tribune-die E",
    ),
    "three of a suit that go on to a crisis": (
        "E-THREE=two",
        (
            "standard?E-THREE=two tribune C7/C7/E5 3332/OCB 3/2 "
            "O5:O3.O6:O3.O7:O3.OR:O3.CR:C3.E6:E3.ES:E3.BS:B1.BC:B1.BR:B3 exchange E7.ES.ER hand=E7.ES.ER"
        ),
        "tribune",
    ),
    "the point of an event at once": (
        "E-LIMIT-EVENT=waits",
        (
            "standard?E-LIMIT-EVENT=waits tribune C7/C7/E5 1451/O 2/2 "
            "O5:O1.OC:O3.OR:O3.C5:C3.CS:C3.CR:C3.E6:E3.ES:E3.EC:E1.BC:B1 exchange C5.CC.B7 hand=C5.CC.B7"
        ),
        "tribune-die E",
    ),
    "the name of a region whose card is out": (
        "E-PROTECT-OUT=deck",
        (
            "standard?E-PROTECT-OUT=deck consul C7/C7/E5 3134/O 2/3 O7:O3.CR:C3.ER:E1.BR:B1 protect O7.CC.EC.B5 "
            "hand=O7.EC.B5"
        ),
        "protect",
    ),
    "a crisis that puts only what is missing": (
        "E-FILL=three",
        (
            "standard?E-FILL=three tribune C7/C7/E5 1523/OB 5/1 O6:O3.C5:C3.C6:C3.C7:C1.CS:C3.E5:E3.E6:E3.EC:E3.ER:E1.B6:B1 "
            "exchange O7.OS.OC hand=O7.OS.OC"
        ),
        "tribune-die C",
    ),
}
PREFECT = "prefect C7/C7/E5 4111/CEB 2/3 C7:C3.E5:E3.E6:E3 act:1 -"
LAST_DIE = "magister C7/C7/E5 5111/CEB 2/3 C7:C3.E5:E3.E6:E3 act:1 -"
NEAR_CRISIS = "magister C7/C7/E5 3211/B 2/3 C7:C3.E5:E3.E6:E3 act:1 -"
GONE = "tribune C7/C7/E5 0322/O 2/1 C7:C3.E5:E1.B6:B1"
BARE = "prefect C7/C7/E5 5221/- 2/1 C7:C2.E5:E1 act:1 -"
DEALT = "E5E7ESERE6ECC5BSCCCRC7CSO6O7OCORO5OSB6B7C6BRB5BC"  # C6 and BS exchanged
AT_ONCE = "E-EMPEROR-WHEN=at-once"
MOVED = "E5E7ESERE6ECC5C6CCCRB6CSO6O7OCORO5OSC7B7BSBRB5BC"  # C7 and B6 exchanged
# The readings and pairs of values that come after those above, some of them with two values that are no defaults
BETWEEN = {
    "a die that stays at 6": (
        "E-PACIFY=action",
        (
            "standard?E-PACIFY=action tribune C7/C7/B5 1235/OCE 1/2 O5:O1.O7:O3.OC:O1.C6:C3.E7:E2.ES:E2.EC:E2.B5:B3.B7:B3 "
            "exchange OC.CS.CR hand=OC.CS.CR"
        ),
        "tribune-die C",
    ),
    "the action Pacify at any die": (
        "E-PACIFY=free",
        "standard?E-PACIFY=free dictator OR/C7/CS 1252/C 2/3 O5:O3.O6:O3.OS:O2.OC:O2.C6:C2.CR:C2.E5:E3.EC:E1.BS:B3 act:2 -",
        "pacified=5 die=1",
    ),
    "the action Pacify at any die, not at 6 alone": (
        "E-PACIFY=action",
        "standard?E-PACIFY=action prefect C6/C7/B6 1312/CB 8/1 O6:O3.OS:O2.C5:C3.C7:C2.CC:C3 act:2 -",
        "pacified=5 die=1",
        "E-PACIFY=free",
    ),
    "a point that pacifies at 5 without the action": ("E-PREFECT=turn", f"standard?E-PREFECT=turn {PREFECT}", "win"),
    "a point that pacifies at 5, and a die that stands there": (
        "E-PREFECT=standing",
        f"standard?E-PREFECT=standing {PREFECT}",
        "win",
    ),
    "a point that pacifies at 5, not a die that is found there": (
        "E-PREFECT=turn",
        f"standard?E-PREFECT=turn {PREFECT}",
        "win",
        "E-PREFECT=found",
    ),
    "a card that is seen first, and must be taken": (
        "E-EXCHANGE=must",
        (
            "standard?E-EXCHANGE=must tribune C7/C7/B6 4114/OE 8/2 O5:O1.O6:O3.OS:O3.OC:O2.C6:C1.CC:C2.E6:E1.ES:E3.B5:B3.B6:B2."
            "BS:B3 exchange OC.E5.BS hand=OC.E5.BS"
        ),
        "tribune-die C",
    ),
    "a card that is seen first, and may be left": (
        "E-EXCHANGE=may",
        (
            "standard?E-EXCHANGE=may tribune C7/C7/C7 5122/C 5/1 O6:O3.O7:O3.OS:O3.OC:O1.C5:C3.C7:C3.CR:C2.E7:E3.B5:B3.BC:B2 "
            "exchange C7.E5.BC hand=C7.E5.BC"
        ),
        "tribune",
    ),
    "a card that is seen, and taken or left": (
        "E-EXCHANGE=must",
        "standard?E-EXCHANGE=must tribune C7/C7/E5 5112/B 6/2 O6:O2.C6:C3.E6:E3 exchange C5.E6.B6 hand=C5.E6.B6",
        "tribune-die O",
        "E-EXCHANGE=may",
    ),
    "a crisis before the dice": (
        "E-ORDER=crisis-last",
        f"standard?E-ORDER=crisis-last {LAST_DIE}",
        "survive",
    ),
    "a crisis after the dice, or all of it": (
        "E-ORDER=dice-first",
        (
            "standard?E-ORDER=dice-first tribune C7/C7/E5 4511/E 1/3 C5:C3.C7:C3.E5:E1.E6:E3.ER:E2.B6:B3.B7:B3.BS:B1 "
            "exchange O6.BS.BR hand=O6.BS.BR"
        ),
        "tribune-die C",
        "E-ORDER=crisis-last",
    ),
    "cubes up to a crisis, and no more": (
        "E-THREE=need",
        f"standard+cap3?E-THREE=need {NEAR_CRISIS}",
        "survive",
    ),
    "two cubes, or one where that is a crisis": (
        "E-THREE=two",
        f"standard+cap3?E-THREE=two {NEAR_CRISIS}",
        "survive",
        "E-THREE=stop",
    ),
    "two cubes, or three where these are a crisis": (
        "E-THREE=two",
        "standard?E-THREE=two tribune C7/C7/E7 1333/OB 6/2 O5:O1.O6:O1.OC:O1.CC:C3.E7:E2.BC:B3 exchange ES.ER.B5 hand=ES.ER.B5",
        "tribune-die E",
        "E-THREE=need",
    ),
    "two cubes at most, or three": (
        "E-THREE=stop",
        "standard?E-THREE=stop tribune C7/C7/ER 4412/B 6/1 O5:O1.E5:E3.EC:E3.B5:B3 exchange CR.B5.BR hand=CR.B5.BR",
        "tribune-die C",
        "E-THREE=need",
    ),
    "points after the one that pacifies": (
        "E-OVER=lost",
        (
            "standard?E-OVER=lost tribune C7/C7/O7 1451/C 1/3 OS:O3.C7:C2.CC:C2.CR:C1.E6:E3.E7:E3.ES:E2.B6:B3 exchange OS.OR.EC "
            "hand=OS.OR.EC"
        ),
        "tribune-die E",
    ),
    "the die of a tribe that a civil war brings back": (
        "E-CIVIL=return",
        f"introductory?E-CIVIL=return {GONE} exchange C5.E5.B5 hand=C5.E5.B5",
        "tribune-die O",
    ),
    "the die of a tribe that a civil war brings back without a cube": (
        "E-CIVIL=die",
        f"introductory?E-CIVIL=die {GONE} exchange C5.E5.B5 hand=C5.E5.B5",
        "tribune-die O",
    ),
    "the die of a tribe that a crisis brings back": (
        "E-CRISIS-GONE=return",
        f"introductory?E-CRISIS-GONE=return {GONE} exchange C5.C6.E5 hand=C5.C6.E5",
        "tribune-die O",
    ),
    "a crisis that draws another card": (
        "E-CRISIS-GONE=again",
        (
            "introductory?E-CRISIS-GONE=again tribune C7/C7/OR 5150/B 2/3 O5:O1.O7:O3.OS:O1.OC:O2.OR:O1.C5:C1.CR:C3.E5:E2.E6:E2."
            "E7:E2.ES:E2.ER:E1 exchange OR.C6.B5 hand=OR.C6.B5"
        ),
        "tribune-die C",
    ),
    "a crisis that draws another card, or brings the tribe back": (
        "E-CRISIS-GONE=return",
        (
            "introductory?E-CRISIS-GONE=return tribune C7/C7/B7 5041/C 6/2 O6:O1.OC:O3.E5:E3.ES:E2.ER:E1.B6:B3.BC:B3 "
            "exchange O5.OR.B6 hand=O5.OR.B6"
        ),
        "tribune-die O",
        "E-CRISIS-GONE=again",
    ),
    "tribes whose cubes are gone already": (
        "E-ERADICATE=own",
        "introductory?E-ERADICATE=own consul C7/C7/E5 2221/B 2/1 C7:C2.E5:E1 act:2 -",
        "die=-1",
    ),
    "a tribe that is pacified without a cube": (
        "E-ERADICATE=always",
        f"introductory?E-ERADICATE=always {BARE}",
        "die=-1",
    ),
    "a tribe that is pacified without a cube, or loses its last": (
        "E-ERADICATE=own",
        f"introductory?E-ERADICATE=own {BARE}",
        "die=-1",
        "E-ERADICATE=always",
    ),
    "a die that no event has to raise": (
        "E-RAISE=may",
        "introductory?E-RAISE=may tribune C7/C7/E5 5000/CEB 2/1 O5:O1 exchange C5.E5.B5 hand=C5.E5.B5",
        "tribune-die O",
    ),
    "a cube that no event has to remove": (
        "E-RESIST=may",
        "introductory?E-RESIST=may tribune C7/C7/E5 4111/O 1/1 O5:O1 exchange O6.C5.E5 hand=O6.C5.E5",
        "tribune-die O",
    ),
    "a die that does not rise again": (
        "E-AGAIN=stays",
        (
            "standard?E-AGAIN=stays tribune C7/C7/ER 1225/O 5/1 O5:O3.O6:O3.OC:O1.C6:C2.CC:C2.CR:C3.E5:E2.E6:E2.EC:E1.ER:E3.B7:B3 "
            "exchange CS.ER.BR hand=CS.ER.BR"
        ),
        "tribune-die B",
    ),
    "cards that count as they were drawn": (
        "E-LIMIT-ORDER=drawn",
        (
            "standard?E-LIMIT=each-point,E-LIMIT-ORDER=drawn tribune C7/C7/E5 1541/OC 1/1 O7:O2.OC:O1.CC:C2.CR:C1.E5:E1.ES:E3.BS:B1"
            " exchange C5.C6.BR hand=C5.C6.BR"
        ),
        "tribune-die C",
    ),
    "gaps of the border": (
        "E-SPHERE=skip",
        (
            "expert+sphere?E-SPHERE=skip prefect C7/C7/B7 2152/B 3/2 O6:O1.O7:O2.OS:O2.C6:C2.C7:C1.E5:E3.ES:E1.EC:E3.ER:E3.B5:B1."
            "B7:B3.BS:B3.BC:B1 resist CC.ES.B7.BR hand=CC.ES.BR"
        ),
        "resist",
    ),
    "a ninth cube of decline that does not lose": (
        "E-CAP3-END=ten",
        (
            "standard+cap3?E-CAP3-END=ten tribune C7/C7/ES 4124/CB 8/3 OS:O3.OC:O3.OR:O2.C6:C3.CS:C3.CC:C3.ES:E3.B7:B2.BR:B3 "
            "exchange C5.EC.B6 hand=C5.EC.B6"
        ),
        "tribune",
    ),
    "a Dictator who stays": (
        "E-DICTATOR=must",
        "standard?E-DICTATOR=must dictator C7/C7/E5 2221/- 2/1 C7:C2.E5:E3 act:2 -",
        "cubes:C=-1 cubes:E=-9",
    ),
    "a Dictator who goes to the region where he is": (
        "E-DICTATOR=must",
        "standard?E-DICTATOR=must dictator C7/C7/E5 2221/- 2/1 C7:C2.E5:E3 act:2 -",
        "cubes:C=-1 cubes:E=-18",
        "E-DICTATOR=there",
    ),
    "a victory before the crisis of its phase": (
        "E-WIN=phase",
        f"standard?E-ORDER=dice-first,E-WIN=phase {LAST_DIE}",
        "survive",
    ),
    "a victory at the end of the phase, or of the turn": (
        "E-WIN=phase",
        "standard?E-WIN=phase prefect C7/C7/E5 5111/CEB 2/1 C7:C2 act:2 -",
        "cubes=-1 won=9",
        "E-WIN=turn",
    ),
    "a travel besides the role that the Emperor's card has named": (
        "E-EMPEROR-TRAVEL=besides",
        f"standard?E-EMPEROR-TRAVEL=besides,{AT_ONCE} magister BR/C7/E5 2221/- 2/1 C7:C3.E5:E2 act:3 - travels",
        "cubes=-1",
    ),
    "cubes of a crisis that go back first": (
        "E-FILL=three",
        (
            "standard?E-FILL=three tribune C7/C7/BS 1132/B 5/1 O5:O3.O7:O3.OR:O2.C6:C1.C7:C2.CS:C2.CR:C1.ES:E2.ER:E2.B5:B3.BS:B3 "
            "exchange C5.E5.B7 hand=C5.E5.B7"
        ),
        "tribune-die E",
        "E-FILL=held",
    ),
    "points that are taken off, or lost": (
        "E-LIMIT=each-point",
        (
            "standard?E-LIMIT=each-point tribune C7/C7/O5 3413/E 2/3 OC:O2.C7:C1.CS:C1.CR:C3.E5:E3.E6:E2.ES:E3.B6:B3.BS:B3.BC:B2."
            "BR:B1 exchange CS.E6.BC hand=CS.E6.BC"
        ),
        "tribune-die C",
        "E-LIMIT=lost",
    ),
    "points off dice that have risen, or of tribes not pacified": (
        "E-LIMIT-DICE=raised",
        (
            "standard?E-LIMIT-DICE=raised tribune C7/C7/ER 2421/OC 1/3 O6:O3.C6:C3.CC:C1.E5:E3.E6:E3.E7:E3.ES:E1.B6:B3.BS:B3 "
            "exchange O6.CR.E5 hand=O6.CR.E5"
        ),
        "tribune-die B",
        "E-LIMIT-DICE=open",
    ),
    "another map": (
        "E-MAP=dealt",
        f"standard@{DEALT} prefect C7/C7/E5 2221/- 2/1 C6:C1 act:2 -",
        "cubes=-1",
    ),
    "the start by its card": (
        "E-START=card",
        f"standard?E-START=card@{MOVED} consul O7/C7/E5 2221/- 2/1 C7:C3 act:2 -",
        "cubes=-1",
    ),
}
# Values by which the player chooses, or the limit comes before a 6
CHOSEN = {
    "one of two ways to move the decline": (
        "E-THREE=either",
        (
            "standard?E-THREE=either tribune C7/C7/BR 3521/- 3/1 O6:O1.OC:O3.CR:C3.ES:E1.EC:E3.B5:B3.B7:B3.BS:B3 exchange "
            "O7.E6.E7 hand=O7.E6.E7"
        ),
        "tribune-die E",
    ),
    "two cubes, or the one that a crisis needs": (
        "E-THREE=either",
        (
            "standard+cap3?E-THREE=either tribune C7/C7/BR 4122/OC 2/1 O5:O3.O7:O3.C7:C3.CR:C3.E6:E3.B7:B1 exchange O6.E5.E6 "
            "hand=O6.E5.E6"
        ),
        "tribune-die E",
        "E-THREE=two",
    ),
    "two cubes past the place of a crisis": (
        "E-THREE=either",
        (
            "standard?E-CRISIS=exact,E-THREE=either tribune C7/C7/BR 1315/- 2/2 OC:O3.CC:C1.E5:E3.E6:E3.B5:B3.BS:B3.BR:B1 "
            "exchange CS.CR.B7 hand=CS.CR.B7"
        ),
        "tribune-die B",
        "E-THREE=stop",
    ),
    "two cubes, or the three that a crisis needs": (
        "E-THREE=either",
        (
            "standard?E-THREE=either tribune C7/C7/E5 1151/E 3/2 O5:O1.O7:O3.C5:C3.C6:C3.ES:E3.ER:E3.B5:B3.BC:B3 exchange "
            "OC.ES.EC hand=OC.ES.EC"
        ),
        "tribune-die E",
        "E-THREE=need",
    ),
    "points above eleven before a 6 pacifies": (
        "E-LIMIT=before-six",
        (
            "standard?E-LIMIT=before-six tribune C7/C7/O5 1531/OE 1/2 O5:O1.O6:O1.O7:O1.C5:C3.EC:E1.B7:B1.BS:B3.BR:B1 "
            "exchange C7.CS.BS hand=C7.CS.BS"
        ),
        "tribune-die C",
    ),
    "a 6 that pacifies before a point above eleven goes": (
        "E-LIMIT=before-six",
        (
            "standard?E-LIMIT=before-six tribune C7/C7/E6 3115/C 1/2 "
            "O6:O1.OS:O1.OC:O3.CC:C3.CR:C3.E7:E3.ES:E1.B5:B1.B7:B3.BC:B3 exchange C5.CC.B7 hand=C5.CC.B7"
        ),
        "tribune-die B",
        "E-LIMIT=each-point",
    ),
    "a 6 that another die pays for": (
        "E-LIMIT=before-six",
        (
            "standard?E-LIMIT=before-six tribune C7/C7/E5 5231/- 1/2 "
            "O5:O1.OS:O3.C6:C1.CS:C1.CC:C1.E5:E1.E6:E3.B6:B3.BS:B1.BC:B3 exchange O5.C6.CS hand=O5.C6.CS"
        ),
        "tribune-die C",
        "E-LIMIT=lost",
    ),
    "an order of cards by their suits": (
        "E-LIMIT-ORDER=chosen",
        (
            "standard?E-LIMIT=each-point,E-LIMIT-ORDER=chosen tribune C7/C7/O5 5222/C 1/2 O7:O1.C5:C1.E7:E3.EC:E3.BR:B1 "
            "exchange O5.OR.ER hand=O5.OR.ER"
        ),
        "tribune-die O",
    ),
    "an order of cards in which they were drawn": (
        "E-LIMIT-ORDER=chosen",
        (
            "standard?E-LIMIT=each-point,E-LIMIT-ORDER=chosen tribune C7/C7/B5 1513/E 1/1 "
            "O6:O3.OC:O1.OR:O1.C6:C3.C7:C3.ES:E3.BC:B1.BR:B1 exchange CC.B5.B7 hand=CC.B5.B7"
        ),
        "tribune-die C",
        "E-LIMIT-ORDER=drawn",
    ),
}
SLOW = {
    "a point that pacifies at 5 in a Prefect's turn",
    "three of a suit that stop at a crisis",
    "cubes of a crisis that are not there",
    "a civil war without outbreaks",
    "dice after the crisis",
    "the point of an event at once",
    "a crisis before the dice",
    "cubes up to a crisis, and no more",
    "two cubes, or one where that is a crisis",
    "a victory before the crisis of its phase",
    "two cubes, or the one that a crisis needs",
    "two cubes past the place of a crisis",
    "a 6 that another die pays for",
    "an order of cards by their suits",
    "an order of cards in which they were drawn",
}
# Under the other value no answer is the only one, so that there is no certificate to be claimed of this one
ONE_WAY = {
    *(name for name in BETWEEN if name.startswith(("a point that pacifies", "the die of a tribe"))),
}


class Case(NamedTuple):
    """A value of a reading, a position under it, what is asked, and the other value: the default where there is none."""

    chosen: str
    line: str
    asked: str
    against: str = ""

    @property
    def reading(self) -> str:
        return self.chosen.partition("=")[0]

    @property
    def values(self) -> frozenset[str]:
        """Both values."""
        other = self.against.partition("=")[2] or READINGS[self.reading].default
        return frozenset({self.chosen.partition("=")[2], other})

    def positions(self) -> tuple[Position, Position]:
        """The position under its value, and under the other."""
        position = Position.parse(self.line)
        if self.reading == "E-MAP":
            return position, position.replace(ruleset=Ruleset("standard"))
        (other,) = self.values - {self.chosen.partition("=")[2]}
        usual = position.replace(ruleset=position.ruleset.with_readings([(self.reading, other)]))
        if self.reading == "E-EMPEROR-TRAVEL":
            usual = usual.replace(has_travel=False)
        if self.reading in ("E-CORNER-START", "E-START"):  # another region is that of the start there
            usual = usual.replace(start=position.pawn if self.reading == "E-CORNER-START" else usual.layout.start)
        return position, usual


ALL = {name: Case(*row) for name, row in (CASES | OF_TURN | BETWEEN | CHOSEN).items()}
ALL["a point that pacifies at 5 in a Prefect's turn"] = Case(
    *CASES["a point that pacifies at 5 in a Prefect's turn"], "E-PREFECT=standing"
)


def verdict(text: str) -> tuple[int, str]:
    return checker.verdict(text.encode("ascii"), BOARDS)


def certified(position: Position, asked: str) -> Certificate:
    if "=" in asked:
        return certify(position, asked)
    name, _, tribe = asked.partition(" ")
    return certify_answer(solve(Question(kind(name), tribe or None, position)))  # also of a tribe that is pacified


def claimed(honest: Certificate, position: Position | str) -> tuple[int, str]:
    """The verdict on the same claim about another position."""
    rows = [f"{name} {position if name == 'position' else value}" for name, value in honest.fields]
    return verdict(sealed(["tetrasolve-certificate 1", f"kind {honest.kind}", *rows]))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in ALL])
def test_what_is_true_of_one_value_is_not_confirmed_of_the_other(name: str) -> None:
    case = ALL[name]
    position, usual = case.positions()
    assert case.reading == "E-MAP" or case.chosen in str(position.ruleset)
    assert not position.status() and not usual.status()

    for one, other in ((position, usual), (usual, position))[: 1 if name in ONE_WAY else 2]:
        honest = certified(one, case.asked)
        assert verdict(honest.text())[0] == checker.CONFIRMED
        code, sentence = claimed(honest, other)
        assert code == checker.REFUTED, sentence
        assert "cannot check it" not in sentence


# -- every pair of values ------------------------------------------------------------------------------------------------

# Readings that no certificate asks about, with why
UNASKED = {
    "E-SETUP": "a set-up",
    "E-FULL": "a set-up",
    "E-FIRST-LAST": "a set-up; a position names the region last invaded",
    "E-LAST": "the region last invaded after the actions",
    "E-WAR-LAST": "the region last invaded after the actions",
    "E-TRAVEL": "where the pawn is after the actions",
    "E-WAR-ORDER": "which loss of two is named",
    "E-EMPEROR": "a role of the next turn",
    "E-EMPEROR-WHEN": "a role of the next turn",
    "E-TRIBUNE": "a Tribune who exchanges in the invasion is refused",
    "E-SWAP": "a Tribune who exchanges in the invasion is refused",
    "E-FOURTH": "a Tribune who exchanges in the invasion is refused",
    "E-INVASION-ORDER": "a Tribune who exchanges in the invasion is refused",
}
# Pairs of values that are alike in all that is asked, but for positions that cannot occur under one of them
ALIKE = {
    (
        "E-CIVIL",
        frozenset({"return", "die"}),
    ): "no cube of a tribe that is back makes an outbreak or is missing in the same turn",
    ("E-PREFECT", frozenset({"action", "found"})): "a die at 5 pacifies when the role comes, before any action",
    ("E-PREFECT", frozenset({"turn", "standing"})): "a die at 5 pacifies when the role comes, before any action",
    **{
        ("E-EXCHANGE", frozenset({value, "by-phase"})): "a Tribune who exchanges in the invasion is refused"
        for value in ("blind", "must", "may")
    },
}


def test_each_pair_of_values_that_the_checker_knows_has_its_position() -> None:
    covered = {(case.reading, case.values) for case in ALL.values()}
    for name, values in checker_position.READINGS.items():
        for pair in map(frozenset, combinations(values, 2)):
            row = (name, pair)
            assert (row in covered) + (name in UNASKED) + (row in ALIKE) == 1, row


BY_PHASE = {"by-phase"}  # compared beside E-TRIBUNE=either
# One of each question that a reading of `UNASKED` or `ALIKE` could be about, if it could be about any
ASKED = {
    "E-LAST": ("consul C7/C7/E5 2221/- 2/1 C7:C2.E5:E3 act:4 -", "cubes=-1"),
    "E-FIRST-LAST": ("consul C7/C7/E5 2221/- 2/1 C7:C2.E5:E3 act:4 -", "cubes=-1"),
    "E-WAR-LAST": (
        "tribune C7/C7/E5 4511/E 1/3 C5:C3.E5:E1.E6:E3.B6:B3 exchange O6.E5.BR hand=O6.E5.BR",
        "tribune-die C",
    ),
    "E-WAR-ORDER": (
        "tribune C7/C7/E5 4511/E 1/3 C5:C3.E5:E3.ES:E3.E6:E3.B5:B3 exchange O6.E5.BR hand=O6.E5.BR",
        "tribune",
    ),
    "E-TRAVEL": (
        "tribune C7/C7/E5 4511/E 1/3 C5:C3.E5:E1.E6:E3.B6:B3 exchange O6.E5.BR hand=O6.E5.BR",
        "tribune-die C",
    ),
    "E-CIVIL": (f"{GONE} exchange C5.E5.B5 hand=C5.E5.B5", "tribune-die O"),
    "E-PREFECT": (PREFECT, "survive"),
}
INVASION = ("consul C7/C7/E5 3322/- 1/1 C7:C3.CS:C3.E5:E1 invade:2 O5.B6.C5.E7", "chance-lost")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name", [*(name for name in UNASKED if name != "E-TRIBUNE"), *dict.fromkeys(row[0] for row in ALIKE)]
)
def test_what_no_certificate_asks_about_changes_no_verdict(name: str) -> None:
    """The same claim is true, and confirmed, under each of these values."""
    rest, asked = ASKED.get(name, INVASION)
    sets = [READINGS[name].played] if name in UNASKED else [pair for other, pair in ALIKE if other == name]
    for values in sets:
        level = "standard" if name not in ("E-LAST", "E-CIVIL") else "introductory"
        base = Ruleset.from_text(level).with_readings(
            READINGS[name].compared_beside(next(iter({*values} & BY_PHASE), "")).items()
        )
        under = [base.with_readings([(name, value)]) for value in sorted(values)]
        found = [certified(Position.parse(f"{rules} {rest}"), asked) for rules in under]
        assert len({(honest.fields[2:]) for honest in found}) == 1
        for rules in under:
            code, sentence = claimed(found[0], Position.parse(f"{rules} {rest}"))
            assert code == checker.CONFIRMED, sentence


@pytest.mark.parametrize(
    "chosen",
    [
        "E-EXCHANGE=by-phase",
        *(
            f"{name}={value}"
            for name in ("E-TRIBUNE", "E-SWAP", "E-FOURTH", "E-INVASION-ORDER")
            for value in READINGS[name].played[1:]
        ),
    ],
)
def test_what_the_checker_does_not_cover_is_said(chosen: str) -> None:
    """A Tribune's exchange in the invasion, which these values are about."""
    usual = Position.parse("standard tribune C7/C7/E5 3322/- 2/3 C7:C3.CS:C3.E5:E1 invade:2 O5.O6.C5")
    name, _, value = chosen.partition("=")
    rules = usual.ruleset.with_readings([*READINGS[name].compared_beside(value).items(), (name, value)])
    code, sentence = claimed(certified(usual, "chance-lost"), usual.replace(ruleset=rules))
    assert code == checker.UNREADABLE
    assert "a Tribune exchanges a card of the invasion, which is not covered" in sentence


@pytest.mark.parametrize("chosen", ["E-THREE=one", "E-LIMIT=never", "E-LIMIT-ORDER=listed", "E-COLOUR=red"])
def test_a_value_that_the_checker_does_not_know_is_unreadable(chosen: str) -> None:
    """There is none of the library's; a forged one is none."""
    line = "standard{} consul C7/C7/E5 2221/- 2/1 C7:C2.E5:E1 act:2 -"
    code, sentence = claimed(certify(Position.parse(line.format("")), "cubes=-1"), line.format(f"?{chosen}"))
    assert code == checker.UNREADABLE
    assert f"reading '{chosen}': expected a name and a value" in sentence


def test_the_checker_knows_the_values_that_the_kernel_plays() -> None:
    assert {name: reading.played for name, reading in READINGS.items()} == checker_position.READINGS


IMPOSSIBLE = {
    "a travel besides the role, that no card of the Emperor has brought": (
        "E-EMPEROR-TRAVEL=alone",
        f"standard?E-EMPEROR-TRAVEL=besides,{AT_ONCE} magister BR/C7/E5 2221/- 2/1 C7:C3.E5:E2 act:3 - travels",
        "cubes=-1",
        "no card of the Emperor has brought a travel besides this role",
    ),
    "a die of a pacified tribe that has risen": (
        "E-AGAIN=stays",
        "standard consul C7/C7/E5 2231/E 2/1 C7:C2.E5:E1 act:2 -",
        "cubes=-1",
        "the die of a pacified tribe has risen",
    ),
    "a pacified tribe without a cube": (
        "E-ERADICATE=always",
        "introductory consul C7/C7/E5 2221/B 2/1 C7:C2.E5:E1 act:2 -",
        "cubes=-1",
        "a tribe is pacified and has no cube, and its die is not put away",
    ),
    "a die that the role has pacified": (
        "E-PREFECT=standing",
        "standard prefect C7/C7/E5 5221/- 2/1 C7:C2.E5:E1 act:2 -",
        "cubes=-1",
        "a die stands at 5 that the Prefect's role has pacified",
    ),
    "a die that the role has pacified before the first point": (
        "E-PREFECT=found",
        "standard prefect C7/C7/E5 5221/- 2/1 C7:C2.E5:E1 act:2 -",
        "cubes=-1",
        "a die stands at 5 that the Prefect's role has pacified",
    ),
    "a die that the role has pacified in the whole turn": (
        "E-PREFECT=standing",
        "standard prefect C7/C7/E5 5221/- 2/3 C7:C3.CS:C3.E5:E1 invade:2 O5.O6.C5",
        "chance-lost",
        "a die stands at 5 that the Prefect's role has pacified",
    ),
    "a region that no event has protected": (
        "E-EVENT=never",
        "standard consul C7/C7/E5 3322/- 1/3 C7:C3.CS:C3.E5:E1 invade:2 O5.B6.C5.EC protected=CS",
        "chance-lost",
        "a region is protected without its event",
    ),
    "dice that have not risen before an event": (
        "E-WHEN=after",
        "standard consul C7/C7/E5 3311/O 2/3 C7:C3.E5:E1 resist O7.C5.E6.B5 hand=C5.E6.B5",
        "resist",
        "the cards have raised the dice before this event",
    ),
    "dice that have not risen first": (
        "E-ORDER=dice-first",
        "standard consul C7/C7/E5 3311/O 2/3 C7:C3.E5:E1 resist O7.C5.E6.B5 hand=C5.E6.B5",
        "resist",
        "the cards have raised the dice before this event",
    ),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_position_that_cannot_occur_under_a_value_is_refused(name: str) -> None:
    """What is true of it under the default is none of the claims that the checker confirms."""
    chosen, line, asked, why = IMPOSSIBLE[name]
    reading, _, value = chosen.partition("=")
    usual = Position.parse(line)
    other = usual.replace(ruleset=usual.ruleset.with_readings([(reading, value)]))
    assert other.status()
    honest = certified(usual, asked)
    assert verdict(honest.text())[0] == checker.CONFIRMED
    code, sentence = claimed(honest, other)
    assert code == checker.UNREADABLE
    assert why in sentence


FREE = "introductory?E-DICTATOR-STAY=free dictator C7/C7/BC 1511/OEB 8/3 O5:O1.C7:C3.E5:E1.B5:B1 act:4 O5.O6.O7.E5"


@pytest.mark.parametrize("value", ["must", "there"])
def test_a_reading_that_changes_nothing_allows_no_position(value: str) -> None:
    """Beside a Dictator who must go on nobody stays, so no four cards are out before the first action."""
    honest = certify(Position.parse(FREE), "cubes=-1")
    text = honest.text().replace("?E-DICTATOR-STAY", f"?E-DICTATOR={value},E-DICTATOR-STAY")

    assert verdict(honest.text())[0] == checker.CONFIRMED
    code, sentence = verdict(sealed(text.splitlines()[:-1]))
    assert code == checker.UNREADABLE
    assert "E-DICTATOR-STAY changes nothing" in sentence


def test_the_checker_takes_the_rulesets_that_the_library_writes_and_no_others() -> None:
    """Both say by themselves where a reading changes nothing."""
    random, refused = Random("idle readings"), 0
    for _ in range(3_000):
        level = random.choice(["introductory", "standard", "expert"])
        options = [option for option in OPTIONS if random.random() < 1 / 2] if level == "expert" else []
        if level == "expert" and not options:
            continue
        values = {
            name: random.choice([*reading.played])
            for name, reading in READINGS.items()
            if name != "E-MAP" and random.random() < 1 / 3
        }
        given = [f"{name}={value}" for name, value in sorted(values.items()) if value != READINGS[name].default]
        text = "+".join((level, *options)) + ("?" + ",".join(given) if given else "")
        try:
            is_usual = str(Ruleset.from_text(text)) == text
        except RulesetError:
            is_usual = False
        try:
            checker_position.read_rules(text, MAP)
            is_taken = True
        except Unreadable:
            is_taken = False
        assert is_taken == is_usual, text
        refused += not is_taken
    assert 500 < refused < 2_900


def test_a_game_goes_on_to_the_end_of_the_actions_that_won_it() -> None:
    """Under E-WIN=phase: what the library certifies there is confirmed, and no position from which no action can have won."""
    won = Position.parse("introductory?E-PACIFY=free,E-WIN=phase magister C7/C7/BC 1111/OCEB 2/1 C7:C2.E5:E1 act:3 -")
    honest = certify(won, "cubes=-1")

    assert verdict(honest.text())[0] == checker.CONFIRMED
    for other in (won.replace(left=4), won.replace(dice=(2, 2, 2, 2))):
        assert other.status()
        code, sentence = claimed(honest, other)
        assert code == checker.UNREADABLE
        assert "the game is won" in sentence
