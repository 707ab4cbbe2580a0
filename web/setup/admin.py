"""The admin's page: health, doctor, backups, bundle; for the admin only."""

import base64
import binascii
from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, send_file

from table_assist.languages.words import Words
from web.access.roles import Role, is_local, require
from web.answers import json_answer
from web.api.bodies import BodyError, Field, flag, takes, text, whole
from web.api.json_schema import short_text
from web.refusal import refuse
from web.setup.setup import larger, refusing, render
from web.setup.setup_source import AdminSource
from web.setup.setup_words import FRAME

# The words of the admin's page, in English and Chinese.

PAGE = FRAME | {
    "title": Words("Health and backups", "健康与备份"),
    "to_table": Words("To the table", "回到牌桌"),
    "to_setup": Words("Set the table up", "设置牌桌"),
    "to_trial": Words("A trial", "试局"),
    "to_obs": Words("For streams (OBS)", "直播画面（OBS）"),
    "version": Words("version {version}", "版本 {version}"),
    "health": Words("Health", "健康状况"),
    "check_camera": Words("Camera", "摄像头"),
    "check_detector": Words("Reading", "识别"),
    "check_board": Words("Board", "电路板"),
    "check_session": Words("Processing", "处理"),
    "check_log": Words("Log", "记录"),
    "check_evidence": Words("Evidence", "证据画面"),
    "check_disk": Words("Disk", "磁盘"),
    "check_clock": Words("Clock", "时钟"),
    "check_temperature": Words("Temperature", "温度"),
    "check_backup": Words("Backup", "备份"),
    "check_settings": Words("Settings", "设置"),
    "good": Words("good", "正常"),
    "doubt": Words("check", "注意"),
    "bad": Words("bad", "故障"),
    "none": Words("none", "无"),
    "since": Words("since {time}", "自 {time}"),
    "restart": Words("Start the table again", "重新启动牌桌"),
    "restart_sure": Words("Tap again: the table pauses for a moment", "再按一次：牌桌会暂停片刻"),
    "restarting": Words("The table is starting …", "正在启动…"),
    "doctor": Words("Doctor", "体检"),
    "doctor_says": Words(
        "Examines settings, rules, networks and disk; and camera and board while the table is not "
        "followed.",
        "检查设置、规则、识别网络和磁盘；牌桌未运行时也检查摄像头和电路板。",
    ),
    "examine": Words("Examine", "开始体检"),
    "examining": Words("Examining …", "体检中…"),
    "examined": Words("Examined at {time}.", "体检于 {time}。"),
    "what_settings": Words("Settings", "设置"),
    "what_rules": Words("Rules", "规则"),
    "what_eyes": Words("Networks", "识别网络"),
    "what_record": Words("Disk", "磁盘"),
    "what_camera": Words("Camera", "摄像头"),
    "what_picture": Words("Picture", "画面"),
    "what_corners": Words("Corners", "四角"),
    "what_tiles": Words("Tiles", "麻将牌"),
    "what_port": Words("Port", "端口"),
    "what_board": Words("Board", "电路板"),
    "what_key": Words("Signature", "签名"),
    "what_log": Words("Log", "日志"),
    "what_version": Words("Version", "版本"),
    "what_fault": Words("Fault", "故障"),
    "what_sensors": Words("Sensors", "传感器"),
    "what_events": Words("Signals", "信号"),
    "what_line": Words("Line", "线路"),
    "bundle": Words("Download a fault report", "下载故障报告"),
    "bundle_says": Words(
        "The report has the players' names and, if the table was recorded, pictures of it. It has "
        "no password.",
        "报告中有玩家姓名，录制过的话还有画面；不含密码。",
    ),
    "hidden": Words(
        "A treasure is hidden in this hand, and the log names it. You can download report and "
        "backups after the hand.",
        "本局有未公开的宝牌，而记录中写有它：报告和备份在本局结束后才能下载。",
    ),
    "pictures": Words("Pictures of people", "人物画面"),
    "pictures_says": Words(
        "Pictures of decisions and doubts show who sat at the table. Deleted ones are gone for "
        "good; the log stays whole. Backups with pictures and recordings keep theirs.",
        "裁定和存疑时保存的画面会拍到牌桌上的人。删除后无法恢复，记录不受影响。"
        "带画面的备份和录制文件中的画面不会被删除。",
    ),
    "no_pictures": Words("There are none.", "没有画面。"),
    "evening_says": Words(
        "{day}: {hands} hands, {pictures} pictures", "{day}：{hands} 局，{pictures} 张画面"
    ),
    "evening_held": Words("{held} held for a dispute", "{held} 局因争议保留"),
    "forget": Words("Delete", "删除"),
    "forget_sure": Words("Tap again to delete them for good", "再按一次永久删除"),
    "backups": Words("Backups", "备份"),
    "backup_says": Words(
        "Log, settings, calibration and tile set in one file. Made every day, after a game and "
        "before an upgrade, in",
        "记录、设置、标定和牌组在一个文件里。每天、每场之后和升级之前自动备份到",
    ),
    "backup": Words("Back up now", "立即备份"),
    "backing": Words("Making a backup …", "正在备份…"),
    "evidence": Words("with the pictures of disputes and doubts", "连同争议用的画面"),
    "no_backups": Words("There are none yet.", "还没有备份。"),
    "download": Words("Download", "下载"),
    "look": Words("Look inside", "查看内容"),
    "upload": Words("Upload a backup …", "上传备份…"),
    "uploading": Words("Uploading …", "上传中…"),
    "inside": Words("What is in this backup", "这个备份的内容"),
    "restore": Words("Restore it", "恢复"),
    "restore_sure": Words("Tap again to restore it", "再按一次恢复"),
    "restore_says": Words(
        "Every byte was checked. The table pauses, what is there now is moved aside and kept, and "
        "play goes on from this backup.",
        "每个字节都已核对。牌桌会暂停，现有内容会移到一旁保留，然后从此备份继续。",
    ),
    "not_own": Words(
        "It belongs to another table: restore it with the command table-assist restore.",
        "它属于另一张牌桌：请用命令 table-assist restore 恢复。",
    ),
    "fact_made": Words("Made", "时间"),
    "fact_reason": Words("Occasion", "缘由"),
    "fact_program": Words("By version", "程序版本"),
    "fact_names": Words("Players", "玩家"),
    "fact_rules": Words("Rules", "规则"),
    "fact_hands": Words("Hands", "局数"),
    "fact_scores": Words("Scores", "比分"),
    "reason_by-hand": Words("by hand", "手动"),
    "reason_daily": Words("daily", "每日"),
    "reason_after-game": Words("after a game", "一场之后"),
    "reason_before-migration": Words("before the log's format changed", "记录格式升级前"),
    "reason_before-version": Words("before another version", "更换版本前"),
    "kind_settings": Words("settings", "设置"),
    "kind_log": Words("log", "记录"),
    "kind_calibration": Words("calibration", "标定"),
    "kind_phone": Words("how a phone sees the table", "手机的标定"),
    "kind_profile": Words("house rules", "约定"),
    "kind_set": Words("tile set", "牌组"),
    "kind_evidence": Words("picture", "画面"),
}


