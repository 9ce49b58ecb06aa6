"""Requests made from the OpenAPI document, right and wrong ones: the document knows each answer, and none is a mistake of ours.

`make test-service` runs it; TETRASOLVE_EXAMPLES says how many requests are made for each operation.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from httpservice import running

from tetrasolve.games import game

EXAMPLES = os.environ.get("TETRASOLVE_EXAMPLES", "20")
SEED = "20"
# Questions and jobs end soon, so that streams do, too; nobody is refused for how often he asks
LIMITS = {"seconds": 0.2, "job_seconds": 0.2, "rate": 0.0, "client_connections": 0, "client_questions": 0}
JOBS = {"jobs": 100_000, "client_jobs": 100_000}


@pytest.mark.slow
def test_generated_requests_are_answered_as_the_document_says(tmp_path):
    """With all checks of schemathesis but one: a job that was cancelled can be looked at for some minutes.

    `--request-timeout` bounds what is silent.
    """
    config = Path(__file__).parent / "schemathesis.toml"
    with running(game().get_questions(), game().get_messages(), **LIMITS, **JOBS) as found:
        command = [
            sys.executable, "-m", "schemathesis.cli", "--config-file", config, "run", f"{found.url}/v1/openapi.json",
            "--checks", "all", "--exclude-checks", "use_after_free",
            "--max-examples", EXAMPLES, "--seed", SEED, "--request-timeout", "30", "--continue-on-failure",
            "--no-shrink", "--no-color",
        ]  # fmt: skip
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
        text = found.client.get("/v1/metrics").text
    assert 'status="500"' not in text
