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
from tetrasolve.strict import read_json
from tetrasolve.tetrarchia.kernel import FEATURES_OF_A_POSITION, Networks

FORMAT = "tetrasolve-weights/1"
SHIPPED = "weights.txt"
_COLUMNS = 120  # characters of a line of numbers


class WeightsError(TetrasolveError):
    """A file of weights that cannot be read; the text says what was expected."""


@dataclass(frozen=True)
class Weights:
    """Two networks of the same width, as 32-bit floats in the order of the kernel, and the command that made them.

    `start` is for the start of a Roman phase, `end` for the end of a turn. Each holds the weights of the features, feature
    by feature, then the bias of each hidden unit, the weight of each hidden unit, and a constant.
    """

    width: int
    start: bytes
    end: bytes
    made: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """The identifier of the weights in results: the first digits of the SHA-256 of the numbers."""
        return hashlib.sha256(self.start + self.end).hexdigest()[:16]

    def networks(self) -> Networks:
        """The two networks as the kernel takes them."""
        return Networks(self.width, self.start, self.end)


def write_weights(weights: Weights) -> str:
    """The text of a file of weights, each number rounded to half precision."""
    head = {"format": FORMAT, "features": FEATURES_OF_A_POSITION, "width": weights.width, "made": dict(weights.made)}
    lines = [json.dumps(head)]
    for part in (weights.start, weights.end):
        numbers = struct.unpack(f"<{len(part) // 4}f", part)
        text = base64.b64encode(struct.pack(f"<{len(numbers)}e", *numbers)).decode("ascii")
        lines += [text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS)] + [""]
    return "\n".join(lines)


def read_weights(text: str) -> Weights:
    """The weights in the text of a file.

    :raises WeightsError: when it is another text, or was made for other features.
    """
    first, _, rest = text.partition("\n")
    try:
        head = read_json(first)
        width, features = int(head["width"]), int(head["features"])
        parts = [base64.b64decode("".join(part.split()), validate=True) for part in rest.split("\n\n")[:2]]
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"expected a file of weights, {FORMAT}: {error}") from None
    if head.get("format") != FORMAT or features != FEATURES_OF_A_POSITION:
        raise WeightsError(
            f"expected {FORMAT} for {FEATURES_OF_A_POSITION} features, got {shown(head.get('format'))} for {shown(features)}"
        )
    numbers = (features + 2) * width + 1
    if [len(part) for part in parts] != [2 * numbers] * 2:
        raise WeightsError(f"expected two networks of {numbers} numbers, got {[len(part) // 2 for part in parts]}")
    start, end = (struct.pack(f"<{numbers}f", *struct.unpack(f"<{numbers}e", part)) for part in parts)
    return Weights(width, start, end, head["made"])


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights that ship with the library."""
    return read_weights((files("tetrasolve.tetrarchia.hint") / "data" / SHIPPED).read_text("utf-8"))
