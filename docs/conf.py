"""How Sphinx builds the documentation: `make docs`. Warnings are errors there, and no network is needed."""

import sys
from importlib.metadata import version as version_of

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

project = "tetrasolve"
author = "the tetrasolve authors"
project_copyright = "the tetrasolve authors, Apache-2.0"
release = version = version_of("tetrasolve")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "sphinx_copybutton",
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "tetrasolve"

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True

default_role = "py:obj"  # docstrings put names in single backticks, whatever kind of thing they name

nitpick_ignore_regex = [
    # The standard library: linking to it would take an inventory from the network at each build
    ("py:.*", rf"({'|'.join(sorted(sys.stdlib_module_names))})(\..*)?"),
    # Likewise for the libraries that ours shows in a signature
    ("py:.*", r"(networkx|click)\..*"),
    # A type variable has no page
    ("py:class", r"(.*\.)?[A-Z]"),
    # Nor has a type alias: Sphinx leaves a signature that names one as it is written, its other names unqualified too
    ("py:class", r"[A-Z]\w+"),
]


def plain_when_unknown(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: nodes.TextElement
) -> nodes.TextElement | None:
    """Single backticks make a link where they name something documented, and code where they do not.

    They also hold parameters and the notation of the game, so a name without a page is no mistake. References that ask
    for a kind of thing (``:class:``, types in signatures) are still errors when broken.
    """
    del app, env
    return contnode if node.get("reftype") == "obj" else None


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("missing-reference", plain_when_unknown)
