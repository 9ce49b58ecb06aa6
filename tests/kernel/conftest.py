"""The board file as kernel tables, read here without the rest of the library."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tetrasolve.tetrarchia import kernel

BOARD_FILE = Path("/work/main/tetrasolve/tetrarchia/data/tetrarchia.toml")
BOARD: dict[str, Any] = tomllib.loads(BOARD_FILE.read_text(encoding="utf-8"))
ROW: dict[str, int] = {province["id"]: row for row, province in enumerate(BOARD["province"])}
EMPERORS = ("diocletian", "galerius", "constantius", "maximian")


def table_arguments(**changes: Any) -> dict[str, Any]:
    """The arguments of `kernel.Tables` for the board file, some of them changed."""
    regions = {region["id"]: region for region in BOARD["region"]}
    provinces = BOARD["province"]
    arguments: dict[str, Any] = {
        "links": [(ROW[a], ROW[b], link["broken"]) for link in BOARD["link"] for a, b in [link["between"]]],
        "zones": [sum(1 << zone - 1 for zone in province["zones"]) for province in provinces],
        "adjacent_zones": [tuple(pair) for pair in BOARD["sea"]["adjacent"]],
        "arrows": [ROW[province["arrow"]] if "arrow" in province else -1 for province in provinces],
        "region": [regions[province["region"]].get("number", 0) for province in provinces],
        "number": [province.get("number", 0) for province in provinces],
        "borders": [ROW[region["border"]] for region in BOARD["region"] if "border" in region],
        "roma": ROW["roma"],
        "capitals": [
            next(ROW[p["id"]] for p in provinces if p["id"] != "roma" and who in p.get("printed", ())) for who in EMPERORS
        ],
        "printed": [sum(1 << ROW[p["id"]] for p in provinces if who in p.get("printed", ())) for who in EMPERORS],
        "garrisons": 4,
    }
    return arguments | changes


def make_kernel(**changes: Any) -> kernel.Kernel:
    return kernel.Kernel(kernel.Tables(**table_arguments(**changes)))


def mask(*names: str) -> int:
    """The mask of provinces given by name."""
    return sum(1 << ROW[name] for name in names)


def state(
    *,
    at: dict[str, str] | None = None,
    mover: str = "diocletian",
    discs: dict[str, str] | None = None,
    revolts: str = "",
    unrest: str = "",
    armies: str = "",
    **rest: Any,
) -> kernel.State:
    """A state in names: Emperors `at` provinces, garrison `discs` of Emperors, and lists of provinces as text."""
    at = at or {}
    discs = discs or {}
    garrisons = [mask(*discs.get(who, "").split()) for who in EMPERORS]
    emperors = [ROW[at[who]] if who in at else kernel.OFF for who in EMPERORS]
    return kernel.State(
        revolts=mask(*revolts.split()),
        unrest=mask(*unrest.split()),
        armies=mask(*armies.split()),
        garrisons=(garrisons[0], garrisons[1], garrisons[2], garrisons[3]),
        emperors=(emperors[0], emperors[1], emperors[2], emperors[3]),
        to_move=EMPERORS.index(mover),
        **rest,
    )


@pytest.fixture(scope="session")
def base() -> kernel.Kernel:
    """The base game with every reading at its default."""
    return make_kernel()
