"""The figures of the pages: from results that their commands wrote.

    python tools/figures.py                 # writes the tables of all pages anew
    python tools/figures.py measure NAME    # runs a figure's command and keeps what it says
    python tools/figures.py readme          # those of README that are not of this program: two at
                                            # a time, each kept when it is done; goes on when begun
                                            # again. `make figures`

A figure is a file `docs/figures/NAME.json`: the command, which of its numbers are taken, what they
are called in a sentence, and the newest results with commit, date, machine, data and seeds. A file
with `rows` is a whole table. A page has `<!-- figures: NAME -->` where a table or a section's
figures stand.

`depends` names what a figure is made with: "networks" (both files and the limits), "rates" (those
of the modelled reader), or folders of the program. `made_of` keeps a digest of each, taken when it
was measured. A figure whose networks or rates are not today's is printed on no first page, and
elsewhere without its numbers. One without a commit was typed, and is not on README.
"""

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
KEPT_FIGURES = ROOT / "docs" / "figures"
PAGES = sorted(p for f in (ROOT, ROOT / "docs", ROOT / "models") for p in f.glob("*.md"))
FIGURES_BEGIN, FIGURES_END = "<!-- figures: {} -->", "<!-- end of figures -->"
VALUE = re.compile(r"\{(\w+)(%(\w*))?\}")
WEIGHED = "size"  # docs/figures/size.json is of tools/size.py
AT_ONCE = 2  # as many cores
EARLIER = "measured with earlier networks"
NETWORKS = ROOT / "models" / "weights" / "manifest.toml"
RATES = [ROOT / "bench" / "live" / name for name in ("eyes.json", "eyes_world.json")]


def digest(of: str) -> str:
    """What "networks", "rates" or a folder are now: twelve letters.

    A folder's is git's, of the commit.
    """
    if of == "networks":
        manifest = tomllib.loads(NETWORKS.read_text(encoding="utf-8"))
        manifest["detector"].pop("date")
        manifest["recogniser"].pop("date")
        return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()[:12]
    if of == "rates":
        return hashlib.sha256(b"".join(each.read_bytes() for each in RATES)).hexdigest()[:12]
    return _git("rev-parse", f"HEAD:{of}")[:12]


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return run.stdout.strip()


def is_todays(depends: Sequence[str], made_of: Mapping[str, str]) -> bool:
    """Whether it was measured with the networks and rates that there are now."""
    return all(made_of.get(of) == digest(of) for of in depends if of in {"networks", "rates"})


