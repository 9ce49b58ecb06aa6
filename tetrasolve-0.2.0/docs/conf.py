"""How Sphinx builds the documentation: `make docs`. Warnings are errors there, and no network is needed."""

import re
import shlex
import subprocess
import sys
from importlib.metadata import version as version_of
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

sys.path.insert(0, str(Path(__file__).parent))  # for the extensions and modules beside this file

project = "tetrasolve"
author = "the tetrasolve authors"
project_copyright = "the tetrasolve authors, Apache-2.0"
release = version = version_of("tetrasolve")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "sphinx_copybutton",
    "rulebook_page",
    "lintpage",
    "inplaypage",
    "factpages",
    "benchpages",
    "pageshots",
]
fact_map = "boardmap:shaded_svg"

myst_enable_extensions = ["colon_fence", "deflist"]
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
    ("py:.*", r"(networkx|click|ortools|pyspiel|rich|starlette|uvicorn|z3)\..*"),
    # What the kernels keep to themselves
    ("py:class", r".*\._[A-Z]\w+"),
    # A type variable has no page
    ("py:class", r"(.*\.)?[A-Z]"),
    # Nor has a type alias: Sphinx leaves a signature that names one as it is written, its other names unqualified too
    ("py:class", r"[A-Z]\w+"),
    # The kernel of the whole rulebook has the page of that of the base game; the names of classes of the second game's are the same
    ("py:class", r"tetrasolve\.(tetrarchia\.whole|finem\.kernel)\.\w+"),
    # Where a dataclass has a field with a default factory, Sphinx splits the signature at commas, as of ``tuple[str, ...]``
    ("py:class", r"(dict|tuple)\[\w+"),
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


def meant(app: Sphinx, doctree: nodes.document) -> None:
    """A bare name in a signature means the class of this name in the module it stands in, wherever others have one too."""
    del app
    for node in doctree.findall(pending_xref):
        name, module = node.get("reftarget", ""), sys.modules.get(node.get("py:module") or "")
        found = getattr(module, name, None) if name.isidentifier() else None
        if node.get("refdomain") == "py" and isinstance(found, type) and found.__qualname__ == name:
            node["reftarget"] = f"{found.__module__}.{name}"


class Picture(Directive):
    """``{picture} tetrasolve plan fight -o 'least ip'``: what the command draws with ``--svg -``, made when the page is."""

    has_content = True  # below the command: what to read beneath the picture
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The picture, and the command that makes it."""
        words = shlex.split(self.arguments[0])
        command = [sys.executable, "-m", "tetrasolve.cli", *words[1:], "--svg", "-"]
        made = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # a command of our own page
        if made.returncode not in (0, 1):
            raise self.error(f"{self.arguments[0]}: {made.stderr.strip()}")
        drawn = made.stdout[made.stdout.index("<svg") :]
        drawn = re.sub(r' width="[0-9.]+" height="[0-9.]+"', ' width="100%"', drawn, count=1)  # of any screen
        caption = nodes.caption("", " ".join(self.content) or self.arguments[0])
        return [nodes.figure("", nodes.raw("", drawn, format="html"), caption, classes=["picture"])]


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.add_directive("picture", Picture)
    app.connect("doctree-read", meant)
    app.connect("missing-reference", plain_when_unknown)
