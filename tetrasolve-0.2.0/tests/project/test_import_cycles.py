"""Imports go one way: no circle of files in the rules, none between packages, wherever in a file the import stands."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

# A value speaks for itself: methods such as `Position.to_json` import the file of the form when they are called, and that
# file imports the value. These imports stand in a method, and no others may come back.
FORMS = {
    "tetrasolve.tetrarchia.board": {"boardfile", "draw"},
    "tetrasolve.tetrarchia.position": {"status", "jsonform", "notation", "draw"},
    "tetrasolve.finem.position": {"status", "jsonform", "notation"},
}

Graph = Mapping[str, Iterable[str]]


def files_of(root: Path) -> dict[str, Path]:
    """Every Python file of the library by the name under which it is imported; a package is its ``__init__``."""
    files = {}
    for path in sorted((root / "tetrasolve").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


def imports_of(path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    """The files that a file imports, at its head, in a function or for types alone."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if node.module in files and files[node.module].with_name(f"{alias.name}.pyi").exists():
                    continue  # compiled: it imports nothing of the library
                if (found := name if name in files else node.module) in files:
                    yield found


def circles(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one node (Kosaraju), and nodes that point to themselves."""
    order: list[str] = []
    seen: set[str] = set()
    for start in graph:
        stack: list[tuple[str, Iterator[str]]] = []
        if start not in seen:
            seen.add(start)
            stack.append((start, iter(graph[start])))
        while stack:
            node, rest = stack[-1]
            following = next((near for near in rest if near not in seen), None)
            if following is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(graph[following])))
    back: dict[str, list[str]] = {node: [] for node in graph}
    for node, following_ones in graph.items():
        for near in following_ones:
            back[near].append(node)
    found, left = [], set(graph)
    for start in reversed(order):
        component, edge = [], [start] if start in left else []
        left.discard(start)
        while edge:
            node = edge.pop()
            component.append(node)
            edge += (new := [near for near in back[node] if near in left])
            left.difference_update(new)
        if len(component) > 1 or any(node in graph[node] for node in component):
            found.append(sorted(component))
    return found


def collapsed(graph: Graph, package: str) -> dict[str, set[str]]:
    """What the parts of a package, files and packages in it, import of one another; its ``__init__`` is its face and no part."""

    def part(name: str) -> str | None:
        head, _, rest = name.removeprefix(package).partition(".")
        return f"{package}.{rest.partition('.')[0]}" if name.startswith(f"{package}.") and not head else None

    parts: dict[str, set[str]] = {p: set() for name in graph if (p := part(name)) is not None}
    for name, imported in graph.items():
        for other in imported:
            one, two = part(name), part(other)
            if one is not None and two is not None and one != two:
                parts[one].add(two)
    return parts


@pytest.fixture(scope="module")
def files(root: Path) -> dict[str, Path]:
    return files_of(root)


@pytest.fixture(scope="module")
def graph(files: dict[str, Path]) -> dict[str, set[str]]:
    """All imports but those of `FORMS`."""
    found = {}
    for name, path in files.items():
        package = name.rpartition(".")[0]
        forms = {f"{package}.{form}" for form in FORMS.get(name, ())}
        found[name] = {
            other for other in imports_of(path, files) if not any(f"{other}.".startswith(f"{form}.") for form in forms)
        }
    return found


@pytest.mark.parametrize(("rules", "least"), [("tetrasolve.tetrarchia.rules", 30), ("tetrasolve.finem.rules", 10)])
def test_no_circle_of_files_in_the_rules(graph: dict[str, set[str]], rules: str, least: int) -> None:
    inside = {name: graph[name] for name in graph if f"{name}.".startswith(f"{rules}.")}

    assert len(inside) > least
    assert circles({name: [other for other in near if other in inside] for name, near in inside.items()}) == []


def test_no_circle_between_packages(graph: dict[str, set[str]], files: dict[str, Path]) -> None:
    """Of the parts of any package, one that is a package itself is in no circle."""
    packages = [name for name in files if files[name].name == "__init__.py"]

    found = [circle for package in packages for circle in circles(collapsed(graph, package))]
    assert [circle for circle in found if not set(circle).isdisjoint(packages)] == []


def test_no_file_imports_the_package_it_is_in(graph: dict[str, set[str]]) -> None:
    """The face of a package is for others: inside, it would be a circle."""
    assert [(name, face) for name in graph for face in graph[name] if name.startswith(f"{face}.")] == []


def test_values_and_their_forms_are_still_there(files: dict[str, Path]) -> None:
    """An exception that nothing needs any more is taken off the list."""
    for name, forms in FORMS.items():
        package = name.rpartition(".")[0]
        imported = set(imports_of(files[name], files))
        for form in forms:
            assert any(f"{other}.".startswith(f"{package}.{form}.") for other in imported), (name, form)


# -- what would be found -----------------------------------------------------------------------------------------


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"e"}, "f": {"a", "d"}}

    assert sorted(circles(graph)) == [["b", "c"], ["e"]]


def test_an_import_in_a_function_is_found(tmp_path: Path) -> None:
    package = tmp_path / "tetrasolve"
    (package / "one").mkdir(parents=True)
    (package / "__init__.py").write_text("from tetrasolve.one import a\n", "utf-8")
    (package / "one" / "__init__.py").write_text("", "utf-8")
    (package / "one" / "a.py").write_text("def late():\n    from tetrasolve.two import thing\n", "utf-8")
    (package / "two.py").write_text("from tetrasolve.one.a import late\n", "utf-8")
    files = files_of(tmp_path)
    graph = {name: set(imports_of(path, files)) for name, path in files.items()}

    assert graph["tetrasolve.one.a"] == {"tetrasolve.two"}
    assert circles(collapsed(graph, "tetrasolve")) == [["tetrasolve.one", "tetrasolve.two"]]
