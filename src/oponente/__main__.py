"""``python -m oponente`` is the command ``oponente``."""

from oponente.cli.main import main

main()
