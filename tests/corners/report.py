"""Which branches of a rule set and of the settlement hands reached, and which none did, and why."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from table_assist.rules.registry import find_rules
from tests.accountant.audit import other_values
from tests.corners.drive import ROOT, Search
from tests.corners.unreached import why

Branches = set[tuple[int, int]]
Functions = dict[tuple[str, str], tuple[Branches, Branches]]


@dataclass
class Found:
    """What a search in one rule set came to.

    Attributes:
        functions: by file and name, the branches that ran and those that did not.
        unmet: patterns and option values that no hand had.
    """

    line: str
    faults: list[str]
    unmet: list[str]
    functions: Functions = field(default_factory=dict)


@dataclass
class Reached:
    """Branches that ran, those that did not though hands should go there, and those that cannot."""

    ran: int = 0
    missed: list[str] = field(default_factory=list)
    explained: dict[str, int] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """In short."""
        why, not_known = sum(self.explained.values()), len(self.missed)
        most = self.ran + why + not_known
        return f"{self.ran} of {most} branches reached, {why} explained, {not_known} not"


def search(id: str, hands: int, seed: str) -> Found:
    """Search in one rule set."""
    started, search = time.monotonic(), Search(id, seed)
    search.go_on(hands)
    patterns = {pattern.id for pattern in find_rules(id).patterns}
    options = set(other_values(id))
    unmet = sorted(patterns - search.judged)
    unmet += sorted(f"{name}={value}" for name, value in options - search.moved)
    line = (
        f"{search.hands} hands, {search.won} won, {search.altered} more altered, "
        f"{len(search.corpus)} and {len(search.happened)} kept, "
        f"{len(search.faults)} differ from the account; {len(search.met)} kinds of endings, "
        f"{len(patterns & search.judged)} of {len(patterns)} patterns, "
        f"{len(options & search.moved)} of {len(options)} option values moved points; "
        f"{time.monotonic() - started:.0f} s"
    )
    return Found(line, search.faults, unmet, functions(search))


def functions(search: Search) -> Functions:
    """What ran of each function."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "coverage.json"
        search.coverage.json_report(outfile=str(out))
        files = json.loads(out.read_text(encoding="utf-8"))["files"]
    found: Functions = {}
    for name, report in files.items():
        file = str(Path(name).resolve().relative_to(ROOT))
        for function, part in report["functions"].items():
            ran = {(first, last) for first, last in part["executed_branches"]}
            missed = {(first, last) for first, last in part["missing_branches"]}
            if ran or missed:
                found[file, function] = ran, missed
    return found


def together(parts: list[Functions]) -> Functions:
    """What ran in any of several searches."""
    whole: Functions = {}
    for part in parts:
        for place, (ran, missed) in part.items():
            before = whole.get(place, (set(), missed))
            whole[place] = before[0] | ran, (before[1] & missed) - ran
    return whole


def reached(found: Functions, under: str) -> Reached:
    """Count the branches of files below a folder."""
    whole = Reached()
    for (file, function), (ran, missed) in sorted(found.items()):
        if not file.startswith(under):
            continue
        whole.ran += len(ran)
        reason = why(file, function)
        if reason and missed:
            whole.explained[reason] = whole.explained.get(reason, 0) + len(missed)
        elif missed:
            whole.missed += [f"{file}:{function} {a} to {b}" for a, b in sorted(missed)]
    return whole
