"""The dashboard's words, in English and Chinese: tiles, winds, melds, sources and their health."""

from table_assist.game.events import Throw
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from web.view.photo_words import WAITING
from web.view.telling_words import TAPPED

WINDS = (Words("East", "东"), Words("South", "南"), Words("West", "西"), Words("North", "北"))
WIND_OF = dict(zip((Tile.EAST, Tile.SOUTH, Tile.WEST, Tile.NORTH), WINDS, strict=True))
PLACES = (Words("1st", "第一"), Words("2nd", "第二"), Words("3rd", "第三"), Words("4th", "第四"))
MELDS = {
    MeldKind.CHOW: Words("chow", "吃"),
    MeldKind.PUNG: Words("pung", "碰"),
    MeldKind.KONG_EXPOSED: Words("kong", "明杠"),
    MeldKind.KONG_CONCEALED: Words("concealed kong", "暗杠"),
    MeldKind.KONG_ADDED: Words("added kong", "加杠"),
    MeldKind.LUCKY_EGG: Words("lucky egg", "下蛋"),
}
SOURCES = {
    Source.CAMERA: Words("camera", "摄像头"),
    Source.BOARD: Words("board", "电路板"),
    Source.PERSON: Words("person", "人工"),
    Source.RULES: Words("rules", "规则"),
}
HEALTH = {
    "camera": Words("Camera", "摄像头"),
    "board": Words("Board", "电路板"),
    "log": Words("Log", "记录"),
    "recording": Words("Recording", "录制"),
    "evidence": Words("Pictures", "存图"),
    "mqtt": Words("MQTT", "MQTT"),
    "webhook": Words("Webhook", "网络回调"),
    "club": Words("Club", "俱乐部"),
}
STATUSES = {
    "live": Words("live", "正常"),
    "stale": Words("stale", "读数已旧"),
    "covered": Words("covered", "被遮挡"),
    "lost": Words("lost", "已断开"),
    "none": Words("none", "未配置"),
    "waiting": Words("waiting", "等待中"),
    "unread": (_UNRECORDED := Words("not recorded", "未记录")),
    "idle": _UNRECORDED,
}
ANSWERS = {
    "yes": Words("Yes", "是"),
    "no": Words("No", "不是"),
    "": Words("it settled itself", "已自行消除"),
}
THROWS = {
    Throw.UNSAID: Words("dice", "骰子"),
    Throw.DEALER: Words("for the dealer", "定庄"),
    Throw.BREAK: Words("to break the wall", "开门"),
    Throw.SECOND_BREAK: Words("second throw for the break", "开门第二掷"),
    Throw.EXCHANGE: Words("for the exchange", "定换牌方向"),
    Throw.INDICATOR: Words("for the tile to turn", "定翻牌"),
    Throw.REPLACEMENT: Words("for the replacement", "定补牌"),
}


def signed(points: int) -> str:
    """Points with their sign, a true minus, and no sign on nothing.

    >>> signed(14), signed(-7), signed(0)
    ('+14', '−7', '0')
    """
    return f"{points:+d}".replace("-", "−") if points else "0"


