"""Chinese Classical's numbered rules in a sentence each, for the rule sheet: before play."""

from table_assist.rules.laws import law
from table_assist.rules.sets.classical.laws_end import ENDING, VALUES
from table_assist.rules.sets.classical.laws_play import PLAY

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
