"""The modules of the web page as one script, so that a browser asks once and they are compressed in one piece.

Each module becomes a function that is called at once and returns what the module exports. A name that one module alone exports
becomes a constant of the script, so that an import of it is left out; any other import becomes names of an object. So no
exported name may be that of something a browser has, such as ``history``. The page keeps to a small part of the syntax of
modules, and anything else is an error when the service starts:

- ``import { a, b as c } from './x.js'`` and ``import * as x from './x.js'``, each at the beginning of a line;
- ``export`` before one ``const``, ``function``, ``async function`` or ``class`` at the beginning of a line;
- ``import('./x.js')`` in an expression, which is a promise of the object.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
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
    const{b}=(()=>{
    function b() {}
    return{b}})();
    (()=>{
    b();})();

    :raises ModuleError: when one is missing, imports itself through others, or has syntax that is not listed above.
    """
    order = tuple(_order(sources, first, optional))
    counts = Counter(name for module in order for name in _exported(sources[module]))
    shared = frozenset(name for name, count in counts.items() if count == 1)
    objects = frozenset(
        _target(module, found["path"])
        for module in order
        for form in (IMPORT, LATER)
        for found in form.finditer(sources[module])
        if form is LATER or found["whole"] or not shared.issuperset(_exported(sources[_target(module, found["path"])]))
    )
    return "\n".join(_written(name, sources, optional, shared, name in objects) for name in order)


def _exported(text: str) -> list[str]:
    return [found["name"] for found in EXPORT.finditer(text)]


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


def _written(
    name: str, sources: Mapping[str, str], optional: frozenset[str], shared: frozenset[str], is_object: bool
) -> str:
    """A module as a function that is called at once; names of `shared` are constants of the script."""
    exported = _exported(sources[name])

    def taken(found: re.Match[str]) -> str:
        module = _object(_target(name, found["path"]))
        if found["whole"]:
            return f"const {found['whole']}={module};"
        names = [[word.strip() for word in part.split(" as ")] for part in found["names"].split(",") if part.strip()]
        renamed = "".join(f"const {part[1]}={part[0]};" for part in names if part[0] in shared and len(part) > 1)
        others = ",".join(":".join(part) for part in names if part[0] not in shared)
        return renamed + (f"const{{{others}}}={module};" if others else "")

    def promised(found: re.Match[str]) -> str:
        target = _target(name, found["path"])
        is_there = target in sources or target not in optional
        return f"Promise.resolve({_object(target)})" if is_there else "Promise.reject()"

    text = LATER.sub(promised, EXPORT.sub("", IMPORT.sub(taken, sources[name])))
    code = re.sub(r"^\s*(?://|\*|/\*).*$", "", text, flags=re.MULTILINE)  # words in comments are not syntax
    if other := OTHER.search(code):
        raise ModuleError(f"{name}: {other[0].strip()[:80]}")
    given = f"\nreturn{{{','.join(exported)}}}" if exported else ""
    module = f"(()=>{{\n{text.strip()}{given}}})();"
    constants = f"{{{','.join(word for word in exported if word in shared)}}}"
    if is_object:
        module = f"const {_object(name)}={module}"
        return module if constants == "{}" else f"{module}\nconst{constants}={_object(name)};"
    return module if constants == "{}" else f"const{constants}={module}"
