"""Troubles that keep a table from being followed, for who repairs them: file, line, key."""

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from table_assist.languages.words import Words, phrase
from table_assist.record.store import DamagedError, InUseError, NewerError, StoreError
from table_assist.rules.profile import ProfileError
from table_assist.settings.config import ConfigError, ConfigFault
from table_assist.settings.edit import EditError, read_text
from table_assist.vision.pictures.sources import CameraError
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.weights import WeightsError
from table_assist.vision.table.calibration import CalibrationError

# The errors that a person can repair, and that a table which cannot start may raise.
REPAIRABLE = (
    ConfigError,
    CameraError,
    CalibrationError,
    OwnSetError,
    ProfileError,
    StoreError,
    WeightsError,
    EditError,
)


class TroubleKind(StrEnum):
    """The kinds of troubles."""

    UNREADABLE = "unreadable"
    NO_TOML = "no_toml"
    UNKNOWN_KEY = "unknown_key"
    VALUE = "value"
    RULES = "rules"
    CORNERS = "corners"
    CAMERA = "camera"
    SET = "set"
    WEIGHTS = "weights"
    LOG_NEWER = "log_newer"
    LOG_IN_USE = "log_in_use"
    LOG_DAMAGED = "log_damaged"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is wrong.

    Attributes:
        file: in which it is to be repaired.
        line: counts from 1; 0 where no line is to blame.
        key: as ``camera.source``; empty where no key is to blame.
        says: what is wrong, in one sentence.
        advice: what to do, in one sentence.
    """

    kind: TroubleKind
    file: str
    line: int
    key: str
    says: Words
    advice: Words


def trouble_of(error: Exception, settings: Path, text: str | None = None) -> Trouble:
    """Such an error's meaning to a person; any of `REPAIRABLE`.

    Args:
        error: as it was raised.
        settings: the table's file.
        text: what is or would be in it; None: what is in it now.
    """
    if isinstance(error, ConfigError):
        by_key = _OF_KEYS.get(error.key, TroubleKind.VALUE)
        kind, key = _OF_FAULTS.get(error.fault, by_key), error.key
    else:
        kind, key = next((kind, key) for known, kind, key in _TROUBLES if isinstance(error, known))
    text = read_text(settings) if text is None else text
    line, says = line_of(text, key), _SAYS[kind]
    if isinstance(error, ConfigError):
        line = error.line or line
        if error.option:
            line = line_of(text, key, error.option) or line or line_of(text, "rules.id")
        if kind is TroubleKind.CORNERS and error.fault is ConfigFault.MISSING:
            says = Words("{said}", "还不知道牌桌四角在画面中的位置。")
        elif kind is TroubleKind.VALUE and error.wanted and error.wanted[0] in _WANTED:
            wanted, got = error.wanted
            says = Words(
                "{said}", "{key} 应为{wanted}，现为 {got}。", wanted=_WANTED[wanted], got=got
            )
    # The sentence as it was raised, and one of its own in Chinese
    detail = str(error).rstrip(".")
    says = says.filled(said=_sentence(detail), detail=detail, key=key, line=line or "?")
    return Trouble(kind, str(settings), line, key, says, _TROUBLE_ADVICE[kind])


def line_of(text: str, key: str, word: str = "") -> int:
    r"""The line on which a key such as ``camera.source`` stands, from 1; 0 where it does not.

    >>> line_of("[a]\nx = 1\n[b]\nx = 2\n", "b.x")
    4

    Args:
        text: of the settings, TOML or nearly.
        key: with its section; a section alone is its header.
        word: the line must hold this too, as a word of its own.
    """
    section, _, name = key.partition(".")
    lines, inside = [], ""  # number, key with its section, and the line
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[\s*([\w.\"' -]+?)\s*\]\s*(#.*)?$", line):
            inside = _plain(header[1])
            lines.append((number, inside, line))
        elif named := re.match(r"\s*([\w.\"' -]+?)\s*=", line):
            lines.append((number, f"{inside}.{_plain(named[1])}".removeprefix("."), line))
    for number, found, line in lines:
        if found == key and (not word or re.search(rf"\b{re.escape(word)}\b", line)):
            return number
    for number, found, line in lines:  # below the key's own header, or in its table
        if word and found.startswith(f"{key}.{word}"):
            return number
        if not word and name and found == section and re.search(rf"\b{re.escape(name)}\b", line):
            return number
    return 0


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


_TROUBLES: tuple[tuple[type[Exception], TroubleKind, str], ...] = (
    (DamagedError, TroubleKind.LOG_DAMAGED, "log.path"),
    (NewerError, TroubleKind.LOG_NEWER, "log.path"),
    (InUseError, TroubleKind.LOG_IN_USE, "log.path"),
    (StoreError, TroubleKind.LOG, "log.path"),
    (CameraError, TroubleKind.CAMERA, "camera.source"),
    (CalibrationError, TroubleKind.CORNERS, "camera.corners"),
    (OwnSetError, TroubleKind.SET, "eyes.set"),
    (ProfileError, TroubleKind.RULES, "rules.profile"),
    (EditError, TroubleKind.UNREADABLE, ""),
    (WeightsError, TroubleKind.WEIGHTS, ""),
)
_OF_KEYS = {
    "camera.corners": TroubleKind.CORNERS,
    "rules.id": TroubleKind.RULES,
    "rules.profile": TroubleKind.RULES,
    "rules.options": TroubleKind.RULES,
}
_OF_FAULTS = {
    ConfigFault.UNREADABLE: TroubleKind.UNREADABLE,
    ConfigFault.NO_TOML: TroubleKind.NO_TOML,
    ConfigFault.UNKNOWN_KEY: TroubleKind.UNKNOWN_KEY,
}


def _sentence(detail: str) -> str:
    """With a capital, but a key stays as it is written."""
    first = detail.partition(" ")[0]
    if "." in first or first.endswith(":"):
        return f"{detail}."
    return f"{detail[:1].upper()}{detail[1:]}."


# The kinds of values as `config` calls them.
_WANTED = {
    each.en: each
    for each in (
        Words("text", "文本"),
        Words("true or false", " true 或 false"),
        Words("a whole number above 0", "正整数"),
        Words("a number above 0", "正数"),
        Words("a number from 0 on", "零或正数"),
        Words("a list of texts", "文本列表"),
        Words("a table", "一个表"),
        Words("four names", "四个名字"),
    )
}
_SAYS: dict[TroubleKind, Words] = {
    TroubleKind.UNREADABLE: Words("{said}", "设置文件无法读写：{detail}。"),
    TroubleKind.NO_TOML: Words("{said}", "设置文件不是有效的 TOML（第 {line} 行）。"),
    TroubleKind.UNKNOWN_KEY: Words("{said}", "没有名为 {key} 的设置项。"),
    TroubleKind.VALUE: Words("{said}", "{key} 的值不可用：{detail}。"),
    TroubleKind.RULES: Words("{said}", "规则设置 {key} 不可用：{detail}。"),
    TroubleKind.CORNERS: Words("{said}", "牌桌四角的设置不可用：{detail}。"),
    TroubleKind.CAMERA: Words("{said}", "摄像头设置不可用：{detail}。"),
    TroubleKind.SET: Words("{said}", "自己的牌组不可用：{detail}。"),
    TroubleKind.WEIGHTS: Words("{said}", "识别网络不可用：{detail}。"),
    TroubleKind.LOG_NEWER: Words("{said}", "记录文件来自更新版本的程序，本版本读不了。"),
    TroubleKind.LOG_IN_USE: Words("{said}", "记录文件正被另一个程序使用。"),
    TroubleKind.LOG_DAMAGED: Words("{said}", "记录文件已损坏：{detail}。"),
    TroubleKind.LOG: Words("{said}", "记录文件不可用：{detail}。"),
}
_TROUBLE_ADVICE = {
    TroubleKind.UNREADABLE: phrase("trouble.see_that_the_file"),
    TroubleKind.NO_TOML: phrase("trouble.correct_the_line"),
    TroubleKind.UNKNOWN_KEY: phrase("trouble.correct_its_name"),
    TroubleKind.VALUE: phrase("trouble.write_a_value"),
    TroubleKind.RULES: phrase("trouble.choose_the_rules_anew"),
    TroubleKind.CORNERS: phrase("trouble.show_the_tables_corners"),
    TroubleKind.CAMERA: phrase("trouble.plug_the_camera"),
    TroubleKind.SET: phrase("trouble.enrol_the_set_anew"),
    TroubleKind.WEIGHTS: phrase("trouble.install_the_program_anew"),
    TroubleKind.LOG_NEWER: phrase("trouble.install_the_newer_program"),
    TroubleKind.LOG_IN_USE: phrase("trouble.end_the_other_program"),
    TroubleKind.LOG_DAMAGED: phrase("trouble.put_a_backup_back"),
    TroubleKind.LOG: phrase("trouble.restore_a_backup"),
}
