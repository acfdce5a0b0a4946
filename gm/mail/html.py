"""HTML mail to plain text, with quoted mail marked ``> `` as in plain text, so that one module strips both.

A walk of our own over lxml's tree, since what matters here is what no converter keeps: each table cell is a
line (players' programs put one order in each), bold or links inside a line never break it, nothing is added to
it, and the quote containers of the mail programs become quote marks. Linear in the size of the input.
"""

from __future__ import annotations

import re

from lxml import etree


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


_BLOCKS = _tags(
    "address article aside blockquote body center dd dir div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6"
    " header hr html li main menu nav ol p pre section table tbody td tfoot th thead tr ul"
)
_PARAGRAPHS = _tags("p h1 h2 h3 h4 h5 h6 hr blockquote pre")
_UNSEEN = _tags("head style script title meta link template noscript svg math object select textarea")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_INDENT = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_LONG_TAG = re.compile(r"<[^<>]{20000,}>?")
"""Pictures inside the HTML, or an attack: libxml2 checks attributes for doubles in quadratic time (28,000: 0.7 s)."""
_CONTROLS = {code: None for code in range(0x20) if code not in (0x09, 0x0A, 0x0D)}

# Containers by which mail programs mark the mail that is answered.
_QUOTE_CLASSES = _tags("gmail_quote gmail_quote_container yahoo_quoted protonmail_quote zmail_extra")
_QUOTE_IDS = re.compile(
    r"(?:x_)*(?:mail-editor-reference-message-container|yahoo_quoted_\w*|replySplit|isForwardContent)\Z"
)
_ALL_BELOW = re.compile(r"(?:x_)*(?:divRplyFwdMsg|OLK_SRC_BODY_SECTION|stopSpelling)\Z")
"""Outlook marks only the head of the quoted mail; all that follows belongs to it."""


def html_to_text(html: str) -> str:
    """Lines of plain text; quoted mail has ``> `` before each line. Never raises; no HTML gives no text."""
    source = _LONG_TAG.sub(" ", html.translate(_CONTROLS)).encode("utf-8", "replace")
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(source, parser)
    except etree.LxmlError:
        return ""
    if root is None:
        return ""
    lines = _Lines()
    _walk(root, lines)
    return lines.text()


class _Lines:
    """Collects words into lines."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.now: list[str] = []
        self.quote = 0

    def add(self, text: str, keep: bool) -> None:
        if not keep:
            self.now.append(_SPACE.sub(" ", text))
            return
        first, *more = text.replace("\r\n", "\n").split("\n")
        self.now.append(first)
        for line in more:
            self.end()
            self.now.append(line)

    def end(self) -> None:
        """End a line: `<br>`, or the next line of a `<pre>`; an empty one stays."""
        line = "".join(self.now).rstrip(" ")
        self.now.clear()
        self.done.append(
            "> " + line.lstrip(" ") if self.quote else line.lstrip(" ") if line[:1] == " " else line
        )

    def block(self, paragraph: bool) -> None:
        """Start a new line unless one was just started; `paragraph` leaves a blank line before it."""
        if any(part and not part.isspace() for part in self.now):
            self.end()
        else:
            self.now.clear()
        if paragraph and self.done and self.done[-1] not in ("", "> "):
            self.done.append("> " if self.quote else "")

    def text(self) -> str:
        self.block(False)
        return "\n".join(self.done).strip("\n")


def _walk(root: etree._Element, lines: _Lines) -> None:
    skipped: etree._Element | None = None
    pre = 0
    quotes: list[etree._Element] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            if skipped is not None:
                continue
            if tag in _UNSEEN or _HIDDEN.search(element.get("style", "")[:1000]):
                skipped = element
                continue
            if tag in _BLOCKS:
                lines.block(tag in _PARAGRAPHS)
            if tag in ("blockquote", "div", "p", "section", "table", "span") and _is_quote(element, tag):
                lines.block(False)
                lines.quote += 1
                if not _ALL_BELOW.match(element.get("id", "")[:100]):
                    quotes.append(element)
            pre += tag == "pre"
            if tag == "br":
                lines.end()
            elif element.text:
                lines.add(element.text, pre > 0)
            continue
        if skipped is not None:
            if skipped is not element:
                continue
            skipped = None
        else:
            pre -= tag == "pre"
            if tag in _BLOCKS:
                lines.block(tag in _PARAGRAPHS)
            if quotes and quotes[-1] is element:
                quotes.pop()
                lines.block(False)
                lines.quote -= 1
        if element.tail and element is not root:
            lines.add(element.tail, pre > 0)


def _is_quote(element: etree._Element, tag: str) -> bool:
    """Whether an element is the container of quoted mail, or the head of it."""
    if not element.attrib and tag != "blockquote":
        return False
    name = element.get("id", "")[:100]
    if name and (_QUOTE_IDS.match(name) or _ALL_BELOW.match(name)):
        return True
    classes = element.get("class", "")[:200].split()
    if tag == "blockquote":
        # Gmail's and Outlook's indent button makes blockquotes too: those have no border line.
        return (
            bool(classes)
            or element.get("type") == "cite"
            or not _INDENT.search(element.get("style", "")[:1000])
        )
    if element.get("name") == "quote":  # GMX, web.de
        return True
    # Answers written between quoted lines stand in such a container, outside its blockquotes.
    return any(c in _QUOTE_CLASSES for c in classes) and next(element.iter("blockquote"), None) is None
