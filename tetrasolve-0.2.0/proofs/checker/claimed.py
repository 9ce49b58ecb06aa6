"""What a certificate of a fact claims."""

import re
from typing import NamedTuple

FACT = re.compile(r"[a-z][a-z0-9-]*(/[a-z0-9][a-z0-9_.+=-]*){0,2}")
PATH = re.compile(r"[a-z0-9][a-z0-9_.:>+=-]*")


class Fact(NamedTuple):
    """The fact, the fields of its kind of certificate, and the values as text by their paths."""

    id: str
    fields: dict[str, str]
    values: dict[str, str]

    @property
    def kind(self) -> str:
        """The kind of the fact: its id without the instance."""
        return self.id.partition("/")[0]

    @property
    def instance(self) -> str:
        """Which of its kind it is; empty where there is only one."""
        return self.id.partition("/")[2]
