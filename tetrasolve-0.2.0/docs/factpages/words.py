"""A value as a reader meets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from tetrasolve.claims.fact import Value

Names: TypeAlias = Mapping[str, str]  # the words of a game with their names: `Subject.names`

LONGEST = 15  # characters of a fraction in running text; a longer one is in its certificate
SMALL = "no one two three four five six seven eight nine ten eleven twelve".split()
MINUS = "\N{MINUS SIGN}"
FORMS = ("percent", "decimal", "count", "word", "Word")


def shown(value: Value, names: Names, form: str = "") -> str:
    """A value in words, in one of `FORMS` or plainly.

    >>> names = {"hill": "The Hill", "lake": "Lake"}
    >>> shown(Fraction(47, 141), names), shown(Fraction(47, 144), names, "percent"), shown(Fraction(5, 2), names, "decimal")
    ('1/3', '32.6 % (47/144)', '2.5 (5/2)')
    >>> shown("hill", names), shown(("hill", "lake"), names), shown(("hill", "lake"), names, "count")
    ('The Hill', 'The Hill and Lake', '2')

    :raises ValueError: for a form that there is not, or that the value cannot take.
    """
    if form == "count" and isinstance(value, tuple):
        return str(len(value))
    if form in ("word", "Word") and isinstance(value, int) and value >= 0:
        written = SMALL[value] if value < len(SMALL) else str(value)
        return written.capitalize() if form == "Word" else written
    if form in ("percent", "decimal") and isinstance(value, int | Fraction):
        return _in_decimals(Fraction(value), form)
    if form:
        raise ValueError(f"{plain(value, names)!r} cannot be shown as {form!r}; forms are {', '.join(FORMS)}")
    return plain(value, names)


def plain(value: Value, names: Names) -> str:
    """A value with nothing added: places by name, a long fraction by its decimals."""
    if isinstance(value, tuple):
        return listed([name(word, names) for word in value])
    if isinstance(value, Fraction) and len(str(value)) > LONGEST:
        return about(value)
    return name(value, names) if isinstance(value, str) else str(value).replace("-", MINUS)


def short(value: Value, names: Names, form: str = "") -> str:
    """A value where there is little space, in a cell or on a map: percent and decimals without their fraction."""
    if isinstance(value, int | Fraction) and form in ("percent", "decimal"):
        return percent(Fraction(value), "%") if form == "percent" else decimals(Fraction(value))
    return shown(value, names, form)


def _in_decimals(value: Fraction, form: str) -> str:
    text = percent(value, " %") if form == "percent" else decimals(value)
    exact = str(value)
    return text if value.denominator == 1 or len(exact) > LONGEST else f"{text} ({exact})"


def about(value: Fraction) -> str:
    """A fraction by its first decimals, marked as not the whole of it."""
    return f"≈ {decimals(value)}"


def percent(value: Fraction, sign: str) -> str:
    """A share in percent; one that is not the whole never reads as if it were.

    >>> percent(Fraction(47, 144), "%"), percent(Fraction(1), "%"), percent(Fraction(9999, 10000), "%")
    ('32.6%', '100%', '>99.9%')
    """
    text = decimals(value * 100)
    return f">99.9{sign}" if value < 1 and text.startswith("100") else f"{text}{sign}"


def decimals(value: Fraction) -> str:
    """Three figures of a number, halves going up; zeros at the end only where they are rounded; small ones as a power of ten.

    >>> decimals(Fraction(2, 3)), decimals(Fraction(200, 3)), decimals(Fraction(1, 2)), decimals(Fraction(4999, 10000))
    ('0.667', '66.7', '0.5', '0.500')
    >>> decimals(Fraction(1, 7**9)), decimals(Fraction(123456)), decimals(Fraction(1, 1500))
    ('2.48·10⁻⁸', '123456', '0.000667')
    """
    if not value:
        return "0"
    sign, size = (MINUS if value < 0 else ""), abs(value)
    power = _first_place(size)
    if power >= -4:
        return sign + _fixed(size, max(0, 2 - power))
    return f"{sign}{_fixed(size / Fraction(10) ** power, 2)}·10{str(power).translate(RAISED)}"


def _first_place(size: Fraction) -> int:
    """The power of ten at which a number begins."""
    power = 0
    while size >= 10 ** (power + 1):
        power += 1
    while size < Fraction(10) ** power:
        power -= 1
    return power


RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _fixed(value: Fraction, places: int) -> str:
    """So many decimals, without zeros at their end where nothing is rounded."""
    units = int(value * 10**places + Fraction(1, 2))
    whole, rest = divmod(units, 10**places)
    text = f"{whole}.{rest:0{places}}" if places else str(whole)
    return text.rstrip("0").rstrip(".") if places and units == value * 10**places else text


def name(word: str, names: Names) -> str:
    r"""A word of the game by its name, a link by those of its ends, any other word as it is.

    >>> [name(word, {"high_hill": "High Hill"}) for word in ("high_hill", "not-at-all", "not-1")]
    ['High Hill', 'not at all', 'not-1']
    >>> ascii(name("hill:lake", {"hill": "Hill", "lake": "Lake"}))
    "'Hill\\u2013Lake'"
    """
    if ":" in word:
        return "\N{EN DASH}".join(name(end, names) for end in word.split(":"))
    return names.get(word, word if any(map(str.isdigit, word)) else word.replace("-", " "))


def listed(words: Sequence[str]) -> str:
    """Words in a row: commas, and "and" before the last."""
    if len(words) < 2:
        return words[0] if words else "none"
    return f"{', '.join(words[:-1])} and {words[-1]}"
