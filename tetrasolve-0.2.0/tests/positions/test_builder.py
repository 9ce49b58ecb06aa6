"""The builder of positions: it checks once, names every reason, and leaves its parts unchanged."""

from __future__ import annotations

import pytest

from tetrasolve.errors import IllegalPositionError, PositionSyntaxError, RulesetError
from tetrasolve.tetrarchia.builder import PositionBuilder, build
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules.setup import random_set_up
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset


def test_an_empty_position_of_every_level_is_legal() -> None:
    for level in ("3122", "4211", "5300"):
        table = build(level).position

        assert table.status() == ()
        assert not table.discs
        assert len(table.fleets) == int(level[1])


@pytest.mark.parametrize("name", [*MODULES, *VARIANTS])
def test_an_empty_position_with_any_module_is_legal(name: str) -> None:
    modules, variants = ([name], []) if name in MODULES else ([], [name])

    assert build("4211", modules=modules, variants=variants).position.ruleset.extensions == {name}


def test_a_seeded_set_up_is_that_of_the_rules() -> None:
    assert build("3122", seed=5).position == random_set_up(Ruleset.from_text("3122"), 5)


def test_the_examples_can_be_built_again() -> None:
    """Piece by piece, from an empty table of the same level."""
    for name in examples():
        known = example(name)
        made = build(known.ruleset).with_fleets(*known.fleets).with_army(*known.armies).to_act(known.to_move, known.ip)
        made = made.with_revolt(*known.revolts).with_unrest(*known.unrest)
        for emperor, place in known.emperors.items():
            made = made.with_emperor(emperor, place).with_garrison(emperor, *known.garrisons(emperor))
        made = made if known.phase is Phase.ROMAN else made.barbarians()

        assert made.position == known


def test_every_reason_is_named_at_once() -> None:
    draft = build("4211").with_army("dacia", "sarmatia", "libya", "numidia").with_emperor("D", "asia")
    draft = draft.with_emperor("G", "asia").with_fleets(1, 1)

    with pytest.raises(IllegalPositionError) as caught:
        _ = draft.position

    assert caught.value.reasons == draft.draft.status()
    assert len(caught.value.reasons) > 1


def test_a_builder_is_a_value() -> None:
    empty = build("4211")
    with_revolt = empty.with_revolt("roma")

    assert empty == build("4211")
    assert with_revolt != empty
    assert with_revolt.without_disc("rom") == empty
    assert build(with_revolt.position) == with_revolt


def test_a_disc_takes_the_place_of_another() -> None:
    table = build("4211").with_revolt("asia").with_unrest("asia").with_garrison("diocletian", "asia").position

    assert dict(table.discs) == {"asia": "diocletian"}


def test_an_army_can_be_removed_again() -> None:
    assert build("4211").with_army("sarmatia").without_army("Sarmatia") == build("4211")


def test_the_barbarian_phase_can_be_built() -> None:
    assert build("4211").barbarians().position.ip == 0


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda b: b.with_revolt("atlantis"), id="place"),
        pytest.param(lambda b: b.with_revolt(7), id="number"),
        pytest.param(lambda b: b.with_garrison("nero", "asia"), id="garrison"),
        pytest.param(lambda b: b.with_emperor(None, "asia"), id="nobody"),
        pytest.param(lambda b: b.with_fleets(9), id="zone"),
        pytest.param(lambda b: b.without_army("asia"), id="no-army"),
        pytest.param(lambda b: b.with_pieces(elephant="asia"), id="piece"),
        pytest.param(lambda b: b.with_pieces(dux=7), id="piece-value"),
        pytest.param(lambda b: b.to_act("nero"), id="turn"),
    ],
)
def test_what_does_not_exist_is_refused_at_once(wrong) -> None:
    with pytest.raises(PositionSyntaxError):
        wrong(build("4211", modules=["dux"]))


def test_levels_and_modules_that_do_not_exist_are_refused() -> None:
    with pytest.raises(RulesetError):
        build("9999")
    with pytest.raises(RulesetError):
        build("4211", modules=["elephants"])
    with pytest.raises(TypeError, match="seed"):
        build(example("fight"), seed=1)


def test_a_builder_holds_a_position() -> None:
    assert isinstance(build("4211"), PositionBuilder)
    assert isinstance(build("4211").draft, Position)
