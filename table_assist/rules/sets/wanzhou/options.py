"""What a Wanzhou table may agree on; the first value of each is the default."""

from functools import partial

from table_assist.rules.common_options import common_option
from table_assist.rules.options import option_of

_option = partial(option_of, "Wanzhou")
_common = partial(common_option, "Wanzhou")


OPTIONS = (
    _option(
        "change_three_die",
        ("pairs", "alternating"),
        "The exchange's die: 1-2 right, 3-4 across, 5-6 left; "
        "or 1, 4 right, 2, 5 across, 3, 6 left.",
        "换三张的骰子：1、2 下家，3、4 对家，5、6 上家；或 1、4 下家，2、5 对家，3、6 上家。",
        "Change Three Charleston",
    ),
    _option(
        "exchange_hand",
        ("dealer_with_14", "after_13"),
        "Three tiles are exchanged when the dealer has 14 tiles, or before the 14th.",
        "换三张在庄家拿第十四张之后，或之前。",
        "Change Three Charleston",
    ),
    _option(
        "wall_layout",
        ("dealer_and_opposite_14", "dealer_only_15"),
        "Stacks a side: 14 before the dealer and opposite, else 13; or 15 before the dealer.",
        "牌墙：庄家与对家各十四墩、其余十三墩；或只有庄家十五墩。",
        "Setting Up The Wall",
    ),
    _common("break_direction", "Breaking The Wall; Dealing The Hand"),
    _common("deal_first_block", "Dealing The Hand"),
    _common("dealer_dice_count_start", "Determining The Dealer"),
    _option(
        "multi_win_with_dealer",
        ("discarder", "dealer_stays"),
        "Several winners, the dealer among them: the discarder deals next, or the dealer stays.",
        "庄家与别家同时和牌：点炮者坐庄，或庄家连庄。",
        "Winning; Determining The Dealer",
    ),
    _option(
        "additional_fan",
        ("power", "linear"),
        "Fan beyond the first: each doubles, or two times their number is the factor.",
        "第二番起：每番翻倍，或乘以番数的两倍。",
        "Winning Hand Payout Formula; Points and Payout Table",
    ),
    _option(
        "robbing_kong_payment",
        ("robbed_pays_discard_x2", "all_pay_self_draw_x2", "robbed_pays_self_draw_x2"),
        "A robbed kong: its owner pays twice a discard's value; or all, or the owner alone, pay "
        "twice a self-draw's.",
        "抢杠：被抢者按点炮加倍付；或三家、或被抢者一家，按自摸加倍付。",
        "Winning Hand Payout Formula; Instant Kong Payout Table",
    ),
    _option(
        "implied_patterns_stack",
        (True, False),
        "Whether what Golden Single Wait and Pure Triple Match imply is counted beside them.",
        "金单等、清三搭所含的番种是否另计。",
        "Points and Payout Table",
    ),
    _option(
        "last_four_threshold",
        ("fewer_than_four", "four_or_fewer"),
        "Last Four Win: fewer than four tiles are left, or four at most.",
        "后四：余牌不足四张，或不超过四张。",
        "Points and Payout Table",
    ),
    _option(
        "chow_claims",
        (False, True),
        "Whether a discard may be claimed for a chow.",
        "能否吃牌。",
        "Calling Tiles",
    ),
    _option(
        "win_over_pung",
        (True, False),
        "A win goes before a pung or kong; or the nearest of them gets the tile.",
        "和牌优先于碰杠，或按座次近者优先。",
        "Calling Tiles",
    ),
    _option(
        "cancel_covers_concealed",
        (True, False),
        "Whether a concealed kong too is not paid when the discard after it is won.",
        "杠后点炮时暗杠是否也不计分。",
        "Instant Kong Payout Table",
    ),
    _common("kong_replacement_source", "Calling Tiles"),
    _common("false_win_penalty", "(silent)"),
    _common("false_win_amount", "(silent)"),
    _common("starting_points", "Initial Points", stood_for=()),
)
