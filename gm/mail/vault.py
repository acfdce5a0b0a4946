"""The server's secret and the keys made from it."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

SECRET_BYTES = 32


class VaultError(Exception):
    """The secret cannot be read or kept; the text says what to change."""


@dataclass(frozen=True)
class Vault:
    """The root secret. Give out keys for one purpose each, never the secret itself."""

    secret: bytes = field(repr=False)

    def key(self, purpose: str) -> bytes:
        """A 32-byte key for one purpose (HMAC-SHA-256 of its name, as HKDF-Expand of RFC 5869 with one block)."""
        return hmac.digest(self.secret, b"gm:" + purpose.encode() + b"\x01", hashlib.sha256)


def open_vault(data_dir: Path, given: str = "") -> Vault:
    """The secret from the settings, else that of ``data_dir/secret``, made there on the first start (mode 600).

    Raises:
        VaultError: the file is readable by others, too short, or cannot be written.
    """
    if given:
        return Vault(hashlib.sha256(given.encode()).digest())
    path = data_dir / "secret"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _create(path)
        if path.stat().st_mode & 0o077:
            raise VaultError(f"{path} is readable by others: run chmod 600 {path}")
        text = path.read_text(encoding="ascii").strip()
        secret = bytes.fromhex(text)
    except OSError as wrong:
        raise VaultError(
            f"{path}: {wrong.strerror}: give the server's user the right to write there"
        ) from wrong
    except ValueError:
        raise VaultError(f"{path} is not a secret of gm: put back the file from your backup") from None
    if len(secret) < SECRET_BYTES:
        raise VaultError(f"{path} is cut short: put back the file from your backup")
    return Vault(secret)


def _create(path: Path) -> None:
    """Write a new secret whole or not at all; if two processes do it at once, one of them wins for both."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".secret.")  # mode 600
    fresh = Path(name)
    try:
        os.write(handle, secrets.token_hex(SECRET_BYTES).encode() + b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)
    try:
        os.link(fresh, path)  # unlike a rename it never replaces a secret that is there
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
