"""Certificates of turns with modules, variants and rebels: the checker counts them again by rules of its own.

These rules meet the reference rules deed by deed, and its optimum that of all policies tried out by the reference rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice
from random import Random

import bruteforce
import checker
import moduleposition
import pytest
from moduleclaims import BOARD, compare
from moduleplans import cases
from moduleturns import EACH, TOGETHER, positions
from text import Unreadable

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import TetrasolveError, TooLargeError
from tetrasolve.tetrarchia.action import PIRATES, Outcome
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import certificate as turns
from tetrasolve.tetrarchia.plan import read_objective
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.plan.graph import criteria, turn_of
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import legal_actions, may_end, rolled_scenario
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS

SETS = (*EACH, *TOGETHER)


def proved(position: Position, objective: str, stated: Stated | None = None) -> Certificate:
    """A certificate that the checker confirms."""
    certificate = certify(position, objective, stated)
    code, message = checker.verdict(certificate.text())
    assert code == checker.CONFIRMED, f"{position} {objective} {stated}: {message}"
    return certificate


def deterministic(extensions: str, most_ip: int = 2) -> Iterator[tuple[Position, str]]:
    for position, text in cases(extensions, most_ip):
        if position.rules_in_use and read_objective(text, position.board).is_deterministic:
            yield position, text


def equals_all_policies(position: Position, text: str) -> None:
    """The optimum that the checker has confirmed is that of all policies."""
    best = bruteforce.solve(position, read_objective(text, position.board)).first
    numbers = [Fraction(word) for word in proved(position, text).field("optimum").split()]
    assert numbers == list(best[-len(numbers) :])  # where there is no constraint it is kept


# -- rules -------------------------------------------------------------------------------------------------------


def deeds_agree(extensions: str, count: int) -> set[str]:
    """The names of all deeds that were compared."""
    found = (position for position in positions(extensions, count) if not position.is_won and position.rules_in_use)
    return set[str]().union(*map(compare, found))


@pytest.mark.parametrize("extensions", SETS)
def test_deeds_are_those_of_the_reference_rules(extensions: str) -> None:
    """Names, chances and what they lead to, on positions of all kinds, with any readings."""
    assert deeds_agree(extensions, 25)


@pytest.mark.slow
@pytest.mark.parametrize("extensions", SETS)
def test_deeds_are_those_of_the_reference_rules_on_many_positions(extensions: str) -> None:
    names = deeds_agree(extensions, 800)
    kinds = {name.partition(" ")[0] for name in names}
    assert kinds >= {"move", "sail", "secure", "attack", "enter"}
    for module, kind in (
        ("dux", "dux:"),
        ("vicarius", "vicarius:"),
        ("imperium", "galerius:"),
        ("via-romana", "transfer"),
    ):
        assert module not in extensions.split() or kind in kinds
    assert "pirates" not in extensions or any(name.startswith("attack pirates") for name in names)


def test_the_checker_knows_the_readings_of_each_module() -> None:
    found: dict[str, tuple[tuple[str, ...], set[str]]] = {}
    for module, readings in moduleposition.READINGS.items():
        for name, values in readings.items():
            found.setdefault(name, (tuple(values), set()))[1].add(module)
    wanted = {
        name: (tuple(reading.played), set(reading.needs)) for name, reading in KERNEL_READINGS.items() if reading.needs
    }
    assert found == wanted


def test_positions_that_cannot_occur_are_refused() -> None:
    """What the checker takes for a position is one for the library too."""
    random, refused = Random("status"), 0
    for position in positions(TOGETHER[-1], 150):
        board, changes = position.board, {}
        kind = random.randrange(5)
        if kind == 0:
            changes["discs"] = {
                **position.discs,
                random.choice(board.ids): random.choice(("revolt", "unrest", "maximian")),
            }
        elif kind == 1:
            changes["emperors"] = {**position.emperors, "galerius": random.choice((*board.ids, None))}
        elif kind == 2:
            changes["armies"] = (*position.armies, random.choice(board.ids))
        elif kind == 3:
            changes["ip"] = random.randrange(9)
        else:
            key = random.choice(("dux", "vicarius", "goths", "pirates", "passing", "power", "glory", "removed"))
            value = {"pirates": random.choice((1, 2, 3)), "power": True, "passing": random.choice(("dux", "maximian"))}
            counts = tuple(sorted((who, random.randrange(7)) for who in position.emperors))
            more = value.get(key, counts if key in ("glory", "removed") else random.choice(board.ids))
            changes["pieces"] = {**position.pieces.plain(), key: more}
        changed = position.replace(**changes)
        try:
            moduleposition.read(str(changed), BOARD)
        except Unreadable:
            refused += 1
            assert changed.status() or changed.is_won, str(changed)
        else:
            # the checker does not read arrows
            others = [reason for reason in changed.status() if reason.code != "army-off-path"]
            assert not others and not changed.is_won, (str(changed), others)
    assert 30 < refused < 140


# -- optima ------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("extensions", SETS)
def test_the_checker_confirms_what_all_policies_give(extensions: str) -> None:
    for position, text in islice(deterministic(extensions), 4):
        equals_all_policies(position, text)


@pytest.mark.slow
@pytest.mark.parametrize("extensions", SETS)
def test_the_checker_confirms_what_all_policies_give_on_many_turns(extensions: str) -> None:
    for position, text in islice(deterministic(extensions), 25):
        equals_all_policies(position, text)


def stated_at_random(position: Position, random: Random) -> Stated:
    targets = [*position.armies, *([PIRATES] if position.pieces.pirates is not None else [])]
    return tuple((target, random.choice(tuple(Outcome))) for target in sorted(targets) if random.random() < 0.8)


@pytest.mark.parametrize("extensions", SETS)
def test_stated_attacks(extensions: str) -> None:
    random = Random(extensions)
    for position, text in islice(deterministic(extensions), 4):
        proved(position, text, ())
        proved(position, text, stated_at_random(position, random))


@pytest.mark.slow
@pytest.mark.parametrize("extensions", SETS)
def test_longer_turns(extensions: str) -> None:
    """Of up to 4 IP, with at most 10,000 states."""
    random, proofs = Random(extensions), 0
    for position in positions(extensions, 40, 4):
        usable = position.rules_in_use and not position.is_won and (may_end(position) or legal_actions(position))
        if proofs < 4 and usable and turn_of(position).nodes < 10_000:
            proved(position, "most value revolt=-3 unrest=-1 army=-5 garrison=1")
            proved(position, "most value army=-5 then most value garrison=1", stated_at_random(position, random))
            proofs += 1
    assert proofs == 4


@pytest.mark.parametrize("name", ["carausian-revolt", "danubian-wars", "mauretanian-war", "great-persian-war"])
def test_scenarios(name: str) -> None:
    """A whole turn of 6 IP of each would take seconds."""
    start = rolled_scenario(name, 7, fleets=(2, 3) if name != "great-persian-war" else (1, 2)).position
    certificate = proved(start.replace(ip=2), "most value revolt=-3 army=-5 garrison=1")
    assert certificate.kind == turns.RECOUNT


def test_what_is_too_large_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither written nor checked; the checker's limit is the same."""
    import recounted

    position = Position.parse(DUX)
    text = certify(position, "deploy dux").text()
    assert turns.MOST_STATES == recounted.MOST_SITUATIONS
    monkeypatch.setattr(turns, "MOST_STATES", 3)
    with pytest.raises(TooLargeError, match="states; certificates with modules cover 3"):
        certify(position, "deploy dux")
    monkeypatch.setattr(recounted, "MOST_SITUATIONS", 3)
    code, message = checker.verdict(text)
    assert code == checker.UNREADABLE and "more than 3 situations" in message


