"""The rows of a rule sheet, and names that it shares with a typed hand's answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from table_assist.languages.words import Words, joined, phrase
from table_assist.rules.options import Option, OptionValue
from table_assist.rules.shown import Circumstance
from table_assist.tiles.tile import Tile

CIRCUMSTANCES: Mapping[Circumstance, Words] = {
    Circumstance.READY_DECLARED: Words("{ready} was declared", "已{ready}"),
    Circumstance.READY_AFTER_KONG: Words("{ready} after the own concealed kong", "暗杠后{ready}"),
    Circumstance.SACRED_DISCARD: Words("a tile that the winner has discarded", "自己打过的牌"),
    Circumstance.TILE_INTO_HAND: Words("the winning tile went into the hand", "和牌张先放进手牌"),
    Circumstance.TRIPLETS_UNMARKED: Words("unmarked concealed triplets", "暗刻未作标记"),
    Circumstance.TREASURE_RUSH: Words("Rush for the treasure", "冲宝"),
    Circumstance.ROBBING_KONG: Words("robbing a kong", "抢杠"),
    Circumstance.ROBBED_EGG_SUPPLEMENT: Words("a tile appended to an egg is robbed", "抢补蛋"),
    Circumstance.ROBBED_REGULAR_KONG: Words("a regular kong is robbed", "抢普通杠"),
    Circumstance.AFTER_KONG: Words("on a kong's replacement tile", "杠上开花"),
    Circumstance.AFTER_KONG_CONCEALED: Words("the kong was concealed", "所开为暗杠"),
    Circumstance.AFTER_KONG_EXPOSED: Words("the kong was exposed", "所开为明杠"),
    Circumstance.AFTER_KONG_ADDED: Words("the kong was added", "所开为补杠"),
    Circumstance.AFTER_BONUS: Words("drawn in place of a flower", "补花摸到"),
    Circumstance.AFTER_KONG_DISCARD: Words("the discard after a kong", "杠上炮"),
    Circumstance.LAST_TILE: Words("the last tile", "最后一张"),
    Circumstance.LAST_TILE_WAS_KONG_REPLACEMENT: phrase("names.last_tile"),
    Circumstance.FIRST_TURN: Words("in the first turn", "第一轮"),
}

# The consequences of an irregularity, by what it concerns and how it stands.
CONSEQUENCES: Mapping[tuple[str, OptionValue], Words] = {
    ("hand", "live"): Words("the hand plays on as before", "手牌仍有效"),
    ("hand", "dead"): Words("the hand is dead", "手牌作废"),
    ("hand", "foul"): Words("the hand is foul", "手牌犯规作废"),
    ("hand", "short"): Words("the hand is short", "手牌为少张"),
    ("play_continues", True): Words("it plays on", "继续打牌"),
    ("pays", True): Words("it pays", "照付分"),
    ("collects", False): Words("it collects nothing", "不收分"),
    ("tile_returned", True): Words("the tile goes back", "牌退回"),
    ("tile_returned", False): Words("the player takes the tile", "须取这张牌"),
    ("turn_forfeited", True): phrase("names.player_whose_turn"),
    ("turn_lost", True): Words("the turn to draw or chow is lost", "失去摸牌或吃牌的机会"),
    ("discard_taken_back", True): Words("the discard is taken back", "收回打出的牌"),
    ("discard_taken_back", False): Words("the discard stays on the table", "打出的牌不得收回"),
    ("discard_may_be_sent_back", True): phrase("names.others_may"),
    ("second_discard_taken_back", True): Words("the second discard is taken back", "收回第二张"),
    ("second_discard_taken_back", False): phrase("names.second_discard"),
    ("second_claimable", False): Words("the second discard may not be claimed", "第二张不可要"),
    ("scored_as", "concealed_pung"): Words("it counts as a concealed pung", "计作暗刻"),
    ("scored_as", "exposed_kong"): Words("it counts as an exposed kong", "计作明杠"),
    ("scored_as", "exposed_pungs"): Words("they count as exposed", "计作明刻"),
    ("scored_as", "concealed_pungs"): Words("they count as concealed all the same", "仍计作暗刻"),
    ("place_and_draw_points", False): phrase("names.points_for_the_self"),
    ("place_and_draw_points", True): phrase("names.points_for_the_self_drawn"),
    ("may_go_out", False): Words("it may not go out", "不能和牌"),
}

_SUIT_NAMES: Mapping[str, Words] = {
    "m": Words("characters", "万"),
    "p": Words("dots", "筒"),
    "s": Words("bamboo", "条"),
    "z": Words("winds and dragons", "风牌和箭牌"),
    "f": Words("flowers", "花"),
    "q": Words("seasons", "季"),
}


def suits_of(tiles: tuple[Tile, ...]) -> Words:
    """The suits among tiles, in their order."""
    return joined(
        [_SUIT_NAMES[suit] for suit, _ in groupby(sorted(tiles), key=lambda tile: tile.suit)]
    )


def allowed_text(option: Option, chosen: OptionValue | None) -> str:
    """Every value that a setting may have, as a profile's file writes it; a mark at the one chosen.

    >>> allowed_text(Option("a", range(1, 10), 5, Words("", ""), ""), None)
    '1 … 9'
    """
    if isinstance(option.values, range):
        return f"{option.values[0]} … {option.values[-1]}"
    return " | ".join("▸" * (value == chosen) + value_text(value) for value in option.values)


def value_text(value: OptionValue) -> str:
    """A setting's value as a profile's file writes it, texts without their quotes.

    >>> value_text(True), value_text("all"), value_text(500)
    ('true', 'all', '500')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def consequence(name: str, value: OptionValue) -> Words:
    """An irregularity's consequence, as half a sentence."""
    if name == "tile_reshuffled_with_stacks":
        return Words("it is shuffled with {value} stacks", "与 {value} 墩牌重洗", value=value)
    return CONSEQUENCES[name, value]


NO_WORDS_TO_SAY = Words("", "")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line of the sheet; what a row does not have is empty.

    Attributes:
        id: as profiles, worked examples and answers name it.
        names: what players call it.
        value: what it counts, or an option's value in force.
        allowed: the values that an option may have.
        words: what it is, in sentences.
        source: where it stands.
        is_ours: it is not from the document.
        is_changed: an option that is not at its default.
        is_off: the options in force leave it out.
    """

    id: str = ""
    names: Words | None = None
    value: Words | None = None
    allowed: str = ""
    words: tuple[Words, ...] = ()
    source: str = ""
    is_ours: bool = False
    is_changed: bool = False
    is_off: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of one kind.

    Attributes:
        value: what their values are, as a heading.
    """

    id: str
    title: Words
    rows: tuple[SheetRow, ...]
    value: Words = NO_WORDS_TO_SAY


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole rule sheet.

    Attributes:
        lead: what is in force, in sentences.
    """

    title: Words
    lead: tuple[Words, ...]
    sections: tuple[Section, ...]
