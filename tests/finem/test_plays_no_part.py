"""What plays no part in a step: a position that differs in it alone has the same options, and the same follows from each.

The text says of each step what it looks at. What it does not name decides nothing there and stays as it is, so it can be changed
before the step or after it. Where a reading decides, what any of its values looks at is left out.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from drawnfinem import SUITS, drawn
from tablefinem import options, table

from tetrasolve.finem import rules
from tetrasolve.finem.layout import REGIONS
from tetrasolve.finem.position import NO_CUBES, Phase, Position, Result, State, Step, cubes_of
from tetrasolve.finem.ruleset import READINGS, Ruleset

CHOSEN = 5  # options of a position at most that are followed, spread over all of them
BEGUN = (Step.ROLE, Step.APPOINT)
PLAIN = ("consul", "magister", "dictator", "emperor")  # roles without a power in the campaign, and in the invasion
TABLE = {
    "pawn",
    "start",
    "last",
    "outbreaks",
}  # where the pawn is and was, what was invaded last, how many outbreaks there were
CUBES = {"cubes", "dice", "pacified"}

# What the options of a step depend on, of all that can be read from a position
LOOKED_AT = {
    Step.ACT: {*CUBES, "pawn", "start", "last", "role", "has_travel", "out"},
    Step.DICTATOR: {"out"},
    Step.RIDE: {"pawn", "card"},
    Step.DRAW: {"out"},
    Step.EXCHANGE: {"hand", "card"},
    Step.EVENT: {"out"},
    Step.TRAVEL: {"pawn"},
    Step.RESIST: {"cubes", "pacified"},
    Step.RAISE: {"dice", "pacified"},
    Step.PROTECT: {"out"},
    Step.CIVIL_WAR: {"out"},
    Step.DISCARD_EVENT: {"dice", "pacified", "hand", "left"},
    Step.CRISIS: {"out"},
    Step.DISCARD: {"dice", "pacified", "hand", "left"},
    Step.INVADE: {"out"},
    Step.SWAP: {"hand", "card"},
    Step.ROLE: set(),
    Step.APPOINT: set(),
    Step.CHOOSE: {*CUBES, "decline", "hand", "role"},
    Step.ORDER: {"hand"},
}
FIELDS = {*TABLE, *CUBES, "role", "decline", "is_quiet", "has_exchanged"}
EVENTS = (Step.TRAVEL, Step.RESIST, Step.RAISE, Step.PROTECT, Step.CIVIL_WAR)


def no_part(before: Position, option: str, state: State) -> set[str]:
    """The fields that play no part in what follows; `role` where another without a power does the same."""
    after = state.step if isinstance(state, Position) else None
    match before.step:
        case Step.ACT:
            used = {"move": {"pawn"}, "confront": {"pawn", *CUBES}, "pacify": CUBES}.get(
                option.split(maxsplit=1)[0], set()
            )
            return FIELDS - used - {"role", "pacified"}
        case Step.RIDE:
            return FIELDS - {"pawn", "pacified", "role"}
        case Step.DICTATOR:
            return FIELDS - {"role"}
        case Step.DRAW | Step.EXCHANGE if after is Step.DRAW:
            return FIELDS - {"has_exchanged"}
        case Step.EVENT if after in EVENTS and (option[1] not in "7S"):
            return FIELDS
        case Step.EVENT if after in EVENTS:
            return FIELDS - CUBES
        case Step.CIVIL_WAR | Step.CRISIS:
            return {"pawn", "start", "role", "has_exchanged"}
        case Step.INVADE | Step.SWAP | Step.ORDER:
            return {"pawn", "start", "decline", "role"}
        case Step.ROLE | Step.APPOINT:
            return {*TABLE, "decline", "role"} | (CUBES - {"pacified"} if option != "prefect" else set())
        case Step.TRAVEL:
            return {*TABLE, "role", "has_exchanged"} - {"pawn"}
        case _:
            return {*TABLE, "role", "has_exchanged"}


def others(one: Position, field: str, option: str) -> Iterator[Any]:
    """Values of a field; of regions those that the position or the option names are among them."""
    region = next((word for word in option.split() if word in REGIONS), "ES")
    match field:
        case "pawn" | "start" | "last":
            yield from {region: 0, one.pawn: 0, one.start: 0, one.last: 0, **dict.fromkeys((*one.hand, "C7", "BR"))}
        case "outbreaks":
            yield from (1, 2, 3)
        case "decline":
            yield from range(1, one.ruleset.most_decline)
        case "role":
            yield from PLAIN if one.role in (*PLAIN, None) or is_early(one) else ()
            yield from ("prefect", "tribune") if is_early(one) else ()
        case "is_quiet":
            yield from (False, True)
        case "has_exchanged":
            yield from (False, True) if one.role == "tribune" else ()
        case "dice":
            for dice in (
                (1, 1, 1, 1),
                (5, 4, 1, 1),
                (1, 1, 4, 5),
                (1, 4, 5, 1),
                (2, 5, 1, 3),
                (0, 2, 3, 4),
                (1, 3, 2, 0),
            ):
                yield from (dice, tuple(new and (old and new) for old, new in zip(one.dice, dice, strict=True)))
        case "pacified":
            yield from map(frozenset, ("", *SUITS, "OC", "CEB"))
        case _:
            full = {region: {region[0]: 3}, one.pawn: {one.pawn[0]: 3}}
            yield from (NO_CUBES, cubes_of(full), cubes_of({place: {place[0]: 2} for place in REGIONS}))
            yield from (
                cubes_of({place: {tribe: 3} for place in REGIONS[6 * at :][:4]}) for at, tribe in enumerate("OCEB")
            )


def is_early(one: Position) -> bool:
    """Whether no role has a power yet: before the third card of a campaign."""
    return one.step is Step.DRAW and len(one.hand) < 2


def changed(one: Position, field: str, option: str) -> Iterator[Position]:
    """Positions that can occur and differ in this field alone."""
    for value in dict.fromkeys(others(one, field, option)):
        other = one.replace(**{field: value})
        if value != getattr(one, field) and not other.status():
            yield other


def followed(one: Position) -> tuple[str, ...]:
    """Some of the options, spread over all."""
    found = options(one)
    return found if len(found) <= CHOSEN else tuple(found[len(found) * at // CHOSEN] for at in range(CHOSEN))


def kept(state: State, field: str, value: Any, *, is_over: bool) -> State:
    """A state with another value of a field, where the end of the turn has not taken it back."""
    is_given = is_over and field in ("is_quiet", "has_exchanged", "role")
    return state if isinstance(state, Result) or is_given else state.replace(**{field: value})


STEPS = [step for step in Step if drawn(step)]
every_step = pytest.mark.parametrize("step", STEPS)
every_campaign_step = pytest.mark.parametrize("step", [step for step in STEPS if step.phase is Phase.CAMPAIGN])


@pytest.mark.rule("et-actions", "et-campaign", "et-events", "et-standard", "et-roles", "et-invasion")
@every_step
def test_options_depend_on_what_the_step_is_about_alone(step: Step) -> None:
    compared = 0
    for one in drawn(step):
        for field in FIELDS - LOOKED_AT[step]:
            for other in changed(one, field, options(one)[0]):
                assert options(other) == options(one), (str(one), str(other))
                compared += 1
    assert compared


@pytest.mark.rule(
    "et-actions", "et-campaign", "et-result", "et-events", "et-crisis", "et-standard", "et-roles", "et-invasion"
)
@every_step
def test_what_follows_depends_on_what_the_step_is_about_alone(step: Step) -> None:
    compared = 0
    for one in drawn(step):
        for option in followed(one):
            state = rules.take(one, option)
            is_over = isinstance(state, Result) or state.step in BEGUN or step in BEGUN
            of_role = {"role"} if is_over and step not in BEGUN else set()  # who is the Emperor names the next role
            for field in no_part(one, option, state) - of_role:
                for other in changed(one, field, option):
                    if option not in options(other):
                        continue
                    found = rules.take(other, option)
                    expected = kept(state, field, getattr(other, field), is_over=is_over)
                    assert found == expected, (str(one), str(other), option)
                    compared += 1
    assert compared


@pytest.mark.rule("et-actions", "et-roles")
def test_a_role_adds_its_power_to_the_actions_of_all() -> None:
    for one in drawn(Step.ACT):
        plain = one.replace(role="tribune", has_travel=False)
        travels = {*options(one.replace(role="consul", has_travel=False))}
        assert travels == {*options(plain)} | {f"move {place}" for place in {one.start, one.last} - {one.pawn}}
        assert travels == {*options(one.replace(role="emperor", has_travel=False))}
        of_all = [option for option in options(plain) if option.split()[0] != "pacify"]
        for role in ("magister", "prefect", "dictator"):
            more = {*options(one.replace(role=role, has_travel=False))} - {*options(plain)}
            assert {*of_all} <= {*options(one.replace(role=role))}
            assert {word.split()[0] for word in more} <= {"magister": {"confront"}, "prefect": {"pacify"}}.get(
                role, {"ride"}
            )


@pytest.mark.rule("et-campaign", "et-events", "et-crisis", "et-result")
@every_campaign_step
def test_a_campaign_counts_no_actions_and_no_invasions(step: Step) -> None:
    """The number that a position keeps is that of cards that still count where points are taken off after each, or nothing."""
    for one in drawn(step):
        for option in options(one):
            state = rules.take(one, option)
            is_once = one.ruleset.readings["E-LIMIT"] == "once"
            if (
                isinstance(state, Position)
                and state.phase is Phase.CAMPAIGN
                and (is_once or state.step is not Step.DISCARD)
            ):
                assert state.left == 0, (str(one), option)


# What a card or decision does to the cubes, or to the dice, depends on less than where the turn goes on
SEEN = {
    Step.CRISIS: (("cubes", "outbreaks", "last"), ("role", "dice", "has_exchanged")),
    Step.CIVIL_WAR: (("cubes", "outbreaks"), ("role", "dice", "has_exchanged", "decline", "last", "pawn", "start")),
    Step.PROTECT: (("protected", "cubes"), ("role", "dice", "has_exchanged", "decline", "last")),
    Step.RESIST: (("cubes", "outbreaks"), ("role", "dice", "has_exchanged", "decline")),
    Step.TRAVEL: (("pawn", "cubes"), ("role", "dice", "has_exchanged", "decline")),
    Step.DISCARD: (("dice", "pacified"), ("is_quiet", "decline", "outbreaks", "has_exchanged", "last")),
    Step.DISCARD_EVENT: (("cubes", "pawn"), ("is_quiet", "decline", "outbreaks", "has_exchanged", "last")),
}


@pytest.mark.rule("et-crisis", "et-events", "et-standard")
@pytest.mark.parametrize("step", SEEN)
def test_what_a_step_does_depends_on_less_than_what_comes_then(step: Step) -> None:
    seen, varied = SEEN[step]
    for one in drawn(step):
        for option in followed(one):
            state = rules.take(one, option)
            for field in varied if isinstance(state, Position) else ():
                for value in ("prefect", "tribune", *PLAIN) if field == "role" else others(one, field, option):
                    other = one.replace(**{field: value})
                    if list(map(bool, other.dice)) != list(map(bool, one.dice)) or other.status():
                        continue
                    found = rules.take(other, option) if option in options(other) else state
                    for name in seen if isinstance(found, Position) else ():
                        assert getattr(found, name) == getattr(state, name), (str(one), str(other), option)


@pytest.mark.rule("et-campaign", "et-result", "et-events")
def test_whether_a_campaign_brings_an_event_depends_on_its_suits_alone() -> None:
    """Where the event comes before the dice rise; its decline is that of its suits."""
    for one in drawn(Step.DRAW):
        readings = one.ruleset.readings
        is_first = readings["E-ORDER"] == "listed" and readings["E-WHEN"] != "after" and readings["E-THREE"] != "either"
        if len(one.hand) != 2 or one.role == "tribune" or not is_first:
            continue
        for option in followed(one):
            state = rules.take(one, option)
            for field in ("role", "dice", "cubes", "outbreaks", "last"):
                for other in changed(one, field, option):
                    found = rules.take(other, option)
                    if isinstance(found, Position) and isinstance(state, Position):
                        assert (found.decline, found.step is Step.EVENT) == (state.decline, state.step is Step.EVENT), (
                            str(other)
                        )


@pytest.mark.rule("et-invasion", "et-roles")
def test_a_tribune_who_has_exchanged_in_the_campaign_has_an_invasion_as_any_other() -> None:
    """Where he exchanges in the campaign, or in one of the two phases."""
    for one in drawn(Step.INVADE):
        if one.ruleset.readings["E-TRIBUNE"] == "invasion" or one.hand or one.card or one.role == "prefect":
            continue
        for card in followed(one):
            plain = rules.take(one.replace(role="consul", has_exchanged=False), card)
            found = rules.take(one.replace(role="tribune", has_exchanged=True), card)
            if isinstance(plain, Position):
                assert isinstance(found, Position) and (found.cubes, found.last, found.left) == (
                    plain.cubes,
                    plain.last,
                    plain.left,
                )
            else:
                assert found == plain


@pytest.mark.rule("et-invasion", "et-roles")
def test_an_invasion_is_that_of_a_prefect_as_of_a_consul() -> None:
    for one in drawn(Step.INVADE):
        for card in followed(one) if one.role != "tribune" and not one.hand else ():
            found, other = (rules.take(one.replace(role=role), card) for role in ("prefect", "consul"))
            assert isinstance(found, Position) == isinstance(other, Position)
            assert isinstance(found, Result) or found.replace(role="consul") == other, (str(one), card)


@pytest.mark.rule("et-set-up")
@pytest.mark.parametrize("ruleset", ["introductory", "standard", "expert+corner+sphere+cap3"])
def test_a_game_begins_with_nothing_of_a_turn(ruleset: str) -> None:
    one = rules.random_set_up(Ruleset.from_text(ruleset), 0)
    assert isinstance(one, Position)
    assert (one.hand, one.out, one.card, one.protected) == ((), frozenset(), None, None)
    assert (one.is_quiet, one.has_exchanged, one.has_travel, one.role, one.left) == (False, False, False, None, 4)


# -- what can come where, whatever else lies on the table ----------------------------------------------------------------


def varied(step: Step, *fields: str) -> Iterator[Position]:
    """The positions at a step, and those that differ in one of the fields."""
    for one in drawn(step):
        yield one
        for field in fields:
            yield from changed(one, field, "")


@pytest.mark.rule("et-actions", "et-pacified", "et-roles")
def test_a_tribe_can_be_pacified_by_its_die_alone() -> None:
    """From 6 on, a Prefect from 5 on, whatever lies where the pawn is, and with the last action as with the first."""
    for first in varied(Step.ACT, "dice", "cubes", "pawn"):
        for role, left in (("prefect", 1), ("prefect", 4), ("consul", 1)):
            one, readings = first.replace(role=role, left=left, has_travel=False), first.ruleset.readings
            if readings["E-PACIFY"] == "free" or readings["E-AGAIN"] == "stays":
                continue
            least = 5 if role == "prefect" else 6
            wanted = {f"pacify {tribe}" for tribe in SUITS if one.die(tribe) >= least}
            assert {option for option in options(one) if option.startswith("pacify")} == wanted, str(one)


@pytest.mark.rule("et-events", "et-pacified")
def test_the_event_of_a_7_names_each_cube_and_all_cubes_of_a_pacified_tribe() -> None:
    for first in varied(Step.RESIST, "cubes", "pacified"):
        for role in ("prefect", "consul"):
            one = first.replace(role=role) if first.role != "tribune" else first
            found = {*options(one)} - {"keep"}
            cubes = {(region, tribe): n for region, tribes in one.occupied.items() for tribe, n in tribes.items()}
            each = {f"remove {region} {tribe}" for region, tribe in cubes}
            states = {option: rules.take(one, option) for option in found - each}
            emptied = [
                {(r, t) for r, t in cubes if t in one.pacified and not state.count(r, t)}
                for state in states.values()
                if isinstance(state, Position)
            ]
            assert found >= each and all(emptied), str(one)  # whether a cube goes besides is open
            several = {(region, tribe) for (region, tribe), n in cubes.items() if n > 1 and tribe in one.pacified}
            assert len(emptied) < len(states) or set().union(*emptied) >= several, str(one)


@pytest.mark.rule("et-roles", "et-actions")
def test_the_dictator_can_ride_to_each_other_region_of_the_rank() -> None:
    """The regions whose cards he has drawn before are among them."""
    for first in varied(Step.RIDE, "pawn"):
        for out in (first.out, first.out | {first.pawn}):
            one = first.replace(out=out)
            assert one.card is not None
            wanted = {f"move {suit}{one.card[1]}" for suit in SUITS} - {f"move {one.pawn}"}
            found = {*options(one)}
            assert wanted <= found <= wanted | {"stay", f"move {one.pawn}"}


@pytest.mark.choice("E-DICTATOR")
def test_a_dictator_need_not_leave_his_region() -> None:
    """Whether he may stay, or where his region has the rank of the card alone, is open."""
    for first in varied(Step.RIDE, "pawn"):
        for one in (first, first.replace(out=first.out | {first.pawn})):
            assert one.card is not None
            found = {*options(one)} - {f"move {suit}{one.card[1]}" for suit in SUITS if suit + one.card[1] != one.pawn}
            allowed = {
                "may": {"stay"},
                "must": set(),
                "there": {f"move {one.pawn}"} if one.card[1] == one.pawn[1] else set(),
            }
            assert found == allowed[one.ruleset.readings["E-DICTATOR"]], str(one)


@pytest.mark.rule("et-campaign", "et-roles")
def test_the_tribune_decides_after_the_third_card_whichever_it_is() -> None:
    for one in varied(Step.DRAW, "pawn", "start", "last", "cubes", "dice"):
        if one.role != "tribune" or len(one.hand) != 2 or one.ruleset.readings["E-TRIBUNE"] == "invasion":
            continue
        for card in options(one):
            state = rules.take(one, card)
            is_asked = isinstance(state, Position) and state.step is Step.EXCHANGE
            assert is_asked != one.has_exchanged, (str(one), card)


@pytest.mark.rule("et-events")
def test_the_event_of_a_sota_lets_the_player_name_a_die() -> None:
    """Wherever one is not put away, whatever it shows; where one that cannot rise is left out, where one can."""
    for one in varied(Step.EVENT, "dice", "pacified"):
        for card in ("OS", "CS", "ES", "BS"):
            if card in options(one) and any(one.dice) and one.ruleset.readings["E-RAISE-STUCK"] != "not":
                assert getattr(rules.take(one, card), "step", None) is Step.RAISE, str(one)


@pytest.mark.rule("et-events", "et-standard")
@pytest.mark.parametrize("dice", ["5411/-", "1523/-", "1145/E", "2351/B", "4313/E"])
@pytest.mark.parametrize("tribe", SUITS)
def test_what_a_die_that_is_named_at_eleven_points_brings_is_a_matter_of_dice(dice: str, tribe: str) -> None:
    """Neither the role nor cubes on the map play a part, but for a Prefect whose points pacify at 5."""
    found = set()
    for role, lying in product(("prefect", "consul", "dictator"), ("-", "O5:O1.C5:C1.E5:E1.B5:B1")):
        one = table(role, rules="standard", dice=dice, cubes=lying, step="raise", more="OS.OC.C5.B5 hand=OC.C5.B5")
        if f"raise {tribe}" in options(one) and not (role == "prefect" and one.ruleset.points_pacify_at_5):
            state = rules.take(one, f"raise {tribe}")
            found.add(state.replace(role=None, cubes=NO_CUBES) if isinstance(state, Position) else state)
    assert len(found) <= 1


@pytest.mark.rule("et-events", "et-standard")
@pytest.mark.parametrize("dice", ["5411/-", "1523/-", "1145/E", "2351/B", "4313/E"])
@pytest.mark.parametrize("role", ["prefect", "consul"])
@pytest.mark.parametrize("lying", ["-", "O5:O1.C5:C1.E5:E1.B5:B1"])
def test_what_follows_a_point_above_eleven_is_the_same_for_each_die(dice: str, role: str, lying: str) -> None:
    """Whether its tribe is pacified or has cubes plays no part, where all four dice are summed and it can rise by the point."""
    one = table(role, rules="standard", dice=dice, cubes=lying, step="raise", more="OS.OC.C5.B5 hand=OC.C5.B5")
    readings = one.ruleset.readings
    if readings["E-ELEVEN"] == "four" and readings["E-AGAIN"] == "rises" and not one.ruleset.points_pacify_at_5:
        found = [rules.take(one, f"raise {tribe}") for tribe in SUITS if one.die(tribe) <= 3]
        assert len({state.step if isinstance(state, Position) else state for state in found}) == 1


@pytest.mark.rule("et-events", "et-standard", "et-result")
def test_an_event_comes_once_in_a_campaign() -> None:
    """Points that are taken off after it bring no second, in whatever order the parts of a campaign come."""
    for one in varied(Step.DISCARD_EVENT, "decline", "is_quiet"):
        for option in options(one):
            assert getattr(rules.take(one, option), "step", None) not in (Step.EVENT, Step.DRAW, Step.CHOOSE), (
                str(one),
                option,
            )


@pytest.mark.rule("et-events", "et-result")
@pytest.mark.parametrize("role", ["prefect", "consul"])
@pytest.mark.parametrize("ruleset", ["introductory", "standard"])
def test_a_die_that_is_named_rises_whoever_plays(role: str, ruleset: str) -> None:
    """Then the cards of the campaign raise theirs, and what a Prefect's points pacify goes to 1."""
    one = table(role, rules=ruleset, dice="2113/-", step="raise", more="C5.E6.ES.BS hand=C5.E6.BS")
    for tribe in (
        SUITS if one.ruleset.readings["E-ORDER"] != "dice-first" and one.ruleset.readings["E-WHEN"] != "after" else ()
    ):
        points = dict(zip(SUITS, (2, 2, 2, 4), strict=True)) | {tribe: one.die(tribe) + 1 + (tribe != "O")}
        found = rules.take(one, f"raise {tribe}")
        assert isinstance(found, Position)
        pacified = {"B"} if tribe == "B" and "B" in found.pacified else set()
        assert all(found.die(other) == (1 if other in pacified else points[other]) for other in SUITS), (
            tribe,
            str(found),
        )


