"""The board as a picture: `board_svg` writes SVG text, from the coordinates of the board file alone.

The picture is built in layers, each a function that returns its elements: seas, Barbarian paths, links, provinces,
pieces, a plan's route, the frame with title and legend. A corrected board gives a corrected picture.
"""

from tetrasolve.tetrarchia.draw.picture import PositionLike, board_svg, pieces_svg

__all__ = ["PositionLike", "board_svg", "pieces_svg"]
