"""The HTML of the web page: the board as the first picture, which scripts take over, and without scripts what is said of it.

Everything that came from a client or a worker is escaped, but for the picture, which is the service's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from tetrasolve.serve.headers import preferred
from tetrasolve.serve.pages import LANGUAGES, SCRIPT, STRINGS, STYLE

LONGEST_POSITION = 2000  # characters; a link with more is refused by most browsers and proxies


def language_of(request: Request) -> str:
    """The language of the page: that of the address, or the one of the page's that the browser prefers."""
    asked = request.query_params.get("lang", "")
    if asked in LANGUAGES:
        return asked
    named = preferred(request, "accept-language", LANGUAGES, lambda tag: tag.partition("-")[0])
    return LANGUAGES[0] if named is None else named


@dataclass(frozen=True, slots=True)
class Body:
    """What the document of a position holds.

    `picture` is SVG, visible from the beginning unless `is_hidden`; `above` and `below` are HTML for browsers without scripts.
    `known` are answers that the scripts need not ask for: each a kind of request, its fields, and the result.
    """

    above: str
    picture: str = ""
    below: str = ""
    is_hidden: bool = False
    known: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]] = ()


def html(language: str, texts: Mapping[str, Any], first: Iterable[str], body: Body, *, has_game: bool) -> bytes:
    """The whole document; `first` are files that the browser asks for at once, beside the script, the style and the texts."""
    preloaded = "".join(map(preload, (f"{STRINGS}.{language}.json", *first)))
    drawn = f'<figure id="ground"{" hidden" if body.is_hidden else ""}>{body.picture}</figure>' if body.picture else ""
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(str(texts["title"]))}</title>
<link rel="icon" href="/page/icon.svg"><link rel="stylesheet" href="/page/{STYLE}">{preloaded}
<script type="module" src="/page/{SCRIPT}"></script>
</head>
<body{" data-game" if has_game else ""}>
<header></header>
<main id="main" tabindex="-1"><noscript>{body.above}</noscript>{drawn}<noscript>{body.below}</noscript></main>
<script type="application/json" id="known">{data(body.known)}</script>
</body>
</html>
""".encode()


def data(value: Any) -> str:
    r"""JSON that can stand in a document: no character of it begins markup.

    >>> data("</script>")
    '"\\u003c/script>"'
    """
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def layered(ground: str, picture: str) -> str:
    """A picture with the content of another one of the same size over it; nothing over nothing.

    >>> layered("<svg><a/></svg>", '<svg width="1"><b/></svg>')
    '<svg><a/><g class="pieces"><b/></g></svg>'
    """
    inside = picture[picture.index(">") + 1 : picture.rindex("</svg>")] if picture else ""
    return ground and f'{ground.removesuffix("</svg>")}<g class="pieces">{inside}</g></svg>'


def preload(name: str) -> str:
    """The element that makes a browser ask for a file of the page before the script does.

    >>> preload("game/game.json")
    '<link rel="preload" as="fetch" crossorigin href="/page/game/game.json">'
    """
    return f'<link rel="preload" as="fetch" crossorigin href="/page/{escape(name)}">'


def form(texts: Mapping[str, Any], position: str, language: str, examples: Mapping[str, str]) -> str:
    """The field for a position, and links to examples of positions by name."""
    t = {name: escape(str(text)) for name, text in texts.items()}
    more = f'<button name="advice" value="1">{t["plain.advice"]}</button>' if position else ""
    links = ", ".join(
        f'<a href="/?{escape(urlencode({"lang": language, "position": example}))}" lang="en">{escape(name)}</a>'
        for name, example in examples.items()
    )
    return (
        f'<h1>{t["title"]}</h1><p>{t["plain.about"]}</p><form action="/" method="get">'
        f'<input type="hidden" name="lang" value="{escape(language)}">'
        f'<label>{t["plain.position"]}<input name="position" value="{escape(position)}" maxlength="{LONGEST_POSITION}"'
        f' autocomplete="off" spellcheck="false"></label><button>{t["plain.show"]}</button>{more}</form>'
        + (f"<p>{t['plain.examples']}: {links}</p>" if links else "")
    )


def part(title: str, text: str) -> str:
    """A part of the page: a title, and text as it is."""
    return f"<h2>{escape(title)}</h2><pre>{escape(text)}</pre>"


def problem(text: str) -> str:
    """What was wrong."""
    return f'<p class="problem" role="alert">{escape(text)}</p>'
