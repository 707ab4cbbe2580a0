"""The list of what the desk did, in sentences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from table_assist.club.acts import Act, ActKind, CountsFor
from table_assist.words import Words


@dataclass(frozen=True, slots=True)
class Names:
    """What players, tables and sessions are called, by their numbers."""

    players: Mapping[int, str]
    tables: Mapping[int, str]
    sessions: Mapping[int, str]

    def player(self, number: int) -> str:
        """A player's name."""
        return self.players.get(number, f"#{number}")

    def table(self, number: int) -> str:
        """A table's name; of one that was let go its number."""
        return self.tables.get(number, f"#{number}")


def words_of_act(act: Act, names: Names) -> Words:
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
        return Words(f"from round {first} on", f"从第 {first} 轮起")
    if last == first:
        return Words(f"in round {first}", f"第 {first} 轮")
    return Words(f"in rounds {first} to {last}", f"第 {first} 至 {last} 轮")


def _enter(content: Mapping[str, Any], names: Names) -> Words:
    players, first = content["players"], content["first"]
    who = ", ".join(map(names.player, players[:6])) + (" …" if len(players) > 6 else "")
    return Words(
        f"{len(players)} players enter from round {first} on: {who}",
        f"从第 {first} 轮起加入 {len(players)} 人：{who}",
    )


def _list(content: Mapping[str, Any], _: Names) -> Words:
    new, changed = content["new"], content["changed"]
    names = [name for _, name in new] + [after[0] for _, _, after in changed]
    who = ", ".join(names[:6]) + (" …" if len(names) > 6 else "")
    return Words(
        f"{len(new)} players added, {len(changed)} changed: {who}",
        f"新增 {len(new)} 人，更改 {len(changed)} 人：{who}",
    )


def _absent(content: Mapping[str, Any], names: Names) -> Words:
    who, when = names.player(content["player"]), rounds(content)
    return Words(f"{who} is not there {when.en}", f"{when.zh} {who} 缺席")


def _here(content: Mapping[str, Any], names: Names) -> Words:
    who, first = names.player(content["player"]), content["first"]
    return Words(f"{who} is there from round {first} on", f"{who} 从第 {first} 轮起到场")


def _stand_in(content: Mapping[str, Any], names: Names) -> Words:
    who, by, when = names.player(content["player"]), names.player(content["by"]), rounds(content)
    for_whom = who if content["counts_for"] == CountsFor.REPLACED else by
    return Words(
        f"{by} plays for {who} {when.en}; the points count for {for_whom}",
        f"{when.zh} {by} 替补 {who}；分数计入 {for_whom}",
    )


def _clock(content: Mapping[str, Any], _: Names) -> Words:
    minutes = max(0, round(content["left_s"] / 60))
    if content["starts"]:
        return Words(f"the clock starts with {minutes} minutes", f"开始计时：{minutes} 分钟")
    if content["running"]:
        return Words(f"the clock goes on at {minutes} minutes", f"继续计时：剩 {minutes} 分钟")
    return Words(f"the clock stands at {minutes} minutes", f"暂停计时：剩 {minutes} 分钟")


def _extra(content: Mapping[str, Any], names: Names) -> Words:
    table, minutes = names.table(content["table"]), content["seconds"] // 60
    return Words(f"{table} has {minutes} minutes more", f"{table} 加时 {minutes} 分钟")


def _profile(content: Mapping[str, Any], _: Names) -> Words:
    sign = content["hash"][:8]
    return Words(
        f"all tables play by {content['en']} ({sign})", f"所有牌桌使用 {content['zh']}（{sign}）"
    )


def _place(content: Mapping[str, Any], names: Names) -> Words:
    table, row, column = names.table(content["table"]), content["row"], content["column"]
    return Words(
        f"{table} stands in row {row}, column {column}", f"{table} 位于第 {row} 行第 {column} 列"
    )


def _finish(content: Mapping[str, Any], _: Names) -> Words:
    round, reason = content["round"], content["reason"]
    if not reason:
        return Words(
            f"round {round} is finished; every table agrees", f"第 {round} 轮结束，各桌一致"
        )
    return Words(
        f"round {round} is finished although not every table agrees: {reason}",
        f"第 {round} 轮结束，但并非各桌一致：{reason}",
    )


def _publish(content: Mapping[str, Any], _: Names) -> Words:
    if content["public"]:
        return Words("standings shown to everybody", "公布排名")
    return Words("standings held back", "暂不公布排名")


def _correct(content: Mapping[str, Any], names: Names) -> Words:
    who, points, reason = names.player(content["player"]), content["points"], content["reason"]
    return Words(f"{who} {points:+d}: {reason}", f"{who} {points:+d}：{reason}")


def _seats(content: Mapping[str, Any], names: Names) -> Words:
    table, who = names.table(content["table"]), ", ".join(map(names.player, content["players"]))
    return Words(f"at {table} sit {who}", f"{table} 入座：{who}")


def _round(content: Mapping[str, Any], _: Names) -> Words:
    round, tables = content["round"], len(content["tables"])
    return Words(f"round {round} seated at {tables} tables", f"第 {round} 轮入座（{tables} 桌）")


def _plan(content: Mapping[str, Any], _: Names) -> Words:
    first, last = content["first"], content["first"] + content["rounds"] - 1
    return Words(f"rounds {first} to {last} planned", f"排座：第 {first} 至 {last} 轮")


def _ruling(content: Mapping[str, Any], names: Names) -> Words:
    table, reason = names.table(content["table"]), content["reason"]
    points = " ".join(f"{each:+d}" if each else "0" for each in content["transfers"])
    return Words(f"ruling at {table}: {points}: {reason}", f"{table} 裁定：{points}：{reason}")


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
        f"told all tables: {content['words']}", f"通知所有牌桌：{content['words']}"
    ),
    ActKind.RULING: _ruling,
    ActKind.LET_IN: _of_table("{} let in", "接纳 {}"),
    ActKind.SEND_OUT: _of_table("{} let go", "移除 {}"),
    ActKind.LIST: _list,
    ActKind.BEGIN: lambda content, _: Words(
        f"session {content['name']} begun", f"建立场次 {content['name']}"
    ),
    ActKind.SERIES: lambda content, _: Words(
        f"{content['name']} made of sessions", f"建立赛事或赛季 {content['name']}"
    ),
    ActKind.GO: _of_table("goes to the call at {}", "前往 {} 的呼叫"),
    ActKind.DONE: _of_table("the call at {} is done", "{} 的呼叫已处理完"),
    ActKind.PICTURE: lambda content, names: Words(
        f"the picture of hand {content['hand']} at {names.table(content['table'])} deleted",
        f"已删除 {names.table(content['table'])} 第 {content['hand']} 局的照片",
    ),
    ActKind.ALARM: lambda *_: Words("an alarm seen to", "已处理一项警报"),
    ActKind.UNDO: lambda *_: Words("taken back", "撤销"),
}
