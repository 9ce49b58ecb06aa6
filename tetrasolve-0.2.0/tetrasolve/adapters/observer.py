"""What OpenSpiel's players see of a game with full information: its state as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class TextObserver:
    """The observation of a game in which everybody sees everything: the text of the state."""

    tensor = None
    dict: Mapping[str, Any] = {}

    def set_from(self, state: object, player: int) -> None:
        """Do nothing: there is no tensor."""

    def string_from(self, state: object, player: int) -> str:
        """The text of the state."""
        del player
        return str(state)
