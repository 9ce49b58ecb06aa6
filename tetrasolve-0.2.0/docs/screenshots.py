"""Looks at built pages in a real browser, at the widths of a phone and a desktop: `make docs-look`.

For each page pictures of its whole length are written, light and dark, and a line says whether anything sticks out at the
side. Needs Chromium (on Debian: ``apt install chromium``).

    python docs/screenshots.py build/docs/html build/docs-look [PAGE ...]
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = {"phone": (360, 800), "desk": (1280, 900)}
DARK = "--force-dark-mode"  # what Chromium calls a reader who prefers dark pages
LONGEST = 16000  # pixels; Chromium paints no more
PAGES = (
    "index",
    "derived/*",
    "explanation/how-*-each-level",
    "explanation/how-strong-hints-are",
    "how-to/plan-a-turn",
    "reference/certificates",
)

# What is wider than the window and not inside something that scrolls
PROBE = """
<script>
addEventListener("load", () => {
  const wide = document.documentElement.clientWidth + 1;
  const clips = e => /auto|scroll|hidden/.test(getComputedStyle(e).overflowX);
  const scrolls = e => e.tagName !== "ARTICLE" && (clips(e) || scrolls(e.parentElement));
  const inside = e => e.closest(".sidebar-drawer, .toc-drawer, .content-icon-container, [hidden]");
  const out = [...document.querySelectorAll("article *")]
    .filter(e => e.getBoundingClientRect().right > wide && !inside(e) && !scrolls(e.parentElement))
    .map(e => `${e.tagName.toLowerCase()} ${e.className.baseVal ?? e.className}`.trim());
  const look = {out: [...new Set(out)].slice(0, 5), height: document.documentElement.scrollHeight};
  document.body.setAttribute("data-look", JSON.stringify(look));
});
</script>
"""


@dataclass(frozen=True)
class Browser:
    """Chromium without a window, with a profile of its own."""

    program: str
    profile: Path

    def run(self, size: tuple[int, int], *arguments: str) -> str:
        """What it prints."""
        command = [
            self.program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={self.profile}",
            f"--window-size={size[0]},{size[1]}",
            *arguments,
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout  # noqa: S603

    def probe(self, page: Path, size: tuple[int, int]) -> tuple[list[str], int]:
        """What sticks out of a page at the side, and how high the page is."""
        text = page.read_text("utf-8").replace("<head>", f'<head><base href="{page.as_uri()}">{PROBE}', 1)
        copy = self.profile / "probe.html"
        copy.write_text(text, "utf-8")
        found = re.search(r'data-look="([^"]*)"', self.run(size, "--dump-dom", copy.as_uri()))
        assert found is not None, f"{page} did not load"
        look = json.loads(html.unescape(found[1]))
        return look["out"], look["height"]

    def shoot(self, page: Path, size: tuple[int, int], picture: Path, *more: str) -> None:
        """A picture of a page."""
        self.run(size, f"--screenshot={picture}", *more, page.as_uri())


def look(built: Path, pictures: Path, wanted: tuple[str, ...]) -> int:
    """Look at pages; how many do not fit."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("no Chromium found (on Debian: apt install chromium)")
    pages = [page for pattern in wanted for page in sorted(built.glob(f"{pattern}.html"))]
    if not pages:
        sys.exit(f"no such pages below {built}: {', '.join(wanted)}")
    pictures.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="look-") as profile:
        browser = Browser(program, Path(profile))
        for page in pages:
            name = page.relative_to(built).with_suffix("").as_posix()
            for kind, (width, height) in WIDTHS.items():
                out, long = browser.probe(page, (width, height))
                picture = pictures / f"{name.replace('/', '-')}-{kind}.png"
                whole = (width, min(max(long, height), LONGEST))
                browser.shoot(page, whole, picture)
                browser.shoot(page, whole, picture.with_stem(f"{picture.stem}-dark"), DARK)
                wrong += bool(out)
                print(f"{name}, {kind}: {'fits' if not out else 'sticks out: ' + ', '.join(out)} ({picture})")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(1 if look(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), tuple(sys.argv[3:]) or PAGES) else 0)
