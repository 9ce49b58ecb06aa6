"""What the pages say of facts, for Sphinx: numbers, tables and pictures that are read from the index of proofs.

=========== ===================================================================================================
`shelf`     the facts of the index, and all that would make a page about them wrong
`words`     a value as a reader meets it: a number, a fraction with its percent, the name of a place
`pattern`   many values by one name with stars: ``reach/hill 12.*``
`domain`    the role ``{fact}``, and the links between numbers and the tables they come from
`tables`    ``{fact-family}``, ``{fact-kind}``, ``{fact-list}``, ``{fact-tally}``: facts in sentences
`matrix`    ``{fact-matrix}``: values by rows and columns
`maps`      ``{fact-map}``: the map of the board with a number and a shade in each place
`bars`      ``{fact-bars}``: a distribution, or any row of numbers
`robust`    ``{fact-verdicts}``, ``{fact-doubts}``: which facts depend on which row of the board
`grid`      what tables, maps and bars have in common
=========== ===================================================================================================

A page that names a fact or a value that does not exist does not build; neither does any page while a certificate is missing
or changed, or while the index is about another board.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from factpages import bars, domain, maps, matrix, robust, shelf, tables
from tetrasolve.games import DEFAULT

STYLES = Path(__file__).parent / "facts.css"


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_config_value("fact_proofs", "../proofs", "env", str)  # the folder of the index, as seen from the pages
    app.add_config_value("fact_game", DEFAULT, "env", str)  # the game that they are about
    app.add_config_value("fact_board", "", "env", str)  # a board file, likewise; empty for that of the library
    app.add_config_value("fact_map", "", "env", str)  # module:function that draws a board and a `maps.Shaded`
    app.connect("builder-inited", shelf.refuse_doubt)
    app.connect("builder-inited", lambda app: app.config.html_static_path.append(str(STYLES)))
    app.add_css_file(STYLES.name)
    for part in (domain, tables, matrix, maps, bars, robust):
        part.add_to(app)
    return {"parallel_read_safe": True}
