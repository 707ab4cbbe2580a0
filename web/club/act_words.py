"""The list of what the desk did, in sentences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from table_assist.club.acts import ActKind, CountsFor, DeskAct
from table_assist.languages.words import Words


@dataclass(frozen=True, slots=True)
class Names:
    """The names of players, tables and sessions, by their numbers."""

    players: Mapping[int, str]
    tables: Mapping[int, str]
    sessions: Mapping[int, str]

    def player(self, number: int) -> str:
        """A player's name."""
        return self.players.get(number, f"#{number}")

    def table(self, number: int) -> str:
        """A table's name; of one that was let go its number."""
        return self.tables.get(number, f"#{number}")


def words_of_act(act: DeskAct, names: Names) -> Words:
    """One sentence, with the session in front where there is one."""
    said = _SENTENCES[act.kind](act.content, names)
    session = names.sessions.get(act.session, "")
    return said if not session else said.map(lambda text: f"{session}: {text}")


def rounds(content: Mapping[str, Any]) -> Words:
    """From which round to which.

    >>> rounds({"first": 2, "last": 0}).en
    'from round 2 on'
    """
    first, last = content["first"], content["last"]
    if not last:
        return Words("from round {first} on", "从第 {first} 轮起", first=first)
    if last == first:
        return Words("in round {first}", "第 {first} 轮", first=first)
    return Words("in rounds {first} to {last}", "第 {first} 至 {last} 轮", first=first, last=last)


def _enter(content: Mapping[str, Any], names: Names) -> Words:
    players, first = content["players"], content["first"]
    who = ", ".join(map(names.player, players[:6])) + (" …" if len(players) > 6 else "")
    return Words(
        "{count} players enter from round {first} on: {who}",
        "从第 {first} 轮起加入 {count} 人：{who}",
        count=len(players),
        first=first,
        who=who,
    )


def _list(content: Mapping[str, Any], _: Names) -> Words:
    new, changed = content["new"], content["changed"]
    names = [name for _, name in new] + [after[0] for _, _, after in changed]
    who = ", ".join(names[:6]) + (" …" if len(names) > 6 else "")
    return Words(
        "{count} players added, {count_2} changed: {who}",
        "新增 {count} 人，更改 {count_2} 人：{who}",
        count=len(new),
        count_2=len(changed),
        who=who,
    )


def _absent(content: Mapping[str, Any], names: Names) -> Words:
    who, when = names.player(content["player"]), rounds(content)
    return Words("{who} is not there {when}", "{when} {who} 缺席", who=who, when=when)


def _here(content: Mapping[str, Any], names: Names) -> Words:
    who, first = names.player(content["player"]), content["first"]
    return Words(
        "{who} is there from round {first} on", "{who} 从第 {first} 轮起到场", who=who, first=first
    )


def _stand_in(content: Mapping[str, Any], names: Names) -> Words:
    who, by, when = names.player(content["player"]), names.player(content["by"]), rounds(content)
    for_whom = who if content["counts_for"] == CountsFor.REPLACED else by
    return Words(
        "{by} plays for {who} {when}; the points count for {for_whom}",
        "{when} {by} 替补 {who}；分数计入 {for_whom}",
        by=by,
        who=who,
        when=when,
        for_whom=for_whom,
    )


def _clock(content: Mapping[str, Any], _: Names) -> Words:
    minutes = max(0, round(content["left_s"] / 60))
    if content["starts"]:
        return Words(
            "the clock starts with {minutes} minutes", "开始计时：{minutes} 分钟", minutes=minutes
        )
    if content["running"]:
        return Words(
            "the clock goes on at {minutes} minutes", "继续计时：剩 {minutes} 分钟", minutes=minutes
        )
    return Words(
        "the clock stands at {minutes} minutes", "暂停计时：剩 {minutes} 分钟", minutes=minutes
    )


def _extra(content: Mapping[str, Any], names: Names) -> Words:
    table, minutes = names.table(content["table"]), content["seconds"] // 60
    return Words(
        "{table} has {minutes} minutes more",
        "{table} 加时 {minutes} 分钟",
        table=table,
        minutes=minutes,
    )


def _profile(content: Mapping[str, Any], _: Names) -> Words:
    sign = content["hash"][:8]
    return Words(
        "all tables play by {content} ({sign})",
        "所有牌桌使用 {content}（{sign}）",
        content=Words(content["en"], content["zh"]),
        sign=sign,
    )


