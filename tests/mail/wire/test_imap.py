"""Fetching from a real Dovecot, and from servers that behave worse."""

from __future__ import annotations

import threading
from itertools import count

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError
from pydantic import SecretStr

from gm.mail.imap import ImapPoller
from gm.mail.spool import Arrival, accept
from gm.settings import Imap
from tests.mail.wire.wire import NOW, inbox, mail
from tests.peers import Dovecot, wait_for

pytestmark = pytest.mark.peer("dovecot")
_users = count()


def known(address: str) -> bool:
    return address.endswith("@play.test")


class Mailbox:
    """One user's mailbox on the real server."""

    def __init__(self, dovecot: Dovecot) -> None:
        self.dovecot, self.user = dovecot, f"user{next(_users)}"
        self.account = Imap(
            host="127.0.0.1", port=dovecot.imap_port, user=self.user, password=SecretStr("secret"), tls=False
        )

    def put(self, *mails: bytes) -> None:
        for raw in mails:
            self.dovecot.deliver(self.user, raw)

    def poller(self, store, **more) -> ImapPoller:
        options = {"known": known, "fallback": "gm@play.test", "message_bytes": 100_000, **more}
        return ImapPoller(store, more.pop("account", self.account), lambda: NOW, **options)

    def count(self, folder: str) -> int:
        with IMAPClient("127.0.0.1", self.dovecot.imap_port, ssl=False) as client:
            client.login(self.user, "secret")
            client.select_folder(folder)
            return len(client.search("NOT DELETED"))


@pytest.fixture
def mailbox(dovecot):
    return Mailbox(dovecot)


def test_mail_is_stored_with_its_envelope_and_moved(store, mailbox):
    mailbox.put(mail("one\n", message_id="<1@x.test>"), mail("two\n", message_id="<2@x.test>"))
    poller = mailbox.poller(store)
    with poller.connected() as client:
        assert poller.fetch(client) == 2
        assert poller.fetch(client) == 0
    rows = inbox(store)
    assert [row.message_id for row in rows] == ["<1@x.test>", "<2@x.test>"]
    assert {(row.via, row.envelope_from, row.recipient) for row in rows} == {
        ("imap", "peer@test", "play@play.test")
    }
    assert (mailbox.count("INBOX"), mailbox.count("gm-done")) == (0, 2)


@pytest.mark.case(23)
def test_a_mail_that_could_not_be_moved_is_not_stored_twice(one_store, mailbox, monkeypatch):
    mailbox.put(mail())
    broken = mailbox.poller(one_store)

    def refuse(*_):
        raise IMAPClientError("[OVERQUOTA] folder is full")

    monkeypatch.setattr(broken, "_move", refuse)
    with broken.connected() as client:
        assert [broken.fetch(client), broken.fetch(client)] == [1, 0]
    assert mailbox.count("INBOX") == 1
    again = mailbox.poller(one_store)
    with again.connected() as client:
        assert again.fetch(client) == 0
    assert mailbox.count("INBOX") == 0
    assert len(inbox(one_store)) == 1


@pytest.mark.case(24)
def test_uids_given_out_anew_neither_repeat_nor_hide_a_mail(one_store, mailbox):
    poller = mailbox.poller(one_store)
    mailbox.put(mail("old\n", message_id="<old@x.test>"))
    with poller.connected() as client:
        poller.fetch(client)
        client.unselect_folder()
        client.create_folder("Other")
    # A new mailbox in place of the old: UID 1 once more, under another UIDVALIDITY.
    for raw in (mail("old\n", message_id="<old@x.test>"), mail("new\n", message_id="<new@x.test>")):
        with IMAPClient("127.0.0.1", mailbox.dovecot.imap_port, ssl=False) as client:
            client.login(mailbox.user, "secret")
            client.append("Other", raw)
    account = mailbox.account.model_copy(update={"folder": "Other"})
    other = ImapPoller(
        one_store, account, lambda: NOW, known=known, fallback="gm@play.test", message_bytes=100_000
    )
    with other.connected() as client:
        assert other.fetch(client) == 1
    assert [row.message_id for row in inbox(one_store)] == ["<old@x.test>", "<new@x.test>"]


def test_a_mail_that_came_by_smtp_too_is_one(one_store, mailbox):
    arrival = Arrival(
        raw=mail(), envelope_from="peer@test", recipients=("play@play.test",), peer="", via="smtp"
    )
    accept(one_store, [arrival], lambda: NOW)
    mailbox.put(mail())
    poller = mailbox.poller(one_store)
    with poller.connected() as client:
        assert poller.fetch(client) == 0
    assert len(inbox(one_store)) == 1
    assert mailbox.count("INBOX") == 0


def test_a_mail_to_none_of_ours_goes_to_the_desk(one_store, mailbox):
    mailbox.put(mail(To="someone@elsewhere.test"))
    poller = mailbox.poller(one_store)
    with poller.connected() as client:
        poller.fetch(client)
    assert [row.recipient for row in inbox(one_store)] == ["gm@play.test"]


