"""The weights of the evaluation: a text file with the command that made them, shipped as package data."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from tetrasolve.errors import TetrasolveError, shown
from tetrasolve.finem.kernel import FEATURE_NAMES, HIDDEN, Networks
from tetrasolve.strict import read_json

FORMAT = "tetrasolve-finem-weights/1"
SHIPPED = "weights.txt"
MOMENTS = ("turn", "acted", "drawn")  # before the actions of a turn, after them, later in the turn
NUMBERS = (len(FEATURE_NAMES) + 2) * HIDDEN + 1  # of a network
_COLUMNS = 120  # characters of a line of numbers


class WeightsError(TetrasolveError):
    """A file of weights that cannot be read; the text says what was expected."""


@dataclass(frozen=True)
class EvaluationWeights:
    """Three networks as 32-bit floats in the order of the kernel, one for each of `MOMENTS`, and the command that made them.

    Each has the weights of the features, feature by feature, then the bias of each hidden unit, the weight of each, and a constant.
    """

    parts: tuple[bytes, bytes, bytes]
    made: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """The identifier of the weights in results: the first digits of the SHA-256 of the numbers."""
        return hashlib.sha256(b"".join(self.parts)).hexdigest()[:16]

    def networks(self) -> Networks:
        """The networks as a `tetrasolve.finem.kernel.Player` takes them."""
        return Networks(*self.parts)


def write_weights(weights: EvaluationWeights) -> str:
    """The text of a file of weights, each number rounded to half precision."""
    head = {"format": FORMAT, "features": len(FEATURE_NAMES), "width": HIDDEN, "made": dict(weights.made)}
    lines = [json.dumps(head)]
    for part in weights.parts:
        text = base64.b64encode(struct.pack(f"<{NUMBERS}e", *struct.unpack(f"<{NUMBERS}f", part))).decode("ascii")
        lines += [text[at : at + _COLUMNS] for at in range(0, len(text), _COLUMNS)] + [""]
    return "\n".join(lines)


def read_weights(text: str) -> EvaluationWeights:
    """The weights in the text of a file.

    :raises WeightsError: when it is another text, or was made for other features.
    """
    first, _, rest = text.partition("\n")
    try:
        head = read_json(first)
        found = (head["format"], head["features"], head["width"])
        parts = [base64.b64decode("".join(part.split()), validate=True) for part in rest.split("\n\n")[: len(MOMENTS)]]
        made = dict(head["made"])
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"expected a file of weights, {FORMAT}: {error}") from None
    if found != (FORMAT, len(FEATURE_NAMES), HIDDEN):
        raise WeightsError(
            f"expected {FORMAT} for {len(FEATURE_NAMES)} features and {HIDDEN} units, got {shown(found)}"
        )
    if [len(part) for part in parts] != [2 * NUMBERS] * len(MOMENTS):
        raise WeightsError(f"expected three networks of {NUMBERS} numbers, got {[len(part) // 2 for part in parts]}")
    turn, acted, drawn = (struct.pack(f"<{NUMBERS}f", *struct.unpack(f"<{NUMBERS}e", part)) for part in parts)
    return EvaluationWeights((turn, acted, drawn), made)


@lru_cache(maxsize=1)
def shipped() -> EvaluationWeights:
    """The weights that ship with the library."""
    return read_weights((files("tetrasolve.finem.hint") / "data" / SHIPPED).read_text("utf-8"))
