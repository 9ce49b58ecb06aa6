"""The toy game runs through all that serves every game: risk, facts, the protocol and the command line."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner
from toygame import CARDS, CLAIMS, CLIMB, FALLEN, PLAY, SLOPE, Climb, drawn, subject, value

from tetrasolve import games
from tetrasolve.analysis.server import Server
from tetrasolve.claims import robust
from tetrasolve.claims.checking import Problem, compared, judged, proved_again, stale
from tetrasolve.claims.doubts import doubts
from tetrasolve.claims.fact import Fact, Values
from tetrasolve.claims.index import ANY_ONE, ANY_TWO, BREAKS, Index, entry_of
from tetrasolve.claims.proving import certificate_text, prove
from tetrasolve.cli.main import program, run

# -- risk --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", [(3, 2, 2), (1, 0, 4), (0, 5, 1)])
def test_the_chance_to_fall_within_two_cards(deck: tuple[int, ...]) -> None:
    """Unequal weights, and a deck that shrinks: against all orders in which the deck can lie."""
    at = Climb(0, deck)
    ends = PLAY.outcomes(at, "draw").then(
        lambda now: (
            PLAY.outcomes(now, "stop" if now.is_over or now.place == 4 else "draw")
            if PLAY.moves(now)
            else type(PLAY.outcomes(at, "draw")).point(now)
        )
    )
    cards = [card for card, count in enumerate(deck) for _ in range(count)]
    orders = list(permutations(cards, 2))

    def fallen(order: tuple[int, ...]) -> bool:
        now = at
        for card in order:
            now = now if now.is_over else drawn(now, card)
        return now.place == FALLEN

    assert ends.probability(lambda now: now.place == FALLEN) == Fraction(sum(map(fallen, orders)), len(orders))


def test_the_best_score() -> None:
    def by_hand(at: Climb) -> Fraction:
        if at.place == FALLEN:
            return Fraction(0)
        height, total = Fraction(SLOPE.heights[at.place][1]), sum(at.cards)
        if at.is_over or not total:
            return height
        return max(height, sum(Fraction(n, total) * by_hand(drawn(at, card)) for card, n in enumerate(at.cards) if n))

    for place in range(4):
        assert value(Climb(place, SLOPE.deck), SLOPE) == by_hand(Climb(place, SLOPE.deck))
    assert len(CARDS) == len(SLOPE.deck)


# -- facts -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def proofs(tmp_path: Path) -> Path:
    prove(subject(), tmp_path / "proofs")
    return tmp_path / "proofs"


def test_facts_are_proved_indexed_and_checked(proofs: Path) -> None:
    index = Index.load(proofs / "index.json")

    assert [entry.id for entry in index.entries] == [
        "worth/camp",
        "worth/wood",
        "worth/ridge",
        "worth/col",
        "first",
        "places",
    ]
    assert index["worth/col"].value("score") == value(Climb(3, SLOPE.deck), SLOPE)
    assert index["first"].sentence == "The first of 7 cards is a fall with a chance of 2/7."
    assert stale(index, subject(), proofs) == compared(index, subject()) == []
    assert proved_again(index.entries, subject(), proofs) == []
    assert prove(subject(), proofs).written == 0


def test_certificates_are_checked_by_the_checker_of_the_game(proofs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = Index.load(proofs / "index.json")
    assert judged(index, proofs, checker=CLAIMS.checker, workers=1) == []
    robust.ask(index, subject(), proofs)
    assert run(["--game", "climb", "facts", "check", "--sample", "2", "--folder", str(proofs)]) == 0
    assert "6 facts of 3 kinds confirmed by the checker, 2 of them proved again" in capsys.readouterr().out


FORGED: dict[str, Values] = {
    "worth/camp": {"score": Fraction(5, 2)},
    "first": {"falls": Fraction(1, 7), "cards": 7},
    "worth/summit": {"score": 7},
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_fact_is_refuted(proofs: Path, forged: str) -> None:
    """A false value in the index, in a certificate with the right SHA-256 too; and a fact that the game does not have."""
    index = Index.load(proofs / "index.json")
    fact = Fact(forged, CLAIMS.topics()[forged.partition("/")[0]], FORGED[forged])
    file, digest = "", ""
    if fact.topic.certificate:
        text = certificate_text(fact, subject())
        file, digest = "toygame/worth/forged.cert", sha256(text.encode("ascii")).hexdigest()
        (proofs / file).write_text(text, "ascii")
    entry = entry_of(fact, file, digest)
    Index.about(subject(), [*(old for old in index.entries if old.id != forged), entry]).write(proofs / "index.json")
    (problem,) = judged(Index.load(proofs / "index.json"), proofs, checker=CLAIMS.checker, workers=1)

    assert problem.fact == forged and problem.problem.startswith("refuted: ")


def test_a_forged_certificate_beside_a_true_index_is_refuted(proofs: Path) -> None:
    camp = proofs / "toygame" / "worth" / "camp.cert"
    forged = camp.read_text("ascii").replace("43/21", "5/2").rpartition("sha256 ")[0]
    camp.write_text(f"{forged}sha256 {sha256(forged.encode()).hexdigest()}\n", "ascii")
    (problem,) = judged(Index.load(proofs / "index.json"), proofs, checker=CLAIMS.checker, workers=1)

    assert problem == Problem("worth/camp", "refuted: the certificate states other values")


def test_the_readings_of_the_game_are_shown(proofs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--game", "climb", "facts", "show", "first", "--json", "--folder", str(proofs)]) == 0
    assert json.loads(capsys.readouterr().out)["readings"] == {"FALL": "ends"}


def test_the_same_facts_by_two_workers(proofs: Path, tmp_path: Path) -> None:
    prove(subject(), tmp_path / "again", workers=2)

    assert (tmp_path / "again" / "index.json").read_bytes() == (proofs / "index.json").read_bytes()
    assert pickle.loads(pickle.dumps(CLAIMS)) == CLAIMS  # noqa: S301  # our own


def test_what_is_wrong_is_found(proofs: Path) -> None:
    index = Index.load(proofs / "index.json")
    other = replace(subject(), board=replace(SLOPE, deck=(3, 2, 1)))
    assert {problem.fact for problem in compared(index, other)} >= {"first", "worth/camp"}
    assert stale(index, other)[0].problem == "'card fall 2' is not a row of the board any more"
    (proofs / index["worth/camp"].file).unlink()
    assert [problem.fact for problem in stale(index, subject(), proofs)] == ["worth/camp"]


def test_robustness_over_the_neighbours(proofs: Path) -> None:
    index = robust.ask(Index.load(proofs / "index.json"), subject(), proofs)
    verdicts = {entry.id: entry.robustness.verdict for entry in index.entries if entry.robustness is not None}

    assert verdicts["first"] == BREAKS and verdicts["places"] in {ANY_ONE, ANY_TWO}
    assert index["first"].robustness.breaks == {"card fall one less": (2, ("cards 6", "falls 1/6"))}  # type: ignore[union-attr]
    assert robust.stale(index, subject()) == robust.asked_again(index, subject(), 20, 1) == []
    first, *_ = doubts(index, subject())
    assert first.row == "card fall" and "first" in first.facts and first.question == "Is fall as written?"


# -- protocol, command line, registry ----------------------------------------------------------------------------------


def test_the_protocol_answers() -> None:
    lines: list[str] = []
    asked = b'{"id": "1", "ask": "value", "position": "camp 3/2/2"}\n{"id": "2", "ask": "value", "position": "?"}\n'
    Server(games.game("climb").get_questions(), lines.append).serve(BytesIO(asked))
    answers = {answer["id"]: answer for answer in map(json.loads, lines)}

    assert answers["1"]["result"]["value"] == str(value(Climb(0, SLOPE.deck), SLOPE))
    assert answers["2"]["error"]["where"] == "position"


def test_the_command_line_knows_the_game(proofs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--game", "climb", "value", "start"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == str(value(Climb(0, SLOPE.deck), SLOPE))
    assert run(["--game", "climb", "facts", "list", "--folder", str(proofs)]) == 0
    out = capsys.readouterr().out
    assert "Climbing" in out and "There are 5 places." in out and "6 facts of 3 kinds" in out
    assert run(["--game", "climb", "facts", "robust", "--folder", str(proofs)]) == 0
    assert run(["--game", "climb", "value", "nowhere"]) == 2
    assert "expected a place and the cards left" in capsys.readouterr().err


def test_each_game_has_its_commands() -> None:
    climbing = CliRunner().invoke(program, ["--game", "climb", "--help"]).output
    usual = CliRunner().invoke(program, ["--help"]).output

    assert "Climbing with cards." in climbing and "value" in climbing and "perft" not in climbing
    assert "perft" in usual and "Climbing" not in usual
    assert CliRunner().invoke(program, ["--game", "climb", "perft"]).exit_code == 2
    families = CliRunner().invoke(program, ["--game", "climb", "facts", "list", "--help"]).output
    assert "[toygame]" in families


def test_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    assert games.names() == (*games.SHIPPED, "climb")
    games.unregister("climb")
    with pytest.raises(games.GameError, match="'climb' is no game, expected one of"):
        games.game("climb")
    assert run(["--game", "climb", "value", "start"]) == 2
    assert "is no game" in capsys.readouterr().err
    with pytest.raises(games.GameError, match="is a game of the library"):
        games.register(replace(CLIMB, name=games.DEFAULT))
    bare = games.GameDefinition("bare", "Nothing.")
    with pytest.raises(games.GameError, match="the game bare has no notation"):
        bare.get_notation()
    with pytest.raises(games.GameError, match="the game bare has no questions"):
        bare.get_questions()
