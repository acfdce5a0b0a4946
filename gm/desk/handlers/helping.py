"""HELP: made from the table of commands and the ruleset's own syntax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.desk.command import Command
from gm.desk.desk import Desk, Refusal
from gm.desk.language import nearest
from gm.desk.words import plain, words_of
from gm.games import ruleset
from gm.games.api import Section

GM_COMMANDS = ("gm", "editor")


def help_sections(
    desk: Desk, topic: str, table: Sequence[Command], names: Mapping[str, str]
) -> list[Section]:
    """What HELP answers. Raises Refusal for a topic that is none.

    Args:
        table: all commands.
        names: every word of the language to its command's name.
    """
    word = plain(topic.strip())
    if not word:
        return [_commands("Commands", [c for c in table if c.who not in GM_COMMANDS]), *_orders(desk)]
    if word == "GM":
        return [_commands("Commands of a GM", [c for c in table if c.who in GM_COMMANDS])]
    if word in ("ORDERS", "ORDER", "SYNTAX"):
        if not (found := _orders(desk)):
            raise Refusal("Which game's orders? Reply to a mail of that game.", "GAMES")
        return found
    if word not in names:
        near = nearest(word, list(names))
        raise Refusal(f"There is no command {topic.strip()!r}.", f"HELP {near}" if near else "HELP")
    command = next(c for c in table if c.name == names[word])
    lines = [command.form, command.help, f"> {command.example}"]
    also = (*command.words[1:], *(w for code in ("also", "de", "fr") for w in words_of(command.name, code)))
    if also:
        lines.append(f"Also: {', '.join(dict.fromkeys(also))}")
    return [Section(title=command.name, lines=tuple(lines))]


def _commands(title: str, commands: list[Command]) -> Section:
    lines: list[str] = []
    for command in commands:
        lines += [command.form, f"> {command.help}"]
    return Section(title=title, lines=tuple(lines))


def _orders(desk: Desk) -> list[Section]:
    if desk.game is None:
        return []
    meta = ruleset(desk.game.ruleset).meta
    return [Section(title=f"Orders of {meta.title}", lines=tuple(meta.syntax.splitlines()))]
