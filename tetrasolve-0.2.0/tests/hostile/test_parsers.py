"""A million malformed inputs: each parser reads them, or refuses them with an error of its own that is short and quick.

The inputs are mutations of valid ones, drawn from seeds. The short form tries one in a hundred of them.
"""

import gzip
import json
import lzma
import time
from random import Random

import pytest

from tetrasolve import files, strict
from tetrasolve.analysis.messages import read_object, read_request
from tetrasolve.analysis.worker import RequestContext
from tetrasolve.certify.dimacs import Formula, read_dimacs
from tetrasolve.certify.drup import elaborate
from tetrasolve.certify.form import Certificate, read_certificate
from tetrasolve.claims.fact import read_value
from tetrasolve.errors import CertificateError, ProofError, TetrasolveError
from tetrasolve.exact.checkpoint import Checkpoint, CheckpointError
from tetrasolve.strict import StrictError
from tetrasolve.tetrarchia.action import read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardfile import read_board, standard_text
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.hint.weights import read_weights
from tetrasolve.tetrarchia.plan import read_attacks, read_objective
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.service.engine import HANDLERS

SLOWEST = 2.0  # seconds of processor time for one input
LONGEST = 5_000  # characters of an error

PIECES = [
    "", " ", "\n", "\t", "\x00", "\ufeff", "\ud800", "\u2028", "\u0663", "\uff14", "\u0130", "\U0001f3db", "-", "--", "-0", "0x10",
    "1e400", "1_000", "9" * 30, "9" * 4301, "NaN", "Infinity", "null", "true", "[]", "{}", "[" * 50, "[" * 1200, '{"a":' * 40,
    '"', "'", '"""', "\\", "\\u0000", "\\ud800", "/", ".", "..", ":", "=", "?", "+", ",", ";", "%s", "0", "p cnf 3 1\n", "d ",
    " 0\n",    "a.b.c.d.", "[[link]]\n", "roma", "revolt", "x" * 3000,
]  # fmt: skip


def mutated(text: str, random: Random) -> str:
    """A text with one to four changes."""
    for _ in range(random.randint(1, 4)):
        at, end = sorted((random.randint(0, len(text)), random.randint(0, len(text))))
        match random.randrange(8):
            case 0:
                text = text[:at] + random.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + random.choice(PIECES) + text[at + random.randint(0, 5) :]
            case 2:
                text = text[:at] + text[at + random.randint(1, 9) :]
            case 3:
                text = text[:at] + text[at:end][:200] * 2 + text[end:]
            case 4:
                text = text[:at]
            case 5:
                text = text[:at] + text[at:end][::-1] + text[end:]
            case 6:
                text = (
                    text[:at] + chr(random.choice((random.randrange(128), random.randrange(0x11000)))) + text[at + 1 :]
                )
            case 7:
                lines = text.split("\n")
                random.shuffle(lines)
                text = "\n".join(lines)
    return text[:200_000]


def mutated_bytes(data: bytes, random: Random) -> bytes:
    """The same for bytes."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at = random.randint(0, len(changed))
        changed[at : at + random.randint(0, 3)] = random.randbytes(random.randint(0, 3))
    return bytes(changed)


BOARD = Board.standard()
POSITIONS = [example(name) for name in examples()]
CERTIFICATE = Certificate("story", (("about", "a cat"),), (("lines", ("It sat.", "It ran.")), ("end", ()))).text()
FORMULA = Formula.of([(1, 2), (-1, 2), (1, -2), (-1, -2)])
OBJECTIVES = [
    "kill narbonensis", "least ip", "most value revolt=3 garrison=-1", "secure thracia then least ip",
    "least p_lost subject to keep 2 garrisons and do not end in roma",
]  # fmt: skip
ACTIONS = [
    "enter roma",
    "move etruria",
    "sail 2",
    "secure",
    "attack rhaetia",
    "remove roma",
    "end",
    "maximian: move roma",
]
SURVEY = f'{{"position": "{POSITIONS[0]}", "parts": ["read", "actions", "risk"], "decide": "eager"}}'
BATCH = f'{{"of": "read", "positions": ["{POSITIONS[0]}", "{POSITIONS[1]}", {{"board": "tetrarchia"}}]}}'
REQUEST = '{"id": "a", "ask": "hint", "position": "4211 D:6 -", "seconds": 0.5, "priority": -3, "more": [1, {"b": []}]}'


def stopped(kind):
    """What reads the fields of this kind of request, and does no more."""

    def read(text):
        context = RequestContext()
        context.stop("cancelled")
        return HANDLERS[kind](read_object(text.encode("utf-8", "surrogatepass")), context)

    return read


SMALL_TOML = '[board]\nid = "a"\n[[link]]\nbetween = ["a", "b"]\nbroken = true\nx.y.z = 1.5\n'
RECORD = write_record(new_game(Ruleset(), 7))
WEIGHTS = '{"format": "tetrasolve-weights/1", "features": 1, "width": 1, "made": {}}\nAAAA\n\nAAAA\n\n'


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A checkpoint of which damaged copies are made."""
    path = tmp_path_factory.mktemp("hostile") / "c.json"
    with Checkpoint(path, {"a": 1}) as kept:
        kept.keep("stage", {"done": 1, "total": [0], "ahead": {}})
        kept.write()
        data = path.read_bytes()

        def read(mutation: bytes):
            path.write_bytes(mutation)
            return kept._read() if mutation != data else None

        yield data, read


