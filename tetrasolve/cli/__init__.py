"""The `tetrasolve` command: one module a command."""
