"""The policies that play whole games, with their numbers: the Emperors' side is played by one of them to the end."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tetrasolve.errors import ArgumentError
from tetrasolve.tetrarchia.hint.weights import shipped

POLICIES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "random": {"policy": "random"},
        "greedy": {"policy": "greedy"},
        "expectimax": {"policy": "expectimax", "ends": 96, "samples": 9, "rounds": 4},
        # on a quiet machine mostly below 0.05, 0.1 and 1 s a turn
        "search": {"policy": "search", "ends": 96, "samples": 9, "rounds": 4, "deep_ends": 3, "deep_samples": 8},
        "search-medium": {
            "policy": "search", "ends": 96, "samples": 18, "rounds": 4, "deep_ends": 4, "deep_samples": 16,
        },
        "search-long": {
            "policy": "search", "ends": 192, "samples": 36, "rounds": 4, "deep_ends": 6, "deep_samples": 24,
        },
    }
)  # fmt: skip


def numbers_of(policy: str) -> dict[str, Any]:
    """The numbers of a policy, as `Player.games` takes them.

    >>> numbers_of("expectimax")
    {'policy': 'expectimax', 'ends': 96, 'samples': 9, 'rounds': 4}

    :raises ArgumentError: when there is no such policy.
    """
    if policy not in POLICIES:
        raise ArgumentError("policy", policy, f"one of {', '.join(POLICIES)}")
    return dict(POLICIES[policy])


def weights_of_policies() -> str:
    """The digests of the weights by which the policies evaluate: games of equal seeds are equal where they are."""
    return f"{shipped().digest} {shipped(modules=True).digest}"
