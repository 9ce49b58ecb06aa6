"""Positions with the figures of modules and variants, and with rebels: those of `scatter` with these figures added.

All of them are legal. Whatever is random comes from the `Random` that is handed over.
"""

from __future__ import annotations

from random import Random

from scatter import scattered

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import DEAD, RESERVE, Rebel
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, Ruleset

MODULES = ("dux", "vicarius", "pirates", "goths")
VARIANTS = ("mare-nostrum", "via-romana", "usurpator", "roma-aeterna", "imperium", "barbaria")


def any_extensions(level: Ruleset, random: Random, *, plain: float = 0.6) -> Ruleset:
    """The same garrisons, revolts and armies with any modules and variants; every reading in its default if `plain`, or any."""
    modules = frozenset(name for name in MODULES if random.random() < 0.5)
    variants = frozenset(name for name in VARIANTS if random.random() < 0.4)
    fleets = min(level.fleets, 2) if "pirates" in modules else level.fleets
    ruleset = Ruleset(level.garrisons, fleets, level.revolts, level.armies, modules, variants)
    if random.random() < plain:
        return ruleset
    used = [reading for reading in KERNEL_READINGS.values() if reading.applies(ruleset.extensions)]
    return ruleset.with_readings([(reading.name, random.choice(list(reading.played))) for reading in used])


def with_figures(recipe: str, ruleset: Ruleset, random: Random, board: Board, phase: Phase = Phase.ROMAN) -> Position:
    """A legal position after a recipe, with all figures that the ruleset has, and sometimes with rebels."""
    used = [reading for reading in KERNEL_READINGS.values() if not reading.needs]
    base = Ruleset(ruleset.garrisons, ruleset.fleets, ruleset.revolts, ruleset.armies)
    base = base.with_readings([(reading.name, ruleset.readings[reading.name]) for reading in used])
    while True:
        position = scattered(recipe, base, random, board, phase)
        position = _Dresser(position.replace(ruleset=ruleset), random).position()
        if position.status() == () and not position.is_won:
            return position


