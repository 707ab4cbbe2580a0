"""The words of the page of the people who come again."""

from table_assist.languages.words import Words

REGULARS = {
    "regulars_title": Words("Who plays here", "常来的牌友"),
    "regulars_none": Words(
        "Who taps “Remember me” on the own seat's page finds hands, wins and points here.",
        "在座位页点“记住我”，这里就有自己的局数、和牌与得分。",
    ),
    "regulars_why": Words(
        "Counted from every log in this table's folder. Wins stand beside what an equal of the "
        "others would have: a quarter, give or take luck.",
        "根据本桌文件夹内的全部记录统计。和牌数旁边是与他人水平相同者应有的数目：四分之一，加减运气。",
    ),
    "regulars_rating": Words("Rating", "等级分"),
    "regulars_games": Words("games: {n}", "{n} 场"),
    "regulars_rules": Words("Rules", "规则"),
    "regulars_hands": Words("Hands", "局数"),
    "regulars_wins": Words("Won", "和牌"),
    "regulars_chance": Words("by luck", "运气"),
    "regulars_drawn": Words("Self-drawn", "自摸"),
    "regulars_gave": Words("Gave", "放炮"),
    "regulars_points": Words("Points", "得分"),
    "regulars_best": Words("Best hand", "最大一局"),
    "regulars_nothing": Words("Nothing counted yet.", "尚无统计。"),
    "regulars_forget": Words("Delete {name}", "删除 {name}"),
    "regulars_sure": Words("Delete {name} for good: tap again", "确定删除 {name}：再点一次"),
    "regulars_export": Words("Keep as a file", "保存为文件"),
    "regulars_club": Words("For a club's list of players", "供俱乐部名单使用"),
    "regulars_back": Words("Table", "牌桌"),
    "regulars_elsewhere": Words(
        "{name} is remembered with another phone. What is kept is shown here once others at the "
        "table say that this phone is {name}'s, too.",
        "{name} 已由另一部手机记住。同桌确认这部手机也属于 {name} 之后，这里才显示所存内容。",
    ),
    "regulars_ask": Words("It is me: ask the table", "是我：请同桌确认"),
    "regulars_uncounted": Words(
        "Hands played earlier under this name: {n}. They count once others at the table say that "
        "they were yours.",
        "以前以此名打过 {n} 局。同桌确认是您打的之后才计入。",
    ),
    "regulars_ask_more": Words("They were mine: ask the table", "是我打的：请同桌确认"),
    "regulars_waits": Words(
        "Show the others the number {number}. Two of them say yes on this page, “Who plays here”; "
        "or whoever has the desk does.",
        "请把号码 {number} 给同桌看。两人在本页“常来的牌友”点“是”，或由管理台的人确认。",
    ),
    "regulars_refused": Words("The table said no.", "同桌没有确认。"),
    "regulars_is_it": Words("Is this {name}?", "这是 {name} 吗？"),
    "regulars_claims": Words(
        "A phone that shows {number} says it is {name}'s. With a yes it sees, changes and deletes "
        "what is kept of {name}.",
        "一部显示号码 {number} 的手机自称属于 {name}。确认后它可查看、更改和删除 {name} 的内容。",
    ),
    "regulars_yes": Words("Yes, it is {name}", "是 {name}"),
    "regulars_no": Words("No", "不是"),
    "regulars_phones": Words("Known with {n} phones.", "已认出 {n} 部手机。"),
    "regulars_only": Words("This phone alone", "只认这部手机"),
    "regulars_unrated": Words(
        "Ratings need one more library. On the table's machine: pip install 'table-assist[club]'",
        "等级分还需要一个程序库。请在牌桌电脑上运行：pip install 'table-assist[club]'",
    ),
}
