"""Real peers for tests: PostgreSQL, Postfix and Dovecot from Debian's packages, on free loopback ports.

Each class starts one server in a fresh folder and stops it again. The daemons drop their privileges, so the
folder's parents must be open to all (pytest's own temporary folders are not), and root must start them.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

QUIET: dict[str, Any] = {
    "stdin": subprocess.DEVNULL,  # a pipe would be inherited by the daemons, and waiting for its end never ends
    "stdout": subprocess.DEVNULL,
    "stderr": subprocess.DEVNULL,
}


class Missing(Exception):
    """The peer cannot run here; the text says why."""


def free_port() -> int:
    """A TCP port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(condition: Callable[[], Any], seconds: float = 20, what: str = "") -> Any:
    """Poll until the condition gives something true and return that. Raises AssertionError after the time."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what or condition}")
        time.sleep(0.02)


def listens(port: int) -> bool:
    """Whether somebody answers on the port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def open_folder(name: str) -> Iterator[Path]:
    """A fresh folder that daemons of other users can get to."""
    folder = Path(tempfile.mkdtemp(prefix=f"gm-{name}-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def need(*programs: str) -> None:
    """Raise Missing if this is not root or a program is not installed."""
    if os.geteuid() != 0:
        raise Missing("only root can start this server")
    for program in programs:
        if shutil.which(program) is None and not Path(program).is_file():
            raise Missing(f"{program} is not installed")


def postgres_bin() -> Path:
    """Folder of the newest PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    if not found:
        raise Missing("PostgreSQL is not installed")
    return found[-1].parent


class Postgres:
    """A PostgreSQL server; `url(name)` makes a database."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.bin = folder, free_port(), postgres_bin()
        self._count = 0

    def _run(self, *words: str) -> None:
        subprocess.run(["runuser", "-u", "postgres", "--", *words], check=True, timeout=60, cwd="/", **QUIET)

    def start(self) -> None:
        """Make the cluster, where there is none yet, and start it."""
        if not (self.folder / "data").exists():
            shutil.chown(self.folder, "postgres")
            data = str(self.folder / "data")
            self._run(
                f"{self.bin}/initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8",
                "--locale=C.UTF-8",
            )  # fmt: skip
        # Tests kill the server, never the machine: what it wrote is there without a flush too.
        options = f"-p {self.port} -c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        self._control("-l", f"{self.folder}/log", "-o", options, "start")

    def stop(self) -> None:
        """Stop it at once, as a failing machine would."""
        self._control("-m", "immediate", "stop")

    def _control(self, *words: str) -> None:
        self._run(f"{self.bin}/pg_ctl", "-D", f"{self.folder}/data", "-w", *words)

    def url(self, name: str = "", template: str = "template1") -> str:
        """URL of a new database, which begins with what is in another."""
        if not name:
            self._count += 1
            name = f"gm{self._count}"
        self._order(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{name}"

    def drop(self, name: str) -> None:
        """Do away with a database, whoever is connected to it."""
        self._order(f'DROP DATABASE "{name}" WITH (FORCE)')

    def _order(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(f"host=127.0.0.1 port={self.port} user=postgres", autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]  # psycopg wants literal text


DOVECOT = """
base_dir = $D/run
state_dir = $D/state
log_path = $D/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:$D/mail/%n
mail_uid = nobody
mail_gid = nogroup
default_internal_user = dovecot
default_login_user = dovenull
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=$D/home/%n allow_all_users=yes
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = $IMAP
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = $LMTP
  }
}
service anvil {
  chroot =
}
namespace inbox {
  inbox = yes
  separator = /
}
"""


class Dovecot:
    """An IMAP and LMTP server. Any user name logs in with the password ``secret``."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.imap_port, self.lmtp_port = folder, free_port(), free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Write its configuration and start it."""
        for name in ("run", "state", "mail", "home"):
            (self.folder / name).mkdir(exist_ok=True)
        for name in ("mail", "home"):
            shutil.chown(self.folder / name, "nobody", "nogroup")
        text = DOVECOT.replace("$D", str(self.folder)).replace("$IMAP", str(self.imap_port))
        (self.folder / "dovecot.conf").write_text(text.replace("$LMTP", str(self.lmtp_port)))
        self._process = subprocess.Popen(["dovecot", "-F", "-c", f"{self.folder}/dovecot.conf"], **QUIET)
        wait_for(lambda: listens(self.imap_port) and listens(self.lmtp_port), what="Dovecot")

    def stop(self) -> None:
        """End it and all that it started."""
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(20)
            self._process = None

    def deliver(self, user: str, raw: bytes) -> None:
        """Put a mail into a user's INBOX by LMTP."""
        import smtplib

        with smtplib.LMTP("127.0.0.1", self.lmtp_port) as client:
            client.sendmail("peer@test", [f"{user}@player.test"], raw)


MAIN_CF = """
compatibility_level = 3.6
queue_directory = $D/queue
data_directory = $D/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = $D/maillog
maillog_file_prefixes = $UP
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.test
mydestination =
local_transport = error:no local delivery
local_recipient_maps =
alias_maps =
mynetworks = 127.0.0.0/8
relay_domains = play.test, player.test, bounce.test
transport_maps = inline:{ $ROUTES }
default_transport = error:outside mail refused
smtpd_recipient_restrictions = permit_mynetworks, reject_unauth_destination
smtpd_forbid_bare_newline = normalize
smtp_tls_security_level = none
smtpd_tls_security_level = none
smtpd_peername_lookup = no
smtp_host_lookup = native
disable_dns_lookups = yes
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
"""


class Postfix:
    """An MTA. Mail for ``play.test`` goes to us, for ``player.test`` to Dovecot, for ``bounce.test`` to a sink;
    for anywhere else it is refused, so that no test's mail can leave."""

    def __init__(self, folder: Path, *, us: int, sink: int, dovecot: int) -> None:
        """Ports: of our SMTP listener, of the sink, and of Dovecot's LMTP."""
        self.folder, self.port, self.us, self.sink = folder, free_port(), us, sink
        self.routes = {
            "play.test": f"smtp:[127.0.0.1]:{us}",
            "player.test": f"lmtp:[127.0.0.1]:{dovecot}",
            "bounce.test": f"smtp:[127.0.0.1]:{sink}",
        }

    def start(self) -> None:
        """Write its configuration and start it."""
        for name in ("etc", "queue", "data"):
            (self.folder / name).mkdir()
        shutil.chown(self.folder / "data", "postfix")
        routes = ", ".join(f"{{{domain} = {transport}}}" for domain, transport in self.routes.items())
        text = MAIN_CF.replace("$D", str(self.folder)).replace("$UP", str(self.folder.parent))
        (self.folder / "etc/main.cf").write_text(text.replace("$ROUTES", routes))
        (self.folder / "etc/master.cf").write_text(self._master())
        self._postfix("check")
        self._postfix("start")
        wait_for(lambda: listens(self.port), what="Postfix")

    def _master(self) -> str:
        """The package's own services, on our port and without chroot."""
        lines = []
        for line in Path("/usr/share/postfix/master.cf.dist").read_text().splitlines():
            words = line.split()
            if words[:2] == ["smtp", "inet"]:
                line = f"{self.port} inet n - n - - smtpd"
            elif len(words) > 7 and words[1] in ("unix", "unix-dgram") and not line.startswith((" ", "#")):
                line = " ".join([*words[:4], "n", *words[5:]])
            lines.append(line)
        return "\n".join(lines) + "\n"

    def _postfix(self, verb: str) -> None:
        subprocess.run(["postfix", "-c", f"{self.folder}/etc", verb], check=True, timeout=60, **QUIET)

    def flush(self) -> None:
        """Try all queued mail again now."""
        subprocess.run(["postqueue", "-c", f"{self.folder}/etc", "-f"], check=False, timeout=30, **QUIET)

    def log(self) -> str:
        """What it logged so far."""
        file = self.folder / "maillog"
        return file.read_text() if file.exists() else ""

    def stop(self) -> None:
        """End it and all that it started."""
        self._postfix("stop")
