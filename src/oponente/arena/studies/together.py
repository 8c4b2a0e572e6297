"""All studies, one after the other, for one report; each is kept as soon as it is finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from oponente.arena.studies import STUDIES, load_study
from oponente.arena.studies.document import Page
from oponente.arena.studies.html_report import Chapter, render_html, render_report
from oponente.arena.studies.keeping import Keep, KeepError
from oponente.arena.studies.search_ablation import SUBJECTS
from oponente.arena.studies.study import Progress, Settings, Study, run_study
from oponente.kernel import in_one_step

Part = tuple[str, str | None]
"""A study by name, and of which game, for those that can be made of several."""

PARTS: tuple[Part, ...] = tuple(
    (name, game) for name in STUDIES for game in (SUBJECTS if name == "search-ablation" else (None,))
)
"""All studies."""


@dataclass(frozen=True)
class Done:
    """A study that was run, or why it could not be."""

    name: str
    """Of the study, and the game if there are several."""
    study: Study
    data: dict[str, Any] | None
    missing: str = ""
    """What it lacks, in one line, if it was not run."""

    @property
    def left_out(self) -> str:
        """Which parts of it were not measured for want of something, in one line; empty if none."""
        return str((self.data or {}).get("left_out", ""))


def run_all(
    folder: Path,
    settings: Settings,
    *,
    resume: bool,
    command_line: Callable[[str, str | None], str],
    progress: Callable[[str], Progress],
    tell: Callable[[str], None] = lambda _line: None,
    parts: Sequence[Part] | None = None,
) -> list[Done]:
    """Run studies and write a page and the data of each into a folder, which is there.

    Args:
        folder: where each leaves ``NAME.html`` and ``NAME.json``.
        settings: of all of them.
        resume: whether what is in the folder is gone on with; else nothing of it may be there.
        command_line: returns the command that runs one study, by its name and game.
        progress: returns what is called during a study, by its name.
        tell: called before the first study with a line for each that will not be run, not whole, or not by a cluster.
        parts: which studies; None: all.

    Raises:
        KeepError: the folder holds another run.
        StudyInterrupted: on Ctrl-C; what was finished is kept.
        MatchError, StorageError: see :func:`~oponente.arena.studies.study.run_study`.
    """
    parts = PARTS if parts is None else parts
    plans = [_plan(folder, name, game, settings, resume) for name, game in parts]
    for plan in plans:
        if plan.missing:
            tell(f"{plan.key} will not be run: {plan.missing}")
        elif left_out := plan.study.left_out(settings) if plan.kept is None else plan.kept.get("left_out"):
            tell(f"{plan.key}: {left_out}")
        if not (plan.missing or plan.kept or plan.study.of_matches or isinstance(settings.workers, int)):
            tell(f"{plan.key} plays no matches: it is played on this machine, by one worker")
    done = []
    for (name, game), (key, study, identity, kept, missing) in zip(parts, plans, strict=True):
        if kept is not None or missing:
            done.append(Done(key, study, kept, missing))
            continue
        keep = Keep(folder / f"{key}.html", resume=resume)
        data = run_study(study, settings, keep, command=command_line(name, game), progress=progress(key))
        (folder / f"{key}.html").write_text(render_html(study.page(data)), encoding="utf-8")
        with in_one_step(folder / f"{key}.json") as part:
            part.write_text(json.dumps({"identity": identity, "data": data}), encoding="utf-8")
        keep.remove()
        done.append(Done(key, study, data))
    return done


class _Plan(NamedTuple):
    key: str
    study: Study
    identity: Any
    kept: dict[str, Any] | None
    """Its data, if it is finished already."""
    missing: str
    """What it lacks, if it can't be run; empty if it can."""


def _plan(folder: Path, name: str, game: str | None, settings: Settings, resume: bool) -> _Plan:
    key = name if game is None else f"{name}-{game}"
    study = load_study(name, game)
    sizes = {"scale": settings.scale, "games": settings.games, "match_games": settings.match_games}
    identity = json.loads(json.dumps({**sizes, "study": study.identity(settings)}))  # some studies' can be prolonged
    kept = _kept(folder / f"{key}.json", identity, resume)
    return _Plan(key, study, identity, kept, "" if kept is not None else study.missing() or "")


def report(done: Sequence[Done], settings: Settings, command: str) -> str:
    """Return one page, as HTML, with all tables, figures and verdicts of all studies."""
    chapters = []
    for part in done:
        page: Page | None = None if part.data is None else part.study.page(part.data)
        verdicts = [] if part.data is None else [verdict["finding"] for verdict in part.data["verdicts"]]
        chapters.append(
            Chapter(part.name, part.study.title, part.study.source, page, part.missing, verdicts, part.left_out)
        )
    lead = (
        f"Every study of oponente at the scale `{settings.scale}`, from the seed {settings.seed}: the tables and"
        " figures of the publications, theirs and ours, with intervals and what became of each finding."
    )
    return render_report("Published studies of game-playing agents, repeated", lead, command, chapters)


def _kept(path: Path, identity: Any, resume: bool) -> dict[str, Any] | None:
    """Return the data of a study that is finished already."""
    if not path.exists():
        return None
    if not resume:
        raise KeepError(f"{path} is of an earlier run: give --resume to go on with it, or another --out")
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        found, data = kept["identity"], dict(kept["data"])
    except (OSError, ValueError, KeyError, TypeError):
        raise KeepError(f"{path} is damaged: delete it to measure that study again") from None
    if found != identity:
        raise KeepError(f"{path} is of another run: delete it, give the same options again, or another --out")
    return data