blueprint = Blueprint("admin", __name__)
PIECE = 40_000  # bytes of a backup that are sent at once; as base64 they fit into a request
LARGEST = 1 << 40


def init_app(app: Flask, source: AdminSource) -> None:
    """Give the app its admin's page."""
    app.extensions["admin"] = source
    app.register_blueprint(blueprint)


def piece(name: str) -> Field:
    """Bytes as base64."""

    def convert(value: str) -> bytes:
        try:
            return base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError) as error:
            raise BodyError(
                "{name} is no base64.", "{name} 不是 base64。", name=f"{name!r}"
            ) from error

    schema = {**short_text(0, 4 * PIECE // 3 + 4), "contentEncoding": "base64"}
    return Field(name, schema, convert)


@blueprint.get("/admin")
@require(Role.ADMIN)
def page() -> str:
    """The page; what is on it comes from `state`."""
    return render("admin.html", PAGE, "admin")


@blueprint.get("/api/admin")
@require(Role.ADMIN)
@refusing
def state() -> Response:
    """Checks, backups and the doctor's findings."""
    return json_answer(_source().view())


@blueprint.post("/api/admin/examine")
@require(Role.ADMIN)
@refusing
@takes()
def examine() -> Response:
    """Run the doctor."""
    _source().examine()
    return json_answer(_source().view())


@blueprint.post("/api/admin/restart")
@require(Role.ADMIN)
@refusing
@takes()
def restart() -> Response:
    """Start the table again."""
    _source().restart()
    return json_answer({"ok": True})


@blueprint.post("/api/admin/backup")
@require(Role.ADMIN)
@refusing
@takes(flag("evidence"))
def back_up(evidence: bool) -> Response:
    """Make a backup."""
    name = _source().back_up(evidence=evidence)
    return json_answer({"name": name, **_source().view()})


@blueprint.get("/admin/backup/<name>")
@require(Role.ADMIN)
@refusing
def backup_file(name: str) -> Response:
    """Download a backup."""
    path = _source().backup_file(name, at_machine=is_local())
    if path is None:
        refuse(404, "There is no such backup.", "没有这个备份。")
    return _download(path)


@blueprint.post("/api/admin/upload")
@require(Role.ADMIN)
@larger
@refusing
@takes(whole("offset", 0, LARGEST), piece("data"))
def upload(offset: int, data: bytes) -> Response:
    """A piece of a backup, in order."""
    return json_answer({"received": _source().receive(offset, data)})


@blueprint.post("/api/admin/inside")
@require(Role.ADMIN)
@refusing
@takes(text("name"))
def inside(name: str) -> Response:
    """Answer with a backup's content; every byte of it is checked."""
    return json_answer(_source().look_inside(name))


@blueprint.post("/api/admin/restore")
@require(Role.ADMIN)
@refusing
@takes(text("name"))
def restore(name: str) -> Response:
    """Put a backup back and start the table with it."""
    _source().put_back(name)
    return json_answer({"ok": True})


@blueprint.post("/api/admin/bundle")
@require(Role.ADMIN)
@refusing
@takes()
def bundle() -> Response:
    """Pack what others need to see a fault; the one before is thrown away."""
    return json_answer({"name": _source().bundle().name})


@blueprint.post("/api/admin/forget")
@require(Role.ADMIN)
@refusing
@takes(text("day", 10))
def forget(day: str) -> Response:
    """Delete the pictures that were kept of an evening."""
    _source().forget_pictures(day)
    return json_answer(_source().view())


@blueprint.get("/admin/bundle/<name>")
@require(Role.ADMIN)
@refusing
def bundle_file(name: str) -> Response:
    """Download it."""
    path = _source().bundle_file(name)
    if path is None:
        refuse(404, "There is no such report (any more).", "没有这份报告（或已被替换）。")
    return _download(path)


def _download(path: Path) -> Response:
    """A file as it lies; a relative path is the program's, not the pages' folder's."""
    whole_path = path.absolute()
    return send_file(whole_path, "application/zip", as_attachment=True, download_name=path.name)


def _source() -> AdminSource:
    source: AdminSource = current_app.extensions["admin"]
    return source
