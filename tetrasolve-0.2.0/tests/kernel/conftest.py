"""The board file as kernel tables, read here without the rest of the library, and positions written in names."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import pytest

from tetrasolve.tetrarchia import kernel, whole

# Short names of second values of readings
SWITCHES = {
    "entry_may": "I-ENTRY",
    "entry_free_only": "I-ENTRY-SHARED",
    "pass_single": "I-PASS",
    "reserve_falls": "I-RESERVE",
    "group_under_army": "I-REVOLT-GROUP",
    "one_roll": "I-CHECK",
    "fresh_wait": "I-FRESH",
    "border_defeat_removes": "I-BORDER-DEFEAT",
    "dux_only": "I-DUX-DEFEAT",
    "dux_no_revolt": "I-DUX-REVOLT",
    "pirates_higher": "I-PIRATES-ZONE",
    "pirates_discs_only": "I-PIRATES-PRINTED",
    "goths_block": "I-GOTHS-ARMY",
    "goths_lead_only": "I-GOTHS-SUPPORT",
    "via_no_disc": "I-VIA-EMPTY",
    "via_border_moves": "I-VIA-BORDER",
    "imperium_border": "I-IMPERIUM-BORDER",
    "black_anywhere": "I-BLACK-PLACE",
    "black_first": "I-BLACK-WHEN",
    "black_in_roma": "I-BLACK-CAPITALS",
    "reroll_again": "I-REROLL",
    "battle_unbroken": "I-BATTLE-BROKEN",
    "order_file": "I-ORDER",
    "shortest_file": "I-SHORTEST",
}
EMPERORS = ("diocletian", "galerius", "constantius", "maximian")


class Kit:
    """A board by name: rows, masks, states, and kernels with readings of the rules changed."""

    def __init__(self) -> None:
        text = (resources.files("tetrasolve.tetrarchia") / "data" / "tetrarchia.toml").read_text(encoding="utf-8")
        self.board: dict[str, Any] = tomllib.loads(text)
        self.row: dict[str, int] = {province["id"]: row for row, province in enumerate(self.board["province"])}
        self.borders = [self.row[region["border"]] for region in self.board["region"] if "border" in region]
        self.arguments = self.tables()

    def tables(self) -> dict[str, Any]:
        regions = {region["id"]: region for region in self.board["region"]}
        provinces = self.board["province"]
        row = self.row
        return {
            "links": [(row[a], row[b], link["broken"]) for link in self.board["link"] for a, b in [link["between"]]],
            "zones": [sum(1 << zone - 1 for zone in province["zones"]) for province in provinces],
            "adjacent_zones": [tuple(pair) for pair in self.board["sea"]["adjacent"]],
            "arrows": [row[province["arrow"]] if "arrow" in province else -1 for province in provinces],
            "region": [regions[province["region"]].get("number", 0) for province in provinces],
            "number": [province.get("number", 0) for province in provinces],
            "borders": self.borders,
            "roma": row["roma"],
            "capitals": [
                next(row[p["id"]] for p in provinces if p["id"] != "roma" and who in p.get("printed", ()))
                for who in EMPERORS
            ],
            "printed": [sum(1 << row[p["id"]] for p in provinces if who in p.get("printed", ())) for who in EMPERORS],
            "garrisons": 4,
        }

    def kernel(self, **changes: Any) -> kernel.Kernel:
        return kernel.Kernel(kernel.Tables(**(self.arguments | with_readings(changes))))

    def mask(self, names: str) -> int:
        return sum(1 << self.row[name] for name in names.split())

    def names(self, mask: int) -> set[str]:
        return {name for name, row in self.row.items() if mask >> row & 1}

    def move(self, name: str) -> int:
        return kernel.MOVE | self.row[name] << 4

    def enter(self, name: str) -> int:
        return kernel.ENTER | self.row[name] << 4

    def attack(self, name: str, outcome: int = 0) -> int:
        return kernel.ATTACK | self.row[name] << 4 | outcome << 10

    def whole(self, *played: str, **changes: Any) -> whole.Kernel:
        """The kernel of the whole rulebook, with these modules and variants."""
        switches = dict.fromkeys(played, True)
        return whole.Kernel(whole.Tables(**(self.arguments | switches | with_readings(changes))))

    def state(
        self,
        mover: str = "diocletian",
        at: dict[str, str] | None = None,
        discs: dict[str, str] | None = None,
        revolts: str = "",
        unrest: str = "",
        armies: str = "",
        **rest: Any,
    ) -> kernel.State:
        """Emperors `at` provinces, garrison `discs` of Emperors, and lists of provinces as text."""
        return kernel.State(**self._fields(mover, at, discs, revolts, unrest, armies), **rest)

    def whole_state(
        self,
        mover: str = "diocletian",
        at: dict[str, str] | None = None,
        discs: dict[str, str] | None = None,
        revolts: str = "",
        unrest: str = "",
        armies: str = "",
        **rest: Any,
    ) -> whole.State:
        """The same for the whole rulebook: Dux, Vicarius and Goths at a province or a number of the kernel's."""
        rest |= {name: self.row[rest[name]] for name in ("dux", "vicarius", "goths") if isinstance(rest.get(name), str)}
        rest["rebels"] = [(self.row[name], zone, figure) for name, zone, figure in rest.get("rebels", ())]
        return whole.State(**self._fields(mover, at, discs, revolts, unrest, armies), **rest)

    def _fields(
        self,
        mover: str,
        at: dict[str, str] | None,
        discs: dict[str, str] | None,
        revolts: str,
        unrest: str,
        armies: str,
    ) -> dict[str, Any]:
        places = [self.row[at[who]] if at and who in at else kernel.OFF for who in EMPERORS]
        garrisons = [self.mask(discs[who]) if discs and who in discs else 0 for who in EMPERORS]
        return {
            "revolts": self.mask(revolts),
            "unrest": self.mask(unrest),
            "armies": self.mask(armies),
            "garrisons": tuple(garrisons),
            "emperors": tuple(places),
            "to_move": EMPERORS.index(mover),
        }


def with_readings(changes: dict[str, Any]) -> dict[str, Any]:
    """The arguments of tables, with the short names of readings in place of their table."""
    readings = {SWITCHES[name]: int(changes[name]) for name in changes if name in SWITCHES}
    rest = {name: value for name, value in changes.items() if name not in SWITCHES}
    return rest | {"readings": readings | rest.get("readings", {})}


@pytest.fixture(scope="session")
def kit() -> Kit:
    return Kit()


@pytest.fixture(scope="session")
def base(kit: Kit) -> kernel.Kernel:
    """The base game with four garrisons and every reading at its default."""
    return kit.kernel()


@pytest.fixture(scope="session")
def played(kit: Kit) -> list[kernel.State]:
    """States at the start of turns of random games."""
    base = kit.kernel()
    rng = kernel.Rng(2024)
    states = []
    while len(states) < 60:
        state = base.setup(1, 2, 1, rng)
        for turn in range(12):
            while state.phase == kernel.ROMAN and state.result == kernel.OPEN:
                state = base.random_turn(state, rng)
            if state.result != kernel.OPEN:
                break
            state = base.sample(state, rng)
            if state.result != kernel.OPEN:
                break
            if turn % 3 == 1:
                states.append(state)
    return states
