"""The web page: a fixed list of files, headers, texts in two languages, the budget of scripts, hostile positions."""

import gzip
import json
import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from httpservice import running

from tetrasolve.finem.puzzle.kinds import kinds as finem_kinds
from tetrasolve.games import DEFAULT, SHIPPED, game
from tetrasolve.serve.joined import ModuleError, joined
from tetrasolve.serve.pages import LANGUAGES, SCRIPT, TYPES, page_files, sources, strings, takes_gzip
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.puzzle.kinds import kinds
from tetrasolve.tetrarchia.service.engine import schema

BLACK = '4211+barbaria D:b -/-/-/- 12 lib gla.gin.dac.thr.asi.cyr.num - -/-/-/- barbarian_discs={"black":1,"gray":4}'
FIGHT = str(example("fight"))
MOST_SCRIPT = 30_000  # bytes of the script of all views, as it is sent
NO_PIECES = '<g class="pieces"></g>'  # the map alone is in every document
SHELL = files("tetrasolve.serve") / "page"
PAGES = {name: game(name).get_page() for name in SHIPPED}
FOLDERS = {"shell": SHELL} | {name: page.folder for name, page in PAGES.items()}
ALL_FILES = {name: page_files(page) for name, page in PAGES.items()}
FILES = ALL_FILES[DEFAULT]


def scripts(name):
    """The modules of the page of a game, by their names."""
    return {path: text for path, text in sources(PAGES[name]).items() if path.endswith(".js")}


each_game = pytest.mark.parametrize("name", SHIPPED)
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    "</noscript><script>alert(1)</script>",
    "4211 <b>:6 - - - - - -",
    "\u202e\x00&lt;",
)


@pytest.fixture(scope="module")
def paged():
    with running(game().get_questions(), game().get_messages(), page=game().get_page()) as found:
        yield found


def test_every_file_of_the_list_is_served_as_it_is(paged):
    for name, file in FILES.items():
        found = paged.client.get(f"/page/{name}")
        assert (found.status_code, found.content) == (200, file.content), name
        assert found.headers["content-type"] == TYPES[name.rpartition(".")[2]]
        assert found.headers["content-encoding"] == "gzip"
        assert "script-src 'self'" in found.headers["content-security-policy"]
        assert found.headers["x-content-type-options"] == "nosniff"
        plain = paged.client.get(f"/page/{name}", headers={"accept-encoding": "identity"})
        assert plain.content == file.content and "content-encoding" not in plain.headers


def test_a_file_that_the_client_has_is_not_sent_again(paged):
    first = paged.client.get("/page/page.js")
    for tag in (first.headers["etag"], f'"other", W/{first.headers["etag"]}', "*"):
        again = paged.client.get("/page/page.js", headers={"if-none-match": tag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert paged.client.get("/page/page.js", headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["", "nothing.js", "../app.py", "..%2fapp.py", "%2e%2e/app.py", "game/../../app.py", "/etc/passwd", "game/",
     "strings/shell.en.json", "shell.js", "page.js%00", "PAGE.JS", "page.js/", "game%2fgame.json/.."],
)  # fmt: skip
def test_nothing_else_is_served(paged, path):
    found = paged.client.get(f"/page/{path}")
    assert found.status_code == 404 and found.headers["content-type"] == "application/problem+json"


def test_files_are_read_only(paged):
    assert paged.client.post("/page/page.js").status_code == 405
    assert paged.client.post("/", data={"position": FIGHT}).status_code == 405


# -- texts and scripts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_each_language_has_the_same_texts(folder):
    first, *others = (strings(folder, language) for language in LANGUAGES)
    slots = re.compile(r"\{\w+\}")
    for other in others:
        assert first.keys() == other.keys()
        for key, text in first.items():
            assert sorted(slots.findall(text)) == sorted(slots.findall(other[key])), key
            assert text and other[key]


@each_game
def test_no_text_is_defined_twice_but_the_title_of_a_game(name):
    keys = [
        key
        for folder in (SHELL, FOLDERS[name])
        for entry in (folder / "strings").iterdir()
        if entry.name.endswith(".en.json")
        for key in re.findall(r'^\s*"([^"]+)":', entry.read_text("utf-8"), re.MULTILINE)
    ]
    assert {key for key in keys if keys.count(key) > 1} <= {"title"} and keys


@each_game
def test_every_text_that_a_script_names_exists(name):
    texts = strings(SHELL, "en") | strings(FOLDERS[name], "en")
    for path, script in scripts(name).items():
        for key in re.findall(r"""\bt\('([^'$]+)'""", script):
            assert key in texts or f"{key}.other" in texts, f"{path}: {key}"


@each_game
def test_the_script_fits_the_budget(name):
    """What a browser gets for all views is one script."""
    found = ALL_FILES[name]
    assert all(gzip.decompress(file.compressed) == file.content for file in found.values())
    assert [path for path in found if path.endswith(".js")] == [SCRIPT]
    assert len(found[SCRIPT].compressed) <= MOST_SCRIPT


@each_game
def test_no_script_has_a_text_of_several_lines(name):
    """What is sent has no indentation, and such a text would be hard to tell from it."""
    for path, text in scripts(name).items():
        assert all(line.count("`") % 2 == 0 for line in text.splitlines()), path
        # Spaces of a template within a template would be left out as those of code are
        assert not re.search(r"`[^`]*\$\{[^}`]*`[^`]* [^`]*`[^`]*\}[^`]*`", text), path
    assert "//" not in re.sub(r"https?://", "", ALL_FILES[name][SCRIPT].content.decode())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import a from './b.js';\n", "import a from"),
        ("export default 1;\n", "export default"),
        ("export { b };\n", "export"),
        ("export let b = 1;\n", "export let"),
        ("f(import(name));\n", "import"),
        ("import { b } from './c.js';\n", "c.js, which does not exist"),
        ("import { a } from './a.js';\n", "imports itself"),
        ("console.log(import.meta.url);\n", "import.meta"),
    ],
)
def test_modules_that_cannot_be_joined_are_refused(text, problem):
    with pytest.raises(ModuleError, match=re.escape(problem)):
        joined({"a.js": text, "b.js": ""}, "a.js")


