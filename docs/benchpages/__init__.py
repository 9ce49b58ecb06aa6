"""What the pages say of measurements, for Sphinx: numbers, tables and pictures that are read from bench/results.

============= =================================================================================================
`results`     the files of results, and the role ``{bench}``: one number of them
`levels`      ``{bench-levels}``: the map of difficulty; ``{bench-levels-table}``: its numbers, the hardest first
`modules`     ``{bench-modules}``: how hard modules and scenarios are; ``{bench-modules-bar}``: how strong the policies
`scenarios`   ``{bench-scenarios}``: the historical scenarios and levels of the base game on one scale
`finem`       ``{bench-finem-strength}``, ``{bench-finem-bounds}`` and others: the second game's policies, engines and hints
`bounds`      ``{bench-bounds}``: win rates beside upper bounds
`reliability` ``{bench-reliability}``: predictions and results; ``{bench-brier}``: the scores; ``{bench-calibration-groups}``
`puzzles`     ``{bench-second-solutions}``: second solutions that were looked for in the puzzles that ship
`capacity`    ``{bench-costs}``, ``{bench-service}``, ``{bench-capacity}``, ``{bench-load}`` and others: the service
`tables`      ``{bench-strength}``, ``{bench-rivals}``, ``{bench-latency}``: what was played and timed
============= =================================================================================================

A page that names a file or a number that is not there does not build. How many games a number rests on is stated with it, so
that pages can be built while results still grow.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from benchpages import bounds, capacity, finem, levels, modules, puzzles, reliability, results, scenarios, tables

STYLES = Path(__file__).parent / "bench.css"


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_config_value("bench_results", "../bench/results", "env", str)  # the folder, as seen from the pages
    app.connect("builder-inited", lambda app: app.config.html_static_path.append(str(STYLES)))
    app.add_css_file(STYLES.name)
    for part in (results, levels, finem, modules, scenarios, bounds, reliability, capacity, puzzles, tables):
        part.add_to(app)
    return {"parallel_read_safe": True}
