"""The table's folder of backups: what lies in it, what is uploaded to it, what is put back."""

import logging
from collections.abc import Callable
from pathlib import Path

from table_assist.health.checks import Finding
from table_assist.languages.words import NOTHING, SPACE, View, Words, joined, phrase, words_view
from table_assist.record.evidence import EveningPictures
from table_assist.settings.config import Config, ConfigError
from table_assist.settings.trouble import Trouble
from table_assist.upkeep.backup.backup import BACKUP_SUFFIX
from table_assist.upkeep.backup.packing import BackupError, read_contents, verify
from table_assist.upkeep.backup.restore import restore


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


def finding_view(finding: Finding) -> View:
    """A finding for the page."""
    return {
        "id": finding.id,
        "state": str(finding.state),
        "says": words_view(finding.says),
        "advice": None if finding.advice is None else words_view(finding.advice),
        "since": finding.since_s,
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


logger = logging.getLogger(__name__)

UPLOAD = ".upload"
LARGEST_UPLOAD = 4_000_000_000
COARSE_BYTES = 65_536


class Shelf:
    """One table's backups.

    Args:
        settings: the table's TOML file.
        config: what it says; may raise ConfigError.
    """

    def __init__(self, settings: Path, config: Callable[[], Config]) -> None:
        self.settings = settings
        self._config = config

    @property
    def folder(self) -> Path:
        """Where backups lie; it need not exist."""
        try:
            named = self._config().backup.folder
        except ConfigError:
            named = ""
        return Path(named) if named else self.settings.parent / "backups"

    def kept(self) -> tuple[Path, ...]:
        """The backups, newest first."""
        found = self.folder.glob(f"*{BACKUP_SUFFIX}")
        return tuple(sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True))

    def views(self, *, coarse: bool) -> list[View]:
        """The backups for the page; one that cannot be read says why.

        Args:
            coarse: sizes are rounded up: how large a packed log is may tell what it holds.
        """
        views = []
        for path in self.kept():
            size = path.stat().st_size
            view: View = {"name": path.name, "size": size}
            if coarse:
                view["size"] = -(-size // COARSE_BYTES) * COARSE_BYTES
            try:
                contents = read_contents(path)
                view |= {
                    "made": contents.made_s,
                    "reason": contents.reason,
                    "hands": contents.facts.get("hands"),
                    "scores": contents.facts.get("scores"),
                    "program": contents.program,
                }
            except BackupError as error:
                view["damaged"] = str(error)
            views.append(view)
        return views

    def find(self, name: str) -> Path | None:
        """A backup in the folder, or the one that was uploaded; None where there is none."""
        known = {path.name: path for path in (*self.kept(), self.folder / UPLOAD)}
        path = known.get(name)
        return path if path is not None and path.is_file() else None

    def receive(self, offset: int, data: bytes) -> int:
        """A piece of a backup that is uploaded, in order; how many bytes there are now.

        Raises:
            BackupError: it is not the next piece, is too much, or cannot be written.
        """
        path = self.folder / UPLOAD
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            there = path.stat().st_size if offset and path.exists() else 0
            if offset != there:
                raise BackupError.told("piece_out_of_order", offset=offset, there=there)
            if offset + len(data) > LARGEST_UPLOAD:
                raise BackupError.told("upload_too_large", largest_upload=LARGEST_UPLOAD)
            with path.open("ab" if offset else "wb") as file:
                file.write(data)
        except OSError as error:
            raise BackupError.told(
                "upload_unwritten", path=path, strerror=error.strerror
            ) from error
        return offset + len(data)

    def look_inside(self, name: str) -> View:
        """A backup's content, every byte of it checked.

        Raises:
            BackupError: there is none of that name, or it is damaged.
        """
        contents = verify(self._named(name))
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
            "own": [each.home for each in contents.of_kind("settings")] == [self.settings.name],
        }

    def own(self, name: str) -> Path:
        """A whole backup of this table.

        Raises:
            BackupError: there is none of that name, it is damaged, or another table's.
        """
        path = self._named(name)
        homes = [member.home for member in verify(path).of_kind("settings")]
        if homes != [self.settings.name]:
            raise BackupError.told(
                "other_table",
                said=", ".join(homes) or Words("without settings", "（无设置）"),
                name=self.settings.name,
            )
        return path

    def put_back(self, path: Path, now_s: float) -> Words:
        """Restore a backup where no table runs; what became of it, for people."""
        try:
            done = restore(path, self.settings.parent, now_s=now_s, force=True)
        except BackupError as error:
            logger.warning("nothing was restored: %s", error)
            return Words("Nothing was restored: {why}.", "未恢复任何内容：{why}。", why=error.words)
        if path.name == UPLOAD:
            path.unlink(missing_ok=True)
        if done.kept is None:
            return Words("The backup was restored.", "备份已恢复。")
        return phrase("shelf.backup_was_restored_what", kept=done.kept)

    def to_repair(self, whole: int) -> Words:
        """The whole part of a damaged log, and how to go on with it.

        Args:
            whole: its first entries that are as they were written.
        """
        said = Words("Entries 1 to {whole} are whole.", "第 1 至 {whole} 条完好。", whole=whole)
        intact = said if whole else NOTHING
        for path in self.kept():
            try:
                entries = verify(path).facts.get("entries")
            except BackupError:
                continue
            if entries:
                good = phrase("shelf.newest_good_backup", path=path.name, entries=entries)
                return joined((intact, good), SPACE)
        return joined((intact, phrase("shelf.there_is_no_good")), SPACE)

    def _named(self, name: str) -> Path:
        path = self.find(name)
        if path is None:
            raise BackupError("there is no backup {name}", "没有备份 {name}", name=f"{name!r}")
        return path
