"""Example positions by name, from ``data/examples.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from tetrasolve.finem.position import Position
from tetrasolve.strict import read_toml


@cache
def examples() -> Mapping[str, Position]:
    """The example positions.

    >>> sorted(examples())
    ['dictator', 'limit', 'peril']
    """
    found = read_toml(resources.files("tetrasolve.finem").joinpath("data/examples.toml").read_text("utf-8"))
    return MappingProxyType({name: Position.parse(line) for name, line in found["positions"].items()})
