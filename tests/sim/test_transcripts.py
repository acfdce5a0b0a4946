"""The transcripts in the manual are what the server says today."""

from __future__ import annotations

import pytest

from tests.sim.transcripts import FOLDER, TRANSCRIPTS, transcript


@pytest.mark.parametrize("name", list(TRANSCRIPTS))
def test_transcript_is_what_a_run_gives_today(name: str) -> None:
    kept = (FOLDER / f"{name}.md").read_text()
    assert kept == transcript(name), "run `python -m tests.sim.transcripts` and look at what changed"
