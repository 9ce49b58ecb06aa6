"""The HTML of the web page: a frame that the scripts fill, and without scripts the board with what is said of it.

Everything that came from a client or a worker is escaped, but for the picture, which is the service's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from starlette.requests import Request

from tetrasolve.serve.pages import LANGUAGES, STRINGS

LONGEST_POSITION = 2000  # characters; a link with more is refused by most browsers and proxies


def language_of(request: Request) -> str:
    """The language of the page: that of the address, or the first one of the browser's that the page has."""
    asked = request.query_params.get("lang", "")
    if asked in LANGUAGES:
        return asked
    for part in request.headers.get("accept-language", "").split(","):
        name = part.partition(";")[0].strip().lower()[:2]
        if name in LANGUAGES:
            return name
    return LANGUAGES[0]


def html(
    language: str, texts: Mapping[str, Any], first: Iterable[str], styles: Iterable[str], body: str, *, has_game: bool
) -> bytes:
    """The whole document; `first` are files that the browser asks for at once, `body` is HTML for browsers without scripts."""
    preloaded = "".join(map(preload, (*first, f"{STRINGS}.{language}.json")))
    sheets = "".join(f'<link rel="stylesheet" href="/page/{escape(name)}">' for name in styles)
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(str(texts["title"]))}</title>
<link rel="icon" href="/page/icon.svg">{sheets}{preloaded}
<script type="module" src="/page/shell.js"></script>
</head>
<body{" data-game" if has_game else ""}>
<noscript><main class="plain">{body}</main></noscript>
</body>
</html>
""".encode()


def preload(name: str) -> str:
    """The element that makes a browser ask for a file of the page before a script does.

    >>> preload("shell.js")
    '<link rel="modulepreload" href="/page/shell.js">'
    """
    if name.endswith(".js"):
        return f'<link rel="modulepreload" href="/page/{escape(name)}">'
    return f'<link rel="preload" as="fetch" crossorigin href="/page/{escape(name)}">'


def form(texts: Mapping[str, Any], position: str, language: str) -> str:
    """The field for a position."""
    t = {name: escape(str(text)) for name, text in texts.items()}
    more = f'<button name="advice" value="1">{t["plain.advice"]}</button>' if position else ""
    return (
        f'<h1>{t["title"]}</h1><p>{t["plain.about"]}</p><form action="/" method="get">'
        f'<input type="hidden" name="lang" value="{escape(language)}">'
        f'<label>{t["plain.position"]}<input name="position" value="{escape(position)}" maxlength="{LONGEST_POSITION}"'
        f' autocomplete="off" spellcheck="false"></label><button>{t["plain.show"]}</button>{more}</form>'
    )


def part(title: str, text: str) -> str:
    """A part of the page: a title, and text as it is."""
    return f"<h2>{escape(title)}</h2><pre>{escape(text)}</pre>"


def problem(text: str) -> str:
    """What was wrong."""
    return f'<p class="problem" role="alert">{escape(text)}</p>'


def figure(svg: str) -> str:
    """The picture of a board."""
    return f'<figure class="picture">{svg}</figure>'
