"""The signature of the kernel: one integer that changes when its behaviour does, and only then."""

import os
import subprocess
import sys

import pytest
from tabletop import LINKS, MAP, build_map

from tetrasolve.tetrarchia.signature import signature


@pytest.fixture(scope="module")
def known():
    return signature(MAP)


def test_twice_the_same(known):
    """The same kernel on the same board has the same signature, part by part."""
    again = signature(MAP)
    assert again == known
    assert dict(again.parts) == dict(known.parts)


def test_the_map_counts_and_not_its_file(known):
    """Another board object with the same map has the same signature."""
    assert signature(build_map()) == known


@pytest.mark.parametrize("link", ["epirus~lucania", "numidia-caesariensis"])
def test_the_kind_of_one_link_changes_it(known, link):
    """A board on which one link is of the other kind has another signature."""
    other = link.replace("~", "-") if "~" in link else link.replace("-", "~")
    changed = build_map(links=LINKS.replace(link, other))
    assert len(changed.links) == len(MAP.links)
    assert signature(changed).value != known.value


def test_another_process_gives_the_same(known):
    """The signature does not depend on the order in which a process keeps its sets."""
    code = (
        "from tabletop import MAP; from tetrasolve.tetrarchia.signature import signature; print(signature(MAP).value)"
    )
    path = [entry for entry in sys.path if entry]
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"],
        env=os.environ | {"PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(run.stdout) == known.value


def test_it_is_made_of_many_counts(known):
    """Positions of both phases at every level, their counts and whole games are in it."""
    assert known.parts["positions"] >= 81 * 10
    assert all(count > 1_000 for name, count in known.parts.items() if name != "positions")
    assert 0 <= known.value < 2**48
