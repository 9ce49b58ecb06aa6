"""Objectives with words of modules and variants; `{near}` is a province near the Emperor."""

from __future__ import annotations

WORDS = {
    "pirates": ("kill pirates", "most value pirates=-5 army=-3 garrison=-1"),
    "dux": ("deploy dux", "most value dux=3 revolt=-2 emperor@borders=1", "clear {near} and deploy dux"),
    "vicarius": (
        "deploy vicarius then most value unrest=-1",
        "most value vicarius@{near}=4 vicarius@borders=2 unrest=-1",
    ),
    "roma-aeterna": ("glory 1", "most value glory=3 army=-1", "most value glory=-2 army=-3"),
    "imperium": (
        "most value revolt=-3 garrison=2 subject to keep 2 discs of imperium and keep 1 garrison",
        "most value army=-4 garrison=1 subject to keep 1 disc of imperium",
    ),
}
