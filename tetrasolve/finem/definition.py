"""The definition of the game for the registry of games (`tetrasolve.games`)."""

from __future__ import annotations

from tetrasolve.games import Command, GameDefinition

GAME = GameDefinition(
    name="et-finem",
    about="""Plays and verifies games of Et finem Imperii Romani.

A POSITION is a file, - for standard input, a one-line notation in quotes, a level like standard with --seed, or the
name of an example (dictator, limit, peril).""",
    notation="tetrasolve.finem.parts:NOTATION",
    play="tetrasolve.finem.parts:PLAY",
    claims="tetrasolve.finem.facts.families:CLAIMS",
    subject="tetrasolve.finem.facts.subject:read_subject",
    questions="tetrasolve.finem.service.engine",
    messages="tetrasolve.finem.service.engine:schema",
    picture="tetrasolve.finem.parts:picture",
    page="tetrasolve.finem.webpage:PAGE",
    commands={
        "analyse": Command("tetrasolve.cli.analyse:command", "Answer requests in JSON lines, for services."),
        "board": Command("tetrasolve.finem.cli.board:command", "Show and draw the map."),
        "certify": Command(
            "tetrasolve.finem.cli.certify:command", "Write a certificate that the actions of a turn are the best."
        ),
        "check": Command("tetrasolve.cli.check:command", "Check certificates with the stand-alone checker."),
        "facts": Command("tetrasolve.cli.facts:command", "List, show, prove and check facts about the rules."),
        "hint": Command("tetrasolve.finem.cli.hint:command", "Suggest the best plans for a turn, with reasons."),
        "lint": Command(
            "tetrasolve.finem.cli.lint:command",
            "Show where readings of the rules differ, and the questions to the author.",
        ),
        "new": Command("tetrasolve.finem.cli.new:command", "Set up a game."),
        "perft": Command("tetrasolve.finem.cli.perft:command", "Count the sequences of actions of a turn."),
        "plan": Command("tetrasolve.finem.cli.plan:command", "The best actions of a turn for an objective."),
        "play": Command("tetrasolve.finem.cli.play:command", "Play a game in the terminal."),
        "puzzle": Command("tetrasolve.finem.cli.puzzle:command", "Make, check and solve puzzles with one answer."),
        "replay": Command("tetrasolve.finem.cli.replay:command", "Verify a game record with the reference rules."),
        "review": Command("tetrasolve.finem.cli.review:command", "Review a game: separate luck from skill."),
        "risk": Command(
            "tetrasolve.finem.cli.risk:command", "How the turn or its phase ends for a stated policy: exact chances."
        ),
        "rules": Command("tetrasolve.finem.cli.rules:command", "List the levels, options and readings of the rules."),
        "serve": Command("tetrasolve.cli.serve:command", "Answer requests over HTTP."),
        "show": Command("tetrasolve.finem.cli.show:command", "Print, draw or convert a position."),
    },
)
