"""The command line. Each command does one thing and loads only what it needs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from gm.settings import Settings
    from gm.store.tables import Game
    from gm.turns.replay import Difference

app = typer.Typer(
    name="gm",
    help="A play-by-email game master server.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
mail_app = typer.Typer(help="Mail by hand and by pipe.", no_args_is_help=True)
clock_app = typer.Typer(help="The server's clock.", no_args_is_help=True)
app.add_typer(mail_app, name="mail")
app.add_typer(clock_app, name="clock")

ConfigFile = Annotated[Optional[Path], typer.Option("--config", help="The settings file.")]  # noqa: UP045 - typer


def _fail(message: str, code: int = 1) -> typer.Exit:
    typer.echo(message, err=True)
    return typer.Exit(code)


def _settings(config: Path | None) -> Settings:
    from gm.settings import SettingsError, load_settings

    try:
        return load_settings(config)
    except SettingsError as wrong:
        raise _fail(str(wrong), 2) from None


@app.command()
def run(config: ConfigFile = None) -> None:
    """Start the server: listeners, desk, clock, sender and pages in one process."""
    import asyncio

    from gm.app.console import greeting
    from gm.app.ports import PortError
    from gm.app.service import open_office, serve
    from gm.log import set_up_logging
    from gm.mail.vault import VaultError
    from gm.reports.render import TemplateFault
    from gm.store.engines import StoreError

    settings = _settings(config)
    set_up_logging(level="warning" if sys.stderr.isatty() else "info")
    try:
        office = open_office(settings)
    except (StoreError, VaultError, TemplateFault) as wrong:
        raise _fail(str(wrong), 2) from None
    try:
        asyncio.run(
            serve(office, settings, ready=lambda ports: typer.echo(greeting(office, settings, ports)))
        )
    except PortError as wrong:
        raise _fail(str(wrong), 2) from None


@app.command("check-config")
def check_config(config: ConfigFile = None) -> None:
    """Check settings and templates; says field, place and fix."""
    from gm.reports.issuecheck import check_issue_templates
    from gm.reports.render import TemplateFault, check_templates

    settings = _settings(config)
    try:
        check_templates(settings.templates)
        check_issue_templates(settings.templates)
    except TemplateFault as wrong:
        raise _fail(str(wrong), 2) from None
    typer.echo("The settings and templates are in order.")


@app.command()
def adjudicate(
    files: Annotated[list[Path], typer.Argument(help="Scenario files, see docs/scenarios.md.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a scenario, one a line.")] = False,
    power: Annotated[
        Optional[str], typer.Option("--as", help="Print the report that this power would be mailed.")  # noqa: UP045 - typer
    ] = None,
) -> None:
    """Run scenario files and print what happens."""
    from gm.app import scenarios

    for path in files:
        try:
            for name, table in scenarios.load(path):
                ran = scenarios.run(path, name, table)
                if as_json:
                    typer.echo(scenarios.as_json(ran))
                elif power is not None:
                    typer.echo(scenarios.as_report(ran, None if power == "public" else power))
                else:
                    typer.echo(scenarios.as_text(ran))
        except scenarios.ScenarioFileError as wrong:
            raise _fail(str(wrong), 2) from None


@app.command()
def rules(name: Annotated[str, typer.Argument(help="A ruleset, for example diplomacy.")]) -> None:
    """List the clauses of a rulebook with their tests; exit 1 if any has none."""
    from gm.app.clauses import NoTests, listing
    from gm.games import UnknownRuleset

    try:
        lines, missing = listing(name)
    except (UnknownRuleset, NoTests) as wrong:
        raise _fail(str(wrong), 2) from None
    typer.echo("\n".join(lines))
    if missing:
        raise typer.Exit(1)


@app.command()
def demo(
    folder: Annotated[Path, typer.Option(help="Where mails and pages go.")] = Path("demo-out"),
    game: Annotated[str, typer.Option(help="The ruleset to play.")] = "diplomacy",
    seed: Annotated[str, typer.Option(help="Plays the same game again.")] = "demo",
) -> None:
    """Play a whole game by real SMTP with scripted players; leaves the mails and the zine to look at."""
    from gm.app.demo import DemoError, play

    try:
        play(folder, game, seed)
    except DemoError as wrong:
        raise _fail(str(wrong)) from None


@app.command()
def replay(game: str, config: ConfigFile = None) -> None:
    """Run every phase of a game again and compare it byte for byte with the store."""
    _compare(game, config, "replay")


@app.command()
def verify(
    game: Annotated[str, typer.Argument(help="A game's name, or the file of its archive.")],
    config: ConfigFile = None,
) -> None:
    """Check every roll of a game, and the draw of powers, against its seed."""
    if not Path(game).is_file():
        _compare(game, config, "verify")
        return
    import json

    from gm.turns.replay import NoSeed, verify_archive

    try:
        count, differences = verify_archive(json.loads(Path(game).read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as wrong:
        reason = str(wrong) if isinstance(wrong, NoSeed) else f"it is not an archive of a game ({wrong!r})"
        raise _fail(f"{game}: {reason}") from None
    _tell_differences(count, "rolls", differences)


@app.command("export")
def export_game(
    game: str,
    file: Annotated[Path, typer.Argument(help="Where the archive goes.")],
    secrets: Annotated[
        bool, typer.Option("--secrets", help="All of it: seed, sheets, press, addresses.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Write a game as one JSON archive (docs/archive.md)."""
    import json

    from gm.app.service import store_of
    from gm.turns.archive import export_game as export

    with store_of(_settings(config)) as store, store.read() as session:
        archive = export(session, _game_named(session, game), secrets=secrets)
    file.write_text(
        json.dumps(archive, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
    typer.echo(f"{game} is written to {file}" + (" with all its secrets" if secrets else ""))


@app.command("import")
def import_game(
    file: Path,
    name: Annotated[str, typer.Option(help="The game's name here; left out: as in the archive.")] = "",
    config: ConfigFile = None,
) -> None:
    """Read a game back from an archive with secrets; it comes in paused."""
    import json

    from gm.app.service import store_of, utc_now
    from gm.turns.archive import ArchiveError
    from gm.turns.archive import import_game as take_in

    try:
        archive = json.loads(file.read_text(encoding="utf-8"))
        with store_of(_settings(config)) as store, store.write() as session:
            game = take_in(session, archive, slug=name or archive["game"]["slug"], now=utc_now())
            typer.echo(f"{game.slug} is in, {game.status}; RESUME starts its clock")
    except (ArchiveError, OSError, ValueError, KeyError) as wrong:
        raise _fail(f"{file}: {wrong}") from None


@app.command()
def forget(
    email: Annotated[str, typer.Argument(help="An address of the player.")],
    data: Annotated[bool, typer.Option("--data", help="Only print what the server holds about him.")] = False,
    config: ConfigFile = None,
) -> None:
    """Take a player's name, addresses and mails out of the store; his games keep their orders, nameless."""
    import json

    from gm.app.service import store_of, utc_now
    from gm.turns import forgetting
    from gm.turns.people import player_by_email

    with store_of(_settings(config)) as store, store.write() as session:
        player = player_by_email(session, email)
        if player is None:
            raise _fail(f"no player has the address {email}")
        if data:
            typer.echo(json.dumps(forgetting.data_of(session, player), ensure_ascii=False, indent=1))
            return
        try:
            forgetting.forget(session, player, utc_now())
        except forgetting.StillPlays as wrong:
            raise _fail(str(wrong)) from None
    typer.echo(f"{email} is forgotten")


def _game_named(session: Session, slug: str) -> Game:
    from sqlalchemy import select

    from gm.store.tables import Game

    row = session.scalar(select(Game).where(Game.slug == slug.lower()))
    if row is None:
        raise _fail(f"there is no game {slug!r}")
    return row


def _compare(slug: str, config: Path | None, how: str) -> None:
    from gm.app.service import store_of
    from gm.turns import replay as replaying

    with store_of(_settings(config)) as store, store.read() as session:
        count, differences = getattr(replaying, how)(session, _game_named(session, slug))
    _tell_differences(count, "phases" if how == "replay" else "rolls", differences)


def _tell_differences(count: int, what: str, differences: Sequence[Difference]) -> None:
    for difference in differences:
        typer.echo(f"{difference.phase}: {difference.what} differs")
    typer.echo(f"{count} {what}, {len(differences)} differences")
    if differences:
        raise typer.Exit(1)


@app.command()
def do(
    lines: Annotated[list[str], typer.Argument(help="Commands as in a mail to the server, a line each.")],
    game: Annotated[str, typer.Option("--game", "-g", help="The game that they are about.")] = "",
    campaign: Annotated[str, typer.Option("--campaign", "-c", help="The campaign that they are about.")] = "",
    config: ConfigFile = None,
) -> None:
    """Do as the operator, a GM of everything, what mails can do; prints the receipt. Exit 1 if a line failed."""
    from gm.app.operator import do as carry_out
    from gm.app.service import open_office
    from gm.desk.desk import Refusal

    office = open_office(_settings(config))
    try:
        done = carry_out(
            office, [row for line in lines for row in line.split("\n")], game=game, campaign=campaign
        )
    except Refusal as refusal:
        raise _fail(" ".join([refusal.problem, refusal.suggestion]).strip(), 2) from None
    finally:
        office.store.close()
    typer.echo(done.text)
    if not done.whole:
        raise typer.Exit(1)


@app.command()
def trace(
    name: Annotated[str, typer.Argument(help="The id in the mail to the GM.")], config: ConfigFile = None
) -> None:
    """Print the cause of a fault that stopped a game."""
    from sqlalchemy import select

    from gm.app.service import store_of
    from gm.store.tables import Audit

    with store_of(_settings(config)) as store, store.read() as session:
        for row in session.scalars(select(Audit).where(Audit.action.in_(("park", "fault")))):
            if row.detail.get("trace") == name:
                typer.echo(row.detail["traceback"])
                return
    raise _fail(f"there is no trace {name!r}")


@clock_app.command("confirm")
def clock_confirm(config: ConfigFile = None) -> None:
    """Say that the clock is right after it jumped, so that turns run again."""
    from contextlib import closing

    from gm.app.service import open_office
    from gm.turns.heartbeat import confirm_clock, postpone_missed

    office = open_office(_settings(config))
    with closing(office.store), office.store.write() as session:
        gap = confirm_clock(session, office)
        if gap is None:
            typer.echo("The clock was not in doubt, or has gone back; nothing to do.")
            return
        typer.echo(f"Confirmed; {postpone_missed(session, office, gap)} deadlines were moved.")


@mail_app.command("receive")
def mail_receive(
    recipient: Annotated[
        list[str] | None,
        typer.Argument(
            help="Address of ours that the mail is for; else from Postfix's variables or the header."
        ),
    ] = None,
    sender: Annotated[
        str | None, typer.Option("--from", help="Envelope sender; empty for the null sender.")
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Take one mail from standard input, as a local MTA's pipe gives it (exit codes of sysexits.h)."""
    from gm.app.known import known_recipient
    from gm.app.service import open_office
    from gm.mail.pipe import Door, receive
    from gm.settings import load_settings

    def open_door() -> Door:
        settings = load_settings(config)
        office = open_office(settings)
        return Door(
            store=office.store,
            known=known_recipient(office),
            clock=office.now,
            message_bytes=settings.limits.message_bytes,
        )

    raise typer.Exit(receive(open_door, sys.stdin.buffer, sender=sender, recipients=tuple(recipient or ())))


@mail_app.command("send")
def mail_send(
    to: Annotated[str, typer.Argument(help="A reply address, a game's address, or gm@...")],
    lines: Annotated[list[str], typer.Argument(help="Lines of the mail.")],
    sender: Annotated[str, typer.Option("--from")] = "you@example.org",
    config: ConfigFile = None,
) -> None:
    """Write a mail to the server running here, as a mail program would."""
    from gm.app.letters import send

    typer.echo(send(_settings(config), to, sender, lines))


@mail_app.command("read")
def mail_read(
    count: Annotated[int, typer.Argument(help="How many, newest last.")] = 1,
    config: ConfigFile = None,
) -> None:
    """Show the newest mails in the Maildir of a server without a relay."""
    from gm.app.letters import newest

    typer.echo(newest(_settings(config), count))


def main() -> None:
    """Entry point."""
    app()
