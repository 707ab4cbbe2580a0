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
        "whoever drew the last tile. If nobody took it, {draw_no_last_drawer}.",
        "赢家坐庄；多家和牌由其中一家（随机或商定）坐庄；流局由摸最后一张者坐庄，无人要则"
        "{draw_no_last_drawer}。",
        "Determining The Dealer; Winning",
        instead=(
            (
                ("dealer_succession", "rotate"),
                "The next seat deals after every hand, whoever won.",
                "每局轮到下家坐庄，不论谁和。",
            ),
        ),
    ),
    law(
        "CS-05",
        "There is no round wind, as there are no winds.",
        "没有风牌，也就没有圈风。",
        "Determining The Dealer",
    ),
    law(
        "CS-06",
        "The wall: {wall_layout}.",
        "牌墙：{wall_layout}。",
        "Setting up the Wall",
    ),
    law(
        "CS-07",
        "The dealer rolls; the total counts sides counter-clockwise ({break_count_start}), then "
        "stacks from that side's right-hand end. There is no dead wall.",
        "庄家掷骰，按点数逆时针数定开牌方（{break_count_start}），再从该方右端数墩开牌；没有留底牌。",
        "Breaking The Wall",
    ),
    law(
        "CS-08",
        "Each takes four tiles three times, then one; the dealer draws the fourteenth first. As "
        "a dealt hand the dealer's {dealer_start_hand} tiles count.",
        "各拿三次四张，再各拿一张，庄家先摸第十四张。庄家起手牌按 {dealer_start_hand} 张算。",
        "Dealing the Hand",
    ),
    law(
        "CS-09",
        "A pung may be claimed from any player.",
        "可碰任何一家打出的牌。",
        "Calling Tiles",
    ),
    law(
        "CS-10",
        "Kongs: three held and a discard, four held, or a fourth added to an own pung "
        "({kong_added_tile}); never a discard added to a pung. A kong itself is paid nothing.",
        "杠：手中三张加他家打出、手中四张、或第四张加杠（{kong_added_tile}）；"
        "打出的牌不能加杠。杠不计分。",
        "Calling Tiles; Arranging Your Tiles",
    ),
    law(
        "CS-11",
        "For a kong's replacement its player rolls dice for the place, counted {kong_roll}, or "
        "takes the wall's last tile.",
        "杠后补牌由开杠者选择：掷骰定位（{kong_roll}），或取牌墙最后一张。",
        "Calling Tiles",
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
        instead=(
            (
                ("multiple_winners", "closest"),
                "Of several who claim a tile to win, the nearest in turn wins alone.",
                "几家同时要和一张牌，只由顺序最近的一家和。",
            ),
        ),
    ),
    law(
        "CS-16",
        "The last tile may be taken or passed on; whoever takes it wins or discards it, and "
        "others may win on it. If nobody does, the hand is drawn.",
        "最后一张可要可不要；要者和牌或打出，他家可和；无人和则流局。",
        _LAST,
    ),
    law(
        "CS-17",
        "A last tile taken as a kong's replacement is nothing special.",
        "最后一张若为杠后补牌，不按海底计。",
        _LAST,
    ),
    law(
        "CS-18",
        "A win is four sets and a pair, seven pairs, or fourteen Generals.",
        "和牌：四组一对、七对，或十四张都是将牌。",
        f"Winning; {_TABLE}",
        instead=(
            (
                ("all_generals_needs_sets", True),
                "A win is four sets and a pair, or seven pairs.",
                "和牌：四组一对，或七对。",
            ),
        ),
    ),
    law(
        "CS-19",
        "The pair must be 2s, 5s or 8s, unless a Big Win does not ask for it; such a pair among "
        "seven pairs {generals_in_seven_pairs}.",
        "将对须为 2、5、8，不需将对的大胡除外；七对中的 2、5、8 对子{generals_in_seven_pairs}。",
        "The 258 Generals",
        "generals_pair",
    ),
    law(
        "CS-20",
        "Four sets and a General pair, and nothing bigger: 1 from a payer, 2 where payer or "
        "winner is the dealer.",
        "四组加将对，别无大胡：每家付 1，付方或赢家为庄家时付 2。",
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
        "Every tile is a 2, 5 or 8; melds will do; {all_generals_needs_sets}.",
        "每张都是 2、5、8，可有副露；{all_generals_needs_sets}。",
        _TABLE,
        "all_generals",
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
        "All four sets are claimed, {beggar_kongs}, and the last tile too; any pair.",
        "四组都由他家打出的牌组成（{beggar_kongs}），和的也是别人打出的牌，不需将对。",
        _TABLE,
        "full_beggar",
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
        "以自己开杠后补的牌和牌，须有将对。",
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
        "Seven pairs with four of a kind among them, in place of Seven Pairs: "
        "{luxurious_combination}. Two fours count {luxurious_two_quads}.",
        "七对中有四张相同，代替七巧对：{luxurious_combination}。两个四张{luxurious_two_quads}。",
        _TABLE,
        "luxurious_seven_pairs",
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
        "After a win two tiles are turned, {bird_source}: the birds. Several winners "
        "{birds_multi_winner}; with fewer than two tiles left, {bird_shortage}.",
        "和牌后{bird_source}翻两张鸟牌。多家和牌{birds_multi_winner}；余牌不足两张时"
        "{bird_shortage}。",
        _BIRDS,
    ),
    law(
        "CS-26",
        "A bird names a seat, counted {bird_origin}: 1, 5, 9 that seat, 2, 6 the next, 3, 7 "
        "opposite it, 4, 8 the one before it.",
        "鸟牌定座，{bird_origin}数起：1、5、9 为该家，2、6 为其下家，3、7 为其对家，"
        "4、8 为其上家。",
        _BIRDS,
    ),
    law(
        "CS-27",
        "A bird on winner, discarder or owner of a robbed kong doubles, two such triple. On a "
        "self-draw one on the winner counts for all three; one on a payer {bird_self_draw_payer}.",
        "鸟中赢家、点炮者或被抢杠者：一只翻倍，两只三倍。自摸时中赢家对三家都算，落在付分者"
        "{bird_self_draw_payer}。",
        _BIRDS,
    ),
    law(
        "CS-28",
        "Each payer owes what the hand is worth times what the birds make it: 1, 2 or 3.",
        "每家付：牌值乘扎鸟倍率（1、2 或 3）。",
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
        "Six Six Straight: two triplets in the dealt hand; four of a kind "
        "{quad_is_triplet_for_six_six}.",
        "六六顺：起手有两个三张；四张相同{quad_is_triplet_for_six_six}。",
        _STARTING,
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
        "played on with the same tiles. It is shown {instant_wins_until}. Of several at once "
        "{instant_wins_stack}.",
        "每项按小胡由三家付，不扎鸟，原牌继续打；{instant_wins_until}。同时有几项时"
        "{instant_wins_stack}。",
        _STARTING,
        only_if=("instant_wins", True),
    ),
    law("CS-31", "Nothing is paid after a draw.", "流局不付分。", _LAST),
    law(
        "CS-32",
        "The document names no penalty for a false win, and no points to begin with. Here a "
        "false win {costs}; {begins}.",
        "文档未规定诈和的处罚，也未规定起始分。此处诈和{costs}；{begins}。",
        "(silent)",
        options=("false_win_penalty", "false_win_amount", "starting_points"),
    ),
)