def test_a_module_that_is_imported_by_several_runs_once():
    shared = {
        "a.js": "import { b } from './b.js';\nimport * as c from './x/c.js';\nimport('./d.js');\n",
        "b.js": "export const b = 1;\n",
        "x/c.js": "import { b as one } from '../b.js';\nexport async function c() {}\n",
    }
    found = joined(shared, "a.js", frozenset({"d.js"}))
    assert found.count("export") == found.count("import") == 0 and "Promise.reject()" in found
    assert found.index("const{b}=") < found.index("$x_c=") < found.index("const c=$x_c;") and found.count("{b}=(") == 1
    assert "const one=b;" in found and "const{c}=$x_c;" in found and "=$b" not in found


def test_a_name_that_two_modules_export_belongs_to_neither():
    shared = {
        "a.js": "import { b, d } from './b.js';\nimport { b as c } from './c.js';\n",
        "b.js": "export const b = 1;\nexport const d = 2;\n",
        "c.js": "export const b = 3;\n",
    }
    found = joined(shared, "a.js")
    assert "const{b}=$b;" in found and "const{b:c}=$c;" in found and "const{d}=$b;" in found
    assert found.count("const b = ") == 2 and "const{b,d}" not in found


@each_game
def test_scripts_neither_parse_markup_nor_load_from_elsewhere(name):
    """What is forbidden here is what would make markup or code of text, or be refused by the policy."""
    for path, script in scripts(name).items():
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "new Function",
            "http:",
            "https:",
        ):
            assert word not in script.replace("http://www.w3.org/2000/svg", ""), f"{path}: {word}"


# -- the document --------------------------------------------------------------------------------------------------------


