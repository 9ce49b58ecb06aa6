"""The registry of rule modules, and the rule modules in use in a position.

Each registers itself with the decorator `register`; `tetrasolve.tetrarchia.rules.modules` imports every file of its folder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TypeVar

from tetrasolve.tetrarchia.pieces import NO_PIECES
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.hooks import (
    AdvanceRules,
    CombatRules,
    Decisions,
    OwnActions,
    RevoltRules,
    RomanRules,
    RuleModule,
    SeaRules,
    SetUpRules,
    TurnRules,
)
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

M = TypeVar("M", bound=RuleModule)
H = TypeVar("H", bound=RuleModule)

_registered: dict[str, RuleModule] = {}


@dataclass(frozen=True, slots=True)
class RuleModules:
    """The rule modules in use, by the parts of the rules that they change; each part in the order of the rulebook."""

    set_up: tuple[SetUpRules, ...] = ()
    sea: tuple[SeaRules, ...] = ()
    actions: tuple[OwnActions, ...] = ()
    roman: tuple[RomanRules, ...] = ()
    combat: tuple[CombatRules, ...] = ()
    revolts: tuple[RevoltRules, ...] = ()
    advance: tuple[AdvanceRules, ...] = ()
    decisions: tuple[Decisions, ...] = ()
    turns: tuple[TurnRules, ...] = ()

    def all(self) -> frozenset[RuleModule]:
        """All of these rule modules."""
        return frozenset(module for part in fields(self) for module in getattr(self, part.name))


NONE = RuleModules()  # the base game


def register(name: str) -> Callable[[type[M]], type[M]]:
    """A class decorator: register the class as the rule module of the module, variant or piece with this name.

    :raises ValueError: when the name is registered already.
    """

    def registered(module: type[M]) -> type[M]:
        if name in _registered:
            raise ValueError(f"{name} is registered twice: {type(_registered[name]).__name__}, {module.__name__}")
        _registered[name] = module()
        return module

    return registered


def registered() -> tuple[str, ...]:
    """The names of all rule modules, in the order of the rulebook: modules, variants, then those of scenarios."""
    order = (*MODULES, *VARIANTS)
    return tuple(sorted(_registered, key=lambda name: (order.index(name) if name in order else len(order), name)))


def rule_modules(position: Position) -> RuleModules:
    """The rule modules in use in a position."""
    if position.pieces is NO_PIECES and not position.ruleset.extensions:
        return NONE
    return _in_use(position.rules_in_use)


# Rule p04-base-game, p12-modules, p14-variants
def rule_modules_of(ruleset: Ruleset) -> RuleModules:
    """The rule modules of a ruleset."""
    return _in_use(ruleset.extensions)


@lru_cache(maxsize=256)
def _in_use(names: frozenset[str]) -> RuleModules:
    missing = sorted(names.difference(_registered))
    if missing:
        raise LookupError(f"no rule module is registered for {', '.join(missing)}")
    modules = [_registered[name] for name in registered() if name in names]

    def those(part: type[H]) -> tuple[H, ...]:
        return tuple(module for module in modules if isinstance(module, part))

    return RuleModules(
        set_up=those(SetUpRules),
        sea=those(SeaRules),
        actions=those(OwnActions),  # type: ignore[type-abstract]  # only for isinstance
        roman=those(RomanRules),
        combat=those(CombatRules),
        revolts=those(RevoltRules),
        advance=those(AdvanceRules),
        decisions=those(Decisions),
        turns=those(TurnRules),
    )