def test_of_a_mail_over_the_limit_the_beginning_is_kept(one_store, mailbox):
    mailbox.put(mail("x" * 70 + "\n") + b"y" * 70 + b"\r\n" + (b"z" * 70 + b"\r\n") * 5000)
    poller = mailbox.poller(one_store)
    with poller.connected() as client:
        poller.fetch(client)
    assert [len(row.raw) for row in inbox(one_store)] == [100_001]


def test_a_mail_that_vanishes_between_search_and_fetch_is_passed_over(one_store, mailbox, monkeypatch):
    mailbox.put(mail("one\n", message_id="<1@x.test>"), mail("two\n", message_id="<2@x.test>"))
    poller = mailbox.poller(one_store)
    with poller.connected() as client:
        real = client.search

        def search_then_lose(criteria):
            found = real(criteria)
            client.delete_messages(found[:1])
            client.expunge()
            return found

        monkeypatch.setattr(client, "search", search_then_lose)
        assert poller.fetch(client) == 1
    assert [row.message_id for row in inbox(one_store)] == ["<2@x.test>"]


@pytest.mark.parametrize("missing", ["MOVE", "MOVE UIDPLUS"])
def test_servers_without_move_are_served_by_copy_and_delete(one_store, mailbox, monkeypatch, missing):
    mailbox.put(mail())
    poller = mailbox.poller(one_store)
    with poller.connected() as client:
        real = client.has_capability
        monkeypatch.setattr(client, "has_capability", lambda name: name not in missing.split() and real(name))
        assert [poller.fetch(client), poller.fetch(client)] == [1, 0]
    assert (mailbox.count("INBOX"), mailbox.count("gm-done")) == (0, 1)


@pytest.mark.parametrize("idle", [True, False])
def test_new_mail_wakes_the_poller_and_a_dead_link_is_replaced(one_store, dovecot, monkeypatch, idle):
    monkeypatch.setattr("gm.mail.imap.FIRST_WAIT", 0.05)
    box = Mailbox(dovecot)
    account = box.account.model_copy(update={"poll_seconds": 540 if idle else 0.1})
    clients = []
    real = ImapPoller.connected

    def connected(self):
        manager = real(self)

        class Watched:
            def __enter__(self):
                client = manager.__enter__()
                if not idle:
                    has = client.has_capability
                    client.has_capability = lambda name: name != "IDLE" and has(name)
                clients.append(client)
                return client

            def __exit__(self, *wrong):
                return manager.__exit__(*wrong)

        return Watched()

    monkeypatch.setattr(ImapPoller, "connected", connected)
    woken = threading.Event()
    poller = ImapPoller(
        one_store, account, lambda: NOW, known=known, fallback="gm@play.test", message_bytes=100_000,
        stored=woken.set,
    )  # fmt: skip
    stop = threading.Event()
    thread = threading.Thread(target=poller.run, args=(stop,))
    thread.start()
    try:
        wait_for(lambda: clients, what="the first connection")
        wait_for(lambda: not idle or clients[0]._idle_tag, what="IDLE")
        box.put(mail("one\n", message_id="<1@x.test>"))
        assert woken.wait(20)
        woken.clear()
        clients[0].socket().shutdown(2)
        box.put(mail("two\n", message_id="<2@x.test>"))
        assert woken.wait(20)
    finally:
        stop.set()
        thread.join()
    assert len(clients) >= 2
    assert len(inbox(one_store)) == 2


def test_one_mail_with_a_bogus_charset_does_not_stop_the_others(one_store, mailbox):
    bogus = mail("A Vie H\n", message_id="<0@x.test>", Content_Type="text/plain; charset=bogus")
    mailbox.put(bogus, *(mail(f"{n}\n", message_id=f"<{n}@x.test>") for n in range(1, 4)))
    poller = mailbox.poller(one_store)
    with poller.connected() as client:
        assert poller.fetch(client) == 4


def test_a_wrong_password_is_waited_out_and_not_logged(one_store, mailbox, monkeypatch, capsys):
    account = mailbox.account.model_copy(update={"password": SecretStr("wrong-password")})
    poller = ImapPoller(
        one_store, account, lambda: NOW, known=known, fallback="gm@play.test", message_bytes=100_000
    )
    stop = threading.Event()
    waits: list[float] = []

    def count_wait(seconds: float) -> bool:
        waits.append(seconds)
        if len(waits) == 2:
            stop.set()
        return stop.is_set()

    class Stop:
        is_set = staticmethod(stop.is_set)
        wait = staticmethod(count_wait)

    poller.run(Stop())
    assert waits == [5.0, 10.0]
    said = capsys.readouterr()
    assert "wrong-password" not in said.out + said.err
