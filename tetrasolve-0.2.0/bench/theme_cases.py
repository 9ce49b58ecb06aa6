"""Turns to be read by hand for the themes of puzzles: with and without a theme, in one order, without what the rules say.

    python bench/theme_cases.py draw --seed 1 --out cases.json
    python bench/theme_cases.py print cases.json --theme quiet-move
    python bench/theme_cases.py judge cases.json verdicts.txt

`draw` collects lines of play from three sources: the best plan for a small question (an army and then its province, two armies,
one province after a revolt), turns of games by greedy Emperors, and turns at random from the same positions; with
`--constructed` they begin at positions made at random for battles. Of each theme it takes as many that the rule finds as the
tests still need, and a few that it does not find though they have the same kinds of actions. `print` shows position and line
only. `judge` reads a line for each case, its number, ``yes`` or ``no`` and what was seen, and writes them as rows of
tests/puzzles/data/hand-read-lines.csv; only then are they compared (tests/puzzles/test_themes.py).
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan.graph import has_at_most
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.puzzle.lines import Line, line_of, lines, read_actions
from tetrasolve.tetrarchia.puzzle.making import greedy_turns
from tetrasolve.tetrarchia.puzzle.themes import DECOY, has_theme, themes
from tetrasolve.tetrarchia.puzzle.unique import unique
from tetrasolve.tetrarchia.ruleset import Ruleset

TABLES = ("4211", "4222", "3111+dux", "5122", "3221", "4111", "4211+vicarius", "4222+pirates", "3122+via-romana")
LINES = Path(__file__).parents[1] / "tests" / "puzzles" / "data" / "hand-read-lines.csv"
COLUMNS = ("theme", "position", "actions", "source", "verdict", "reason")
TURNS = 8  # of a game
MOST_STATES = 1_200  # of a turn whose best plan is looked for
OF_A_TURN = 1  # cases of a theme from one turn
AT_RANDOM = 0.2  # share of the turns at random that is taken
NEEDED, SPARE = 30, 2  # cases of a theme with a rule's yes
STOPS = 0.12  # chance that random play ends the turn where it may
MOST_STEPS = 9  # of a line
# what a line without the theme has to have, so that it is worth reading
NEAR = {
    "sacrifice": (Kind.ATTACK,),
    "fleet-first": (Kind.SAIL, Kind.MOVE),
    "return": (),
    "joined-chain": (Kind.SECURE, Kind.ATTACK),
    "helping-hand": (),
    "quiet-move": (Kind.MOVE, Kind.SECURE),
    "switchback": (Kind.MOVE,),
    "other-way": (Kind.ATTACK,),
    "subdue-before-secure": (Kind.REMOVE, Kind.SECURE),
    "waiting": (),
    "supporter-first": (Kind.ATTACK,),
    "consolidation": (Kind.ATTACK, Kind.SECURE),
    "second-attempt": (Kind.ATTACK,),
    "two-battles": (Kind.ATTACK,),
}
RARE = ("joined-chain", "supporter-first", "two-battles")
ATTACKS = {
    "supporter-first": 2,
    "second-attempt": 2,
    "two-battles": 2,
    "other-way": 1,
}  # at least, in a line without it


def played(seed: int, stream: random.Random) -> Iterator[tuple[str, int, Line]]:
    """Lines with their source and a number of the turn they are from."""
    turn = 0
    for game in count():
        level = TABLES[game % len(TABLES)]
        name = f"themes {seed} {game}"
        start = [(f"{level}, game {game}", name, new_game(Ruleset.from_text(level), name))]
        for found in greedy_turns(start, TURNS):
            turn += 1
            yield f"greedy, {found.source}", turn, found.line
            position = found.position
            for _ in range(6):
                yield f"random, {found.source}", turn, at_random(position, stream)
            for text in asked(position, stream):
                try:
                    if not has_at_most(position, MOST_STATES):
                        break
                    plan = unique(position, text).plan
                except TetrasolveError:
                    continue
                for line in lines(position, plan):
                    yield f"best for '{text}', {found.source}", turn, line


def constructed(seed: int, stream: random.Random) -> Iterator[tuple[str, int, Line]]:
    """The same from positions made at random: an Emperor beside one or two armies, with garrisons around him."""
    board = Board.standard()
    ruleset = Ruleset.from_text("4211")
    for turn in count(10**6):
        here = stream.choice([place for place in board.provinces if not board[place].is_border])
        near = sorted(set(board.neighbours(here)) - {board.roma})
        armies = stream.sample(near, min(len(near), 1 + (turn % 3 > 0)))
        places = stream.sample(sorted(set(near) - {*armies} | {here}), min(2, len(set(near) - {*armies}) + 1))
        discs: dict[str, str] = dict.fromkeys(places, "diocletian") if turn % 4 else {here: UNREST_DISC}
        discs |= {army: REVOLT_DISC for army in armies if not board[army].is_border and stream.random() < 0.5}
        position = Position(
            board=board,
            ruleset=ruleset,
            to_move="diocletian",
            phase=Phase.ROMAN,
            ip=stream.randint(3, 5),
            emperors={"diocletian": here},
            fleets=(2, 3),
            armies=tuple(armies),
            discs=discs,
        )
        if position.status():
            continue
        for text in asked(position, stream):
            if has_at_most(position, MOST_STATES):
                for line in lines(position, unique(position, text).plan):
                    yield f"best for '{text}', constructed {seed} {turn - 10**6}", turn, line
        yield f"random, constructed {seed} {turn - 10**6}", turn, at_random(position, stream)


def asked(position: Position, stream: random.Random) -> list[str]:
    """Questions whose answers have more than one step."""
    armies, unrest = list(position.armies), [p for p in position.discs if not position.has_garrison(p)]
    texts = [f"kill {army} then secure {army}" for army in armies]
    texts += [f"kill {one} then kill {other}" for one in armies for other in armies if one != other]
    texts += [f"secure {place}" for place in unrest]
    return stream.sample(texts, min(3, len(texts)))


def at_random(position: Position, stream: random.Random) -> Line:
    """A turn of legal actions at random."""
    now, actions = position, list[Action]()
    while isinstance(now, Position) and now.phase is Phase.ROMAN and not now.is_won and len(actions) < MOST_STEPS:
        legal = [action for action in rules.legal_actions(now) if action != END]
        if not legal or (rules.may_end(now) and stream.random() < STOPS):
            break
        kinds = sorted({action.kind for action in legal})
        kind = stream.choice(kinds)  # else nearly all are moves
        actions.append(stream.choice([action for action in legal if action.kind == kind]))
        now = rules.play(now, actions[-1])  # type: ignore[assignment]  # a fall ends the loop
    return line_of(position, actions)


def is_near(theme: str, line: Line) -> bool:
    """Whether a line without the theme is worth reading."""
    kinds = Counter(step.action.kind for step in line.steps)
    if any(not kinds[kind] for kind in NEAR[theme]) or kinds[Kind.ATTACK] < ATTACKS.get(theme, 0):
        return False
    match theme:
        case "sacrifice":
            return any(step.is_attack(Outcome.DEFEAT) for step in line.steps)
        case "return":
            return bool(line.steps)
        case "waiting":
            return line.ip <= 1
        case "switchback":
            return kinds[Kind.MOVE] > 1
        case "helping-hand":
            return bool(line.steps) and len(line.start.romans) > 1
        case "second-attempt" | "other-way":
            return any(step.is_attack(Outcome.DRAW) for step in line.steps)
    return True


def draw(seed: int, wanted: dict[str, int], without: int, seconds: float, *, made: bool) -> list[dict[str, Any]]:
    """Cases of the wanted themes in a random order."""
    stream, end = random.Random(f"themes {seed}"), time.monotonic() + seconds
    have: dict[tuple[str, bool], list[dict[str, Any]]] = defaultdict(list)
    turns: set[tuple[str, bool, int]] = set()
    seen = {(row["theme"], row["position"], row["actions"]) for row in read_lines()}
    for source, turn, line in (constructed if made else played)(seed, stream):
        if not line.steps and line.start.ip == 0:
            continue
        for theme, most in wanted.items():
            has = has_theme(theme, [line])
            room = most if has else without
            if len(have[theme, has]) >= room or (theme, has, turn) in turns or not (has or is_near(theme, line)):
                continue
            if source.startswith("random") and theme not in RARE and stream.random() > AT_RANDOM:
                continue
            if not has and stream.random() < 0.7:  # not all from the first games
                continue
            case = (theme, str(line.start), "; ".join(str(step.action) for step in line.steps))
            if case in seen:
                continue
            seen.add(case)
            turns.add((theme, has, turn))
            have[theme, has].append(dict(zip(("theme", "position", "actions"), case, strict=True)) | {"source": source})
        if time.monotonic() > end or all(len(have[theme, True]) >= most for theme, most in wanted.items()):
            break
    print({theme: (len(have[theme, True]), len(have[theme, False])) for theme in wanted}, file=sys.stderr)
    cases = [case for rows in have.values() for case in rows]
    stream.shuffle(cases)
    return cases


def read_lines() -> list[dict[str, str]]:
    """The cases that were read."""
    if not LINES.exists():
        return []
    with LINES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def shown(case: dict[str, Any]) -> str:
    """A case as it is read: the position, and each step with its IP and where the figure is."""
    position = read_position(case["position"])
    line = (
        line_of(position, read_actions(case["actions"], position.board)) if case["actions"] else line_of(position, ())
    )
    figures = " ".join(f"{name}@{position.place_of(name) or '-'}" for name in position.romans)
    steps = []
    for step in line.steps:
        origin = step.before.place_of(step.figure) or "outside"
        steps.append(f"[{step.figure[:4]}@{origin}] {step.action} ({step.ip})")
    touched = {step.action.place for step in line.steps} | {step.origin for step in line.steps}
    board = position.board
    places = sorted(place for place in touched if place in board.provinces)
    discs = " ".join(f"{place}:{position.discs[place]}" for place in places if place in position.discs)
    text = f"{position.to_move} ip {position.ip}; {figures}; armies {' '.join(position.armies) or '-'}; discs {discs or '-'}"
    if case["theme"] in ("joined-chain", "supporter-first"):
        own = sorted(position.own_discs(position.to_move))  # printed ones, too
        near = {*places, *own, *position.armies} if case["theme"] == "joined-chain" else {*places, *position.armies}
        links = {
            "-".join(sorted((p, other)[:2])) + ("*" if link.broken else "")
            for p in near
            for other, link in board.neighbours(p).items()
            if other in near
        }
        text += f"; own discs {' '.join(own) or '-'}; links {' '.join(sorted(links))}"
    if case["theme"] == "sacrifice":
        text += f"; garrisons {' '.join(f'{p}:{d[:3]}' for p, d in position.discs.items() if position.has_garrison(p))}"
    if case["theme"] == "fleet-first":
        zones = " ".join(f"{p}:{','.join(map(str, sorted(board[p].zones))) or '-'}" for p in places)
        text += f"; fleets in {position.fleets}; zones {zones}; near zones {sorted(map(sorted, board.adjacent_zones))}"
        links = {
            "-".join(sorted((p, o))) + ("*" if link.broken else "")
            for p in places
            for o, link in board.neighbours(p).items()
            if o in places
        }
        text += f"; links {' '.join(sorted(links)) or '-'}"
    if case["theme"] == "waiting" and isinstance(line.end, Position):
        costs = sorted({f"{a.kind}:{rules.cost(line.end, a)}" for a in rules.legal_actions(line.end)})
        text += f"; legal at the end, with IP: {' '.join(costs) or 'nothing'}"
    return f"{text} || {' ; '.join(steps) or '(nothing)'}"


def main() -> int:
    """Draw, print or judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument("--out", type=Path, required=True)
    drawing.add_argument("--without", type=int, default=6, help="cases that it does not find")
    drawing.add_argument("--seconds", type=float, default=600)
    drawing.add_argument("--constructed", action="store_true", help="from positions that are made for battles")
    drawing.add_argument("--theme", action="append", choices=[name for name in themes() if name != DECOY])
    printing = commands.add_parser("print")
    printing.add_argument("cases", type=Path)
    printing.add_argument("--theme", required=True)
    judging = commands.add_parser("judge")
    judging.add_argument("cases", type=Path)
    judging.add_argument("verdicts", type=Path)
    options = parser.parse_args()
    if options.command == "draw":
        with (LINES.parent / "hand-read-themes.csv").open(encoding="utf-8") as file:
            read = Counter(row["theme"] for row in csv.DictReader(file))
        read += Counter(row["theme"] for row in read_lines() if row["verdict"] == "yes")
        wanted = {name: NEEDED + SPARE - read[name] for name in options.theme or NEAR}
        cases = draw(options.seed, wanted, options.without, options.seconds, made=options.constructed)
        options.out.write_text(json.dumps(cases, indent=1) + "\n", "utf-8")
        return 0
    cases = json.loads(options.cases.read_text("utf-8"))
    if options.command == "print":
        for number, case in enumerate(cases):
            if case["theme"] == options.theme:
                print(f"{number} {shown(case)}")
        return 0
    rows = read_lines()
    known = {(row["theme"], row["position"], row["actions"]) for row in rows}
    for text in filter(None, options.verdicts.read_text("utf-8").splitlines()):
        number, verdict, reason = text.split(" ", 2)
        case = cases[int(number)]
        if verdict not in ("yes", "no"):
            parser.error(f"verdicts: {text!r}: expected a number, yes or no, and what was seen")
        key = (case["theme"], case["position"], case["actions"])
        if key not in known:
            known.add(key)
            rows.append({**case, "verdict": verdict, "reason": reason})
    order = list(themes())
    rows.sort(key=lambda row: (order.index(row["theme"]), row["position"], row["actions"]))
    with LINES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
