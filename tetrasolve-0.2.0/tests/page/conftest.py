"""The web page in a real browser, served on loopback by the service itself.

Each visit has a fresh profile. When it ends, nothing may have gone wrong in it unseen: no error of a script, none in the
console, nothing that the content security policy had to stop, and no request to another host.
"""

import json
import os
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import chromium
import pytest
from httpservice import running

from tetrasolve.games import game

HERE = Path(__file__).parent
PATIENCE = (
    int(os.environ.get("TETRASOLVE_PATIENCE", "60")) * 1000
)  # milliseconds in which a page must come to what a test waits for, on a machine with much else to do
WIDTHS = (360, 768, 1280)
# A refused answer is data for the page; Chromium notes each in the console
NOTES = ("Failed to load resource: the server responded with a status of 4",)
WATCH = """
addEventListener("securitypolicyviolation", event => {
  (window.stopped ??= []).push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
"""


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def served():
    """The service of the game, with all of its page; a browser asks for many files at once."""
    with running(game().get_questions(), game().get_messages(), page=game().get_page(), rate=0) as found:
        yield found


@pytest.fixture(scope="session")
def served_finem():
    """The service of the second game, with all of its page."""
    second = game("et-finem")
    with running(second.get_questions(), second.get_messages(), page=second.get_page(), rate=0) as found:
        yield found


@pytest.fixture(scope="session")
def browser():
    """The browser."""
    if (problem := chromium.missing()) is not None:
        pytest.skip(problem)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium.program(), args=list(chromium.ARGUMENTS))
        yield found
        found.close()


class Visit:
    """A page in a profile of its own; `problems` is all that went wrong."""

    def __init__(self, browser, url, *, width=1280, height=900, script=True, **options):
        self.url = url
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            java_script_enabled=script,
            **{"locale": "en-GB", "reduced_motion": "reduce", **options},
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self._has_script = script
        self.problems = []
        self.page.on("pageerror", lambda error: self.problems.append(f"script: {error}"))
        self.page.on("console", self._note)
        self.page.on("request", self._request)

    def _note(self, message):
        if message.type == "error" and not message.text.startswith(NOTES):
            self.problems.append(f"console: {message.text}")

    def _request(self, request):
        parts = urlsplit(request.url)
        if parts.scheme not in {"data", "blob"} and f"{parts.scheme}://{parts.netloc}" != self.url:
            self.problems.append(f"request to another host: {request.url}")

    def stopped(self):
        """What the content security policy has stopped."""
        return self.page.evaluate("window.stopped ?? []") if self._has_script else []

    def close(self):
        """End the visit; nothing may have gone wrong."""
        problems = self.problems + [f"policy: {text}" for text in self.stopped()]
        self.context.close()
        assert not problems, "\n".join(problems)


def visits(browser, served):
    """Yield a function that opens the page at an address: `visit("#...", width=360)`."""
    with ExitStack() as stack:

        def go(address="/", **options):
            found = Visit(browser, served.url, **options)
            stack.callback(found.close)
            found.page.goto(served.url + address)
            return found.page

        go.raw = lambda **options: Visit(browser, served.url, **options)
        yield go


@pytest.fixture
def visit(browser, served):
    """Open the page of the first game."""
    yield from visits(browser, served)


@pytest.fixture
def visit_finem(browser, served_finem):
    """Open the page of the second game."""
    yield from visits(browser, served_finem)


@pytest.fixture(scope="session")
def axe():
    """What axe finds wrong on a page, as text."""
    from axe_playwright_python.sync_playwright import Axe

    def run(page):
        found = Axe().run(page).response["violations"]
        return [
            json.dumps(
                {"id": row["id"], "help": row["help"], "where": [node["html"][:200] for node in row["nodes"][:3]]}
            )
            for row in found
        ]

    return run


@pytest.fixture
def wide():
    """What sticks out of a page at the side."""
    return lambda page: page.evaluate(
        """() => {
          const root = document.documentElement;
          if (root.scrollWidth <= root.clientWidth) return [];
          return [...document.querySelectorAll("body *")]
            .filter(e => e.getBoundingClientRect().right > root.clientWidth + 1)
            .map(e => `${e.tagName.toLowerCase()}.${e.className.baseVal ?? e.className}`).slice(0, 5);
        }"""
    )
