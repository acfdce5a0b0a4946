"""Settings of the server: `config/gm.toml` and environment variables that begin with ``GM_``.

The environment wins over the file, the file over the defaults; a section's field is ``GM_<SECTION>_<FIELD>``
(``GM_RELAY_HOST``). The defaults reach nobody outside this machine: sockets on loopback, mail written to a folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError
from rapidfuzz import process

DEFAULT_FILE = Path("config/gm.toml")
PREFIX = "GM_"
NOT_SETTINGS = frozenset({"GM_CONFIG", "GM_CRASH_AT"})
"""Variables that begin like settings: where the file is, and the hook of the kill test."""

MAIL_ADDRESS = re.compile(r"[^@\s<>,;]{1,64}@[A-Za-z0-9][A-Za-z0-9.-]*")
DOMAIN = re.compile(
    r"(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*"
)

URL = re.compile(r"https?://(?=.{1,200}$)[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?")


class SettingsError(Exception):
    """Settings that cannot be used. One line a problem: where it is, what is wrong, what would be right."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def _domain(value: str) -> str:
    if not DOMAIN.fullmatch(value) or "." not in value:
        raise ValueError("write a host name of two parts or more, like play.example.org")
    return value.lower()


def _address(value: str) -> str:
    if not MAIL_ADDRESS.fullmatch(value):
        raise ValueError("write a bare mail address like gm@example.org")
    return value.lower()


def _secret(value: SecretStr) -> SecretStr:
    if 0 < len(value.get_secret_value()) < 32:
        raise ValueError("write at least 32 characters, or leave it out and gm makes one")
    return value


def _url(value: str) -> str:
    if value and not URL.fullmatch(value):
        raise ValueError("write the address at which people open the pages, like https://zine.example.org")
    return value.rstrip("/")


def _none_if_empty(value: Any) -> Any:
    return None if value == "" else value


Port = Annotated[int, Field(ge=0, le=65535)]
Domain = Annotated[str, AfterValidator(_domain)]
Url = Annotated[str, AfterValidator(_url)]
MailAddress = Annotated[str, AfterValidator(_address)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Smtp(_Section):
    """The listener for an MTA in front, or for the world."""

    host: str = "127.0.0.1"
    port: Port = 8025
    """0: off."""


class Lmtp(_Section):
    """The listener for an MTA that delivers by LMTP."""

    host: str = "127.0.0.1"
    port: Port = 0
    """0: off."""


class Relay(_Section):
    """Where our mail goes. Without a host it is written to a Maildir."""

    host: str = ""
    port: Port = 25
    user: str = ""
    password: SecretStr = SecretStr("")
    security: Literal["none", "starttls", "tls"] = "none"
    folder: Path = Path("mail-out")
    """Maildir for outgoing mail while `host` is empty; relative to the data folder."""


class Imap(_Section):
    """A mailbox to fetch mail from. Without a host: off."""

    host: str = ""
    port: Port = 993
    user: str = ""
    password: SecretStr = SecretStr("")
    tls: bool = True
    folder: str = "INBOX"
    done_folder: str = "gm-done"
    """Mail that is safely in the store is moved here."""
    poll_seconds: Annotated[int, Field(ge=5, le=540)] = 60


class Web(_Section):
    """The pages: archive, zine, GM console."""

    host: str = "127.0.0.1"
    port: Port = 8080
    """0: off."""
    url: Url = ""
    """The public address of the pages, to which mails then link. Empty: mails have no links."""


class Limits(_Section):
    """Limits at the border."""

    message_bytes: Annotated[int, Field(ge=10_000, le=50_000_000)] = 1_000_000
    connections: Annotated[int, Field(ge=1)] = 100
    connections_per_peer: Annotated[int, Field(ge=1)] = 20
    """As many as Postfix opens to one destination by its own default."""
    recipients: Annotated[int, Field(ge=1, le=1000)] = 10
    idle_seconds: Annotated[int, Field(ge=1)] = 60
    session_seconds: Annotated[int, Field(ge=1)] = 600
    received_headers: Annotated[int, Field(ge=5)] = 50
    """A mail with more ``Received`` lines runs in a circle."""
    mails_per_game_hour: Annotated[int, Field(ge=10)] = 500
    """More mails of one game in an hour are held until its GM lets them go."""


class Settings(_Section):
    """All settings of one server, checked."""

    domain: Domain = "gm.localhost"
    """The part after the @ of the server's own addresses."""
    server_name: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\r\n<>\"]+$")] = "gm"
    """What mails and pages call this server."""
    data_dir: Path = Path("var")
    """Folder for what the server keeps: database, secret, Maildir."""
    database: str = ""
    """Database URL; empty: SQLite in `data_dir`."""
    secret: Annotated[SecretStr, AfterValidator(_secret)] = SecretStr("")
    """Root of all reply tokens; empty: made once and kept in `data_dir`/secret."""
    creators: tuple[MailAddress, ...] = ()
    """Who may create games by mail."""
    operator: MailAddress | Literal[""] = ""
    """Who is told when something needs a person."""
    templates: Annotated[Path | None, BeforeValidator(_none_if_empty)] = None
    """A folder with the GM's own copies of templates; those he did not copy are taken from the program."""
    authserv_id: str = ""
    """Name under which the MTA in front writes Authentication-Results. Empty: none is believed."""
    sender_proof: Literal["off", "warn", "require"] = "warn"
    """What a new game asks of a sender's address besides the reply token."""
    smtp: Smtp = Smtp()
    lmtp: Lmtp = Lmtp()
    relay: Relay = Relay()
    imap: Imap = Imap()
    web: Web = Web()
    limits: Limits = Limits()

    def database_url(self) -> str:
        """The database's URL, SQLite in the data folder if none is set."""
        return self.database or f"sqlite:///{self.data_dir / 'gm.db'}"

    def mail_folder(self) -> Path:
        """The Maildir for outgoing mail."""
        return self.data_dir / self.relay.folder


