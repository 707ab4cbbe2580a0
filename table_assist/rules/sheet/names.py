"""Names that the rule sheet and a typed hand's answer share, in English and Chinese."""

from collections.abc import Mapping
from itertools import groupby

from table_assist.melds import MeldKind
from table_assist.rules.options import Option, OptionValue
from table_assist.rules.shown import Circumstance
from table_assist.tiles import Tile
from table_assist.words import Words

YES, NO = Words("yes", "是"), Words("no", "否")

MELDS: Mapping[MeldKind, Words] = {
    MeldKind.CHOW: Words("chow", "吃"),
    MeldKind.PUNG: Words("pung", "碰"),
    MeldKind.KONG_EXPOSED: Words("exposed kong", "明杠"),
    MeldKind.KONG_CONCEALED: Words("concealed kong", "暗杠"),
    MeldKind.KONG_ADDED: Words("added kong", "补杠"),
    MeldKind.LUCKY_EGG: Words("lucky egg", "蛋"),
}

CIRCUMSTANCES: Mapping[Circumstance, Words] = {
    Circumstance.READY_DECLARED: Words("ready declared", "已报听"),
    Circumstance.TREASURE_RUSH: Words("Rush for the treasure", "冲宝"),
    Circumstance.ROBBING_KONG: Words("robbing a kong", "抢杠"),
    Circumstance.ROBBED_EGG_SUPPLEMENT: Words("a tile appended to an egg is robbed", "抢补蛋"),
    Circumstance.ROBBED_REGULAR_KONG: Words("a regular kong is robbed", "抢普通杠"),
    Circumstance.AFTER_KONG: Words("on a kong's replacement tile", "杠上开花"),
    Circumstance.AFTER_KONG_CONCEALED: Words("the kong was concealed", "所开为暗杠"),
    Circumstance.AFTER_KONG_EXPOSED: Words("the kong was exposed", "所开为明杠"),
    Circumstance.AFTER_KONG_ADDED: Words("the kong was added", "所开为补杠"),
    Circumstance.AFTER_KONG_DISCARD: Words("the discard after a kong", "杠上炮"),
    Circumstance.LAST_TILE: Words("the last tile", "最后一张"),
    Circumstance.LAST_TILE_WAS_KONG_REPLACEMENT: Words(
        "the last tile was a kong's replacement", "最后一张是补杠牌"
    ),
    Circumstance.FIRST_TURN: Words("in the first turn", "第一轮"),
}

CONSEQUENCES: Mapping[str, Words] = {
    "hand": Words("the hand is", "该手牌"),
    "play_continues": Words("play goes on", "继续打牌"),
    "pays": Words("pays", "照付分"),
    "collects": Words("collects", "可收分"),
    "tile_returned": Words("the tile goes back", "牌退回"),
    "tile_reshuffled_with_stacks": Words("shuffled with so many stacks", "与几墩牌重洗"),
    "turn_forfeited": Words("the turn is forfeited", "失去本轮"),
    "turn_lost": Words("the turn is lost", "失去下一轮"),
    "discard_taken_back": Words("the discard is taken back", "收回打出的牌"),
    "discard_may_be_sent_back": Words("the discard may be sent back", "可要求收回打出的牌"),
    "second_discard_taken_back": Words("the second discard is taken back", "收回第二张"),
    "second_claimable": Words("the second discard may be claimed", "第二张可要"),
    "scored_as": Words("scored as", "计作"),
    "may_go_out": Words("may go out", "可和牌"),
}
_STATES: Mapping[str, Words] = {
    "live": Words("live", "有效"),
    "dead": Words("dead", "死牌"),
    "foul": Words("foul", "犯规"),
    "short": Words("short", "少张"),
    "concealed_pung": Words("a concealed pung", "暗刻"),
    "exposed_kong": Words("an exposed kong", "明杠"),
}

_SUITS: Mapping[str, Words] = {
    "m": Words("characters", "万"),
    "p": Words("dots", "筒"),
    "s": Words("bamboo", "条"),
    "z": Words("winds and dragons", "风牌和箭牌"),
    "f": Words("flowers", "花"),
    "q": Words("seasons", "季"),
}


def join(words: list[Words], en: str = ", ", zh: str = "、") -> Words:
    """Several names as one."""
    return Words(en.join(each.en for each in words), zh.join(each.zh for each in words))


def suits_of(tiles: tuple[Tile, ...]) -> Words:
    """The suits among tiles, in their order."""
    return join([_SUITS[suit] for suit, _ in groupby(sorted(tiles), key=lambda tile: tile.suit)])


def value_text(value: OptionValue) -> str:
    """A setting's value as TOML writes it, texts without their quotes.

    >>> value_text(True), value_text("all"), value_text(500)
    ('true', 'all', '500')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def allowed_text(option: Option) -> str:
    """Every value that a setting may have.

    >>> allowed_text(Option("a", range(1, 10), 5, Words("", ""), ""))
    '1 … 9'
    """
    if isinstance(option.values, range):
        return f"{option.values[0]} … {option.values[-1]}"
    return " | ".join(value_text(value) for value in option.values)


def consequence(name: str, value: OptionValue) -> Words:
    """What follows an irregularity; a name that has no words stands for itself."""
    what = CONSEQUENCES.get(name, Words(name, name))
    if isinstance(value, bool):
        said = YES if value else NO
    else:
        said = _STATES.get(str(value), Words(str(value), str(value)))
    return Words(f"{what.en}: {said.en}", f"{what.zh}：{said.zh}")