# -- forgeries ---------------------------------------------------------------------------------------------------

NONE = '{"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
DUX = "4100+dux D:2 asi/-/-/- 1 - - - -/-/-/- dux=null"
DUX_THERE = '4100+dux D:2 asi/-/-/- 1 - - - -/-/-/- dux="galatia"'
VICARIUS = '4100+vicarius D:2 asi/-/-/- 1 - dac.syr thr -/-/-/- vicarius="cilicia"'
UNUSED = "4100+vicarius D:2 asi/-/-/- 1 - dac.syr thr -/-/-/- vicarius=null"
SEA = "4100+pirates D:2 bit/-/-/- 2 - cyr - -/-/-/- pirates=3"
GOTHS = '4200+goths D:2 cil/-/-/- 12 syr syr - cil/-/-/- goths="syria"'
ONCE = '{"constantius":0,"diocletian":0,"galerius":1,"maximian":0}'
GALERIUS = f"4222+imperium G:2 -/syr/-/- 12 per - - -/thr.mac/-/- removed={ONCE}"
LEADER = f"4100+imperium D:1 asi/bit/-/- 1 - - - per/-/-/- removed={NONE}"
SEVENTH = f"4100+imperium M:6 -/-/-/dac 1 - - - -/-/-/srm removed={NONE}"
JOINED = "4200+mare-nostrum D:1 bit/-/-/- 23 - - - -/-/-/-"
VIA_ROMANA = "4200+via-romana D:1 asi/bit/-/- 12 - - - asi/-/-/-"
BORDER = "4200+via-romana D:2 per/-/-/- 12 - - - per/-/-/-"
GLORY = f"4200+roma-aeterna D:2 cil/-/-/- 12 syr syr - cil/-/-/- glory={NONE}"
GRAY = (
    "4200+barbaria D:1 dac/-/-/- 12 - dac cis.etr.luc.sic.sar.tin.bae.lus.car.gla.tar.bel.gin.gsu.lug.aqu.nar -/-/-/- "
    'barbarian_discs={"black":1,"gray":4}'
)
REBELS = '4200 D:3 cap/-/-/- 12 per per - -/-/-/- rebels={"persia":{"figure":"goths","fleet":3}}'
USURPER = "4200+usurpator D:2 asi/-/-/- 12 gat gat - -/-/-/-"

