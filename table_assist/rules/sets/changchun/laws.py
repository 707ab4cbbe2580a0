"""Changchun's numbered rules in a sentence each, for the rule sheet."""

from table_assist.languages.words import Words
from table_assist.rules.laws import law
from table_assist.rules.options import Options

_CALLS = "Calling Tiles"
_DEALER = "Determining The Dealer"
_EGGS = "Lucky Eggs"
_RESTRICTION = "Restriction on the Lucky Egg"
_EGG_PAY = "Lucky Egg Payouts"
_READY = "Declaring a Ready Hand"
_REVEAL = "Revealing the Treasure Tile"
_TREASURE = "Treasure Tiles"
_END = "End of the Game"
_WINNING = "Winning in Changchun Mahjong"
_REQUIREMENTS = "Requirements for a Winning Hand"
_FORMULA = "Winning Hand Payout Formula"
_TABLE = "Payout Table"


def _concealed(options: Options) -> Words:
    points = str(2 * int(options["base_score"]))
    return Words(points, points)


def _exposed(options: Options) -> Words:
    points = str(int(options["exposed_kong_payout"]) * int(options["base_score"]))
    return Words(points, points)


LAWS = (
    law(
        "CC-01",
        "136 tiles: three suits and the honours, four of each; no flowers.",
        "136 张：三门花色和字牌各四张，无花。",
        "Tiles to Play",
    ),
    law("CC-02", "Four players; turns go counter-clockwise.", "四人，逆时针轮流。", "Basic Rules"),
    law("CC-03", "The first dealer is found at random or agreed.", "首庄随机或商定。", _DEALER),
    law(
        "CC-04",
        "A dealer who wins stays; if another wins, the next seat deals. After a draw "
        "{draw_dealer}.",
        "庄家和牌连庄；闲家和牌则轮到下家坐庄。流局后{draw_dealer}。",
        f"{_DEALER}; {_END}",
    ),
    law("CC-05", "The wall has 17 stacks a side.", "牌墙每面十七墩。", "Setting Up The Wall"),
    law(
        "CC-06",
        "The dealer rolls; the total counts sides counter-clockwise: {break_count_start}.",
        "庄家掷骰，按点数逆时针数定开牌方：{break_count_start}。",
        "Breaking The Wall",
    ),
    law(
        "CC-07",
        "The same total counts stacks from that side's right-hand end; the wall starts after them.",
        "再从该方右端数同样墩数，其后为牌墙之首。",
        "Breaking The Wall",
    ),
    law(
        "CC-08",
        "The last 14 tiles are the dead wall and stay out of play; 69 live tiles remain.",
        "最后 14 张为留底牌，不摸；发牌后余 69 张可摸。",
        "Breaking The Wall",
    ),
    law(
        "CC-09",
        "Each takes four tiles three times; then the dealer takes two ({last_deal_pick}), the "
        "others one.",
        "各拿三次四张，庄家再拿两张（{last_deal_pick}），其余各一张。",
        "Dealing The Hand",
    ),
    law(
        "CC-10",
        "Eggs are laid from the dealt hand, {egg_timing}, and take the place of a set; an egg "
        "{egg_is_exposed_meld}. Matching tiles drawn later are appended. Four-tile eggs and "
        "appended tiles draw a replacement.",
        "{egg_timing}可从起手牌下蛋，算一组，{egg_is_exposed_meld}；以后摸到的同类牌可补上。四张"
        "的蛋和每张补蛋都要补牌。",
        _EGGS,
    ),
    law("CC-11a", "Whirlwind Kong: E S W N.", "旋风杠：东南西北。", _EGGS),
    law("CC-11b", "Joy: red, green and white dragon.", "喜杠：中发白。", _EGGS),
    law(
        "CC-11c",
        "Yao Jiu: the three ones, or the three nines.",
        "幺九蛋：三门的一，或三门的九。",
        _EGGS,
    ),
    law(
        "CC-11d",
        "Great Terminal: four terminals or dragons, {great_terminal_distinct}.",
        "大蛋：四张幺九牌或箭牌，{great_terminal_distinct}。",
        _EGGS,
    ),
    law("CC-11e", "Peacock Flying Southeast: 1 bamboo, E, S.", "孔雀东南飞：一条、东、南。", _EGGS),
    law(
        "CC-11f",
        "Gun Down the East Bamboo: 7 dots, E, any bamboo.",
        "枪毙东条：七筒、东、任一条子。",
        _EGGS,
    ),
    law(
        "CC-11g",
        "Beating the Drum and Cursing Cao Cao: 2 bamboo, 1 dot, white dragon.",
        "击鼓骂曹：二条、一筒、白。",
        _EGGS,
    ),
    law(
        "CC-12",
        "A tile that matches one of an egg's tiles may be appended to it: "
        "{egg_supplement_from_discard}. To Gun Down the East Bamboo goes "
        "{gun_down_bamboo_supplement}.",
        "与蛋中之一相同的牌可补上：{egg_supplement_from_discard}。枪毙东条所补条子："
        "{gun_down_bamboo_supplement}。",
        _EGGS,
    ),
    law(
        "CC-13",
        "An egg must be whole in the dealt hand; the dealer appends nothing in the first turn; an "
        "appended tile may be taken for a pung, a kong or a win.",
        "蛋须起手齐全；庄家第一轮不能补蛋；补蛋的牌可被碰、杠、和。",
        _RESTRICTION,
    ),
    law(
        "CC-14",
        "In a turn take a tile, by drawing or claiming, then win or discard.",
        "轮到时摸牌或要牌，然后和牌或打牌。",
        "Basic Rules",
    ),
    law("CC-15", "A pung may be claimed from any player.", "可碰任何一家打出的牌。", _CALLS),
    law(
        "CC-16",
        "Kongs: three held and a discard, four held, or a fourth added to an own pung "
        "({kong_added_tile}); never a discard added to a pung.",
        "杠：手中三张加他家打出、手中四张、或第四张加杠（{kong_added_tile}）；打出的牌不能加杠。",
        _CALLS,
    ),
    law(
        "CC-17",
        "Every kong draws a replacement {kong_replacement_source}. Two tiles more go into the "
        "dead wall {dead_wall_grows}.",
        "开杠{kong_replacement_source}补牌。{dead_wall_grows}，留底牌增加两张。",
        _CALLS,
    ),
    law(
        "CC-18",
        "A chow may be claimed from the player before only, unless it wins.",
        "只能吃上家打出的牌，和牌除外。",
        _CALLS,
    ),
    law(
        "CC-19",
        "A discard may be claimed to win with whatever it completes; never for a mere pair.",
        "和牌可要任何所缺的牌；不能只为凑对而要。",
        _CALLS,
    ),
    law(
        "CC-20",
        "A win goes before a kong or pung, these before an egg's supplement, that before a chow.",
        "先后：和、杠碰、补蛋、吃。",
        "FAQ",
    ),
    law(
        "CC-21",
        "One player wins: the nearest after the discarder, or after the owner of a robbed egg.",
        "只有一家和牌：点炮者或被抢蛋者之后最近的一家。",
        "FAQ; Winning",
    ),
    law(
        "CC-22",
        "A discard is claimed at once; laid melds never change.",
        "要牌须立即；副露不得更改。",
        "Getting a Tile",
    ),
    law(
        "CC-23",
        "Melds lie face up; a concealed kong face down, one or two inner tiles of it turned up.",
        "副露正面朝上；暗杠扣下，中间翻开一张或两张。",
        "Arranging your Tiles",
    ),
    law(
        "CC-24",
        "A player one tile short of a legal win may declare ready with a discard, and need not.",
        "差一张即可和牌者可在打牌时报听，也可不报。",
        _READY,
    ),
    law(
        "CC-25",
        "A ready hand has {ready_sequence_required}, a triplet, two suits and a terminal; what "
        "counts is {ready_requirements_on}. At least four tiles are still in hand, and "
        "{ready_requires_open}.",
        "报听须{ready_sequence_required}，并有刻子、两门花色、幺九，以{ready_requirements_on}为准；"
        "手中至少四张，{ready_requires_open}。",
        _READY,
    ),
    law(
        "CC-26",
        "After that the hand stays as it is; a win let pass costs nothing. A concealed kong that "
        "keeps the waits is {ready_concealed_kong}.",
        "报听后手牌不变；放过和牌不罚。不改变听口的暗杠{ready_concealed_kong}开。",
        _READY,
    ),
    law(
        "CC-27",
        "At the first ready declaration dice count columns from the wall's back; the top tile "
        "there is the indicator.",
        "首家报听时掷骰，从牌墙尾数墩，上面一张为指示牌。",
        _REVEAL,
    ),
    law(
        "CC-28",
        "The treasure is {treasure_tiles}.",
        "宝牌是{treasure_tiles}。",
        _REVEAL,
    ),
    law(
        "CC-29",
        "Only ready players look at the indicator.",
        "只有报听者可看指示牌。",
        f"{_TREASURE}; {_REVEAL}",
        "",
    ),
    law(
        "CC-29a",
        "A Rush: a ready player who waits for the treasure wins at once, without drawing.",
        "冲宝：听的正是宝牌的报听者不摸牌即和。",
        f"{_TREASURE}; {_REVEAL}",
        "treasure_rush",
    ),
    law(
        "CC-30",
        "For ready players the treasure is wild and completes the hand: "
        "{treasure_wild_on_discard}.",
        "报听者得到宝牌可作百搭和牌：{treasure_wild_on_discard}。",
        _TREASURE,
        options=("treasure_needs_ready",),
    ),
    law(
        "CC-31",
        "Too high a roll is rolled again; with four tiles left or fewer there is no treasure.",
        "点数超过墩数重掷；余四张以下不开宝。",
        _REVEAL,
    ),
    law(
        "CC-32",
        "When three treasures are seen, the first ready player may roll for a new one.",
        "明面已见三张宝牌时，首家报听者可重新开宝。",
        "Running Out of Treasure",
    ),
    law(
        "CC-33",
        "From twelve tiles on ({end_count_base}) there are no kongs, nothing is put to an egg, and "
        "only self-drawn wins count.",
        "最后十二张（{end_count_base}）不能开杠、补蛋，只能自摸。",
        _END,
        "self_draw_only_last_twelve",
    ),
    law(
        "CC-34",
        "Who draws one of the last four tiles wins or discards it; {last_four_calls} that discard.",
        "摸到最后四张之一者，和牌或打出；打出后{last_four_calls}。",
        _END,
    ),
    law(
        "CC-35",
        "A hand that nobody wins is drawn; eggs and kongs are {kongs_paid_on_draw}.",
        "无人和为流局，蛋和杠{kongs_paid_on_draw}。",
        _END,
    ),
    law(
        "CC-36",
        "A win is four sets (pungs, chows, kongs, eggs) and a pair.",
        "四组（刻、顺、杠、蛋）加一对。",
        _WINNING,
    ),
    law(
        "CC-37",
        "It has a triplet or kong; an egg {egg_as_triplet}.",
        "须有刻子或杠；蛋{egg_as_triplet}。",
        _REQUIREMENTS,
        "triplet",
    ),
    law(
        "CC-38",
        "It has {red_dragon_terminal}.",
        "须有{red_dragon_terminal}。",
        _REQUIREMENTS,
        "terminal",
    ),
    law("CC-39", "It has tiles of all three suits.", "须三门齐。", _REQUIREMENTS, "three_suits"),
    law("CC-40", "No other form wins.", "没有其他牌型。", _WINNING),
    law(
        "CC-41",
        "A payer owes the base score, {base_score}, times all multipliers, and times two "
        "{formula_extra_two}.",
        "每家付底分 {base_score} × 各番之积，{formula_extra_two}再 × 2。",
        f"Base Points; {_FORMULA}",
    ),
    law(
        "CC-42a",
        "The winning tile fills an edge, closed or single wait, {clamp_definition}; a wild "
        "treasure that fills it {clamp_on_wild_draw}.",
        "和的是边张、嵌张或单吊（{clamp_definition}）；宝牌作百搭补成的{clamp_on_wild_draw}。",
        _TABLE,
        "clamp_win",
    ),
    law("CC-42b", "The winning tile is drawn.", "自己摸到和牌张。", _TABLE, "self_draw"),
    law(
        "CC-42c",
        "The winning tile is the treasure; it counts for {treasure_needs_ready}.",
        "和牌张是宝牌；{treasure_needs_ready}可算。",
        _TABLE,
        "treasure_tile_win",
    ),
    law(
        "CC-42d",
        "The treasure is the very tile that the hand needs: {straight_scope}. A Rush counts "
        "{rush_multipliers}.",
        "所听的正是宝牌：{straight_scope}。冲宝计{rush_multipliers}。",
        _TABLE,
        "straight_to_treasure",
        options=("treasure_needs_ready",),
    ),
    law(
        "CC-42e",
        "Treasures were held before ready was declared: times 2, {hidden_treasure_each}.",
        "报听前手中已有宝牌：2 倍，{hidden_treasure_each}。",
        _TABLE,
        "hidden_treasure",
    ),
    law(
        "CC-42f",
        "Every set is a triplet or kong; an egg {egg_as_triplet}.",
        "全为刻子或杠；蛋{egg_as_triplet}。",
        _TABLE,
        "pure_pung",
    ),
    law("CC-42g", "The dealer wins.", "庄家和牌。", _TABLE, "dealer_win"),
    law(
        "CC-42h",
        "There is no exposed meld; an egg {egg_is_exposed_meld}.",
        "没有明的副露；下蛋{egg_is_exposed_meld}。",
        _TABLE,
        "standing_win",
    ),
    law(
        "CC-42i",
        "The treasure is the needed tile of a clamp; counted beside the clamp and the treasure.",
        "夹胡所听的正是宝牌，与夹胡、宝牌另计。",
        _TABLE,
        "treasure_inside_treasure",
    ),
    law(
        "CC-43",
        "The discarder, or the owner of a robbed egg, pays alone; all three pay a self-draw or a "
        "Rush.",
        "点炮者或被抢蛋者独付；自摸、冲宝三家付。",
        f"Points and Payout; {_TABLE}",
    ),
    law(
        "CC-44",
        "The dealer pays double for another's hand, {dealer_loss_triggers_extra}.",
        "庄家付他家和牌加倍，{dealer_loss_triggers_extra}。",
        _TABLE,
    ),
    law(
        "CC-45",
        "A hand is paid 1000 at most; the limit is on {cap_scope}.",
        "一次和牌最多付 1000，按{cap_scope}计。",
        _FORMULA,
    ),
    law(
        "CC-46",
        "An egg is paid {base_score} by each other player, and {base_score} more for each "
        "appended tile, whoever wins.",
        "蛋：三家各付 {base_score}，每补一张加 {base_score}，不论谁和。",
        _EGG_PAY,
    ),
    law(
        "CC-47",
        "If a tile appended to an egg is taken, {broken_egg_scope}.",
        "补蛋的牌被要走，{broken_egg_scope}。",
        _EGG_PAY,
    ),
    law(
        "CC-48",
        "At the hand's end each other player pays {concealed} for a concealed kong, {exposed} "
        "for one made with a discard and {base_score} for an added one, whoever wins.",
        "局终三家各付：暗杠 {concealed}，明杠 {exposed}，补杠 {base_score}，不论谁和。",
        "Kong Payouts",
        "",
        options=("exposed_kong_payout",),
        slots={"concealed": _concealed, "exposed": _exposed},
    ),
    law(
        "CC-48a",
        "A regular kong cannot be robbed; a tile appended to an egg can.",
        "普通的杠不能抢；补蛋的牌可抢。",
        "Kong Payouts; Lucky Egg Payouts",
        "regular_kong_cannot_be_robbed",
    ),
    law(
        "CC-49",
        "Players begin with 50 or 100 points, as agreed; here {begins}. The base score is "
        "{base_score}, and may be agreed higher.",
        "起始各 50 或 100 分，可商定；此处{begins}。底分 {base_score}，可商定加大。",
        "Initial Points; Base Points",
        options=("starting_points",),
    ),
    law(
        "CC-50",
        "The document names no penalty for a false win or a foul hand. Here a false win {costs}.",
        "文档未规定诈和、犯规的处罚。此处诈和{costs}。",
        "(silent)",
        options=("false_win_penalty", "false_win_amount"),
    ),
)
