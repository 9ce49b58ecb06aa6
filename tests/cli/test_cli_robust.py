"""Whatever is typed, the answer is an exit code and a sentence that names what was wrong: never a traceback."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from random import Random

import pytest
from transcript import call

from tetrasolve.cli.common import console
from tetrasolve.tetrarchia.cli import plan as plan_command
from tetrasolve.tetrarchia.cli import scenario as scenario_command
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.ruleset import Ruleset

FIGHT = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
UNREPORTED = ("Traceback", "internal error")


def ask(*arguments: str, typed: bytes | str = b"") -> tuple[int, str, str]:
    """Exit code, output and errors; whatever happens, nothing is left unreported."""
    output, errors = BytesIO(), BytesIO()
    data = typed.encode() if isinstance(typed, str) else typed
    code = call(list(arguments), data, output, errors)
    message = output.getvalue().decode(), errors.getvalue().decode("utf-8", "backslashreplace")
    assert not any(word in text for word in UNREPORTED for text in message), message
    return code, *message


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with contextlib.chdir(tmp_path):
        yield tmp_path


# -- one mistake, named --------------------------------------------------------------------------------------------

MISTAKES = [
    ([], "Usage"),
    (["conquer"], "conquer"),
    (["show"], "POSITION"),
    (["show", "fight", "movement"], "movement"),
    (["facts", "show", "x\0y"], "no fact of the index"),
    (["facts", "list", "--folder", "a\0b"], "null byte"),
    (["facts", "prove", "map/radius", "--folder", os.devnull], "cannot be written"),
    (["facts", "check", "map/radius", "--board", "nowhere.toml"], "nowhere.toml"),
    (["facts", "check", "map/radius/roma"], "'map/radius/roma' is no fact"),
    (["facts", "robust", "--folder", "."], "index.json: is missing"),
    (["show", "fight", "--colour"], "--colour"),
    (["show", "fight", "--board"], "--board"),
    (["show", "fight", "--board", "atlas.toml"], "atlas.toml"),
    (["show", "fight", "--board", "."], "."),
    (["show", "fight", "--board", ""], "cannot be read"),
    (["replay", "n" * 5000], "n...: cannot be read"),
    (["new", "4211", "--seed", "7", "--out", "n" * 5000], "n...: cannot be written"),
    (["show", "fight", "--seed", "7"], "--seed"),
    (["show", "4211", "--seed", "seven"], "seven"),
    (["show", "4211", "--seed", "7", "--fleets", "\u0662\u0663"], "--fleets"),
    (["show", "4211", "--seed", "7", "--fleets", ""], "--fleets"),
    (["show", "4211", "--seed", "7", "--fleets", "22"], "[2, 2]"),
    (["show", "4211?I-WISH=true", "--seed", "7"], "I-WISH"),
    (["show", "4211?I-FRESH", "--seed", "7"], "I-FRESH"),
    (["show", "4211+atlantis", "--seed", "7"], "atlantis"),
    (["show", "9999", "--seed", "7"], "garrisons"),
    (["show", "421", "--seed", "7"], "421"),
    (["show", ""], "''"),
    (["show", " "], "' '"),
    (["show", "."], "directory"),
    (["show", "nowhere.json"], "nowhere.json"),
    (["show", "a\0b"], "a\\x00b"),
    (["show", "x" * 5000], "xxxx"),
    (["show", "\udcff"], "udcff"),
    (["show", "{"], "JSON"),
    (["show", "[" * 100_000], "[[["),
    (["show", "[ " * 100_000], "active Emperor"),
    (["show", '{"a":' * 100_000], "JSON"),
    (["show", '{"format": NaN}'], "NaN"),
    (["show", '{"format": 1' + "0" * 10_000 + "}"], "JSON"),
    (["show", FIGHT + " dux"], "dux"),
    (["show", FIGHT + " dux={"], "dux"),
    (["show", FIGHT.replace("nar ", "nar.nar ")], "nar"),
    (["show", FIGHT.replace("M:6", "M:\u0666")], "active Emperor"),
    (["perft", "fight"], "DEPTH"),
    (["perft", "fight", "deep"], "deep"),
    (["perft", "fight", "-1"], "-1"),
    (["perft", "fight", "1000"], "1000"),
    (["plan", "fight"], "--objective"),
    (["plan", "fight", "-o", "x" * 5000], "xxxx"),
    (["plan", "fight", "-o", "kill"], "kill"),
    (["plan", "fight", "-o", "kill atlantis"], "atlantis"),
    (["plan", "fight", "-o", "most value revolt=9999999"], "9999999"),
    (["plan", "fight", "-o", "then"], "then"),
    (["plan", "fight", "-o", "least ip", "--svg", "nowhere/plan.svg"], "nowhere/plan.svg"),
    (["plan", "fight", "-o", "least ip", "--svg", "."], "."),
    (["risk", "fight", "--svg", "nowhere/risk.svg"], "nowhere/risk.svg"),
    (["risk", "fight", "--svg", "a\0b"], "a\\x00b"),
    (["risk", "fight", "--by", "luck"], "luck"),
    (["show", "fight", "--svg", ""], "cannot be written"),
    (["lint", "house", "--sweep", "ip=5..6", "--svg", "."], "."),  # before any game is played
    (["board"], "Usage"),
    (["board", "burn"], "burn"),
    (["board", "svg", "--width", "0"], "0"),
    (["board", "check", "--board", "nowhere.toml"], "nowhere.toml"),
    (["board", "svg", "--out", "nowhere/board.svg"], "nowhere/board.svg"),
    (["new"], "LEVEL"),
    (["new", "4211"], "--seed"),
    (["new", "four", "--seed", "1"], "four"),
    (["new", "4211", "--seed", "1", "--form", "poem"], "poem"),
    (["new", "4211", "--seed", "1", "--out", "nowhere/new.json"], "nowhere/new.json"),
    (["new", "4211", "--seed", "1", "--all-fleets"], "--form line"),
    (["replay"], "RECORD"),
    (["replay", "nowhere.txt"], "nowhere.txt"),
    (["replay", "."], "directory"),
    (["replay", ""], "directory"),
    (["play", "-"], "standard input"),
    (["play", "nowhere.txt"], "nowhere.txt"),
    (["play", "nowhere.txt", "--resume"], "nowhere.txt"),
    (["play", "-", "--resume"], "standard input"),
    (["play", "fight", "--dice", "loaded"], "loaded"),
    (["play", "fight", "--dice-seed", "x"], "x"),
    (["play", "fight", "--record", "nowhere/game.txt"], "nowhere/game.txt"),
    (["play", "fight", "--record", "."], "."),
    (["bench", "--slow"], "--slow"),
    (["rules", "--all"], "--all"),
    (["fight", "nobody"], "nobody"),
    (["ends", "nobody"], "nobody"),
]


@pytest.mark.parametrize(("arguments", "named"), MISTAKES, ids=[f"{row}" for row in range(len(MISTAKES))])
def test_a_mistake_is_named(arguments: list[str], named: str) -> None:
    code, output, errors = ask(*arguments)

    assert (code, output) == (2, "")
    assert named in errors
    assert len(errors) < 2000


def test_an_error_under_json_is_json() -> None:
    for arguments, kind, words in (
        (["show", "nowhere", "--json"], "PositionError", "nowhere"),
        (["show", "fight", "--json", "--colour"], "usage", "--colour"),
        (["plan", "4211 D:b bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-", "-o", "least ip", "--json"],
         "IllegalPositionError", "`risk` computes its risk"),
    ):  # fmt: skip
        code, output, errors = ask(*arguments)
        assert (code, output) == (2, "")
        error = json.loads(errors)["error"]
        assert error["kind"] == kind and words in error["problem"]


def test_two_answers_do_not_go_to_one_place() -> None:
    code, output, errors = ask("show", "fight", "--json", "--svg", "-")
    assert (code, output) == (2, "")
    assert "name a file" in json.loads(errors)["error"]["problem"]


def test_no_color_means_no_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal: neither colours nor bold letters."""

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    for value, has_styles in (("", True), ("1", False)):
        screen = Terminal()
        monkeypatch.setattr(sys, "stdout", screen)
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("NO_COLOR", value)
        console().print("text", style="bold red")
        assert ("\x1b[" in screen.getvalue()) == has_styles


