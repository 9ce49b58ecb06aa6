"""Services that listen on loopback: one for the game, and one whose engine fails as it is asked to."""

import importlib.util
from itertools import count

import pytest
from httpservice import TOY, running
from pgserver import PgServer, missing

from tetrasolve.games import game


@pytest.fixture(scope="package")
def served():
    """The service of the game."""
    with running(game().get_questions(), game().get_messages()) as found:
        yield found


@pytest.fixture(scope="session")
def postgres():
    """A server of Postgres for these tests alone."""
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed: pip install 'tetrasolve[postgres]'")
    if (problem := missing()) is not None:
        pytest.skip(problem)
    with PgServer() as server:
        yield server


NUMBERS = count(1)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, tmp_path):
    """Where a store may be: a file, and a database of Postgres, both new."""
    if request.param == "sqlite":
        return str(tmp_path / "answers.db")
    return request.getfixturevalue("postgres").new_database(f"store{next(NUMBERS)}")


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
