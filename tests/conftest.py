"""How hard hypothesis looks for counterexamples (`--hypothesis-profile NAME`), and which cases of a test are run (`--sample=N`).

No profile has a deadline: how long one example takes is a matter of the machine, and of sanitizers.
"""

import gc
from collections import defaultdict
from zlib import crc32

import pytest
from hypothesis import settings

# The same examples each time, so that a test that passed passes again
settings.register_profile("steady", deadline=None, derandomize=True, database=None, print_blob=True)
# A quick look, for builds that are many times slower
settings.register_profile("short", settings.get_profile("steady"), max_examples=20)
# New examples each time, and many of them; what fails is remembered
settings.register_profile("search", deadline=None, max_examples=2_000, print_blob=True)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--sample`."""
    parser.addoption(
        "--sample",
        type=int,
        metavar="N",
        help="of tests marked `sampled`, run a part of the cases; N draws another part (default: all cases)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the cases that `--sample` does not draw."""
    number = config.getoption("sample")
    if number is None:
        return
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            families[item.nodeid.partition("[")[0]].append(item)
    left_out = {case.nodeid for cases in families.values() for case in cases}
    left_out -= {case.nodeid for cases in families.values() for case in drawn(cases, number)}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]


def pytest_collection_finish() -> None:
    """Leaves what there is now out of garbage collections: the tests and all modules are some 700,000 objects, and stay."""
    gc.collect()
    gc.freeze()


def drawn(cases: list[pytest.Item], number: int) -> list[pytest.Item]:
    """One in so many of the cases of a test, at least one; which ones is a matter of their names and of the number alone."""
    mark = cases[0].get_closest_marker("sampled")
    assert mark is not None
    (one_in,) = mark.args
    in_order = sorted(cases, key=lambda case: (crc32(f"{number} {case.nodeid}".encode()), case.nodeid))
    return in_order[: -(-len(cases) // one_in)]