# Everything the page itself says; `{n}` and the like are filled in by its script.
PAGE = {
    "title": Words("Table assistant", "牌桌助手"),
    "correct": Words("Correct it", "更正"),
    "which_tile": Words("Which tile was it?", "应为哪张牌？"),
    "asking": Words("What it would change …", "正在算会改变什么…"),
    "points_move": Words("The points change:", "分数将变为："),
    "points_stay": Words("No points change.", "分数不变。"),
    "replay_picture": Words("The picture kept of this moment", "此刻保存的照片"),
    "replay_of": Words("Hand {n}, step by step", "第{n}局回放"),
    "step": Words("Step", "步"),
    "first": Words("First step", "第一步"),
    "back": Words("One step back", "上一步"),
    "on": Words("One step on", "下一步"),
    "last": Words("Last step", "最后一步"),
    "phones": Words("Phones", "手机"),
    "desk_table": Words("Table", "牌桌"),
    "desk_referee": Words("Referee", "裁判"),
    "desk_admin": Words("Upkeep", "维护"),
    "desk_club": Words("Club", "俱乐部"),
    "desk_rules": Words("Rules", "规则"),
    "join_how": Words("Scan to join", "扫码加入"),
    "join_why": Words(
        "Players: your own seat on your own phone.", "玩家：用自己的手机看自己的座位。"
    ),
    "short_title": Words("Table", "牌桌"),
    "seat_title": Words("My seat", "我的座位"),
    "go_dark": Words("Dark colours", "深色"),
    "go_light": Words("Light colours", "浅色"),
    "now": Words("Now", "此刻"),
    "round": Words("{wind} round", "{wind}风圈"),
    "hand_n": Words("Hand {n}", "第{n}局"),
    "deals": Words("{who} deals", "{who}坐庄"),
    "streak": Words("{n} hands in a row", "连庄{n}局"),
    "game_over": Words("The game is over", "全场结束"),
    "start": Words("from {n} points", "起始{n}分"),
    "ends_below": Words("ends below {n}", "低于{n}分结束"),
    "hands_left": Words("{n} hands to go", "还剩{n}局"),
    "last_of_game": Words("the last hand", "最后一局"),
    "comma": Words(", ", "，"),
    "to_evening": Words("The evening", "这一晚"),
    "begin_anew": Words("Begin a new game", "开新一场"),
    "begin_sure": Words("Tap again: all scores start anew", "再按一次：分数重新开始"),
    "limit": Words("limit {n}", "封顶{n}"),
    "wilds": Words("wild", "混儿"),
    "bonus": Words("Flowers of {who}", "{who}的花牌"),
    "dead": Words("dead hand", "作废"),
    "mine": Words("My seat", "我的座位"),
    "i_win": Words("I win", "和牌"),
    "i_win_sure": Words("Tap again: I win", "再按一次：和牌"),
    "leave_last": Words("Leave the last tile to the next player", "不要最后一张"),
    "i_looked": Words("I looked at the treasure …", "我看过宝牌了…"),
    "hold_to_look": Words("The treasure: hold to look", "宝牌：按住查看"),
    "which_treasure": Words("Which tile is the treasure?", "宝牌是哪张？"),
    "tell_it": Words("That is it", "就是它"),
    "only_ready_know": Words(
        "Only players who declared ready will know it.", "只有已报听的玩家会知道。"
    ),
    "you_get": Words("You get {n}", "你得{n}分"),
    "you_owe": Words("You pay {n}", "你付{n}分"),
    "you_may": Words("You may {calls}", "你可{calls}"),
    "or": Words(" or ", "、"),
    "call_chow": Words("chow", "吃"),
    "call_pung": Words("pung", "碰"),
    "call_kong": Words("kong", "杠"),
    "call_win": Words("win", "和"),
    "you_discard": Words("Your turn: discard", "轮到你打牌"),
    "your_turn": Words("Your turn", "轮到你"),
    "you_are_ready": Words("You have declared: {ready}", "你已{ready}"),
    "accept_now": Words("Accept now", "立即确认"),
    "read_again": Words("Take back the hand of {who}: show it again", "撤回{who}的亮牌，重新亮牌"),
    "is_wrong": Words("Something is wrong", "有误"),
    "accepted_in": Words("Accepted in {n} s", "{n}秒后自动确认"),
    "waits_for_you": Words("Waits for somebody to accept", "等待确认"),
    "said_by": Words("said by {who}", "{who}已这样说"),
    "one_more": Words("one more player must say so", "还需一位玩家同意"),
    "crop": Words("What the camera saw", "摄像头所见"),
    "standing": Words("The standing", "分数变化"),
    "sums": Words("The arithmetic", "算法"),
    "read_at": Words("read {n} % sure", "识别{n}%"),
    "language": Words("Language", "语言"),
    "other_language": Words("中文", "EN"),
    # The tag by which browsers choose a voice, and write times.
    "locale": Words("en-GB", "zh-CN"),
    "stop": Words(". ", "。"),
    "apart": Words(" · ", "　"),
    "hand": Words("{rules}, hand {n}", "{rules} 第{n}局"),
    "no_hand": Words("{rules}, no hand yet", "{rules}，尚未开局"),
    "left": Words("left", "剩余"),
    "table": Words("The table", "牌桌"),
    "river": Words("River of {who}", "{who}的牌河"),
    "melds": Words("Melds of {who}", "{who}的副露"),
    "shown": Words("Hand of {who}, shown", "{who}亮出的手牌"),
    "dealer": Words("dealer", "庄"),
    "ready": Words("ready", "听"),
    "turn": Words("has the turn", "轮到"),
    "scores": Words("Scores", "比分"),
    "last_hand": Words("last hand", "上局"),
    "events": Words("This hand", "本局"),
    "no_events": Words("Nothing has happened yet.", "还没有发生什么。"),
    "doubtful": Words("doubtful", "存疑"),
    "take_back": Words("Take back", "撤回"),
    "take_back_sure": Words("Take back?", "确定撤回？"),
    "the_evening": Words("The evening, told", "这一晚"),
    "history": Words("Hands played", "已打牌局"),
    "no_history": Words("No hand is settled yet.", "还没有结算过的牌局。"),
    "verdict": Words("Verdict", "判定"),
    "wins": Words("{who} wins", "{who}和牌"),
    "wins_not": Words("{who} has not won", "{who}的和牌不成立"),
    "undecided": Words("{who}: not decided yet", "{who}：尚未判定"),
    "self_drawn": Words("self-drawn", "自摸"),
    "by_discard": Words("on a discard", "点炮"),
    "robbed_kong": Words("robbing a kong", "抢杠"),
    "robbed_egg": Words("robbing an egg", "抢蛋"),
    "if_read": Words("With the unread tiles as", "若看不清的牌是"),
    "birds": Words("Birds", "翻鸟"),
    "bird_waiting": Words("to be turned", "待翻"),
    "payments": Words("Payments", "收付"),
    "pays": Words("{from} pays {to}", "{from}付{to}"),
    "paid_besides": Words(
        "Kongs, other hands or stakes also move points.", "杠、其他家的牌或加注另有输赢。"
    ),
    "nothing_paid": Words("Nobody pays.", "无人付分。"),
    "question": Words("Question", "请确认"),
    "question_of": Words("Question 1 of {n}", "请确认（共{n}个）"),
    "no_choices": Words(
        "No suggestion: turn the tile so that the camera can see it.",
        "没有可选项：请把牌摆到摄像头看得清的地方。",
    ),
    "before": Words("Before the deal", "起牌前"),
    "keys": Words("Without a board", "没有控制板"),
    "more_choices": Words("Another tile …", "其他牌…"),
    "sending": Words("Sending …", "发送中…"),
    "seals_agree": Words(
        "This device keeps the seals of {n} hands, and the record agrees. Hand {hand}: {seal}",
        "本机保存着 {n} 局的封印，与记录一致。第 {hand} 局：{seal}",
    ),
    "check_record": Words("Check the record", "核对记录"),
    "print": Words("Print", "打印"),
    "seal_broken": Words(
        "The record was rewritten: hand {n} had the seal {seal}, and has another now.",
        "记录被改写：第 {n} 局的封印原为 {seal}，现在不同。",
    ),
    "seal_other": Words(
        "This is another record than this evening’s: hand {n} had the seal {seal}.",
        "这不是今晚的记录：第 {n} 局的封印原为 {seal}。",
    ),
    "done_before": Words("This was already done the first time.", "第一次时已经完成。"),
    "not_sent": Words("Not sent: the table cannot be reached.", "未送出：连不上牌桌。"),
    "never": Words("no reading yet", "尚无读数"),
    "seconds": Words("{n} s", "{n}秒"),
    "minutes": Words("{n} min", "{n}分"),
    "hours": Words("{n} h", "{n}小时"),
    "connecting": Words("Connecting …", "连接中…"),
    "lost": Words(
        "Connection lost. What you see is {age} old. Reconnecting …",
        "连接已断开，所见为{age}前的情况，正在重连…",
    ),
    "stale": STATUSES["stale"],
    "live": STATUSES["live"],
    "not_known": Words("not known", "不明"),
    "many_unseen": Words(
        "{n} places cannot be seen: was the camera moved, or is something in the way?",
        "有 {n} 处看不到：摄像头移动了，还是有东西挡住？",
    ),
    "camera_on": Words("The camera is watching the table.", "摄像头正在拍摄牌桌。"),
    "picture": Words("What the camera sees", "摄像头画面"),
    "close": Words("Close", "关闭"),
    "clock": Words("Clock", "计时"),
    "clock_set": Words("Set the clock", "设置计时"),
    "clock_evening": Words("Evening", "整场"),
    "clock_round": Words("Round", "本圈"),
    "clock_turn": Words("{who} thinks", "{who} 思考"),
    "clock_for_evening": Words("The evening, minutes", "整场，分钟"),
    "clock_for_round": Words("A round, minutes", "每圈，分钟"),
    "clock_for_think": Words("To think, seconds", "每手思考，秒"),
    "clock_so": Words("So much time", "就这样"),
    "clock_stop": Words("Stop it", "暂停"),
    "clock_go": Words("Go on", "继续"),
    "clock_stands": Words("The clock stands", "计时暂停"),
    "clock_over": Words("time is over", "时间到"),
    "clock_left": Words("{n} minutes left", "还剩 {n} 分钟"),
    "photograph": Words("Photograph a hand", "拍照算分"),
    "told_by_people": Words("reported by people", "由人报出"),
    "tapped": TAPPED,
    "photographs": Words("The photographs", "照片"),
    "sources": Words("Camera, board and log", "摄像头、电路板与记录"),
    "skip": Words("Skip to the table", "跳到牌桌"),
    "script": Words("This page needs JavaScript.", "本页面需要 JavaScript。"),
}