@pytest.mark.rule("et-crisis", "et-events", "et-result")
@every_step
def test_the_decline_stays_after_the_cards_have_been_seen(step: Step) -> None:
    """It moves by the three cards of a campaign; where the dice rise first, when their points have been taken off."""
    if step in (Step.DRAW, Step.EXCHANGE, Step.CHOOSE, Step.DISCARD):
        return
    for one in drawn(step):
        for option in options(one):
            state = rules.take(one, option)
            assert isinstance(state, Result) or state.decline == one.decline, (str(one), option)


@pytest.mark.rule("et-crisis", "et-end", "et-pacified")
def test_a_crisis_finds_its_cubes_where_few_are_on_the_map() -> None:
    """It loses by outbreaks alone then, by any role and whatever the dice show; an eradicated tribe stays so, or has cubes."""
    for one in varied(Step.CRISIS, "dice", "pacified"):
        for card in options(one):
            state = rules.take(one.replace(role="prefect") if one.role != "tribune" else one, card)
            if isinstance(state, Result) and not state.is_won and one.on_map(card[0]) <= 6:
                assert str(state) == "lost: outbreaks" and one.count(card, card[0]), (str(one), card)
            if isinstance(state, Position) and one.is_eradicated(card[0]):
                assert bool(state.die(card[0])) == bool(state.on_map(card[0])), (str(one), card)


