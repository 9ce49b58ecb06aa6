"""Certificates that a question about a turn has one answer: the claim alone, which this program works out again.

Each possible answer has a number. The questions are

==================== ================================================ ================================== ============
question             possible answers                                 number                             the best is
==================== ================================================ ================================== ============
``plan`` aim         the situations in which the actions can end      that of the aim, if the rest of    as the aim
                                                                      the turn is decided at best        says
``decision`` aim     the options of the decision                      the same                           the same
``chance p_lost``    the number itself                                the chance to lose                 between 0 and 1
``card p_lost``      the cards of the deck                            that chance after the card         the largest
==================== ================================================ ================================== ============

Aims are ``least p_lost``, ``most p_won``, ``least outbreaks`` (4 if the game is lost, 0 if it is won) and ``most die:O=1`` (0 if
the game is over), of one tribe. Plans that lead to the same situation but for the pawn are one answer. The last two are about an
invasion.
"""

from fractions import Fraction

from text import Lines, Unreadable

from finem import rules
from finem.actions import follow
from finem.map import AT, CARDS, SUITS, Map
from finem.position import State, cannot_occur, open_game, read_start
from finem.rest import ONE, Aim, Rest, key_of, place_of

KIND = "finem-answer"
NONE = "none"  # in place of a gap where there is no second answer
LOST = Aim(most=False, lost=1)
AIMS = {
    "least p_lost": LOST,
    "most p_won": Aim(most=True, won=1),
    "least outbreaks": Aim(most=False, lost=4, outbreaks=1),
    **{
        f"most die:{suit}=1": Aim(most=True, dice=tuple(int(other == suit) for other in SUITS)) for suit in SUITS
    },
}  # fmt: skip
QUESTIONS = {"chance p_lost", "card p_lost", *(f"{form} {aim}" for form in ("plan", "decision") for aim in AIMS)}
DECISIONS = {"exchange": "", "resist": "7", "protect": "C"}  # the rank of the event that asks for it
MOST_STATES = 20_000  # of a phase of actions
RIDES = 4  # of a Dictator in a turn: each takes an action

Options = list[tuple[str, Fraction]]


def check_answer(lines: Lines, tables: list[Map]) -> str:
    """What a certificate of an answer proves, in a sentence."""
    start = read_start(lines, tables)
    form, _, aim = lines.field("question").partition(" ")
    asked = f"{form} {aim}"
    if asked not in QUESTIONS:
        raise lines.unreadable(f"expected plan or decision with one of {', '.join(AIMS)}, chance p_lost or card p_lost")
    trouble = cannot_occur(start) if form == "plan" else cannot_ask(form, start)
    if rules.collects(start):
        trouble = trouble or "a Tribune exchanges a card of the invasion, which is not covered"
    if form == "plan" and start.role == "dictator":
        trouble = trouble or "the plan of a Dictator is no list of actions"
    if trouble:
        lines.number -= 1
        raise lines.unreadable(f"this position cannot occur, or asks nothing of this kind: {trouble}")
    if form == "plan":
        answer = lines.field("answer")
        return compared(lines, asked, plans(lines, start, answer, AIMS[aim]), answer, AIMS[aim].most)
    if form == "decision":
        options = decisions(start, AIMS[aim])
        return compared(lines, asked, options, lines.field("answer"), AIMS[aim].most)
    rest = Rest(LOST)
    if form == "card":
        cards = [card for card in CARDS if AT[card] not in start.out]
        options = [(card, Fraction(rest.best(rules.after(start, card)), ONE)) for card in cards]
        return compared(lines, asked, options, lines.field("answer"), most=True)
    number = Fraction(rest.best(start), ONE)
    if not 0 < number < 1:
        raise lines.refuted(f"the chance is {number}, which asks nothing")
    return compared(lines, asked, [(str(number), number)], lines.field("answer"), most=True)


def compared(lines: Lines, asked: str, options: Options, answer: str, most: bool) -> str:
    """Hold the answer of the certificate, its number and the gap against what was worked out."""
    order = sorted(options, key=lambda option: option[1], reverse=most)
    best = order[0][1]
    numbers = dict(options)
    if answer not in numbers:
        raise lines.refuted("the answer is none of those that are possible")
    if numbers[answer] != best:
        raise lines.refuted(f"the answer has {numbers[answer]}, the best is {order[0][0]} with {best}")
    alone = asked.startswith("chance")
    if not alone and len(order) < 2:
        raise lines.refuted("there is nothing to find: all answers are the same")
    if not alone and order[1][1] == best:
        raise lines.refuted(f"there is a second answer: {next(name for name, _ in order[:2] if name != answer)}")
    if not alone and most and not best:
        raise lines.refuted("nothing reaches what is asked for")
    if lines.fraction(lines.field("number")) != best:
        raise lines.refuted(f"the number of the answer is {best}")
    gap = NONE if alone else str(abs(order[1][1] - best))
    if lines.field("gap") != gap:
        raise lines.refuted(f"the gap is {gap}")
    lines.end()
    then = "" if alone else f"; the next one differs by {gap}"
    return f"question '{asked}': the only answer is {answer}, {best}{then}"


