"""``python -m gm``."""

from gm.cli import main

main()
