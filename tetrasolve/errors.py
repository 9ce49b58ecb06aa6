"""The errors that tetrasolve raises: each says what was wrong, where, and what was expected."""

from collections.abc import Iterable, Sequence


class TetrasolveError(Exception):
    """Base of all errors of the library; its text is a complete message for the user."""


class OutOfTimeError(TetrasolveError):
    """The time ran out, or the call was cancelled, before there was an answer; the text names the call."""


class ClusterError(TetrasolveError):
    """A cluster that cannot be reached, or whose workers have another program or give what is no result."""


class ClusterLostError(ClusterError):
    """A cluster that was lost in the middle of a computation, which can be gone on with where there is a checkpoint."""


LONGEST_NAME = 40  # characters of a name that are compared with those of others


class SecondsError(TetrasolveError, ValueError):
    """A time limit that is negative or not a number."""


class ArgumentError(TetrasolveError, TypeError):
    """An argument of another type than a function takes; the text names the argument and what was expected."""

    def __init__(self, name: str, found: object, expected: str) -> None:
        super().__init__(f"{name}: expected {expected}, found {shown(found)}")


class UnknownExampleError(TetrasolveError, KeyError):
    """An example that does not exist; the text names those there are."""

    __str__ = Exception.__str__  # that of KeyError is a quotation


class OutOfMemoryError(TetrasolveError, MemoryError):
    """A call that needs more memory than there is; the text names the call."""


MOST_REASONS = 15  # in the text of an error


class BoardError(TetrasolveError, ValueError):
    """A board file that cannot be a board; `reasons` names each offending row, the text the first `MOST_REASONS` of them.

    >>> raise BoardError("my.toml", ["place hill: no name"])
    Traceback (most recent call last):
    tetrasolve.errors.BoardError: my.toml: place hill: no name
    """

    def __init__(self, source: str, reasons: Sequence[str]) -> None:
        self.source = source
        self.reasons = tuple(reasons)
        more = len(self.reasons) - MOST_REASONS
        listed = [*self.reasons[:MOST_REASONS], *([f"and {more} more"] if more > 0 else [])]
        super().__init__(f"{source}: " + "; ".join(listed))


class RulesetError(TetrasolveError, ValueError):
    """A level, module, variant or reading that does not exist or cannot be combined."""


class ReferenceOnlyError(RulesetError):
    """A question that needs a kernel, about a ruleset with readings that only the reference rules play; `readings` names them."""

    def __init__(self, readings: Sequence[str]) -> None:
        self.readings = tuple(readings)
        super().__init__(
            f"{', '.join(self.readings)}: only the reference rules play this reading; "
            "what was asked needs the kernel, expected a ruleset without it"
        )


class HouseRuleError(RulesetError):
    """A question that was made for the numbers of the rulebook, about a ruleset with house rules; `house` is their text."""

    def __init__(self, house: str) -> None:
        self.house = house
        super().__init__(
            f"{house}: what was asked is made for the numbers of the rulebook, expected a ruleset without house rules"
        )


