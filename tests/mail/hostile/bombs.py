"""Mails built to exhaust a reader: by name, with the number of the hostile input that they belong to.

Run as a script (`python -m tests.mail.hostile.bombs`) it reads them all and prints the peak of its memory.
"""

from __future__ import annotations

import resource
from collections.abc import Callable

from gm.mail.message import read_message

HEAD = b"From: a@b.example\nSubject: x\nMessage-ID: <a@b>\nMIME-Version: 1.0\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n"
UTF8 = HEAD + b"Content-Type: text/plain; charset=utf-8\n\n"
HTML = HEAD + b"Content-Type: text/html\n\n"


def _nested(levels: int) -> bytes:
    return HEAD + b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level)
        for level in range(levels)
    )


def _text(body: bytes) -> bytes:
    return HEAD + b"\n" + body


BOMBS: dict[str, Callable[[], bytes]] = {
    "02 bare CR and bare LF mixed": lambda: _text(b"A\rB\n\rC\n" * 30_000),
    "03 5 MB of CR": lambda: _text(b"\r" * 5_000_000),
    "03 1 MB of LF": lambda: _text(b"\n" * 999_000),
    "04 NUL bytes": lambda: b"From: a\0b@c\nSub\0ject: x\n\nA\0 B\n" + b"\0" * 500_000,
    "05 one line of 5 MB": lambda: _text(b"A" * 5_000_000),
    "05 one line of 200 KB": lambda: _text(b"A " * 100_000),
    "06 Subject of 1 MB": lambda: b"Subject: " + b"x" * 1_000_000 + b"\n" + HEAD + b"\nA",
    "06 Subject folded 300,000 times": lambda: b"Subject: " + b"x\n " * 300_000 + b"\n" + HEAD + b"\nA",
    "06 Subject of 4,600 encoded words": lambda: (
        b"Subject: " + b"=?utf-8?q?a?= " * 4_600 + b"\n" + HEAD + b"\nA"
    ),
    "06 Subject of starts of encoded words": lambda: b"Subject: " + b"=?" * 30_000 + b"\n" + HEAD + b"\nA",
    "07 50,000 headers": lambda: b"X: y\n" * 50_000 + HEAD + b"\nA",
    "07 12,000 headers within the limit": lambda: b"X: y\n" * 12_000 + HEAD + b"\nA",
    "08 20,000 recipients": lambda: b"To: " + b"a@b.c, " * 20_000 + b"\n" + HEAD + b"\nA",
    "08 9,000 recipients": lambda: b"To: " + b"a@b.c, " * 9_000 + b"\n" + HEAD + b"\nA",
    "09 2,000 nested multiparts": lambda: _nested(2_000),
    "09 20 nested multiparts and many lines": lambda: _nested(20) + b"a\n" * 19_000,
    "09 2,000 nested mails": lambda: HEAD + b"Content-Type: message/rfc822\n\n" * 2_000 + b"x",
    "09 nested digests": lambda: HEAD + b"Content-Type: multipart/digest; boundary=b\n\n--b\n\n" * 2_000,
    "10 20,000 parts": lambda: MIXED + b"--b\n\nx\n" * 20_000,
    "10 1,000 parts": lambda: MIXED + b"--b\n\nx\n" * 1_000,
    "10 900 parts by a boundary of dashes": lambda: MIXED.replace(b"=b", b"=----") + b"------\n\nx\n" * 900,
    "11 10,000 parameters": lambda: HEAD + b"Content-Type: text/plain" + b"; a=b" * 10_000 + b"\n\nx",
    "11 200,000 parameters in a part": lambda: (
        MIXED + b"--b\nContent-Type: text/plain" + b";a=b" * 200_000 + b"\n\nx"
    ),
    "11 200,000 parameters of a disposition": lambda: (
        MIXED + b"--b\nContent-Disposition: attachment" + b";a=b" * 200_000 + b"\n\nx"
    ),
    "12 long Message-ID and References": lambda: (
        b"Message-ID: <" + b"a" * 10_000 + b"@b>\nReferences: " + b"<" * 50_000
    ),
    "15 From of 60,000 comments": lambda: b"From: " + b"(" * 60_000 + b"\n\nx",
    "15 From of quotes": lambda: b"From: " + b'"\\' * 4_000 + b"\n\nx",
    "15 From of angles": lambda: b"From: " + b"<" * 8_000 + b"\n\nx",
    "17 UTF-16": lambda: HEAD + b"Content-Type: text/plain; charset=utf-16\n\n" + b"\xff\xfe" * 100_000,
    "17 GB18030": lambda: HEAD + b"Content-Type: text/plain; charset=gb18030\n\n" + b"\x81" * 250_000,
    "17 ISO-2022-JP": lambda: (
        HEAD + b"Content-Type: text/plain; charset=iso-2022-jp\n\n" + b"\x1b$B" * 80_000
    ),
    "17 all high bytes": lambda: _text(bytes(range(128, 256)) * 2_000),
    "18 base64 of 1 MB": lambda: HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"QUFB" * 240_000,
    "18 base64 of padding": lambda: HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"=!QUFB=" * 100_000,
    "18 quoted-printable of =": lambda: (
        HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=" * 250_000
    ),
    "18 uuencode": lambda: HEAD + b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n" + b"M" * 250_000,
    "18 15,000 begins": lambda: _text(b"begin 644 a.txt\n" * 15_000),
    "19 runs of accents": lambda: (
        HEAD
        + b"Content-Type: text/plain; charset=utf-8\n\n"
        + ("e" + "\u0301\u0323" * 499 + "\n").encode() * 125
    ),
    "19 one run of accents": lambda: (
        HEAD + b"Content-Type: text/plain; charset=utf-8\n\n" + ("e" + "\u0301\u0323" * 60_000).encode()
    ),
    "20 <div>": lambda: HTML + b"<div>" * 51_000,
    "20 <ul><li>": lambda: HTML + b"<ul><li>" * 31_000,
    "20 <!--": lambda: HTML + b"<!--" * 63_000,
    "20 <a": lambda: HTML + b"<a" * 127_000,
    "20 <a>": lambda: HTML + b"<a>" * 85_000,
    "20 <b>": lambda: HTML + b"<b>" * 85_000 + b"x",
    "20 <p><b><i>": lambda: HTML + b"<p><b><i>" * 28_000,
    "20 <blockquote>": lambda: HTML + b"<blockquote>" * 21_000,
    "20 gmail_quote nested": lambda: HTML + b"<div class=gmail_quote>" * 11_000,
    "20 gmail_quote side by side": lambda: HTML + b"<div class=gmail_quote>x</div>" * 8_500,
    "20 <table>": lambda: HTML + b"<table><tr><td>" * 17_000,
    "20 28,000 attributes": lambda: HTML + b"<p " + b" ".join(b"a%d=1" % n for n in range(28_000)) + b">x",
    "20 long style": lambda: HTML + b"<p style='" + b"display " * 28_000 + b"'>x",
    "20 entities": lambda: HTML + b"&nbsp;" * 42_000,
    "20 <br>": lambda: HTML + b"<br>" * 63_000,
    "20 <pre>": lambda: HTML + b"<pre>" + b"\n" * 19_000 + b" " * 200_000,
    "20 <p>x": lambda: HTML + b"<p>x" * 63_000,
    "20 <p>x as plain text": lambda: _text(b"<html><body>" + b"<p>x\n" * 19_000 + b"<p>x" * 30_000),
    "20 <p>x of 30,000 tags": lambda: HTML + b"<p>x\n" * 18_000 + b"<p>y" * 11_900,
    "20 <b>x</b>": lambda: HTML + b"<b>x</b> " * 28_000,
    "20 <td>x": lambda: HTML + b"<td>x" * 51_000,
    "20 <a>x": lambda: HTML + b"<a>x" * 63_000,
    "20 margins": lambda: HTML + b"<p style=margin-top:99999em;padding-left:99999em>x" * 5_000,
    "20 hidden": lambda: HTML + b"<p style=display:none>x</p>y" * 8_800,
    "20 <pre><b>": lambda: HTML + b"<pre>" + b"<b>\n</b>" * 18_000,
    "20 HTML in four parts": lambda: (
        MIXED + (b"--b\nContent-Type: text/html\n\n" + b"<p>x" * 60_000 + b"\n") * 4
    ),
    "21 text and HTML of the worst kinds": lambda: (
        MIXED.replace(b"mixed", b"alternative")
        + b"--b\n\n"
        + (b"On " + b"a " * 90 + b"12:00:\n") * 1_300
        + b"--b\nContent-Type: text/html\n\n"
        + b"<p>On a 12:00:" * 4_500
    ),
    "21 lines that are only in one of both": lambda: (
        MIXED.replace(b"mixed", b"alternative")
        + b"--b\n\n"
        + b"".join(b"x%d y\n" % n for n in range(19_000))
        + b"--b\nContent-Type: text/html\n\n"
        + b"".join(b"<p>x%d" % n for n in range(7_000))
    ),
    "20 1 MB of HTML": lambda: HTML + b"<div>" * 200_000,
    "23 flowed lines": lambda: HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 19_000,
    "23 flowed long": lambda: (
        HEAD + b"Content-Type: text/plain; format=flowed\n\n" + (b"a" * 60 + b" \n") * 4_000
    ),
    "24 19,000 half markers": lambda: _text(b"# gm-\n" * 19_000),
    "25 19,000 closings": lambda: _text(b"Thanks\n" * 19_000),
    "25 closings and blanks": lambda: _text(b"Thanks\n" + b"\n" * 18_000 + b"Thanks\n" * 900),
    "26 footers of one word": lambda: _text(b"x this email and\n" * 15_000),
    "27 On a a a of 16 KB": lambda: _text(b"On " + b"a " * 8_000 + b"\n"),
    "27 On lines with colons": lambda: _text((b"On " + b"a " * 90 + b"12:00:\n") * 1_300),
    "27 short On lines": lambda: _text(b"On a 12:00 b :\n" * 13_000),
    "27 header lines": lambda: _text(b"From: a\n" * 19_000),
    "27 header blocks that are none": lambda: _text(b"From: 1\nSent: 2\nTo: 3\nx\n" * 4_900),
    "27 header blocks of long lines": lambda: _text(
        (b"From: " + b"To: " * 48 + b"\nDate: " + b"On " * 60 + b"\nSubject\n") * 600
    ),
    "27 attributions over four lines": lambda: _text((b"On " + b"a@b.c " * 32 + b"\n") * 1_200 + b":\n"),
    "27 attributions over three lines": lambda: _text(
        ((b"On " + b"a@b.c " * 32 + b"\n") * 2 + b"x:\n") * 600
    ),
    "27 dates in Chinese": lambda: _text(("2026年1月1日(日) 1:00 <a> ".encode() * 6 + b":\n") * 1_100),
    "27 Danish dates": lambda: _text((b"1 skrev " * 24 + b"1/1/26 10:00:\n") * 1_250),
    "27 French": lambda: _text(("Le 1/1/26 a écrit " * 10 + "x:\n").encode() * 1_300),
    "27 20 KB of >": lambda: _text(b">" * 20_000 + b"\n" + b">\n" * 10_000),
    "27 10 KB of -": lambda: _text(b"-" * 10_000 + b"\n" + b"-----------\n" * 10_000),
    "27 dashes and blanks": lambda: _text((b"- " * 99 + b"\n") * 1_200),
    "27 underscores": lambda: _text((b"_" * 199 + b"\n") * 1_200),
    "27 wrote wrote": lambda: _text(b"wrote " * 40_000 + b":"),
    "27 addresses": lambda: _text((b"a@a-" * 49 + b":\n") * 1_300),
    "27 dates": lambda: _text((b"1 de " * 39 + b":\n") * 1_300),
    "28 PGP heads": lambda: _text(b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 7_000),
    "28 PGP signatures": lambda: _text(
        b"-----BEGIN PGP SIGNED MESSAGE-----\n\n" + b"-----BEGIN PGP SIGNATURE-----\n" * 7_000
    ),
    "35 ANSI escapes": lambda: _text(b"\x1b[" * 120_000),
    "35 ANSI strings": lambda: _text(b"\x1b]" * 120_000),
    "35 unclosed press": lambda: _text(b"PRESS\n" * 19_000),
    "35 <br> without lines": lambda: _text(b"<br>" * 60_000),
    "37 30 MB with a picture": lambda: (
        MIXED
        + b"--b\n\nA Vie H\n--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
        + (b"A" * 76 + b"\n") * 390_000
    ),
}


def main() -> None:
    """Read every bomb; print the peak of resident memory in MB."""
    for build in BOMBS.values():
        read_message(build())
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


if __name__ == "__main__":
    main()