TOO = (TetrasolveError,)
# Name, how many of the million, what reads, valid inputs, what it may raise
TEXTS = [
    ("json", 230_000, strict.read_json, [REQUEST, "[1, 2.5e3, null]", '"\\u00e9"'], StrictError),
    ("requests", 150_000, lambda text: read_request(read_object(text.encode("utf-8", "surrogatepass"))), [REQUEST], StrictError),
    ("surveys", 10_000, stopped("survey"), [SURVEY], TOO),
    ("batches", 10_000, stopped("batch"), [BATCH], TOO),
    ("changes", 500, stopped("board_change"), [json.dumps({"board": standard_text()})], TOO),
    ("toml", 60_000, strict.read_toml, [SMALL_TOML], StrictError),
    ("lines", 90_000, Position.parse, [str(position) for position in POSITIONS], TOO),
    ("positions", 40_000, Position.from_json, [position.to_json() for position in POSITIONS], TOO),
    ("actions", 100_000, lambda text: read_action(text, BOARD), ACTIONS, TOO),
    ("rulesets", 100_000, Ruleset.from_text, ["4211", "3122+dux", "4211?I-PASS=single"], TOO),
    ("objectives", 60_000, lambda text: read_objective(text, BOARD), OBJECTIVES, TOO),
    ("attacks", 30_000, lambda text: read_attacks(text, BOARD), ["none", "dice", "rhaetia=victory"], TOO),
    ("formulas", 50_000, read_dimacs, [FORMULA.dimacs()], ProofError),
    ("proofs", 20_000, lambda text: elaborate(FORMULA, text.split("\n")), ["2 0\n1 0\n0\n"], ProofError),
    ("certificates", 30_000, lambda text: read_certificate(text, ("about",), ("lines", "end")), [CERTIFICATE], CertificateError),
    ("values", 20_000, read_value, ["6", "1/6", "yes", "3..5", "roma.etruria"], ValueError),
    ("weights", 5_000, read_weights, [WEIGHTS], TOO),
    ("records", 1_500, read_record, [RECORD], TOO),
    ("boards", 500, read_board, [standard_text()], TOO),
]  # fmt: skip
DATA = [
    ("xz", 8_000, lambda data: files.unpack(data, 10_000), [lzma.compress(b"abc" * 999)], ValueError),
    ("gzip", 8_000, lambda data: files.unpack(data, 10_000), [gzip.compress(b"abc" * 999)], ValueError),
]  # fmt: skip


def share(count: int, size: str) -> int:
    return count if size == "long" else max(20, count // 100)


SIZES = pytest.mark.parametrize("size", ["short", pytest.param("long", marks=pytest.mark.slow)])


def tried(name, size, count, read, sources, errors, mutate):
    """Try so many mutations; how many of them were refused."""
    random, refused = Random(f"hostile {name} {size}"), 0
    for _ in range(share(count, size)):
        given = mutate(random.choice(sources), random)
        start = time.process_time()
        try:
            read(given)
        except errors as error:
            refused, message = refused + 1, str(error)
        else:
            message = "fine"
        assert 0 < len(message) <= LONGEST
        assert time.process_time() - start < SLOWEST
    return refused


def test_they_are_a_million():
    assert sum(row[1] for row in (*TEXTS, *DATA)) + 10_000 >= 10**6


@SIZES
@pytest.mark.parametrize(("name", "count", "read", "sources", "errors"), TEXTS, ids=[row[0] for row in TEXTS])
def test_texts(size, name, count, read, sources, errors):
    for source in sources:
        if name not in ("weights", "values", "attacks", "actions"):
            read(source)
    assert tried(name, size, count, read, sources, errors, mutated) > share(count, size) // 4


@SIZES
@pytest.mark.parametrize(("name", "count", "read", "sources", "errors"), DATA, ids=[row[0] for row in DATA])
def test_compressed_data(size, name, count, read, sources, errors):
    assert read(sources[0]) == b"abc" * 999
    assert tried(name, size, count, read, sources, errors, mutated_bytes) > share(count, size) // 4


@SIZES
def test_checkpoints(size, checkpoint):
    data, read = checkpoint
    assert tried("checkpoints", size, 10_000, read, [data], CheckpointError, mutated_bytes) > share(10_000, size) // 2