def _place(content: Mapping[str, Any], names: Names) -> Words:
    table, row, column = names.table(content["table"]), content["row"], content["column"]
    return Words(
        "{table} stands in row {row}, column {column}",
        "{table} 位于第 {row} 行第 {column} 列",
        table=table,
        row=row,
        column=column,
    )


def _finish(content: Mapping[str, Any], _: Names) -> Words:
    round, reason = content["round"], content["reason"]
    if not reason:
        return Words(
            "round {round} is finished; every table agrees",
            "第 {round} 轮结束，各桌一致",
            round=round,
        )
    return Words(
        "round {round} is finished although not every table agrees: {reason}",
        "第 {round} 轮结束，但并非各桌一致：{reason}",
        round=round,
        reason=reason,
    )


def _publish(content: Mapping[str, Any], _: Names) -> Words:
    if content["public"]:
        return Words("standings shown to everybody", "公布排名")
    return Words("standings held back", "暂不公布排名")


def _correct(content: Mapping[str, Any], names: Names) -> Words:
    who, points, reason = names.player(content["player"]), content["points"], content["reason"]
    return Words(
        "{who} {points}: {reason}",
        "{who} {points}：{reason}",
        who=who,
        points=f"{points:+d}",
        reason=reason,
    )


def _seats(content: Mapping[str, Any], names: Names) -> Words:
    table, who = names.table(content["table"]), ", ".join(map(names.player, content["players"]))
    return Words("at {table} sit {who}", "{table} 入座：{who}", table=table, who=who)


def _round(content: Mapping[str, Any], _: Names) -> Words:
    round, tables = content["round"], len(content["tables"])
    return Words(
        "round {round} seated at {tables} tables",
        "第 {round} 轮入座（{tables} 桌）",
        round=round,
        tables=tables,
    )


def _plan(content: Mapping[str, Any], _: Names) -> Words:
    first, last = content["first"], content["first"] + content["rounds"] - 1
    return Words(
        "rounds {first} to {last} planned", "排座：第 {first} 至 {last} 轮", first=first, last=last
    )


def _ruling(content: Mapping[str, Any], names: Names) -> Words:
    table, reason = names.table(content["table"]), content["reason"]
    points = " ".join(f"{each:+d}" if each else "0" for each in content["transfers"])
    return Words(
        "ruling at {table}: {points}: {reason}",
        "{table} 裁定：{points}：{reason}",
        table=table,
        points=points,
        reason=reason,
    )


def _of_table(en: str, zh: str) -> Callable[[Mapping[str, Any], Names], Words]:
    def said(content: Mapping[str, Any], names: Names) -> Words:
        table = names.table(content["table"])
        return Words(en.format(table), zh.format(table))

    return said


_SENTENCES: dict[ActKind, Callable[[Mapping[str, Any], Names], Words]] = {
    ActKind.ENTER: _enter,
    ActKind.ABSENT: _absent,
    ActKind.HERE: _here,
    ActKind.STAND_IN: _stand_in,
    ActKind.CLOCK: _clock,
    ActKind.EXTRA: _extra,
    ActKind.PROFILE: _profile,
    ActKind.PLACE: _place,
    ActKind.FINISH: _finish,
    ActKind.PUBLISH: _publish,
    ActKind.CORRECT: _correct,
    ActKind.SEATS: _seats,
    ActKind.ROUND: _round,
    ActKind.PLAN: _plan,
    ActKind.MESSAGE: lambda content, _: Words(
        "told all tables: {content}", "通知所有牌桌：{content}", content=content["words"]
    ),
    ActKind.RULING: _ruling,
    ActKind.LET_IN: _of_table("{} let in", "接纳 {}"),
    ActKind.SEND_OUT: _of_table("{} let go", "移除 {}"),
    ActKind.LIST: _list,
    ActKind.BEGIN: lambda content, _: Words(
        "session {content} begun", "建立场次 {content}", content=content["name"]
    ),
    ActKind.SERIES: lambda content, _: Words(
        "{content} made of sessions", "建立赛事或赛季 {content}", content=content["name"]
    ),
    ActKind.GO: _of_table("goes to the call at {}", "前往 {} 的呼叫"),
    ActKind.DONE: _of_table("the call at {} is done", "{} 的呼叫已处理完"),
    ActKind.PICTURE: lambda content, names: Words(
        "the picture of hand {content} at {table} deleted",
        "已删除 {table} 第 {content} 局的照片",
        content=content["hand"],
        table=names.table(content["table"]),
    ),
    ActKind.ALARM: lambda *_: Words("an alarm seen to", "已处理一项警报"),
    ActKind.UNDO: lambda *_: Words("taken back", "撤销"),
}
