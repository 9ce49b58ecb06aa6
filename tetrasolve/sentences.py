"""Sentences of the library in another language, from a catalogue of their forms.

The library writes its sentences in English. A catalogue has a row for each form: the English sentence with its slots, and the
same in the other language (``"{count} revolts in {place}" = "{count} revueltas en {place}"``). A sentence that fits a form is
written again; what stands in its slots is looked up in turn, since it may be a sentence or a word with a row of its own, but slots
of notation (`NOTATION`) are kept. What fits no form stays as it is. The form with the longest text of its own is taken; short ones,
which only connect (``"{a} and {b}"``), come last, in the order of the catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial

SLOT = re.compile(r"\{(\w+)\}")
KEPT = 4096  # sentences that are remembered
LONGEST = 600  # characters: a longer text is no sentence
DEEPEST = 8  # slots within slots
NOTATION = frozenset({"plan", "text", "action"})
VALUES = {"chance": "[^;,()]+?"}  # slots that hold no part of a list of sentences
CONNECTS = 6  # characters of its own that a form which only connects has at most
# Fields of answers that hold sentences for people
SENTENCES = frozenset({"text", "rule", "problem", "detail", "expected", "question"})


class Sentences:
    """A catalogue: English forms to forms of another language.

    >>> found = Sentences({"{place} holds {disc}": "{place} tiene {disc}", "a revolt": "una revuelta", "{a} and {b}": "{a} y {b}"})
    >>> found.say("Roma and Sicilia holds a revolt")
    'Roma y Sicilia tiene una revuelta'
    >>> found.say("something else")
    'something else'

    :raises ValueError: when both forms of a row have different slots.
    """

    def __init__(self, forms: Mapping[str, str]) -> None:
        for form, said in forms.items():
            if sorted(set(SLOT.findall(form))) != sorted(set(SLOT.findall(said))):
                raise ValueError(f"different slots: {form!r}, {said!r}")
        self.forms = dict(forms)
        own = {form: len(SLOT.sub("", form)) for form in forms if SLOT.search(form)}
        closest = sorted(own, key=lambda form: -max(own[form], CONNECTS))
        self._read = [(_pattern(form), forms[form]) for form in closest]
        self.say = lru_cache(KEPT)(self._say)

    def _say(self, text: str, depth: int = DEEPEST) -> str:
        """A sentence in the other language; as it is where no form fits."""
        if text in self.forms:
            return self.forms[text]
        for pattern, said in self._read if depth and len(text) <= LONGEST else ():
            if found := pattern.fullmatch(text):
                return SLOT.sub(partial(self._part, found.groupdict(), depth - 1), said)
        return text

    def _part(self, parts: Mapping[str, str], depth: int, slot: re.Match[str]) -> str:
        """What stands in a slot of the other language."""
        found = parts[slot[1]]
        return found if slot[1] in NOTATION else self.say(found, depth)

    def knows(self, text: str) -> bool:
        """Whether a sentence fits a form."""
        return text in self.forms or any(pattern.fullmatch(text) for pattern, _ in self._read)

    def translated(self, value: object, name: str = "") -> object:
        """An answer as JSON data with its sentences in the other language; what programs read stays as it is.

        >>> Sentences({"a revolt": "una revuelta"}).translated({"kind": "a revolt", "reasons": [{"text": "a revolt"}]})
        {'kind': 'a revolt', 'reasons': [{'text': 'una revuelta'}]}
        """
        if isinstance(value, str):
            return self.say(value) if name in SENTENCES else value
        if isinstance(value, Mapping):
            return {key: self.translated(part, key) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.translated(part, name) for part in value]
        return value


def _pattern(form: str) -> re.Pattern[str]:
    """The pattern of a form; a slot that is named twice has the same content."""
    seen: set[str] = set()
    parts = []
    for index, part in enumerate(SLOT.split(form)):
        if not index % 2:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P={part})")
        else:
            seen.add(part)
            parts.append(f"(?P<{part}>{VALUES.get(part, '.+?')})")
    return re.compile("".join(parts))
