"""Tools to draw pictures as SVG. No game is named here; a game draws its own board with them."""
