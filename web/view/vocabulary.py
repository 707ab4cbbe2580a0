"""The dashboard's words, in English and Chinese: tiles, winds, melds, sources and their health."""

from table_assist.game.events import Throw
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile

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
