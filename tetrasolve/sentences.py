"""Sentences of the library in another language, from a catalogue of their forms.

The library writes its sentences in English. A catalogue has a row for each form: the English sentence with its slots, and the
same in the other language (``"{count} revolts in {place}" = "{count} revueltas en {place}"``). A sentence that fits a form is
written again; what stands in its slots is looked up in turn, since it may be a sentence or a word with a row of its own, but slots
of notation (`NOTATION`) and quotations are kept: what a user wrote is no sentence. Slots ``n``, ``n1``, ... hold
a number, and ``p``, ``p1``, ... places or names in a row: they say which sentences a form with many slots fits. What fits no form
stays as it is. The form with the longest text of its own is taken; short ones, which only connect (``"{a} and {b}"``), come last,
in the order of the catalogue.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache, partial

from tetrasolve.errors import SHOWN

SLOT = re.compile(r"\{(\w+)\}")
KEPT = 4096  # sentences that are remembered, none longer than LONGEST
LONGEST = 1400  # characters: a longer text is no sentence; the longest of a fact has 1050
LONGEST_TEXT = 4096  # characters of a text of lines, like that of a position; a longer one is a file
MOST_LINES = 64  # of it: that of a position has 20
EDGE = 3  # characters at the beginning or the end of a form by which it is found
DEEPEST = 8  # slots within slots
NOTATION = frozenset({"plan", "text", "action"})
LISTED = {"chance": frozenset(";,()")}  # characters that a slot does not have: it holds no part of a list of sentences
# What slots hold, each in a time that is linear: a single name, a figure, one problem of several, a word; and those with a number
# after their name
HOLDS = {
    **dict.fromkeys(("here", "there"), re.compile(r"[A-Z]\w*(?: [A-Z]\w*)*")),
    **dict.fromkeys(("without", "with"), re.compile(r"(?:below )?\d[^;,()]*")),
    "problem": re.compile(r"[^;]*"),
    "token": re.compile(r"[^;\s]+"),
    "n": re.compile(r"\d+(?:[/.,]\d+)*"),
    "p": re.compile(r"(?:[A-Z\d]|none)[^:;().]*"),
}
QUOTATION = re.compile(r"'[^'\\]*+(?:\\.[^'\\]*+)*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"")  # as `repr` writes text
MARK = re.compile(r"(?<!\w)['\"]")  # where a quotation may begin; not the apostrophe of a genitive
HIDDEN = "\0"  # a character that no form has
CONNECTS = 6  # characters of its own that a form which only connects has at most
# Fields of answers that hold sentences for people
SENTENCES = frozenset({"text", "rule", "problem", "detail", "expected", "question", "sentence", "why", "reasons"})


class Sentences:
    """A catalogue: English forms to forms of another language; `thousands` parts the digits of numbers in slots.

    >>> found = Sentences({"{place} holds {disc}": "{place} tiene {disc}", "a revolt": "una revuelta", "{a} and {b}": "{a} y {b}"})
    >>> found.say("Kent and Sussex holds a revolt")
    'Kent y Sussex tiene una revuelta'
    >>> found.say("something else")
    'something else'

    :raises ValueError: when both forms of a row have different slots.
    """

    def __init__(self, forms: Mapping[str, str], thousands: str = ",") -> None:
        for form, said in forms.items():
            if sorted(set(SLOT.findall(form))) != sorted(set(SLOT.findall(said))):
                raise ValueError(f"different slots: {form!r}, {said!r}")
        self.forms, self._thousands = dict(forms), thousands
        own = {form: len(SLOT.sub("", form)) for form in forms if SLOT.search(form)}
        closest = sorted(own, key=lambda form: -max(own[form], CONNECTS))
        self._read = [(_Form(form), forms[form]) for form in closest]
        self._begins, self._ends = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
        self._opens: list[tuple[str, int]] = []  # those that begin and end with a slot, with a text that they have
        for number, (row, _) in enumerate(self._read):
            if len(row.first) >= EDGE:
                self._begins[row.first[:EDGE]].append(number)
            elif len(row.last) >= EDGE:
                self._ends[row.last[-EDGE:]].append(number)
            else:
                self._opens.append((row.longest, number))
        self._known = lru_cache(KEPT)(self._said)

    def over(self, forms: Mapping[str, str]) -> Sentences:
        """A catalogue with these forms too, where this one has none of its own."""
        return Sentences({**forms, **self.forms}, self._thousands)

    def say(self, text: str, depth: int = DEEPEST) -> str:
        """A sentence in the other language; as it is where no form fits. Lines are said each for itself."""
        if text in self.forms:
            return self.forms[text]
        if "\n" in text:
            is_read = len(text) <= LONGEST_TEXT and text.count("\n") < MOST_LINES
            return "\n".join(self.say(line, depth) for line in text.split("\n")) if is_read else text
        return self._known(text, depth) if depth and text and len(text) <= LONGEST else text

    def _said(self, text: str, depth: int) -> str:
        """A sentence of one line that is no row itself."""
        hidden = _hidden(text)
        for number in self._candidates(text, hidden):
            form, said = self._read[number]
            if found := form.parts_of(text, hidden):
                return SLOT.sub(partial(self._part, found, depth - 1), said)
        return text

    def _candidates(self, text: str, hidden: str) -> list[int]:
        """The forms that a sentence may have by its beginning and its end, the closest first."""
        found = {number for part, number in self._opens if part in text}
        for seen in (text, hidden):
            found.update(self._begins.get(seen[:EDGE], ()), self._ends.get(seen[-EDGE:], ()))
        return sorted(found)

    def _part(self, parts: Mapping[str, str], depth: int, slot: re.Match[str]) -> str:
        """What stands in a slot of the other language."""
        found = parts[slot[1]]
        if _kind(slot[1]) == "n":
            return found.replace(",", self._thousands)
        return found if slot[1] in NOTATION else self.say(found, depth)

    def knows(self, text: str) -> bool:
        """Whether a sentence fits a form."""
        hidden = _hidden(text)
        found = (self._read[number][0] for number in self._candidates(text, hidden))
        return text in self.forms or any(form.parts_of(text, hidden) for form in found)

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


def _kind(slot: str) -> str:
    """The name of a slot without its number."""
    return slot.rstrip("0123456789")


def _hidden(text: str) -> str:
    """A text of the same length in which nothing is to be found within quotations: a user may have written them.

    >>> _hidden("found 'a, or b', or the tribe's").replace(HIDDEN, "_")
    "found '_______', or the tribe's"
    """
    if MARK.search(text) is None:
        return text
    found, end, past = [], 0, 0
    for mark in MARK.finditer(text):
        if mark.start() < past:
            continue
        stop = _end_of(text, mark.start())
        if stop:
            found += [text[end : mark.start() + 1], HIDDEN * (stop - mark.start() - 2)]
            end, past = stop - 1, stop
    return "".join([*found, text[end:]])


def _end_of(text: str, begin: int) -> int:
    """Where a quotation ends; 0 where there is none. One that is cut has ``...`` for its end."""
    quotation = QUOTATION.match(text, begin)
    cut = begin + SHOWN
    if text.startswith("...", cut) and (quotation is None or quotation.end() > cut):
        return cut + len("...")
    return quotation.end() if quotation is not None else 0


class _Form:
    """A form as the text between its slots, in which a sentence is looked up once from left to right.

    A regular expression would go back and try other places, which takes the cube of the length of a hostile text.
    """

    def __init__(self, form: str) -> None:
        parts = SLOT.split(form)
        self.first, *self.between, self.last = parts[::2]
        self.has_quotation = MARK.search(form) is not None
        self.longest = max(self.between, key=len, default="")
        self.slots = parts[1::2]
        self.holds = [HOLDS.get(_kind(slot)) for slot in self.slots]

    def parts_of(self, text: str, hidden: str) -> dict[str, str] | None:
        """What stands in the slots of a sentence, each as short as it can be; none where it has another form.

        A slot has at least one character; one that is named twice has the same content. `hidden` is the text without quotations, in
        which forms that have none themselves are looked up.
        """
        seen = text if self.has_quotation else hidden
        if not seen.startswith(self.first) or not seen.endswith(self.last):
            return None
        begin, end = len(self.first), len(text) - len(self.last)
        found: dict[str, str] = {}
        for slot, holds, after in zip(self.slots, self.holds, [*self.between, None], strict=True):
            stop = end if after is None else seen.find(after, begin + 1, end)
            if stop <= begin:
                return None
            part = text[begin:stop]
            if found.setdefault(slot, part) != part or not LISTED.get(slot, frozenset()).isdisjoint(part):
                return None
            if holds is not None and holds.fullmatch(part) is None:
                return None
            begin = stop + len(after or "")
        return found
