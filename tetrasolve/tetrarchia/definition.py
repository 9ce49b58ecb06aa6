"""The game as the rest of the library knows it: see `tetrasolve.games`."""

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
    questions="tetrasolve.tetrarchia.hint.service",
    picture="tetrasolve.tetrarchia.parts:picture",
    commands={
        "analyse": Command("tetrasolve.cli.analyse:command", "Answer requests in JSON lines, for services."),
        "bench": Command(
            "tetrasolve.tetrarchia.cli.bench:command", "Measure the kernel, or print the signature of its behaviour."
        ),
        "board": Command("tetrasolve.tetrarchia.cli.board:command", "The map: show, check, doubt, draw."),
        "campaign": Command(
            "tetrasolve.tetrarchia.cli.campaign:command", "The fewest turns to a goal: several turns in a row."
        ),
        "certify": Command(
            "tetrasolve.tetrarchia.cli.certify:command", "Prove that no turn plan is better, for others to check."
        ),
        "check": Command(
            "tetrasolve.cli.check:command", "Check certificates, by a program that shares nothing with this one."
        ),
        "ends": Command(
            "tetrasolve.tetrarchia.cli.ends:command", "Count the positions in which the Emperor may end his turn."
        ),
        "facts": Command("tetrasolve.cli.facts:command", "Facts about the rules: listed, shown, proved, checked."),
        "fight": Command(
            "tetrasolve.tetrarchia.cli.fight:command", "Attack or wait, from where, with whom: exact chances."
        ),
        "hint": Command("tetrasolve.tetrarchia.cli.hint:command", "The best plans for a turn, and why."),
        "new": Command("tetrasolve.tetrarchia.cli.new:command", "Set up a game."),
        "perft": Command("tetrasolve.tetrarchia.cli.perft:command", "Count the sequences of actions of a Roman phase."),
        "plan": Command("tetrasolve.tetrarchia.cli.plan:command", "An optimal turn plan."),
        "play": Command("tetrasolve.tetrarchia.cli.play:command", "Play a game in the terminal."),
        "replay": Command("tetrasolve.tetrarchia.cli.replay:command", "Verify a game record."),
        "review": Command("tetrasolve.tetrarchia.cli.review:command", "A game looked through: luck and skill apart."),
        "risk": Command("tetrasolve.tetrarchia.cli.risk:command", "What the coming Barbarian phase can do, exactly."),
        "rules": Command("tetrasolve.tetrarchia.cli.rules:command", "The levels and the readings of the rules."),
        "show": Command("tetrasolve.tetrarchia.cli.show:command", "Show a position, and why it cannot occur."),
    },
)
