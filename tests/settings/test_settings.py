"""Settings: defaults that reach nobody, and errors that name file, field and the right form."""

from pathlib import Path

import pytest

from gm.settings import Settings, SettingsError, load_settings


def problems(file: Path, text: str = "", **environ: str) -> list[str]:
    file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(file, environ)
    return caught.value.problems


@pytest.fixture
def file(tmp_path):
    return tmp_path / "gm.toml"


def test_defaults_reach_nobody_outside_this_machine():
    settings = Settings()
    assert {settings.smtp.host, settings.lmtp.host, settings.web.host} == {"127.0.0.1"}
    assert (settings.relay.host, settings.imap.host) == ("", "")
    assert settings.mail_folder() == Path("var/mail-out")
    assert settings.database_url() == "sqlite:///var/gm.db"


def test_the_shipped_file_shows_every_setting_with_its_default(tmp_path):
    shipped = Path("config/gm.toml").read_text()
    lines = [line.removeprefix("#") for line in shipped.splitlines() if not line.startswith("# ")]
    opened = tmp_path / "gm.toml"
    opened.write_text("\n".join(lines).replace('["gm@example.org"]', "[]"))
    assert load_settings(opened, {}) == Settings()
    shown = {line.split(" = ")[0] for line in lines if " = " in line}
    sections = {"smtp", "lmtp", "relay", "imap", "web", "limits"}
    for name in Settings.model_fields:
        names = type(getattr(Settings(), name)).model_fields if name in sections else [name]
        assert set(names) <= shown


def test_the_environment_wins_over_the_file(file):
    file.write_text('domain = "a.example"\n[relay]\nhost = "mx.a.example"\nport = 26\n')
    settings = load_settings(
        file, {"GM_DOMAIN": "b.example", "GM_RELAY_PORT": "587", "GM_SERVER_NAME": "Zine"}
    )
    assert (settings.domain, settings.server_name) == ("b.example", "Zine")
    assert (settings.relay.host, settings.relay.port) == ("mx.a.example", 587)


def test_creators_from_the_environment_are_split_at_commas():
    settings = load_settings(None, {"GM_CREATORS": "Ann@Example.org, bob@example.org"})
    assert settings.creators == ("ann@example.org", "bob@example.org")


def test_an_unknown_key_names_its_place_and_the_nearest_one(file):
    assert problems(file, "[relay]\nhots = 'x'\n") == [
        f"{file}, [relay] hots: no such setting; did you mean host?"
    ]
    assert problems(file, "domian = 'x.org'\n") == [f"{file}, domian: no such setting; did you mean domain?"]


def test_an_unknown_variable_is_an_error_too(file):
    assert problems(file, GM_RELAY_HOTS="x") == [
        "environment GM_RELAY_HOTS: no such setting; did you mean GM_RELAY_HOST?"
    ]


def test_all_problems_are_told_at_once_with_the_value_found(file):
    found = problems(file, 'domain = "a b"\n[smtp]\nport = 99999\n', GM_LIMITS_RECIPIENTS="many")
    assert found == [
        f"{file}, domain: write a host name of two parts or more, like play.example.org, not 'a b'",
        f"{file}, [smtp] port: input should be less than or equal to 65535, not 99999",
        "environment GM_LIMITS_RECIPIENTS: input should be a valid integer, unable to parse string as an integer,"
        " not 'many'",
    ]


def test_a_value_where_a_section_belongs_is_named(file):
    (found,) = problems(file, "relay = 'mx'\n", GM_RELAY_PORT="25")
    assert found.startswith(f"{file}, relay: ")


def test_a_bad_creator_is_named_by_its_number(file):
    assert problems(file, 'creators = ["ok@example.org", "Ann <a@b>"]\n') == [
        f"{file}, creators, entry 2: write a bare mail address like gm@example.org, not 'Ann <a@b>'"
    ]


def test_broken_toml_names_file_and_line(file):
    (found,) = problems(file, 'domain = "x.org"\nport = = 3\n')
    assert found.startswith(f"{file}: ") and "line 2" in found


def test_a_file_that_was_named_must_exist(tmp_path):
    with pytest.raises(SettingsError, match="there is no such file"):
        load_settings(None, {"GM_CONFIG": str(tmp_path / "none.toml")})


def test_no_secret_is_shown_in_errors_or_in_the_settings_own_text(file):
    (found,) = problems(file, 'secret = "tooshort"\n')
    assert "tooshort" not in found and "32 characters" in found
    file.write_text('secret = "' + "s" * 32 + '"\n[imap]\nhost="h"\nuser="u"\npassword="hunter2"\n')
    shown = repr(load_settings(file, {}))
    assert "hunter2" not in shown and "ssss" not in shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[imap]\nhost = "h"\n', "[imap] user: a host is set"),
        (
            '[imap]\nhost = "h"\nuser = "u"\nfolder = "x"\ndone_folder = "x"\n',
            "[imap] done_folder: must differ",
        ),
        ("[smtp]\nport = 9000\n[lmtp]\nport = 9000\n", "port: each needs a port of its own"),
        ('[relay]\nhost = "mx"\n', "could not reply to …@gm.localhost"),
        ('domain = "a.org"\n[relay]\nhost = "mx"\nuser = "u"\n', "set both or neither"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(file, text, words):
    (found,) = problems(file, text)
    assert words in found


@pytest.mark.parametrize(
    "url",
    [
        "zine.example.org", "ftp://zine.example.org", "https://", "https://zine example.org", "https://a.example/?q=1",
        "https://a.example/#top", "https://me:pass@a.example", 'https://a.example/"x', "https://a.example/<b>",
        "https://a.example//x", "https://a.example/\\r\\nBcc: x", "https://a.example/é", "javascript:alert(1)",
        "https://a.example:port/", "https://-a.example",
    ],
)  # fmt: skip
def test_public_address_of_the_pages_that_is_none_is_refused_with_the_right_form(file, url):
    (found,) = problems(file, f"[web]\nurl = '{url}'\n")
    assert found.startswith(
        f"{file}, [web] url: write the address at which people open the pages, like https://zine.example.org, not "
    )


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("", ""),
        ("https://zine.example.org", "https://zine.example.org"),
        ("https://zine.example.org/", "https://zine.example.org"),
        ("http://localhost:8080/gm/", "http://localhost:8080/gm"),
        ("https://Club.example/~gm/pages", "https://Club.example/~gm/pages"),
    ],
)
def test_public_address_of_the_pages(url, read):
    assert load_settings(environ={"GM_WEB_URL": url}).web.url == read


def test_public_address_without_pages_is_a_contradiction(file):
    (found,) = problems(file, "[web]\nport = 0\nurl = 'https://a.example'\n")
    assert "[web] url: mails would link to pages that [web] port = 0 has switched off" in found