# Name; position, objective and attacks; optimum and plan as a forger would have them; what the checker says
FORGERIES = [
    ("the Dux for 1 IP", DUX, "deploy dux", "1 -1", "deploy dux galatia", "the start is worth 1 -2"),
    ("the Dux far away", DUX, "deploy dux", "1 -2", "deploy dux roma", "'deploy dux roma' is not legal"),
    ("a second Dux", DUX_THERE, "most value dux@cilicia=1", "1 -2", "deploy dux cilicia", "start is worth 1 -1"),
    ("a Dux who secures", DUX_THERE, "secure galatia", "1 -1", "dux: secure", "the start is worth 0 0"),
    ("a Dux with printed discs", DUX_THERE, "reach bithynia", "1 -1", "dux: move bithynia", "is worth 0 -1"),
    (
        "the Vicarius into a revolt",
        VICARIUS,
        "most value vicarius@syria=1",
        "1 -2",
        "vicarius: move syria",
        "is worth 0 0",
    ),
    ("the Vicarius subdues", VICARIUS, "clear dacia", "1 -2", "vicarius: remove", "the start is worth 0 0"),
    ("the Vicarius on a revolt", UNUSED, "most value vicarius@dacia=1", "1 -2", "deploy vicarius dacia", "worth 0 0"),
    ("unrest stays under him", UNUSED, "clear thracia", "0 0", "end", "the start is worth 1 -2"),
    ("a fleet to the Pirates", SEA, "reach syria", "1 -2", "sail 2>3; move syria", "the start is worth 0 0"),
    (
        "Pirates without revolts",
        SEA,
        "kill pirates",
        "7/12 -2",
        "attack pirates {victory 7/12: end | draw 5/36: end | defeat 5/18: end}",
        "the start is worth 5/12 -2",
    ),
    (
        "Goths as an army",
        GOTHS,
        "kill syria",
        "7/12 -2",
        "attack syria {victory 7/12: end | draw 5/36: end | defeat 5/18: end}",
        "the start is worth",
    ),
    (
        "discs that he does not have",
        GALERIUS,
        "kill persia",
        "1 -2",
        "attack persia {victory 1: attack persia: victory +reserve +reserve +reserve +reserve +reserve}",
        "the start is worth",
    ),
    ("Diocletian leads for nothing", LEADER, "reach bithynia", "1 -1", "galerius: move asia", "is worth 0 0"),
    ("a border's disc", SEVENTH, "secure libya", "0 0", "imperium sarmatia", "'imperium sarmatia' is not legal"),
    (
        "two powers",
        SEVENTH,
        "secure libya",
        "0 0",
        "imperium reserve; imperium reserve",
        "'imperium reserve' is not legal",
    ),
    ("two zones for 1 IP", JOINED, "reach sicilia", "1 -1", "move sicilia", "the start is worth 0 0"),
    ("a garrison to a figure", VIA_ROMANA, "secure bithynia", "1 -1", "transfer bithynia", "the start is worth 0 0"),
    ("a border's garrison", BORDER, "secure syria", "1 -2", "transfer syria", "the start is worth 0 0"),
    ("glory without a battle", GLORY, "glory 1", "1 0", "end", "the start is worth"),
    ("two discs of glory", GLORY, "glory 2", "7/12 -2", "end", "the start is worth 0 0"),
    ("gray discs that are not left", GRAY, "most value revolt=-1", "0 -1", "reduce", "the start is worth -1 0"),
    ("rebels without a fleet", REBELS, "kill persia", "1/2 -3", "end", "the start is worth 0 0"),
    ("the usurper's revolt", USURPER, "kill galatia", "1 -2", "end", "the start is worth"),
    ("not the best", DUX, "reach bithynia", "0 0", "end", "the start is worth 1 -1"),
    ("not the best plan", DUX, "reach bithynia", "1 -1", "move galatia; move bithynia", "'move galatia' is worth 1 -2"),
]


