"""Tianjin's numbered rules in a sentence each, for the rule sheet."""

from table_assist.languages.words import Words
from table_assist.rules.laws import law
from table_assist.rules.options import Options

_CHALLENGE = "Challenge The Dealer"
_WILD = "Using the Wildcard"
_CHOICE = "Wild Card Selection"
_WINNING = "Winning in Tianjin Mahjong"
_INSTANT = "Instant Payout Table"
_FORMULA = "Winning Hand Payout Formula"
_TABLE = "Points and Payout Table"


def _both(options: Options) -> Words:
    """Doubling down and two tokens together."""
    return Words("6", "六") if options["challenge_stack"] == "sum" else Words("8", "八")


LAWS = (
    law("TJ-01", "136 tiles, no flowers.", "136 张，无花。", "Tiles to Play"),
    law("TJ-02", "Four players; turns go counter-clockwise.", "四人，逆时针轮流。", "Basic Rules"),
    law(
        "TJ-03",
        "Each player has two challenge tokens a round; a round lasts until everyone has dealt.",
        "每圈每人两个拉庄筹码；各人都当过庄为一圈。",
        f"Tiles to Play; {_CHALLENGE}",
    ),
    law(
        "TJ-04",
        "Before the deal others may put down one token or two against the dealer.",
        "发牌前闲家可用一个或两个筹码拉庄。",
        _CHALLENGE,
    ),
    law(
        "TJ-05",
        "A token doubles what passes between that player and the dealer: hands, kongs, the chase.",
        "拉庄者与庄家之间的付分翻倍，含杠和跟庄。",
        f"{_CHALLENGE}; Discard Chase",
    ),
    law("TJ-06", "Two tokens quadruple it.", "两个筹码四倍。", _CHALLENGE),
    law(
        "TJ-07",
        "Before the deal the dealer may double everything that passes between dealer and others; "
        "kongs are doubled {double_down_kong_scope}.",
        "发牌前庄家可坐庄：庄家与各家之间的付分翻倍；杠的翻倍：{double_down_kong_scope}。",
        "Doubling Down as The Dealer",
    ),
    law(
        "TJ-08",
        "Both together, {challenge_stack}: four times with one token, {both} times with two.",
        "坐庄又被拉庄，{challenge_stack}：一个筹码四倍，两个筹码{both}倍。",
        "FAQ",
        slots={"both": _both},
    ),
    law(
        "TJ-09",
        "First dealer: one player rolls two dice, and the total is counted clockwise; "
        "{dealer_dice_count_start}.",
        "首庄：一人掷两骰，顺时针数，{dealer_dice_count_start}。",
        "Determining The Dealer",
    ),
    law(
        "TJ-10",
        "A dealer who wins stays, also after a draw; else {next_dealer_after_loss} deals.",
        "庄家和牌或流局连庄，否则由{next_dealer_after_loss}当庄。",
        "Determining The Dealer; End of Game",
    ),
    law("TJ-11", "The wall has 17 stacks a side.", "牌墙每面十七墩。", "Setting Up The Wall"),
    law(
        "TJ-12",
        "The total is counted {break_direction} from the dealer's side, which is one, then in "
        "stacks from that side's right-hand end.",
        "骰子总数从庄家起{break_direction}数定开牌方，再从该方右端数墩。",
        "Breaking The Wall",
    ),
    law(
        "TJ-13",
        "The deal begins with {deal_first_block}; at twelve tiles each the dealer takes two "
        "more, the others one; 83 are left.",
        "{deal_first_block}，至各十二张；庄家再拿两张，其余各一张；余 83 张。",
        "Dealing The Hand",
    ),
    law(
        "TJ-14", "A pung may be claimed from any player.", "可碰任何一家打出的牌。", "Calling Tiles"
    ),
    law(
        "TJ-15",
        "Kongs: three held and a discard, four held, or a fourth added to an own pung "
        "({kong_added_tile}); never a discard added to a pung.",
        "杠：手中三张加他家打出、手中四张、或第四张加杠（{kong_added_tile}）；打出的牌不能加杠。",
        "Calling Tiles",
    ),
    law(
        "TJ-16",
        "A kong's replacement comes {kong_replacement_source}.",
        "开杠后{kong_replacement_source}补牌。",
        "Calling Tiles",
    ),
    law("TJ-17", "Chows are not claimed.", "不能吃牌。", "Calling Tiles"),
    law(
        "TJ-18",
        "A win is self-drawn; no discard wins. (For a robbed kong see TJ-28.)",
        "只能自摸，不能和打出的牌（抢杠见 TJ-28）。",
        _WINNING,
        "self_draw_only",
    ),
    law(
        "TJ-19",
        "The player opposite the dealer rolls two dice, counts columns from the wall's tail and "
        "turns the top tile up, in its place.",
        "庄家对家掷两骰，从牌墙尾端数墩，翻开上面一张，留在原处。",
        _CHOICE,
    ),
    law(
        "TJ-20",
        "That tile's kind and the next one are wild: seven tiles in play.",
        "翻出的牌及其下一张为混儿，共七张在局中。",
        _CHOICE,
    ),
    law(
        "TJ-21",
        "In completing a win a wild is any tile, {wild_in_triplet_at_win}; it helps to no claim. "
        "It may be discarded, and then nobody claims it.",
        "混儿只在和牌时代任何牌，{wild_in_triplet_at_win}；不能用来碰杠。混儿可以打出，打出后不能"
        "碰杠。",
        _WILD,
        options=("wild_discard_allowed",),
    ),
    law(
        "TJ-22",
        "Four wilds of one kind may be a concealed kong: the Golden Kong; in a Kong Blossom it "
        "{golden_kong_is_concealed}.",
        "四张相同的混儿可暗杠：金杠；杠开时{golden_kong_is_concealed}。",
        f"{_WILD}; {_INSTANT}",
    ),
    law("TJ-23", "A win is four sets and a pair.", "四组一对。", _WINNING),
    law(
        "TJ-24",
        "Patterns must make two points, before antes and without the concealed kong's bonus; a "
        "Kong Blossom does by itself. A Heavenly or Earthly Hand without other points "
        "{heavenly_minimum}.",
        "番型至少两番，不计拉庄和暗杠加番；单是杠开已够。没有其他番的天和、地和{heavenly_minimum}。",
        _WINNING,
        "two_fan_minimum",
    ),
    law(
        "TJ-25",
        "A win declared without TJ-18, TJ-23 and TJ-24 is false; the document names no amount. "
        "Here it {costs}.",
        "不合 TJ-18、TJ-23、TJ-24 即为诈和；处罚的分数文档未规定，此处{costs}。",
        _WINNING,
        options=("false_win_penalty", "false_win_amount"),
    ),
    law(
        "TJ-26",
        "The hand is a draw when nobody wins with the last tile before the turned one.",
        "翻牌之前的最后一张摸完，无人和即为流局。",
        "End of Game",
    ),
    law(
        "TJ-27a",
        "A concealed kong is paid 2 by each other player, at once.",
        "暗杠：三家各付 2，即时付清。",
        _INSTANT,
    ),
    law(
        "TJ-27b",
        "A kong on a discard is paid 1 by the discarder, at once.",
        "明杠：打牌者付 1，即时付清。",
        _INSTANT,
    ),
    law(
        "TJ-27c",
        "An added kong is paid 1 by each other player, at once.",
        "补杠：三家各付 1，即时付清。",
        _INSTANT,
    ),
    law(
        "TJ-27d",
        "A Golden Kong is paid 8 by each other player, at once.",
        "金杠：三家各付 8，即时付清。",
        _INSTANT,
    ),
    law(
        "TJ-28",
        "A tile added to a pung may be won as if discarded; {rob_add_on_kong}, and that kong is "
        "not paid.",
        "加杠的牌可抢和，如同打出的牌；{rob_add_on_kong}，该杠不付。",
        _INSTANT,
        instead=(
            (
                ("rob_add_on_kong", "forbidden"),
                "A tile added to a pung may not be won.",
                "加杠的牌不许抢。",
            ),
        ),
    ),
    law(
        "TJ-29",
        "The chase: if all others first discard what the dealer first discarded, the dealer pays "
        "each 1, with antes.",
        "跟庄：首轮三家都打出庄家所打的同一张，庄家付每家 1，计拉庄。",
        "Discard Chase",
    ),
    law(
        "TJ-30",
        "A hand counts the points of its patterns, 1 more for each different pattern "
        "({pattern_bonus}) and 1 more for a concealed kong at a Kong Blossom. A Kong Blossom "
        "doubles this, and then the antes between payer and winner multiply it.",
        "番数加番型数（{pattern_bonus}），杠开的暗杠再加 1；杠开翻倍，再按付方与赢家之间的拉庄加"
        "倍。",
        _FORMULA,
    ),
    law("TJ-31a", "No wild tile in the hand.", "手中没有混儿。", _TABLE, "pure_hand"),
    law(
        "TJ-31b",
        "The final tile makes the pair with a wild; a final tile that is wild itself "
        "{single_wait_wild_pair}.",
        "最后一张与混儿成对；最后一张本身是混儿{single_wait_wild_pair}。",
        _TABLE,
        "wild_single_wait",
    ),
    law(
        "TJ-31c",
        "The final tile makes a set with two wilds.",
        "最后一张与两张混儿成一组。",
        _TABLE,
        "double_wild_wait",
    ),
    law(
        "TJ-31d",
        "456 of characters: {capture_five_wild}.",
        "四五六万：{capture_five_wild}。",
        _TABLE,
        "capture_five",
    ),
    law(
        "TJ-31e",
        "123, 456 and 789 of one suit.",
        "同一门的一二三、四五六、七八九。",
        _TABLE,
        "dragon",
    ),
    law(
        "TJ-31f",
        "A kong's replacement tile wins: it doubles the hand, {kong_blossom_counting}.",
        "以杠后补牌和牌：总数翻倍，{kong_blossom_counting}。",
        _TABLE,
        "kong_blossom",
    ),
    law(
        "TJ-32",
        "Every different pattern adds 1, {pattern_bonus}.",
        "每种番型另加 1，{pattern_bonus}。",
        f"{_FORMULA}; {_TABLE}",
    ),
    law("TJ-33", "A Kong Blossom doubles the whole hand.", "杠开总数翻倍。", _TABLE),
    law(
        "TJ-34",
        "A Kong Blossom adds 1 if the kong was concealed.",
        "杠开所开为暗杠再加 1。",
        _TABLE,
    ),
    law(
        "TJ-35",
        "The dealer wins with the dealt hand: six times {heavenly_base}. With no other points it "
        "counts 1 and {heavenly_minimum}.",
        "庄家起手即和：{heavenly_base}的六倍。无其他番时按 1，{heavenly_minimum}。",
        _TABLE,
        "heavenly_hand",
    ),
    law(
        "TJ-36",
        "Another wins with the first tile drawn, before any claim (a concealed kong is none): four "
        "times {heavenly_base}. With no other points it counts 1 and {heavenly_minimum}.",
        "闲家第一张自摸即和，其前无人碰或明杠（暗杠不算）：{heavenly_base}的四倍。"
        "无其他番时按 1，{heavenly_minimum}。",
        _TABLE,
        "earthly_hand",
    ),
    law("TJ-37", "All three others pay a self-drawn win.", "自摸和牌三家都付。", _FORMULA),
    law(
        "TJ-38",
        "Example: Pure and Dragon, dealer doubled down: (6 + 2) × 2 = 16 from each.",
        "例：素加龙，庄家坐庄：（6 + 2）× 2 = 16，每家付。",
        _FORMULA,
    ),
    law(
        "TJ-39",
        "Players begin with 50 or 100 points, as agreed; here {begins}.",
        "起始各 50 或 100 分，可商定；此处{begins}。",
        "Initial Points",
        options=("starting_points",),
    ),
)
