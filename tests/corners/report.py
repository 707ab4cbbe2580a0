"""Which branches of a rule set and of the settlement hands reached, and which none did, and why."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.corners.drive import ROOT, Search
from tests.corners.unreached import why


@dataclass
class Reached:
    """What a search came to.

    Attributes:
        branches: all that there are, but for what no settlement runs.
        missed: (file, function, lines from which a branch was not taken) where hands should go.
        explained: the same with the reason why none does.
    """

    branches: int = 0
    reached: int = 0
    missed: list[tuple[str, str, list[int]]] = field(default_factory=list)
    explained: dict[str, list[str]] = field(default_factory=dict)


def search(id: str, hands: int, seed: str) -> tuple[str, Reached, list[str]]:
    """Search in one rule set."""
    started, search = time.monotonic(), Search(id, seed)
    search.go_on(hands)
    found = reached(search)
    line = (
        f"{search.hands} hands, {search.won} won, {len(search.corpus)} kept, {len(search.met)} "
        f"kinds of endings; {found.reached} of {found.branches} branches reached, the account "
        f"beside; {len(search.faults)} differ; {time.monotonic() - started:.0f} s"
    )
    return line, found, search.faults


def reached(search: Search) -> Reached:
    """Count the branches of the search."""
    found = Reached()
    for file, function, run, missed in _functions(search):
        reason = why(file, function)
        if reason:
            if missed:
                found.explained.setdefault(reason, []).append(f"{file}:{function}")
            continue
        found.branches += len(run) + len(missed)
        found.reached += len(run)
        if missed:
            found.missed.append((file, function, sorted({line for line, _ in missed})))
    return found


def _functions(search: Search) -> list[tuple[str, str, list[list[int]], list[list[int]]]]:
    """(file, function, branches that ran, branches that did not)."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "coverage.json"
        search.coverage.json_report(outfile=str(out))
        files = json.loads(out.read_text(encoding="utf-8"))["files"]
    found = []
    for name, report in files.items():
        file = str(Path(name).resolve().relative_to(ROOT))
        for function, part in report["functions"].items():
            branches = part["executed_branches"], part["missing_branches"]
            if any(branches):
                found.append((file, function or "(module)", *branches))
    return found
