"""Changchun's numbered rules in a sentence each, for the rule sheet."""

from table_assist.rules.laws import law

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
        "A dealer who wins stays; if another wins, the next seat deals.",
        "庄家和牌连庄；闲家和牌则轮到下家坐庄。",
        f"{_DEALER}; {_END}",
        options=("draw_dealer",),
    ),
    law("CC-05", "The wall has 17 stacks a side.", "牌墙每面十七墩。", "Setting Up The Wall"),
    law(
        "CC-06",
        "The dealer rolls; the total counts sides counter-clockwise, the dealer's being one.",
        "庄家掷骰，从庄家起逆时针数定开牌方。",
        "Breaking The Wall",
        options=("break_count_start",),
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
        "最后 14 张为不用的牌；发牌后余 69 张可摸。",
        "Breaking The Wall",
    ),
    law(
        "CC-09",
        "Each takes four tiles three times; then the dealer two, the others one.",
        "各拿三次四张，庄家再拿两张，其余各一张。",
        "Dealing The Hand",
        options=("last_deal_pick",),
    ),
    law(
        "CC-10",
        "Eggs are laid from the dealt hand and take the place of a set; matching tiles drawn later "
        "are appended. Four-tile eggs and appended tiles draw a replacement.",
        "起手牌可下蛋，算一组；以后摸到的同类牌可补上。四张的蛋和每张补蛋都要补牌。",
        _EGGS,
        options=("egg_timing", "egg_is_exposed_meld"),
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
        "Great Terminal: four terminals or dragons.",
        "大蛋：四张幺九牌或箭牌。",
        _EGGS,
        options=("great_terminal_distinct",),
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
        "Drawn tiles that match one of an egg's tiles may be appended to it.",
        "摸到与蛋中之一相同的牌可补上。",
        _EGGS,
        options=("gun_down_bamboo_supplement", "egg_supplement_from_discard"),
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
        "Kongs: three held and a discard, four held, or a drawn fourth added to an own pung; "
        "never a discard added to a pung.",
        "杠：手中三张加他家打出、手中四张、或自摸第四张加杠；打出的牌不能加杠。",
        _CALLS,
    ),
    law(
        "CC-17",
        "Every kong draws a replacement, and puts two tiles more into the dead wall.",
        "开杠须补牌，并使不用的牌增加两张。",
        _CALLS,
        options=("kong_replacement_source", "dead_wall_grows"),
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
        "One player wins: the nearest after the discarder.",
        "只有一家和牌：点炮者之后最近的一家。",
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
        "A ready hand needs a sequence, a triplet, two suits, a terminal, an open meld, and four "
        "tiles in hand.",
        "报听须有顺子、刻子、两门、幺九，已开门，手中至少四张。",
        _READY,
        options=("ready_requires_open", "ready_sequence_required", "ready_requirements_on"),
    ),
    law(
        "CC-26",
        "After that the hand stays as it is, but for a closed kong that keeps the waits; a win let "
        "pass costs nothing.",
        "报听后手牌不变（不改听口的暗杠除外）；放过和牌不罚。",
        _READY,
        options=("ready_concealed_kong",),
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
        "The treasure is the tile that follows the indicator.",
        "宝牌是指示牌的下一张。",
        _REVEAL,
        options=("treasure_tiles",),
    ),
    law(
        "CC-29",
        "Only ready players look at it; one who waits for the treasure wins at once: the Rush.",
        "只有报听者可看；听的正是宝牌即和：冲宝。",
        f"{_TREASURE}; {_REVEAL}",
        "treasure_rush",
    ),
    law(
        "CC-30",
        "For ready players a drawn treasure is wild and completes the hand.",
        "报听者摸到宝牌可作百搭和牌。",
        _TREASURE,
        options=("treasure_wild_on_discard", "treasure_needs_ready"),
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
        "From twelve tiles on there are no kongs and only self-drawn wins.",
        "最后十二张不能开杠，只能自摸。",
        _END,
        "self_draw_only_last_twelve",
        options=("end_count_base",),
    ),
    law(
        "CC-34",
        "The last four tiles are only drawn and discarded.",
        "最后四张只能摸打。",
        _END,
        options=("last_four_calls",),
    ),
    law(
        "CC-35",
        "A hand that nobody wins is drawn; eggs and kongs are settled all the same.",
        "无人和为流局，蛋和杠照付。",
        _END,
        options=("kongs_paid_on_draw",),
    ),
    law(
        "CC-36",
        "A win is four sets (pungs, chows, kongs, eggs) and a pair.",
        "四组（刻、顺、杠、蛋）加一对。",
        _WINNING,
    ),
    law(
        "CC-37",
        "It has a triplet or kong.",
        "须有刻子或杠。",
        _REQUIREMENTS,
        "triplet",
        options=("egg_as_triplet",),
    ),
    law(
        "CC-38",
        "It has a 1, a 9 or a Red Dragon.",
        "须有幺九牌或红中。",
        _REQUIREMENTS,
        "terminal",
        options=("red_dragon_terminal",),
    ),
    law("CC-39", "It has tiles of all three suits.", "须三门齐。", _REQUIREMENTS, "three_suits"),
    law("CC-40", "No other form wins.", "没有其他牌型。", _WINNING),
    law(
        "CC-41",
        "A payer owes the base, and twice the base times all multipliers once one applies.",
        "每家付底分；有番时付底分 × 2 × 各番之积。",
        f"Base Points; {_FORMULA}",
        options=("base_score", "formula_extra_two"),
    ),
    law(
        "CC-42a",
        "The winning tile fills an edge, closed or single wait.",
        "和的是边张、嵌张或单吊。",
        _TABLE,
        "clamp_win",
        options=("clamp_definition", "clamp_on_wild_draw"),
    ),
    law("CC-42b", "The winning tile is drawn.", "自己摸到和牌张。", _TABLE, "self_draw"),
    law(
        "CC-42c",
        "The winning tile is the treasure.",
        "和牌张是宝牌。",
        _TABLE,
        "treasure_tile_win",
        options=("treasure_needs_ready",),
    ),
    law(
        "CC-42d",
        "The treasure is the very tile that the hand needs.",
        "所听的正是宝牌。",
        _TABLE,
        "straight_to_treasure",
        options=("straight_scope", "rush_multipliers"),
    ),
    law(
        "CC-42e",
        "The hand held treasures before ready was declared.",
        "报听前手中已有宝牌。",
        _TABLE,
        "hidden_treasure",
        options=("hidden_treasure_each",),
    ),
    law(
        "CC-42f",
        "Every set is a triplet or kong.",
        "全为刻子或杠。",
        _TABLE,
        "pure_pung",
        options=("egg_as_triplet",),
    ),
    law("CC-42g", "The dealer wins.", "庄家和牌。", _TABLE, "dealer_win"),
    law(
        "CC-42h",
        "There is no exposed meld.",
        "没有明的副露。",
        _TABLE,
        "standing_win",
        options=("egg_is_exposed_meld",),
    ),
    law(
        "CC-42i",
        "The treasure is the needed tile of a clamp, beside the clamp and the treasure.",
        "夹胡所听的正是宝牌，与夹胡、宝牌另计。",
        _TABLE,
        "treasure_inside_treasure",
    ),
    law(
        "CC-43",
        "The discarder, or the owner of a robbed egg, pays alone; all three pay a self-draw or "
        "Rush.",
        "点炮者或被抢蛋者独付；自摸、冲宝三家付。",
        f"Points and Payout; {_TABLE}",
    ),
    law(
        "CC-44",
        "The dealer pays double for another's hand.",
        "庄家付他家和牌加倍。",
        _TABLE,
        options=("dealer_loss_triggers_extra",),
    ),
    law(
        "CC-45",
        "A hand's payment ends at 1000.",
        "和牌付分一千封顶。",
        _FORMULA,
        options=("cap_scope",),
    ),
    law(
        "CC-46",
        "An egg is paid 1 by each other player and 1 for each appended tile, whoever wins.",
        "蛋：三家各付 1，每补一张加 1，不论谁和。",
        _EGG_PAY,
    ),
    law(
        "CC-47",
        "An egg of which an appended tile was taken is not paid.",
        "补蛋被抢的蛋不付。",
        _EGG_PAY,
        options=("broken_egg_scope",),
    ),
    law(
        "CC-48",
        "Each other player pays 2 for a concealed and 1 for an added kong at the hand's end. A "
        "regular kong cannot be robbed.",
        "局终三家各付：暗杠 2，补杠 1；普通的杠不能抢。",
        "Kong Payouts",
        "regular_kong_cannot_be_robbed",
        options=("exposed_kong_payout",),
    ),
    law(
        "CC-49",
        "Players begin with 50 or 100 points; the base is 1, or more by agreement.",
        "起始各 50 或 100 分；底分 1，可商定加大。",
        "Initial Points; Base Points",
        options=("starting_points", "base_score"),
    ),
    law(
        "CC-50",
        "The document names no penalty for a false win or a foul hand.",
        "文档未规定诈和、犯规的处罚。",
        "(silent)",
        options=("false_win_penalty", "false_win_amount"),
    ),
)