def forged(
    position: str, objective: str, optimum: str, plan: str, attacks: str = "dice", kind: str = turns.RECOUNT
) -> str:
    """A certificate of a false claim, consistent in itself."""
    text = f"{objective} then least ip"
    digest = turns.board_digest(Position.parse(DUX).board)
    values = (f"tetrarchia {digest}", position, text, attacks, optimum, plan)
    return Certificate(kind, tuple(zip(turns.FIELDS, values, strict=True)), ()).text()


@pytest.mark.parametrize(
    ("position", "objective", "optimum", "plan", "why"),
    [row[1:] for row in FORGERIES],
    ids=[row[0] for row in FORGERIES],
)
def test_forged_claims_are_refuted(position: str, objective: str, optimum: str, plan: str, why: str) -> None:
    code, message = checker.verdict(forged(position, objective, optimum, plan))

    assert code == checker.REFUTED and why in message, message
    proved(Position.parse(position), objective)


def of(certificate: Certificate, **fields: str) -> str:
    """The text of a certificate with other fields."""
    return replace(
        certificate, fields=tuple((name, fields.get(name, value)) for name, value in certificate.fields)
    ).text()


def test_plans_with_other_branches_are_refuted() -> None:
    """Dice that show something else, payments that do not fit them, branches that are missing or too many."""
    certificate = proved(Position.parse(GALERIUS), "kill persia")
    good = certificate.field("plan")
    for old, new in (
        ("+reserve", "+reserve +reserve +reserve +reserve"),
        ("+reserve", "+asia"),
        (" +reserve", ""),
        ("attack persia: victory +reserve", "end"),
        ("attack persia: victory +reserve", "attack dacia: victory +reserve"),
        ("}", " | defeat 1/36: attack persia: defeat}"),
        (" | ", " | victory 5/12: end | "),
        (" | ", "|"),
        ("; ", ";"),
        ("victory 5/12", "victory 15/36"),
        ("}", "}; end"),
        ("}", ""),
    ):
        plan = good.replace(old, new, 1)
        if plan != good:
            assert checker.verdict(of(certificate, plan=plan))[0] == checker.REFUTED, plan


def test_other_attacks_are_a_false_claim() -> None:
    """With chances that no dice of theirs add up to it is refuted, not unreadable."""
    certificate = proved(Position.parse(GALERIUS), "kill persia")
    code, message = checker.verdict(of(certificate, attacks="none"))
    assert code == checker.REFUTED and "no sum of chances of the dice of these attacks" in message


def test_a_claim_of_another_kind_or_ruleset_is_not_confirmed() -> None:
    """A base position has another kind; pieces belong to the modules in use; what one module allows another does not."""
    base = "4200 D:2 bit/-/-/- 23 - - - -/-/-/-"
    code, message = checker.verdict(forged(base, "reach asia", "1 -1", "move asia"))
    assert code == checker.UNREADABLE and "the kind of this certificate is turn" in message
    for position in (DUX, REBELS):
        code, message = checker.verdict(forged(position, "reach asia", "1 0", "end", kind=turns.KIND))
        assert code == checker.UNREADABLE
    joined = proved(Position.parse(JOINED.replace("D:1", "D:2")), "reach sicilia")
    place = joined.field("position")
    for other in ("4200+usurpator", "4200+via-romana", "4200", "4200+mare-nostrum+mare-nostrum", "4200+dux"):
        assert checker.verdict(of(joined, position=place.replace("4200+mare-nostrum", other)))[0] != checker.CONFIRMED
    for text in (DUX.replace(" dux=null", ""), f"{DUX} pirates=3", f"{DUX} dux=null", DUX.replace("null", '"asi"')):
        code, message = checker.verdict(forged(text, "reach asia", "1 0", "end"))
        assert code == checker.UNREADABLE and "line 4: " in message, message
    for objective in ("glory 1", "kill pirates", "deploy vicarius", "most value pirates=1", "deploy asia"):
        assert checker.verdict(forged(DUX, objective, "0 0", "end"))[0] == checker.UNREADABLE
    code, _ = checker.verdict(forged(DUX, "reach asia", "1 0", "end", attacks="victory@pirates"))
    assert code == checker.UNREADABLE


