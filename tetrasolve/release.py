"""The version of this library."""

from __future__ import annotations

from functools import cache


@cache
def version() -> str:
    """The version, as `tetrasolve --version` prints it.

    Most commands need it late or not at all, and what reads it takes longer to import than a small turn to plan.
    """
    from importlib import metadata

    return metadata.version("tetrasolve")