class _Dresser:
    """One position in the making."""

    def __init__(self, bare: Position, random: Random) -> None:
        self.bare = bare
        self.random = random
        self.board = bare.board
        self.emperors = dict(bare.emperors)
        self.armies = list(bare.armies)
        self.discs = dict(bare.discs)
        self.ip = bare.ip
        self.pieces: dict[str, object] = {}

    def position(self) -> Position:
        used = self.bare.ruleset.extensions
        self.rebels()
        self.beside_rebels()
        if "usurpator" in used and self.random.random() < 0.7:
            if self.random.random() < 0.5:
                self.armies = list(dict(self.pieces.get("rebels", ())))  # so that some are left in the reserve
            for region in self.random.sample(range(1, 7), self.random.randint(1, 2)):
                self.nearly_full(region)
        for name, put in (
            ("via-romana", self.on_a_garrison),
            ("goths", self.goths),
            ("dux", self.dux),
            ("vicarius", self.vicarius),
            ("pirates", self.pirates),
            ("roma-aeterna", self.glory),
            ("imperium", self.powers),
            ("barbaria", self.barbarian_player),
        ):
            if name in used:
                put()
        self.pass_each_other()
        return self.bare.replace(
            emperors=self.emperors, armies=tuple(self.armies), discs=self.discs, pieces=self.pieces, ip=self.ip
        )

    def taken(self) -> set[object]:
        return {*self.armies, *self.emperors.values(), self.pieces.get("dux"), self.pieces.get("vicarius")}

    def count(self, disc: str) -> int:
        return sum(1 for other in self.discs.values() if other == disc)

    def rebels(self) -> None:
        free = [border for border in self.board.borders if border not in self.taken() and border not in self.discs]
        figures = [figure for figure in ("dux", "goths") if figure not in self.bare.ruleset.modules]
        rebels = {}
        while free and figures and self.random.random() < 0.4:
            if len(self.armies) == 3 or self.count(REVOLT_DISC) == 21:
                break
            border = free.pop(self.random.randrange(len(free)))
            rebels[border] = Rebel(figures.pop(), self.random.randint(1, 3))
            self.armies.append(border)
            self.discs[border] = REVOLT_DISC
        if rebels:
            self.pieces["rebels"] = tuple(sorted(rebels.items(), key=lambda pair: pair[0]))

    def beside_rebels(self) -> None:
        """The active Emperor beside a rebel army, now and then."""
        who = self.bare.to_move
        near = {other for border, _ in self.pieces.get("rebels", ()) for other in self.board.neighbours(border)}
        free = [name for name in self.board.ids if name in near and name not in self.taken()]
        if free and self.emperors[who] is not None and self.random.random() < 0.6:
            self.emperors[who] = self.random.choice(free)

    def nearly_full(self, region: int) -> None:
        """A region with a secured border and revolts, often but for one unrest; sometimes an army where there is no arrow."""
        border = self.board.borders[region - 1]
        if border in self.taken():
            return
        self.discs.setdefault(border, self.random.choice(list(self.emperors)))
        members = list(self.board.members(region))
        self.random.shuffle(members)
        for place, name in enumerate(members):
            disc = UNREST_DISC if place == 0 else REVOLT_DISC
            if self.random.random() < 0.95 and self.count(disc) < 21 and name not in self.armies:
                self.discs[name] = disc
        pathless = [name for name in self.board.members(region) if self.board[name].arrow is None]
        pathless = [name for name in pathless if name not in self.taken()]
        if pathless and len(self.armies) < 3 and self.count(REVOLT_DISC) < 21 and self.random.random() < 0.3:
            place = self.random.choice(pathless)
            self.armies.append(place)
            self.discs[place] = REVOLT_DISC

    def on_a_garrison(self) -> None:
        """The active Emperor on one of his own discs, now and then."""
        who = self.bare.to_move
        own = [name for name in self.board.ids if self.discs.get(name) == who and name not in self.taken()]
        if own and self.emperors[who] not in (None, *self.armies) and self.random.random() < 0.5:
            self.emperors[who] = self.random.choice(own)

    def goths(self) -> None:
        rebels = dict(self.pieces.get("rebels", ()))
        free = [army for army in self.armies if army not in rebels]
        self.pieces["goths"] = self.random.choice(free) if free and self.random.random() < 0.6 else RESERVE
        if self.pieces["goths"] == RESERVE and self.random.random() < 0.5:  # something on their borders
            border = self.random.choice(self.board.borders[2:4])
            if border not in self.taken() and border not in self.discs:
                who = self.random.choice(list(self.emperors))
                if len(self.armies) < 2 and self.random.random() < 0.5:
                    self.armies.append(border)
                elif self.random.random() < 0.5 and who != self.bare.to_move:
                    self.emperors[who] = border
                elif sum(1 for disc in self.discs.values() if disc == who) < self.bare.ruleset.garrisons:
                    self.discs[border] = who

    def dux(self) -> None:
        if self.random.random() < 0.25:
            self.pieces["dux"] = self.random.choice([None, DEAD])
            return
        liked: list[str] = [name for name in self.board.ids if name not in self.taken()]
        chance = self.random.random()
        if chance < 0.3:
            ways = [self.board[army].arrow for army in self.armies]
            liked = [name for name in ways if name is not None and name not in self.taken()] or liked
        elif chance < 0.6:
            near = {other for army in self.armies for other in self.board.neighbours(army)}
            liked = [name for name in self.board.ids if name in near and name not in self.taken()] or liked
        self.pieces["dux"] = self.random.choice(liked)

    def vicarius(self) -> None:
        free = [
            name
            for name in self.board.ids
            if name not in self.taken() and self.discs.get(name) not in (REVOLT_DISC, UNREST_DISC)
        ]
        if not free or self.random.random() < 0.25:
            self.pieces["vicarius"] = self.random.choice([None, DEAD])
            return
        near = {
            other for name, disc in self.discs.items() if disc == REVOLT_DISC for other in self.board.neighbours(name)
        }
        liked = [name for name in free if name in near]
        self.pieces["vicarius"] = self.random.choice(liked if liked and self.random.random() < 0.5 else free)

    def pirates(self) -> None:
        zones = [zone for zone in range(1, len(self.board.zones) + 1) if zone not in self.bare.fleets]
        self.pieces["pirates"] = self.random.choice([*zones, None])

    def glory(self) -> None:
        left = 21 - self.count(UNREST_DISC)
        glory = dict.fromkeys(self.emperors, 0)
        for _ in range(self.random.randint(0, min(left, 6)) if self.random.random() < 0.8 else left):
            glory[self.random.choice(list(glory))] += 1
        self.pieces["glory"] = tuple(sorted(glory.items()))

    def powers(self) -> None:
        """Discs that have been paid, and the power of the active Emperor, used or not."""
        to_move = self.bare.to_move
        if self.bare.phase is Phase.BARBARIAN and self.random.random() < 0.4:
            self.in_the_way(self.random.choice(["galerius", "constantius"]), garrisons=self.random.randint(0, 2))
        elif to_move == "galerius" and self.random.random() < 0.6:
            self.galerius_fights()
        removed = {}
        for who in self.emperors:
            left = max(0, self.bare.ruleset.garrisons - self.count(who))
            removed[who] = self.random.randint(0, left) if self.random.random() < 0.7 else 0
        self.pieces["removed"] = tuple(sorted(removed.items()))
        roman = self.bare.phase is Phase.ROMAN and self.emperors[to_move] is not None
        if to_move in ("diocletian", "maximian") and roman and removed[to_move] and self.random.random() < 0.7:
            self.pieces["power"] = True
            if to_move == "maximian" and self.ip == 6 and self.random.random() < 0.7:
                self.ip = 7

    def galerius_fights(self) -> None:
        """Galerius beside an army or on the coast of the Pirates, often on a disc of his own."""
        zone = self.pieces.get("pirates")
        near = {other for army in self.armies for other in self.board.neighbours(army)}
        near |= {place for place in self.board.ids if zone is not None and zone in self.board[place].zones}
        free = [place for place in self.board.ids if place in near and place not in self.taken()]
        if free and self.emperors["galerius"] is not None:
            self.emperors["galerius"] = self.random.choice(free)
            self.garrison("galerius", self.emperors["galerius"])

    def in_the_way(self, emperor: str, garrisons: int) -> None:
        """An Emperor where an army goes, with garrisons there and around."""
        rebels = dict(self.pieces.get("rebels", ()))
        ways = [self.board[army].arrow for army in self.armies if army not in rebels]
        free = [place for place in ways if place is not None and place not in self.taken()]
        if free:
            here = self.random.choice(free)
            self.emperors[emperor] = here
            for place in [here, *self.board.neighbours(here)][:garrisons]:
                self.garrison(emperor, place)

    def garrison(self, emperor: str, place: str) -> None:
        """One of his discs, in the place of whatever lies there, if one is left."""
        free = place not in self.armies and place not in self.board.borders
        if free and self.count(emperor) < self.bare.ruleset.garrisons and self.random.random() < 0.7:
            self.discs[place] = emperor

    def barbarian_player(self) -> None:
        """His discs; a revolt on a border where he may have placed it, and an army that he may have turned."""
        left = 21 - self.count(UNREST_DISC) - sum(dict(self.pieces.get("glory", ())).values())
        gray = self.random.randint(0, max(0, min(4, left)))
        placed = self.random.random() < 0.5 or self.count(REVOLT_DISC) == 21
        self.pieces["barbarian_discs"] = (("black", 0 if placed else 1), ("gray", gray))
        anywhere = self.bare.ruleset.readings["I-BLACK-PLACE"] == "any"
        free = [name for name in self.board.borders if name not in self.discs and name not in self.taken()]
        if placed and anywhere and free and self.count(REVOLT_DISC) < 21 and self.random.random() < 0.5:
            self.discs[self.random.choice(free)] = REVOLT_DISC
        if len(self.armies) < 3 and self.count(REVOLT_DISC) < 20 and self.random.random() < 0.4:
            places = [name for name in self.board.ids if self.board[name].arrow is None and name not in self.taken()]
            place = self.random.choice([name for name in places if name != self.board.roma])
            self.armies.append(place)
            self.discs[place] = REVOLT_DISC
        chance = self.random.random()
        if self.bare.phase is Phase.BARBARIAN and chance < 0.3:
            self.in_the_way(self.random.choice(list(self.emperors)), garrisons=5)
        elif len(self.armies) == 1 and self.count(REVOLT_DISC) < 20 and chance < 0.6:
            arrow = self.board[self.armies[0]].arrow  # one army behind another
            behind = [name for name in self.board.ids if self.board[name].arrow == self.armies[0]]
            places = [name for name in [*behind, arrow] if name not in (*self.taken(), None, self.board.roma)]
            if places:
                place = self.random.choice(places)
                self.armies.append(place)
                if not self.board[place].is_border:
                    self.discs[place] = REVOLT_DISC
        if self.random.random() < 0.2:
            rebels = dict(self.pieces.get("rebels", ()))
            if self.pieces.get("goths", RESERVE) == RESERVE:
                self.armies = list(rebels)  # an army can come for the black disc, unless there are rebels

    def pass_each_other(self) -> None:
        """Sometimes one figure on another; and a figure that shares a province says so."""
        to_move = self.bare.to_move
        helpers = [name for name in ("dux", "vicarius") if name in self.bare.ruleset.modules]
        if self.bare.phase is Phase.BARBARIAN or not (helpers or "removed" in self.pieces):
            return
        if "power" in self.pieces and to_move == "diocletian" and self.random.random() < 0.4:
            self.lead_into_another()
            return
        others = [place for who, place in self.emperors.items() if who != to_move and place is not None]
        if self.emperors[to_move] is not None and self.emperors[to_move] in others:
            self.pieces["passing"] = to_move
            return
        if not helpers:
            return
        figure = self.random.choice(helpers)
        if self.emperors[to_move] is None or self.pieces[figure] in (None, DEAD) or self.random.random() < 0.8:
            return
        targets = [place for place in self.emperors.values() if place is not None]
        target = self.random.choice(targets)
        if figure == "vicarius" and self.discs.get(target) in (REVOLT_DISC, UNREST_DISC):
            return
        self.pieces[figure] = target
        self.pieces["passing"] = figure

    def lead_into_another(self) -> None:
        """Another Emperor, moved by Diocletian, where some figure stands already; nobody else shares a province."""
        others = [who for who, place in self.emperors.items() if who != self.bare.to_move and place is not None]
        places = [place for place in self.taken() if place in self.board.ids and place not in self.armies]
        if others and places:
            figure = self.random.choice(others)
            self.emperors[figure] = self.random.choice(sorted(map(str, places)))
            self.pieces["passing"] = figure
