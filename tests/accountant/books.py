"""Which options move points, and which do not: of the walls, the display, and what may be called.

Every option that the program offers stands in one of the two lists, or a test fails.
"""

from types import ModuleType

from tests.accountant import changchun, changsha, classical, tianjin, wanzhou
from tests.accountant.story import Options, Wall

BOOKS: dict[str, tuple[ModuleType, type[Wall]]] = {
    "changchun": (changchun, changchun.Changchun),
    "changsha": (changsha, changsha.Changsha),
    "classical": (classical, classical.Classical),
    "tianjin": (tianjin, tianjin.Tianjin),
    "wanzhou": (wanzhou, wanzhou.Wanzhou),
}
# What decides where tiles come from, what may be called or declared, and how it is shown: a hand
# that was played so is paid like any other.
NO_POINTS: dict[str, set[str]] = {
    "changchun": {
        "break_count_start",
        "kong_added_tile",
        "last_deal_pick",
        "ready_concealed_kong",
        "great_terminal_distinct",
        "gun_down_bamboo_supplement",
        "egg_supplement_from_discard",
        "egg_timing",
        "last_four_calls",
        "starting_points",
    },
    "changsha": {
        "instant_wins_until",
        "kong_added_tile",
        "wall_layout",
        "break_count_start",
        "bird_source",
        "dealer_start_hand",
        "kong_roll",
        "starting_points",
    },
    "classical": {
        "equipment",
        "bonus_tiles",
        "redraw_seats_each_round",
        "seat_draw",
        "break_second_throw",
        "dice_misthrow",
        "loose_placement",
        "kong_box",
        "grounding_order",
        "deal_by",
        "discard_face",
        "discard_takeback",
        "chow_exposure",
        "kong_from_discard_mark",
        "mahjong_precedence",
        "announce_fishing",
        "concealed_kong_robbed_by",
        "sacred_discard",
        "kong_ungrounded_counts",
        "concealed_marking",
        "draw_point",
        "thirteen_east",
    },
    "tianjin": {
        "kong_added_tile",
        "dealer_dice_count_start",
        "break_direction",
        "deal_first_block",
        "kong_replacement_source",
        "starting_points",
        "wild_discard_allowed",
    },
    "wanzhou": {
        "kong_added_tile",
        "change_three_die",
        "exchange_hand",
        "wall_layout",
        "break_direction",
        "deal_first_block",
        "dealer_dice_count_start",
        "chow_claims",
        "win_over_pung",
        "kong_replacement_source",
        "starting_points",
    },
}


def defaults(id: str) -> Options:
    """The options that move points, with SPEC's defaults."""
    return dict(BOOKS[id][0].DEFAULTS)
