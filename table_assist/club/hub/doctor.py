"""`table-assist club doctor`: one sentence for each thing that a hub stands on, and what to do."""

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Engine, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.archive import ARCHIVED
from table_assist.club.hub.database import (
    HUB,
    IN,
    HubError,
    about,
    alarms,
    now_s,
    open_base,
    reading,
    reason,
    tables,
)
from table_assist.health.finding import Finding, State
from table_assist.languages.words import Words

DAY_S = 86_400.0
ROOM = 2_000_000_000  # bytes: some evenings of a hundred tables
WAIT_S = 4
APART_S = 2.0  # clocks that differ by more are told
# A server's settings, lest its acknowledged data is lost with its power: name, value, why.
_KEEPS = (
    ("fsync", "on", "a power cut loses what was acknowledged", "断电会丢失已确认的数据"),
    ("full_page_writes", "on", "a power cut may tear pages", "断电可能损坏数据页"),
    ("synchronous_commit", "on", "commits are told too early", "提交尚未落盘就被确认"),
)
# A role that is not the server's administrator sees that a standby is there, and not how.
_SEEN = """
SELECT pg_is_in_recovery(), current_setting('synchronous_standby_names') <> '',
  (SELECT count(*) FROM pg_stat_replication WHERE coalesce(sync_state, 'sync') <> 'async'),
  (SELECT count(*) FROM pg_stat_wal_receiver WHERE coalesce(status, 'streaming') = 'streaming'),
  extract(epoch FROM clock_timestamp())::float8
"""


def examine(where: str, backups: Path | None) -> Iterator[Finding]:
    """Look at everything; it is told as it is found.

    Args:
        where: the hub's database, as for `open_base`.
        backups: where backups lie that were not made by ``--archive``.
    """
    if "://" in where:
        yield from _servers(where)
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
        said = Words("It cannot be read: {said}.", "{said}。", said=reason(error))
        yield Finding("database", State.BAD, said)
    finally:
        base.dispose()


@dataclass(frozen=True, slots=True)
class _Server:
    """A server as it was seen; `settings` are wrong ones, as in `_KEEPS`, with what is set."""

    name: str
    is_standby: bool
    wants_standby: bool
    standbys: int
    follows: int
    now_s: float
    settings: tuple[tuple[str, str, str, str, str], ...]


def _servers(where: str) -> Iterator[Finding]:
    given = conninfo_to_dict(where)
    hosts = str(given.get("host") or "localhost").split(",")
    ports = str(given.get("port") or "5432").split(",")
    seen = list[_Server]()
    for place, host in enumerate(hosts):
        port = ports[place % len(ports)]
        found = _seen(f"{host}:{port}", make_conninfo(where, host=host, port=port))
        if found is None:
            said = Words("{name} does not answer.", "{name} 没有应答。", name=f"{host}:{port}")
            yield Finding("servers", State.BAD, said)
        else:
            seen.append(found)
    written = [each for each in seen if not each.is_standby]
    if len(written) != 1:
        yield Finding("servers", State.BAD, _not_one(written))
    for each in seen:
        yield from _settings(each)
        yield _standby(each) if each.is_standby else _primary(each)
        if abs(apart := time.time() - each.now_s) > APART_S:
            said = Words(
                "This machine's clock is {apart} s apart from that of {name}.",
                "本机时钟与 {name} 相差 {apart} 秒。",
                apart=f"{apart:+.0f}",
                name=each.name,
            )
            advice = Words("Let both follow a time server.", "请让两台机器都与时间服务器同步。")
            yield Finding("clocks", State.BAD, said, advice)
    if len(hosts) == 1:
        said = Words("There is one database server.", "只有一台数据库服务器。")
        advice = Words(
            "When it breaks, nothing is stored before it is back: docs/CLUB.md says how to add "
            "a standby.",
            "它损坏时牌局照常，但恢复前无法保存；docs/CLUB.md 说明如何添加备用服务器。",
        )
        yield Finding("standby", State.DOUBT, said, advice)


def _seen(name: str, where: str) -> _Server | None:
    line: psycopg.Connection[Any]
    try:
        with psycopg.connect(where, connect_timeout=WAIT_S, autocommit=True) as line:
            row = line.execute(_SEEN).fetchone()
            assert row is not None
            is_standby, wants_standby, standbys, follows, at_s = row
            settings = []
            for setting, wanted, why, why_zh in _KEEPS:
                is_set = line.execute("SELECT current_setting(%s)", (setting,)).fetchone()
                if is_set is not None and is_set[0] != wanted:
                    settings.append((setting, wanted, why, why_zh, str(is_set[0])))
    except psycopg.Error:
        return None
    here = (is_standby, wants_standby, standbys, follows, at_s)
    return _Server(name, *here, tuple(settings))


