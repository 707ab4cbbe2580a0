"""The list of what the desk did, in sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from table_assist.club.acts import ActKind, CountsFor, DeskAct
from table_assist.languages.words import Words, isolated

# With what the act's content holds, names instead of numbers.
_SENTENCES = {
    ActKind.ENTER: Words(
        "{count} players enter from round {first} on: {who}",
        "从第 {first} 轮起加入 {count} 人：{who}",
    ),
    ActKind.ABSENT: Words("{who} is not there {when}", "{when} {who} 缺席"),
    ActKind.HERE: Words("{who} is there from round {first} on", "{who} 从第 {first} 轮起到场"),
    ActKind.STAND_IN: Words(
        "{by} plays for {who} {when}; the points count for {for_whom}",
        "{when} {by} 替补 {who}；分数计入 {for_whom}",
    ),
    ActKind.EXTRA: Words("{table} has {minutes} minutes more", "{table} 加时 {minutes} 分钟"),
    ActKind.PROFILE: Words(
        "all tables play by {content} ({sign})", "所有牌桌使用 {content}（{sign}）"
    ),
    ActKind.PLACE: Words(
        "{table} stands in row {row}, column {column}", "{table} 位于第 {row} 行第 {column} 列"
    ),
    ActKind.FINISH: Words(
        "round {round} is finished although not every table agrees: {reason}",
        "第 {round} 轮结束，但并非各桌一致：{reason}",
    ),
    ActKind.CORRECT: Words("{who} {points}: {reason}", "{who} {points}：{reason}"),
    ActKind.SEATS: Words("at {table} sit {who}", "{table} 入座：{who}"),
    ActKind.ROUND: Words(
        "round {round} seated at {tables} tables", "第 {round} 轮入座（{tables} 桌）"
    ),
    ActKind.PLAN: Words("rounds {first} to {last} planned", "排座：第 {first} 至 {last} 轮"),
    ActKind.MESSAGE: Words("told all tables: {content}", "通知所有牌桌：{content}"),
    ActKind.RULING: Words(
        "ruling at {table}: {points}: {reason}", "{table} 裁定：{points}：{reason}"
    ),
    ActKind.LET_IN: Words("{table} let in", "接纳 {table}"),
    ActKind.SEND_OUT: Words("{table} let go", "移除 {table}"),
    ActKind.LIST: Words(
        "{count} players added, {count_2} changed: {who}",
        "新增 {count} 人，更改 {count_2} 人：{who}",
    ),
    ActKind.BEGIN: Words("session {content} begun", "建立场次 {content}"),
    ActKind.SERIES: Words("{content} made of sessions", "建立赛事或赛季 {content}"),
    ActKind.GO: Words("goes to the call at {table}", "前往 {table} 的呼叫"),
    ActKind.DONE: Words("the call at {table} is done", "{table} 的呼叫已处理完"),
    ActKind.PICTURE: Words(
        "the picture of hand {content} at {table} deleted",
        "已删除 {table} 第 {content} 局的照片",
    ),
    ActKind.ALARM: Words("an alarm seen to", "已处理一项警报"),
    ActKind.UNDO: Words("taken back", "撤销"),
}
_STARTS = Words("the clock starts with {minutes} minutes", "开始计时：{minutes} 分钟")
_GOES_ON = Words("the clock goes on at {minutes} minutes", "继续计时：剩 {minutes} 分钟")
_STANDS = Words("the clock stands at {minutes} minutes", "暂停计时：剩 {minutes} 分钟")
_SHOWN = Words("standings shown to everybody", "公布排名")
_HELD = Words("standings held back", "暂不公布排名")
_AGREED = Words("round {round} is finished; every table agrees", "第 {round} 轮结束，各桌一致")


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
    said = _sentence(act).filled(**_told(act, names))
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


def _sentence(act: DeskAct) -> Words:
    content = act.content
    match act.kind:
        case ActKind.CLOCK:
            return _STARTS if content["starts"] else _GOES_ON if content["running"] else _STANDS
        case ActKind.PUBLISH:
            return _SHOWN if content["public"] else _HELD
        case ActKind.FINISH if not content["reason"]:
            return _AGREED
        case kind:
            return _SENTENCES[kind]


def _told(act: DeskAct, names: Names) -> dict[str, object]:
    """What an act's sentence is filled with."""
    content = act.content
    told: dict[str, object] = dict(content)
    for key, name in (("player", "who"), ("by", "by")):
        if key in content:
            told[name] = names.player(content[key])
    if "table" in content:
        told["table"] = names.table(content["table"])
    told["content"] = content.get("name", content.get("words", content.get("hand")))
    match act.kind:
        case ActKind.ENTER:
            told |= _several(map(names.player, content["players"]))
        case ActKind.SEATS:
            told["who"] = ", ".join(isolated(names.player(each)) for each in content["players"])
        case ActKind.LIST:
            new, changed = content["new"], content["changed"]
            renamed = [
                f"{isolated(before[0])} → {isolated(after[0])}"
                if before[0] != after[0]
                else after[0]
                for _, before, after in changed
            ]
            told |= _several([name for _, name in new] + renamed)
            told |= {"count": len(new), "count_2": len(changed)}
        case ActKind.ABSENT | ActKind.STAND_IN:
            told["when"] = rounds(content)
            is_for_other = content.get("counts_for") == CountsFor.REPLACED
            told["for_whom"] = told["who"] if is_for_other else told.get("by")
        case ActKind.CLOCK:
            told["minutes"] = max(0, round(content["left_s"] / 60))
        case ActKind.EXTRA:
            told["minutes"] = content["seconds"] // 60
        case ActKind.PROFILE:
            told |= {"content": Words(content["en"], content["zh"]), "sign": content["hash"][:8]}
        case ActKind.CORRECT:
            told["points"] = f"{content['points']:+d}"
        case ActKind.RULING:
            told["points"] = " ".join(f"{n:+d}" if n else "0" for n in content["transfers"])
        case ActKind.ROUND:
            told["tables"] = len(content["tables"])
        case ActKind.PLAN:
            told["last"] = content["first"] + content["rounds"] - 1
    return told


def _several(names: Iterable[str]) -> dict[str, object]:
    every = list(names)
    return {
        "count": len(every),
        "who": ", ".join(map(isolated, every[:6])) + (" …" if len(every) > 6 else ""),
    }
