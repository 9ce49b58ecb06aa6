"""`--sample` draws the same cases each time, others for another number, and at least one of each test."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest


@pytest.fixture(scope="module")
def conftest(root: Path) -> ModuleType:
    spec = spec_from_file_location("sampling", root / "tests" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(count: int, one_in: int) -> list[Any]:
    mark = SimpleNamespace(args=(one_in,))
    return [SimpleNamespace(nodeid=f"test_x.py::test[{n}]", get_closest_marker=lambda _: mark) for n in range(count)]


@pytest.mark.parametrize(("count", "one_in", "expected"), [(60, 6, 10), (61, 6, 11), (1, 6, 1), (5, 1, 5)])
def test_so_many_cases_are_drawn(conftest: ModuleType, count: int, one_in: int, expected: int) -> None:
    of = cases(count, one_in)
    found = conftest.drawn(of, 1)
    assert len(found) == expected
    assert found == conftest.drawn(of[::-1], 1)  # in whatever order they were collected
    assert all(any(case is one for one in of) for case in found)


def test_every_case_is_drawn_by_some_number(conftest: ModuleType) -> None:
    of = cases(30, 6)
    assert {case.nodeid for number in range(60) for case in conftest.drawn(of, number)} == {case.nodeid for case in of}
    assert conftest.drawn(of, 1) != conftest.drawn(of, 2)


def test_only_cases_of_marked_tests_are_left_out(conftest: ModuleType) -> None:
    plain = SimpleNamespace(nodeid="test_x.py::test_plain", get_closest_marker=lambda _: None)
    items, left_out = [plain, *cases(6, 3)], []

    def deselected(items: list[Any]) -> None:
        left_out.extend(items)

    hook = SimpleNamespace(pytest_deselected=deselected)
    config = SimpleNamespace(getoption=lambda _: 1, hook=hook)
    conftest.pytest_collection_modifyitems(config, items)
    assert plain in items
    assert (len(items), len(left_out)) == (3, 4)

    every = [plain, *cases(6, 3)]
    conftest.pytest_collection_modifyitems(SimpleNamespace(getoption=lambda _: None, hook=hook), every)
    assert len(every) == 7
