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
        "{name} is remembered with another phone. What is kept is shown there.",
        "{name} 已由另一部手机记住，所存内容在那部手机上显示。",
    ),
    "regulars_uncounted": Words(
        "Hands played earlier under this name, which do not count: {n}.",
        "以前以此名打过、不计入的局数：{n}。",
    ),
    "regulars_phones": Words("Known with {n} phones.", "已认出 {n} 部手机。"),
    "regulars_only": Words("This phone alone", "只认这部手机"),
    "regulars_unrated": Words(
        "Ratings need one more library. On the table's machine: pip install 'table-assist[club]'",
        "等级分还需要一个程序库。请在牌桌电脑上运行：pip install 'table-assist[club]'",
    ),
}
