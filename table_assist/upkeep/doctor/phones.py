"""Phones that watch the table, examined: who was let in, and whether each knows where it is."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from table_assist.health.finding import Finding, State, as_said
from table_assist.languages.words import Words
from table_assist.phones.place import calibration_file
from table_assist.settings.config import Config
from table_assist.vision.table.calibration import CalibrationError, load_calibration

_NOBODY = Words(
    "Phones are to watch the table, and none is let in as a camera.",
    "本桌由手机拍摄，但还没有手机被允许作摄像头。",
)
_LET_IN = Words(
    "Start with --host 0.0.0.0 --tls, open Phones on the dashboard, choose a camera, and scan the "
    "code with the phone: docs/PHONE-CAMERA.md.",
    "请用 --host 0.0.0.0 --tls 启动，在面板上打开“手机”，选择摄像头，再用手机扫码："
    "docs/PHONE-CAMERA.md。",
)
_SHOW = Words(
    "Open /camera on it and show it where the table is.", "请在该手机上打开 /camera 标定牌桌。"
)


def phone_findings(config: Config, settings: Path | None) -> Iterator[Finding]:
    """Each phone that was let in; pictures come to a running table only."""
    found = dict(_let_in(settings))
    if not found:
        yield Finding("camera", State.DOUBT, _NOBODY, _LET_IN)
    for device, name in found.items():
        yield _phone_finding(name, calibration_file(config, device))


def _phone_finding(name: str, path: Path) -> Finding:
    if not path.exists():
        says = Words(
            "{name} does not know where the table is.", "{name} 还不知道牌桌在哪里。", name=name
        )
        return Finding("camera", State.DOUBT, says, _SHOW)
    try:
        kept = load_calibration(path)
    except CalibrationError as error:
        return Finding("camera", State.DOUBT, as_said(error), _SHOW)
    width, height = kept.size_wh
    return Finding(
        "camera",
        State.GOOD,
        Words(
            "{name} is let in, calibrated on {date} for {width} × {height}.",
            "{name} 已允许，{date} 按 {width} × {height} 标定。",
            name=name,
            date=kept.date,
            width=width,
            height=height,
        ),
    )


def _let_in(settings: Path | None) -> Iterator[tuple[str, str]]:
    """Id and name of the phones whose sessions last still."""
    if settings is None:
        return
    try:
        content = json.loads(settings.with_suffix(".devices.json").read_text(encoding="utf-8"))
        devices = content["devices"]
    except (OSError, ValueError, KeyError, TypeError):
        return  # who may come in is told by the pages; nobody may by a file that cannot be read
    for each in devices:
        if each.get("role") == "camera" and float(each.get("until", 0)) > time.time():
            yield str(each["id"]), str(each["name"]) or "the phone"
