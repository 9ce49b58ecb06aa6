"""The risk of one phase: figures by several methods, chances of new revolts, and what others read of it."""

from fractions import Fraction
from json import loads

import pytest
from phases import phases

from tetrasolve.cli.main import run
from tetrasolve.errors import IllegalPositionError
from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.risk import FiguresDisagreeError, risk
from tetrasolve.tetrarchia.rules import Figures

FIGURES = ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts")
SMALL = list(phases(36, 400, seed=5))


@pytest.mark.parametrize("position", SMALL, ids=str)
def test_the_methods_agree(position):
    """Each figure of a risk is the fraction that the reference rules give and, nearly, the double of the kernel's sweep."""
    found = risk(position)
    assert found.kind == "exact"
    assert set(found.methods) == {"kernel", "reference"}
    assert found.figures == rules.figures(position)
    sweep = fast.kernel_for(position.board, position.ruleset).phase(fast.to_state(position))
    for name in FIGURES:
        assert isinstance(getattr(found.figures, name), Fraction)
        assert float(getattr(found.figures, name)) == pytest.approx(sweep[name], rel=0, abs=1e-11)
    assert found.figures.outcomes == sweep["outcomes"]


@pytest.mark.parametrize("position", SMALL[:18], ids=str)
def test_figures_are_those_of_the_results(position):
    """What the figures say of falls, revolts and results can be counted again in the distribution of the results."""
    figures = risk(position).figures
    ends = rules.outcomes(position)
    standing = {end: chance for end, chance in ends.items() if isinstance(end, Position)}
    assert figures.p_lost == 1 - sum(standing.values())
    assert figures.e_revolts == sum(chance * len(end.revolts) for end, chance in standing.items())
    assert figures.outcomes == len(standing) + (figures.p_lost > 0)
    assert 0 <= figures.p_new_army <= figures.p_uprising <= figures.e_uprisings
    assert figures.p_uprising <= 1


@pytest.mark.parametrize("position", SMALL, ids=str)
def test_new_revolts_are_those_of_the_results(position):
    """The chance of a new revolt is that of the results with a revolt where none lay; the likeliest is first, none is zero."""
    expected = {}
    for end, chance in rules.outcomes(position).items():
        if isinstance(end, Position):
            for province in end.revolts - position.revolts:
                expected[province] = expected.get(province, Fraction(0)) + chance
    found = risk(position).new_revolts()
    assert {province: chance.value for province, chance in found.items()} == expected
    values = [chance.value for chance in found.values()]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("position", SMALL[::3], ids=str)
def test_without_the_reference_intervals_hold_the_truth(position):
    """Where the reference rules are not asked, the figures are the same and each new revolt lies in a narrow interval."""
    exact, quick = risk(position), risk(position, reference_visits=0)
    assert quick.methods == ("kernel",)
    assert quick.figures == exact.figures
    assert quick.revolts.keys() == exact.revolts.keys()
    for province, chance in exact.revolts.items():
        assert quick.revolts[province].low <= chance.value <= quick.revolts[province].high
        assert quick.revolts[province].high - quick.revolts[province].low < 1e-9


@pytest.mark.parametrize("name", examples())
def test_the_printed_examples(name):
    """At the tables of the rulebook, where nothing spreads first, as many of 36 rolls raise a province as provinces revolt."""
    position = example(name)
    found = risk(position)
    assert found.figures == rules.figures(position)
    assert found.figures.p_lost == 0
    numbered = [place for place in position.revolts if position.board[place].number]
    assert _spreads(position) or found.figures.p_uprising == Fraction(len(numbered), 36)


def _spreads(position):
    return any(position.has_revolt(name) for place in position.unrest for name in position.board.neighbours(place))


def test_the_phase_and_the_ip_left_do_not_matter():
    """A risk is that of the position: it is the same whatever IP is left, and once the turn is over."""
    fight = example("fight")
    found = risk(fight)
    for other in (fight.replace(ip=2), fight.replace(phase=Phase.BARBARIAN, ip=0)):
        assert risk(other).figures == found.figures
        assert risk(other).revolts == found.revolts


@pytest.mark.parametrize("name", examples())
def test_its_json_says_the_same(name, capsys):
    """`risk --json` gives the figures as fractions and floats, and every new revolt with its kind."""
    assert run(["risk", name, "--json"]) == 0
    data = loads(capsys.readouterr().out)
    found = risk(example(name))
    assert data["position"] == str(found.position)
    assert data["kind"] == "exact"
    assert data["methods"] == list(found.methods)
    for figure in (*FIGURES, "outcomes"):
        value = getattr(found.figures, figure)
        assert data[figure] == {"exact": str(value), "float": float(value)}
    assert data["new_revolts"] == {province: chance.as_data() for province, chance in found.new_revolts().items()}
    assert list(data["new_revolts"]) == list(found.new_revolts())


def test_a_position_without_a_phase_is_refused():
    """There is no risk where the game is won, where two Emperors share a province, or at an impossible position."""
    fight = example("fight")
    borders = dict(zip(fight.board.borders, ["diocletian"] * 3 + ["galerius"] * 3, strict=True))
    for position, problem in (
        (fight.replace(discs=borders, armies=()), "won"),
        (fight.with_emperor("maximian", "bithynia"), "share"),
        (fight.replace(ip=9), "IP"),
    ):
        with pytest.raises(IllegalPositionError, match=problem):
            risk(position)


@pytest.mark.parametrize("figure", [*FIGURES, "outcomes"])
def test_a_wrong_number_by_one_method_is_no_answer(figure, monkeypatch):
    """When the reference rules differ from the kernel in one figure there is an error that names it, and no risk."""
    position = example("movement")
    true = rules.solve(position)

    class Wrong:
        ends = true.ends

        @staticmethod
        def figures():
            figures = true.figures()
            values = {name: getattr(figures, name) for name in Figures.__dataclass_fields__}
            return Figures(**values | {figure: values[figure] + 1})

    monkeypatch.setattr(rules, "solve", lambda *_: Wrong)
    with pytest.raises(FiguresDisagreeError, match=figure):
        risk(position)


def test_falls_are_counted_as_one_result():
    """However the Empire can fall, the kernel lists all falls as one result with their whole chance."""
    several = [position for position in SMALL if 0 < risk(position).figures.p_lost < 1]
    assert len(several) >= 3
    for position in several:
        listed = fast.kernel_for(position.board, position.ruleset).outcomes(fast.to_state(position))
        (lost,) = [chance for end, chance in listed if end.result == kernel.FALLEN]
        assert lost == pytest.approx(float(risk(position).figures.p_lost), abs=1e-12)
