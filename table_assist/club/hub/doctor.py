"""`table-assist club doctor`: one sentence for each thing that a hub stands on, and what to do."""

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.archive import ARCHIVED
from table_assist.club.hub.base import HubError, fence_of, now_s, open_base, reading
from table_assist.club.hub.fence import Fence, SeenServer
from table_assist.club.hub.pulse import alive
from table_assist.club.hub.schema import IN, about, alarms, tables
from table_assist.club.hub.watch import APART_S, faults
from table_assist.health.finding import Finding, State
from table_assist.languages.words import Words

DAY_S = 86_400.0
ROOM = 2_000_000_000  # bytes: some evenings of a hundred tables
WAIT_S = 4
# A server's settings, lest its acknowledged data is lost with its power: name, value, why.
_KEEPS = (
    ("fsync", "on", "a power cut loses what was acknowledged", "断电会丢失已确认的数据"),
    ("full_page_writes", "on", "a power cut may tear pages", "断电可能损坏数据页"),
    ("synchronous_commit", "on", "commits are told too early", "提交尚未落盘就被确认"),
)


def examine(where: str, backups: Path | None) -> Iterator[Finding]:
    """Look at everything; it is told as it is found.

    Args:
        where: the hub's database, as for `open_base`.
        backups: where backups lie that were not made by ``--archive``.
    """
    if "://" in where:
        yield from _servers(Fence(where, WAIT_S))
    else:
        yield _file(Path(where))
        if not Path(where).exists():
            return
    try:
        base = open_base(where, look_only=True)
    except HubError as error:
        yield Finding("database", State.BAD, Words("{words}.", "{words}。", words=error.words))
        return
    try:
        yield from _hub(base)
        yield _backup(base, backups)
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        yield Finding(
            "database", State.BAD, Words("It cannot be read: {said}.", "{said}。", said=said)
        )
    finally:
        base.dispose()


# -- servers ---------------------------------------------------------------------------------------


def _servers(fence: Fence) -> Iterator[Finding]:
    seen = fence.inspect()
    wrong = list(faults(seen, fence.newest, time.time()))
    for words in wrong:
        yield Finding("servers", State.BAD, words)
    for each in seen:
        if each.answers:
            with suppress(psycopg.Error), fence.line_to(each.name) as line:
                yield from _kept(line, each)
                if not each.timeline:
                    yield _standby(line, each)
            yield from _of_primary(fence, each) if each.timeline else _clock(each)
    if len(seen) == 1:
        yield Finding(
            "standby",
            State.DOUBT,
            Words("There is one database server.", "只有一台数据库服务器。"),
            Words(
                "When it breaks, nothing is stored before it is back: docs/CLUB.md says how to add "
                "a standby.",
                "它损坏时牌局照常，但恢复前无法保存；docs/CLUB.md 说明如何添加备用服务器。",
            ),
        )


def _kept(line: "psycopg.Connection[Any]", seen: SeenServer) -> Iterator[Finding]:
    for name, wanted, why, why_zh in _KEEPS:
        found = line.execute("SELECT current_setting(%s)", (name,)).fetchone()
        if found is not None and found[0] != wanted:
            yield Finding(
                "servers",
                State.BAD,
                Words("{name}: {name_2} is {found}: {why}.",
"{name}：{name_2} 为 {found}：{why}。",
name=seen.name, name_2=name, found=found[0], why=Words(why, why_zh)),
                Words("ALTER SYSTEM SET {name} = {wanted}",
"ALTER SYSTEM SET {name} = {wanted}",
name=name, wanted=wanted),
            )  # fmt: skip


def _standby(line: "psycopg.Connection[Any]", seen: SeenServer) -> Finding:
    # A role that is not the server's administrator sees that it receives, and not how.
    follows = "SELECT 1 FROM pg_stat_wal_receiver WHERE coalesce(status, 'streaming') = 'streaming'"
    if line.execute(follows).fetchone():
        return Finding(
            "standby",
            State.GOOD,
            Words("{name} follows the primary.", "{name} 正在跟随主服务器。", name=seen.name),
        )
    return Finding(
        "standby",
        State.BAD,
        Words("{name} follows no primary.", "{name} 没有跟随任何主服务器。", name=seen.name),
        Words("Make it a standby anew (docs/CLUB.md).", "请重新将其设为备用服务器。"),
    )


