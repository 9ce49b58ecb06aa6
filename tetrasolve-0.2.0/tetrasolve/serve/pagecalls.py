"""The routes of the web page: its document at ``/``, its files under ``/page/``."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tetrasolve.games import Page
from tetrasolve.serve import plainpage
from tetrasolve.serve.pages import GAME, HEADERS, LANGUAGES, STRINGS, page_files
from tetrasolve.serve.problems import ProblemError

HTML = "text/html; charset=utf-8"
SHELL = ("shell.js", "api.js", "dom.js", "state.js")
PLAYED = ("board.js",)  # what every game's first view has
SECONDS = 5.0  # for each answer in a document
# Asks a question for a client; None where it has left
Find = Callable[[Request, str, Mapping[str, Any]], Awaitable["Mapping[str, Any] | None"]]


class PageCalls:
    """The page with the part of a game, if it has one; `find` asks questions under the limits of every call."""

    def __init__(self, page: Page | None, find: Find) -> None:
        self._page, self._find = page, find
        self.files = page_files(page)
        self._texts = {language: json.loads(self.files[f"{STRINGS}.{language}.json"].content) for language in LANGUAGES}
        self._styles = sorted(
            (name for name in self.files if name.endswith(".css")), key=lambda name: ("/" in name, name)
        )
        game = () if page is None else tuple(f"{GAME}/{name}" for name in page.first)
        self._first = (*SHELL, *(PLAYED if game else ()), *game)

    async def file(self, request: Request) -> Response:
        """A file of the list.

        :raises ProblemError: when there is none with this name.
        """
        found = self.files.get(request.path_params["name"])
        if found is None:
            raise ProblemError(404, "Not Found")
        return found.response(request)

    async def document(self, request: Request) -> Response:
        """The document, with the board of a position in the address for browsers without scripts."""
        language = plainpage.language_of(request)
        texts = self._texts[language]
        position = request.query_params.get("position", "")
        body = plainpage.form(texts, position[: plainpage.LONGEST_POSITION], language)
        is_page = request.headers.get("sec-fetch-dest", "document") == "document"  # no picture or frame of another page
        if position and is_page and self._page is not None:
            body += await self._board(request, self._page, texts, position)
        found = plainpage.html(language, texts, self._first, self._styles, body, has_game=self._page is not None)
        return Response(found, headers=dict(HEADERS), media_type=HTML)

    async def _board(self, request: Request, page: Page, texts: Mapping[str, Any], position: str) -> str:
        """A picture, what is said of the position, and advice where it is asked for; or what was wrong."""
        if len(position) > plainpage.LONGEST_POSITION:
            return plainpage.problem(texts["plain.long"])
        fields = {"position": position, "seconds": SECONDS}
        parts = []
        try:
            drawn = await self._find(request, "picture", fields)
            about = await self._find(request, page.about, fields)
            parts += [
                plainpage.figure((drawn or {}).get("svg", "")),
                plainpage.part(texts["plain.table"], page.written(about or {})),
            ]
            if request.query_params.get("advice") == "1":
                ask, more = page.advice
                advice = await self._find(request, ask, {**fields, **more})
                parts.append(plainpage.part(texts["plain.advice"], page.written(advice or {})))
        except ProblemError as error:
            said = [
                error.problem,
                *(f"{name}: {error.more[name]}" for name in ("where", "expected") if error.more.get(name)),
            ]
            parts.append(plainpage.problem(" · ".join(said)))
        return "".join(parts)
