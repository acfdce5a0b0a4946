"""Starting `gm run` as a program: ports that can't be opened, and a stop in the middle of the start."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest


def free_port() -> int:
    with closing(socket.socket()) as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def taken_port() -> Iterator[int]:
    with closing(socket.socket()) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        yield int(sock.getsockname()[1])


def start(folder: Path, **settings: object) -> subprocess.Popen[str]:
    """The server with a data folder of its own; ports that are not named are free ones."""
    named = {
        "GM_SMTP_PORT": free_port(),
        "GM_WEB_PORT": free_port(),
        "GM_DATA_DIR": folder / "var",
        **settings,
    }
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GM_")}
    return subprocess.Popen(
        [sys.executable, "-m", "gm", "run"],
        cwd=folder,
        env=plain | {"PYTHONPATH": str(Path.cwd())} | {name: str(value) for name, value in named.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, what it printed, and its complaints without the lines of its log."""
    try:
        out, err = process.communicate(timeout=40)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return process.returncode, out, "\n".join(line for line in err.splitlines() if not line.startswith("{"))


@pytest.mark.parametrize("section", ["smtp", "lmtp", "web"])
def test_port_that_is_taken_is_one_line_that_names_the_setting(tmp_path: Path, section: str) -> None:
    with taken_port() as port:
        code, out, err = end(start(tmp_path, **{f"GM_{section.upper()}_PORT": port}))
    assert (code, out) == (2, "")
    assert err == (
        f"[{section}] port: 127.0.0.1:{port} is taken by another program, perhaps another gm: stop that, or set "
        f"another port in config/gm.toml or by GM_{section.upper()}_PORT"
    )


@pytest.mark.parametrize("section", ["smtp", "web"])
def test_host_that_is_not_ours_is_one_line_that_names_the_setting(tmp_path: Path, section: str) -> None:
    code, out, err = end(start(tmp_path, **{f"GM_{section.upper()}_HOST": "192.0.2.77"}))
    assert (code, out) == (2, "")
    assert err == (
        f"[{section}] host: '192.0.2.77' is no address of this machine: set another in config/gm.toml or by "
        f"GM_{section.upper()}_HOST"
    )


def test_second_server_started_by_mistake_does_nothing_and_the_first_goes_on(tmp_path: Path) -> None:
    web = free_port()
    first = start(tmp_path, GM_WEB_PORT=web)
    try:
        assert first.stdout is not None
        assert " is up: " in first.stdout.readline()
        code, out, err = end(start(tmp_path, GM_WEB_PORT=web))
        assert (code, out) == (2, "")
        assert "is taken by another program" in err
        with urllib.request.urlopen(f"http://127.0.0.1:{web}/health", timeout=10) as answer:
            assert answer.status == 200
    finally:
        first.terminate()
        code, _out, err = end(first)
    assert (code, err) == (0, "")


def test_stopped_at_any_moment_of_the_start_it_ends_at_once_and_starts_again(tmp_path: Path) -> None:
    for seconds in (0.1, 0.4, 0.8, 1.2, 1.6, 2.4):
        process = start(tmp_path)
        time.sleep(seconds)
        process.terminate()
        code, _out, err = end(process)
        assert "Traceback" not in err, (seconds, err)
        # Before the program itself takes signals it ends as any program does.
        assert code in (0, -signal.SIGTERM), (seconds, code, err)
    last = start(tmp_path)
    assert last.stdout is not None
    assert " is up: " in last.stdout.readline()
    last.terminate()
    assert end(last)[0] == 0
