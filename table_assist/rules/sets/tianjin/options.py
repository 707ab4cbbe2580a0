"""The options of a Tianjin table; the first value of each is the default."""

from functools import partial

from table_assist.rules.common_options import NEXT, ONE_WAY, common_option
from table_assist.rules.options import option_of

_option = partial(option_of, "Tianjin")
_common = partial(common_option, "Tianjin")


OPTIONS = (
    _option(
        "rob_add_on_kong",
        ("robbed_pays", "all_pay", "forbidden"),
        "A tile added to a kong may be won and is paid by its owner, or by all; or may not.",
        "抢杠：由被抢者付，或三家付，或不许抢。",
        "Instant Payout Table; Winning in Tianjin Mahjong",
        said=(
            ("its owner pays", "由被抢者付"),
            ("all three pay", "三家付"),
            ("it may not be won", "不许抢"),
        ),
    ),
    _option(
        "pattern_bonus",
        ("count_all", "only_when_multiple"),
        "The bonus of 1 for each different pattern: always, or from two patterns on.",
        "每种番型加 1：一种也加，或两种起才加。",
        "Winning Hand Payout Formula",
        said=(
            ("also if there is one alone", "只有一种也加"),
            ("from two different patterns on", "两种起才加"),
        ),
    ),
    _option(
        "kong_blossom_counting",
        ("as_pattern", "points_without_bonus", "multiplier_only"),
        "A Kong Blossom doubles, and adds its point and the pattern bonus, or its point, or none.",
        "杠开翻倍之外：加番并计番型奖，或只加番，或都不加。",
        "Points and Payout Table",
        said=(
            ("with its point and the pattern bonus", "另计本身一番和番型奖"),
            ("with its point", "另计本身一番"),
            ("and adds no more; with nothing else it counts 1", "不另加；无其他番时计 1"),
        ),
    ),
    _option(
        "heavenly_base",
        ("sum_with_bonus", "adds_own_fan", "highest_single"),
        "A Heavenly or Earthly Hand multiplies the whole hand, the same with 1 of its own, or its "
        "best pattern.",
        "天和、地和所乘：全部番数，或再加本身一番，或只乘最高一种。",
        "Points and Payout Table",
        said=(
            ("the whole hand", "全部番数"),
            ("the whole hand with a point of its own", "全部番数加本身一番"),
            ("its best pattern alone", "只算最高一种番型"),
        ),
    ),
    _option(
        "heavenly_minimum",
        ("multiplied_counts", "needs_other_point"),
        "A Heavenly or Earthly Hand without other points: is a win, or falls short of 2.",
        "没有其他番的天和、地和：可和，或不足两番。",
        "Points and Payout Table",
        said=(
            ("is a win by itself", "可和"),
            ("falls short of two points", "不足两番"),
        ),
    ),
    _option(
        "capture_five_wild",
        ("final_tile", "any_wild_as_five", "natural_final_only"),
        "Capturing the Five: the final tile is the 5 or a wild in its place, any wild stands for "
        "the 5, or only a real 5 at the end.",
        "捉五儿：最后一张为五万或代五万的混儿，或任一混儿代五万，或只限真五万。",
        "Points and Payout Table",
        said=(
            ("the final tile is the 5, or a wild in its place", "最后一张为五万，或代五万的混儿"),
            (
                "the final tile is the 5, or any wild stands for it",
                "最后一张为五万，或有混儿代五万",
            ),
            ("the final tile is a real 5", "最后一张须为真五万"),
        ),
    ),
    _option(
        "single_wait_wild_pair",
        (True, False),
        "Whether a wild drawn to a lone wild is a Wild Card Single Wait.",
        "混儿单吊摸到混儿是否算混儿吊。",
        "Points and Payout Table",
        said=(
            ("counts too", "也算"),
            ("does not count", "不算"),
        ),
    ),
    _option(
        "wild_in_triplet_at_win",
        (True, False),
        "Whether a wild may fill up a concealed pung of the winning hand.",
        "和牌时混儿能否补成暗刻。",
        "Using the Wildcard",
        said=(
            ("in any set", "任何一组中都可代"),
            ("but not in a concealed pung", "但不能补成暗刻"),
        ),
    ),
    _option(
        "challenge_stack",
        ("product", "sum"),
        "Double down and challenge together: their factors are multiplied, or added.",
        "坐庄与拉庄并存：倍数相乘，或相加。",
        "Pre-Round Challenge Ante, FAQ",
        said=(
            ("their factors are multiplied", "倍数相乘"),
            ("their factors are added", "倍数相加"),
        ),
    ),
    _option(
        "double_down_kong_scope",
        ("dealer_pairs", "all"),
        "Doubling down doubles kongs that the dealer pays or is paid for, or every kong.",
        "坐庄时加倍的杠：庄家付或收的，或全部。",
        "Doubling Down as The Dealer",
        said=(
            ("only between the dealer and another", "只限庄家与闲家之间"),
            ("whoever pays whom", "不论谁付谁"),
        ),
    ),
    _option(
        "golden_kong_is_concealed",
        (True, False),
        "Whether a Kong Blossom after a Golden Kong has the concealed kong's bonus.",
        "金杠后杠开是否加暗杠的 1。",
        "Points and Payout Table; Using the Wildcard",
        said=(
            ("counts as a concealed kong", "算暗杠"),
            ("does not count as a concealed kong", "不算暗杠"),
        ),
    ),
    _option(
        "next_dealer_after_loss",
        ("next_counterclockwise", "winner"),
        "Another player has won: the next seat deals, or the winner.",
        "闲家和牌后：下家当庄，或赢家当庄。",
        "Determining The Dealer",
        said=(
            ("the next seat", "下家"),
            ("the winner", "赢家"),
        ),
        unseen=NEXT,
    ),
    _common("dealer_dice_count_start", "Determining The Dealer"),
    _common("break_direction", "Breaking The Wall; Dealing The Hand"),
    _common("deal_first_block", "Dealing The Hand"),
    _common("kong_added_tile", "Calling Tiles", stood_for=()),
    _common("kong_replacement_source", "Calling Tiles"),
    _option(
        "wild_discard_allowed",
        (True,),
        "A wild tile may be discarded.",
        "混儿可以打出。",
        "Using the Wildcard",
        unseen=ONE_WAY,
    ),
    _option(
        "false_win_penalty",
        ("report_only", "pay_minimum_to_each", "dead_hand", "custom"),
        "A false win is only noted, costs 2 to each other seat, makes the hand dead, or costs "
        "the agreed amount.",
        "诈和：只作记录，或赔每家 2 分，或本局不能再和，或按约定赔分。",
        "Winning in Tianjin Mahjong",
        said=(
            ("only noted", "只作记录"),
            ("2 points to each other seat", "赔每家 2 分"),
            ("the hand is dead", "本局不能再和"),
            ("the agreed amount", "按约定赔分"),
        ),
    ),
    _common("false_win_amount", "Winning in Tianjin Mahjong", stood_for=()),
    _common("starting_points", "Initial Points", stood_for=()),
)
