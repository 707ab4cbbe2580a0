"""The words of the enrolment page, in English and Chinese; {} is filled in by the page."""

from table_assist.languages.words import Words

PAGE = {
    "title": Words("Your own tiles", "认识您的牌"),
    "script": Words("This page needs JavaScript.", "本页需要 JavaScript。"),
    "other": Words("中文", "English"),
    "summary": Words("{tiles} tiles in {pictures}", "{pictures}，共 {tiles} 张牌"),
    "one_picture": Words("1 picture", "1 张照片"),
    "pictures": Words("{} pictures", "{} 张照片"),
    "all_clear": Words(
        "Nothing is in doubt. Look over the tiles, then press Learn.",
        "看来都没有疑问。请浏览一遍，然后按“学习”。",
    ),
    "first": Words("Look at these first", "先看这些"),
    "first_help": Words(
        "Is the name beside each one right? Confirm it, or tap the tile to correct it. "
        "What nobody confirms is left out.",
        "右边写的对吗？对就确认，不对就点牌更正。未确认的不会用来学习。",
    ),
    "right": Words("Right", "对"),
    "all_right": Words("All of these are right", "这些都对"),
    "tiles": Words("Every tile, by its face", "全部牌，按牌面排列"),
    "tiles_help": Words(
        "Is one in the wrong place? Tap it, and say what it is.",
        "有混进来的？点它，选出正确的牌面。",
    ),
    "too_many": Words("{count} in one picture", "一张照片里有 {count} 张"),
    "missing": Words("Not in the pictures", "照片里没有"),
    "missing_help": Words(
        "The program reads these as before. Take another picture with them to teach them too.",
        "这些仍按原样识别；再拍一张有它们的照片就能学会。",
    ),
    "photos": Words("Your pictures", "您的照片"),
    "photos_help": Words(
        "Tiles with an outline were found. Tiles without one were missed and are not learnt.",
        "有框的是找到的牌；没有框的被漏掉了，这次不会学。",
    ),
    "done": Words("Learn", "学习"),
    "doubtful": Words("{} to look at", "还有 {} 处待看"),
    "none_doubtful": Words("All clear", "没有疑问"),
    "what": Words("What is this?", "这是什么牌？"),
    "likely": Words("Likely", "可能是"),
    "nothing": Words("not a tile", "不是牌"),
    "left_out": Words("leave it out", "不要这张"),
    "close": Words("Close", "关闭"),
    "learning": Words("Learning your tiles", "正在学习您的牌"),
    "learning_help": Words(
        "The program looks at each tile in many ways, then tests what it learnt on the others.",
        "每张牌都换着样子看，再用其余的牌来检验。",
    ),
    "learnt": Words("{} is known now", "已经认识“{}”"),
    "learnt_help": Words(
        "You can close this page. Use the set with --set {}.",
        "可以关闭本页。使用时加上 --set {}。",
    ),
    "failed": Words("It could not be learnt", "没有学成"),
    "gone": Words(
        "The program does not answer: it was ended, or this page is old.",
        "程序没有回应：可能已经结束，或本页已过时。",
    ),
    "confirmed": Words("confirmed", "已确认"),
    "read_as": Words("read as {}", "认作{}"),
}
