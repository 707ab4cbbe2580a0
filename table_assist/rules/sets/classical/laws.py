"""Chinese Classical's numbered rules in a sentence each, for the rule sheet: before play."""

from table_assist.languages.words import Words
from table_assist.rules.laws import Law, law
from table_assist.rules.options import OnlyIf
from table_assist.rules.sets.classical.laws_play import PLAY

# Chinese Classical's numbered rules of a hand's end, for the rule sheet.
#
# What is numbered ``CL-75`` is the scoring, which is not in the document.

_SCORING = "Scoring (not in the document; after A. D. Millington)"
_END = "Ending a Round"
_DRAW = "No win / Draw"


def _scored(letter: str, en: str, zh: str, explains: str = "", *, only_if: OnlyIf = None) -> Law:
    """A part of the scoring."""
    return Law(f"CL-75{letter}", Words(en, zh), _SCORING, explains, (), only_if)


def _limit(letter: str, en: str, zh: str, special: str) -> Law:
    """A limit hand, which a club may leave out."""
    return Law(
        f"CL-75{letter}",
        Words(en, zh),
        _SCORING,
        f"limit_{special}",
        only_if=(f"special_{special}", True),
    )


ENDING = (
    law(
        "CL-62",
        "A hand that waits {announce_fishing}.",
        "听牌{announce_fishing}。",
        f"{_END} 1, 2",
    ),
    law(
        "CL-63",
        "A tile added to a pung may be won; one of a concealed kong {concealed_kong_robbed_by}.",
        "加杠的牌可抢和；暗杠{concealed_kong_robbed_by}。",
        f"{_END} 3",
    ),
    law(
        "CL-64",
        "A win is four sets and a pair, or a special hand.",
        "四组一对，或特殊牌型。",
        f"{_END} 4",
    ),
    law(
        "CL-65",
        "Cleared-Hand: one suit with or without honours, terminals alone with or without honours, "
        "or all honours.",
        "清门：一色（可带字）、全幺九（可带字）或全字。",
        f"{_END} 5",
        "cleared_hand",
        only_if=("game_variant", "cleared_hand"),
    ),
    law(
        "CL-65a",
        "One-Double: one double at least beside those of flowers and seasons.",
        "一番：除花牌外至少一番。",
        f"{_END} 5",
        "one_double",
        only_if=("game_variant", "one_double"),
    ),
    law(
        "CL-66",
        "The winner exposes the hand at once, then the others.",
        "赢家先亮牌，其余随后。",
        f"{_END} 6",
    ),
    law(
        "CL-67",
        "Concealed sets are marked, {concealed_marking}; triplets that are not count as "
        "{unmarked_triplets}. The tile that filled the hand stands on end; a hand into which it "
        "was taken first {tile_into_hand}.",
        "暗的牌组作标记（{concealed_marking}），未作标记的算{unmarked_triplets}。和牌张竖放；先放进"
        "手牌者{tile_into_hand}。",
        f"{_END} 7, 8",
    ),
    law(
        "CL-68",
        "After a false Mah-Jong the hand is dead: it plays on, pays and does not collect.",
        "诈和者手牌作废：继续打，只付不收。",
        f"{_END} 9",
    ),
    law(
        "CL-69",
        "Who discarded a tile may not win on another like it before drawing again.",
        "打过的牌，未再摸牌前不得和同样的牌。",
        f"{_END} 10",
        "sacred_discard",
        only_if=("sacred_discard", True),
    ),
    law(
        "CL-70",
        "A hand above the limit of {limit} counts {limit}.",
        "超过封顶 {limit} 的按 {limit} 计。",
        f"{_END} 11",
    ),
    law(
        "CL-71",
        "East's thirteenth win in a row: {thirteen_east}.",
        "庄家连和第十三次：{thirteen_east}。",
        f"{_END} 12",
    ),
    law(
        "CL-72",
        "A hand that nobody wins is drawn {at_end}; nothing is paid.",
        "{at_end}无人和为流局，不付分。",
        _DRAW,
        options=("draw_point", "kong_box", "game_variant"),
    ),
    law(
        "CL-73",
        "After a draw {draw_dealer}.",
        "流局后{draw_dealer}。",
        _DRAW,
    ),
    law(
        "CL-74",
        "The deal passes counter-clockwise when another has won, and the winds with it.",
        "他家和牌则逆时针轮庄，门风随之。",
        "Next Deal",
    ),
)