@pytest.mark.rule("et-campaign", "et-roles", "et-result", "et-standard")
@pytest.mark.parametrize(
    "step", [Step.DRAW, Step.EVENT, Step.RESIST, Step.CRISIS, Step.DISCARD, Step.DISCARD_EVENT, Step.TRAVEL]
)
def test_a_tribune_who_has_exchanged_is_as_a_dictator_whose_card_is_out(step: Step) -> None:
    """The fourth card is out of the deck in both ways, and neither has another power in the campaign."""
    compared = 0
    for first in drawn(step):
        one = first.replace(role="tribune", has_exchanged=True)
        other = first.replace(role="dictator", has_exchanged=False)
        if one.status() or other.status() or one.ruleset.readings["E-TRIBUNE"] == "invasion":
            continue
        assert options(one) == options(other)
        for option in options(one):
            of_one, of_other = rules.take(one, option), rules.take(other, option)
            assert isinstance(of_one, Position) == isinstance(of_other, Position)
            if isinstance(of_one, Position) and of_one.phase is Phase.CAMPAIGN:
                assert of_one.replace(role="dictator", has_exchanged=False) == of_other, (str(one), option)
            compared += 1
    assert compared


@pytest.mark.rule("et-invasion", "et-result", "et-standard", "et-expert")
@every_campaign_step
def test_the_cards_of_an_invasion_are_those_of_its_decline(step: Step) -> None:
    """Two, three or four, whatever came before it: each card of the decline has four places, or three."""
    for one in varied(step, "decline"):
        places = 3 if "cap3" in one.ruleset.options else 4
        for option in options(one):
            state = rules.take(one, option)
            if isinstance(state, Position) and state.step is Step.INVADE:
                assert state.left == (2 if state.decline <= places else 3 if state.decline <= 2 * places else 4), (
                    str(one),
                    option,
                )


