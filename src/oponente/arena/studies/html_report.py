"""A study's page as one HTML file that needs nothing else: no scripts, no fonts, no pictures from elsewhere."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from oponente.arena.studies.document import (
    DIFFERS,
    EXCEEDED,
    FINDINGS,
    REPRODUCED,
    UNDECIDED,
    Figure,
    Page,
    Section,
    Table,
    Verdict,
)

_SIGNS = {REPRODUCED: "✓", EXCEEDED: "↑", DIFFERS: "✗", UNDECIDED: "?"}

_STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --soft: #59626e; --back: #ffffff; --card: #f4f6f8; --line: #d5dae0;
  --link: #0b5cad; --reproduced: #0b6b3a; --differs: #a3320b; --undecided: #6b5900; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ed; --soft: #a3adb9; --back: #14171b; --card: #1e2329;
  --line: #38404a; --link: #7db8f5; --reproduced: #6fd39b; --differs: #ff9a76; --undecided: #e0c95a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--back); overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3, h4 { font-size: 1.05rem; margin: 0 0 .3rem; } main > article > section > h3 { font-size: 1.2rem; }
a { color: var(--link); }
p, li, dd { max-width: 46rem; } .soft, figcaption, .note { color: var(--soft); font-size: .9rem; }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dt { color: var(--soft); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.verdict { background: var(--card); border-left: .35rem solid var(--line); border-radius: .3rem; padding: .7rem 1rem;
  margin: .8rem 0; } .verdict p { margin: .25rem 0; }
.finding { font-weight: 700; white-space: nowrap; }
.reproduced, .exceeded { border-color: var(--reproduced); } .differs { border-color: var(--differs); }
.undecided { border-color: var(--undecided); } .reproduced .finding, .exceeded .finding { color: var(--reproduced); }
.differs .finding { color: var(--differs); } .undecided .finding { color: var(--undecided); }
figure { margin: 1.5rem 0; max-width: 40rem; } figure svg { display: block; width: 100%; height: auto; }
figure svg text { font-family: system-ui, sans-serif; }
.scroll { overflow-x: auto; margin: .8rem 0; } table { border-collapse: collapse; font-size: .88rem;
  font-variant-numeric: tabular-nums; } caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .55rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td { white-space: nowrap; } th { vertical-align: bottom; } td.number, th.number { text-align: right; }
details { margin: .5rem 0; } summary { cursor: pointer; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print { details > * { display: block; } }
"""


@dataclass(frozen=True)
class Chapter:
    """A study as part of a report of several."""

    name: str
    """Unique in the report."""
    title: str
    source: str
    page: Page | None
    """None: it was not run."""
    missing: str
    """Why not."""
    findings: Sequence[str]
    """What became of the published findings."""
    left_out: str = ""
    """Which parts of it were not measured, and why."""


def render_html(page: Page, *, downloads: bool = True) -> str:
    """Return the page as HTML.

    Args:
        page: what to show.
        downloads: whether each figure is offered as a PNG and an SVG file, too: most of the size of the page.
    """
    return _document(page.title, page.lead, page.command, _body(page, downloads, 2, ""))


def render_report(title: str, lead: str, command: str, chapters: Sequence[Chapter]) -> str:
    """Return a page with the studies of all chapters, and a table of what became of their findings before them.

    What was left out for want of something stands before that table.

    Figures are shown; as files they are offered by each study's own page.
    """
    rows = [
        f'<tr><td><a href="#{escape(chapter.name)}">{escape(chapter.title)}</a></td><td>{escape(chapter.source)}</td>'
        + "".join(f'<td class="number">{_count(chapter, kind)}</td>' for kind in FINDINGS)
        + "</tr>"
        for chapter in chapters
    ]
    heads = "".join(f'<th scope="col" class="number">{kind}</th>' for kind in FINDINGS)
    gaps = [
        f'<li><a href="#{escape(chapter.name)}">{escape(chapter.title)}</a>: {_rich(gap)}</li>'
        for chapter in chapters
        if (gap := f"not run: {chapter.missing}" if chapter.page is None else chapter.left_out)
    ]
    parts = [
        *(["<p>Not all is here, for want of what was not found:</p>", f"<ul>{''.join(gaps)}</ul>"] if gaps else []),
        '<div class="scroll" tabindex="0" role="region" aria-label="Findings"><table>'
        "<caption>Published findings</caption>"
        f'<thead><tr><th scope="col">study</th><th scope="col">publication</th>{heads}</tr></thead>',
        f"<tbody>{''.join(rows)}</tbody></table></div>",
    ]
    for chapter in chapters:
        parts += [f'<article id="{escape(chapter.name)}">', f"<h2>{escape(chapter.title)}</h2>"]
        if chapter.page is None:
            parts.append(f"<p>Not run: {_rich(chapter.missing)}</p>")
        else:
            parts.append(f"<p>{_rich(chapter.page.lead)}</p><p><code>{escape(chapter.page.command)}</code></p>")
            if chapter.left_out:
                parts.append(f"<p>Not whole: {_rich(chapter.left_out)}</p>")
            parts += _body(chapter.page, False, 3, f"{chapter.name}-")
        parts.append("</article>")
    return _document(title, lead, command, parts)