VALUES = (
    _scored(
        "",
        "Points: going out {going_out_points}; a pung of 2 to 8 is 2 exposed and 4 concealed, of "
        "terminals and honours 4 and 8; a kong 8 and 16, 16 and 32; a pair of dragons, of the "
        "own or the prevailing wind 2, of a wind that is both 4; a flower or season 4; "
        "self-drawn 2; the only possible tile 2: one of which the own hand and melds hold all "
        "four is no possible one. Doubles double the sum.",
        "底：和牌 {going_out_points}；中张刻明 2 暗 4，幺九字刻明 4 暗 8；杠 8、16 与 16、32；箭"
        "牌、门风、圈风将 2，门风兼圈风 4；花牌每张 4；自摸 2；独听 2"
        "（自己手牌和副露已有四张的牌不算可听）。每番翻倍。",
    ),
    _scored("a", "A pung or kong of red dragons.", "红中的刻或杠。", "red_dragon"),
    _scored("b", "A pung or kong of green dragons.", "发财的刻或杠。", "green_dragon"),
    _scored("c", "A pung or kong of white dragons.", "白板的刻或杠。", "white_dragon"),
    _scored("d", "A pung or kong of the seat's wind.", "门风的刻或杠。", "own_wind"),
    _scored("e", "A pung or kong of the round's wind.", "圈风的刻或杠。", "prevailing_wind"),
    _scored(
        "f",
        "The flower of the seat's wind.",
        "与门风相应的花。",
        "own_flower",
        only_if=("bonus_tiles", True),
    ),
    _scored(
        "g",
        "The season of the seat's wind.",
        "与门风相应的季。",
        "own_season",
        only_if=("bonus_tiles", True),
    ),
    _scored(
        "h",
        "All four flowers: {bouquet_doubles}, beside the own one.",
        "四张花齐：{bouquet_doubles} 番，正花另计。",
        "all_flowers",
        only_if=("bonus_tiles", True),
    ),
    _scored(
        "i",
        "All four seasons: {bouquet_doubles}, beside the own one.",
        "四张季齐：{bouquet_doubles} 番，正季另计。",
        "all_seasons",
        only_if=("bonus_tiles", True),
    ),
    _scored("j", "Four pungs or kongs.", "四组全为刻或杠。", "no_chows"),
    _scored("k", "Four chows and a pair that scores nothing.", "四组顺子，将不计分。", "no_points"),
    _scored("l", "One suit and honours.", "一门花色加字牌。", "one_suit_with_honours"),
    _scored("m", "One suit alone.", "只有一门花色。", "one_suit"),
    _scored("n", "Honours alone.", "只有字牌。", "all_honours"),
    _scored("o", "Terminals and honours alone.", "只有幺九牌和字牌。", "terminals_and_honours"),
    _scored("p", "The wall's last tile is drawn and wins.", "摸最后一张和牌。", "last_tile"),
    _scored("q", "The last discard wins.", "和最后打出的牌。", "last_discard"),
    _scored(
        "r", "The replacement tile of an own kong wins.", "以自己开杠后补的牌和牌。", "loose_tile"
    ),
    _scored("s", "A tile that another adds to a pung wins.", "和他家加杠的牌。", "robbing_a_kong"),
    _scored(
        "t",
        "The hand was called standing.",
        "已立牌。",
        "original_call",
        only_if=("standing_hand", "allowed"),
    ),
    _limit(
        "A",
        "Every terminal and honour once, one of them twice.",
        "十三种幺九字牌各一张，其中一种两张。",
        "thirteen_unique_wonders",
    ),
    _limit(
        "B",
        "1112345678999 of one suit and any tile of it, concealed.",
        "同门 1112345678999 加任一张，全暗。",
        "nine_gates",
    ),
    _limit("C", "Four concealed triplets.", "四组暗刻。", "hidden_treasure"),
    _limit("D", "Four kongs.", "四个杠。", "fourfold_plenty"),
    _limit("E", "Triplets of all three dragons.", "三种箭牌都成刻。", "three_great_scholars"),
    _limit("F", "Triplets of all four winds.", "四种风牌都成刻。", "four_blessings"),
    _limit("G", "Terminals alone.", "只有幺九牌。", "heads_and_tails"),
    _limit("H", "A robbed kong of 2 bamboo.", "抢杠和二条。", "carrying_pole"),
    _limit(
        "I",
        "The replacement tile of an own kong is 5 dots, and wins.",
        "开杠后补到五筒而和。",
        "plum_blossom",
    ),
    _limit("J", "The last tile or discard is 1 dot.", "最后一张为一筒而和。", "moon"),
    _limit(
        "K",
        "Green dragons and 2, 3, 4, 6, 8 bamboo alone.",
        "只有发与 2、3、4、6、8 条。",
        "imperial_jade",
    ),
    _limit("L", "Seven pairs.", "七个对子。", "heavenly_twins"),
)