@pytest.mark.rule("et-events", "et-invasion", "et-roles")
def test_a_civil_war_is_no_invasion() -> None:
    """The region last invaded stays, unless a reading takes the regions of a civil war as invaded."""
    for one in varied(Step.CIVIL_WAR, "dice", "start", "last", "cubes", "decline"):
        for card in options(one) if one.ruleset.readings["E-WAR-LAST"] == READINGS["E-WAR-LAST"].default else ():
            state = rules.take(one, card)
            assert isinstance(state, Result) or state.last == one.last, (str(one), card)
            assert isinstance(state, Result) or state.out >= one.out | {card} or state.step in BEGUN


@pytest.mark.rule("et-events", "et-pacified")
def test_a_civil_war_leaves_an_eradicated_tribe_out_or_brings_it_back_on_all_four_regions() -> None:
    """Whatever lies where the card is drawn, and wherever the pawn began."""
    for one in varied(Step.CIVIL_WAR, "start", "pawn", "decline"):
        for card in options(one):
            state = rules.take(one, card)
            for tribe in SUITS if isinstance(state, Position) and one.ruleset.is_introductory else ():
                if one.is_eradicated(tribe) and one.ruleset.readings["E-CIVIL"] != "return":
                    assert state.on_map(tribe) == one.on_map(tribe), (str(one), card)


