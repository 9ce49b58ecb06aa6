"""Rule modules: the modules, variants and rebels of the rulebook (pages 12 to 16), one file each.

=================== ======================================================== ==============
file                rule module                                              rulebook page
=================== ======================================================== ==============
`dux`               module 1, a figure that leads legions                    12
`vicarius`          module 2, a figure that keeps provinces calm             12, 13
`pirates`           module 3, a fleet against Rome                           13
`goths`             module 4, an army that nothing keeps out                 13
`imperium`          variant 1, powers that Emperors pay for with discs       14
`mare_nostrum`      variant 2, fleets that join                              14
`via_romana`        variant 3, garrisons that march                          14
`usurpator`         variant 4, armies that rise inside the Empire            14, 15
`aeterna`           variant 5, glory and the Great                           15
`barbaria`          variant 6, a player for the Barbarians                   15, 16
`rebels`            the rebel armies of the historical scenarios             16
=================== ======================================================== ==============

Each file registers its rule module itself (`tetrasolve.tetrarchia.rules.registry`). This package imports every file of
its folder; the table above is for readers.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