def _not_one(written: list[_Server]) -> Words:
    if not written:
        return Words(
            "No database server of the club may be written: tables play on, and wait.",
            "没有可写入的俱乐部数据库服务器：牌局照常，数据等待上传。",
        )
    return Words(
        "{names} may be written, all of them: stop all but one.",
        "{names} 同时可写入：请只保留一台。",
        names=", ".join(each.name for each in written),
    )


def _settings(seen: _Server) -> Iterator[Finding]:
    for setting, wanted, why, why_zh, is_set in seen.settings:
        said = Words(
            "{name}: {name_2} is {found}: {why}.",
            "{name}：{name_2} 为 {found}：{why}。",
            name=seen.name,
            name_2=setting,
            found=is_set,
            why=Words(why, why_zh),
        )
        change = f"ALTER SYSTEM SET {setting} = {wanted}"
        yield Finding("servers", State.BAD, said, Words(change, change))


def _standby(seen: _Server) -> Finding:
    if seen.follows:
        said = Words("{name} follows the primary.", "{name} 正在跟随主服务器。", name=seen.name)
        return Finding("standby", State.GOOD, said)
    said = Words("{name} follows no primary.", "{name} 没有跟随任何主服务器。", name=seen.name)
    advice = Words("Make it a standby anew (docs/CLUB.md).", "请重新将其设为备用服务器。")
    return Finding("standby", State.BAD, said, advice)


def _primary(seen: _Server) -> Finding:
    if seen.wants_standby and not seen.standbys:
        said = Words(
            "{name} waits with every commit for a standby, and there is none: nothing is "
            "stored until one is back.",
            "{name} 每次提交都等待备用服务器，而现在没有：备用服务器恢复前无法保存。",
            name=seen.name,
        )
        return Finding("servers", State.BAD, said)
    if seen.wants_standby:
        said = Words(
            "{name} is the primary, and each commit is in a standby, too.",
            "{name} 是主服务器，每次提交都同时写入备用服务器。",
            name=seen.name,
        )
        return Finding("primary", State.GOOD, said)
    said = Words(
        "{name} is the primary, and its commits wait for no standby.",
        "{name} 是主服务器，提交不等待备用服务器。",
        name=seen.name,
    )
    advice = Words(
        "When its disk is lost, so is what no standby had: "
        "ALTER SYSTEM SET synchronous_standby_names = '*'",
        "若其磁盘损坏，备用服务器尚未收到的数据将丢失："
        "ALTER SYSTEM SET synchronous_standby_names = '*'",
    )
    return Finding("primary", State.DOUBT, said, advice)


def _file(path: Path) -> Finding:
    if not path.exists():
        said = Words("There is no {path}.", "没有 {path}。", path=path)
        return Finding("database", State.BAD, said)
    folder = path.resolve().parent
    free = shutil.disk_usage(folder).free
    said = Words(
        "{gigabytes} GB are free in {folder}.",
        "{folder} 剩余 {gigabytes} GB。",
        gigabytes=f"{free / 1e9:.1f}",
        folder=folder,
    )
    if free >= ROOM:
        return Finding("disk", State.GOOD, said)
    advice = Words(
        "An evening of 100 tables is 0.4 GB: make room.", "100 桌一晚约 0.4 GB：请腾出空间。"
    )
    return Finding("disk", State.BAD, said, advice)


def _hub(base: Engine) -> Iterator[Finding]:
    with reading(base) as connection:
        let_in = select(func.count()).select_from(tables).where(tables.c.state == IN)
        many = connection.execute(let_in).scalar_one()
        open_now = select(func.count()).select_from(alarms).where(alarms.c.done == "")
        waiting = connection.execute(open_now).scalar_one()
        hubs = None
        if base.dialect.name == "postgresql":
            # This process is among them.
            own = text(
                "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = "
                "current_database() AND starts_with(application_name, :hub) "
                "AND application_name <> current_setting('application_name') ORDER BY 1"
            )
            hubs = connection.execute(own, {"hub": HUB}).scalars().all()
    said = Words(
        "It can be used; {many} tables are in.", "数据库可用；已接纳 {many} 张牌桌。", many=many
    )
    yield Finding("database", State.GOOD, said)
    if waiting:
        said = Words(
            "{waiting} alarms wait at the desk.",
            "管理台有 {waiting} 条警报待处理。",
            waiting=waiting,
        )
        yield Finding("alarms", State.DOUBT, said)
    if hubs is not None:
        said = Words(
            "{count} hubs are connected: {said}.",
            "已连接 {count} 个中心：{said}。",
            count=len(hubs),
            said=", ".join(each.removeprefix(HUB) for each in hubs) or Words("none", "无"),
        )
        yield Finding("hubs", State.GOOD if hubs else State.DOUBT, said)


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