# Said where a phone may be let in.
LETTING_IN = {
    "let_in_yes": Words("Let in", "允许"),
    "let_in_no": Words("No", "拒绝"),
    "wants_in": Words("Somebody asks to join", "有人请求加入"),
    "joins": Words(
        "{name} wants to be {who}. Does that phone show this number?",
        "{name}请求成为{who}，号码一致吗？",
    ),
    "replaces": Words(
        "{name} wants to replace the phone of {who}. Does that phone show this number?",
        "{name}请求替换{who}的手机，号码一致吗？",
    ),
    "a_phone": Words("A phone", "一部手机"),
}

# Said at the scorer's desk alone.
DESK = LETTING_IN | {
    "phones_how": Words(
        "Choose who it is for, then scan the code with that phone.",
        "选择给谁用，再用那部手机扫码。",
    ),
    "let_in": Words("Phones let in", "已接入"),
    "let_out": Words("Remove", "移除"),
    "role_seat": Words("a player", "玩家"),
    "role_scorer": Words("the scorer", "记分员"),
    "role_referee": Words("the referee", "裁判"),
    "role_camera": Words("a camera", "摄像头"),
    "role_admin": Words("the admin", "管理员"),
    "not_reachable": Words(
        "Phones cannot reach this address: the table serves this machine alone.",
        "手机打不开此地址：牌桌目前只对本机开放。",
    ),
    "lasts": Words("{n} hands", "共{n}局"),
    "the_game": Words("The game", "这一场"),
    "set_game": Words("Points to begin with, and limits", "起始分与结束条件"),
    "each_begins": Words("Everybody begins with", "每人起始"),
    "over_below": Words("It ends when somebody is below", "有人低于此分即结束"),
    "over_after": Words("It ends after so many hands", "打满多少局结束"),
    "begin_so": Words("Begin this game", "就这样开始"),
    "who_deals_next": Words("Who deals the next hand?", "下一局谁坐庄？"),
    "new_seats": Words("A new round: who sits where now?", "新的一圈：现在谁坐哪里？"),
    "where_sat": Words("Where {who} sat", "{who}原来的座位"),
    "east_sits_at": Words("East sits", "东家坐在"),
    "sit_so": Words("These are the seats", "就这样坐"),
    "what_is_staked": Words("What is staked?", "押多少？"),
    "double_down": Words("The dealer doubles down", "庄家加倍"),
    "stake_so": Words("These are the stakes", "就押这些"),
    "who_deals": Words("A hand was dealt. Who is the dealer?", "已起牌，谁坐庄？"),
    "who_wins": Words("Who declares a win?", "谁和牌？"),
    "end_hand": Words("The hand ends without a win", "无人和牌，结束本局"),
    "end_sure": Words("Tap again to end the hand", "再按一次结束本局"),
    "no_picture": Words("There is no picture.", "没有画面。"),
}

