"""Rule modules: the base game names none of them, every hook is called and used, and each file registers its own."""

import ast
import inspect
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import pytest
from moduletable import extended
from tabletop import make_position

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.rules import hooks, modules, registry
from tetrasolve.tetrarchia.rules.hooks import RuleModule, SeaRules
from tetrasolve.tetrarchia.rules.registry import NONE, register, rule_modules, rule_modules_of
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

BASE = [file.name for file in iter_modules(rules.__path__) if file.name != "modules"]
# A scenario is data and a set-up that places the figures of modules; the base game has none
PHASES = [name for name in BASE if name != "scenario"]
FILES = [file.name for file in iter_modules(modules.__path__)]
PARTS = [part for _, part in inspect.getmembers(hooks, inspect.isclass) if RuleModule in part.__bases__]
HOOKS = [name for part in PARTS for name, _ in inspect.getmembers(part, inspect.isfunction)]


@cache
def source(name):
    return ast.parse(inspect.getsource(import_module(f"tetrasolve.tetrarchia.rules.{name}")))


@pytest.mark.program
@pytest.mark.parametrize("file", BASE)
def test_the_base_game_imports_no_rule_module(file):
    """It asks the rule modules in use, whichever they are."""
    imported = {node.module or "" for node in ast.walk(source(file)) if isinstance(node, ast.ImportFrom)}
    names = {
        alias.name
        for node in ast.walk(source(file))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }

    assert not {part for module in imported for part in module.split(".")} & {*FILES, "modules"}
    assert not names & {*FILES, "modules"}


@pytest.mark.program
@pytest.mark.parametrize("file", PHASES)
def test_the_base_game_names_no_rule_module(file):
    """No name of a module or variant is a constant of its code."""
    texts = {node.value for node in ast.walk(source(file)) if isinstance(node, ast.Constant)}

    assert not texts & {*MODULES, *VARIANTS, "rebels", "glory"}


@pytest.mark.program
@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_called_and_used(hook):
    """The base game calls it somewhere, and some rule module overrides it."""
    called = {node.attr for name in PHASES for node in ast.walk(source(name)) if isinstance(node, ast.Attribute)}
    overridden = {
        node.name for file in FILES for node in ast.walk(source(f"modules.{file}")) if isinstance(node, ast.FunctionDef)
    }

    assert hook in called
    assert hook in overridden


@pytest.mark.program
@pytest.mark.parametrize("name", registry.registered())
def test_a_rule_module_inherits_the_parts_it_changes_and_no_others(name):
    """A part of which it overrides nothing would be asked for nothing."""
    module = type(registry._registered[name])

    parts = [part for part in PARTS if issubclass(module, part)]
    assert parts == [part for part in PARTS if {*vars(module)} & {*vars(part)} - {"__module__", "__doc__"}]


@pytest.mark.rule("p04-base-game")
def test_the_base_game_has_no_rule_modules():
    """With nothing in use nobody is asked."""
    assert rule_modules(make_position()) is NONE
    assert rule_modules_of(Ruleset()) == NONE
    assert NONE.all() == frozenset()


@pytest.mark.rule("p12-modules", "p14-variants")
@pytest.mark.parametrize("name", [*MODULES, *VARIANTS])
def test_each_module_has_one_rule_module(name):
    """It is there when the module is in use."""
    assert len(rule_modules(extended(name)).all()) == 1


@pytest.mark.program
def test_rebels_have_their_rule_module_while_there_are_some():
    """They are no switch of the ruleset: the position says whether they are there."""
    war = rules.rolled_scenario("mauretanian-war", 1).position

    assert len(rule_modules(war).all()) == 1
    assert rule_modules(war.with_army("gaetulia", None)) is NONE


@pytest.mark.program
def test_every_file_registers_one_rule_module():
    """No list names them all: a file in the folder is enough, and its module comes in the order of the rulebook."""
    assert len(registry.registered()) == len(FILES)
    assert registry.registered() == (*MODULES, *VARIANTS, "rebels")


@pytest.mark.program
def test_two_rule_modules_with_one_name_are_refused():
    with pytest.raises(ValueError, match="goths is registered twice: Goths, Others"):

        @register("goths")
        class Others(SeaRules):
            pass


@pytest.mark.program
def test_a_name_without_rule_module_is_an_error(monkeypatch):
    """Rules that are asked for and do not exist are not left out silently."""
    monkeypatch.delitem(registry._registered, "goths")
    registry._in_use.cache_clear()
    try:
        with pytest.raises(LookupError, match="no rule module is registered for goths"):
            rule_modules_of(Ruleset.from_text("4211+dux+goths"))
    finally:
        registry._in_use.cache_clear()
