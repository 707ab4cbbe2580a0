"""Changsha's options (CS ambiguities): the first value of each is the default."""

from functools import partial

from table_assist.rules.common_options import NEXT, WHEN, WHERE, common_option
from table_assist.rules.options import option_of

_option = partial(option_of, "Changsha")
_common = partial(common_option, "Changsha")


OPTIONS = (
    _option(
        "multiple_winners",
        ("all", "closest"),
        "Who wins when several claim the same tile: all, or the nearest in turn.",
        "多家同时和一张牌：都和，或只由顺序最近者和。",
        "Winning; FAQ",
        said=(
            ("all of them win", "都和"),
            ("only the nearest in turn wins", "只有顺序最近的一家和"),
        ),
    ),
    _option(
        "dealer_succession",
        ("winner", "rotate"),
        "Who deals next: the winner, or the next seat after every hand.",
        "下一局庄家：赢家坐庄，或每局轮庄。",
        "Determining The Dealer",
        said=(
            ("the winner", "赢家"),
            ("the next seat, after every hand", "每局轮到下家"),
        ),
        unseen=NEXT,
    ),
    _option(
        "wall_layout",
        ("dealer_and_opposite_14", "dealer_only_14"),
        "Which sides have 14 stacks; with the dealer's alone two tiles are left over.",
        "哪几面牌墙十四墩；只有庄家十四墩则余两张。",
        "Setting up the Wall",
        said=(
            (
                "14 stacks before the dealer and opposite, 13 at the sides",
                "庄家与对家十四墩，两侧十三墩",
            ),
            (
                "14 stacks before the dealer, 13 before the others, two tiles left over",
                "庄家十四墩，其余十三墩，余两张",
            ),
        ),
        unseen=WHERE,
    ),
    _common("break_count_start", "Breaking the Wall"),
    _option(
        "bird_origin",
        ("dealer", "winner"),
        "Who is 1, 5 and 9 when birds are counted: the dealer or the winner.",
        "扎鸟的 1、5、9 从庄家数起，或从赢家数起。",
        "Capturing the Bird",
        said=(
            ("from the dealer", "从庄家"),
            ("from the winner", "从赢家"),
        ),
    ),
    _option(
        "birds_multi_winner",
        ("shared", "each"),
        "Several winners share one pair of birds, or draw two each.",
        "多家和牌时共用两只鸟，或各扎两只。",
        "Capturing the Bird",
        said=(
            ("share two birds", "共用两只鸟"),
            ("have two birds each", "各扎两只鸟"),
        ),
    ),
    _option(
        "bird_self_draw_payer",
        ("no_effect", "doubles_that_payer"),
        "A bird on a payer of a self-draw does nothing, or doubles that payer alone.",
        "自摸时鸟落在付分者：无效，或只加倍该家。",
        "Capturing the Bird",
        said=(
            ("does nothing", "无效"),
            ("doubles what that payer owes", "只加倍该家"),
        ),
    ),
    _option(
        "bird_source",
        ("wall_front", "wall_tail"),
        "Birds are taken from the front or from the tail of the wall.",
        "鸟从牌墙前端取，或从尾端取。",
        "Capturing the Bird",
        said=(
            ("from the front of the wall", "从牌墙前端"),
            ("from the tail of the wall", "从牌墙尾端"),
        ),
        unseen=WHERE,
    ),
    _option(
        "bird_shortage",
        ("turn_what_is_left", "none"),
        "With fewer than two tiles left, those are turned, or no birds are drawn.",
        "余牌不足两张时：翻剩下的，或不扎鸟。",
        "Capturing the Bird",
        said=(
            ("what is left is turned", "翻剩下的"),
            ("no birds are turned", "不扎鸟"),
        ),
    ),
    _option(
        "all_generals_needs_sets",
        (False, True),
        "Whether fourteen Generals must also form four sets and a pair, or seven pairs.",
        "将将胡是否还须成四组一对或七对。",
        "Payout Table",
        said=(
            ("they need form no sets", "不须成组"),
            ("they also form four sets and a pair, or seven pairs", "还须成四组一对或七对"),
        ),
    ),
    _option(
        "luxurious_two_quads",
        ("once", "per_quad"),
        "Two fours in Luxurious Seven Pairs count once, or each of them.",
        "豪华七小对有两个四张时：算一次，或每个都算。",
        "Payout Table",
        said=(
            ("once", "算一次"),
            ("twice", "算两次"),
        ),
    ),
    _option(
        "luxurious_combination",
        ("adds_two_units", "doubles_total"),
        "Luxurious Seven Pairs adds two Big Wins to others, or doubles them all.",
        "豪华七小对与其他大胡：加两个大胡，或总数翻倍。",
        "Payout Table",
        said=(
            ("adds two Big Wins", "加两个大胡"),
            ("doubles all Big Wins", "总数翻倍"),
        ),
    ),
    _option(
        "generals_in_seven_pairs",
        (True, False),
        "Whether a General pair among seven pairs serves the rows that ask for one.",
        "七对中的 2、5、8 对子是否算将对。",
        "Payout Table",
        said=(
            ("serves where one is asked for", "算将对"),
            ("does not serve where one is asked for", "不算将对"),
        ),
    ),
    _option(
        "beggar_kongs",
        (True, False),
        "Whether exposed kongs may be among the melds of a Full Beggar's Hand.",
        "全求人的副露可否含明杠。",
        "Payout Table",
        said=(
            ("exposed kongs allowed", "可含明杠"),
            ("no kongs", "不可含杠"),
        ),
    ),
    _option(
        "instant_wins",
        (True, False),
        "Whether starting hands are paid at all.",
        "是否计起手胡。",
        "Starting Hand Instant Win Conditions",
    ),
    _option(
        "instant_wins_stack",
        ("sum", "single"),
        "Several starting-hand wins at once: each is paid, or one.",
        "同时有几种起手胡：逐项计，或只计一项。",
        "Starting Hand Instant Win Conditions",
        said=(
            ("each is paid", "逐项计"),
            ("one is paid", "只计一项"),
        ),
    ),
    _option(
        "instant_wins_until",
        ("own_discard", "first_discard"),
        "Until when a starting hand may be shown: the own first move, or anybody's.",
        "起手胡可亮至：自己首次行牌前，或任何一家首次行牌前。",
        "Starting Hand Instant Win Conditions (silent)",
        said=(
            ("until the player's own first discard or meld", "可亮至自己首次打牌或副露前"),
            ("until anybody's first discard or meld", "可亮至任何一家首次打牌或副露前"),
        ),
        unseen=WHEN,
        stood_for=(),
    ),
    _option(
        "dealer_start_hand",
        (14, 13),
        "Tiles of the dealer's starting hand.",
        "庄家起手牌张数。",
        "Starting Hand Instant Win Conditions; Dealing the Hand",
    ),
    _option(
        "quad_is_triplet_for_six_six",
        (True, False),
        "Whether four of a kind serve as a triplet for Six Six Straight.",
        "六六顺中四张是否算一个三张。",
        "Starting Hand Instant Win Conditions",
        said=(
            ("serve as one", "算一个三张"),
            ("do not serve as one", "不算"),
        ),
    ),
    _option(
        "draw_no_last_drawer",
        ("dealer_stays", "last_offered"),
        "If nobody took the last tile: the dealer stays, or the last who passed deals.",
        "无人要海底牌时：庄家连庄，或最后一个放弃者坐庄。",
        "The Last Tile of The Wall; Determining The Dealer",
        said=(
            ("the dealer stays", "庄家连庄"),
            ("the last who passed deals", "最后放弃的一家坐庄"),
        ),
        unseen=NEXT,
    ),
    _option(
        "kong_roll",
        ("count_stacks_from_tail", "as_wall_break"),
        "How a roll for a kong's replacement is counted on the wall.",
        "掷骰补杠牌时如何数墩。",
        "Calling Tiles",
        said=(
            ("in stacks from the tail", "从牌墙尾端数墩"),
            ("as when the wall is broken", "照开牌的方法数"),
        ),
        unseen=WHERE,
    ),
    _common("kong_added_tile", "Calling Tiles", stood_for=()),
    _common("false_win_penalty", "(silent)"),
    _common("false_win_amount", "(silent)"),
    _common("starting_points", "(silent)", stood_for=()),
)
