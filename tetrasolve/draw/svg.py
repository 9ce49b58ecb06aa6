"""SVG as text: elements, numbers, paths. Points are complex numbers."""

from __future__ import annotations

import cmath
from collections.abc import Sequence
from html import escape

INK = "#2b2118"
PAPER = "#fffdf7"
SANS = "'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
SERIF = "Georgia, 'Times New Roman', 'Liberation Serif', 'DejaVu Serif', serif"


def element(tag: str, *children: str, **attributes: str | float | None) -> str:
    """An element; ``_`` in the name of an attribute stands for ``-``, and None leaves it out.

    >>> element("circle", cx=1.0, cy=2.25, stroke_width=3), element("title", safe("a < b"))
    ('<circle cx="1" cy="2.3" stroke-width="3"/>', '<title>a &lt; b</title>')
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{safe(value) if isinstance(value, str) else number(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{''.join(children)}</{tag}>" if children else f"<{tag}{written}/>"


def number(value: float) -> str:
    """A number with one decimal at most."""
    rounded = f"{value + 1e-9:.1f}"  # 1e-9: halves are rounded up, whatever their last bit is
    return "0" if rounded == "-0.0" else rounded.removesuffix(".0")


def safe(text: str) -> str:
    r"""Text as XML can hold it: special characters escaped, control characters left out.

    >>> safe("1\N{NO-BREAK SPACE}000 < 2\0")
    '1\xa0000 &lt; 2'
    """
    return escape("".join(char for char in text if char.isprintable() or char in "\n\N{NO-BREAK SPACE}"))


def circle(centre: complex, radius: float, **attributes: str | float | None) -> str:
    """A circle."""
    return element("circle", cx=centre.real, cy=centre.imag, r=radius, **attributes)


def line(a: complex, b: complex, **attributes: str | float | None) -> str:
    """A straight line."""
    return element("line", x1=a.real, y1=a.imag, x2=b.real, y2=b.imag, **attributes)


def rectangle(centre: complex, width: float, height: float, **attributes: str | float | None) -> str:
    """A rectangle around its centre."""
    corner = centre - complex(width, height) / 2
    return element("rect", x=corner.real, y=corner.imag, width=width, height=height, **attributes)


def path(d: str, **attributes: str | float | None) -> str:
    """A path."""
    return element("path", d=d, **attributes)


def text(content: str, at: complex, size: float, **attributes: str | float | None) -> str:
    """A line of text, centred on a point unless `text_anchor` says otherwise."""
    given: dict[str, str | float | None] = {"text_anchor": "middle", "font_family": SANS, "fill": INK, **attributes}
    # 0.35 of the size: half the height of a capital, so that the text is centred upright too
    return element("text", safe(content), x=at.real, y=at.imag + 0.35 * size, font_size=size, **given)


def tooltip(content: str) -> str:
    """The tooltip of the element around it."""
    return element("title", safe(content))


def at(point: complex) -> str:
    """A point in the syntax of paths."""
    return f"{number(point.real)},{number(point.imag)}"


def polygon(points: Sequence[complex]) -> str:
    """The path of a closed polygon."""
    return f"M{at(points[0])}" + "".join(f"L{at(point)}" for point in points[1:]) + "Z"


def rounded(points: Sequence[complex]) -> str:
    """The path of a closed polygon whose corners are rounded off between the middles of its sides."""
    middles = [(a + b) / 2 for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    curves = [
        f"Q{at(b)} {at(middle)}" for b, middle in zip([*points[1:], points[0]], [*middles[1:], middles[0]], strict=True)
    ]
    return f"M{at(middles[0])}" + "".join(curves) + "Z"


def arc(centre: complex, radius: float, start: float, end: float) -> str:
    """The path of an arc from one angle to another, clockwise as seen (angles in radians, 0 to the right)."""
    a, b = centre + cmath.rect(radius, start), centre + cmath.rect(radius, end)
    large = 1 if (end - start) % cmath.tau > cmath.pi else 0
    return f"M{at(a)}A{number(radius)},{number(radius)} 0 {large} 1 {at(b)}"
