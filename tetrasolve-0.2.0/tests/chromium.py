"""Debian's Chromium, driven by Playwright, for the tests of the web page: `python tests/chromium.py` says what is missing."""

import importlib.util
import shutil
import sys

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")  # the name on Debian first
LIBRARIES = ("playwright", "axe_playwright_python")
ARGUMENTS = (
    "--no-sandbox",  # root has none, and only our own pages are opened
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--no-first-run",
)


def program():
    """The path of the browser, None where it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def missing():
    """Why there can be no browser, None where there can."""
    if program() is None:
        return f"{PROGRAMS[0]} is not installed (on Debian: apt install {PROGRAMS[0]})"
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed: pip install --group page"
    return None


if __name__ == "__main__":
    sys.exit(missing())
