"""Tools for SVG pictures, independent of the game; each game draws its own board with them."""
