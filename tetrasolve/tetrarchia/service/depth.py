"""How deep the answers of the engine are: what is exact or proved never changes, an opinion may become deeper.

A hint is an opinion, however long it took: with more time it examines more turns. The risk of a phase in fractions is exact, and
so is a plan with its proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tetrasolve.analysis.depth import FINAL, Depth
from tetrasolve.analysis.several import COMPLETE, is_complete

PROVED = frozenset({"optimal_proved", "infeasible_proved"})
A_PHASE = 10**8  # one more phase that is solved counts for more than all runs there may be

Result = Mapping[str, Any]


def depth(kind: str, result: Result) -> Depth | None:
    """The depth of an answer to this kind of request; None where it is not worth to be kept.

    >>> depth("risk", {"status": "complete", "kind": "exact"})
    Depth(is_final=True, whole=0, work=0)
    >>> depth("hint", {"status": "complete", "nodes": {"turns": 90, "phases": 4000}})
    Depth(is_final=False, whole=1, work=4090)
    """
    measure = MEASURES.get(kind)
    return None if measure is None else measure(result)


def _proof(result: Result) -> Depth | None:
    """A plan with its proof, or without; nothing is kept of a search that found none."""
    if result["status"] in PROVED:
        return FINAL
    return Depth(work=_count(result.get("nodes"))) if result["status"] == "feasible" else None


def _exact(result: Result) -> Depth:
    """What is exact once it is complete."""
    return FINAL if result["status"] == COMPLETE else Depth()


def _risk(result: Result) -> Depth:
    is_whole = result["status"] == COMPLETE
    if "phases" not in result:
        return FINAL if is_whole and result["kind"] == "exact" else Depth(whole=int(is_whole))
    solved = sum(_is_solved(phase) for phase in result["phases"])
    if is_whole and solved == len(result["phases"]):
        return FINAL
    return Depth(whole=int(is_whole), work=A_PHASE * solved + _count(result.get("runs")))


def _is_solved(phase: Result) -> bool:
    """Whether a phase of a horizon has fractions."""
    if "method" in phase:
        return bool(phase["method"] == "fractions")
    return bool(phase["lost_so_far"]["kind"] == "exact")


def _whole(result: Result) -> Depth | None:
    """Final once it is complete; a part of it is not kept."""
    return FINAL if result["status"] == COMPLETE else None


def _hint(result: Result) -> Depth:
    nodes = result.get("nodes", result)  # advice on a choice has its phases beside its options
    return Depth(whole=int(result["status"] == COMPLETE), work=_count(nodes.get("turns")) + _count(nodes.get("phases")))


def _review(result: Result) -> Depth:
    return Depth(
        whole=int(result["status"] == COMPLETE), work=len(result["turns"]) + len(result.get("phase_decisions", ()))
    )


def _survey(result: Result) -> Depth:
    answers = [(name, {"result": found}) for name, found in result["parts"].items()]
    return _several([*answers, *((name, {"error": found}) for name, found in result["refused"].items())], result)


def _batch(result: Result) -> Depth:
    return _several([(result["of"], entry) for entry in result["answers"] if entry is not None], result)


def _several(answers: Iterable[tuple[str, Result]], result: Result) -> Depth:
    """Of answers to several requests: final where each of them is."""
    whole = work = 0
    is_final = result["status"] == COMPLETE
    for kind, entry in answers:
        whole += is_complete(entry)
        found = depth(kind, entry["result"]) if "result" in entry else None
        if found is not None:
            is_final = is_final and found.is_final
            work += found.work
    return FINAL if is_final else Depth(whole=whole, work=work)


def _count(found: object) -> int:
    return found if isinstance(found, int) else 0


MEASURES: Mapping[str, Callable[[Result], Depth | None]] = {
    "plan": _proof, "campaign": _proof, "fight": _exact, "risk": _risk, "hint": _hint, "review": _review,
    "board_facts": _whole, "survey": _survey, "batch": _batch, "puzzle_check": lambda _: FINAL,
}  # fmt: skip
