"""Pictures of the web page in the documentation, made when it is built: the directive ``pageshot``.

    ```{pageshot} play-risk
    :address: ?panel=risk&position=...
    :ready: .body table
    A caption.
    ```

`address` is that of the page, `press` an element to click, `ready` what is there in the end, `scheme` ``dark`` or ``light``,
`width` that of the window. A service of its own answers. Without Chromium or Playwright a sentence stands in place of the picture.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
)  # only our own page is opened
HEIGHT = 800
PATIENCE = 120_000  # milliseconds until a page shows what it should, on a machine with much else to do
MISSING = "(There is a picture here where Chromium and Playwright are installed when the documentation is built.)"


class Camera:
    """A service and a browser, started for the first picture and ended with the build."""

    def __init__(self) -> None:
        self._open: list[Any] = []
        self._service: subprocess.Popen[str] | None = None
        self._browser: Any = None
        self._url = ""

    def shoot(self, options: dict[str, str], picture: Path) -> bool:
        """Write a picture; whether there is a browser."""
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None or importlib.util.find_spec("playwright") is None:
            return False
        if self._browser is None:
            self._start(program)
        context = self._browser.new_context(
            viewport={"width": int(options.get("width", 1280)), "height": HEIGHT}, color_scheme=options.get("scheme", "light"),
            locale="en-GB", reduced_motion="reduce",
        )  # fmt: skip
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(self._url + "/" + options["address"])
        if "press" in options:
            page.click(options["press"])
        page.wait_for_selector(options["ready"])
        page.wait_for_load_state("networkidle")
        picture.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(picture))
        context.close()
        return True

    def _start(self, program: str) -> None:
        from playwright.sync_api import sync_playwright

        command = [sys.executable, "-m", "tetrasolve.cli", "serve", "--port", "0"]
        self._service = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603  # our own
        assert self._service.stdout is not None
        self._url = self._service.stdout.readline().split()[-1].rstrip("/")
        driver = sync_playwright().start()
        self._browser = driver.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        self._open = [self._browser.close, driver.stop]

    def close(self) -> None:
        """End what was started."""
        for end in self._open:
            end()
        if self._service is not None:
            self._service.terminate()
            self._service.wait()
        self._open, self._service, self._browser = [], None, None


CAMERA = Camera()


class Pageshot(Directive):
    """``{pageshot} NAME``: a picture of the web page, with its content as the caption."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[Any] = {
        name: directives.unchanged for name in ("address", "press", "ready", "scheme", "width")
    }

    def run(self) -> list[nodes.Node]:
        """The picture in a figure, or what to install."""
        environment = self.state.document.settings.env
        name = f"_images/pageshot-{self.arguments[0]}.png"
        if not CAMERA.shoot(self.options, Path(environment.app.outdir) / name):
            return [nodes.paragraph("", MISSING)]
        caption = " ".join(self.content)
        up = "../" * environment.docname.count("/")
        shown = f'<img src="{up}{name}" alt="{escape(caption)}" loading="lazy">'
        return [nodes.figure("", nodes.raw("", shown, format="html"), nodes.caption("", caption), classes=["picture"])]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("pageshot", Pageshot)
    app.connect("build-finished", lambda *_: CAMERA.close())
    return {"parallel_read_safe": False}
