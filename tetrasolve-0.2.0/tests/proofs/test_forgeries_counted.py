"""How many false claims made by hand there are: at least three a kind of facts, and twenty a form of proof."""

from __future__ import annotations

import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
COUNTED, STATED, LISTED = map(import_module, ("test_forgeries_facts", "test_forged_statements", "test_forged_families"))
FORM_OF, FORMS = (getattr(import_module("forms"), name) for name in ("FORM_OF", "FORMS"))

CLAIMED = [
    *(row[0] for row in COUNTED.COUNTED),
    *(row.fact for row in COUNTED.FORGERIES),
    *(fact for fact, _, _ in STATED.FALSE),
    *(fact for fact, _, _ in LISTED.ROWS),
    *(name.split(":")[0] for name in LISTED.LISTED),  # a name begins with the kind
]
KINDS = Counter(fact.partition("/")[0] for fact in CLAIMED)


def test_each_kind_has_three_false_claims() -> None:
    assert set(KINDS) == set(FORM_OF)
    assert {kind: number for kind, number in KINDS.items() if number < 3} == {}


def test_each_form_of_proof_has_twenty_false_claims() -> None:
    forms = Counter(FORM_OF[fact.partition("/")[0]] for fact in CLAIMED)

    assert set(forms) == set(FORMS)
    assert {form: number for form, number in forms.items() if number < 20} == {}
