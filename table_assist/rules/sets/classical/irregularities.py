"""Chinese Classical's irregularities of play, and what follows each (CL-33 to CL-61, CL-68)."""

from table_assist.languages.words import Words
from table_assist.rules.options import Options
from table_assist.rules.ruleset import IrregularityRule

_DEAD: dict[str, bool | int | str] = {
    "hand": "dead",
    "play_continues": True,
    "pays": True,
    "collects": False,
}
_SHUFFLED_WITH = 6
# "If it is the turn of the player in error he shall forfeit his turn" (Irregularities 4).
_IF_ON_TURN = frozenset({"turn_forfeited"})
# Plain names that somebody might look for.
_ALIASES: dict[str, tuple[str, ...]] = {
    "false_mahjong_exposed": ("false_mahjong", "false_mah_jong", "false_win", "incomplete_mahjong"),
    "fourteen_tiles_after_discard": ("long_hand", "too_many_tiles", "too_many_tiles_after_discard"),
    "twelve_tiles_after_discard": ("short_hand", "too_few_tiles", "too_few_tiles_after_discard"),
    "wrong_set_grounded_corrected_before_discard": ("wrong_set_corrected", "wrong_meld_corrected"),
    "wrong_set_grounded_not_corrected": ("wrong_set_grounded", "wrong_set", "wrong_meld"),
    "unusable_discard_returned_before_discard": (
        "unusable_discard",
        "unusable_discard_returned",
        "discard_returned_before_discard",
        "claimed_discard_returned_before_discard",
    ),
    "chow_tile_wrongly_taken_before_next_discard": (
        "chow_tile_wrongly_taken",
        "chow_tile_erroneously_taken",
        "tile_taken_wrongly_before_next_discard",
        "chow_tile_taken_by_wrong_player",
    ),
    "chow_tile_wrongly_taken_offender_has_discarded": (
        "chow_tile_wrongly_taken_after_discard",
        "chow_tile_wrongly_taken_and_discarded",
        "chow_tile_erroneously_taken_after_discard",
        "tile_taken_wrongly_after_discard",
    ),
    "discard_placed_among_concealed_tiles": (
        "discard_among_concealed_tiles",
        "discard_placed_in_hand",
        "discard_placed_in_concealed_hand",
        "discard_put_among_concealed_tiles",
        "claimed_discard_placed_in_hand",
    ),
    "two_tiles_discarded": (
        "double_discard",
        "two_discards",
        "two_tiles_discarded_at_once",
        "two_tiles_discarded_noticed_before_next_discard",
    ),
    "two_tiles_discarded_noticed_after_next_discard": ("double_discard_noticed_late",),
    "dead_discard_used_corrected_before_next_discard": ("dead_discard_used_corrected",),
    "dead_discard_used_not_corrected": ("dead_discard_used", "dead_discard_claimed"),
    "discard_before_drawing": (
        "discard_before_draw",
        "discarded_before_drawing",
        "discards_before_drawing",
    ),
    "discard_out_of_turn": ("discarded_out_of_turn", "out_of_turn_discard"),
    "discard_recalled_after_quitting": ("discard_recalled", "discard_taken_back"),
    "kong_not_grounded_before_mahjong": ("kong_not_laid_down", "four_not_grounded"),
    "kong_marked_incorrectly": ("kong_marked_wrongly", "wrongly_marked_kong"),
    "open_end_tile_touched": ("open_end_touched", "wall_tile_touched"),
    "due_wall_tile_exposed": ("own_wall_tile_exposed", "next_wall_tile_exposed"),
    "other_wall_tile_exposed": ("wall_tile_exposed", "wrong_wall_tile_exposed"),
    "drawn_out_of_turn_face_not_seen": ("draw_out_of_turn_face_not_seen",),
    "drawn_out_of_turn_face_seen": (
        "drawn_out_of_turn",
        "draw_out_of_turn",
        "draw_out_of_turn_face_seen",
        "drawn_from_wrong_end",
    ),
    "standing_hand_changed": ("ready_hand_changed", "original_call_changed"),
}


def irregularities(options: Options) -> tuple[IrregularityRule, ...]:
    """All of them; the last three are a matter of options."""
    takeback = options["discard_takeback"] == "until_claimed"
    return (
        *_ALWAYS,
        _recall(takeback),
        _one(
            "triplets_not_marked",
            "Concealed triplets are laid down without their mark.",
            "亮牌时暗刻未作标记。",
            "Ending a Round 8",
            scored_as=f"{options['unmarked_triplets']}_pungs",
        ),
        _one(
            "winning_tile_into_hand",
            "The winning tile is taken into the hand and not shown at once.",
            "和牌张先放进手牌，未立即亮出。",
            "Ending a Round 8",
            place_and_draw_points=options["tile_into_hand"] == "points_kept",
        ),
    )


def _one(
    id: str, en: str, zh: str, where: str, **consequences: bool | int | str
) -> IrregularityRule:
    source, aliases = f"Classical > {where}", _ALIASES.get(id, ())
    on_turn = _IF_ON_TURN & frozenset(consequences)
    return IrregularityRule(id, Words(en, zh), consequences, source, aliases, on_turn)


def _recall(takeback: bool) -> IrregularityRule:
    return _one(
        "discard_recalled_after_quitting",
        "A discard is recalled after the fingers left it.",
        "手离开打出的牌后又收回。",
        "Irregularities 6; Discards 4",
        hand="live",
        discard_taken_back=takeback,
    )


