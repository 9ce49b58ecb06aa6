"""`tetrasolve facts`: what its JSON has, and where it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tetrasolve.claims import families
from tetrasolve.cli import facts
from tetrasolve.cli.main import run
from tetrasolve.tetrarchia.facts.subject import standard_index


def test_a_listed_fact_has_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["facts", "list", "--family", "graph", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    index = standard_index()
    assert len(rows) > 10
    for row in rows:
        assert row == {"id": row["id"], "sentence": index[row["id"]].sentence, "values": dict(index[row["id"]].values)}


@pytest.mark.parametrize("command", ["prove", "robust"])
def test_nothing_is_written_into_an_installed_package(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a wheel the proofs lie in the package."""
    installed = tmp_path / "site-packages" / "tetrasolve" / "proofs"
    installed.mkdir(parents=True)
    (installed / "index.json").write_text("{}", "utf-8")
    for module in (families, facts):
        monkeypatch.setattr(module, "FOLDERS", (installed, tmp_path / "nowhere"))

    assert run(["facts", command, "map/radius"]) == 2
    error = capsys.readouterr().err
    assert "--folder: expected a folder to write to" in error and str(installed) in error
    assert [path.name for path in installed.iterdir()] == ["index.json"]
