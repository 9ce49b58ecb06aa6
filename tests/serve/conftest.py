"""Services that listen on loopback: one for the game, and one whose engine fails as it is asked to."""

import pytest
from httpservice import TOY, running

from tetrasolve.games import game


@pytest.fixture(scope="package")
def served():
    """The service of the game."""
    with running(game().get_questions(), game().get_messages()) as found:
        yield found


@pytest.fixture
def toy():
    """Start a service for the toy engine with these settings; it ends with the test."""
    open_services = []

    def start(**settings):
        context = running("toyengine", TOY, **settings)
        open_services.append(context)
        return context.__enter__()

    yield start
    for context in open_services:
        context.__exit__(None, None, None)
