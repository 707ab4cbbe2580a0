"""Wanzhou's numbered rules in a sentence each, for the rule sheet."""

from table_assist.rules.laws import law

_CHANGE = "Change Three Charleston"
_CALLS = "Calling Tiles"
_READY = "Declaring a Ready Hand"
_WINNING = "Winning in Wanzhou Change Three Mahjong"
_KONGS = "Instant Kong Payout Table"
_FORMULA = "Winning Hand Payout Formula"
_TABLE = "Points and Payout Table"


LAWS = (
    law(
        "WZ-01",
        "108 tiles: characters, dots and bamboo, four of each.",
        "108 张：万、筒、条各四张。",
        "Tiles to Play",
    ),
    law("WZ-02", "Four players; turns go counter-clockwise.", "四人，逆时针轮流。", "Basic Rules"),
    law(
        "WZ-03",
        "First dealer: one player rolls two dice, and the total is counted clockwise; "
        "{dealer_dice_count_start}.",
        "首庄：一人掷两骰，顺时针数，{dealer_dice_count_start}。",
        "Determining The Dealer",
    ),
    law(
        "WZ-04",
        "A dealer who wins alone stays, also after a draw; another single winner deals next; if "
        "several win on one discard, the next dealer is {multi_win_with_dealer}.",
        "庄家独和或流局连庄；一家闲家和牌则其坐庄；一炮多响时坐庄者：{multi_win_with_dealer}。",
        "Determining The Dealer; Winning; End of Game",
    ),
    law(
        "WZ-05",
        "54 stacks: {wall_layout}. There is no dead wall.",
        "共五十四墩：{wall_layout}；没有留底牌。",
        "Setting Up The Wall",
    ),
    law(
        "WZ-06",
        "The total is counted {break_direction} from the dealer's side, which is one, then in "
        "stacks from that side's right-hand end.",
        "骰子总数从庄家起{break_direction}数定开牌方，再从该方右端数墩。",
        "Breaking The Wall",
    ),
    law(
        "WZ-07",
        "The deal begins with {deal_first_block}; at twelve tiles each the dealer takes two "
        "more, the others one.",
        "{deal_first_block}，至各十二张；庄家再拿两张，其余各一张。",
        "Dealing The Hand",
    ),
    law(
        "WZ-08",
        "Each player lays three tiles of one suit aside, face down, {exchange_hand}.",
        "{exchange_hand}，各人扣下三张同门牌。",
        _CHANGE,
    ),
    law(
        "WZ-09",
        "The dealer's die sends them on, anew in every hand: {change_three_die}.",
        "庄家掷一骰定传给谁，每局重掷：{change_three_die}。",
        _CHANGE,
    ),
    law("WZ-10", "A pung may be claimed from any player.", "可碰任何一家打出的牌。", _CALLS),
    law(
        "WZ-11",
        "Kongs: three held and a discard, four held, or a fourth added to an own pung "
        "({kong_added_tile}); never a discard added to a pung.",
        "杠：手中三张加他家打出、手中四张、或第四张加杠（{kong_added_tile}）；打出的牌不能加杠。",
        _CALLS,
    ),
    law(
        "WZ-12",
        "A kong's replacement comes {kong_replacement_source}.",
        "开杠后{kong_replacement_source}补牌。",
        _CALLS,
    ),
    law(
        "WZ-13",
        "Chows are not claimed; a winning discard may complete one.",
        "不能吃牌；和的牌可成顺子。",
        _CALLS,
        instead=(
            (
                ("chow_claims", True),
                "A chow may be claimed from the player before only, unless it wins.",
                "只能吃上家打出的牌，和牌除外。",
            ),
        ),
    ),
    law(
        "WZ-14",
        "A discard may be won where the hand qualifies; {win_over_pung}.",
        "牌型合格即可和打出的牌；{win_over_pung}。",
        _CALLS,
    ),
    law(
        "WZ-15",
        "Ready may be declared with one of the first four discards, open or closed.",
        "前四张出牌内可报叫，开门与否均可。",
        _READY,
    ),
    law(
        "WZ-16",
        "A ready hand is locked but for a closed kong that keeps the waits; it earns a fan; a win "
        "let pass costs nothing.",
        "报叫后锁手（不改听口的暗杠除外），加一番；放过和牌不罚。",
        _READY,
    ),
    law("WZ-17", "A win is four sets and a pair, or seven pairs.", "四组一对，或七对。", _WINNING),
    law(
        "WZ-18",
        "A hand without fan wins by self-draw only; with a fan or more also on a discard.",
        "没有番的牌只能自摸；有一番以上可和打出的牌。",
        _WINNING,
        "big_hand_required",
    ),
    law(
        "WZ-19",
        "Several may win on one discard; the discarder pays each.",
        "可一炮多响，点炮者各付。",
        _WINNING,
    ),
    law(
        "WZ-20",
        "The hand is drawn when the last tile is drawn without a win.",
        "摸完最后一张无人和为流局。",
        "End of Game",
    ),
    law(
        "WZ-21a",
        "A concealed kong is paid 2 by each other player, at once.",
        "暗杠：三家各付 2，即时付清。",
        _KONGS,
    ),
    law(
        "WZ-21b",
        "A kong on a discard is paid 2 by the discarder, at once.",
        "明杠：打牌者付 2，即时付清。",
        _KONGS,
    ),
    law(
        "WZ-21c",
        "An added kong is paid 1 by each other player, at once.",
        "补杠：三家各付 1，即时付清。",
        _KONGS,
    ),
    law(
        "WZ-22",
        "A tile added to a pung may be won. A kong that is robbed, or after which the discard is "
        "won, is not paid, {cancel_covers_concealed}.",
        "加杠的牌可抢和；被抢或杠后点炮的杠不付，{cancel_covers_concealed}。",
        _KONGS,
    ),
    law(
        "WZ-23",
        "Self-drawn, each other player pays 2 for a Basic Hand, 8 for the first fan of a Big Hand.",
        "自摸三家付：小胡 2，大胡首番 8。",
        _FORMULA,
    ),
    law(
        "WZ-24",
        "On a discard, the discarder pays 12 for the first fan.",
        "点炮者付：首番 12。",
        _FORMULA,
    ),
    law(
        "WZ-25",
        "Fans beyond the first: {additional_fan}.",
        "第二番起：{additional_fan}。",
        _TABLE,
    ),
    law("WZ-26a", "Pungs or kongs and a pair.", "刻子或杠加一对。", _TABLE, "all_pungs"),
    law("WZ-26b", "One suit.", "同一门花色。", _TABLE, "full_flush"),
    law(
        "WZ-26c",
        "Seven pairs; fours stay undeclared.",
        "七个对子，四张不开杠。",
        _TABLE,
        "seven_pairs",
    ),
    law(
        "WZ-26d",
        "One fan more for each four of a kind among seven pairs.",
        "七对中每有四张相同加一番。",
        _TABLE,
        "dragon_seven_pairs",
    ),
    law(
        "WZ-26e",
        "Four exposed melds and a wait for the pair; {implied_patterns_stack}.",
        "四组全为明副露，单吊将；{implied_patterns_stack}。",
        _TABLE,
        "golden_single_wait",
    ),
    law(
        "WZ-26f",
        "One suit, three exposed triplets, and a wait on two pairs; {implied_patterns_stack}.",
        "清一色，三组明刻，双碰听；{implied_patterns_stack}。",
        _TABLE,
        "pure_triple_match",
    ),
    law(
        "WZ-26g",
        "Won within the first four rounds of discards.",
        "前四轮出牌内和牌。",
        _TABLE,
        "first_four_win",
    ),
    law(
        "WZ-26h",
        "Won when {last_four_threshold} are left in the wall.",
        "牌墙余牌{last_four_threshold}时和牌。",
        _TABLE,
        "last_four_win",
    ),
    law(
        "WZ-26i",
        "A tile that another adds to a pung wins.",
        "和他家加杠的牌。",
        _TABLE,
        "robbing_kong",
    ),
    law(
        "WZ-26j",
        "The discard right after another's kong wins.",
        "和他家杠后打出的牌。",
        _TABLE,
        "shoot_after_kong",
    ),
    law(
        "WZ-26k",
        "Ready was declared with one of the first four discards.",
        "前四张出牌内报叫。",
        _TABLE,
        "ready_declaration",
    ),
    law(
        "WZ-27",
        "Robbing the Kong is a fan and doubles the hand: {robbing_kong_payment}.",
        "抢杠计一番，总分再翻倍：{robbing_kong_payment}。",
        f"{_FORMULA}; {_TABLE}",
    ),
    law(
        "WZ-28",
        "Example: All Pungs and Full Flush are 16 from each if drawn, 24 from the discarder.",
        "例：全碰加清一色，自摸每家 16，点炮 24。",
        _FORMULA,
    ),
    law(
        "WZ-29",
        "Players begin with 50 or 100 points, as agreed; here {begins}.",
        "起始各 50 或 100 分，可商定；此处{begins}。",
        "Initial Points",
        options=("starting_points",),
    ),
    law(
        "WZ-30",
        "No penalty for a false win is named; here it {costs}. The dealer pays and is paid like "
        "the others; a kong's replacement tile earns no fan.",
        "文档未规定诈和的处罚，此处诈和{costs}。庄家付收与闲家相同，杠上开花不加番。",
        "(silent)",
        options=("false_win_penalty", "false_win_amount"),
    ),
)
