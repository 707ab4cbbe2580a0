"""The views of the pages of keeping, as JSON-shaped values."""

from pathlib import Path

from table_assist.evidence.store import EveningPictures
from table_assist.health.checks import Finding
from table_assist.languages.words import View, words_view
from table_assist.settings.trouble import Trouble
from table_assist.upkeep.backup.packing import BackupError, Contents, read_contents


def trouble_view(trouble: Trouble) -> View:
    """For the page."""
    return {
        "kind": str(trouble.kind),
        "file": trouble.file,
        "line": trouble.line,
        "key": trouble.key,
        "says": words_view(trouble.says),
        "advice": words_view(trouble.advice),
    }


def contents_view(contents: Contents, settings: str) -> View:
    """For the page, before anything is restored."""
    return {
        "program": contents.program,
        "made": contents.made_s,
        "reason": contents.reason,
        "facts": dict(contents.facts),
        "missing": list(contents.missing),
        "files": [
            {"kind": member.kind, "home": member.home, "size": member.size}
            for member in contents.members
        ],
        "own": [member.home for member in contents.of_kind("settings")] == [settings],
    }


def finding_view(finding: Finding) -> View:
    """A finding for the page."""
    return {
        "id": finding.id,
        "state": str(finding.state),
        "says": words_view(finding.says),
        "advice": None if finding.advice is None else words_view(finding.advice),
        "since": finding.since_s,
    }


def backup_view(path: Path) -> View:
    """A backup in the list; one that cannot be read says why."""
    view: View = {"name": path.name, "size": path.stat().st_size}
    try:
        contents = read_contents(path)
    except BackupError as error:
        return view | {"damaged": str(error)}
    return view | {
        "made": contents.made_s,
        "reason": contents.reason,
        "hands": contents.facts.get("hands"),
        "scores": contents.facts.get("scores"),
        "program": contents.program,
    }


def evening_view(evening: EveningPictures) -> View:
    """An evening's pictures."""
    return {
        "day": evening.day,
        "hands": len(evening.hands),
        "pictures": evening.pictures,
        "size": evening.bytes,
        "held": evening.held,
    }