@pytest.mark.rule("et-events", "et-invasion")
@pytest.mark.parametrize("card", ["O7", "C7", "E7", "B7"])
def test_a_civil_war_puts_its_cube_where_another_tribe_has_three(card: str) -> None:
    lying = ".".join(f"{suit}7:{other}3" for suit, other in zip("OCEB", "CEBO", strict=True))
    one = table("consul", cubes=lying, step="civil-war", more="OR.C6.ER.BC hand=C6.ER.BC")
    state = rules.take(one, card)
    assert isinstance(state, Position) and state.outbreaks == one.outbreaks
    assert all(state.count(f"{suit}7", suit) == 1 for suit in SUITS)


@pytest.mark.rule("et-result", "et-standard")
@every_step
def test_nothing_is_chosen_that_no_reading_asks(step: Step) -> None:
    """How far the decline moves, or in which order cards count, is asked under values of readings alone."""
    for one in varied(step, "decline", "dice", "is_quiet"):
        readings = one.ruleset.readings
        for option in (
            followed(one) if readings["E-THREE"] != "either" and readings["E-LIMIT-ORDER"] != "chosen" else ()
        ):
            assert getattr(rules.take(one, option), "step", None) is not Step.CHOOSE, (str(one), option)


@pytest.mark.rule("et-invasion", "et-outbreaks", "et-result")
@pytest.mark.parametrize("role", PLAIN)
def test_a_region_with_three_cubes_has_an_outbreak_wherever_it_is_and_whoever_plays(role: str) -> None:
    """With eleven points on the dice or fewer, at each level; what was exchanged in the turn stays exchanged."""
    compared = 0
    for first in drawn(Step.INVADE):
        for card in options(first) if not first.hand and not first.card else ():
            if first.count(card, card[0]) < 3:
                continue
            for start, dice in ((first.start, first.dice), (card, first.dice), (first.start, (5, 2, 2, 2))):
                one = first.replace(role=role, start=start, dice=dice, has_exchanged=False)
                if one.is_eradicated(card[0]) or one.ruleset.readings["E-TRIBUNE"] == "invasion":
                    continue
                state = rules.take(one, card)
                assert isinstance(state, Result) or state.outbreaks > one.outbreaks, (str(one), card)
                tribune = rules.take(one.replace(role="tribune", has_exchanged=True), card)
                if isinstance(tribune, Position) and tribune.step is Step.INVADE:
                    assert tribune.has_exchanged, (str(one), card)
                compared += 1
    assert compared


@pytest.mark.rule("et-crisis", "et-outbreaks")
@pytest.mark.parametrize("role", PLAIN)
def test_a_crisis_where_cubes_lie_brings_an_outbreak_at_the_start_of_the_turn_too(role: str) -> None:
    compared = 0
    for first in drawn(Step.CRISIS):
        for card in options(first):
            one = first.replace(role=role, start=card)
            if one.count(card, card[0]) and not one.is_eradicated(card[0]):
                state = rules.take(one, card)
                assert isinstance(state, Result) or state.outbreaks > one.outbreaks, (str(one), card)
                compared += 1
    assert compared