def plans(lines: Lines, start: State, answer: str, aim: Aim) -> Options:
    """All situations in which the actions can end: one by the name of the answer, the others by some actions that lead there."""
    end = follow(lines, start, answer.split("; ") if answer != "pass" else [])
    ends: dict[object, tuple[str, rules.Next]] = {}
    waiting: list[tuple[State, tuple[str, ...]]] = [(start, ())]
    seen = {key_of(start)}
    for here, done in waiting:  # which grows
        for action in rules.choices(here):
            after = rules.after(here, action)
            way = done if action == "pass" else (*done, action)
            if isinstance(after, str) or after.step != "act":
                ends.setdefault(key_of(place_of(after)), ("; ".join(way) or "pass", after))
            elif key_of(after) not in seen:
                seen.add(key_of(after))
                waiting.append((after, way))
        if len(seen) > MOST_STATES:
            raise Unreadable(f"this phase has more than {MOST_STATES} states, too many to be counted here")
    ends[key_of(place_of(end))] = answer, end
    rest = Rest(aim)
    return [(name, Fraction(rest.best(after), ONE)) for name, after in ends.values()]


def decisions(start: State, aim: Aim) -> Options:
    """All options of a decision."""
    rest = Rest(aim)
    return [(word, Fraction(rest.best(rules.after(start, word)), ONE)) for word in rules.choices(start)]


# -- positions in the middle of a turn ---------------------------------------------------------------------------------


def cannot_ask(form: str, state: State) -> str:
    """Why this is no position in which a decision is taken, or an invasion goes on; empty if it may be one."""
    if state.step not in (DECISIONS if form == "decision" else ("invade",)):
        return f"the step is {state.step}"
    if trouble := open_game(state):
        return trouble
    if state.card >= 0 or state.quiet or state.travels or (state.exchanged and state.role != "tribune"):
        return "the marks of other steps stand there"
    has_named = state.step == "invade" and state.rules.readings["E-EVENT"] == "three-suits"
    if state.protected >= 0 and not (has_named and any(CARDS[card][1] == "C" for card in state.out)):
        return "a region is protected without its event"
    return wrong_cards(state)


def wrong_cards(state: State) -> str:
    """Why these cards cannot be out or in the hand at this step; empty if they can."""
    number, hand = len(state.out), state.hand
    ridden = RIDES if state.role == "dictator" else 0  # cards that he has drawn in his actions, at most
    if state.step == "invade":
        most = rules.cards_of_invasion(state)
        if hand or not 1 <= state.left <= most:
            return "the invasion has other cards"
        least = 3 + state.exchanged + most - state.left
        extra = number - least - (state.protected in state.out) - ridden
        return "" if least <= number and extra <= 2 else "so many cards cannot be out"
    if state.left or len(hand) != 3 or not state.out.issuperset(hand) or hand != rules.ordered(state, hand):
        return "a campaign has three cards, which are out"
    rank, others = DECISIONS[state.step], [CARDS[card] for card in state.out.difference(hand)]
    if not 0 <= len(others) - state.exchanged - (rank != "") <= ridden:
        return "so many cards cannot be out"
    if not rank:
        return "" if rules.may_exchange(state, "campaign") else "nobody exchanges a card"
    if rank not in [card[1] for card in others] or len({card // 6 for card in hand}) < 3:
        return "no event asks for it"
    if state.rules.readings["E-EVENT"] != "three-suits":
        return "no event comes"
    return "the cards have raised the dice before this event" if has_not_risen(state) else ""


def has_not_risen(state: State) -> bool:
    """Whether a die that the cards of the hand have raised stands at 1, and no point can have been taken off it again."""
    readings = state.rules.readings
    dice_first = readings["E-ORDER"] == "dice-first" or readings["E-WHEN"] == "after"
    if state.rules.level != "introductory" and (readings["E-LIMIT"] != "once" or sum(state.dice) >= 11):
        return False
    return dice_first and any(state.dice[card // 6] == 1 and not state.pacified[card // 6] for card in state.hand)