# -- files ---------------------------------------------------------------------------------------------------------

READERS = (
    ["show", "?"],
    ["risk", "?"],
    ["perft", "?", "1"],
    ["ends", "?"],
    ["fight", "?"],
    ["plan", "?", "-o", "least ip"],
)
RECORD_READERS = (["replay", "?"], ["play", "?", "--resume"])


def on(arguments: list[str], path: str) -> list[str]:
    return [path if word == "?" else word for word in arguments]


@pytest.mark.parametrize("reader", [*READERS, *RECORD_READERS], ids=lambda reader: reader[0])
def test_files_that_are_no_text(reader: list[str], folder: Path) -> None:
    random = Random(reader[0])
    for size in (1, 100, 5000):
        data = b"\xff" + random.randbytes(size)
        (folder / "noise").write_bytes(data)

        code, output, errors = ask(*on(reader, "noise"))
        assert (code, output) == (2, "")
        assert "noise: is no UTF-8 text" in errors
        if reader[0] != "play":
            assert ask(*on(reader, "-"), typed=data)[0] == 2


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader[0])
def test_empty_files(reader: list[str], folder: Path) -> None:
    for text in ("", "\n", "  \n\t\n", "\ufeff"):
        (folder / "empty").write_text(text, "utf-8")

        code, output, errors = ask(*on(reader, "empty"))
        assert (code, output) == (2, "")
        assert "empty: is empty" in errors
    assert "standard input: is empty" in ask(*on(reader, "-"))[2]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader[0])
