"""The routes of the web page: its document at ``/``, its files under ``/page/``."""

from __future__ import annotations

import gzip
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from tetrasolve.games import Page
from tetrasolve.serve import plainpage
from tetrasolve.serve.pages import GAME, HEADERS, LANGUAGES, STRINGS, page_files, takes_gzip
from tetrasolve.serve.problems import ProblemError, data_of
from tetrasolve.strict import read_toml

HTML = "text/html; charset=utf-8"
QUICKLY = 1  # the level of gzip for documents: each is made once for one visitor
VARY = "accept-encoding, accept-language, sec-fetch-dest"  # what the document depends on beside its address
SECONDS = 5.0  # for each answer in a document
# Asks a question for a client; None where it has left
Find = Callable[[Request, str, Mapping[str, Any]], Awaitable["Mapping[str, Any] | None"]]


def shared(language: str) -> Mapping[str, str]:
    """The sentences that the service says whatever the game, in a language, by their English forms."""
    return read_toml((files("tetrasolve.serve") / f"data/sentences.{language}.toml").read_text("utf-8"))


class PageCalls:
    """The page with the part of a game, if it has one; `find` asks questions under the limits of every call."""

    def __init__(self, page: Page | None, find: Find) -> None:
        self._page, self._find = page, find
        self.files = page_files(page)
        self._texts = {language: json.loads(self.files[f"{STRINGS}.{language}.json"].content) for language in LANGUAGES}
        made = {} if page is None else page.sentences
        self._sentences = {language: make().over(shared(language)) for language, make in made.items()}
        self._examples = {} if page is None else page.examples()
        self._first = () if page is None else tuple(f"{GAME}/{name}" for name in page.first)
        self._ground = "" if page is None or not page.ground else self.files[f"{GAME}/{page.ground}"].content.decode()

    def translated(self, request: Request, result: Mapping[str, Any]) -> Mapping[str, Any]:
        """An answer with its sentences in the language that the client accepts; it is stored in English."""
        sentences = self._sentences.get(plainpage.language_of(request))
        return result if sentences is None else cast("Mapping[str, Any]", sentences.translated(result))

    async def file(self, request: Request) -> Response:
        """A file of the list.

        :raises ProblemError: when there is none with this name.
        """
        found = self.files.get(request.path_params["name"])
        if found is None:
            raise ProblemError(404, "Not Found")
        return found.response(request)

    async def document(self, request: Request) -> Response:
        """The document, with the board of the position in the address."""
        language = plainpage.language_of(request)
        texts = self._texts[language]
        position = request.query_params.get("position", "")
        above = plainpage.form(texts, position[: plainpage.LONGEST_POSITION], language, self._examples)
        is_page = request.headers.get("sec-fetch-dest", "document") == "document"  # no picture or frame of another page
        is_hidden = self._page is None or request.query_params.get("view", "") not in self._page.boards
        body = plainpage.Body(above, plainpage.layered(self._ground, ""), is_hidden=is_hidden)
        if position and is_page and self._page is not None:
            body = await self._board(request, self._page, texts, position, body)
        found = plainpage.html(language, texts, self._first, body, has_game=self._page is not None)
        headers = {**HEADERS, "vary": VARY}
        if takes_gzip(request.headers.get("accept-encoding", "")):
            headers["content-encoding"] = "gzip"
            found = gzip.compress(found, QUICKLY, mtime=0)
        return Response(found, headers=headers, media_type=HTML)

    async def _board(
        self, request: Request, page: Page, texts: Mapping[str, Any], position: str, body: plainpage.Body
    ) -> plainpage.Body:
        """A picture, what is said of the position, and advice where it is asked for; or what was wrong."""
        if len(position) > plainpage.LONGEST_POSITION:
            return replace(body, below=plainpage.problem(texts["plain.long"]))
        fields = {"position": position, "seconds": SECONDS}
        try:
            if self._ground:
                seen = self.translated(request, await self._find(request, page.view, fields) or {})
                drawn = plainpage.layered(self._ground, seen.get("picture", {}).get("svg", ""))
                about = seen.get(page.about, {})
                body = replace(body, picture=drawn, known=((page.view, {"position": position}, seen),) if seen else ())
            else:
                drawn = (await self._find(request, "picture", fields) or {}).get("svg", "")
                about = self.translated(request, await self._find(request, page.about, fields) or {})
                body = replace(body, picture=drawn)
            below = plainpage.part(texts["plain.table"], page.written(about))
            if request.query_params.get("advice") == "1":
                ask, more = page.advice
                advice = self.translated(request, await self._find(request, ask, {**fields, **more}) or {})
                below += plainpage.part(texts["plain.advice"], page.written(advice))
        except ProblemError as error:
            found = self.translated(request, data_of(error))
            said = [found[name] for name in ("detail", "where", "expected") if found.get(name)]
            below = plainpage.problem(" · ".join(said))
        return replace(body, below=below)