@dataclass(frozen=True, slots=True)
class Figure:
    """One row.

    Attributes:
        name: of its file.
        what: what was measured, in words.
        says: a sentence in which `{right}` is a result, `{right%}` a share and `{right%tiles}` one
            of two results.
        command: as typed at the repository's root.
        take: of each result where the command's output has it: keys or places joined by dots in
            its JSON, or a regular expression between slashes whose groups are numbers, summed.
        results: the numbers; none where nothing was measured yet.
        made_with: real pictures, drawn pictures, modelled eyes or none; worked on or fresh.
        section: under which heading docs/FIGURES.md has it.
        readme: its place in README's table; 0: it is not there.
        depends: what it is made with, and `made_of` the digest of each when it was measured.
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
    depends: Sequence[str] = ()
    made_of: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_todays(self) -> bool:
        """Whether its numbers may be printed."""
        return is_todays(self.depends, self.made_of)

    @property
    def is_fresh(self) -> bool:
        """Whether all that it was made with, the program too, is as it is now."""
        return bool(self.commit) and all(self.made_of.get(of) == digest(of) for of in self.depends)

    @property
    def sentence(self) -> str:
        """The sentence with its numbers; a result that is missing is an error."""
        return VALUE.sub(self._number, self.says)

    def _number(self, match: re.Match[str]) -> str:
        value = self.results[match[1]]
        if match[2] is None:
            return f"{value:,}"
        return f"{100 * value / (self.results[match[3]] if match[3] else 1):.1f} %"


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A whole table.

    Attributes:
        name: of its file.
        what: what was measured, in words.
        command: as typed at the repository's root.
        columns: the heading.
        rows: the cells.
        made_with: as of a figure.
    """

    name: str
    what: str
    command: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    made_with: str
    date: str
    commit: str
    machine: str
    data: str
    seeds: str
    depends: Sequence[str] = ()
    made_of: Mapping[str, str] = field(default_factory=dict)

    @property
    def markdown(self) -> str:
        """Heading and rows; of an earlier program only what they were measured with."""
        if not is_todays(self.depends, self.made_of):
            return f"*{EARLIER}*"
        ruler = f"|{'|'.join('---' for _ in self.columns)}|"
        return "\n".join([_row(self.columns), ruler, *map(_row, self.rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _kept(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    return [
        (path.stem, json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("*.json"))
        if path.stem != WEIGHED
    ]


def figures(folder: Path = KEPT_FIGURES) -> list[Figure]:
    """All of them, in the order of their names."""
    return [Figure(name, **fields) for name, fields in _kept(folder) if "rows" not in fields]


def tables(folder: Path = KEPT_FIGURES) -> list[FigureTable]:
    """All of them, in the order of their names."""
    return [FigureTable(name, **fields) for name, fields in _kept(folder) if "rows" in fields]


# -- the pages -----------------------------------------------------------------------------------


def _origin(each: Figure | FigureTable, page: Path) -> str:
    """The figure's origin, a link to the file with command, date, machine, data, seeds."""
    return (
        f"[{each.made_with}, {each.date}]"
        f"({os.path.relpath(KEPT_FIGURES / f'{each.name}.json', page.parent)})"
    )


def section_list(section: str, page: Path) -> str:
    """The figures of one section of docs/FIGURES.md, one a line."""
    return "\n".join(
        f"- {each.what}: {f'**{each.sentence}**' if each.is_todays else EARLIER} "
        f"({_origin(each, page)})"
        for each in figures()
        if each.section == section
    )


def of_readme() -> list[Figure]:
    """README's figures in their order: by kind of table, real pictures and real eyes first."""
    return sorted((each for each in figures() if each.readme), key=lambda each: each.readme)


def readme_list() -> str:
    """README's figures: none that was typed, or measured by an earlier reader."""
    todays = [each for each in of_readme() if each.commit and each.is_todays]
    return "\n".join(f"- {each.what}: **{each.sentence}**" for each in todays)


def filled(text: str, page: Path) -> str:
    """The page's text with its tables as the results have them."""
    whole = {each.name: each for each in tables()}

    def put(match: re.Match[str]) -> str:
        name = match[1]
        if name == "readme":
            table = readme_list()
        elif name in whole:
            each = whole[name]
            table = f"{each.markdown}\n\n{each.what}; {_origin(each, page)}."
        else:
            table = section_list(name, page)
        return f"{FIGURES_BEGIN.format(name)}\n{table}\n{FIGURES_END}"

    pattern = re.escape(FIGURES_BEGIN).replace(r"\{\}", "(.+?)") + ".*?" + re.escape(FIGURES_END)
    return re.sub(pattern, put, text, flags=re.DOTALL)


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
            value = _last_value(output)
            for key in where.split("."):
                value = value[int(key) if isinstance(value, list) else key]
            found[name] = float(value)
    return {name: int(each) if each == int(each) else each for name, each in found.items()}


def _last_value(output: str) -> Any:
    """All of it, or its last line."""
    try:
        return json.loads(output)
    except ValueError:
        return json.loads(output.strip().splitlines()[-1])


def measure(figure: Figure) -> dict[str, object]:
    """Run the command: the fields of its file with what it says now.

    Raises:
        SystemExit: nothing says where its numbers stand in what the command prints, or it fails:
            with all that it printed.
    """
    if not figure.take:
        sys.exit(f"{figure.name}: say by `take` where its numbers stand, or type its results")
    began = datetime.now(UTC)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-c", figure.command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": programs},
    )
    if ran.returncode:
        sys.exit(f"{figure.name}: {figure.command} ends with {ran.returncode}\n{ran.stdout}")
    load = f"load {os.getloadavg()[0]:.0f}"  # the commands need bash anyway
    fields = {name: getattr(figure, name) for name in Figure.__slots__ if name != "name"}
    return {
        **fields,
        "results": taken(ran.stdout, figure.take),
        "date": f"{began:%Y-%m-%d}",
        "commit": _git("rev-parse", "HEAD"),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {load}",
        "made_of": {of: digest(of) for of in figure.depends},
    }


def keep(figure: Figure) -> None:
    """Measure it, and write its file."""
    text = json.dumps(measure(figure), indent=2, ensure_ascii=False)
    (KEPT_FIGURES / f"{figure.name}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{figure.name}: measured", flush=True)


def main(arguments: list[str]) -> int:
    """Measure the figures that are named, or README's, then write the pages."""
    by_name = {each.name: each for each in figures()}
    what, *names = arguments or [""]
    if what == "measure":
        for name in names:
            if name not in by_name:
                sys.exit(f"{name}: no figure; the rows of a table are typed")
            keep(by_name[name])
    elif what == "readme":
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(keep, (each for each in of_readme() if not each.is_fresh)))
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8"), page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
