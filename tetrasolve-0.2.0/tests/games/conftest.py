"""The games that the tests of conformance run on: those of the library, and the toy game."""

from collections.abc import Iterator

import pytest
from toygame import CLIMB

from tetrasolve import games


@pytest.fixture(autouse=True)
def climb() -> Iterator[games.GameDefinition]:
    """The toy game, registered as a package of somebody else would register his."""
    games.register(CLIMB)
    yield CLIMB
    games.unregister(CLIMB.name)


@pytest.fixture(params=[*games.SHIPPED, CLIMB.name])
def game(request: pytest.FixtureRequest) -> games.GameDefinition:
    """Each game in turn."""
    return games.game(request.param)