class Elements(HTMLParser):
    """The elements of a document, with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.found, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.found if name == tag]


def test_the_document_holds_no_script_and_no_style_of_its_own(paged):
    found = paged.client.get("/")
    assert found.status_code == 200 and found.headers["content-type"] == "text/html; charset=utf-8"
    page = Elements(found.text)
    assert [(row.get("src"), row["type"]) for row in page.all("script")] == [
        ("/page/page.js", "module"),
        (None, "application/json"),  # data, which is not run
    ]
    assert not page.all("style") and not any(
        "style" in row or any(name.startswith("on") for name in row) for _, row in page.found
    )
    for _, row in page.found:
        for name in ("src", "href"):
            if name in row and not row[name].startswith("/?"):
                assert row[name].removeprefix("/page/") in FILES


@each_game
def test_without_scripts_examples_lead_to_positions(name):
    with running(game(name).get_questions(), game(name).get_messages(), page=game(name).get_page()) as found:
        start = Elements(found.client.get("/?lang=es").text)
        links = [row["href"] for row in start.all("a")]
        seen = Elements(found.client.get(links[-1]).text)
    examples = game(name).get_notation().examples()
    assert "Ejemplos: " + ", ".join(examples) in start.text and len(links) == len(examples)
    assert seen.all("svg") and seen.all("html") == [{"lang": "es"}] and "La posición en palabras" in seen.text


def test_without_scripts_a_position_is_drawn_and_described(paged):
    found = paged.client.get("/", params={"position": FIGHT}).text
    page = Elements(found)
    assert page.all("svg") and "Narbonensis" in page.text and FIGHT in [row.get("value") for row in page.all("input")]
    assert 'class="problem"' not in found
    advised = Elements(paged.client.get("/", params={"position": FIGHT, "advice": "1"}).text)
    assert "attack narbonensis" in advised.text
    choice = Elements(paged.client.get("/", params={"position": BLACK, "advice": "1"}).text)
    assert "spend the black disc before step 1?" in choice.text and "1. black:" in choice.text
    dice = Elements(
        paged.client.get("/", params={"position": BLACK.replace('"black":1', '"black":0'), "advice": "1"}).text
    )
    assert "begins with dice, and nobody can decide anything before them" in dice.text


def test_the_document_has_the_answer_that_scripts_ask_first(paged):
    found = paged.client.get("/", params={"position": FIGHT}).text
    ((kind, fields, result),) = json.loads(re.search(r'id="known">(.*?)</script>', found)[1])
    assert (kind, fields) == ("view", {"position": FIGHT}) and NO_PIECES not in found
    assert result == paged.client.post("/v1/view", json={"position": FIGHT}).json()
    assert json.loads(re.search(r'id="known">(.*?)</script>', paged.client.get("/").text)[1]) == []


def test_the_board_is_hidden_where_a_view_does_not_begin_with_it(paged):
    for view, is_hidden in (("", False), ("play", False), ("puzzles", True), (HOSTILE[0], True)):
        page = Elements(paged.client.get("/", params={"view": view}).text)
        assert [("hidden" in row) for row in page.all("figure")] == [is_hidden]


def test_the_language_is_that_of_the_address_or_of_the_browser(paged):
    for params, header, language in (
        ({"lang": "es"}, "en", "es"),
        ({}, "es-ES,es;q=0.9", "es"),
        ({"lang": "xx"}, "fr, es", "es"),
        ({"lang": '"><b>'}, "fr", "en"),
    ):
        found = paged.client.get("/", params=params, headers={"accept-language": header})
        assert Elements(found.text).all("html") == [{"lang": language}]


@pytest.mark.parametrize("position", HOSTILE)
def test_a_hostile_position_is_text(paged, position):
    found = paged.client.get("/", params={"position": position, "advice": "1"})
    assert found.status_code == 200
    page = Elements(found.text)
    names = {tag for tag, _ in page.found}
    assert len(page.all("script")) == 2 and not names & {"img", "b"}
    assert not any(name.startswith("on") or name == "autofocus" for _, row in page.found for name in row)
    assert 'class="problem"' in found.text


def test_a_position_that_is_too_long_is_not_asked_about(paged):
    found = paged.client.get("/", params={"position": "x" * 3000})
    assert "The position is too long." in found.text and found.text.count("x" * 2001) == 0


def test_other_pages_cannot_have_positions_worked_out(paged):
    """An image or a frame of another page gets the document alone."""
    found = paged.client.get("/", params={"position": FIGHT}, headers={"sec-fetch-dest": "image"})
    assert NO_PIECES in found.text and FIGHT not in found.text.replace(f'value="{FIGHT}"', "")


def test_a_service_with_keys_shows_the_page_and_no_answer():
    from tetrasolve.serve.keys import Key

    with running(
        game().get_questions(), game().get_messages(), page=game().get_page(), keys={"0" * 64: Key("one")}
    ) as found:
        text = found.client.get("/", params={"position": FIGHT}).text
        assert NO_PIECES in text and "no key" in text
        assert found.client.get("/page/page.js").status_code == 200


def test_a_game_without_a_page_has_the_frame(served):
    page = Elements(served.client.get("/", params={"position": FIGHT}).text)
    assert page.all("script") and not page.all("svg")
    assert served.client.get("/page/game/game.js").status_code == 404


@pytest.mark.parametrize(
    ("header", "is_taken"), [("gzip", True), ("*", False), ("gzip;q=0", False), ("deflate, gzip;q=0.5", True)]
)
def test_compression_is_what_the_client_takes(header, is_taken):
    assert takes_gzip(header) is is_taken


def test_every_kind_of_puzzle_has_its_texts_and_its_form():
    """The page names each kind and asks for each form of answer; the schema of the protocol knows each form."""
    forms = {kind.form for kind in kinds().values()}
    page = game().part("page")
    for language in LANGUAGES:
        texts = strings(page.folder, language)
        assert {f"kind.{name}" for name in kinds()} | {f"answer.{form}" for form in forms} <= texts.keys()
    assert forms <= set(schema()["$defs"]["puzzle"]["properties"]["form"]["enum"])


def test_the_second_game_has_texts_for_all_that_its_rules_name():
    """Steps, phases, roles, levels, options, budgets, objectives, policies and kinds and forms of puzzles."""
    page = PAGES["et-finem"]
    tables = json.loads(page.made["game.json"]())
    wanted = {f"step.{step}" for step in tables["phases"]} | {f"phase.{phase}" for phase in tables["phases"].values()}
    for key, names in (
        ("role", "roles"), ("level", "levels"), ("option", "options"), ("budget", "budgets"),
        ("objective", "objectives"), ("policy", "policies"), ("tribe", "tribes"),
    ):  # fmt: skip
        wanted |= {f"{key}.{name}" for name in tables[names]}
    wanted |= {f"kind.{name}" for name in finem_kinds()} | {f"answer.{row.form}" for row in finem_kinds().values()}
    for language in LANGUAGES:
        assert wanted <= strings(page.folder, language).keys()