_PREPARATION = "Preparation"
_BREAK = "Breaking The Wall"
_BOX = "Kong Box"
_STARTS = "Special starts"
_LOOSE = "Loose Tiles"

_GENERAL = (
    law(
        "CL-01",
        "Three games, which differ in what wins and in the Kong Box. Played here is "
        "{game_variant}.",
        "三种玩法，和牌要求与岭上牌不同。此处为{game_variant}。",
        "General 1",
    ),
    law(
        "CL-02",
        "East passes to the right after each hand that another won.",
        "他家和牌则轮到下家坐庄。",
        "General 2",
    ),
    law(
        "CL-03",
        "Rounds of winds in a game: {rounds}.",
        "一场打 {rounds} 圈。",
        "General 3",
    ),
    law(
        "CL-04", "The prevailing wind goes E, S, W, N by round.", "圈风依次东南西北。", "General 4"
    ),
    law(
        "CL-05",
        "Seats are drawn again after every round.",
        "每圈后重新定位。",
        "General 5",
        instead=(
            (
                ("redraw_seats_each_round", False),
                "Seats stay as they are after a round.",
                "每圈后座位不变。",
            ),
        ),
    ),
    law("CL-06", "East keeps the dice as a marker.", "骰子放在庄家处作标记。", "General 6"),
    law(
        "CL-07",
        "S sits to the right of E, then W, N; play goes counter-clockwise, tiles leave the wall "
        "clockwise.",
        "南在东的右手，依次西、北；逆时针打牌，牌墙顺时针取牌。",
        "General 7",
    ),
    law(
        "CL-08",
        "Stakes and limit are agreed beforehand; the limit is {limit}.",
        "筹码与封顶事先约定；封顶 {limit}。",
        "General 8",
    ),
    law(
        "CL-09",
        "After each hand values are settled: {settlement}. East pays and receives double.",
        "每局按牌值结算：{settlement}。庄家付收加倍。",
        "General 9",
    ),
    law(
        "CL-10",
        "The Kong Box serves for replacements alone. Flowers and seasons are replaced "
        "{bonus_replacement}.",
        "岭上牌只用于补牌。花牌{bonus_replacement}补。",
        "General 10",
        instead=(
            (
                ("kong_box", "none"),
                "There is no Kong Box: replacements come from the wall.",
                "不设岭上牌，从牌墙补牌。",
            ),
            (
                ("game_variant", ("one_double", "cleared_hand")),
                "There is no Kong Box: replacements come from the wall.",
                "不设岭上牌，从牌墙补牌。",
            ),
        ),
    ),
    law(
        "CL-11",
        "Flowers and seasons are never discarded: they are laid down and replaced.",
        "花牌不能打出，须亮出补牌。",
        "General 11",
        only_if=("bonus_tiles", True),
    ),
)