@pytest.mark.parametrize("form", ["line", "json"])
def test_a_byte_order_mark_is_read_over(reader: list[str], form: str, folder: Path) -> None:
    position = example("fight")
    text = str(position) if form == "line" else position.to_json()
    (folder / "plain").write_text(text, "utf-8")
    (folder / "marked").write_text(text, "utf-8-sig")
    seconds = '"seconds"'

    plain, marked = ask(*on(reader, "plain")), ask(*on(reader, "marked"))
    assert plain == marked == ask(*on(reader, "-"), typed=text.encode("utf-8-sig"))
    assert plain[0] == 0
    assert seconds not in plain[1]


def test_a_byte_order_mark_in_front_of_a_record(folder: Path) -> None:
    (folder / "game").write_text(write_record(new_game(Ruleset(), 7)), "utf-8-sig")

    assert ask("replay", "game")[0] == 0


def test_a_file_whose_name_has_blanks(folder: Path) -> None:
    (folder / "my first game.txt").write_text(FIGHT, "utf-8")

    assert ask("show", "my first game.txt") == ask("show", FIGHT)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no file without an end")
def test_a_file_without_an_end() -> None:
    code, _, errors = ask("show", "/dev/zero")

    assert code == 2
    assert "/dev/zero" in errors


def test_a_record_is_not_written_over(folder: Path) -> None:
    (folder / "game.txt").write_text("precious", "utf-8")

    code, _, errors = ask("play", "fight", "--record", "game.txt")
    assert code == 2
    assert "game.txt" in errors
    assert (folder / "game.txt").read_text("utf-8") == "precious"


# -- noise, always the same --------------------------------------------------------------------------------------------


def tampered(text: str, random: Random) -> str:
    """A text with a few letters changed, lost, doubled or swapped."""
    letters = list(text)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(letters))
        match random.randrange(4):
            case 0:
                letters[at] = random.choice('abcxyz0123456789.-/:{}[]",= \n\u00e9\u0663')
            case 1:
                del letters[at]
            case 2:
                letters.insert(at, letters[at])
            case 3:
                other = random.randrange(len(letters))
                letters[at], letters[other] = letters[other], letters[at]
    return "".join(letters)


