"""Troubles that keep a table from being followed, for who repairs them: file, line, key."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from table_assist.languages.words import Words
from table_assist.record.store import IN_USE, DamagedError, StoreError
from table_assist.rules.profile import ProfileError
from table_assist.settings.config import ConfigError
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
    detail = str(error).rstrip(".")
    kind, key = _kind_of(error, detail)
    text = read_text(settings) if text is None else text
    line = _toml_line(detail) if kind is TroubleKind.NO_TOML else line_of(text, key)
    if kind is TroubleKind.RULES:
        line = line_of(text, "rules.options", _quoted(detail)) or line or line_of(text, "rules.id")
    says, advice = _SAYS[kind](detail, key), _ADVICE[kind]
    return Trouble(kind, str(settings), line, key, says, advice)


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
    lines = list(_keyed_lines(text))
    for number, found, line in lines:
        if found == key and (not word or re.search(rf"\b{re.escape(word)}\b", line)):
            return number
    for number, found, line in lines:  # below the key's own header, or in its table
        if word and found.startswith(f"{key}.{word}"):
            return number
        if not word and name and found == section and re.search(rf"\b{re.escape(name)}\b", line):
            return number
    return 0


def _keyed_lines(text: str) -> list[tuple[int, str, str]]:
    """(number, key with its section, line) of every line that has a key or a header."""
    section, found = "", []
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[\s*([\w.\"' -]+?)\s*\]\s*(#.*)?$", line)
        if header:
            section = _plain(header[1])
            found.append((number, section, line))
            continue
        named = re.match(r"\s*([\w.\"' -]+?)\s*=", line)
        if named:
            key = _plain(named[1])
            found.append((number, f"{section}.{key}" if section else key, line))
    return found


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def _toml_line(detail: str) -> int:
    found = re.search(r"at line (\d+)", detail)
    return int(found[1]) if found else 0


def _quoted(detail: str) -> str:
    found = re.search(r"option '([^']*)'", detail)
    return found[1] if found else ""


def _kind_of(error: Exception, detail: str) -> tuple[TroubleKind, str]:
    if isinstance(error, ConfigError):
        return _config_kind(detail)
    if isinstance(error, DamagedError):
        return TroubleKind.LOG_DAMAGED, "log.path"
    if isinstance(error, StoreError):
        if "this program knows up to" in detail:
            return TroubleKind.LOG_NEWER, "log.path"
        return (TroubleKind.LOG_IN_USE if detail.endswith(IN_USE) else TroubleKind.LOG), "log.path"
    for known, kind, key in (
        (CameraError, TroubleKind.CAMERA, "camera.source"),
        (CalibrationError, TroubleKind.CORNERS, "camera.corners"),
        (OwnSetError, TroubleKind.SET, "eyes.set"),
        (ProfileError, TroubleKind.RULES, "rules.profile"),
        (EditError, TroubleKind.UNREADABLE, ""),
    ):
        if isinstance(error, known):
            return kind, key
    return TroubleKind.WEIGHTS, ""


def _config_kind(detail: str) -> tuple[TroubleKind, str]:
    if "no TOML" in detail:
        return TroubleKind.NO_TOML, ""
    if "cannot be read" in detail and detail.startswith("the settings"):
        return TroubleKind.UNREADABLE, ""
    unknown = re.match(r"there is no setting ([^;]+);", detail)
    if unknown:
        return TroubleKind.UNKNOWN_KEY, unknown[1]
    if detail.startswith("camera.corners"):
        return TroubleKind.CORNERS, "camera.corners"
    if detail.startswith(("rules:", "rules.id")):
        key = "rules.profile" if "the profile" in detail else "rules.id"
        return TroubleKind.RULES, "rules.options" if "option '" in detail else key
    named = re.match(r"([a-z_]+(?:\.[a-z_]+)?)\b", detail)
    return TroubleKind.VALUE, named[1] if named else ""


def _sentence(detail: str) -> str:
    """With a capital, but a key stays as it is written."""
    first = detail.partition(" ")[0]
    if "." in first or first.endswith(":"):
        return f"{detail}."
    return f"{detail[:1].upper()}{detail[1:]}."


def _value(detail: str, key: str) -> Words:
    """The settings' complaint about a value, as far as it is one of the usual sentences."""
    found = re.match(r"\S+ must be (.+), got (.+)$", detail)
    wanted = _WANTED.get(found[1]) if found else None
    if found is None or wanted is None:
        return Words(
            "{said}", "{key} 的值不可用：{detail}。", said=_sentence(detail), key=key, detail=detail
        )
    return Words(
        "{said}",
        "{key} 应为{wanted}，现为 {got}。",
        said=_sentence(detail),
        key=key,
        wanted=wanted,
        got=found[2],
    )


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
_NO_CORNERS = Words("{said}", "还不知道牌桌四角在画面中的位置。")
_SAYS: dict[TroubleKind, Callable[[str, str], Words]] = {
    TroubleKind.UNREADABLE: lambda d, k: Words(
        "{said}", "设置文件无法读写：{detail}。", said=_sentence(d), detail=d
    ),
    TroubleKind.NO_TOML: lambda d, k: Words(
        "{said}",
        "设置文件不是有效的 TOML（第 {line} 行）。",
        said=_sentence(d),
        line=_toml_line(d) or "?",
    ),
    TroubleKind.UNKNOWN_KEY: lambda d, k: Words(
        "{said}", "没有名为 {key} 的设置项。", said=_sentence(d), key=k
    ),
    TroubleKind.VALUE: lambda d, k: _value(d, k),
    TroubleKind.RULES: lambda d, k: Words(
        "{said}", "规则设置 {key} 不可用：{detail}。", said=_sentence(d), detail=d, key=k
    ),
    TroubleKind.CORNERS: lambda d, k: (
        _NO_CORNERS.filled(said=_sentence(d))
        if "missing" in d
        else Words("{said}", "牌桌四角的设置不可用：{detail}。", said=_sentence(d), detail=d)
    ),
    TroubleKind.CAMERA: lambda d, k: Words(
        "{said}", "摄像头设置不可用：{detail}。", said=_sentence(d), detail=d
    ),
    TroubleKind.SET: lambda d, k: Words(
        "{said}", "自己的牌组不可用：{detail}。", said=_sentence(d), detail=d
    ),
    TroubleKind.WEIGHTS: lambda d, k: Words(
        "{said}", "识别网络不可用：{detail}。", said=_sentence(d), detail=d
    ),
    TroubleKind.LOG_NEWER: lambda d, k: Words(
        "{said}", "记录文件来自更新版本的程序，本版本读不了。", said=_sentence(d)
    ),
    TroubleKind.LOG_IN_USE: lambda d, k: Words(
        "{said}", "记录文件正被另一个程序使用。", said=_sentence(d)
    ),
    TroubleKind.LOG_DAMAGED: lambda d, k: Words(
        "{said}", "记录文件已损坏：{detail}。", said=_sentence(d), detail=d
    ),
    TroubleKind.LOG: lambda d, k: Words(
        "{said}", "记录文件不可用：{detail}。", said=_sentence(d), detail=d
    ),
}
_ADVICE = {
    TroubleKind.UNREADABLE: Words(
        "See that the file and its folder may be read and written by you.",
        "请确认您对该文件及其文件夹有读写权限。",
    ),
    TroubleKind.NO_TOML: Words(
        "Correct the line in the editor below, or take the previous version back.",
        "请在下面的编辑框中改正这一行，或恢复上一个版本。",
    ),
    TroubleKind.UNKNOWN_KEY: Words(
        "Correct its name or delete the line; a newer version's key needs the newer program.",
        "请改正名称或删去这一行；新版本的设置项需要新版本的程序。",
    ),
    TroubleKind.VALUE: Words(
        "Write a value as the sentence asks for, or delete the line for the default.",
        "请按提示填写，或删去这一行以使用默认值。",
    ),
    TroubleKind.RULES: Words(
        "Choose the rules anew in the assistant, or correct the line.",
        "请在设置向导中重新选择规则，或改正这一行。",
    ),
    TroubleKind.CORNERS: Words(
        "Show the table's corners in the assistant's step Calibration.",
        "请在设置向导的“标定”一步中指出牌桌四角。",
    ),
    TroubleKind.CAMERA: Words(
        "Plug the camera in, or choose another in the assistant's step Camera.",
        "请接好摄像头，或在设置向导的“摄像头”一步中另选一个。",
    ),
    TroubleKind.SET: Words(
        "Enrol the set anew, or delete the line set under [eyes].",
        "请重新录入这副牌，或删去 [eyes] 下的 set。",
    ),
    TroubleKind.WEIGHTS: Words(
        "Install the program anew; the table can be kept by hand without a camera until then.",
        "请重新安装程序；在此之前可以不用摄像头、手工记分。",
    ),
    TroubleKind.LOG_NEWER: Words(
        "Install the newer program, or name another file as path under [log].",
        "请安装新版本的程序，或在 [log] 下的 path 写另一个文件名。",
    ),
    TroubleKind.LOG_IN_USE: Words(
        "End the other program that follows this table, then try again.",
        "请先结束另一个正在使用它的程序，然后重试。",
    ),
    TroubleKind.LOG_DAMAGED: Words(
        "Put a backup back: the damaged file is kept beside it, and nothing is overwritten.",
        "请恢复一个备份：损坏的文件会保留在旁边，不会被覆盖。",
    ),
    TroubleKind.LOG: Words(
        "Restore a backup, or name another file as path under [log].",
        "请从备份恢复，或在 [log] 下的 path 写另一个文件名。",
    ),
}
