"""Trainings that are interrupted."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest


def interrupt_in_second_round(training: ModuleType, arguments: list[str]) -> None:
    """Run the command of a training, with Ctrl-C at the beginning of its second round."""
    make, calls = training.one_round, []

    def interrupted(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return make(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "one_round", interrupted)
        with pytest.raises(KeyboardInterrupt):
            training.main(arguments)
