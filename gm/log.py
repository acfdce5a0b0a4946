"""Logs: one JSON object a line in service, readable lines on a terminal.

Logs name mails, games and players by id. No mail address, press or order text goes into them.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, TextIO

import structlog


def set_up_logging(*, level: str = "info", stream: TextIO | None = None) -> None:
    """Send structlog's and the libraries' logs to a stream (standard error), JSON unless it is a terminal."""
    out = stream or sys.stderr
    terminal = out.isatty()
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if not terminal:
        shared.append(structlog.processors.format_exc_info)
    renderer: Any = structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)  # the libraries' own chatter names addresses below this level
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd's warnings repeat what a client sent


def logger(name: str) -> Any:
    """A logger for one concern: ``logger("intake").info("stored", mail=17)``."""
    return structlog.get_logger(concern=name)
