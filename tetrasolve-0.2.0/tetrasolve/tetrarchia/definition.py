"""The definition of the game for the registry of games (`tetrasolve.games`)."""

from __future__ import annotations

from tetrasolve.games import Command, GameDefinition

GAME = GameDefinition(
    name="tetrarchia",
    about="""Proves things about the board game Tetrarchia.

A POSITION is a file, - for standard input, a one-line notation in quotes, a level like 4211 with --seed, or the
name of an example (ambush, fight, movement).""",
    notation="tetrasolve.tetrarchia.parts:NOTATION",
    play="tetrasolve.tetrarchia.parts:PLAY",
    claims="tetrasolve.tetrarchia.facts.families:CLAIMS",
    subject="tetrasolve.tetrarchia.facts.subject:read_subject",
    questions="tetrasolve.tetrarchia.service.engine",
    messages="tetrasolve.tetrarchia.service.engine:schema",
    picture="tetrasolve.tetrarchia.parts:picture",
    page="tetrasolve.tetrarchia.webpage:PAGE",
    commands={
        "analyse": Command("tetrasolve.cli.analyse:command", "Answer requests in JSON lines, for services."),
        "bench": Command(
            "tetrasolve.tetrarchia.cli.bench:command", "Measure the kernel, or print the signature of its behaviour."
        ),
        "board": Command(
            "tetrasolve.tetrarchia.cli.board:command", "Show, check and draw the map, and rank its uncertain rows."
        ),
        "campaign": Command(
            "tetrasolve.tetrarchia.cli.campaign:command", "Plan several turns in a row: the fewest turns to a goal."
        ),
        "certify": Command(
            "tetrasolve.tetrarchia.cli.certify:command", "Write a certificate that no turn plan is better."
        ),
        "check": Command("tetrasolve.cli.check:command", "Check certificates with the stand-alone checker."),
        "ends": Command(
            "tetrasolve.tetrarchia.cli.ends:command", "Count the positions in which the Emperor may end his turn."
        ),
        "facts": Command("tetrasolve.cli.facts:command", "List, show, prove and check facts about the rules."),
        "fight": Command(
            "tetrasolve.tetrarchia.cli.fight:command", "Compare attacks on an army with waiting: exact chances."
        ),
        "hint": Command("tetrasolve.tetrarchia.cli.hint:command", "Suggest the best plans for a turn, with reasons."),
        "lint": Command(
            "tetrasolve.tetrarchia.cli.lint:command",
            "Show the smallest positions in which readings of the rules differ.",
        ),
        "new": Command("tetrasolve.tetrarchia.cli.new:command", "Set up a game."),
        "perft": Command("tetrasolve.tetrarchia.cli.perft:command", "Count the sequences of actions of a Roman phase."),
        "plan": Command("tetrasolve.tetrarchia.cli.plan:command", "Find an optimal turn plan."),
        "play": Command("tetrasolve.tetrarchia.cli.play:command", "Play a game in the terminal."),
        "puzzle": Command("tetrasolve.tetrarchia.cli.puzzle:command", "Make, check and solve puzzles with one answer."),
        "replay": Command("tetrasolve.tetrarchia.cli.replay:command", "Verify a game record."),
        "review": Command("tetrasolve.tetrarchia.cli.review:command", "Review a game: separate luck from skill."),
        "risk": Command(
            "tetrasolve.tetrarchia.cli.risk:command", "Compute the exact risk of the coming Barbarian phase."
        ),
        "rules": Command("tetrasolve.tetrarchia.cli.rules:command", "List the levels and the readings of the rules."),
        "scenario": Command(
            "tetrasolve.tetrarchia.cli.scenario:command",
            "Measure how often policies win from a set-up; make one of a wanted win rate.",
        ),
        "serve": Command("tetrasolve.cli.serve:command", "Answer requests over HTTP."),
        "show": Command("tetrasolve.tetrarchia.cli.show:command", "Show a position, and why it cannot occur."),
    },
)