# Said on a player's own phone alone.
SEAT = LETTING_IN | {
    "i_win_photo": Words("I win: photograph it", "和牌：拍照"),
    "accept_it": Words("I accept it", "我确认"),
    "accept_pay": Words("Accept: I pay {n}", "确认：我付{n}分"),
    "accept_get": Words("Accept: I get {n}", "确认：我得{n}分"),
    "withdraw": Words("Take my word back", "撤回我的确认"),
    "not_drawn": Words("Somebody won: take the draw back", "有人和牌：撤回流局"),
    "tell_birds": Words("Tell the {n} birds", "报 {n} 只鸟"),
    "i_object": Words("I object", "我有异议"),
    "lay_down_photo": Words("My hand counts: photograph it", "我的牌也计分：拍照"),
    "worth_of_mine": Words("What is my hand worth?", "我的牌值多少？"),
    "signals": Words("Sound and signals", "声音与提醒"),
    "signal_sound": Words(
        "Sound: your turn, a question, a settled hand", "声音：轮到你、提问、结算"
    ),
    "signal_buzz": Words("Vibrate for the same", "同时振动"),
    "in_all": Words("{n} in all", "共{n}"),
    "signal_voice": Words("Speak the verdict", "朗读判定"),
    "signal_caller": Words("Call discards, claims, results", "报牌：打牌、吃碰杠、结果"),
    "signal_notify": Words(
        "Notify me when it is my turn or a question is mine", "轮到我或问我时发通知"
    ),
    "learn": Words("Learning", "学习"),
    "learn_on": Words("I am learning: explain what I may do", "我在学：请讲解我能做什么"),
    "learn_now": Words("What you may do now", "现在能做什么"),
    "learn_rules": Words("What the rules say", "规则怎么说"),
    "learn_waits": Words("What do I wait for? What is it worth?", "我听什么？值多少？"),
    "learn_all": Words("All rules of this table", "本桌全部规则"),
    "eyes": Words("Letters, contrast, colour", "字号、对比度、颜色"),
    "eyes_large": Words("Large letters", "大字"),
    "eyes_strong": Words("Strong contrast", "高对比度"),
    "eyes_still": Words("Nothing moves", "减少动画"),
    "eyes_colour": Words("My colour", "我的颜色"),
    "colour_0": Words("the seat's", "按座位"),
    "colour_1": Words("amber", "琥珀"),
    "colour_2": Words("blue", "蓝"),
    "colour_3": Words("rose", "玫红"),
    "colour_4": Words("green", "绿"),
    "colour_5": Words("violet", "紫"),
    "colour_6": Words("ink", "墨"),
    "colour_7": Words("coral", "珊瑚"),
    "colour_8": Words("teal", "青"),
    "remember_me": Words("Remember me", "记住我"),
    "remembered": Words("{name} is remembered", "已记住 {name}"),
    "remembered_elsewhere": Words(
        "{name} is remembered with another phone. Is it you? See “Who plays here”.",
        "{name} 已由另一部手机记住。是您本人？请看“常来的牌友”。",
    ),
    "remember_why": Words(
        "Name, language, colour and what is chosen here stay at this table; "
        "hands and points are counted from its log.",
        "姓名、语言、颜色和以上选择保存在本桌；局数与得分由记录统计。",
    ),
    "who_plays": Words("Who plays here", "常来的牌友"),
    "signal_awake": Words("Keep the screen on while I am waited for", "等我时保持亮屏"),
    "photo_waiting": WAITING,
}

# Said by phones that come in, and by pages without a table.
ARRIVING = {
    "join_name": Words("Your name", "你的名字"),
    "join_who": Words("Where do you sit?", "你坐哪里？"),
    "join_taken": Words("{who} (a phone is there: ask)", "{who}（已有手机：请求加入）"),
    "join_look": Words("Just watch", "只观看"),
    "pair_title": Words("Join the table", "加入牌桌"),
    "pair_name": Words("Your name, if you like", "你的名字（可不填）"),
    "pair_ask": Words("Ask to join", "请求加入"),
    "pair_waiting": Words(
        "Somebody at the table must let you in: this is your number.",
        "请等待牌桌那边允许；这是你的号码。",
    ),
    "pair_refused": Words("The table said no.", "牌桌那边拒绝了。"),
    "pair_expired": Words("That took too long: scan a new code.", "超时了，请重新扫码。"),
    "pair_none": Words("Scan the code again.", "请重新扫码。"),
    "offline": Words("The table cannot be reached", "连不上牌桌"),
    "offline_why": Words(
        "Its computer may be off or asleep, or this device is in another network. "
        "This page tries again by itself.",
        "牌桌的电脑可能关机或休眠了，或者本设备在别的网络里。本页会自动重试。",
    ),
}
