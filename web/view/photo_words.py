"""What the page for photographed hands says."""

from table_assist.words import Words

PHOTO = {
    "photo_title": Words("Photograph a hand", "拍照算分"),
    "photo_whose": Words("Whose hand is it?", "是谁的牌？"),
    "photo_take": Words("Photograph the hand", "拍下手牌"),
    "photo_how": Words(
        "Lay the tiles face up in rows. Melds lie apart, the winning tile a little aside.",
        "手牌正面朝上成行摆好，副露分开，和的那张稍微移开。",
    ),
    "photo_gallery": Words("From the gallery", "从相册选"),
    "photo_by_hand": Words("Tap the tiles instead", "不拍照，直接点选"),
    "photo_more": Words("Another picture", "再拍一张"),
    "photo_again": Words("Begin again", "重新开始"),
    "photo_reading": Words("Reading the picture …", "正在辨认…"),
    "photo_waiting": Words(
        "No connection: the picture waits here and is sent once.",
        "没有网络：照片在此等候，只发一次。",
    ),
    "photo_not_opened": Words(
        "This browser cannot open the picture: send it as JPEG.",
        "浏览器打不开此照片：请用 JPEG 格式。",
    ),
    "photo_show": Words("Show the picture", "看照片"),
    "photo_hand": Words("Hand", "手牌"),
    "photo_melds": Words("Melds", "副露"),
    "photo_bonus": Words("Flowers", "花牌"),
    "photo_add": Words("Add a tile", "加一张"),
    "photo_tap": Words(
        "Tap a tile to change it, drag it to move it.", "点牌可更改，拖动可移到别组。"
    ),
    "photo_count": Words(
        "{n} tiles are too {few}: a won hand has 14.", "现在{n}张，{few}：和牌应为14张。"
    ),
    "photo_few": Words("few", "太少"),
    "photo_many": Words("many", "太多"),
    "photo_unread": Words("Tap every “?” and say what it is.", "请点“?”选出是哪张牌。"),
    "photo_which_won": Words("Tap the tile that won.", "请点和的那张牌。"),
    "photo_this_won": Words("This tile won", "和的是这张"),
    "photo_remove": Words("Remove it", "删去"),
    "photo_new_meld": Words("Into a meld of its own", "移作新的副露"),
    "photo_to_hand": Words("Back into the hand", "移回手牌"),
    "photo_face": Words("Which tile is it?", "是哪张牌？"),
    "photo_came": Words("How did the tile come?", "这张牌怎么来的？"),
    "photo_drew": Words("Self-drawn", "自摸"),
    "photo_from": Words("From {who}", "{who} 点炮"),
    "photo_dealer": Words("Who deals this hand?", "本局谁坐庄？"),
    "photo_special": Words(
        "Anything special? If not, tap nothing.", "有特殊情况吗？没有就不用点。"
    ),
    "photo_comes_to": Words("It comes to", "结果"),
    "photo_no_win": Words("This is no win", "不成和"),
    "photo_birds_follow": Words("The birds are turned afterwards.", "之后再翻鸟。"),
    "photo_pays": Words("{who}: {n}", "{who}：{n}"),
    "photo_send": Words("Show it to everybody", "给大家看"),
    "photo_sent": Words(
        "Everybody sees it now. The scorer accepts it.", "大家都看到了，由记分人确认。"
    ),
    "photo_back": Words("To the table", "回到牌桌"),
    "photo_birds": Words("Which birds were turned?", "翻出哪些鸟？"),
    "photo_birds_photo": Words("Photograph the birds", "拍下鸟牌"),
    "photo_kong": Words("A kong or egg without a win", "只记杠（蛋），未和牌"),
    "photo_kong_send": Words("Record it", "记下"),
    "photo_draw": Words("Nobody won", "流局，无人和牌"),
    "photo_last": Words("Who drew the last tile?", "最后一张是谁摸的？"),
    "photo_draw_send": Words("The hand is drawn", "记为流局"),
    "kong_exposed": Words("claimed", "明杠"),
    "kong_concealed": Words("concealed", "暗杠"),
    "kong_added": Words("added", "补杠"),
    "lucky_egg": Words("egg", "蛋"),
    "chow": Words("chow", "吃"),
    "pung": Words("pung", "碰"),
    "photo_no_set": Words("no set", "不成组"),
}
