"""The files of the web page: a fixed list, read, joined and compressed when the service starts.

The shell, which knows no game, is in ``page/``; a game adds its part (`tetrasolve.games.Page`). All scripts are one file, and all
styles another one. A request only looks a name up in the list: no path is built from what a client sends.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import rjsmin
import zopfli.gzip
from starlette.requests import Request
from starlette.responses import Response

from tetrasolve.games import Page
from tetrasolve.serve.headers import weight
from tetrasolve.serve.joined import joined

TYPES: Mapping[str, str] = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}
LANGUAGES = ("en", "es")  # the first one where a browser accepts none of them
STRINGS = "strings"  # the folder of texts: PART.LANGUAGE.json
GAME = "game"  # the folder under which a game's part is served
SCRIPT, STYLE = "page.js", "page.css"  # all modules, all styles
FIRST = "shell.js"  # the module that runs the others
# Scripts, styles and data come from the service alone; a picture may also be a file that the page makes (data:)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {"content-security-policy": POLICY, "cache-control": "no-cache", "vary": "accept-encoding"}
ICON = "icon.svg"  # a browser looks for it whenever the address changes, which it does with each move
KEPT = "max-age=86400"  # seconds: a day
ITERATIONS = 5  # of the search for a short stream; more of them save less than 10 bytes of the script


@dataclass(frozen=True, slots=True)
class File:
    """A file of the page: its content, as it is and compressed."""

    content: bytes
    compressed: bytes
    media_type: str
    tag: str
    caching: str = HEADERS["cache-control"]

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        """The file with this name and content."""
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        caching = KEPT if name == ICON else HEADERS["cache-control"]
        is_code = name.endswith((".js", ".css"))
        short = compressed(content) if is_code else gzip.compress(content, mtime=0)
        return cls(content, short, TYPES[name.rpartition(".")[2]], tag, caching)

    def response(self, request: Request) -> Response:
        """The answer to a request: nothing where the client has this content already."""
        headers = {**HEADERS, "etag": self.tag, "cache-control": self.caching}
        asked = request.headers.get("if-none-match", "")
        if asked.strip() == "*" or self.tag in (tag.strip().removeprefix("W/") for tag in asked.split(",")):
            return Response(status_code=304, headers=headers)
        if takes_gzip(request.headers.get("accept-encoding", "")):
            headers["content-encoding"] = "gzip"
            return Response(self.compressed, headers=headers, media_type=self.media_type)
        return Response(self.content, headers=headers, media_type=self.media_type)


@cache
def compressed(content: bytes) -> bytes:
    """A stream of gzip that a longer search finds: of scripts and styles, which do not grow with the board."""
    return bytes(zopfli.gzip.compress(content, numiterations=ITERATIONS))


def takes_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header names gzip.

    >>> takes_gzip("gzip, br"), takes_gzip("br;q=1.0, gzip; Q=0.000"), takes_gzip("")
    (True, False, False)
    """
    for part in header.split(","):
        if part.partition(";")[0].strip().lower() == "gzip":
            return weight(part) > 0
    return False


def page_files(page: Page | None) -> dict[str, File]:
    """All files by their names under ``/page/``: the script, the style, texts for each language, pictures, what a game makes.

    :raises ModuleError: when the scripts cannot be joined.
    """
    shell = files("tetrasolve.serve") / "page"
    parts = sources(page)
    found = {name: File.of(name, text.encode()) for name, text in parts.items() if not name.endswith((".js", ".css"))}
    found[SCRIPT] = File.of(SCRIPT, script(parts).encode())
    styles = sorted((name for name in parts if name.endswith(".css")), key=lambda name: ("/" in name, name))
    found[STYLE] = File.of(STYLE, "".join(parts[name] for name in styles).encode())
    texts = {language: strings(shell, language) for language in LANGUAGES}
    if page is not None:
        found |= {f"{GAME}/{name}": File.of(name, make().encode()) for name, make in page.made.items()}
        for language in LANGUAGES:
            texts[language] |= strings(page.folder, language)
    for language, rows in texts.items():
        name = f"{STRINGS}.{language}.json"
        found[name] = File.of(name, json.dumps(rows, ensure_ascii=False).encode())
    return found


def sources(page: Page | None) -> dict[str, str]:
    """The texts of the files of the shell, and those of a game under ``game/``."""
    found = dict(_read(files("tetrasolve.serve") / "page", ""))
    if page is not None:
        found |= _read(page.folder, f"{GAME}/")
    return found


def _read(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_file() and entry.name.rpartition(".")[2] in TYPES:
            yield prefix + entry.name, entry.read_text("utf-8")


def script(parts: Mapping[str, str]) -> str:
    """All modules as one script, without comments and without spaces that mean nothing."""
    modules = {name: text for name, text in parts.items() if name.endswith(".js")}
    return str(rjsmin.jsmin(joined(modules, FIRST, frozenset({f"{GAME}/game.js"}))))


def strings(folder: Traversable, language: str) -> dict[str, Any]:
    """The texts of a part of the page in one language; each file has the texts of one part."""
    rows: dict[str, Any] = {}
    for entry in sorted((folder / STRINGS).iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(f".{language}.json"):
            rows |= json.loads(entry.read_text("utf-8"))
    return rows
