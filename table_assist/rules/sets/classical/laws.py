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
        "Three games: Mixed-Hand, One-Double and Cleared-Hand; they differ in what wins and in the "
        "dead wall.",
        "三种玩法：杂牌、一番、清门；和牌要求与杠箱不同。",
        "General 1",
        options=("game_variant",),
    ),
    law(
        "CL-02",
        "East passes to the right after each hand that East did not win.",
        "庄家未和则轮到下家坐庄。",
        "General 2",
    ),
    law("CL-03", "Four rounds make a game.", "四圈为一局。", "General 3", options=("rounds",)),
    law(
        "CL-04", "The prevailing wind goes E, S, W, N by round.", "圈风依次东南西北。", "General 4"
    ),
    law(
        "CL-05",
        "Seats are drawn again after every round.",
        "每圈后重新定位。",
        "General 5",
        options=("redraw_seats_each_round",),
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
        "Stakes and limit are agreed beforehand.",
        "筹码与封顶事先约定。",
        "General 8",
        options=("limit",),
    ),
    law(
        "CL-09",
        "After each hand values are settled; East pays and receives double.",
        "每局按牌值结算；庄家付收加倍。",
        "General 9",
        options=("settlement",),
    ),
    law(
        "CL-10",
        "The Kong Box only replaces flowers, seasons and kongs.",
        "杠箱的牌只用于补花和补杠。",
        "General 10",
        options=("bonus_replacement",),
    ),
    law(
        "CL-11",
        "Flowers and seasons are never discarded: they are laid down and replaced.",
        "花牌不能打出，须亮出补牌。",
        "General 11",
    ),
)

_SETTING_UP = (
    law(
        "CL-12",
        "East is found by wind markers, and chooses the seat.",
        "摸风定庄，庄家选座。",
        _PREPARATION,
        options=("seat_draw",),
    ),
    law(
        "CL-13",
        "Or the highest throw of two dice is East.",
        "或掷两骰点数最大者为庄。",
        _PREPARATION,
        only_if=("seat_draw", "highest_dice"),
    ),
    law(
        "CL-14",
        "Or dice and a row of winds decide.",
        "或以骰子数风牌定庄。",
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
        "144 tiles in 18 stacks a side, or 136 in 17 without flowers and seasons.",
        "144 张，每面十八墩；无花牌则 136 张，十七墩。",
        "Starting with tiles",
        options=("bonus_tiles",),
    ),
    law(
        "CL-17",
        "East throws two dice and counts players counter-clockwise from East.",
        "庄家掷两骰，从自己起逆时针数定开牌方。",
        _BREAK,
    ),
    law(
        "CL-18",
        "Dice that do not lie flat inside the wall are thrown again.",
        "骰子未平落墙内须重掷。",
        _BREAK,
        options=("dice_misthrow",),
    ),
    law(
        "CL-19",
        "That player throws too, counts both throws from the right-hand end and lifts that stack "
        "out: the loose tiles.",
        "该家再掷，以两次之和从右端数墩，取出该墩作补牌。",
        _BREAK,
        options=("break_second_throw",),
    ),
    law(
        "CL-20",
        "The lower loose tile is laid on the second stack right of the breach, the upper on the "
        "fourth.",
        "下面一张放在缺口右边第二墩上，上面一张放在第四墩上。",
        f"{_BOX} 1, 2",
        options=("loose_placement",),
    ),
    law(
        "CL-21",
        "The Kong Box is the last 14 tiles and the loose ones, 16 in all.",
        "杠箱为最后 14 张加补牌，共 16 张。",
        f"{_BOX} 2 to 8",
        options=("kong_box",),
    ),
    law(
        "CL-22",
        "The last tile to draw is the 15th from the end in Mixed-Hand, the very last in the other "
        "games.",
        "杂牌玩法摸到倒数第十五张为止，其他玩法摸完。",
        f"{_BOX} 8",
        options=("game_variant",),
    ),
    law(
        "CL-23",
        "When both loose tiles are used, two more may be set up from the wall's end.",
        "两张补牌用完，可再从墙尾设两张。",
        f"{_BOX} 9; {_LOOSE} 2",
        options=("kong_box_replenish",),
    ),
    law(
        "CL-24",
        "Two stacks to each in turn, three times; then East takes two tiles, the others one.",
        "依次各拿两墩，共三次；庄家再拿两张，其余各一张。",
        "Dealing",
        options=("deal_by",),
    ),
    law(
        "CL-25",
        "Dealt flowers and seasons are replaced in turn from East.",
        "起手花牌从庄家起依次补。",
        "Grounding Flowers",
        options=("grounding_order",),
    ),
    law(
        "CL-26",
        "Play begins with East's first discard.",
        "庄家首张出牌开局。",
        "Grounding Flowers 3",
    ),
    law(
        "CL-27",
        "East goes out with the dealt tiles: three doubles. (Where that is agreed: the limit.)",
        "庄家起手和牌加三番（或约定封顶）。",
        f"{_STARTS} 1, 4",
        "original_hand",
        options=("original_hand",),
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
        "A hand that needs one specific tile after its first discard may be called standing; later "
        "draws are discarded, and once changed it may not go out.",
        "首次出牌后只差一张特定的牌可立牌；以后摸什么打什么，改动则不能和。",
        f"{_STARTS} 2",
        options=("standing_wait",),
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