@pytest.mark.parametrize("form", ["line", "json"])
def test_tampered_positions(form: str) -> None:
    """They are read or refused, and all commands agree on it."""
    random = Random(f"damaged {form}")
    text = FIGHT if form == "line" else example("fight").to_json()
    codes = {1} if form == "json" else set()  # a change of one letter seldom makes another province id
    for _ in range(150):
        typed = tampered(text, random)
        code, output, errors = ask("show", "-", typed=typed)
        codes.add(code)
        assert bool(output) == (code != 2)
        assert bool(errors) == (code == 2)
        others = [ask(*on(reader, "-"), typed=typed) for reader in READERS[1:] if code]
        assert all(other[0] == 2 and other[2] for other in others)
        assert all(other[2] == errors for other in others if code == 2)
    assert codes == {0, 1, 2}


def test_tampered_records() -> None:
    random = Random("damaged records")
    text = (
        f"tetrasolve-record/1\nboard tetrarchia\nruleset 4211\nstart {FIGHT}\n"
        "1 maximian: attack narbonensis: victory 6-1; secure; end\ndice: 4 4\n2 diocletian: secure\nresult open\n"
    )
    assert ask("replay", "-", typed=text)[0] == 0
    codes = []
    for _ in range(200):
        typed = tampered(text, random)
        code, output, _ = ask("replay", "-", "--json", typed=typed)
        assert json.loads(output)["verified"] == (code == 0)
        codes.append(code)
    assert set(codes) == {0, 1}
    assert codes.count(1) > 150


WORDS = (
    *(
        "show",
        "risk",
        "perft",
        "ends",
        "new",
        "rules",
        "replay",
        "board",
        "check",
        "fight",
        "movement",
        "4211",
        "9",
        "-1",
    ),
    *(
        "--json",
        "--seed",
        "7",
        "--fleets",
        "23",
        "--board",
        "--svg",
        "",
        "-",
        "--",
        "=",
        "--json=1",
        "--divide",
        "--list",
    ),
    *("--form", "line", "--out", "nowhere/x", FIGHT, "{}", "\u00e9", "--help", "-o", "least ip"),
)


def test_command_lines_at_random() -> None:
    random = Random("command lines")
    for _ in range(400):
        arguments = random.choices(WORDS, k=random.randint(1, 6))
        code, output, errors = ask(*arguments)

        assert code in (0, 1, 2), arguments
        assert output or errors or code == 0, arguments
        assert errors or code != 2, arguments


TYPED = (
    *(
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "12",
        "0",
        "99",
        "",
        "end",
        "e",
        "end",
        "undo",
        "u",
        "list",
        "show",
        "risk",
        "help",
    ),
    *(
        "plan kill roma",
        "plan",
        "m",
        "m gsu",
        "move roma",
        "enter roma",
        "ent",
        "attack nar",
        "a",
        "secure",
        "sail 1",
        "sail",
    ),
    *("attack nar: victory", "\u00e9", "{}", "x" * 300, "reduce", "remove", "subdue"),
)


@pytest.mark.parametrize("dice", ["roll", "enter"])
def test_games_at_random(dice: str, folder: Path) -> None:
    """Nothing that is typed ends a game but quit, and its record is always one that can be verified."""
    random = Random(f"games {dice}")
    for number in range(6):
        typed = "\n".join(random.choices(TYPED, k=60))
        options = ["--dice-seed", str(number)] if dice == "roll" else ["--dice", dice]
        record = f"game{number}.txt"

        code, output, errors = ask("play", "fight", "--record", record, *options, typed=typed)
        assert (code, errors) == (0, "")
        assert "result: " in output
        game = read_record((folder / record).read_text("utf-8"))
        again = ask("play", record, "--resume", *options, typed="quit\n")
        assert (again[0], again[2]) == (0, "")
        assert write_record(game) == (folder / record).read_text("utf-8")


@pytest.mark.parametrize("end", [b"", b"quit\n", b"QUIT", b"q\n", b"\xff\xfe\n", b"end", b"end\n3"])
def test_input_that_is_interrupted(end: bytes) -> None:
    code, output, errors = ask("play", "fight", "--dice", "enter", typed=b"m bel\n" + end)

    assert (code, errors) == (0, "")
    assert "1 maximian: move belgica" in output


# -- what only another process can show ------------------------------------------------------------------------------------


