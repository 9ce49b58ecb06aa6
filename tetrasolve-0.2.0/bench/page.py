"""How soon the web page shows a board, and how soon a click is answered, in Chromium on loopback.

Usage: ``python bench/page.py [--rounds 20] [--chromium /usr/bin/chromium]``. It starts a service of its own. A round opens
the page with a position in a new browser context (nothing cached) and measures the time until the pieces are drawn, and
until the page can be played on (its actions are there). Then it chooses a province (the actions are known: no request is
needed), and with a second click carries a move out, and measures from each event to the frame after the change.
Requires Playwright for Python, and a Chromium.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys
from pathlib import Path

from tetrasolve.tetrarchia.examples import example

FIGHT = str(example("fight"))
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
SETTLED = (
    500  # milliseconds before the first click: what was drawn last is on the screen, as it is before anybody can click
)
BETWEEN = 100  # between two clicks on a province: a fast double click
# Resolves when a selector fits, to the milliseconds since a mark; looks at each change, and waits for the next frame
WATCH = """([selector, begin]) => new Promise((done) => {
  const since = begin === null ? 0 : begin;
  const look = () => {
    if (!document.querySelector(selector)) return;
    watcher.disconnect();
    requestAnimationFrame(() => done(performance.now() - since));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  look();
})"""
CLICK = """([selector, then]) => new Promise((done) => {
  const since = performance.now();
  const before = document.querySelector(then)?.textContent;
  const watcher = new MutationObserver(() => {
    const found = document.querySelector(then)?.textContent;
    if (found !== before) { watcher.disconnect(); requestAnimationFrame(() => done(performance.now() - since)); }
  });
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  document.querySelector(selector).dispatchEvent(new MouseEvent('click', { bubbles: true }));
})"""
FIGURES = ("first picture", "ready to play", "province chosen", "move carried out")
DRAWN = "svg .pieces .emperor, .board .emperor"


def main() -> None:
    """Measure, and print one line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    if importlib.util.find_spec("playwright") is None or not Path(options.chromium).exists():
        print("page: playwright or chromium is not installed")
        return
    from playwright.sync_api import sync_playwright

    command = [str(Path(sys.executable).with_name("tetrasolve")), "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as service:  # noqa: S603  # our own command
        try:
            assert service.stdout is not None
            url = service.stdout.readline().split()[-1]
            times: dict[str, list[float]] = {name: [] for name in FIGURES}
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=options.chromium, args=ARGUMENTS)
                for number in range(options.rounds + 1):
                    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
                    page.goto(f"{url}/?position={FIGHT.replace(' ', '+').replace('+', '%20')}", wait_until="commit")
                    first = page.evaluate(WATCH, [DRAWN, None])
                    ready = page.evaluate(WATCH, [".action", None])
                    page.wait_for_timeout(SETTLED)
                    chosen = page.evaluate(CLICK, ['.hit[data-province="belgica"]', ".here"])
                    page.wait_for_timeout(BETWEEN)
                    moved = page.evaluate(CLICK, ['.hit[data-province="belgica"]', "h1"])
                    if number:  # the first round starts workers and the browser
                        for name, value in zip(times, (first, ready, chosen, moved), strict=True):
                            times[name].append(value)
                    page.context.close()
                browser.close()
        finally:
            service.terminate()
    for name, values in times.items():
        worst = sorted(values)[int(0.95 * (len(values) - 1))]
        print(f"{name}: median {statistics.median(values):.0f} ms, p95 {worst:.0f} ms ({len(values)} rounds)")


if __name__ == "__main__":
    main()
