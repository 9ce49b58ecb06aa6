"""The files of the web page: a fixed list, read and compressed when the service starts.

The shell, which knows no game, is in ``page/``; a game adds its part (`tetrasolve.games.Page`). A request only looks a name
up in the list: no path is built from what a client sends.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import rjsmin
from starlette.requests import Request
from starlette.responses import Response

from tetrasolve.games import Page

TYPES: Mapping[str, str] = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}
LANGUAGES = ("en", "es")  # the first one where a browser accepts none of them
STRINGS = "strings"  # the folder of texts: PART.LANGUAGE.json
GAME = "game"  # the folder under which a game's part is served
# Scripts, styles and data come from the service alone; a picture may also be a file that the page makes (data:)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {"content-security-policy": POLICY, "cache-control": "no-cache", "vary": "accept-encoding"}
MOST_COMPRESSED = 9  # the level of gzip: it is done once


@dataclass(frozen=True, slots=True)
class File:
    """A file of the page: its content, as it is and compressed."""

    content: bytes
    compressed: bytes
    media_type: str
    tag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        """The file with this name and content."""
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        compressed = gzip.compress(content, MOST_COMPRESSED, mtime=0)
        return cls(content, compressed, TYPES[name.rpartition(".")[2]], tag)

    def response(self, request: Request) -> Response:
        """The answer to a request: nothing where the client has this content already."""
        headers = {**HEADERS, "etag": self.tag}
        asked = request.headers.get("if-none-match", "")
        if asked.strip() == "*" or self.tag in (tag.strip().removeprefix("W/") for tag in asked.split(",")):
            return Response(status_code=304, headers=headers)
        if takes_gzip(request.headers.get("accept-encoding", "")):
            headers["content-encoding"] = "gzip"
            return Response(self.compressed, headers=headers, media_type=self.media_type)
        return Response(self.content, headers=headers, media_type=self.media_type)


def takes_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header names gzip.

    >>> takes_gzip("gzip, br"), takes_gzip("br;q=1.0, gzip;q=0"), takes_gzip("")
    (True, False, False)
    """
    for part in header.split(","):
        coding, _, weight = part.partition(";")
        if coding.strip().lower() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def page_files(page: Page | None) -> dict[str, File]:
    """All files by their names under ``/page/``: those of the shell, those of a game under ``game/``, texts for each language."""
    shell = files("tetrasolve.serve") / "page"
    found = dict(_read(shell, ""))
    texts = {language: strings(shell, language) for language in LANGUAGES}
    if page is not None:
        found |= _read(page.folder, f"{GAME}/")
        found |= {f"{GAME}/{name}": File.of(name, make().encode()) for name, make in page.made.items()}
        for language in LANGUAGES:
            texts[language] |= strings(page.folder, language)
    for language, rows in texts.items():
        name = f"{STRINGS}.{language}.json"
        found[name] = File.of(name, json.dumps(rows, ensure_ascii=False).encode())
    return found


def _read(folder: Traversable, prefix: str) -> Iterator[tuple[str, File]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_file() and entry.name.rpartition(".")[2] in TYPES:
            yield prefix + entry.name, File.of(entry.name, sent(entry.name, entry.read_text("utf-8")).encode())


def sent(name: str, text: str) -> str:
    r"""The text of a file as it is sent: scripts without comments and without spaces that mean nothing.

    >>> sent("a.js", "// A function.\nfunction f() {\n  return 1; // one\n}\n")
    'function f(){return 1;}'
    """
    return str(rjsmin.jsmin(text)) if name.endswith(".js") else text


def strings(folder: Traversable, language: str) -> dict[str, Any]:
    """The texts of a part of the page in one language; each file has the texts of one part."""
    rows: dict[str, Any] = {}
    for entry in sorted((folder / STRINGS).iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(f".{language}.json"):
            rows |= json.loads(entry.read_text("utf-8"))
    return rows
