"""Inputs 2 to 10, 20, 27 and kin: no mail takes a second or 300 MB to read, and each gets a defined answer."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from gm.mail.message import read_message
from tests.mail.hostile.bombs import BOMBS

SECONDS = 1.0
MEGABYTES = 300


@pytest.mark.parametrize("bomb", BOMBS)
def test_no_mail_takes_a_second(bomb: str) -> None:
    data = BOMBS[bomb]()
    start = time.process_time()
    mail = read_message(data)
    assert time.process_time() - start < SECONDS
    assert not mail.refused or mail.text == ""
    assert all(hit.message and hit.found > hit.limit for hit in mail.hits)


@pytest.mark.slow
def test_reading_them_all_stays_below_300_megabytes() -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "tests.mail.hostile.bombs"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=True)
    assert int(done.stdout) < MEGABYTES


@pytest.mark.parametrize(
    ("bomb", "limit"),
    [
        ("03 5 MB of CR", "lines"),
        ("05 one line of 5 MB", "message"),
        ("05 one line of 200 KB", "line"),
        ("06 Subject of 1 MB", "headers"),
        ("06 Subject folded 300,000 times", "headers"),
        ("07 50,000 headers", "headers"),
        ("08 20,000 recipients", "headers"),
        ("09 2,000 nested multiparts", "depth"),
        ("09 2,000 nested mails", "depth"),
        ("10 20,000 parts", "parts"),
        ("11 200,000 parameters in a part", "content-type"),
        ("20 1 MB of HTML", "html"),
        ("20 HTML in four parts", "html"),
        ("20 <p>x", "html"),
        ("20 <p>x as plain text", "html"),
    ],
)
def test_the_limit_that_was_hit_is_named(bomb: str, limit: str) -> None:
    assert limit in [hit.name for hit in read_message(BOMBS[bomb]()).hits]
