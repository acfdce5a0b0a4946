"""The secret: made once, kept private, never replaced."""

import stat
import threading

import pytest

from gm.mail.vault import Vault, VaultError, open_vault


def test_the_secret_is_made_once_with_mode_600_and_found_again(tmp_path):
    first = open_vault(tmp_path / "data")
    path = tmp_path / "data" / "secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert open_vault(tmp_path / "data") == first
    assert list(path.parent.iterdir()) == [path]


def test_two_starts_at_once_agree_on_one_secret(tmp_path):
    made: list[Vault] = []
    threads = [threading.Thread(target=lambda: made.append(open_vault(tmp_path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({vault.secret for vault in made}) == 1


def test_keys_differ_by_purpose_and_the_given_secret_wins(tmp_path):
    vault = open_vault(tmp_path, given="x" * 40)
    assert not (tmp_path / "secret").exists()
    assert vault.key("reply") != vault.key("verp")
    assert vault.key("reply") == open_vault(tmp_path, given="x" * 40).key("reply")
    assert vault.secret.hex() not in repr(vault) and str(vault.secret) not in repr(vault)


def test_a_secret_that_others_may_read_is_refused(tmp_path):
    open_vault(tmp_path)
    (tmp_path / "secret").chmod(0o644)
    with pytest.raises(VaultError, match="chmod 600"):
        open_vault(tmp_path)


@pytest.mark.parametrize(
    ("text", "words"), [("zz", "not a secret"), ("ab" * 4, "cut short"), ("", "cut short")]
)
def test_a_damaged_secret_is_never_replaced_by_a_new_one(tmp_path, text, words):
    path = tmp_path / "secret"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(VaultError, match=words):
        open_vault(tmp_path)
    assert path.read_text() == text
