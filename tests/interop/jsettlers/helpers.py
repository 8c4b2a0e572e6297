"""The recorded games, and what tests do with them."""

import json
from pathlib import Path

from oponente.interop.jsettlers.conform import Replay
from oponente.interop.jsettlers.transcript import read_transcript, write_entry

FOLDER = Path(__file__).parents[2] / "data" / "jsettlers"
TRANSCRIPTS = sorted(FOLDER.glob("*.jsonl.gz"))


def lines_of(path):
    """Return the lines of a transcript as objects."""
    return [json.loads(write_entry(entry.seconds, entry.incoming, entry.text)) for entry in read_transcript(path)]


def replayed(lines, folder):
    """Replay lines that are written to a file in a folder."""
    path = folder / "changed.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    replay = Replay(path)
    replay.run()
    return replay
