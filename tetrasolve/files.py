"""Files read with limits, and written whole or not at all.

All errors here are `OSError` with a sentence in ``strerror`` and the path in ``filename``; names that no file can have
(a null byte) are such errors too.

Reading: a file is opened without waiting, must be a regular file, and is refused above a size limit. Compressed data is
unpacked up to a limit of bytes and memory.

Writing: the data goes into a temporary file in the same folder, is flushed to the disk, and takes the place of the old file
in one step. A reader finds the old file or the new one; a full disk, an exception or a killed process leaves the old one.
Where the system can (Linux), the temporary file has no name until it is complete, so a killed process leaves nothing behind.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import lzma
    import zlib

SIZE = 10**7  # bytes of a file that is read whole
UNPACKED = 2**28  # bytes of text in a compressed file; the largest certificate has a hundredth of it
MEMORY = 2**28  # bytes that unpacking may use; a header of xz can ask for 4 GiB

XZ, GZIP = b"\xfd7zXZ\x00", b"\x1f\x8b"
_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def _error(number: int, problem: str, path: str | Path) -> OSError:
    return OSError(number, problem, str(path))


# -- reading -----------------------------------------------------------------------------------------------------------


def read_bytes(path: str | Path, size: int = SIZE, *, pipes: bool = False) -> bytes:
    """The bytes of a regular file.

    :param size: the most bytes; a larger file is refused.
    :param pipes: also read a pipe (``/dev/stdin``, a process substitution of the shell).
    :raises OSError: when it cannot be read, is not a regular file, or is too large.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe without a writer must not block
    except ValueError as error:  # a null byte
        raise _error(errno.EINVAL, str(error), path) from None
    mode = os.fstat(handle).st_mode
    if not (stat.S_ISREG(mode) or (pipes and stat.S_ISFIFO(mode))):
        os.close(handle)
        kind = _KINDS.get(stat.S_IFMT(mode), "a special file")
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise _error(number, f"is {kind}, expected a regular file", path)
    with os.fdopen(handle, "rb") as file:
        os.set_blocking(handle, True)
        data = file.read(size + 1)
    if len(data) > size:
        raise _error(errno.EFBIG, f"has more than {size:,} bytes", path)
    return data


def read_text(path: str | Path, size: int = SIZE, encoding: str = "utf-8") -> str:
    """The text of a regular file.

    :raises OSError: as `read_bytes`.
    :raises UnicodeDecodeError: when it is not text in this encoding.
    """
    return read_bytes(path, size).decode(encoding)


def unpack(data: bytes, size: int = UNPACKED) -> bytes:
    """The decompressed data (xz or gzip, recognised by the first bytes); other data unchanged.

    :param size: the most bytes of the result.
    :raises ValueError: when it cannot be unpacked, is cut off, is followed by other data, or is larger than `size`.
    """
    if data.startswith(XZ):
        import lzma

        try:
            return _unpacked(lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MEMORY), data, size)
        except lzma.LZMAError as error:
            raise ValueError(f"cannot be decompressed ({error})") from None
    if data.startswith(GZIP):
        import zlib

        try:
            return _unpacked(zlib.decompressobj(wbits=31), data, size)
        except zlib.error as error:
            raise ValueError(f"cannot be decompressed ({error})") from None
    return data


def _unpacked(tool: lzma.LZMADecompressor | zlib._Decompress, data: bytes, size: int) -> bytes:
    result = tool.decompress(data, size + 1)  # zlib takes 0 for "no limit"
    if len(result) > size:
        raise ValueError(f"cannot be decompressed (more than {size:,} bytes)")
    if not tool.eof or tool.unused_data:
        raise ValueError("cannot be decompressed (cut off, or followed by other data)")
    return result


