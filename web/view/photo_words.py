"""The words of the page for photographed hands."""

from table_assist.languages.words import Words

WAITING = Words(
    "No connection: the picture waits here and will be sent.", "没有网络：照片在此等候，只发一次。"
)
PHOTO = {
    "photo_title": Words("Photograph a hand", "拍照算分"),
    "photo_whose": Words("Whose hand is it?", "是谁的牌？"),
    "photo_take": Words("Photograph the hand", "拍下手牌"),
    "photo_how": Words(
        "Lay the tiles face up in rows. Melds lie apart, the winning tile a little aside.",
        "手牌正面朝上成行摆好，副露分开，和的那张稍微移开。",
    ),
    "photo_lay_down": Words(
        "Your hand counts, too: lay its 13 tiles face up in rows, melds apart.",
        "您的手牌也计分：13 张正面朝上成行摆好，副露分开。",
    ),
    "photo_gallery": Words("From the gallery", "从相册选"),
    "photo_aim": Words("Aim with a frame", "对准取景框拍"),
    "aim_now": Words("Now! Sharp and still.", "现在拍！清晰稳定。"),
    "aim_still": Words("Hold still …", "请拿稳…"),
    "aim_closer": Words("Closer: the hand should fill the frame.", "再近一点：手牌应占满取景框。"),
    "aim_blurred": Words(
        "Not sharp yet: tap to focus, or a little farther.", "还不清晰：请对焦或稍远些。"
    ),
    "aim_dark": Words("Too dark: more light.", "太暗：请加光。"),
    "aim_bright": Words(
        "Glare: tilt the phone, or turn the lamp away.", "反光：请倾斜手机或移开灯。"
    ),
    "aim_take": Words("Take it", "拍"),
    "aim_denied": Words(
        "The browser does not give its camera: use “Photograph the hand”.",
        "浏览器未允许使用摄像头：请用“拍下手牌”。",
    ),
    "photo_by_hand": Words("Tap the tiles instead", "不拍照，直接点选"),
    "photo_more": Words("Another picture", "再拍一张"),
    "photo_again": Words("Begin again", "重新开始"),
    "photo_reading": Words("Reading the picture …", "正在辨认…"),
    "photo_waiting": WAITING,
    "photo_too_large": Words(
        "The picture has {n} MB and this browser cannot shrink it: choose a smaller one.",
        "照片有 {n} MB，浏览器无法缩小：请选小一点的。",
    ),
    "photo_proxy_limit": Words(
        "A proxy before the table refuses a picture of {n} MB: raise its limit "
        "(nginx: client_max_body_size 12m), or tap the tiles instead.",
        "代理拒收 {n} MB 的照片：请调高其上限（nginx：client_max_body_size 12m），或点选。",
    ),
    "photo_proxy": Words(
        "Something before the table refuses the picture ({status}): log in to the network or the "
        "proxy, or tap the tiles instead.",
        "牌桌前的网络拒收照片（{status}）：请先登录网络或代理，或直接点选。",
    ),
    "photo_failed": Words(
        "This picture could not be opened here: take another one, or tap the tiles instead.",
        "此照片无法打开：请另拍一张，或直接点选。",
    ),
    "photo_not_kept": Words(
        "This browser could not keep the picture: photograph the hand here once more.",
        "浏览器未能保存照片：请在此再拍一次。",
    ),
    "photo_show": Words("Show the picture", "看照片"),
    "photo_hand": Words("Hand", "手牌"),
    "photo_melds": Words("Melds", "副露"),
    "photo_bonus": Words("Flowers", "花牌"),
    "photo_set_chow": Words("Chow from …", "吃：从…起"),
    "photo_set_pung": Words("Pung of …", "碰…"),
    "photo_set_kong_exposed": Words("Kong of …", "杠…"),
    "photo_add": Words("Add a tile", "加一张"),
    "photo_tap": Words(
        "Tap a tile to change it, drag it to move it.", "点牌可更改，拖动可移到别组。"
    ),
    "photo_begin": Words(
        "Melds first, then the tiles of the hand: {right} in all.",
        "先点副露，再点手牌，共 {right} 张。",
    ),
    "photo_few": Words(
        "{n} tiles are too few, this hand has {right}: add one, or photograph what is missing.",
        "只有 {n} 张，应有 {right} 张：请加牌，或补拍缺的牌。",
    ),
    "photo_rush": Words(
        "Nothing drawn: the treasure completes it (Rush)", "不摸牌，宝牌正是所听（冲宝）"
    ),
    "photo_many": Words(
        "{n} tiles are too many, this hand has {right}: tap what does not belong and remove it.",
        "有 {n} 张，应有 {right} 张：请点多余的牌并删去。",
    ),
    "photo_two_hands": Words(
        "{n} tiles are more than one hand: photograph each hand by itself.",
        "{n} 张多于一副牌：请每副牌分开拍。",
    ),
    "photo_beside": Words(
        "{n} tiles are counted; {others} more in the picture, marked in grey, are not. Does one "
        "belong to the hand? Add it. If not, photograph the hand alone.",
        "已算入 {n} 张；照片里另有 {others} 张未算（灰框）。若属于这副牌，请加上；否则请单独拍。",
    ),
    "photo_answer_first": Words("Answer what is asked first", "请先回答上面的问题"),
    "photo_false_win": Words(
        "Shown all the same, it is a false win: {cost}.", "照样亮出即为诈和：{cost}。"
    ),
    "photo_which_tile": Words("Which tile is this?", "这是哪张牌？"),
    "photo_other_tile": Words("Another tile", "别的牌"),
    "photo_which_won": Words("Tap the tile that won.", "请点和的那张牌。"),
    "photo_this_won": Words("This tile won", "和的是这张"),
    "photo_remove": Words("Remove it", "删去"),
    "photo_new_meld": Words("Into a meld of its own", "移作新的副露"),
    "photo_to_hand": Words("Back into the hand", "移回手牌"),
    "photo_face": Words("Which tile is it?", "是哪张牌？"),
    "photo_came": Words("How did the tile come?", "这张牌怎么来的？"),
    "photo_drew": Words("Self-drawn", "自摸"),
    "photo_from": Words("From {who}", "{who} 的牌"),
    "photo_dealer": Words("Who deals this hand?", "本局谁坐庄？"),
    "photo_special": Words(
        "Anything special? If not, tap nothing.", "有特殊情况吗？没有就不用点。"
    ),
    "photo_stakes": Words("Was anything staked? If not, tap nothing.", "有下注吗？没有就不用点。"),
    "photo_doubles": Words("{who} doubles down", "{who} 加倍"),
    "photo_comes_to": Words("It comes to {n}", "共计 {n}"),
    "photo_no_win": Words("This is not a win", "不成和"),
    "photo_birds_follow": Words("The birds are turned afterwards.", "之后再翻鸟。"),
    "photo_check": Words("Check the tiles", "核对牌面"),
    "photo_send_anyway": Words("Show it all the same", "照样亮出"),
    "photo_send": Words("Show it to everybody", "给大家看"),
    "photo_record": Words("Record it", "记下"),
    "photo_back": Words("Table", "牌桌"),
    "photo_birds": Words("Which {n} birds were turned?", "翻出的 {n} 只鸟是哪些？"),
    "photo_birds_photo": Words("Photograph the birds", "拍下鸟牌"),
    "photo_kong": Words("A kong or egg without a win", "只记杠（蛋），未和牌"),
    "photo_dealt": Words("A dealt hand that scores", "起手胡"),
    "photo_else": Words("For somebody else", "替别人拍"),
    "photo_draw": Words("Nobody won", "流局，无人和牌"),
    "photo_last": Words("Who drew the last tile?", "最后一张是谁摸的？"),
    "photo_none_turned": Words("None was turned", "没有翻宝牌"),
    "photo_passed": Words(
        "Or did all four leave it to the next? Who was the fourth?",
        "还是四家都让了？最后让的是谁？",
    ),
    "photo_draw_send": Words("The hand is drawn", "记为流局"),
    "kong_exposed": Words("claimed", "明杠"),
    "kong_concealed": Words("concealed", "暗杠"),
    "kong_added": Words("added", "补杠"),
    "lucky_egg": Words("egg", "蛋"),
    "chow": Words("chow", "吃"),
    "pung": Words("pung", "碰"),
    "photo_no_set": Words("no set", "不成组"),
}
WORTH = PHOTO | {
    "worth_title": Words("What is my hand worth?", "我的牌值多少？"),
    "worth_private": Words(
        "Only this phone sees it, and nothing is kept. 13 tiles show what you wait for, 14 whether "
        "it is a win.",
        "只有这部手机看得到，不留记录。13 张看听什么，14 张看是否和牌。",
    ),
    "worth_waits": Words("Waits for {n} kinds of tile", "听 {n} 种牌"),
    "worth_no_waits": Words("Not ready", "未听牌"),
    "worth_drawn": Words("self-drawn: +{n}", "自摸：+{n}"),
    "worth_not_drawn": Words("no win if drawn", "自摸不成和"),
    "worth_claimed": Words("on a discard: +{n}", "和打出的牌：+{n}"),
    "worth_not_claimed": Words("no win on a discard", "不能和打出的牌"),
    "worth_bigger": Words(
        "The nearest bigger hand, with these tiles instead: +{n} ({what}).",
        "最接近的更大的牌，换成这些：+{n}（{what}）。",
    ),
    "worth_unseen": Words("{n} not seen yet", "尚有 {n} 张未见"),
}
