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
from typing import Any, cast

from tetrasolve.errors import TetrasolveError, shown
from tetrasolve.strict import read_json
from tetrasolve.tetrarchia import kernel, whole
from tetrasolve.tetrarchia.hint.guess import MODULE_GUESS
from tetrasolve.tetrarchia.hint.modulefeatures import MODULE_NAMES
from tetrasolve.tetrarchia.kernel import Networks

FORMAT = "tetrasolve-weights/1"
SHIPPED = "weights.txt"
SHIPPED_MODULES = "weights-modules.txt"  # the same weights of the base game, and trained ones for modules
KNOWN = (kernel.FEATURES_OF_A_POSITION, whole.FEATURES_OF_A_POSITION)  # without and with the features of modules
_COLUMNS = 120  # characters of a line of numbers


class WeightsError(TetrasolveError):
    """A file of weights that cannot be read; the text says what was expected."""


@dataclass(frozen=True)
class Weights:
    """Two networks of the same width, as 32-bit floats in the order of the kernel, and the command that made them.

    `start` is for the start of a Roman phase, `end` for the end of a turn. Each holds the weights of the features, feature
    by feature, then the bias of each hidden unit, the weight of each hidden unit, and a constant. The features are those of the
    base game, or these and then those of the modules.
    """

    width: int
    start: bytes
    end: bytes
    made: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """The identifier of the weights in results: the first digits of the SHA-256 of the numbers."""
        return hashlib.sha256(self.start + self.end).hexdigest()[:16]

    @property
    def features(self) -> int:
        """The number of features that they have weights for."""
        return (len(self.start) // 4 - 1) // self.width - 2

    @property
    def know_modules(self) -> bool:
        """Whether they have weights for the features of modules."""
        return self.features == whole.FEATURES_OF_A_POSITION

    def fitted(self, *, modules: bool) -> Weights:
        """The weights for a kernel, with or without features of modules.

        Weights without them get those of `tetrasolve.tetrarchia.hint.guess.MODULE_GUESS`. Where all features of modules are 0 the
        values of positions are the same.
        """
        if modules == self.know_modules:
            return self
        start, end = (self._part_with(part, modules=modules) for part in (self.start, self.end))
        return Weights(self.width, start, end, self.made)

    def _part_with(self, part: bytes, *, modules: bool) -> bytes:
        row, base = 4 * self.width, kernel.FEATURES_OF_A_POSITION
        rows, rest = part[: self.features * row], part[self.features * row :]
        if not modules:
            return rows[: base * row] + rest
        return rows + b"".join(self._guessed(name, rest) for name in MODULE_NAMES) + rest

    def _guessed(self, name: str, rest: bytes) -> bytes:
        """The weights of a feature that was not trained: the first hidden unit has it all."""
        (second,) = struct.unpack_from("<f", rest, 4 * self.width)
        weight = MODULE_GUESS.get(name, 0.0)
        return struct.pack(f"<{self.width}f", weight / second if weight and second else 0.0, *[0.0] * (self.width - 1))

    def networks(self, *, modules: bool = False) -> Networks:
        """The two networks as a kernel takes them, the one of the base game or that of all modules."""
        chosen = self.fitted(modules=modules)
        if modules:  # whole.Networks has all that kernel.Networks has
            return cast(Networks, whole.Networks(chosen.width, chosen.start, chosen.end))
        return Networks(chosen.width, chosen.start, chosen.end)


def write_weights(weights: Weights) -> str:
    """The text of a file of weights, each number rounded to half precision."""
    head = {"format": FORMAT, "features": weights.features, "width": weights.width, "made": dict(weights.made)}
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
    if head.get("format") != FORMAT or features not in KNOWN:
        known = " or ".join(map(str, KNOWN))
        raise WeightsError(
            f"expected {FORMAT} for {known} features, got {shown(head.get('format'))} for {shown(features)}"
        )
    numbers = (features + 2) * width + 1
    if [len(part) for part in parts] != [2 * numbers] * 2:
        raise WeightsError(f"expected two networks of {numbers} numbers, got {[len(part) // 2 for part in parts]}")
    start, end = (struct.pack(f"<{numbers}f", *struct.unpack(f"<{numbers}e", part)) for part in parts)
    return Weights(width, start, end, head["made"])


@lru_cache(maxsize=2)
def shipped(*, modules: bool = False) -> Weights:
    """The weights that ship with the library: those of the base game, or the same with more for modules, variants and rebels."""
    name = SHIPPED_MODULES if modules else SHIPPED
    return read_weights((files("tetrasolve.tetrarchia.hint") / "data" / name).read_text("utf-8"))
