"""A German GM's evening: a campaign, rules right and wrong, a turn held and taken back, the record, the zine."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.clubworld import found, wait, zines
from tests.world import GM, Sent, World, started

HOLDS = "No moves received from {}: its units hold. [diplomacy 9.1]"


def words(mail: Sent) -> str:
    """A mail's text in one line, without the rules below its headings."""
    return " ".join(re.sub(r"(?m)^[-= ]{3,}\r?$", "", mail.text).split())


def receipt(mails: Sequence[Sent]) -> str:
    """The one answer among some mails, in one line."""
    (answer,) = [m for m in mails if m.kind == "receipt"]
    return words(answer)


def do(world: World, *lines: str) -> str:
    """The answer to a mail of the GM's about the game, in one line."""
    return receipt(world.reply(GM, "\n".join(("GAME spring99", *lines))))


def test_a_campaign_is_founded_and_its_rules_are_set_and_refused(one, ear):
    found(one, title="Donaukurier")
    one.reply(GM, "SPRACHE Deutsch")
    answer = receipt(
        one.reply(
            GM,
            "CAMPAIGN danube\nSET zine = every Friday 21:00 Europe/Berlin\nSET zine = manchmal\nSET maps = 99\n"
            "CREATE diplomacy AS spring99 TITLE Frühling\nSET calendar = every Fryday 20:00\nSET nmr = vielleicht\n"
            "SET grace_hours = viele\nSET early = mal\nSET zone = Europe/Berlinn\nSET skip = Sut\n"
            "SET holidays = 31 Feb\nSET end_year = bald\nSET end_year = 1905\nSET pres = public\nSET press = public",
        )
    )
    for sentence in (
        "die nächste Ausgabe kommt Freitag, 4. Dezember 2026, 20:00 (UTC)",
        "'manchmal' nennt keine Uhrzeit; zum Beispiel `every Friday 20:00 Europe/London`, `daily 16:30 UTC` oder "
        "`moves 7 days, retreats 2 days at 20:00 UTC`",
        "maps muss eine ganze Zahl von 0 bis 12 sein, nicht '99'",
        "spring99 steht in danube zur Anmeldung offen; RULES zählt die Hausregeln auf, SET ändert sie",
        "'fryday' in 'every Fryday 20:00' ist kein Wochentag (meintest du Friday?)",
        "nmr muss eines von run, wait sein, nicht 'vielleicht'",
        "grace_hours muss eine ganze Zahl von 0 bis 1000 sein, nicht 'viele'",
        "early muss on oder off sein, nicht 'mal'",
        "eine Zeitzone 'Europe/Berlinn' gibt es nicht; ähnlich sind: Europe/Berlin, Europe/Tallinn, Europe/Busingen",
        "'Sut' ist kein Wochentag (meintest du Sunday?); schreib zum Beispiel `Sat, Sun` oder `none`",
        "'31 Feb' ist kein mögliches Datum: Diesen Tag hat der Monat nicht",
        "end_year muss eine ganze Zahl sein, nicht 'bald'",
        "= Hausregel end_year ist 1905",
        "eine Hausregel 'pres' gibt es nicht; es gibt: calendar, zone,",
        "= Hausregel press ist public",
    ):
        assert sentence in answer
    assert ear.english() == []


