"""``python -m tetrasolve.cli`` is the `tetrasolve` command."""

from tetrasolve.cli.main import main

main()
