"""House-rule settings that several rule books leave open in the same way."""

from table_assist.languages.words import NOTHING, Words
from table_assist.rules.options import Option, OptionValue, option_of

# Why no single hand shows what a setting changes.
WHERE = Words(
    "It decides where tiles are taken from, not what a hand is worth.",
    "只决定牌从哪里取，不影响牌值。",
)
WHEN = Words(
    "It decides when something may be done, not what a hand is worth.",
    "只决定何时可行，不影响牌值。",
)
LYING = Words("It decides how tiles lie, not what they are worth.", "只决定牌怎么摆，不影响牌值。")
SEATING = Words(
    "It decides who sits where, before any hand is played.", "只决定座位，与每局的牌无关。"
)
ONE_WAY = Words("There is only one way to play it.", "只有一种打法。")
NEXT = Words(
    "It decides who deals next and how long a game lasts, not what a hand is worth.",
    "只决定谁坐下一局的庄、打多久，不影响牌值。",
)
BEGINNING = Words(
    "It is the score that everybody begins with; what a hand pays stays the same.",
    "只是各家的起始分，每局的输赢不变。",
)

_COMMON: dict[
    str,
    tuple[tuple[OptionValue, ...] | range, str, str, tuple[tuple[str, str], ...], Words],
] = {
    "break_count_start": (
        ("own_wall", "next_player"),
        "Where the dice count begins: the dealer's own wall, or the next player's.",
        "数骰子从庄家自己的牌墙起，或从下家起。",
        (
            ("the dealer's own side is one", "从庄家自己算一"),
            ("the next player's side is one", "从下家算一"),
        ),
        WHERE,
    ),
    "kong_replacement_source": (
        ("tail", "front"),
        "A kong's replacement is taken from the tail or from the front of the wall.",
        "杠后从牌墙尾端补牌，或从前端补牌。",
        (
            ("from the tail of the wall", "从牌墙尾端"),
            ("from the front of the wall", "从牌墙前端"),
        ),
        WHERE,
    ),
    "kong_added_tile": (
        ("drawn_only", "any_time"),
        "Which fourth tile may be added to an own pung: the one just drawn, or one held as well.",
        "加杠的第四张：须为刚摸到的，或手中留着的也可。",
        (
            ("the tile just drawn alone", "仅限刚摸到的那张"),
            ("on any own turn after a draw, one held before as well", "摸牌后任何时候，留着的也可"),
        ),
        WHEN,
    ),
    "false_win_penalty": (
        ("report_only", "custom"),
        "A false win is only noted, or costs the agreed amount.",
        "诈和：只作记录，或按约定赔分。",
        (("only noted", "只作记录"), ("the agreed amount", "按约定赔分")),
        NOTHING,
    ),
    "false_win_amount": (
        range(1001),
        "What a false win costs to each other seat, if agreed.",
        "约定的诈和赔分（付每家）。",
        (),
        NOTHING,
    ),
    "starting_points": (
        range(100_001),
        "Points each player starts with, 50 or 100 mostly; 0: only what moves is counted.",
        "每人起始分数，通常 50 或 100；0 为只计输赢。",
        (),
        BEGINNING,
    ),
    "dealer_dice_count_start": (
        ("roller_is_one", "next_is_one"),
        "Who is one when the first dealer is counted from the roller: the roller, or the next.",
        "定首庄时掷骰者算一，或其下一位算一。",
        (("who rolled is one", "掷骰者算一"), ("the next seat is one", "下一位算一")),
        NEXT,
    ),
    "break_direction": (
        ("counterclockwise", "clockwise"),
        "Which way round the table the dice are counted to find the side to break.",
        "数骰子定开牌方的方向：逆时针，或顺时针。",
        (("counter-clockwise", "逆时针"), ("clockwise", "顺时针")),
        WHERE,
    ),
    "deal_first_block": (
        ("four_each", "dealer_eight"),
        "The deal begins with four tiles to each, or with eight to the dealer.",
        "发牌先各拿四张，或庄家先拿八张。",
        (
            ("four tiles to each in turn", "依次各拿四张"),
            ("eight to the dealer at first", "庄家先拿八张"),
        ),
        WHERE,
    ),
}


def common_option(
    book: str, name: str, where: str, *, stood_for: tuple[OptionValue, ...] | None = None
) -> Option:
    """The setting of that name, which is left open at that place in the book."""
    values, en, zh, said, unseen = _COMMON[name]
    return option_of(
        book, name, values, en, zh, where, said=said, unseen=unseen, stood_for=stood_for
    )
