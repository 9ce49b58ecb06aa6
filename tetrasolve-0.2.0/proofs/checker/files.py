"""Reading files that somebody else made: regular files only, of a bounded size, and where asked only inside a folder."""

import os
import re
import stat
from pathlib import Path

from text import Unreadable

LARGEST_BOARD = 2**20  # bytes; the board of the game has a thirtieth
LARGEST_INDEX = 2**25  # bytes; the index of the library has a tenth
LARGEST_CERTIFICATE = 2**26  # bytes in the file, compressed or not

RELATIVE = re.compile(r"[a-z0-9][a-z0-9_.+=-]*(/[a-z0-9][a-z0-9_.+=-]*)*")
SAFE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def read_file(path: Path, largest: int, flags: int = 0) -> bytes:
    """The bytes of a regular file; a pipe, a device or a folder is not opened for reading, nor waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | SAFE | flags)
        try:
            mode = os.fstat(handle).st_mode
            if not stat.S_ISREG(mode):
                raise Unreadable("Is a directory" if stat.S_ISDIR(mode) else "is no regular file")
            with os.fdopen(handle, "rb", closefd=False) as file:
                data = file.read(largest + 1)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise Unreadable(str(getattr(error, "strerror", None) or error)) from None
    if len(data) > largest:
        raise Unreadable(f"has more than {largest} bytes")
    return data


def read_inside(folder: Path, name: str, largest: int) -> bytes:
    """The bytes of a regular file below a folder; its name is relative, and no part of it is a symbolic link."""
    if not RELATIVE.fullmatch(name):
        raise Unreadable("expected the name of a file below the folder of the index")
    path = folder
    for part in name.split("/"):
        path = path / part
        if path.is_symlink():
            raise Unreadable(f"{part} is a symbolic link, expected files and folders inside the folder of the index")
    return read_file(path, largest, getattr(os, "O_NOFOLLOW", 0))
