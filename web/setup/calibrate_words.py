"""The words of the calibration page, in English and Chinese; {} is filled in by the page."""

from table_assist.languages.words import Words

PAGE = {
    "title": Words("Where is the table?", "牌桌在哪里？"),
    "script": Words("This page needs JavaScript.", "本页需要 JavaScript。"),
    "other": Words("中文", "English"),
    "found": Words(
        "Found. Check that the corners fit, then save.", "已找到。请确认四角，然后保存。"
    ),
    "doubted": Words(
        "Probably here. Look closely, drag the corners that are wrong, then save.",
        "大概在这里。请仔细查看，拖正偏差的角，然后保存。",
    ),
    "nowhere": Words(
        "Not found. Drag the four corners to where the playing surface ends.",
        "未找到。请将四个角拖到桌面边角处。",
    ),
    "person": Words("Your corners. Save when they fit.", "这是您放置的四角。合适就保存。"),
    "corner": Words(
        "Corner {}: drag it, or move it with the arrow keys", "角 {}：拖动，或用方向键移动"
    ),
    "seat0": Words("Seat 1", "座位 1"),
    "turn": Words("Seat 1 sits at the next side", "座位 1 换到下一边"),
    "find": Words("Find it again", "重新查找"),
    "save": Words("Save", "保存"),
    "saved": Words("Saved. You can close this page.", "已保存，可以关闭本页。"),
    "gone": Words("The program does not answer any more.", "程序没有响应。"),
    "seat": Words("Seat {}", "座位 {}"),
    "table": Words("Middle", "中央"),
    "well": Words("Dice under a window: radius {} mm", "骰子在窗口下：半径 {} 毫米"),
    "no_well": Words(
        "Dice under a window? Drag until the circle fits it", "骰子在窗口下？拖动至圆圈与其吻合"
    ),
    "px": Words("{} px a tile", "每张牌 {} 像素"),
    "hand": Words("hand", "手牌"),
    "melds": Words("melds", "副露"),
    "river": Words("river", "牌河"),
    "wall": Words("wall", "牌墙"),
    "dice": Words("dice", "骰子"),
    "birds": Words("indicator, birds", "指示牌、鸟"),
}