# Readings of modules on which a Roman phase depends
TOLD_APART = (
    "I-DUX-REVOLT I-DUX-BROKEN I-DUX-DEFEAT I-VICARIUS-PASS I-VICARIUS-UNREST I-PIRATES-PRINTED I-PIRATES-ARMIES "
    "I-PIRATES-EMPERORS "
    "I-GOTHS-SUPPORT I-GOTHS-SEA I-VIA-EMPTY I-VIA-BORDER I-VIA-OWN I-VIA-OTHERS I-IMPERIUM-BORDER I-MAXIMIAN-WHEN I-GALERIUS-SEA "
    "I-MARE-ZONES I-GLORY-SEA I-SHAME-SEA I-GLORY-DUX"
).split()


def optimum(position: Position, text: str) -> object:
    """What the kernel finds, fast."""
    return turn_of(position).solve(criteria(read_objective(text, position.board), position)).values


@cache
def told_apart() -> dict[str, tuple[Certificate, str]]:
    """For readings of modules a certificate, and its position with another value of the reading where it is false."""
    found: dict[str, tuple[Certificate, str]] = {}
    for extensions in SETS:
        for position, text in islice(deterministic(extensions), 150):
            for name in set(TOLD_APART) - set(found):
                if KERNEL_READINGS[name].applies(position.ruleset.extensions):
                    rules = [position.ruleset.with_readings([(name, value)]) for value in KERNEL_READINGS[name].played]
                    one, other = (position.replace(ruleset=ruleset) for ruleset in rules)
                    if not one.status() and not other.status() and optimum(one, text) != optimum(other, text):
                        found[name] = certify(one, text), str(other)
    return found


@pytest.mark.slow
def test_a_reading_swapped_is_refuted() -> None:
    found = told_apart()
    for name, (certificate, other) in found.items():
        assert checker.verdict(certificate.text())[0] == checker.CONFIRMED, name
        assert checker.verdict(of(certificate, position=other))[0] == checker.REFUTED, name
    assert len(found) >= 6, sorted(found)


def test_one_thing_changed() -> None:
    """What is confirmed is the optimum that the library finds for the claim."""
    random, confirmed = Random("one thing"), 0
    board = Position.parse(DUX).board
    claims = [
        (DUX, "deploy dux"),
        (VICARIUS, "clear thracia"),
        (SEA, "kill pirates"),
        (GALERIUS, "kill persia"),
        (VIA_ROMANA, "secure galatia"),
    ]
    certificates = [certify(Position.parse(position), text) for position, text in claims]
    codes = [board[name].code for name in board.ids]
    for _ in range(400):
        certificate = random.choice(certificates)
        name = random.choice(turns.FIELDS[1:])
        words = certificate.field(name).split(" ")
        row = random.randrange(len(words))
        other = random.choice(certificates).field(name).split(" ")
        words[row] = random.choice(
            [random.choice(other), random.choice(codes), random.choice(board.ids), "1", "2/3", "end"]
        )
        fields = {name: " ".join(words)}
        if fields[name] == certificate.field(name):
            continue
        code, message = checker.verdict(of(certificate, **fields))
        if code == checker.CONFIRMED:
            confirmed += 1
            new = {key: fields.get(key, value) for key, value in certificate.fields}
            try:
                again = certify(Position.parse(new["position"]), new["objective"], turns_attacks(new["attacks"]))
            except TetrasolveError as error:
                pytest.fail(f"{new}: {error}")
            assert again.field("optimum") == new["optimum"]
        else:
            assert "line " in message, message
    assert confirmed < 100


def turns_attacks(text: str) -> Stated | None:
    from tetrasolve.tetrarchia.plan.task import read_attacks

    return read_attacks(text)


def test_the_base_game_keeps_its_kind() -> None:
    assert certify(example("movement"), "clear dalmatia", ()).kind == turns.KIND