_SETTING_UP = (
    law(
        "CL-12",
        "East is found by wind markers, and chooses the seat.",
        "摸风定庄，庄家选座。",
        _PREPARATION,
        only_if=("seat_draw", "wind_markers"),
    ),
    law(
        "CL-13",
        "Who throws the highest total with two dice is East.",
        "掷两骰点数最大者为庄。",
        _PREPARATION,
        only_if=("seat_draw", "highest_dice"),
    ),
    law(
        "CL-14",
        "Dice and a row of winds decide who is East.",
        "以骰子数风牌定庄。",
        _PREPARATION,
        only_if=("seat_draw", "dice_and_row"),
    ),
    law(
        "CL-15",
        "Cards lie in heaps instead of a wall; one throw chooses the heap, its top two are loose.",
        "用纸牌则分堆代墙；掷骰选堆，上面两张为补牌。",
        "Starting with cards",
        only_if=("equipment", "cards"),
    ),
    law(
        "CL-16",
        "144 tiles in 18 stacks a side.",
        "144 张，每面十八墩。",
        "Starting with tiles",
        instead=(
            (
                ("bonus_tiles", False),
                "136 tiles, without flowers and seasons, in 17 stacks a side.",
                "136 张，无花牌，每面十七墩。",
            ),
        ),
        only_if=("equipment", "tiles"),
    ),
    law(
        "CL-17",
        "East throws two dice and counts players counter-clockwise from East.",
        "庄家掷两骰，从自己起逆时针数定开牌方。",
        _BREAK,
        only_if=("equipment", "tiles"),
    ),
    law(
        "CL-18",
        "Dice that do not lie flat inside the wall are {dice_misthrow}.",
        "骰子未平落墙内须{dice_misthrow}。",
        _BREAK,
        only_if=("equipment", "tiles"),
    ),
    law(
        "CL-19",
        "That player throws too, counts {break_second_throw} from the right-hand end and lifts "
        "that stack out: the loose tiles.",
        "该家再掷，以{break_second_throw}从右端数墩，取出该墩作补牌。",
        _BREAK,
        only_if=("equipment", "tiles"),
    ),
    law(
        "CL-20",
        "The lower and the upper loose tile are laid {loose_placement}.",
        "补牌下面一张和上面一张分别放在{loose_placement}。",
        f"{_BOX} 1, 2",
        only_if=("equipment", "tiles"),
    ),
    law(
        "CL-21",
        "The Kong Box at the wall's end: {kong_box}.",
        "墙尾的岭上牌：{kong_box}。",
        f"{_BOX} 2 to 8",
        instead=(
            (("kong_box", "none"), "There is no Kong Box.", "不设岭上牌。"),
            (
                ("game_variant", ("one_double", "cleared_hand")),
                "There is no Kong Box.",
                "不设岭上牌。",
            ),
        ),
    ),
    law(
        "CL-22",
        "The last tile to draw is {last_tile}.",
        "最后可摸的是{last_tile}。",
        f"{_BOX} 8",
        options=("game_variant", "kong_box", "draw_point"),
    ),
    law(
        "CL-23",
        "The Kong Box is {kong_box_replenish}.",
        "岭上牌{kong_box_replenish}。",
        f"{_BOX} 9; {_LOOSE} 2",
        instead=(
            (("kong_box", "none"), "There is no Kong Box to fill up.", "没有岭上牌可补。"),
            (
                ("game_variant", ("one_double", "cleared_hand")),
                "There is no Kong Box to fill up.",
                "没有岭上牌可补。",
            ),
        ),
    ),
    law(
        "CL-24",
        "Two stacks to each in turn, three times; then East takes two tiles, the others one; "
        "{deal_by}.",
        "依次各拿两墩，共三次；庄家再拿两张，其余各一张；{deal_by}。",
        "Dealing",
    ),
    law(
        "CL-25",
        "Dealt flowers and seasons are replaced {grounding_order}.",
        "起手花牌{grounding_order}。",
        "Grounding Flowers",
        only_if=("bonus_tiles", True),
    ),
    law(
        "CL-26",
        "Play begins with East's first discard.",
        "庄家首张出牌开局。",
        "Grounding Flowers 3",
    ),
    law(
        "CL-27",
        "Going out with the dealt tiles: {original_hand}.",
        "起手即和：{original_hand}。",
        f"{_STARTS} 1, 4",
        "original_hand",
        only_if=("original_hand", ("east_only", "any_first_14")),
    ),
    law(
        "CL-27a",
        "East's dealt hand is a limit hand.",
        "庄家起手和牌封顶。",
        f"{_STARTS} 1, 4",
        "limit_heavenly_blessing",
        only_if=("original_hand", "limit"),
    ),
    law(
        "CL-28",
        "After its first discard a hand that waits for {standing_wait} may be called standing; "
        "later draws are discarded, and once changed it may not go out.",
        "首次出牌后差一张即和（{standing_wait}）可立牌；以后摸什么打什么，改动则不能和。",
        f"{_STARTS} 2",
        only_if=("standing_hand", "allowed"),
    ),
    law(
        "CL-29",
        "Going out on East's first discard is a limit hand.",
        "和庄家首张打出的牌封顶。",
        f"{_STARTS} 3",
        "limit_first_discard",
        only_if=("earthly_first_discard", "limit"),
    ),
)

LAWS = (*_GENERAL, *_SETTING_UP, *PLAY, *ENDING, *VALUES)
