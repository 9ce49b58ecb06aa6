"""The modules of the web page as one script, so that a browser asks once and they are compressed in one piece.

Each module becomes a function that is called at once and returns what the module exports; an import becomes names of such an
object. The page keeps to a small part of the syntax of modules, and anything else is an error when the service starts:

- ``import { a, b as c } from './x.js'`` and ``import * as x from './x.js'``, each at the beginning of a line;
- ``export`` before one ``const``, ``function``, ``async function`` or ``class`` at the beginning of a line;
- ``import('./x.js')`` in an expression, which is a promise of the object.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

IMPORT = re.compile(
    r"^import\s+(?:\{(?P<names>[^}]*)\}|\*\s+as\s+(?P<whole>\w+))\s+from\s+'(?P<path>[^']+)';$", re.MULTILINE
)
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (?P<name>\w+)\b)", re.MULTILINE)
LATER = re.compile(r"\bimport\('(?P<path>[^']+)'\)")
OTHER = re.compile(r"^\s*(?:import|export)\b.*$|\bimport\s*\(.*$|\bimport\.meta\b.*$", re.MULTILINE)


class ModuleError(ValueError):
    """A module of the page that cannot be joined with the others."""


def joined(sources: Mapping[str, str], first: str, optional: frozenset[str] = frozenset()) -> str:
    r"""The text of one script that runs the module `first`; `sources` are modules by their paths.

    A module of `optional` may be missing: then a promise of it is refused.

    >>> print(joined({"a.js": "import { b } from './b.js';\nb();\n", "b.js": "export function b() {}\n"}, "a.js"))
    const $b=(()=>{
    function b() {}
    return{b}})();
    const $a=(()=>{
    const{b}=$b;
    b();})();

    :raises ModuleError: when one is missing, imports itself through others, or has syntax that is not listed above.
    """
    return "\n".join(_written(name, sources, optional) for name in _order(sources, first, optional))


def _order(sources: Mapping[str, str], first: str, optional: frozenset[str]) -> Iterator[str]:
    """The modules that are reached, each after those that it imports."""
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> Iterator[str]:
        if name in above:
            raise ModuleError(f"{name} imports itself: {' > '.join((*above, name))}")
        if name in done or (name in optional and name not in sources):
            return
        if name not in sources:
            raise ModuleError(f"{above[-1] if above else 'the page'} imports {name}, which does not exist")
        for found in IMPORT.finditer(sources[name]):
            yield from visit(_target(name, found["path"]), (*above, name))
        done.add(name)  # a module that is imported later may import this one
        for found in LATER.finditer(sources[name]):
            yield from visit(_target(name, found["path"]), ())
        yield name

    return visit(first, ())


def _target(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _object(name: str) -> str:
    """The name of the object of a module."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _written(name: str, sources: Mapping[str, str], optional: frozenset[str]) -> str:
    """A module as a function that is called at once."""
    exported = [found["name"] for found in EXPORT.finditer(sources[name])]

    def taken(found: re.Match[str]) -> str:
        module = _object(_target(name, found["path"]))
        if found["whole"]:
            return f"const {found['whole']}={module};"
        names = (part.split(" as ") for part in found["names"].split(",") if part.strip())
        return f"const{{{','.join(':'.join(part.strip() for part in parts) for parts in names)}}}={module};"

    def promised(found: re.Match[str]) -> str:
        target = _target(name, found["path"])
        is_there = target in sources or target not in optional
        return f"Promise.resolve({_object(target)})" if is_there else "Promise.reject()"

    text = LATER.sub(promised, EXPORT.sub("", IMPORT.sub(taken, sources[name])))
    code = re.sub(r"^\s*(?://|\*|/\*).*$", "", text, flags=re.MULTILINE)  # words in comments are not syntax
    if other := OTHER.search(code):
        raise ModuleError(f"{name}: {other[0].strip()[:80]}")
    given = f"\nreturn{{{','.join(exported)}}}" if exported else ""
    return f"const {_object(name)}=(()=>{{\n{text.strip()}{given}}})();"