def load_settings(file: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read and check the settings.

    Args:
        file: the TOML file; None: ``GM_CONFIG``, else ``config/gm.toml`` if there is one.
        environ: variables instead of those of the process.

    Raises:
        SettingsError: with a line for every problem found.
    """
    env = os.environ if environ is None else environ
    named = file or (Path(env["GM_CONFIG"]) if env.get("GM_CONFIG") else None)
    path = named or DEFAULT_FILE
    values: dict[str, Any] = {}
    if path.is_file():
        values = _read(path)
    elif named is not None:
        raise SettingsError([f"{path}: there is no such file"])
    origin, problems = _overlay(values, env)
    try:
        settings = Settings.model_validate(values)
    except ValidationError as wrong:
        problems += [_problem(error, path, origin) for error in wrong.errors()]
    if problems:
        raise SettingsError(problems)
    problems = [f"{path}: {text}" for text in _contradictions(settings)]
    if problems:
        raise SettingsError(problems)
    return settings


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as wrong:
        raise SettingsError([f"{path}: not UTF-8 text at byte {wrong.start}: save it as UTF-8"]) from None
    except tomllib.TOMLDecodeError as wrong:
        raise SettingsError([f'{path}: {wrong}: TOML wants name = value, texts in "quotes"']) from None


def _overlay(values: dict[str, Any], env: Mapping[str, str]) -> tuple[dict[tuple[str, ...], str], list[str]]:
    """Put the environment's settings over the file's. Returns where they came from, and unknown names."""
    places = _places()
    origin: dict[tuple[str, ...], str] = {}
    problems = []
    for name in sorted(env):
        if not name.startswith(PREFIX) or name in NOT_SETTINGS:
            continue
        place = places.get(name)
        if place is None:
            problems.append(f"environment {name}: no such setting; {_nearest(name, list(places))}")
            continue
        target = values
        for part in place[:-1]:
            inner = target.setdefault(part, {})
            if not isinstance(inner, dict):
                break  # the file has a value where a section belongs: reported from there
            target = inner
        else:
            text = env[name]
            target[place[-1]] = (
                [a.strip() for a in text.split(",") if a.strip()] if place == ("creators",) else text
            )
            origin[place] = name
    return origin, problems


def _places() -> dict[str, tuple[str, ...]]:
    """Every setting's variable and its place in the file."""
    places: dict[str, tuple[str, ...]] = {}
    for name, field in Settings.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, _Section):
            places |= {f"{PREFIX}{name}_{inner}".upper(): (name, inner) for inner in section.model_fields}
        else:
            places[f"{PREFIX}{name}".upper()] = (name,)
    return places


def _problem(error: Any, path: Path, origin: Mapping[tuple[str, ...], str]) -> str:
    place = tuple(str(part) for part in error["loc"])
    known = {p: variable for variable, p in _places().items()}
    setting = place[:2] if place[:2] in known else place[:1]
    where = f"environment {origin[setting]}" if setting in origin else f"{path}, {_written(place, known)}"
    if error["type"] == "extra_forbidden":
        siblings = [
            p[len(place) - 1] for p in known if p[: len(place) - 1] == place[:-1] and len(p) >= len(place)
        ]
        return f"{where}: no such setting; {_nearest(place[-1], sorted(set(siblings)))}"
    message = error["msg"].removeprefix("Value error, ")
    given = "" if "secret" in place or "password" in place else f", not {error['input']!r}"
    return f"{where}: {message[:1].lower()}{message[1:]}{given}"


def _written(place: tuple[str, ...], known: Mapping[tuple[str, ...], str]) -> str:
    sections = {p[0] for p in known if len(p) == 2}
    if place[0] in sections and len(place) > 1:
        return f"[{place[0]}] {place[1]}"
    return place[0] if len(place) == 1 or not place[1].isdigit() else f"{place[0]}, entry {int(place[1]) + 1}"


def _nearest(name: str, valid: list[str]) -> str:
    best = process.extractOne(name, valid, score_cutoff=60)
    return f"did you mean {best[0]}?" if best else f"there are: {', '.join(valid)}"


def _contradictions(settings: Settings) -> list[str]:
    """Settings that are fine one by one but not together."""
    found = []
    if settings.imap.host and not settings.imap.user:
        found.append("[imap] user: a host is set, so the account's name is needed too")
    if bool(settings.relay.user) != bool(settings.relay.password.get_secret_value()):
        found.append("[relay] user, password: set both or neither")
    if settings.imap.host and settings.imap.folder == settings.imap.done_folder:
        found.append("[imap] done_folder: must differ from folder, or mail is fetched for ever")
    ports = [s.port for s in (settings.smtp, settings.lmtp, settings.web) if s.port]
    if len(ports) != len(set(ports)):
        found.append("[smtp] [lmtp] [web] port: each needs a port of its own")
    if settings.web.url and not settings.web.port:
        found.append("[web] url: mails would link to pages that [web] port = 0 has switched off")
    if settings.domain.endswith("localhost") and settings.relay.host:
        found.append(
            f"domain: with a relay set players could not reply to …@{settings.domain}: set your mail domain"
        )
    return found