# -- writing -----------------------------------------------------------------------------------------------------------


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file in one step: afterwards it is complete, or as it was before.

    The permissions and the owner of a file that is replaced stay; a symbolic link stays, and its target is replaced. A
    device or a pipe (``/dev/stdout``) is written to directly.

    :raises OSError: when it cannot be written.
    """
    try:
        found = os.stat(path)  # noqa: PTH116  # follows links, as it should
    except FileNotFoundError:
        if not str(path):
            raise
        found = None
    except ValueError as error:  # a null byte
        raise _error(errno.EINVAL, str(error), path) from None
    if found is None:
        _replace(Path(path), data, None)
    elif stat.S_ISDIR(found.st_mode):
        raise _error(errno.EISDIR, "is a directory, expected a file", path)
    elif (stream := _standard_stream(found)) is not None:
        _write_all(stream, data, path)
    elif not stat.S_ISREG(found.st_mode):
        _write_directly(path, data)
    elif not os.access(path, os.W_OK):  # to replace it would get round its permissions
        raise _error(errno.EACCES, os.strerror(errno.EACCES), path)
    else:
        _replace(Path(os.path.realpath(path)), data, found)


def require_writable(path: str | Path) -> None:
    """A file that is not there can be made in its folder, or one that is there be replaced; nothing is changed.

    :raises OSError: when it cannot.
    """
    try:
        found = os.stat(path)  # noqa: PTH116  # follows links, as it should
    except FileNotFoundError:
        folder = Path(path).parent if str(path) else Path()
        if not str(path) or not folder.is_dir():
            raise
        if not os.access(folder, os.W_OK | os.X_OK):
            raise _error(errno.EACCES, os.strerror(errno.EACCES), path) from None
        return
    except ValueError as error:  # a null byte
        raise _error(errno.EINVAL, str(error), path) from None
    if stat.S_ISDIR(found.st_mode):
        raise _error(errno.EISDIR, "is a directory, expected a file", path)
    if not os.access(path, os.W_OK):
        raise _error(errno.EACCES, os.strerror(errno.EACCES), path)


def write_text(path: str | Path, text: str, encoding: str = "utf-8") -> None:
    """Write text to a file in one step, as `write_bytes`.

    :raises OSError: as `write_bytes`.
    """
    write_bytes(path, text.encode(encoding))


def _standard_stream(found: os.stat_result) -> int | None:
    """The standard output or error stream that is this file, flushed; ``/dev/stdout`` may lead to a regular file."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), found):
                if stream is not None:
                    stream.flush()
                return number
    return None


def _write_all(handle: int, data: bytes, path: str | Path) -> None:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(handle, rest) :]
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _error(error.errno or errno.EIO, error.strerror or "cannot be written", path) from None


def _write_directly(path: str | Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        _write_all(handle, data, path)
    finally:
        os.close(handle)


def _replace(path: Path, data: bytes, old: os.stat_result | None) -> None:
    """Write the data to a new file in the same folder, and rename it to `path`."""
    temporary = path.parent / f".tetrasolve-{os.getpid()}-{os.urandom(6).hex()}.tmp"
    try:
        if not _write_nameless(temporary, data, old):
            with os.fdopen(os.open(temporary, _NEW, 0o666), "wb", buffering=0) as file:
                _fill(file.fileno(), data, old)
        os.replace(temporary, path)  # noqa: PTH105  # as above
    except OSError as error:
        raise _error(error.errno or errno.EIO, error.strerror or "cannot be written", path) from None
    finally:
        with suppress(OSError):  # after the rename it is gone
            os.unlink(temporary)  # noqa: PTH108  # as above
    _sync_folder(path.parent)


_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC


def _write_nameless(temporary: Path, data: bytes, old: os.stat_result | None) -> bool:
    """Write a file that gets its name when it is complete; False where the system has no such files."""
    if not hasattr(os, "O_TMPFILE"):
        return False
    try:
        handle = os.open(temporary.parent, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError:  # not on every file system; if the folder is to blame, the other way finds the reason
        return False
    try:
        _fill(handle, data, old)
        with suppress(OSError):  # without /proc, or where a sandbox forbids it
            # with a folder, though it is not used: without one Python would not follow the link
            os.link(f"/proc/self/fd/{handle}", temporary, src_dir_fd=handle, follow_symlinks=True)
            return True
        return False
    finally:
        os.close(handle)


def _fill(handle: int, data: bytes, old: os.stat_result | None) -> None:
    """Write all data through to the disk, with the owner and the permissions of the file that is replaced."""
    _write_all(handle, data, "")
    if old is not None:
        with suppress(OSError):  # only root may give files away
            os.fchown(handle, old.st_uid, old.st_gid)
        os.fchmod(handle, stat.S_IMODE(old.st_mode))
    os.fsync(handle)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable; some file systems cannot, and there the file itself is safe all the same."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
