"""Every view: what axe says of it, whether it fits each width, in each language, in the dark and printed."""

import pytest
from pageaddress import VIEWS

from tetrasolve.games import SHIPPED, game
from tetrasolve.serve.joined import EXPORT
from tetrasolve.serve.pages import sources

WIDTHS = (360, 768, 1280)
PAGES = [game(name).get_page() for name in SHIPPED]


def opened(visit, name, lang="en", **options):
    address, ready = VIEWS[name]
    page = visit(address.replace("?", f"?lang={lang}&", 1), **options)
    page.wait_for_selector(f"main:not([aria-busy]) {ready}", state="attached")
    return page


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_has_no_violations_and_fits_every_width(visit, axe, wide, name):
    page = opened(visit, name)
    assert axe(page) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert wide(page) == [], width
    assert not page.is_visible(".trouble")


KEYS = r"""async () => {
  const texts = await (await fetch('/page/strings.es.json')).json();
  const parts = [...new Set(Object.keys(texts).map(key => key.split('.')[0]))].join('|');
  const labels = [...document.querySelectorAll('[aria-label]')].map(e => e.getAttribute('aria-label'));
  const key = new RegExp(`\\b(${parts})\\.[a-z]+(?![a-z:/])`, 'g');
  return [document.body.innerText, ...labels].join('\n').match(key) ?? [];
}"""


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_in_spanish_in_the_dark_on_a_phone(visit, axe, wide, name):
    page = opened(visit, name, lang="es", width=360, color_scheme="dark")
    assert page.get_attribute("html", "lang") == "es"
    assert axe(page) == []
    assert wide(page) == []
    codes = (".dal", ".nar", ".tar", ".gla")  # of provinces, in the notation of positions
    assert [
        key for key in page.evaluate(KEYS) if not key.endswith(codes)
    ] == []  # a text that is missing is shown by its key


@pytest.mark.parametrize("name", ["play", "review", "map"])
def test_a_printed_view_has_its_board_and_no_controls(visit, name):
    page = opened(visit, name)
    page.emulate_media(media="print")
    assert page.is_visible(".board svg") and not page.is_visible("header") and not page.is_visible(".board button")
    page.set_viewport_size({"width": 720, "height": 1000})  # A4 at 96 pixels an inch, without margins
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_no_module_exports_the_name_of_a_thing_of_the_browser(visit):
    """Such a name would be a constant of the whole script, and hide the thing from modules that mean it."""
    names = [found["name"] for one in PAGES for text in sources(one).values() for found in EXPORT.finditer(text)]
    page = visit("/")
    assert "playing" in names and page.evaluate("names => names.filter(name => name in window)", names) == []
