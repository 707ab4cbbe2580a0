"""Changchun's house rules: what its document leaves open, with the preferred reading first."""

from functools import partial

from table_assist.languages.words import Words
from table_assist.rules.common_options import BEGINNING, NEXT, WHERE, common_option
from table_assist.rules.options import Option, option_of

_option = partial(option_of, "Changchun")
_common = partial(common_option, "Changchun")


_READY = "Declaring a Ready Hand"
_TREASURE = "Revealing the Treasure Tile"
_EGGS = "Lucky Eggs"
_TABLE = "Payout Table"
_END = "End of the Game"

OPTIONS = (
    _option(
        "draw_dealer",
        ("stay", "pass"),
        "After a draw the dealer stays, or the deal passes to the next seat.",
        "流局后庄家连庄，或轮到下家坐庄。",
        "Determining The Dealer; End of the Game",
        said=(
            ("the dealer stays", "庄家连庄"),
            ("the next seat deals", "轮到下家坐庄"),
        ),
        unseen=NEXT,
    ),
    _common("kong_added_tile", "Calling Tiles", stood_for=()),
    _common("break_count_start", "Breaking The Wall"),
    _option(
        "last_deal_pick",
        ("two_in_row", "first_and_fifth"),
        "The dealer's last two tiles lie side by side, or are the first and the fifth.",
        "庄家最后两张牌：连取两张，或跳取第一和第五张。",
        "Dealing The Hand",
        said=(
            ("two that lie side by side", "连取两张"),
            ("the first and the fifth", "跳取第一和第五张"),
        ),
        unseen=WHERE,
    ),
    _option(
        "treasure_tiles",
        ("next_only", "indicator_and_next", "indicator_only"),
        "The treasure is the tile after the indicator, both of them, or the indicator itself.",
        "宝牌是指示牌的下一张、两者都是，或就是指示牌。",
        _TREASURE,
        said=(
            ("the tile after the indicator", "指示牌的下一张"),
            ("the indicator's kind and the tile after it", "指示牌及其下一张"),
            ("the indicator's own kind", "指示牌本身"),
        ),
        unseen=Words(
            "It decides which tile is the treasure; what a treasure pays stays the same.",
            "只决定哪张是宝牌，宝牌的番不变。",
        ),
    ),
    _option(
        "treasure_wild_on_discard",
        (False, True),
        "Whether a discarded treasure, too, is wild for a ready player.",
        "别人打出的宝牌对听牌者是否也作百搭。",
        "Treasure Tiles; Revealing the Treasure Tile",
        said=(
            ("a drawn treasure only", "只限自摸的宝牌"),
            ("a drawn or a discarded treasure", "自摸或他家打出的宝牌"),
        ),
    ),
    _option(
        "ready_requires_open",
        (True, False),
        "Whether only a hand with an exposed meld may be declared ready.",
        "是否须开门（有吃碰杠）才能报听。",
        _READY,
        said=(
            ("it must be open", "须已开门"),
            ("it may be closed", "不必开门"),
        ),
    ),
    _option(
        "ready_sequence_required",
        (True, False),
        "Whether a ready hand of triplets alone lacks a sequence, or is excused.",
        "全刻子的牌报听是否也须有顺子。",
        _READY,
        said=(
            ("a sequence", "有顺子"),
            ("a sequence, unless all sets are triplets", "有顺子（全刻子的牌除外）"),
        ),
    ),
    _option(
        "ready_requirements_on",
        ("completed_hand", "held_tiles"),
        "The requirements of a ready hand look at the completed hand, or at the tiles held.",
        "报听的条件看和成的整手牌，或看手中已有的牌。",
        _READY,
        said=(
            ("the completed hand", "和成的整手牌"),
            ("the tiles held", "手中已有的牌"),
        ),
    ),
    _option(
        "ready_concealed_kong",
        ("allowed", "forbidden"),
        "Whether a ready player may turn a closed triplet into a kong that keeps the waits.",
        "报听后能否开不改变听口的暗杠。",
        _READY,
        said=(
            ("allowed", "可以"),
            ("forbidden", "不可以"),
        ),
    ),
    _option(
        "formula_extra_two",
        ("when_any_multiplier", "always"),
        "The formula's times two applies as soon as a multiplier does, or always.",
        "公式中的乘二：有任一番时才计，或总是计。",
        "Winning Hand Payout Formula",
        said=(
            ("as soon as a multiplier applies", "有任一番时"),
            ("always", "总是"),
        ),
    ),
    _option(
        "dealer_loss_triggers_extra",
        (True, False),
        "Whether the dealer's double payment alone switches that times two on.",
        "仅有庄家加倍时，公式中的乘二是否也计。",
        "Winning Hand Payout Formula; Payout Table",
        said=(
            ("which alone switches the times two on", "单凭此也再 × 2"),
            ("which alone does not switch the times two on", "单凭此不再 × 2"),
        ),
    ),
    _option(
        "cap_scope",
        ("per_payer", "winner_total"),
        "The cap of 1000 is on what one payer owes, or on what the winner gets.",
        "一千分封顶：每家所付，或赢家总收。",
        "Winning Hand Payout Formula",
        said=(
            ("what one payer owes", "每家所付"),
            ("what the winner gets in all", "赢家总收"),
        ),
    ),
    _option(
        "clamp_definition",
        ("any_reading", "sole_wait"),
        "A clamp is any reading with an edge, closed or single wait, or only a sole wait.",
        "夹胡：任一种拆法成边、嵌、单即可，或须只听一张。",
        _TABLE,
        said=(
            ("in any reading of the hand", "任一种拆法即可"),
            ("as the hand's only wait", "须只听这一张"),
        ),
    ),
    _option(
        "clamp_on_wild_draw",
        (True, False),
        "Whether a clamp filled by a wild treasure counts as one.",
        "宝牌作百搭补成的夹是否算夹胡。",
        _TABLE,
        said=(
            ("counts too", "也算"),
            ("does not count", "不算"),
        ),
    ),
    _option(
        "straight_scope",
        ("any_match", "rush_only"),
        "Straight to the Treasure is any win on the needed treasure, or only the Rush.",
        "对宝：和的正是宝牌即算，或只限冲宝。",
        _TABLE,
        said=(
            ("any win with the needed treasure", "和的正是宝牌即算"),
            ("the Rush only", "只限冲宝"),
        ),
    ),
    _option(
        "rush_multipliers",
        ("straight_and_treasure", "straight_only", "straight_treasure_self_draw"),
        "What a Rush counts: Straight and Treasure Tile Win, Straight, or Self-Draw besides.",
        "冲宝计：对宝加宝牌，只计对宝，或再加自摸。",
        "Treasure Tiles; Payout Table",
        said=(
            ("Straight and Treasure Tile Win", "对宝和宝牌"),
            ("Straight alone", "对宝一项"),
            ("Straight, Treasure Tile Win and Self-Draw", "对宝、宝牌和自摸"),
        ),
    ),
    _option(
        "hidden_treasure_each",
        ("once", "per_tile"),
        "Several treasures held before ready count once, or each of them.",
        "听牌前手中有几张宝牌：算一次，或每张都算。",
        _TABLE,
        said=(
            ("once, however many", "不论几张只算一次"),
            ("for each of them", "每张都算"),
        ),
    ),
    _option(
        "treasure_needs_ready",
        (True, False),
        "Whether the treasure pays only those who declared ready.",
        "宝牌的番是否只算给报听者。",
        "Treasure Tiles",
        said=(
            ("those who declared ready", "只有报听者"),
            ("every winner", "任何和牌者"),
        ),
    ),
    _option(
        "egg_as_triplet",
        (False, True),
        "Whether an egg counts as a triplet.",
        "蛋是否算刻子。",
        "Requirements for a Winning Hand",
        said=(
            ("does not count as one", "不算刻子"),
            ("counts as one", "算刻子"),
        ),
    ),
    _option(
        "egg_is_exposed_meld",
        (False, True),
        "Whether an egg opens the hand.",
        "下蛋是否算开门。",
        f"{_TABLE}; {_READY}",
        said=(
            ("does not open the hand", "不算开门"),
            ("opens the hand", "算开门"),
        ),
    ),
    _option(
        "great_terminal_distinct",
        (True, False),
        "Whether the four tiles of a Great Terminal must differ.",
        "大蛋的四张牌是否须各不相同。",
        _EGGS,
        said=(
            ("all four different", "四张各不相同"),
            ("alike or different", "可以相同"),
        ),
    ),
    _option(
        "gun_down_bamboo_supplement",
        ("any", "same"),
        "Any bamboo is appended to Gun Down the East Bamboo, or only its own.",
        "枪毙东条可补任意条子，或只补相同的一张。",
        _EGGS,
        said=(
            ("any bamboo", "任一条子"),
            ("the same bamboo only", "只限相同的条子"),
        ),
    ),
    _option(
        "egg_supplement_from_discard",
        (False, True),
        "Whether a discard may be claimed to be appended to an egg.",
        "能否用别人打出的牌补蛋。",
        f"{_EGGS}; FAQ",
        said=(
            ("a drawn tile only", "只限自摸"),
            ("a drawn or a discarded tile", "自摸或他家打出"),
        ),
    ),
    _option(
        "egg_timing",
        ("before_own_first_discard", "before_dealer_first_discard"),
        "Eggs are laid before one's own first discard, or before the dealer's.",
        "下蛋须在自己首次出牌前，或在庄家首次出牌前。",
        _EGGS,
        said=(
            ("before one's own first discard", "自己首次出牌前"),
            ("before the dealer's first discard", "庄家首次出牌前"),
        ),
        unseen=Words(
            "It decides until when an egg may be laid; the egg pays the same.",
            "只决定何时能下蛋，蛋的分数不变。",
        ),
    ),
    _option(
        "broken_egg_scope",
        ("whole_egg", "supplement_only"),
        "A robbed egg is not paid at all, or only the robbed tile is not.",
        "蛋被抢后整个不付，或只不付被抢的一张。",
        "Lucky Egg Payouts; Restriction on the Lucky Egg",
        said=(
            ("nothing is paid for the egg", "整个蛋不付"),
            ("the egg is paid without the tile that was taken", "只不付被抢的一张"),
        ),
    ),
    _option(
        "exposed_kong_payout",
        (1, 0),
        "What a kong made with a discard is paid by each.",
        "明杠（杠别人打出的牌）每家付几分。",
        "Kong Payouts",
    ),
    _option(
        "kongs_paid_on_draw",
        (True, False),
        "Whether eggs and kongs are paid in a drawn hand.",
        "流局时蛋和杠是否照付。",
        "Lucky Egg Payouts; End of the Game",
        said=(
            ("paid all the same", "照付"),
            ("not paid", "不付"),
        ),
    ),
    _option(
        "end_count_base",
        ("live", "physical"),
        "The last twelve are counted without the dead wall, or with it.",
        "最后十二张不含留底牌，或含留底牌。",
        _END,
        said=(
            ("counted without the dead wall", "不含留底牌"),
            ("counted with the dead wall", "含留底牌"),
        ),
        unseen=Words(
            "It decides at which tile the last twelve begin, not what a hand is worth.",
            "只决定从哪一张起算最后十二张，不影响牌值。",
        ),
    ),
    _option(
        "kong_replacement_source",
        ("tail", "front"),
        "A kong's replacement is drawn from the tail, or from the front of the wall.",
        "杠后从牌墙尾端补牌，或从前端补。",
        "Calling Tiles",
        said=(
            ("from the tail of the wall", "从牌墙尾端"),
            ("from the front of the wall", "从牌墙前端"),
        ),
        unseen=WHERE,
    ),
    _option(
        "dead_wall_grows",
        ("kongs", "kongs_and_eggs"),
        "Each kong adds two tiles to the dead wall; or four-tile eggs and appended tiles do, too.",
        "每开一杠留底牌加两张；或四张的蛋和每张补蛋也照加。",
        "Calling Tiles; Lucky Eggs",
        stood_for=(),
        said=(
            ("for each kong", "每开一杠"),
            (
                "for each kong, four-tile egg and appended tile",
                "每开一杠、每下四张的蛋、每补一张蛋",
            ),
        ),
        unseen=WHERE,
    ),
    _option(
        "last_four_calls",
        ("none", "chow_pung"),
        "Discards of the last four tiles are not called, or for chow and pung.",
        "最后四张打出的牌不能吃碰，或可以吃碰。",
        _END,
        said=(
            ("nobody may chow or pung", "不能吃碰"),
            ("others may chow or pung", "可以吃碰"),
        ),
    ),
    _option(
        "red_dragon_terminal",
        (True, False),
        "Whether a Red Dragon serves as the terminal a hand must have.",
        "红中是否可充幺九。",
        "Requirements for a Winning Hand",
        said=(
            ("a 1, a 9 or a Red Dragon", "幺九牌或红中"),
            ("a 1 or a 9", "幺九牌"),
        ),
    ),
    _common("false_win_penalty", "(silent)"),
    Option(
        "false_win_amount",
        range(1001),
        0,
        Words(
            "What a false win costs to each other seat, if agreed.", "约定的诈和赔分（付每家）。"
        ),
        "Changchun > (silent)",
    ),
    Option(
        "base_score",
        range(1, 1001),
        1,
        Words(
            "Points of the base score; hands, eggs and kongs scale with it.",
            "底分；和牌、蛋、杠都按它计。",
        ),
        "Changchun > Base Points",
    ),
    Option(
        "starting_points",
        range(100_001),
        0,
        Words(
            "Points each player starts with, 50 or 100 mostly; 0: only what moves is counted.",
            "每人起始分数，通常 50 或 100；0 为只计输赢。",
        ),
        "Changchun > Initial Points",
        stood_for=(100,),
        unseen=BEGINNING,
    ),
)
