"""Changsha's numbered rules in a sentence each, for the rule sheet."""

from table_assist.rules.laws import law

_TABLE = "Payout Table for Winning Hands"
_STARTING = "Starting Hand Instant Win Conditions"
_BIRDS = "Capturing the Bird"
_LAST = "The Last Tile of The Wall"


LAWS = (
    law(
        "CS-01",
        "108 tiles: characters, dots and bamboo, four of each; no honours. Two dice.",
        "108 张：万、筒、条各四张，无字牌；两颗骰子。",
        "Tiles to Play",
    ),
    law(
        "CS-02",
        "Four players; turns go counter-clockwise.",
        "四人，逆时针轮流。",
        "Basic Rules",
    ),
    law(
        "CS-03",
        "The first dealer is found at random or agreed, for instance by turning up tiles.",
        "首庄随机或商定，例如翻牌。",
        "Determining The Dealer",
    ),
    law(
        "CS-04",
        "The winner deals next; of several winners one, by chance or agreement; after a draw, "
        "whoever drew the last tile.",
        "赢家坐庄；多家和牌由其中一家（随机或商定）坐庄；流局由摸最后一张者坐庄。",
        "Determining The Dealer; Winning",
        options=("dealer_succession", "draw_no_last_drawer"),
    ),
    law(
        "CS-05",
        "There is no round wind, as there are no winds.",
        "没有风牌，也就没有圈风。",
        "Determining The Dealer",
    ),
    law(
        "CS-06",
        "The wall has 13 stacks a side, and 14 before the dealer and opposite.",
        "牌墙每面十三墩，庄家与对家十四墩。",
        "Setting up the Wall",
        options=("wall_layout",),
    ),
    law(
        "CS-07",
        "The dealer rolls; the total counts sides counter-clockwise, then stacks from that side's "
        "right-hand end. There is no dead wall.",
        "庄家掷骰，按点数逆时针数定开牌方，再从该方右端数墩开牌；没有不用的牌。",
        "Breaking The Wall",
        options=("break_count_start",),
    ),
    law(
        "CS-08",
        "Each takes four tiles three times, then one; the dealer draws the fourteenth first.",
        "各拿三次四张，再各拿一张，庄家先摸第十四张。",
        "Dealing the Hand",
        options=("dealer_start_hand",),
    ),
    law(
        "CS-09",
        "A pung may be claimed from any player.",
        "可碰任何一家打出的牌。",
        "Calling Tiles",
    ),
    law(
        "CS-10",
        "Kongs: three held and a discard, four held, or a drawn fourth added to an own pung; "
        "never a discard added to a pung. A kong itself is paid nothing.",
        "杠：手中三张加他家打出、手中四张、或自摸第四张加在已碰的牌上；打出的牌不能加杠。杠不计分。",
        "Calling Tiles; Arranging Your Tiles",
    ),
    law(
        "CS-11",
        "For a kong's replacement its player rolls dice for the place, or takes the wall's last "
        "tile.",
        "补杠牌由开杠者选择：掷骰定位，或取牌墙最后一张。",
        "Calling Tiles",
        options=("kong_roll",),
    ),
    law(
        "CS-12",
        "A chow may be claimed from the player before only, unless it wins.",
        "只能吃上家打出的牌，和牌除外。",
        "Calling Tiles",
    ),
    law(
        "CS-13",
        "Any tile that completes a legal hand may be claimed to win.",
        "凡能和牌的牌都可要。",
        "Calling Tiles",
    ),
    law(
        "CS-14",
        "A win goes before a pung or kong, and these before a chow.",
        "和优先于碰、杠，碰、杠优先于吃。",
        "FAQ",
    ),
    law(
        "CS-15",
        "Several players may win on one tile, and each is paid.",
        "可多家同时和一张牌，各自收分。",
        "Winning; FAQ",
        options=("multiple_winners",),
    ),
    law(
        "CS-16",
        "The last tile may be taken or passed on; whoever takes it wins or discards it, and others "
        "may win on it. If nobody does, the hand is drawn.",
        "最后一张可要可不要；要者和牌或打出，他家可和；无人和则流局。",
        _LAST,
        options=("draw_no_last_drawer",),
    ),
    law(
        "CS-17",
        "A last tile taken as a kong's replacement is nothing special.",
        "最后一张若为补杠牌，不按海底计。",
        _LAST,
    ),
    law(
        "CS-18",
        "A win is four sets and a pair, seven pairs, or fourteen Generals.",
        "和牌：四组一对、七对，或十四张都是将牌。",
        f"Winning; {_TABLE}",
        options=("all_generals_needs_sets",),
    ),
    law(
        "CS-19",
        "The pair must be 2s, 5s or 8s, unless a Big Win does not ask for it.",
        "将对须为 2、5、8；不需将的大胡除外。",
        "The 258 Generals",
        "generals_pair",
        options=("generals_in_seven_pairs",),
    ),
    law(
        "CS-20",
        "Four sets and a General pair, and nothing bigger: 1 from a payer, 2 with the dealer.",
        "四组加将对，别无大胡：每家付 1，涉及庄家付 2。",
        _TABLE,
        "small_win",
    ),
    law(
        "CS-21a",
        "Every set is a pung or kong; melds and any pair will do.",
        "全为刻子或杠，可有副露，不需将对。",
        _TABLE,
        "all_triplets",
    ),
    law(
        "CS-21b",
        "Every tile is a 2, 5 or 8; melds will do.",
        "每张都是 2、5、8，可有副露。",
        _TABLE,
        "all_generals",
        options=("all_generals_needs_sets",),
    ),
    law(
        "CS-21c",
        "One suit; melds and any pair will do.",
        "同一门花色，可有副露，不需将对。",
        _TABLE,
        "full_flush",
    ),
    law(
        "CS-21d",
        "All four sets are claimed, and the last tile too; any pair.",
        "四组都是吃碰杠来的，和的也是别人打出的牌，不需将对。",
        _TABLE,
        "full_beggar",
        options=("beggar_kongs",),
    ),
    law("CS-21e", "Seven pairs, whichever.", "七个对子，不需将对。", _TABLE, "seven_pairs"),
    law(
        "CS-21f",
        "The wall's last tile is drawn and wins; with a General pair.",
        "摸最后一张和牌，须有将对。",
        _TABLE,
        "last_tile_win",
    ),
    law(
        "CS-21g",
        "The last tile, discarded, wins; with a General pair.",
        "和打出的最后一张，须有将对。",
        _TABLE,
        "last_tile_discard",
    ),
    law(
        "CS-21h",
        "The replacement tile of the own kong wins; with a General pair.",
        "以自己的补杠牌和牌，须有将对。",
        _TABLE,
        "after_kong",
    ),
    law(
        "CS-21i",
        "The discard right after another's kong wins; with a General pair.",
        "和他家开杠后打出的牌，须有将对。",
        _TABLE,
        "after_kong_discard",
    ),
    law(
        "CS-21j",
        "A tile that another adds to a pung wins; with a General pair.",
        "和他家加杠的牌，须有将对。",
        _TABLE,
        "robbing_kong",
    ),
    law(
        "CS-21k",
        "Not the dealer, with the first tile drawn and no meld, not even a concealed kong; with a "
        "General pair.",
        "闲家第一张自摸和牌，无任何副露（含暗杠），须有将对。",
        _TABLE,
        "blessing_of_earth",
    ),
    law(
        "CS-21l",
        "The dealer, with the dealt hand; with a General pair.",
        "庄家起手即和，须有将对。",
        _TABLE,
        "blessing_of_heaven",
    ),
    law(
        "CS-21m",
        "Seven pairs of which two are four of a kind: counts two Big Wins in place of Seven Pairs.",
        "七对中有四张相同：计两个大胡，代替七巧对。",
        _TABLE,
        "luxurious_seven_pairs",
        options=("luxurious_two_quads", "luxurious_combination"),
    ),
    law(
        "CS-22",
        "Big Wins add up. A Small Win is never added; a row that asks for a General pair counts "
        "for nothing without one.",
        "大胡相加；小胡不加；须将对的番种无将对则不计。",
        "Payout",
    ),
    law(
        "CS-23",
        "A payer owes 1 for a Small Win and 6 for each Big Win; 2 and 7 where payer or winner is "
        "the dealer.",
        "小胡每家 1，大胡每个 6；付方或赢家为庄家时为 2 和 7。",
        "Payout",
    ),
    law(
        "CS-24",
        "The discarder, or the owner of a robbed kong, pays alone; all three pay a self-draw.",
        "点炮者或被抢杠者独付；自摸三家付。",
        f"Payout; {_BIRDS}",
    ),
    law(
        "CS-25",
        "After a win two tiles are turned: the birds.",
        "和牌后翻两张鸟牌。",
        _BIRDS,
        options=("birds_multi_winner", "bird_source", "bird_shortage"),
    ),
    law(
        "CS-26",
        "A bird names a seat: 1, 5, 9 the dealer, 2, 6 the right, 3, 7 opposite, 4, 8 the left.",
        "鸟牌定座：1、5、9 庄家，2、6 下家，3、7 对家，4、8 上家。",
        _BIRDS,
        options=("bird_origin",),
    ),
    law(
        "CS-27",
        "A bird on winner or discarder doubles, two such triple. On a self-draw only the winner "
        "counts.",
        "鸟中赢家或点炮者：一只翻倍，两只三倍；自摸只看赢家。",
        _BIRDS,
        options=("bird_self_draw_payer",),
    ),
    law(
        "CS-28",
        "Each payer owes the rate times what the birds make it: 1, 2 or 3.",
        "每家付：底分乘鸟数倍率（1、2 或 3）。",
        "Payout",
    ),
    law(
        "CS-29a",
        "Four Joys: four of a kind in the dealt hand.",
        "四喜：起手有四张相同。",
        _STARTING,
        only_if=("instant_wins", True),
    ),
    law(
        "CS-29b",
        "All Pure: no 2, 5 or 8 in the dealt hand.",
        "板板胡：起手没有 2、5、8。",
        _STARTING,
        only_if=("instant_wins", True),
    ),
    law(
        "CS-29c",
        "Voided Suit: the dealt hand lacks a suit.",
        "缺一色：起手缺一门。",
        _STARTING,
        only_if=("instant_wins", True),
    ),
    law(
        "CS-29d",
        "Six Six Straight: two triplets in the dealt hand.",
        "六六顺：起手有两个三张。",
        _STARTING,
        options=("quad_is_triplet_for_six_six",),
        only_if=("instant_wins", True),
    ),
    law(
        "CS-29e",
        "Three Same: one number paired in all three suits.",
        "三同：三门都有同一数字的对子。",
        _STARTING,
        only_if=("instant_wins", True),
    ),
    law(
        "CS-30",
        "Each of them is paid by the three others as a Small Win, without birds, and the hand is "
        "played on with the same tiles.",
        "每项按小胡由三家付，不扎鸟，原牌继续打。",
        _STARTING,
        options=("instant_wins_stack",),
        only_if=("instant_wins", True),
    ),
    law("CS-31", "Nothing is paid after a draw.", "流局不付分。", _LAST),
    law(
        "CS-32",
        "The document names no penalty for a false win, and no points to begin with.",
        "文档未规定诈和的处罚，也未规定起始分。",
        "(silent)",
        options=("false_win_penalty", "false_win_amount", "starting_points"),
    ),
)
