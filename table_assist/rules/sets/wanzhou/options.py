"""The options of a Wanzhou table; the first value of each is the default."""

from functools import partial

from table_assist.languages.words import Words
from table_assist.rules.common_options import NEXT, WHERE, common_option
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
        said=(
            ("1 and 2 right, 3 and 4 across, 5 and 6 left", "1、2 下家，3、4 对家，5、6 上家"),
            ("1 and 4 right, 2 and 5 across, 3 and 6 left", "1、4 下家，2、5 对家，3、6 上家"),
        ),
        unseen=Words(
            "It decides who gets the three tiles, not what a hand is worth.",
            "只决定三张牌换给谁，不影响牌值。",
        ),
    ),
    _option(
        "exchange_hand",
        ("dealer_with_14", "after_13"),
        "Three tiles are exchanged when the dealer has 14 tiles, or before the 14th.",
        "换三张在庄家拿第十四张之后，或之前。",
        "Change Three Charleston",
        said=(
            ("when the dealer has 14 tiles", "庄家拿到第十四张之后"),
            ("before the dealer's 14th tile", "庄家拿第十四张之前"),
        ),
        unseen=Words(
            "It decides when the tiles are exchanged, not what a hand is worth.",
            "只决定何时换牌，不影响牌值。",
        ),
    ),
    _option(
        "wall_layout",
        ("dealer_and_opposite_14", "dealer_only_15"),
        "Stacks a side: 14 before the dealer and opposite, else 13; or 15 before the dealer.",
        "牌墙：庄家与对家各十四墩、其余十三墩；或只有庄家十五墩。",
        "Setting Up The Wall",
        said=(
            ("14 before the dealer and opposite, 13 at the sides", "庄家与对家十四墩，两侧十三墩"),
            ("15 before the dealer, 13 before the others", "庄家十五墩，其余十三墩"),
        ),
        unseen=WHERE,
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
        said=(
            ("the discarder", "点炮者"),
            (
                "the dealer, if among the winners; else the discarder",
                "庄家（若也和牌），否则点炮者",
            ),
        ),
        unseen=NEXT,
    ),
    _option(
        "additional_fan",
        ("power", "linear"),
        "Fan beyond the first: each doubles, or two times their number is the factor.",
        "第二番起：每番翻倍，或乘以番数的两倍。",
        "Winning Hand Payout Formula; Points and Payout Table",
        said=(
            ("each doubles the hand", "每番翻倍"),
            ("the hand is multiplied by twice their number", "乘以其番数的两倍"),
        ),
    ),
    _option(
        "robbing_kong_payment",
        ("robbed_pays_discard_x2", "all_pay_self_draw_x2", "robbed_pays_self_draw_x2"),
        "A robbed kong: its owner pays twice a discard's value; or all, or the owner alone, pay "
        "twice a self-draw's.",
        "抢杠：被抢者按点炮加倍付；或三家、或被抢者一家，按自摸加倍付。",
        "Winning Hand Payout Formula; Instant Kong Payout Table",
        said=(
            ("its owner pays twice a discard's value", "被抢者按点炮的两倍付"),
            ("all three pay twice a self-draw's value", "三家按自摸的两倍付"),
            ("its owner pays twice a self-draw's value", "被抢者按自摸的两倍付"),
        ),
    ),
    _option(
        "implied_patterns_stack",
        (True, False),
        "Whether what Golden Single Wait and Pure Triple Match imply is counted beside them.",
        "金单等、清三搭所含的番种是否另计。",
        "Points and Payout Table",
        said=(
            ("what it implies is counted too", "所含番种另计"),
            ("what it implies is not counted", "所含番种不另计"),
        ),
    ),
    _option(
        "last_four_threshold",
        ("fewer_than_four", "four_or_fewer"),
        "Last Four Win: fewer than four tiles are left, or four at most.",
        "后四：余牌不足四张，或不超过四张。",
        "Points and Payout Table",
        said=(
            ("fewer than four tiles", "不足四张"),
            ("four tiles or fewer", "四张以下（含四张）"),
        ),
    ),
    _option(
        "chow_claims",
        (False, True),
        "Whether a discard may be claimed for a chow.",
        "能否吃牌。",
        "Calling Tiles",
        said=(
            ("chows are not claimed", "不能吃牌"),
            ("chows are claimed from the player before", "可吃上家打出的牌"),
        ),
    ),
    _option(
        "win_over_pung",
        (True, False),
        "A win goes before a pung or kong; or the nearest of them gets the tile.",
        "和牌优先于碰杠，或按座次近者优先。",
        "Calling Tiles",
        said=(
            ("a win goes before a pung or kong", "和优先于碰、杠"),
            (
                "of a win, a pung and a kong the nearest in turn goes first",
                "和、碰、杠按座次近者优先",
            ),
        ),
    ),
    _option(
        "cancel_covers_concealed",
        (True, False),
        "Whether a concealed kong too is not paid when the discard after it is won.",
        "杠后点炮时暗杠是否也不计分。",
        "Instant Kong Payout Table",
        said=(
            ("not even a concealed one", "暗杠也一样"),
            ("but a concealed one is", "但暗杠照付"),
        ),
    ),
    _common("kong_added_tile", "Calling Tiles", stood_for=()),
    _common("kong_replacement_source", "Calling Tiles"),
    _common("false_win_penalty", "(silent)"),
    _common("false_win_amount", "(silent)"),
    _common("starting_points", "Initial Points", stood_for=()),
)
