"""Whatever stands in a board file, reading it gives a board or a `BoardError` whose reasons name the rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetrasolve.errors import BoardError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardcheck import check
from tetrasolve.tetrarchia.boardfile import standard_text

DATE = "1979-05-27"
HUGE = "0x" + "f" * 6000  # its decimal form has more digits than Python will write
DEEP = "[" * 3000 + "]" * 3000


def reasons(text):
    with pytest.raises(BoardError) as caught:
        Board.from_toml(text, "draft.toml")
    assert caught.value.source == "draft.toml"
    assert str(caught.value).startswith("draft.toml: ")
    return caught.value.reasons


def sole_reason(text):
    found = reasons(text)
    assert len(found) == 1, found
    return found[0]


def replaced(old, new):
    text = standard_text()
    assert old in text
    return text.replace(old, new, 1)


SICILIA = 'name = "Sicilia"\nkind = "roman"\nregion = "italia"\nzones = [2]\narrow = "lucania"\nlonlat = [14.2, 37.6]'
SARDINIA_LINK = 'between = ["sardinia", "etruria"]\nbroken = true\nsource = "inferred"\nconfidence = 0.3'

BAD_PROVINCES = [
    ('name = "Sicilia"', "name = 3", "'name'"),
    ('name = "Sicilia"', 'name = ""', "'name'"),
    ('name = "Sicilia"', 'name = "a\\u0000b"', "'name'"),
    ('kind = "roman"', 'kind = "city"', "'kind'"),
    ('kind = "roman"', "kind = ['roman']", "'kind'"),
    ('region = "italia"', 'region = "thule"', "thule"),
    ('region = "italia"', "region = [[1], {}]", "'region'"),
    ('region = "italia"', "", "'region' is missing"),
    ("zones = [2]", "zones = [4]", "4 in 'zones'"),
    ("zones = [2]", "zones = [true]", "True in 'zones'"),
    ("zones = [2]", "zones = [[2]]", "[2] in 'zones'"),
    ("zones = [2]", "zones = 2", "'zones'"),
    ("zones = [2]", f"zones = [{HUGE}]", "too large to show in 'zones'"),
    ("zones = [2]", "number = 7", "'number'"),
    ("zones = [2]", "number = 0", "'number'"),
    ("zones = [2]", "number = true", "'number'"),
    ("zones = [2]", f"number = {DATE}", "'number'"),
    ("zones = [2]", "printed = ['nero']", "nero"),
    ("zones = [2]", "printed = [['maximian']]", "'printed'"),
    ("zones = [2]", "printed = {}", "'printed'"),
    ("zones = [2]", "zone = [2]", "'zone' is unknown"),
    ('arrow = "lucania"', 'arrow = "thule"', "thule"),
    ('arrow = "lucania"', "arrow = ['lucania']", "'arrow'"),
    ('arrow = "lucania"', "arrow = false", "'arrow'"),
    ("lonlat = [14.2, 37.6]", "lonlat = [nan, 37.6]", "'lonlat'"),
    ("lonlat = [14.2, 37.6]", "lonlat = [14.2, -inf]", "'lonlat'"),
    ("lonlat = [14.2, 37.6]", f"lonlat = [{HUGE}, 37.6]", "'lonlat'"),
    ("lonlat = [14.2, 37.6]", "lonlat = [14.2, 137.6]", "'lonlat'"),
    ("lonlat = [14.2, 37.6]", "lonlat = [14.2]", "'lonlat'"),
    ("lonlat = [14.2, 37.6]", "", "'lonlat' is missing"),
    ("lonlat = [14.2, 37.6]", "lonlat = [14.2, 37.6]\nwhy = 1", "'why'"),
]


@pytest.mark.parametrize(("old", "new", "stated"), BAD_PROVINCES)
def test_a_bad_field_of_a_province(old, new, stated):
    text = replaced(SICILIA, SICILIA.replace(old, new))
    if "why" in new:  # the row has a field of that name already
        text = text.replace('\nwhy = "the only land stepping stone', '\n#why = "the only land stepping stone', 1)

    reason = sole_reason(text)

    assert reason.startswith("province sicilia: ")
    assert stated in reason


BAD_LINKS = [
    ("broken = true", "broken = 1", "'broken'"),
    ("broken = true", "", "'broken' is missing"),
    ('"inferred"', "''", "'source'"),
    ('"inferred"', "{}", "'source'"),
    ("0.3", "1.5", "'confidence'"),
    ("0.3", "nan", "'confidence'"),
    ("0.3", "true", "'confidence'"),
    ("0.3", HUGE, "'confidence'"),
    ('["sardinia", "etruria"]', '["sardinia", "sardinia"]', "not linked to itself"),
    ('["sardinia", "etruria"]', '["sardinia", "thule"]', "thule"),
    ('["sardinia", "etruria"]', '["roma", "etruria"]', "occurs twice"),
    ('["sardinia", "etruria"]', '["etruria", "roma"]', "occurs twice"),
    ('["sardinia", "etruria"]', '["sardinia"]', "'between'"),
    ('["sardinia", "etruria"]', '["sardinia", ["etruria"]]', "'between'"),
    ('["sardinia", "etruria"]', "7", "'between'"),
]


@pytest.mark.parametrize(("old", "new", "stated"), BAD_LINKS)
def test_a_bad_field_of_a_link(old, new, stated):
    reason = sole_reason(replaced(SARDINIA_LINK, SARDINIA_LINK.replace(old, new)))

    assert reason.startswith("link ")
    assert stated in reason


OTHER_FILES = [
    ('id = "sicilia"', 'id = "roma"', "province roma: this id occurs twice"),
    ('id = "sicilia"', 'id = "Sicilia!"', "province row 5: field 'id'"),
    ('code = "sic"', 'code = "rom"', "province sicilia: code 'rom' is already that of roma"),
    ('code = "sic"', "code = []", "province sicilia: field 'code'"),
    ('roma = "roma"', 'roma = "thule"', "[board]: roma is 'thule'"),
    ('name = "Tetrarchia"', "", "[board]: field 'name' is missing"),
    ("adjacent = [[1, 2], [2, 3]]", "adjacent = [[1, 1]]", "[sea]: [1, 1] in 'adjacent'"),
    ("adjacent = [[1, 2], [2, 3]]", "adjacent = [3, {}]", "[sea]: 3 in 'adjacent'"),
    ("number = 1\nborder", "number = 2\nborder", "region gallia: number 2 occurs twice"),
    ('border = "libya"', 'border = "thule"', "region africa: border is 'thule'"),
    ('border = "libya"', "", "region africa: a region has both a number and a border"),
    ('name = "Galerius"', 'name = "Didius"', "emperor galerius: has the id or the initial of diocletian"),
    ('printed = ["galerius"]', "", "emperor galerius: his disc is printed on none"),
    ('id = "galerius"', 'id = "revolt"', "emperor revolt: this id is the name of a disc"),
    ('colour = "green"', f"colour = {DATE}", "emperor diocletian: field 'colour'"),
    (
        '{ name = ["rulebook", 1.0], colour',
        '{ nome = ["rulebook", 1.0], colour',
        "emperor diocletian: evidence of 'nome'",
    ),
    ('name = ["rulebook", 1.0], colour', 'name = ["rulebook"], colour', "emperor diocletian: evidence of name"),
    ("[sea]", "[lake]", "unknown table"),
    ("[sea]", "[[sea]]", "[sea]: is "),
]


@pytest.mark.parametrize(("old", "new", "stated"), OTHER_FILES)
def test_other_tables(old, new, stated):
    assert any(stated in reason for reason in reasons(replaced(old, new)))


NO_BOARDS = [
    "",
    "province = 7",
    "province = [1, [2], {}]",
    "board = []\nsea = 1\nregion = [{}]\nemperor = [{}]\nlink = [{}]\nno_link = [{ between = [[], {}] }]",
    "[[province]",
    f"a = {DEEP}",
    f"a = {'9' * 6000}",
    ".".join("a" * 2000) + " = 1",
    "\x00",
    "\ufeff",
]


@pytest.mark.parametrize("text", NO_BOARDS, ids=range(len(NO_BOARDS)))
def test_text_that_is_no_board(text):
    assert reasons(text)


@pytest.mark.parametrize("path", ["", "no/such/file", "nul\x00byte"])
def test_files_that_cannot_be_read(path):
    with pytest.raises(BoardError, match="cannot be read"):
        Board.load(path)


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "my.toml").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(BoardError, match="cannot be read"):
        Board.load(tmp_path / "my.toml")


def test_every_bad_row_is_reported_at_once():
    text = (
        replaced('code = "sic"', "code = 1").replace("broken = true", "broken = 2", 1).replace('"libya"', '"thule"', 1)
    )

    assert len(reasons(text)) >= 3


# -- whatever there is ---------------------------------------------------------------------------------------------

LINES = standard_text().splitlines()
FIELDS = [index for index, line in enumerate(LINES) if " = " in line and not line.startswith("#")]
HEADS = [index for index, line in enumerate(LINES) if line.startswith("[")]
VALUES = st.sampled_from(
    [
        *("1", "-1", "7", "true", "nan", "-inf", "1e400", "0.5", DATE, "07:32:00", DATE + "T07:32:00Z", HUGE, DEEP),
        *("[]", "[[]]", "[1]", "[true]", "[1, 2, 3]", "[nan, 1]", "[{}, {}]", "{}", "{ a = 1 }", '""', '"\\u0000"'),
        *('"roma"', '"thule"', '"unrest"', '["roma"]', '["roma", "roma"]', '["roma", ["a"]]', '["roma", "libya"]'),
        *("{ name = 1 }", "{ name = [[], {}] }", '{ name = ["a", nan] }', f"[{HUGE}, 1]", "'" + "y" * 500 + "'"),
    ]
) | st.text(max_size=8)
CHANGES = st.lists(
    st.tuples(st.sampled_from(FIELDS), VALUES)
    | st.tuples(st.sampled_from(FIELDS), st.none())
    | st.tuples(st.sampled_from(HEADS), st.sampled_from(["", "[board]", "[[sea]]", "[[link]]", "[province]", "[[x]]"])),
    min_size=1,
    max_size=4,
)


def changed(changes):
    lines = list(LINES)
    for index, value in changes:
        if index in HEADS or value is None:
            lines[index] = value or ""
        else:
            lines[index] = f"{lines[index].split(' = ', 1)[0]} = {value}"
    return "\n".join(lines)


def read(text):
    """The board, or why there is none; nothing else may come out of reading."""
    try:
        return Board.from_toml(text, "draft.toml"), ()
    except BoardError as error:
        return None, error.reasons


@given(CHANGES)
def test_a_malformed_file_is_read_or_refused_with_reasons(changes):
    board, reasons = read(changed(changes))

    assert (board is None) == bool(reasons)
    if board is not None:
        check(board)  # whatever can be read can be checked
        assert board == board_again(changes)


def board_again(changes):
    return Board.from_toml(changed(changes), "another.toml")


@given(st.text(max_size=200))
def test_any_text_is_refused_with_reasons(text):
    assert reasons(text)