def test_deadlines_and_phases_are_answered_in_german(played, ear):
    answer = do(
        played,
        "DEADLINE gestern\nDEADLINE 1 Jan 2020\nEXTEND viel\nEXTEND 48h\nPROCESS F1901M\nPROCESS",
        "HOLD BECAUSE ich muss nachdenken\nHOLD\nRELEASE\nRELEASE\nRELEASE MAIL\nOFFER Austria\nWHY DEADLINE",
    )
    for sentence in (
        "'gestern' ist kein Datum; schreib zum Beispiel `2026-12-04 20:00` oder `4 Dec 20:00`",
        "'1 Jan 2020' lese ich als Mittwoch, 1. Januar 2020, 20:00 (UTC), und das ist vorbei",
        "'viel' ist keine Dauer; schreib zum Beispiel `48h` oder `2 days`",
        "verlängert; die Frist ist Sonntag, 6. Dezember 2026, 20:00 (UTC)",
        "Offen ist Spring 1901, movement, nicht 'F1901M'.",
        "In Spring 1901, movement hat noch niemand befohlen. Soll sie trotzdem laufen, nenn sie.",
        "Spring 1901, movement läuft bis RELEASE nicht von selbst; PROCESS wertet sie sofort aus",
        "Spring 1901, movement war schon angehalten",
        "Spring 1901, movement ist freigegeben; sie läuft zu ihrer Frist",
        "Spring 1901, movement ist nicht angehalten.",
        "Von spring99 wird keine Mail ihrer Menge wegen zurückgehalten.",
        "Auf der Ersatzliste von spring99 steht niemand, der nach Austria nicht schon gefragt wurde.",
        "REPLACE Austria WITH Adresse AS Name",
        "(von der Spielleitung verlängert um 48h)",
    ):
        assert sentence in answer
    assert ear.english() == []


def test_health_record_delivery_and_preview_are_german(played, ear):
    answer = do(played, "PAUSE Weihnachten\nRESUME\nHEALTH\nAUDIT\nDELIVERY\nRELIABILITY\nPREVIEW")
    for sentence in (
        "wie es deinen Partien geht: unten",
        "POSTFÄCHER, DIE ABWESENHEIT MELDEN keine UNBESETZT keine",
        "NÄCHSTE FRISTEN spring99: Spring 1901, movement, fällig Freitag, 4. Dezember 2026, 20:00 (UTC)",
        "Spielleitung gm: hielt die Partie an: Weihnachten",
        "Server: begann die Partie",
        "SPIELLEITUNG (GM) Mitteilung, wartet, Dienstag, 1. Dezember 2026, 12:00 (UTC), an gm@club.example",
        "BILANZEN DER SPIELER VON SPRING OF 99",
        "noch keine Phase",
        "die Vorschau steht unten; sonst sieht sie niemand, und nichts wurde ausgewertet",
        "Austria: keine Züge gekommen",
        "Antworte auf diese Mail mit weiteren Kommandos. HILFE zählt sie auf.",
    ):
        assert sentence in answer
    powers = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
    assert ear.english() == [HOLDS.format(power) for power in powers], "a ruleset's words, and nothing else"


def test_a_turn_is_edited_and_taken_back_in_german(played, ear):
    seats = started().seats
    played.reply(seats["austria"], "A VIE - GAL")
    played.reply(GM, "GAME spring99\nPROCESS S1901M")
    answer = do(
        played,
        'EDIT BECAUSE eine Flotte fehlte\nunits.austria = ["A Gal", "A Bud", "F Alb"]\nENDEDIT',
        "EDIT BECAUSE nur so\nunits = 3\nENDEDIT\nEDIT\nunits = 3\nENDEDIT\nROLLBACK TO S1899M",
    )
    for sentence in (
        "die Stellung vor Fall 1901, movement ist geändert; alle erfahren, was sich für sie geändert hat, und warum",
        "EDIT braucht seinen Grund, den alle erfahren.",
        "EDIT BECAUSE eine Einheit ging aus Versehen verloren",
        "Nichts wurde geändert.",
        "'S1899M' ist keine Phase, die gelaufen ist; es gibt: S1901M",
    ):
        assert sentence in answer
    mails = played.reply(GM, "GAME spring99\nROLLBACK TO S1901M BECAUSE verlesen\nAUDIT")
    assert (
        "zurück zu Spring 1901, movement; die Befehle liegen wieder vor, die Frist ist Freitag, 4. Dezember 2026, "
        "20:00 (UTC)" in receipt(mails)
    )
    assert "nahm die Partie auf S1901M zurück: verlesen" in receipt(mails)
    assert "Server: wertete S1901M aus: das Wort der Spielleitung" in receipt(mails)
    (told,) = [m for m in mails if m.to == GM and m.kind == "notice"]
    assert "Die Spielleitung hat die Partie auf Spring 1901, movement zurückgenommen: verlesen." in words(
        told
    )