def _count(chapter: Chapter, finding: str) -> str:
    return "" if chapter.page is None else str(list(chapter.findings).count(finding))


def _document(title: str, lead: str, command: str, body: Sequence[str]) -> str:
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<header>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{_rich(lead)}</p>",
        f"<p><code>{escape(command)}</code></p>",
        "</header>",
        "<main>",
        *body,
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _body(page: Page, downloads: bool, level: int, prefix: str) -> list[str]:
    """Return the sections of a page, with headings from a level on; `prefix` makes names unique to it."""
    data = json.dumps(page.data).encode()
    return [
        *(_section(section, downloads, level, prefix) for section in page.sections),
        "<section>",
        f"<h{level}>How this was made</h{level}>",
        "<dl>",
        *(f"<dt>{escape(name)}</dt><dd>{_rich(value)}</dd>" for name, value in page.facts),
        "</dl>",
        f"<p>{_download(f'{prefix}data.json', 'application/json', data, 'All measurements (JSON)')}</p>",
        "</section>",
    ]


def write_figures(page: Page, folder: str | Path) -> list[Path]:
    """Write each figure as a PNG and an SVG file into a folder, which is made if need be; return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for figure in page.figures:
        for ending, content in ((".png", figure.png), (".svg", figure.svg.encode())):
            path = folder / (figure.name + ending)
            path.write_bytes(content)
            paths.append(path)
    return paths


def _section(section: Section, downloads: bool, level: int, prefix: str) -> str:
    return "\n".join(
        [
            "<section>",
            f"<h{level}>{escape(section.title)}</h{level}>",
            *(f"<p>{_rich(text)}</p>" for text in section.paragraphs),
            *(_verdict(verdict, level + 1, prefix) for verdict in section.verdicts),
            *(_figure(figure, downloads, level + 1, prefix) for figure in section.figures),
            *map(_table, section.tables),
            "</section>",
        ]
    )


def _verdict(verdict: Verdict, level: int, prefix: str) -> str:
    remark = f'<p class="soft">{_rich(verdict.remark)}</p>' if verdict.remark else ""
    return (
        f'<article class="verdict {verdict.finding}" id="verdict-{escape(prefix + verdict.key)}">'
        f"<h{level}>{escape(verdict.claim)}</h{level}>"
        f'<p><span class="finding">{_SIGNS[verdict.finding]} {verdict.finding}</span> {_rich(verdict.evidence)}</p>'
        f'{remark}<p class="soft">Criterion: {_rich(verdict.criterion)}</p></article>'
    )


def _figure(figure: Figure, downloads: bool, level: int, prefix: str) -> str:
    parts = [_rich(figure.caption)] if figure.caption else []
    name = re.escape(figure.name)
    inline = (
        re.sub(rf'(["# ]){name}-', rf"\g<1>{prefix}{figure.name}-", figure.inline_svg) if prefix else figure.inline_svg
    )
    if downloads:
        png = _download(f"{figure.name}.png", "image/png", figure.png, "PNG")
        parts.append(f"{png} · {_download(f'{figure.name}.svg', 'image/svg+xml', figure.svg.encode(), 'SVG')}")
    return (
        f'<figure id="figure-{escape(prefix + figure.name)}"><h{level}>{escape(figure.title)}</h{level}>\n{inline}\n'
        f"<figcaption>{' '.join(parts)}</figcaption></figure>"
    )


def _table(table: Table) -> str:
    numeric = [
        bool(table.rows) and all(_is_number(row[column]) for row in table.rows) for column in range(len(table.header))
    ]

    def line(cells: Sequence[str], tag: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        classes = [' class="number"' if number else "" for number in numeric]
        return "".join(f"<{tag}{scope}{kind}>{_rich(cell)}</{tag}>" for cell, kind in zip(cells, classes, strict=True))

    title = escape(table.title)
    caption = "" if table.folded else f"<caption>{title}</caption>"
    note = f'<p class="note">{_rich(table.note)}</p>' if table.note else ""
    body = "\n".join(f"<tr>{line(row, 'td')}</tr>" for row in table.rows)
    # Focusable, so that the keyboard can scroll what is wider than the screen.
    shown = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table>{caption}'
        f"<thead><tr>{line(table.header, 'th')}</tr></thead>\n<tbody>{body}</tbody></table></div>{note}"
    )
    return f"<details><summary>{title}</summary>{shown}</details>" if table.folded else shown


def _download(name: str, kind: str, content: bytes, label: str) -> str:
    data = base64.b64encode(content).decode()
    return f'<a download="{escape(name)}" href="data:{kind};base64,{data}">{escape(label)}</a>'


def _rich(text: str) -> str:
    """Return text for the page; what stands between backquotes is set as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text, quote=False))


def _is_number(text: str) -> bool:
    return not text or bool(re.fullmatch(r"[-+]?[\d,.]+( ?(%|[a-zA-Zµ/]+))?\*?", text))
