"""Module 3, the Pirates (rulebook page 13): they close a sea zone until they are beaten, and can come back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tetrasolve.tetrarchia import pieces
from tetrasolve.tetrarchia.action import PIRATES, Action, Kind, Outcome, attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import PIRATE_ZONES
from tetrasolve.tetrarchia.pieces import DUX, Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import roman
from tetrasolve.tetrarchia.rules.chance import Dice
from tetrasolve.tetrarchia.rules.combat import Battle
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.handling import PirateZone
from tetrasolve.tetrarchia.rules.hooks import AT_SEA, CombatRules, OwnActions, RevoltRules, SeaRules, SetUpRules
from tetrasolve.tetrarchia.rules.payment import valued
from tetrasolve.tetrarchia.rules.questions import chooses, fought
from tetrasolve.tetrarchia.rules.registry import register, rule_modules
from tetrasolve.tetrarchia.rules.step import Choice, Then


def zone_of(position: Position) -> int | None:
    """The zone of the Pirates, None while they are beaten or not in use."""
    pirates = position.pieces.pirates
    return None if pirates is None else pirates.zone


@register("pirates")
class Pirates(SetUpRules, SeaRules, OwnActions, CombatRules, RevoltRules):
    """The Pirates: the zone that they close, battles with them, and their return."""

    # -- set-up ------------------------------------------------------------------------------------------------

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """No zone until it is rolled."""
        del board, armies
        return {PIRATES: pieces.Pirates()}

    # Rule p13-pirates-roll
    def roll(self, position: Position, dice: Dice) -> Position:
        """A die until it shows 2 or 3, before the fleets are placed (page 13)."""
        while (zone := dice.roll("pirates")) not in PIRATE_ZONES:
            pass  # rolled again
        return position.with_piece(PIRATES, pieces.Pirates(zone))

    # -- Roman phase -------------------------------------------------------------------------------------------

    # Rule p13-pirates-block
    def barred(self, position: Position, zone: int) -> str | None:
        """No fleet enters their zone, nor is one placed there (page 13)."""
        return f"the Pirates keep fleets out of zone {zone}" if zone == zone_of(position) else None

    def candidates(self, position: Position) -> Iterator[Action]:
        """An attack of the active Emperor, and of the Dux."""
        for figure in (None, DUX) if position.place_of(DUX) is not None else (None,):
            yield from (attack(PIRATES, outcome, figure) for outcome in Outcome)

    def owns(self, action: Action) -> bool:
        """Attacks on them."""
        return action.kind is Kind.ATTACK and action.place == PIRATES

    def objection(self, position: Position, action: Action) -> str | None:
        """A general on their coast attacks them for 2 IP (page 13)."""
        leader = action.figure or position.to_move
        place, zone = position.place_of(leader), zone_of(position)
        if zone is None:
            return "the Pirates are beaten"
        if place is None:
            return f"the {leader.title()} is not on the board"
        if zone not in position.board[place].zones:
            return f"he is not on the coast of zone {zone}, where the Pirates are"
        if position.ip < position.ruleset.numbers["attack-pirates"]:
            return f"this attack costs {position.ruleset.numbers['attack-pirates']} IP, {position.ip} are left"
        fight = at_sea(valued(position, action), leader, zone).raised(len(action.payments))
        if action.outcome is not None and action.outcome not in fight.chances():
            return f"a {action.outcome} cannot be rolled"
        return None

    def cost(self, position: Position, action: Action) -> int:
        """2 IP (page 13)."""
        del action
        return position.ruleset.numbers["attack-pirates"]

    # Rule p13-pirates-victory, p13-pirates-defeat, p13-pirates-draw
    def play(self, position: Position, action: Action) -> Position | Fall:
        """Victory removes them, defeat the leader and all garrisons of their coast; a draw has no effect (page 13)."""
        leader, zone = action.figure or position.to_move, zone_of(position)
        assert zone is not None and action.outcome is not None
        paid = position.replace(ip=position.ip - position.ruleset.numbers["attack-pirates"])
        after = fought(paid, leader, action.outcome, AT_SEA)
        if isinstance(after, Fall):
            return after
        if action.outcome is Outcome.VICTORY:
            return after.with_piece(PIRATES, pieces.Pirates())
        if action.outcome is Outcome.DRAW:
            return after
        coast = position.board.coast[zone]
        beaten = roman.without_garrisons(after.with_figure(leader, None), coast, "I-GARRISON-SEA")
        return roman.end_of_defeat(beaten, leader)

    def battle(self, position: Position, leader: str, target: str) -> Battle | None:
        """The combat values of a general against them."""
        zone = zone_of(position)
        return at_sea(position, leader, zone) if target == PIRATES and zone is not None else None

    # -- Barbarian phase ---------------------------------------------------------------------------------------

    def rising(self, position: Position, province: str, resting: frozenset[str], then: Then) -> Choice | None:
        """Of several such zones a player can choose one [I-PIRATES-ZONE]."""
        zones = _open_zones(position, province)
        chosen = len(zones) > 1 and chooses(position, "I-PIRATES-ZONE")
        return PirateZone(position, zones, resting, then) if chosen else None

    # Rule p13-pirates-return
    def uprising(self, position: Position, province: str) -> Position:
        """Beaten Pirates come back where an uprising is on the coast of a zone without a Roman fleet (page 13).

        Of two such zones it is the lower one [I-PIRATES-ZONE]; which coasts the uprising is on: [I-PIRATES-RETURN].
        """
        zones = _open_zones(position, province)
        if not zones:
            return position
        higher = position.ruleset.readings["I-PIRATES-ZONE"] == "higher"
        return position.with_piece(PIRATES, pieces.Pirates(zones[-1] if higher else zones[0]))


def _open_zones(position: Position, province: str) -> tuple[int, ...]:
    """The zones to which beaten Pirates can come back at an uprising in this province."""
    zones = _coasts(position, province) - set(position.fleets)
    return tuple(sorted(zones)) if zone_of(position) is None else ()


def _coasts(position: Position, province: str) -> frozenset[int]:
    """The zones on whose coast an uprising in this province is [I-PIRATES-RETURN]."""
    board, places = position.board, {province}
    if position.ruleset.readings["I-PIRATES-RETURN"] == "reached":
        links = board.neighbours(province).items()
        places |= {name for name, link in links if not link.broken and not board[name].is_border}
    return frozenset(zone for place in places for zone in board[place].zones)


# Rule p13-pirates-revolts, p13-pirates-garrisons, p13-pirates-allies
def at_sea(position: Position, leader: str, zone: int) -> Battle:
    """The combat values against Pirates in this zone, as if all provinces of its coast were linked (page 13).

    Several allies: [I-PIRATES-ARMIES], [I-PIRATES-EMPERORS]; Goths on the coast: [I-GOTHS-SEA].
    """
    coast = frozenset(position.board.coast[zone])
    readings, numbers = position.ruleset.readings, position.ruleset.numbers
    counted = readings["I-PIRATES-PRINTED"] == "count"
    own = position.own_discs(leader) if counted else position.garrisons(leader)
    supporters = coast.intersection(position.armies)
    allies = sum(place in coast for general, place in position.generals.items() if general != leader)
    goths = readings["I-GOTHS-SEA"] == "count"
    return Battle(
        garrisons=len(own & coast),
        emperors=min(allies, 1) if readings["I-PIRATES-EMPERORS"] == "once" else allies,
        revolts=len(position.revolts & coast),
        armies=min(len(supporters), 1) if readings["I-PIRATES-ARMIES"] == "once" else len(supporters),
        bonus=numbers["barbarian-bonus"]
        + sum(module.bonus(position, PIRATES, supporters) for module in rule_modules(position).combat if goths),
        roman_bonus=numbers["roman-bonus"],
        factor=numbers["support-factor"],
    )