_ALWAYS = (
    _one(
        "false_mahjong_exposed",
        "A declared Mah-Jong is found incomplete.",
        "诈和：亮牌后不成和。",
        "Ending a Round 9",
        **_DEAD,
    ),
    _one(
        "fourteen_tiles_after_discard",
        "Too many tiles after the discard.",
        "打出后多牌（大相公）。",
        "Discards 2",
        **_DEAD,
    ),
    _one(
        "twelve_tiles_after_discard",
        "Too few tiles after the discard.",
        "打出后少牌（小相公）。",
        "Discards 2",
        **_DEAD,
    ),
    _one(
        "wrong_set_grounded_corrected_before_discard",
        "Wrong tiles grounded, corrected before the discard.",
        "亮错牌组，打出前已改正。",
        "Irregularities 1",
        hand="live",
    ),
    _one(
        "wrong_set_grounded_not_corrected",
        "Wrong tiles grounded and not corrected before the discard.",
        "亮错牌组，打出前未改正。",
        "Irregularities 1",
        hand="foul",
    ),
    _one(
        "unusable_discard_returned_before_discard",
        "A discard that cannot be used goes back before the own discard.",
        "要来的牌无法使用，在自己打出前退回。",
        "Irregularities 2",
        hand="live",
        tile_returned=True,
    ),
    _one(
        "chow_tile_wrongly_taken_before_next_discard",
        "Another player's chow tile is taken in error, noticed before the next discard.",
        "误拿他家可吃的牌，在下一张打出前发现。",
        "Irregularities 3",
        hand="live",
        tile_returned=True,
    ),
    _one(
        "chow_tile_wrongly_taken_offender_has_discarded",
        "Another player's chow tile is taken in error, and the offender has discarded.",
        "误拿他家可吃的牌，且已打出一张。",
        "Irregularities 3",
        hand="short",
        tile_returned=True,
        play_continues=True,
    ),
    _one(
        "discard_placed_among_concealed_tiles",
        "A claimed discard is placed among the concealed tiles.",
        "把要来的牌放进手牌中。",
        "Irregularities 4",
        hand="live",
        tile_returned=True,
        turn_forfeited=True,
    ),
    _one(
        "two_tiles_discarded",
        "Two tiles are discarded; noticed before the next discard.",
        "一次打出两张，在下一张打出前发现。",
        "Irregularities 5",
        hand="live",
        second_claimable=False,
        second_discard_taken_back=True,
    ),
    _one(
        "two_tiles_discarded_noticed_after_next_discard",
        "Two tiles are discarded; noticed after the next discard.",
        "一次打出两张，下一张打出后才发现。",
        "Irregularities 5; Discards 2",
        **(_DEAD | {"second_claimable": False, "second_discard_taken_back": False}),
    ),
    _one(
        "dead_discard_used_corrected_before_next_discard",
        "A set is grounded with a dead discard, corrected before the next discard.",
        "用死牌组成牌组，在下一张打出前改正。",
        "Irregularities 7",
        hand="live",
        tile_returned=True,
    ),
    _one(
        "dead_discard_used_not_corrected",
        "A set is grounded with a dead discard and not corrected in time.",
        "用死牌组成牌组，未及时改正。",
        "Irregularities 1, 7",
        hand="foul",
    ),
    _one(
        "discard_before_drawing",
        "A player discards before drawing.",
        "未摸牌先打牌。",
        "Irregularities 8",
        hand="live",
        discard_may_be_sent_back=True,
    ),
    _one(
        "discard_out_of_turn",
        "A player discards out of turn.",
        "未轮到即打牌。",
        "Loose Tiles 8",
        hand="live",
        discard_taken_back=True,
        turn_lost=True,
    ),
    _one(
        "kong_not_grounded_before_mahjong",
        "A four is not laid down before another's Mah-Jong.",
        "他家和牌前未亮出的四张。",
        "The Kong 6",
        scored_as="concealed_pung",
    ),
    _one(
        "kong_marked_incorrectly",
        "A kong is marked wrongly.",
        "杠的标记有误。",
        "The Kong 7",
        scored_as="exposed_kong",
    ),
    _one(
        "due_wall_tile_exposed",
        "A player exposes the tile that is the next to draw.",
        "翻开了自己应摸的牌。",
        "Drawing from the Wall 2",
        hand="live",
        tile_returned=False,
    ),
    _one(
        "other_wall_tile_exposed",
        "A player exposes another tile of the wall.",
        "翻开了牌墙中别的牌。",
        "Drawing from the Wall 2",
        hand="live",
        tile_returned=True,
        tile_reshuffled_with_stacks=_SHUFFLED_WITH,
    ),
    _one(
        "open_end_tile_touched",
        "A player whose turn it is touches the tile at the wall's open end, as if to draw it.",
        "轮到者触碰牌墙开口处的牌，如要摸牌。",
        "Drawing from the Wall 4",
        hand="live",
        tile_returned=False,
    ),
    _one(
        "drawn_out_of_turn_face_not_seen",
        "A tile is drawn out of turn, from the wrong end or after a claim; its face was not seen.",
        "越序、错端或要牌后摸牌，未见牌面。",
        "Drawing from the Wall 3",
        hand="live",
        tile_returned=True,
    ),
    _one(
        "drawn_out_of_turn_face_seen",
        "A tile is drawn out of turn, from the wrong end or after a claim; its face was seen.",
        "越序、错端或要牌后摸牌，已见牌面。",
        "Drawing from the Wall 3",
        hand="live",
        tile_returned=True,
        tile_reshuffled_with_stacks=_SHUFFLED_WITH,
    ),
    _one(
        "standing_hand_changed",
        "A hand called standing is changed.",
        "立牌后改动手牌。",
        "Special starts 2",
        hand="live",
        may_go_out=False,
    ),
)
