"""House-rule settings that several rule books leave open in the same way."""

from table_assist.rules.options import Option, OptionValue, option_of

_COMMON: dict[str, tuple[tuple[OptionValue, ...] | range, str, str]] = {
    "break_count_start": (
        ("own_wall", "next_player"),
        "Where the dice count begins: the dealer's own wall, or the next player's.",
        "数骰子从庄家自己的牌墙起，或从下家起。",
    ),
    "kong_replacement_source": (
        ("tail", "front"),
        "A kong's replacement is taken from the tail or from the front of the wall.",
        "杠后从牌墙尾端补牌，或从前端补牌。",
    ),
    "false_win_penalty": (
        ("report_only", "custom"),
        "A false win is only reported, or costs the agreed amount.",
        "诈和：只作记录，或按约定赔分。",
    ),
    "false_win_amount": (
        range(1001),
        "What a false win costs to each other seat, if agreed.",
        "约定的诈和赔分（付每家）。",
    ),
    "starting_points": (
        range(100_001),
        "Points each player starts with, 50 or 100 mostly; 0: only what moves is counted.",
        "每人起始分数，通常 50 或 100；0 为只计输赢。",
    ),
    "dealer_dice_count_start": (
        ("roller_is_one", "next_is_one"),
        "Who is one when the first dealer is counted from the roller: the roller, or the next.",
        "定首庄时掷骰者算一，或其下一位算一。",
    ),
    "break_direction": (
        ("counterclockwise", "clockwise"),
        "Which way round the table the dice are counted to find the side to break.",
        "数骰子定开牌方的方向：逆时针，或顺时针。",
    ),
    "deal_first_block": (
        ("four_each", "dealer_eight"),
        "The deal begins with four tiles to each, or with eight to the dealer.",
        "发牌先各拿四张，或庄家先拿八张。",
    ),
}


def common_option(
    book: str, name: str, where: str, *, stood_for: tuple[OptionValue, ...] | None = None
) -> Option:
    """The setting of that name, which is left open at that place in the book."""
    values, en, zh = _COMMON[name]
    return option_of(book, name, values, en, zh, where, stood_for=stood_for)