def _clock(seen: SeenServer) -> Iterator[Finding]:
    """Of a standby; that of the primary is among the faults."""
    if abs(apart := time.time() - seen.now_s) > APART_S:
        yield Finding(
            "clocks",
            State.BAD,
            Words("This machine's clock is {apart} s apart from that of {name}.",
"本机时钟与 {name} 相差 {apart} 秒。",
apart=f'{apart:+.0f}', name=seen.name),
            Words("Let both follow a time server.", "请让两台机器都与时间服务器同步。"),
        )  # fmt: skip


def _of_primary(fence: Fence, seen: SeenServer) -> Iterator[Finding]:
    if seen.timeline == fence.newest:
        yield _primary(seen)


def _primary(seen: SeenServer) -> Finding:
    if seen.wants_standby:
        return Finding(
            "primary",
            State.GOOD,
            Words("{name} is the primary, and each commit is in a standby, too.",
"{name} 是主服务器，每次提交都同时写入备用服务器。",
name=seen.name),
        )  # fmt: skip
    return Finding(
        "primary",
        State.DOUBT,
        Words("{name} is the primary, and its commits wait for no standby.",
"{name} 是主服务器，提交不等待备用服务器。",
name=seen.name),
        Words("When its disk is lost, so is what no standby had: "
              "ALTER SYSTEM SET synchronous_standby_names = '*'",
              "若其磁盘损坏，备用服务器尚未收到的数据将丢失："
              "ALTER SYSTEM SET synchronous_standby_names = '*'"),
    )  # fmt: skip


# -- the rest --------------------------------------------------------------------------------------


def _file(path: Path) -> Finding:
    if not path.exists():
        return Finding(
            "database", State.BAD, Words("There is no {path}.", "没有 {path}。", path=path)
        )
    folder = path.resolve().parent
    free = shutil.disk_usage(folder).free
    gigabytes = f"{free / 1e9:.1f}"
    if free < ROOM:
        return Finding(
            "disk",
            State.BAD,
            Words("{gigabytes} GB are free in {folder}.",
"{folder} 只剩 {gigabytes} GB。",
gigabytes=gigabytes, folder=folder),
            Words("An evening of 100 tables is 0.4 GB: make room.",
                  "100 桌一晚约 0.4 GB：请腾出空间。"),
        )  # fmt: skip
    return Finding(
        "disk",
        State.GOOD,
        Words(
            "{gigabytes} GB are free in {folder}.",
            "{folder} 剩余 {gigabytes} GB。",
            gigabytes=gigabytes,
            folder=folder,
        ),
    )


def _hub(base: Engine) -> Iterator[Finding]:
    with reading(base) as connection:
        let_in = select(func.count()).select_from(tables).where(tables.c.state == IN)
        many = connection.execute(let_in).scalar_one()
        open_now = select(func.count()).select_from(alarms).where(alarms.c.done == "")
        waiting = connection.execute(open_now).scalar_one()
        hubs = alive(connection)
    yield Finding(
        "database",
        State.GOOD,
        Words(
            "It can be used; {many} tables are in.", "数据库可用；已接纳 {many} 张牌桌。", many=many
        ),
    )
    if waiting:
        yield Finding(
            "alarms",
            State.DOUBT,
            Words(
                "{waiting} alarms wait at the desk.",
                "管理台有 {waiting} 条警报待处理。",
                waiting=waiting,
            ),
        )
    if fence_of(base) is not None:
        yield Finding(
            "hubs",
            State.GOOD if hubs else State.DOUBT,
            Words(
                "{count} hubs give a sign of life: {said}.",
                "{count} 个中心正在运行：{said}。",
                count=len(hubs),
                said=", ".join(hubs) or Words("none", "无"),
            ),
        )


def _backup(base: Engine, folder: Path | None) -> Finding:
    """The newest backup that is known."""
    with reading(base) as connection:
        query = select(about.c.value).where(about.c.name == ARCHIVED)
        newest = float(connection.execute(query).scalar() or 0.0)
        now = now_s(connection)
    if folder is not None:
        newest = max([newest, *(each.stat().st_mtime for each in folder.glob("*"))])
    advice = Words(
        "Write one each evening: table-assist club --archive FILE, and keep it on another machine.",
        "请每晚备份：table-assist club --archive 文件，并保存到另一台机器。",
    )
    if not newest:
        said = Words("No backup is known.", "没有已知的备份。")
        return Finding("backup", State.BAD, said, advice)
    days = (now - newest) / DAY_S
    said = Words(
        "The newest backup is {days} days old.", "最新备份是 {days} 天前的。", days=f"{days:.1f}"
    )
    if days > 1:
        return Finding("backup", State.DOUBT, said, advice)
    return Finding("backup", State.GOOD, said)
