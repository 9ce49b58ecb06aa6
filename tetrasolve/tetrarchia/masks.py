"""Bit masks over the rows of the board: bit n stands for the province in row n, as in the kernel."""

from __future__ import annotations

from collections.abc import Iterator


def rows_of(mask: int) -> Iterator[int]:
    """The rows of a mask, in order.

    >>> [*rows_of(0b1011)]
    [0, 1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
