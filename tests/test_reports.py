"""The reports of studies that the documentation holds."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
REPORTS = sorted((DOCS / "reports").glob("*.html"))


def test_every_report_is_linked_and_every_link_has_its_report():
    linked = re.findall(r"\]\(reports/([\w-]+\.html)\)", (DOCS / "studies.md").read_text())
    assert sorted(set(linked)) == [report.name for report in REPORTS] != []


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.stem)
def test_a_report_names_its_command_and_date_and_nothing_of_a_machine(report):
    text = report.read_text()
    assert re.search(r"oponente experiment [\w-]+ [^<]*--scale standard", text)
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", text)
    assert not re.search(r"--out [^<]*/", text)
