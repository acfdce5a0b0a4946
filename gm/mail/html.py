"""HTML mail to plain text: inscriptis over an lxml tree from which quoted mail was taken out first.

inscriptis decides what is a line. Ours is what a mail needs and a web page does not: containers of quoted mail
become one line marked ``> `` (so that one module strips both kinds of mail, and nobody pays for rendering his
quoted report), hidden elements vanish, each table cell and list item is a line without a bullet (players' programs
put one order in each), and styles do not indent.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_engine import Inscriptis
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from inscriptis.model.tag import CustomHtmlTagHandlerMapping
from lxml import etree

QUOTED_LINE = "> [quoted mail]"
"""What stands for the container of a quoted mail."""


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


_MORE_LINES = _tags(
    "body caption center dd dir dl dt fieldset figcaption form html li menu ol section table tbody td tfoot th thead"
    " tr ul"
)
"""Blocks that inscriptis' profile draws in another way, or inline."""
_MORE_PARAGRAPHS = _tags("blockquote hr pre")
_UNSEEN = _tags("noscript svg math object select template textarea")
_DRAWN = _tags("table tr td th ul ol li")
"""Tags for which inscriptis has handlers that draw columns and bullets."""

_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_INDENT = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
_AS_TYPED = re.compile(r"white-space\s*:\s*pre", re.IGNORECASE)
_LONG_TAG = re.compile(r"<[^<>]{20000,}>?")
"""Pictures inside the HTML, or an attack: libxml2 checks attributes for doubles in quadratic time (28,000: 0.7 s)."""

# Private characters carry through inscriptis what it would change: it decodes entities a second time
# ("&amp;lt;" became "<"), and forgets inside <pre><b> that lines and spaces count.
_NEWLINE, _SPACE, _AMPERSAND = "\ue000", "\ue001", "\ue002"
_CLEAN: dict[int, str | None] = {
    **{code: None for code in range(0x20) if code not in (0x09, 0x0A, 0x0D)},
    **{ord(c): None for c in (_NEWLINE, _SPACE, _AMPERSAND)},
}
_ENCODED_AMPERSAND = re.compile(r"&(?:amp|#0{0,5}38|#x0{0,5}26);", re.IGNORECASE)
_KEEP_LAYOUT = {ord("\n"): _NEWLINE, ord(" "): _SPACE, ord("\t"): _SPACE, ord("\r"): None}
_RESTORE = {ord(_NEWLINE): "\n", ord(_SPACE): " ", ord(_AMPERSAND): "&"}

# Containers by which mail programs mark the mail that is answered.
_QUOTE_CLASSES = _tags("gmail_quote gmail_quote_container yahoo_quoted protonmail_quote zmail_extra")
_QUOTE_IDS = re.compile(
    r"(?:x_)*(?:mail-editor-reference-message-container|yahoo_quoted_\w*|replySplit|isForwardContent)\Z"
)
_ALL_BELOW = re.compile(r"(?:x_)*(?:divRplyFwdMsg|OLK_SRC_BODY_SECTION|stopSpelling)\Z")
"""Outlook marks only the head of the quoted mail; all that follows belongs to it."""
_CONTAINERS = _tags("blockquote div p section table span")


def html_to_text(html: str) -> str:
    """Lines of plain text; a quoted mail is one line, `QUOTED_LINE`. Never raises; no HTML gives no text."""
    source = _ENCODED_AMPERSAND.sub(_AMPERSAND, _LONG_TAG.sub(" ", html.translate(_CLEAN)))
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(source.encode("utf-8", "replace"), parser)
    except etree.LxmlError:
        return ""
    if root is None:
        return ""
    _prepare(root)
    text = Inscriptis(root, _config()).get_text().translate(_RESTORE)
    return "\n".join(line.strip(" ") for line in text.split("\n")).strip("\n")


@cache
def _config() -> ParserConfig:
    block, paragraph = HtmlElement(display=Display.block), STRICT_CSS_PROFILE["p"]
    css = {
        **STRICT_CSS_PROFILE,
        **dict.fromkeys(sorted(_MORE_LINES), block),
        **dict.fromkeys(sorted(_MORE_PARAGRAPHS), paragraph),
        **dict.fromkeys(sorted(_UNSEEN), HtmlElement(display=Display.none)),
        "q": HtmlElement(),
    }
    drawn = sorted(_DRAWN)
    plain = CustomHtmlTagHandlerMapping(
        start_tag_mapping=dict.fromkeys(drawn, _draw_nothing),
        end_tag_mapping=dict.fromkeys(drawn, _draw_nothing),
    )
    config = ParserConfig(css=css, custom_html_tag_handler_mapping=plain)
    # Styles could ask for margins and indents of 100,000 columns each.
    config.attribute_handler.attribute_mapping = {}
    return config


def _draw_nothing(*_: Any) -> None:
    """A table or list draws nothing of its own."""


def _prepare(root: etree._Element) -> None:
    """Replace quoted mail by one line, hide what is hidden, and keep lines and spaces where they count."""
    below = False
    typed: list[etree._Element] = []
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            if typed and typed[-1] is element:
                typed.pop()
            if below:
                element.tail = None
            elif typed and element.tail:
                element.tail = element.tail.translate(_KEEP_LAYOUT)
            continue
        tag = element.tag if isinstance(element.tag, str) else ""
        style = element.get("style", "")[:1000] if element.attrib else ""
        if below or (style and _HIDDEN.search(style)):
            _empty(element, "span")
            walk.skip_subtree()
        elif tag in _CONTAINERS and _is_quote(element, tag, style):
            below = bool(_ALL_BELOW.match(element.get("id", "")[:100]))
            _empty(element, "div")
            element.text = QUOTED_LINE
            walk.skip_subtree()
        elif tag == "pre" or (style and _AS_TYPED.search(style)):
            typed.append(element)
        if typed and element.text:
            element.text = element.text.translate(_KEEP_LAYOUT)


def _empty(element: etree._Element, tag: str) -> None:
    del element[:]
    element.attrib.clear()
    element.text = None
    element.tag = tag


def _is_quote(element: etree._Element, tag: str, style: str) -> bool:
    """Whether an element is the container of quoted mail, or the head of it."""
    if not element.attrib:
        return tag == "blockquote"
    name = element.get("id", "")[:100]
    if name and (_QUOTE_IDS.match(name) or _ALL_BELOW.match(name)):
        return True
    classes = element.get("class", "")[:200].split()
    if tag == "blockquote":
        # Gmail's and Outlook's indent button makes blockquotes too: those have no border line.
        return bool(classes) or element.get("type") == "cite" or not _INDENT.search(style)
    if element.get("name") == "quote":  # GMX, web.de
        return True
    # Answers written between quoted lines stand in such a container, outside its blockquotes.
    return any(c in _QUOTE_CLASSES for c in classes) and next(element.iter("blockquote"), None) is None
