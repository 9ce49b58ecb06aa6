"""What a decision is about, as fields: the sentence of the rules taken apart, for clients that speak another language.

>>> subject("the army of dacia advances to dalmatia; another way?")
{'form': 'advances', 'army': 'dacia', 'place': 'dalmatia'}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_DICE, _MORE, _ADD = r"(?P<faces>[\d-]+)", r" with (?P<added>\d+) added", r" is a (?P<outcome>\S+); add 1 for a disc\?"
_FIGHT = r"Galerius, (?P<fight>.+?): "

# How the rules ask, by the name of each form; the names of the groups are those of the fields
FORMS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        form: re.compile(pattern)
        for form, pattern in {
            "reroll": r"(?P<dice>.+): (?P<faces>[\d-]+)(?P<place>| \(\S+\)); roll again\?",
            "block": r"the army of (?P<army>\S+) attacks Constantius, (?P<fight>.+?); block it for a disc\?",
            "attack": _DICE + _ADD,
            "attack-more": _DICE + _MORE + _ADD,
            "boost": _FIGHT + _DICE + _ADD,
            "boost-more": _FIGHT + _DICE + _MORE + _ADD,
            "black-step": r"spend the black disc before step (?P<step>\d+)\?",
            "black-army": r"spend the black disc before the army of (?P<army>\S+) advances\?",
            "black-end": r"spend the black disc after the advance\?",
            "blocked": r"the army of (?P<army>\S+) is blocked; another way\?",
            "advances": r"the army of (?P<army>\S+) advances to (?P<place>\S+); another way\?",
            "passed": r"the army of (?P<army>\S+) has passed the link to (?P<place>\S+); another way\?",
            "cancel": r"the army of (?P<army>\S+) has passed the link to (?P<place>\S+); cancel its advance\?",
            "stopped": r"a broken link has stopped the army of (?P<army>\S+); another way\?",
            "armies": r"of the armies of (?P<armies>.+), as near to Roma, that of (?P<army>\S+) goes first; another one\?",
            "zone": r"the Pirates come back to zone (?P<zone>\d+); another zone\?",
            "regions": r"of the regions (?P<regions>.+), full at once, (?P<region>\S+) raises its usurper first; another one\?",
            "links": r"of the broken links (?P<links>.+), (?P<link>\S+) is checked first; another one\?",
            "way": r"the army of (?P<army>\S+) goes to Roma by (?P<place>\S+); another way as short\?",
        }.items()
    }
)


def subject(question: str) -> dict[str, str]:
    """The form of a question and its parts as the rules write them; a question of no known form is ``other``, with its text."""
    for form, pattern in FORMS.items():
        if found := pattern.fullmatch(question):
            return {"form": form, **found.groupdict()}
    return {"form": "other", "text": question}