class _Nothing:
    """See `MISSING`."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = _Nothing()  # found where something is missing: an error text shows it without quotation marks


class PositionSyntaxError(TetrasolveError, ValueError):
    """A position that cannot be read; `where` is the field and `expected` what is allowed there."""

    def __init__(self, where: str, found: object, expected: str) -> None:
        self.where = where
        self.found = found
        self.expected = expected
        super().__init__(f"{where}: found {shown(found)}, expected {expected}")


class PuzzleError(TetrasolveError, ValueError):
    """A puzzle, or a collection of puzzles, that cannot be read or made."""


class IllegalPositionError(TetrasolveError, ValueError):
    """A position that cannot occur, or in which the question that was asked has no meaning.

    `reasons` is the full `Position.status()` of a position that cannot occur; otherwise sentences, as `str`.
    """

    def __init__(self, reasons: Sequence[object]) -> None:
        self.reasons = tuple(reasons)
        text = "; ".join(map(str, self.reasons))
        super().__init__(f"this position cannot occur: {text}" if self.cannot_occur else text)

    @property
    def cannot_occur(self) -> bool:
        """Whether the position cannot occur; False where it can, and only the question does not fit."""
        return not all(isinstance(reason, str) for reason in self.reasons)


class ActionError(TetrasolveError, ValueError):
    """Base of the errors about actions: unreadable, illegal, ambiguous."""


class UnreadableActionError(ActionError):
    """Text that is not an action."""


class IllegalActionError(ActionError):
    """A readable action that the rules forbid here; `rule` names the rule."""

    def __init__(self, action: object, rule: str) -> None:
        self.action = action
        self.rule = rule
        super().__init__(f"{action}: {rule}")


class AmbiguousActionError(ActionError):
    """Text that fits several legal actions; `candidates` lists them."""

    def __init__(self, text: str, candidates: Sequence[object]) -> None:
        self.candidates = tuple(candidates)
        super().__init__(f"{text!r} could be " + " or ".join(f"'{candidate}'" for candidate in self.candidates))


class RecordError(TetrasolveError, ValueError):
    """A game record that cannot be read or does not follow the rules; `line` counts from 1."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        self.problem = problem
        super().__init__(f"line {line}: {problem}")


class CertificateError(TetrasolveError, ValueError):
    """A certificate that cannot be read or made; `line` counts from 1."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        self.problem = problem
        super().__init__(f"line {line}: {problem}")


class TooLargeError(TetrasolveError, ValueError):
    """A question whose answer would be larger than what is written or checked; the text says how large it may be."""


class ProofError(TetrasolveError, ValueError):
    """A formula or a proof that is malformed or wrong."""


class FactError(TetrasolveError, ValueError):
    """A fact that does not exist, or an index of facts that cannot be read."""


class FindingError(TetrasolveError, ValueError):
    """A finding about a reading that does not exist, or a report of findings that cannot be read."""


class ObjectiveError(TetrasolveError, ValueError):
    """An objective that cannot be read or does not fit this board."""


class MissingExtraError(TetrasolveError, ImportError):
    """An optional library that is not installed; the text says how to install it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed: pip install 'tetrasolve[{extra}]'")


SHOWN = 60  # characters of a value in an error text


def shown(value: object, limit: int = SHOWN) -> str:
    """A value as a short quotation for an error text; never raises, whatever the value is.

    >>> shown("x" * 100, 10)
    "'xxxxxxxxx..."
    >>> shown(16**5000)
    'an int too large to show'
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or of brackets
        kind = type(value).__name__
        return f"a{'n' if kind[0] in 'aeiou' else ''} {kind} too large to show"
    return text if len(text) <= limit else text[:limit] + "..."


LONGEST_PATH = 255  # characters of a path that an error text has in whole, as long as the name of a file can be


def path_shown(path: str) -> str:
    """A path for an error text: as it is, or quoted and cut where it is long or has control characters.

    >>> path_shown("games/first.rec"), path_shown("a" * 5000 + ".rec") == shown("a" * 5000)
    ('games/first.rec', True)
    """
    return path if path.isprintable() and len(path) <= LONGEST_PATH else shown(path)


def named(key: object, limit: int = 60) -> str:
    """A key of a file as part of a location: unchanged if it is short printable text, else quoted.

    >>> named("armies"), named(""), named(7)
    ('armies', "''", '7')
    """
    plain = isinstance(key, str) and key.isprintable() and bool(key.strip()) and len(key) <= limit
    return str(key) if plain else shown(key, limit)


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The three known names that are most like one that does not exist, as a list in words; empty where none is like it.

    `cutoff`: how like it they must be, in [0, 1]. Of a long name its beginning is compared.

    >>> nearest("musik", ["music", "magic", "chess"])
    'music'
    """
    from difflib import get_close_matches  # only where there is an error: it takes longer to import than this module

    return ", ".join(get_close_matches(name[:LONGEST_NAME], list(known), n=3, cutoff=cutoff))