def test_standby_players_and_moderated_press_are_german_and_what_players_wrote_is_untouched(played, ear):
    seats = started().seats
    played.join("s@club.example", "JOIN spring99 AS Sofie Ersatz")
    answer = do(played, "OFFER Austria\nOFFER Austria\nSET press = moderated")
    until = "Sofie Ersatz (noch keine Phase) angeboten, bis Freitag, 4. Dezember 2026, 12:00 (UTC)."
    assert f"= Austria ist {until}" in answer
    assert f"! Nichts Neues: Austria ist {until}" in answer
    mails = played.reply(seats["italy"], "PRESS TO France: No phase was run yet. The game is paused.")
    (told,) = [m for m in mails if m.to == GM]
    assert "Spring of 99: Presse zur Freigabe, Nr. 1" in told.subject
    assert "PRESSE VON ITALY AN FRANCE No phase was run yet. The game is paused." in words(told)
    assert "Sie liegt, bis du RELEASE 1 antwortest, oder REFUSE 1 BECAUSE und den Grund." in words(told)
    answer = do(played, "HELD\nREFUSE 9\nRELEASE 1")
    assert "1 Nachricht liegt; RELEASE und REFUSE nehmen ihre Nummer" in answer
    assert "NR. 1: ITALY AN FRANCE No phase was run yet. The game is paused." in answer
    assert "Presse Nr. 9 liegt nicht; es gibt: 1." in answer
    assert "Nr. 1: Presse an France abgeschickt" in answer
    assert ear.english() == []


def test_the_zine_is_german_but_for_its_writers_and_rulesets(one, ear):
    found(one, title="Donaukurier")
    one.reply(GM, "SPRACHE Deutsch")
    one.reply(
        GM,
        "CAMPAIGN danube\nSET zine = every Friday 21:00 UTC\nCREATE diplomacy AS spring99 TITLE Frühling\n"
        "CAMPAIGN danube\nEDITORIAL: No phase was run yet.",
    )
    mails = one.reply(GM, "CAMPAIGN danube\nLETTERS\nROSTER\nPREVIEW ISSUE\nPUBLISH")
    answer = receipt(mails)
    assert "1 Text wartet auf die nächste Ausgabe; DROP LETTER und die Nummer streicht ihn" in answer
    assert "1. LEITARTIKEL, GM No phase was run yet." in answer
    assert "Nr. 1, wie sie jetzt ist, geht an dich allein, ohne ihre Karten; nichts erscheint." in answer
    assert zines(mails)[GM].subject.startswith("Vorschau: Donaukurier Nr. 1")
    issue = zines(wait(one, minutes=5))[GM]
    for sentence in (
        "Nr. 1 Dienstag, 1. Dezember 2026",
        "Herausgegeben von gm erscheint every Friday 21:00 UTC",
        "IN DIESER AUSGABE [1] Leitartikel",
        "No phase was run yet.",
        "Frühling: Diplomacy, 7 fehlen noch JOIN spring99 AS dein Name",
        "Freitag, 4. Dezember 2026, 21:00 Donaukurier die nächste Ausgabe",
        "Donaukurier ist das Zine der Kampagne danube, gespielt per Mail bei The Courier.",
        "Antworte mit LETTER, deinem Leserbrief und ENDLETTER,",
    ):
        assert sentence in words(issue)
    page = issue.mail.get_body(("html",))
    assert page is not None
    assert '<html lang="de">' in page.get_content()
    assert "In dieser Ausgabe" in page.get_content()
    assert ear.english() == []
