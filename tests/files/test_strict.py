"""The strict reader: limits, duplicate keys and types, in linear time."""

import gc
import json
import math
import time

import pytest

from tetrasolve import strict
from tetrasolve.strict import StrictError, read_json, read_toml


@pytest.mark.parametrize(
    "data", [None, True, 0, -7, 2.5, "", '\u00e9\n"\\', [], {}, [1, [2, [3]]], {"a": {"b": [None, "[{"]}}]
)
def test_json_reads_back(data):
    assert read_json(json.dumps(data)) == data
    assert read_json(json.dumps(data).encode()) == data
    assert read_json(b"\xef\xbb\xbf" + json.dumps(data).encode()) == data


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("", None, "not JSON"),
        ("{", None, "not JSON"),
        ("[1] 2", None, "not JSON"),
        (b"\xff", None, "not UTF-8"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "c", "occurs twice"),
        ("[NaN]", None, "NaN"),
        ("[-Infinity]", None, "Infinity"),
        ("[1e999]", None, "out of range"),
        ("[" + "1" * 4301 + "]", None, "4,301 digits"),
        ("[0." + "1" * 4301 + "]", None, "out of range"),
        ("[" * 33 + "]" * 33, None, "nested more than 32 levels"),
        ("[" * 10**6, None, "nested more than 32 levels"),
        ('{"a":' * 10**6, None, "nested more than 32 levels"),
        ('"' + "x" * 10**7 + '"', None, "more than 10,000,000 characters"),
    ],
    ids=range(14),
)
def test_json_is_refused(text, where, words):
    with pytest.raises(StrictError) as caught:
        read_json(text)
    assert caught.value.where == where
    assert words in caught.value.problem


def test_depth_is_a_limit_and_not_an_estimate():
    """Brackets inside of strings do not count, nor does how many there are beside each other."""
    assert read_json("[" * 32 + "]" * 32)
    assert read_json(json.dumps(["[{" * 100, '\\"[[[' * 100]))
    assert len(read_json("[" + ",".join(["[]"] * 1000) + "]")) == 1000
    assert read_json("[[1]]", depth=2) == [[1]]
    with pytest.raises(StrictError):
        read_json("[[[1]]]", depth=2)


@pytest.fixture
def without_garbage_collection():
    """A collection looks at all objects of the test process, so its time says nothing about the reader."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_garbage_collection")
@pytest.mark.parametrize(
    "make",
    [
        lambda n: "{" + ",".join(f'"k{i}": 0' for i in range(n)) + f',"k{n - 1}": 0}}',  # the last key occurs twice
        lambda n: '"' + '\\"' * 4 * n,  # a string without an end, full of quotation marks
        lambda n: '{"a": ["' * n,
        lambda n: "[" * 30 + "[]," * 2 * n,
        lambda n: "9" * 8 * n,
    ],
    ids=["twice", "open-string", "deep", "wide", "digits"],
)
def test_json_takes_linear_time(make):
    """Eight times the text takes well under forty times as long; quadratic would be sixty-four."""

    def seconds(size):
        text, best = make(size), math.inf
        for _ in range(5):
            start = time.process_time()
            with pytest.raises(StrictError):
                read_json(text)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(80_000) < 40 * max(seconds(10_000), 1e-4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = ", "not TOML"),
        ("a = 1\na = 2", "not TOML"),
        (b"\xff", "not UTF-8"),
        ("a = " + "[" * 1000, "nested more than 8 levels"),
        ("a = " + "{a = " * 1000, "nested more than 8 levels"),
        ("a" + ".a" * 10**5 + " = 1", "a key of more than 8 parts"),
        ("[a" + " . a" * 10**5 + "]", "a key of more than 8 parts"),
        ('"a"' + '."a"' * 10**5 + " = 1", "a key of more than 8 parts"),
        ("a = " + "1" * 5000, "a number of too many digits, expected at most 4,300"),
        ("#" * 2001, "more than 2,000"),
    ],
    ids=range(10),
)
def test_toml_is_refused(text, words):
    size = 2000 if words.startswith("more") else strict.SIZE
    with pytest.raises(StrictError, match=words):
        read_toml(text, depth=8, size=size)


def test_toml_is_read():
    """Brackets and dots in strings, comments and many rows are no depth."""
    text = '# [[[[[[[[[[ a.b.c.d.e.f.g.h\na = """[[[[[[[[["""\nb = \'[[[[[[[[[\'\n' + "[[row]]\nx = [1.5, 2.5]\n" * 100
    assert len(read_toml(text, depth=8)["row"]) == 100


def test_types_are_exact():
    assert strict.whole(3, "a", 0, 3) == 3
    assert strict.number(3, "a", 0, 3) == 3.0
    assert strict.text("x", "a") == "x"
    assert strict.table({"a": 1, "b": 2}, "t", ["a"], ["b"])["b"] == 2
    for value in (True, "3", 3.0, None, -1, 4):
        with pytest.raises(StrictError, match="a: found"):
            strict.whole(value, "a", 0, 3)
    for value in (True, "3", math.nan, math.inf, None, 3.1):
        with pytest.raises(StrictError, match="a: found"):
            strict.number(value, "a", 0, 3)
    for value, words in (([], "found"), ({}, "t: a: missing"), ({"a": 1, "c": 1}, "t: c: unknown key")):
        with pytest.raises(StrictError, match=words):
            strict.table(value, "t", ["a"], ["b"])
