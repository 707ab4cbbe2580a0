"""Figures of README and docs/FIGURES.md: from results that their commands wrote.

    python tools/figures.py                 # writes the tables of both pages anew
    python tools/figures.py measure NAME    # runs a figure's command and keeps what it says

A figure is a file `docs/figures/NAME.json`: the command, which of its numbers are taken, what they
are called in a sentence, and the newest results with commit, date, machine, data and seeds.
"""

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "figures"
BEGIN, END = "<!-- figures: {} -->", "<!-- end of figures -->"
VALUE = re.compile(r"\{(\w+)(%(\w*))?\}")


@dataclass(frozen=True, slots=True)
class Figure:
    """One row.

    Attributes:
        name: of its file.
        what: what was measured, in words.
        says: a sentence in which `{right}` is a result, `{right%}` a share and `{right%tiles}` one
            of two results.
        command: as typed at the repository's root.
        take: of each result where the command's output has it: keys joined by dots in its JSON, or
            a regular expression between slashes whose groups are numbers that are summed.
        results: the numbers; none where nothing was measured yet.
        made_with: real pictures, drawn pictures, modelled eyes or none; worked on or fresh.
        section: under which heading docs/FIGURES.md has it.
        readme: its place in README's table; 0: it is not there.
    """

    name: str
    what: str
    says: str
    command: str
    take: Mapping[str, str]
    results: Mapping[str, float]
    made_with: str
    date: str
    commit: str
    machine: str
    data: str
    seeds: str
    section: str
    readme: int = 0

    @property
    def sentence(self) -> str:
        """What it says with its numbers; a result that is missing is an error."""
        return VALUE.sub(self._number, self.says)

    def _number(self, match: re.Match[str]) -> str:
        value = self.results[match[1]]
        if match[2] is None:
            return f"{value:,}"
        return f"{100 * value / (self.results[match[3]] if match[3] else 1):.1f} %"


def figures(folder: Path = FOLDER) -> list[Figure]:
    """All of them, in the order of their names."""
    return [
        Figure(path.stem, **json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("*.json"))
    ]


# -- the pages -----------------------------------------------------------------------------------


def table_of(section: str, every: list[Figure]) -> str:
    """The rows of one section of docs/FIGURES.md."""
    rows = ["| what | figure | made with | command | measured |", "|---|---|---|---|---|"]
    for each in every:
        if each.section == section:
            source = (each.date, each.commit[:7], each.machine, each.data, each.seeds)
            when = "; ".join(filter(None, source))
            command = f"`{each.command}`"
            row = (each.what, each.sentence, each.made_with, command, when)
            rows.append(f"| {' | '.join(row)} |")
    return "\n".join(rows)


def readme_table(every: list[Figure]) -> str:
    """README's rows."""
    chosen = sorted((each for each in every if each.readme), key=lambda each: each.readme)
    rows = ["| figures that matter at the table | |", "|---|---|"]
    return "\n".join([*rows, *(f"| {each.what} | {each.sentence} |" for each in chosen)])


def filled(page: str, every: list[Figure]) -> str:
    """The page with its tables as the results have them."""

    def put(match: re.Match[str]) -> str:
        name = match[1]
        table = readme_table(every) if name == "readme" else table_of(name, every)
        return f"{BEGIN.format(name)}\n{table}\n{END}"

    pattern = re.escape(BEGIN).replace(r"\{\}", "(.+?)") + ".*?" + re.escape(END)
    return re.sub(pattern, put, page, flags=re.DOTALL)


# -- measuring -----------------------------------------------------------------------------------


def taken(output: str, take: Mapping[str, str]) -> dict[str, float]:
    """The numbers of a command's output.

    Raises:
        KeyError: one of them is not there.
    """
    found: dict[str, float] = {}
    for name, where in take.items():
        if where.startswith("/"):
            match = re.search(where.strip("/"), output)
            if match is None:
                raise KeyError(where)
            found[name] = sum(float(each.replace(",", "")) for each in match.groups())
        else:
            found[name] = _at(json.loads(output), where)
    return {name: int(each) if each == int(each) else each for name, each in found.items()}


def _at(value: Any, where: str) -> float:
    for key in where.split("."):
        value = value[key]
    return float(value)


def measure(figure: Figure) -> dict[str, object]:
    """Run the command: the fields of its file with what it says now.

    Raises:
        SystemExit: nothing says where its numbers stand in what the command prints.
    """
    if not figure.take:
        sys.exit(f"{figure.name}: say by `take` where its numbers stand, or type its results")
    began = datetime.now(UTC)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    output = subprocess.run(
        ["bash", "-c", figure.command],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": programs},
    ).stdout
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
    load = f"load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else "load unknown"
    fields = {name: getattr(figure, name) for name in Figure.__slots__ if name != "name"}
    return {
        **fields,
        "results": taken(output, figure.take),
        "date": f"{began:%Y-%m-%d}",
        "commit": commit,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {load}",
    }


def main(arguments: list[str]) -> int:
    """Measure the figures that are named, then write the pages."""
    if arguments[:1] == ["measure"]:
        by_name = {each.name: each for each in figures()}
        for name in arguments[1:]:
            kept = measure(by_name[name])
            text = json.dumps(kept, indent=2, ensure_ascii=False)
            (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    every = figures()
    for path in (ROOT / "README.md", ROOT / "docs" / "FIGURES.md"):
        path.write_text(filled(path.read_text(encoding="utf-8"), every), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
