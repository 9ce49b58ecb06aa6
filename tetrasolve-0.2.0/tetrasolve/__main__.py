"""``python -m tetrasolve``: the `tetrasolve` command of this interpreter."""

from tetrasolve.cli.main import main

if __name__ == "__main__":
    main()
