"""Files are written whole or not at all, and read with limits."""

import gzip
import lzma
import os
import resource
import signal
import stat
import subprocess
import sys
import time
import tracemalloc
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tetrasolve import files

OLD, NEW = b"old" * 1000, b"new" * 100_000


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def largest_file(size):
    """No file can grow beyond this size: the disk is full, as far as this process can see."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(params=["nameless", "named"])
def way(request, monkeypatch):
    """Both ways of making the new file, whichever this system has."""
    if request.param == "named":
        monkeypatch.setattr(files, "_write_nameless", lambda *_: False)


# -- writing ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("way")
def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "a"
    files.write_bytes(path, OLD)
    assert path.read_bytes() == OLD
    files.write_text(str(path), "n\u00e9w")
    assert path.read_text("utf-8") == "n\u00e9w"
    assert names(tmp_path) == ["a"]


@pytest.mark.usefixtures("way")
def test_permissions_follow_the_mask_and_then_stay(tmp_path):
    path, before = tmp_path / "a", os.umask(0o027)
    try:
        files.write_bytes(path, OLD)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        files.write_bytes(path, NEW)
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(before)


@pytest.mark.usefixtures("way")
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    target.write_bytes(OLD)
    link.symlink_to(target)
    files.write_bytes(link, NEW)
    assert link.is_symlink()
    assert target.read_bytes() == NEW
    assert names(tmp_path) == ["folder", "link"]


@pytest.mark.usefixtures("way")
def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(OLD)
    with largest_file(50_000), pytest.raises(OSError, match="File too large") as caught:
        files.write_bytes(path, NEW)
    assert caught.value.filename == str(path)
    assert path.read_bytes() == OLD
    with largest_file(50_000), pytest.raises(OSError, match="File too large"):
        files.write_bytes(tmp_path / "b", NEW)
    assert names(tmp_path) == ["a"]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interruption_leaves_the_old_file(tmp_path, monkeypatch, error):
    path = tmp_path / "a"
    path.write_bytes(OLD)

    def fail(_):
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(error):
        files.write_bytes(path, NEW)
    monkeypatch.undo()
    assert path.read_bytes() == OLD
    assert names(tmp_path) == ["a"]


WRITER = """
import sys
from tetrasolve import files
print("ready", flush=True)
while True:
    for letter in b"abc":
        files.write_bytes(sys.argv[1], bytes([letter]) * 3_000_000)
"""


def test_a_killed_writer_leaves_a_whole_file(tmp_path):
    path, random = tmp_path / "a", Random("kill")
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(random.uniform(0.0, 0.1))
            process.send_signal(signal.SIGKILL)
        if path.exists():
            data = path.read_bytes()
            assert (len(data), len(set(data))) == (3_000_000, 1)
        if hasattr(os, "O_TMPFILE"):  # what is left, at a moment between two names, is complete
            assert all(other.stat().st_size == 3_000_000 for other in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "directory"),
        (".", "directory"),
        ("no/where", "No such file"),
        ("a\0b", "null byte"),
        ("x" * 300, "too long"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path, monkeypatch, name, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match=words) as caught:
        files.write_bytes(name, NEW)
    assert caught.value.strerror
    assert names(tmp_path) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_is_read_only_stays_as_it_is(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(OLD)
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        files.write_bytes(path, NEW)
    path.chmod(0o644)
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(PermissionError):
            files.write_bytes(path, NEW)
        assert path.read_bytes() == OLD
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_devices_are_written_to():
    with pytest.raises(OSError, match="No space left on device"):
        files.write_bytes("/dev/full", NEW)
    assert Path("/dev/full").is_char_device()
    code = "from tetrasolve import files; print('a'); files.write_text('/dev/stdout', 'b'); print('c')"
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert piped.stdout == b"a\nbc\n"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no such name")
def test_standard_output_may_be_a_file(tmp_path):
    """It is written to, not replaced under the program's feet."""
    code = "from tetrasolve import files; print('a'); files.write_text('/dev/stdout', 'b'); print('c')"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"a\nbc\n"


# -- reading ---------------------------------------------------------------------------------------------------------


def test_only_regular_files_of_some_size_are_read(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(OLD)
    os.mkfifo(tmp_path / "pipe")
    assert files.read_bytes(path, len(OLD)) == OLD
    with pytest.raises(OSError, match="more than 2,999 bytes"):
        files.read_bytes(path, len(OLD) - 1)
    for name, words in (
        (tmp_path, "is a directory, expected a regular file"),
        (tmp_path / "pipe", "is a pipe, expected a regular file"),
        ("/dev/zero", "is a device, expected a regular file"),
        (tmp_path / "b", "No such file"),
        ("a\0b", "null byte"),
    ):
        with pytest.raises(OSError, match=words):
            files.read_bytes(name)
    assert files.read_bytes(tmp_path / "pipe", pipes=True) == b""  # nobody writes, and nobody waits


@pytest.mark.parametrize("pack", [lambda data: lzma.compress(data, preset=9), gzip.compress], ids=["xz", "gzip"])
def test_compressed_data_is_read_up_to_a_limit(pack):
    packed = pack(NEW)
    assert files.unpack(packed, len(NEW)) == NEW
    assert files.unpack(NEW) == NEW
    for bad, words in (
        (packed[:-3], "cut off"),
        (packed + b"x", "followed"),
        (packed[:40] + b"\xff" * 40 + packed[80:], "cannot be decompressed"),
    ):
        with pytest.raises(ValueError, match=words):
            files.unpack(bad)
    with pytest.raises(ValueError, match="more than 299,999 bytes"):
        files.unpack(packed, len(NEW) - 1)


def test_a_bomb_takes_little_memory():
    """Ten kilobytes of xz that stand for 64 megabytes are refused at the limit."""
    one = lzma.LZMACompressor(format=lzma.FORMAT_XZ)
    bomb = b"".join([*(one.compress(bytes(2**24)) for _ in range(4)), one.flush()])
    tracemalloc.start()
    with pytest.raises(ValueError, match="more than 1,048,576 bytes"):
        files.unpack(bomb, 2**20)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**25
