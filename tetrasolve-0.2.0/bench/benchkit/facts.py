"""Where and with what a measurement was made: without these its numbers mean nothing later."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sysconfig
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from tetrasolve.tetrarchia import kernel

ROOT = Path(__file__).parents[2]


def version(package: str) -> str | None:
    """That of an installed package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def heading(
    bench: str, *, quick: bool, seed: int, clock: str, repetitions: int, versions: Mapping[str, str | None]
) -> dict[str, Any]:
    """What every report begins with."""
    return {
        "bench": bench,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "seed": seed,
        "clock": clock,
        "threads": 1,
        "repetitions": repetitions,
        "commit": commit(),
        "versions": dict(versions),
        "machine": machine(),
        "kernel": compiled_kernel(),
    }


def machine() -> dict[str, Any]:
    """The processor and what runs on it; no names of machines or people."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(re.findall(r"^([^\t:]+)\s*: (.*)$", text, re.MULTILINE))
    if "model name" not in fields:
        return platform.machine()
    numbers = [f"{name} {fields[name]}" for name in ("cpu family", "model", "stepping") if name in fields]
    return f"{fields['model name']} ({', '.join(numbers)})" if numbers else fields["model name"]


def compiled_kernel() -> dict[str, Any]:
    """The compiled module: its digest, and what its compiler left in it."""
    data = Path(kernel.__file__).read_bytes()
    compilers = {found.decode() for found in re.findall(rb"(?:GCC: \([^)\0]*\)|clang version) [\d.]+", data)}
    flags = {found.decode() for found in re.findall(rb"GNU C\d+ [\d.]+ (-[ -~]+)", data)}
    return {
        "sha256": hashlib.sha256(data).hexdigest(),
        "checked": kernel.CHECKED,
        "compiler": sorted(compilers),
        "flags": sorted(flags) or [f"not reported by the module; those of a plain build are {_plain_flags()}"],
    }


def _plain_flags() -> str:
    """What setuptools compiles with: Python's own flags, then those of the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    modules = project["tool"]["setuptools"]["ext-modules"]
    return " ".join([str(sysconfig.get_config_var("CFLAGS")), *modules[0].get("extra-compile-args", [])])


def commit() -> dict[str, Any] | None:
    """That of the source tree, and whether files differ from it; None where there is no repository."""
    git = shutil.which("git")
    if git is None:
        return None

    def ask(*words: str) -> str | None:
        asked = subprocess.run([git, *words], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 # git
        return asked.stdout.strip() if asked.returncode == 0 else None

    head = ask("rev-parse", "HEAD")
    if head is None:
        return None
    changed = ask("status", "--porcelain", "--", "ext", "tetrasolve", "bench/*.py", "pyproject.toml", "setup.cfg")
    return {"id": head, "changed_files": len((changed or "").splitlines())}
