"""What the console says when the server is up."""

from __future__ import annotations

from gm.app.practice import NEWCOMER, practice_game
from gm.settings import Settings
from gm.turns.office import Office


def greeting(office: Office, settings: Settings, ports: dict[str, int]) -> str:
    """Where it listens and, while no relay is set, how to send a first order mail and read the answer."""
    pages = f", pages at http://{settings.web.host}:{ports['web']}/" if "web" in ports else ""
    lines = [f"{office.server_name} is up: mail at {settings.smtp.host}:{ports.get('smtp', 0)}{pages}"]
    if settings.relay.host:
        return lines[0]
    practice = practice_game(office)
    if practice is not None:
        orders = {"france": "'A PAR - BUR' 'A MAR S A PAR - BUR' 'F BRE - MAO'"}.get(
            practice.power, "'HELP ORDERS'"
        )
        lines += [
            f"A practice game is open, you play {practice.power.title()} ({practice.phase}). In a second terminal:",
            f"  send orders:     .venv/bin/gm mail send {practice.reply_to} {orders}",
            "  read the answer: .venv/bin/gm mail read      (then a moment later, the turn's report: the same again)",
            f"All mail goes to the Maildir {settings.mail_folder()} (any mail reader opens it), for {NEWCOMER}.",
        ]
    return "\n".join(lines)
