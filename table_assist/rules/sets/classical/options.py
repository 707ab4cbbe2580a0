"""Chinese Classical's house rules: the variations that the laws of play name, in their words.

The first value of each is the default. The numbers in brackets are the document's own sources.
"""

from functools import partial

from table_assist.languages.words import Words
from table_assist.rules.common_options import LYING, NEXT, ONE_WAY, SEATING, WHERE
from table_assist.rules.options import Option, option_of

_option = partial(option_of, "Classical")


_GENERAL = "General"
_BREAK = "Breaking The Wall"
_BOX = "Kong Box"
_STARTS = "Special starts"
_END = "Ending a Round"
_SCORING = "(scoring, not in the document)"

OPTIONS = (
    _option(
        "game_variant",
        ("mixed_hand", "one_double", "cleared_hand"),
        "Any hand wins, or one with a double, or one that is cleared to a suit or honours [18].",
        "和牌要求：任意牌型、至少一番，或清门（一色、幺九或字牌）。",
        "General 1; Ending a Round 5",
        said=(
            ("Mixed-Hand: any complete hand", "杂牌：任何成牌"),
            ("One-Double: one double at least", "一番：至少一番"),
            ("Cleared-Hand: one suit, terminals or honours", "清门：一色、幺九或字牌"),
        ),
    ),
    _option(
        "equipment",
        ("tiles", "cards"),
        "Played with tiles, or with cards dealt from heaps [1].",
        "用牌，或用纸牌分堆。",
        "Starting with cards",
        said=(
            ("tiles", "牌"),
            ("cards, dealt from heaps", "纸牌，分堆"),
        ),
        unseen=WHERE,
    ),
    _option(
        "bonus_tiles",
        (True, False),
        "Whether flowers and seasons are played with: 144 tiles or 136.",
        "是否用花牌（144 张或 136 张）。",
        "Starting with tiles",
    ),
    _option(
        "rounds",
        (4, 3, 2, 1),
        "Rounds of winds in a game [1].",
        "一场打几圈。",
        "General 3",
        unseen=NEXT,
    ),
    _option(
        "redraw_seats_each_round",
        (True, False),
        "Whether seats are drawn again after every round [18].",
        "每圈后是否重新摸风定位。",
        "General 5",
        unseen=SEATING,
    ),
    _option(
        "seat_draw",
        ("wind_markers", "highest_dice", "dice_and_row"),
        "East is found by wind markers [1, 18], the highest throw [5], or dice and a row [19].",
        "定庄：摸风、掷骰最大，或掷骰数风牌。",
        "Preparation",
        said=(
            ("wind markers", "摸风"),
            ("the highest throw of two dice", "掷两骰点数最大"),
            ("dice and a row of winds", "掷骰数风牌"),
        ),
        unseen=SEATING,
    ),
    Option(
        "limit",
        range(1, 1_000_001),
        500,
        Words("No hand counts more; agreed before the game.", "封顶分，开局前约定。"),
        "Classical > General 8; Ending a Round 11",
    ),
    _option(
        "settlement",
        ("winner_full", "differences_only"),
        "The winner is paid in full and the others settle differences, or all do [1].",
        "赢家收全数、其余三家结差额，或四家都只结差额。",
        "General 9",
        said=(
            (
                "the winner is paid in full, the others settle differences",
                "赢家收全数，其余三家结差额",
            ),
            ("all four settle differences", "四家都只结差额"),
        ),
    ),
    _option(
        "break_second_throw",
        ("add_to_first", "number_rolled_only"),
        "The stacks counted off are both throws [4], or the second alone.",
        "数墩用两次骰子之和，或只用第二次。",
        _BREAK,
        said=(
            ("both throws together", "两次骰子之和"),
            ("the second throw alone", "第二次的点数"),
        ),
        unseen=WHERE,
    ),
    _option(
        "dice_misthrow",
        ("reroll",),
        "Dice not flat inside the wall are thrown again [19].",
        "骰子未平落墙内须重掷。",
        _BREAK,
        said=(("thrown again", "重掷"),),
        unseen=ONE_WAY,
    ),
    _option(
        "loose_placement",
        ("second_and_fourth", "adjacent"),
        "The loose tiles lie on the second and fourth stack [4], or on the first two [18].",
        "补牌放在缺口右边第二、四墩，或紧邻的两墩。",
        f"{_BOX} 1, 2",
        said=(
            ("on the second and the fourth stack right of the breach", "缺口右边第二墩和第四墩上"),
            ("on the first two stacks right of the breach", "紧邻缺口右边的两墩上"),
        ),
        unseen=WHERE,
    ),
    _option(
        "kong_box",
        ("14_plus_2", "14_total", "12_total", "as_rolled", "none"),
        "Replacement tiles set apart: 16 [2, 19], 14 [5, 18], 12 [4], as many stacks as rolled, "
        "or none.",
        "岭上牌张数：16、14、12、按骰数，或不设。",
        _BOX,
        said=(
            ("14 tiles and the two loose ones", "14 张加两张补牌"),
            ("14 tiles with the loose ones", "连补牌 14 张"),
            ("12 tiles with the loose ones", "连补牌 12 张"),
            ("as many stacks as were rolled", "掷多少点就多少墩"),
            ("no Kong Box", "不设岭上牌"),
        ),
        unseen=WHERE,
    ),
    _option(
        "kong_box_replenish",
        ("none", "loose_pair", "keep_14"),
        "The box is not filled up [19], by two loose tiles [4, 6, 13], or kept at 14 [5].",
        "岭上牌不补、每次补两张，或始终保持 14 张。",
        f"{_BOX} 6 to 9; Loose Tiles 2",
        said=(
            ("not filled up", "不补充"),
            ("filled up by two when both loose tiles are used", "两张补牌用完再设两张"),
            ("kept at 14 tiles", "始终保持 14 张"),
        ),
        unseen=WHERE,
    ),
    _option(
        "bonus_replacement",
        ("kong_box", "live_wall"),
        "Flowers are replaced from the box [2], or from the live wall.",
        "花牌从岭上牌补，或从牌墙补。",
        "General 10",
        said=(
            ("from the Kong Box", "从岭上牌"),
            ("from the live wall", "从牌墙"),
        ),
        unseen=WHERE,
    ),
    _option(
        "grounding_order",
        ("player_order", "as_dealt"),
        "Dealt flowers are replaced in turn from East [4, 5, 18, 19], or as they come.",
        "起手花牌从庄家起依次补，或随摸随补。",
        "Grounding Flowers",
        said=(
            ("in turn from East", "从庄家起依次补"),
            ("as they are dealt", "随摸随补"),
        ),
        unseen=WHERE,
    ),
    _option(
        "deal_by",
        ("own_hands", "east_deals"),
        "Each player takes the stacks, or East hands them out [4].",
        "各自拿牌，或由庄家分牌。",
        "Dealing",
        said=(
            ("everybody takes their own", "各自拿牌"),
            ("East hands them out", "由庄家分牌"),
        ),
        unseen=WHERE,
    ),
    _option(
        "original_hand",
        ("east_only", "any_first_14", "limit"),
        "Three doubles for East's dealt hand [2], for anyone's first fourteen [5], or the limit.",
        "天和：庄家起手加三番、任何人首次满 14 张加三番，或庄家起手封顶。",
        _STARTS,
        said=(
            ("three doubles for East's dealt hand", "庄家起手加三番"),
            ("three doubles for anybody's first fourteen tiles", "任何人首次满十四张加三番"),
            ("the limit for East's dealt hand", "庄家起手封顶"),
        ),
    ),
    _option(
        "earthly_first_discard",
        ("limit", "none"),
        "A win on East's first discard is a limit hand [5, 9], or nothing special.",
        "和庄家首张打出的牌：封顶，或不另计。",
        _STARTS,
        said=(
            ("the limit", "封顶"),
            ("nothing special", "不另计"),
        ),
    ),
    _option(
        "standing_hand",
        ("allowed", "none"),
        "Whether a hand may be called standing after the first discard [2, 19].",
        "首次出牌后能否立牌。",
        _STARTS,
        said=(
            ("may be called standing", "可以立牌"),
            ("may not be called standing", "不能立牌"),
        ),
    ),
    _option(
        "standing_wait",
        ("one_kind", "any_tile"),
        "A standing hand waits for one kind of tile alone: 'one specific tile', the document says, "
        "and its words go before practice; or for any kind that completes it, as is often played.",
        "立牌只能听一种牌：原文为“一张特定的牌”，先于惯例；或听几种不限，为常见打法。",
        _STARTS,
        said=(
            ("one kind of tile alone", "只能听一种"),
            ("any number of kinds of tile", "听几种不限"),
        ),
    ),
    _option(
        "discard_face",
        ("up", "down"),
        "Discards lie face up [19], or face down.",
        "打出的牌面朝上，或朝下。",
        "Discards 1",
        said=(
            ("face up", "正面朝上"),
            ("face down", "正面朝下"),
        ),
        unseen=LYING,
    ),
    _option(
        "discard_takeback",
        ("never", "until_claimed"),
        "A discard is never taken back [18, 1], or until it is claimed or the next draw [19].",
        "打出的牌不得收回，或在被要或下家摸牌前可收回。",
        "Discards 4; Irregularities 6",
        said=(
            ("never taken back", "不得收回"),
            (
                "free to be taken back until it is claimed or the next tile is drawn",
                "被要走或下家摸牌前可收回",
            ),
        ),
        unseen=Words(
            "It decides about a discard, not about what a hand is worth.",
            "只关系到打出的牌能否收回，不影响牌值。",
        ),
    ),
    _option(
        "dead_hand_payment",
        ("no_collect", "by_tile_count"),
        "A dead hand pays in full [1]; or, too short, after deducting its own score [4].",
        "手牌作废者照付全数，或少张者扣除自己的分再付。",
        "Discards 2",
        said=(
            ("in full", "全数"),
            (
                "in full if it is too long, less its own value if too short",
                "多张者全数、少张者扣除自己的分",
            ),
        ),
    ),
    _option(
        "chow_exposure",
        ("at_once", "before_next_claim_or_draw"),
        "A chow is exposed at once [1, 18], or before the next claim or draw [19].",
        "吃牌立即亮出，或在下次要牌或摸牌前亮出。",
        "The Chow",
        said=(
            ("at once", "立即"),
            ("before the next claim or draw", "在下次要牌或摸牌前"),
        ),
        unseen=LYING,
    ),
    _option(
        "kong_from_discard_mark",
        ("all_face_up", "claimed_tile_down"),
        "A kong from a discard lies face up, or with the claimed tile down [19].",
        "明杠全部朝上，或要来的牌朝下。",
        "The Kong 1",
        said=(
            ("all face up", "全部朝上"),
            ("with the claimed tile face down", "要来的牌朝下"),
        ),
        unseen=LYING,
    ),
    _option(
        "mahjong_precedence",
        ("by_kind", "nearest"),
        "Among wins the special hand goes first, then pung, chow, pair [19]; or the nearest [2].",
        "同时和牌：按特殊、刻、顺、将的次序，或顺序最近者优先。",
        "Loose Tiles 4",
        said=(
            (
                "the special hand, then the one that makes a pung, a chow, a pair",
                "特殊牌型、成刻、成顺、成将依次优先",
            ),
            ("the nearest in turn", "顺序最近者优先"),
        ),
    ),
    _option(
        "announce_fishing",
        (False, True),
        "Whether a ready hand is announced [3], or may not be [19].",
        "听牌是否须宣布。",
        f"{_END} 1, 2",
        said=(
            ("is not announced", "不宣布"),
            ("is announced", "须宣布"),
        ),
    ),
    _option(
        "concealed_kong_robbed_by",
        ("thirteen_orphans", "none"),
        "A concealed kong is robbed for Thirteen Unique Wonders [19], or never.",
        "暗杠可为十三幺抢，或不可抢。",
        f"{_END} 3",
        said=(
            ("for Thirteen Unique Wonders only", "只能为十三幺抢"),
            ("by nobody", "不能抢"),
        ),
    ),
    _option(
        "sacred_discard",
        (True, False),
        "Whether one's own earlier discard may not be won before another draw [3, 4].",
        "自己打过的牌，未再摸牌前是否不得和。",
        f"{_END} 10",
    ),
    _option(
        "kong_ungrounded_counts",
        ("concealed_triplet",),
        "A four not laid down in time counts as a concealed triplet [1, 4, 5, 13, 18, 19].",
        "未及时亮出的四张算暗刻。",
        "The Kong 6",
        said=(("a concealed triplet", "暗刻"),),
        unseen=ONE_WAY,
    ),
    _option(
        "concealed_marking",
        ("middle_turned", "one_on_two"),
        "Concealed sets are marked by a turned middle tile [4], or by one tile on two [18].",
        "暗刻标记：中间一张翻面，或一张叠放。",
        f"{_END} 7, 8",
        said=(
            ("the middle tile turned over", "中间一张翻面"),
            ("one tile laid on the others", "一张叠放"),
        ),
        unseen=LYING,
    ),
    _option(
        "unmarked_triplets",
        ("concealed", "exposed"),
        "What concealed triplets count as that were laid down without the mark: the document names "
        "no consequence, and in practice they stay concealed; or exposed, as a kong does [19].",
        "未作标记的暗刻如何计：原文未规定后果，惯例仍算暗刻；或如杠一样算明刻。",
        f"{_END} 8; The Kong 7",
        said=(("concealed", "暗刻"), ("exposed", "明刻")),
        stood_for=(),
    ),
    _option(
        "tile_into_hand",
        ("points_lost", "points_kept"),
        "What is lost by a winning tile that went into the hand instead of being shown at once: "
        "the points for self-drawn and the only place, by the text [18]; or nothing.",
        "和牌张先放进手牌、未立即亮出：依原文不计自摸和独听的分，或照计。",
        f"{_END} 8",
        said=(
            ("loses the points for self-drawn and the only place", "不计自摸和独听的分"),
            ("loses nothing by it", "分数照计"),
        ),
        stood_for=(),
    ),
    _option(
        "draw_point",
        ("fourteen_left", "all_drawn"),
        "A hand is drawn at the Kong Box, with 14 tiles left where there is none [2, 13, 18], or "
        "when all are drawn [1].",
        "流局：摸到岭上牌（无岭上牌则余 14 张），或全部摸完。",
        "No win / Draw",
        said=(
            (
                "before the Kong Box, or at 14 tiles without one",
                "摸到岭上牌为止，无岭上牌则余 14 张",
            ),
            ("when every tile is drawn", "全部摸完"),
        ),
        unseen=Words(
            "It decides when a hand is drawn, not what one is worth.",
            "只决定何时流局，不影响牌值。",
        ),
    ),
    _option(
        "draw_dealer",
        ("stay", "pass"),
        "After a draw East stays [18], or passes on [1, 13].",
        "流局后庄家连庄，或轮庄。",
        "No win / Draw",
        said=(
            ("East stays", "庄家连庄"),
            ("East passes on", "庄家轮庄"),
        ),
        unseen=NEXT,
    ),
    _option(
        "thirteen_east",
        ("limit_and_pass",),
        "East's thirteenth win in a row is a limit hand, and East passes on.",
        "庄家连和第十三次：封顶并下庄。",
        f"{_END} 12",
        said=(("a limit hand, and East passes on", "封顶并下庄"),),
        unseen=ONE_WAY,
    ),
    _option(
        "going_out_points",
        (20, 10),
        "Points for going out.",
        "和牌底分。",
        _SCORING,
    ),
    _option(
        "bouquet_doubles",
        (1, 2, 3),
        "Doubles for all four flowers or all four seasons, beside the own one.",
        "四花或四季齐全另加几番。",
        _SCORING,
    ),
)