def process(*arguments: str, **options: object) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tetrasolve.cli", *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "arguments", [["board", "show"], ["board", "show", "--json"], ["risk", "fight"], ["board", "--help"]], ids=" ".join
)
def test_a_closed_pipe_is_no_error(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with process(*arguments, stdout=writer) as running:
        os.close(writer)
        _, errors = running.communicate()

    assert (running.returncode, errors) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_is_reported() -> None:
    with Path("/dev/full").open("wb") as full, process("show", "fight", stdout=full) as running:
        _, errors = running.communicate()

    assert running.returncode == 2
    assert b"No space" in errors
    assert b"Traceback" not in errors


def test_output_without_an_encoding_for_it(folder: Path) -> None:
    """A name that the terminal cannot show is shown in another way."""
    (folder / "\u00e9.txt").write_text(FIGHT, "utf-8")
    environment = dict(os.environ, PYTHONIOENCODING="ascii")
    with process(
        "play", "fight", "--record", "\u00e8.txt", stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as running:
        output, errors = running.communicate(b"quit\n")

    assert (running.returncode, errors) == (0, b"")
    assert b"--resume" in output


# -- plain text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", ["20", "80", "500"])
@pytest.mark.parametrize(
    "arguments", [["risk", "fight"], ["fight", "fight"], ["board", "show"]], ids=lambda words: words[0]
)
def test_a_pipe_gets_plain_lines_of_any_length(
    arguments: list[str], columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No colours, no line cut or wrapped for a width that a pipe does not have, and no spaces at the ends of lines."""
    wide = ask(*arguments)[1]
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")

    output = ask(*arguments)[1]
    assert output == wide
    assert "\x1b" not in output
    assert "\u2026" not in output
    assert [line for line in output.splitlines() if line != line.rstrip()] == []


def test_long_names_are_not_cut(folder: Path) -> None:
    from tetrasolve.tetrarchia.boardfile import standard_text

    name = "Cisalpina" + " quae dicitur" * 40
    (folder / "long.toml").write_text(standard_text().replace('name = "Cisalpina"', f'name = "{name}"'), "utf-8")

    assert name in ask("risk", "fight", "--board", "long.toml")[1]
    assert name in ask("show", "ambush", "--board", "long.toml")[1]


# -- JSON ------------------------------------------------------------------------------------------------------------------


def test_keys_of_a_risk() -> None:
    """Other programs rely on these names, and on exact text beside the float."""
    from fractions import Fraction

    data = json.loads(ask("risk", "fight", "--json")[1])
    for key in ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts", "outcomes"):
        assert set(data[key]) == {"exact", "float"}
        assert float(Fraction(data[key]["exact"])) == data[key]["float"]


# -- interrupted -----------------------------------------------------------------------------------------------------------


def test_an_interrupted_answer_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(plan_command, "plan", interrupted)

    code, output, errors = ask("plan", "fight", "-o", "least ip")
    assert (code, output, errors.strip()) == (3, "", "interrupted")


@pytest.mark.parametrize(
    ("more", "way"),
    [((), "with --checkpoint FILE it could go on"), (("--checkpoint", "kept"), "the same command goes on with kept")],
)
def test_an_interrupted_scenario_says_how_it_goes_on(
    more: tuple[str, ...], way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(scenario_command, "make_scenario", interrupted)

    code, output, errors = ask(
        *("scenario", "new", "--theme", "gallia-is-lost", "--win-rate", "0.5", "--seed", "1", "--out", "made.json"),
        *more,
    )
    assert (code, output) == (3, "")
    assert errors.strip() == f"interrupted before there was an answer: nothing was written; {way}"
    assert not list(tmp_path.iterdir())


def test_a_bug_of_ours_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object, **__: object) -> None:
        raise ZeroDivisionError("nobody thought of it")

    monkeypatch.setattr(plan_command, "plan", wrong)
    output, errors = BytesIO(), BytesIO()

    assert call(["plan", "fight", "-o", "least ip"], b"", output, errors) == 3
    assert "nobody thought of it" in errors.getvalue().decode()
    assert "Traceback" not in errors.getvalue().decode()
