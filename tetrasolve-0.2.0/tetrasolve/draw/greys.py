"""Pictures in greys, for printers without colours."""

from __future__ import annotations

import re

WHITE_FROM = 230  # of 255: paper, which takes no ink
WEIGHTS = (0.299, 0.587, 0.114)  # of red, green and blue in the brightness of a colour (ITU-R BT.601)

_COLOUR = re.compile(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b")


def in_greys(picture: str) -> str:
    """An SVG picture of this library with each colour as the grey of its brightness; the brightest are white.

    >>> in_greys('<rect fill="#cfe4ee"/><rect fill="#f4ecd8"/>')
    '<rect fill="#dfdfdf"/><rect fill="#ffffff"/>'
    """
    return _COLOUR.sub(_grey, picture)


def _grey(found: re.Match[str]) -> str:
    level = round(sum(weight * int(part, 16) for weight, part in zip(WEIGHTS, found.groups(), strict=True)))
    return "#" + 3 * f"{255 if level >= WHITE_FROM else level:02x}"
