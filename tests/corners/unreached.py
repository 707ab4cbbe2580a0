"""Branches that the settlement of bots' hands does not take, and why: by file and function."""

from fnmatch import fnmatch

TOLD = "of hands that people tell (tests/told, tests/game/test_told.py)"
AGAINST = "of what is against the rules and bots do not do (tests/game, tests/differential)"
UNREAD = "of tiles that nobody knows: bots' hands are known (tests/golden/courses.jsonl)"
PLAY = "run while the hand is played, before it is settled; the account compares what comes of it"
NONE = "of a kind that the rule set does not have, or of nothing to pay: never asked for"
UNSEEN = "of draws that nobody saw: bots' draws are on record (tests/live, tests/session)"
KEPT = "worked out once and kept in memory, perhaps before the search looked"

REASONS: dict[str, str] = {
    "game/side_payments.py:side_payments": TOLD,
    "game/side_payments.py:_told_otherwise": TOLD,
    "game/side_payments.py:_ways_laid": TOLD,
    "game/side_payments.py:could_be_undone": TOLD,
    "game/side_payments.py:lying": TOLD,
    "game/side_payments.py:_places": TOLD,
    "game/side_payments.py:_fits": TOLD,
    "game/side_payments.py:_undone": TOLD,
    "game/side_payments.py:told_before_the_win": TOLD,
    "game/win.py:declared_hand": TOLD,
    "game/win.py:_as_told": TOLD,
    "game/win.py:_least": TOLD,
    "game/side_payments.py:_pay_one": AGAINST,
    "game/side_payments.py:_openings": AGAINST,
    "game/side_payments.py:_opening": AGAINST,
    "game/fold_win.py:note": AGAINST,
    "game/fold_win.py:_consequences": AGAINST,
    "game/fold_win.py:_second_taken_back": AGAINST,
    "game/fold_win.py:settle": AGAINST,
    "game/win.py:melds_as_marked": AGAINST,
    "game/win.py:is_mark_unsure": AGAINST,
    "game/win.py:_concealed": AGAINST,
    "game/win.py:_marked_wrongly": AGAINST,
    "game/fold_win.py:without_birds": AGAINST,
    "game/win.py:wall_after": UNSEEN,
    "game/offered.py:_with": AGAINST,
    "game/offered.py:who_won": UNREAD,
    "game/offered.py:*": PLAY,
    "game/side_payments.py:_unread_wilds": UNREAD,
    "game/side_payments.py:_chase": UNREAD,
    "game/outcome.py:_unsure": UNREAD,
    "game/outcome.py:_other_tiles": UNREAD,
    "game/outcome.py:settle_hands": UNREAD,
    "game/outcome.py:_settled": UNREAD,
    "game/outcome.py:losing_worth": UNREAD,
    "game/outcome.py:losing_hand": UNREAD,
    "game/outcome.py:_melds_kept": UNREAD,
    "rules/sets/changchun/rules.py:_no_regular_kong": AGAINST,
    "rules/sets/changchun/rules.py:_treasures": PLAY,
    "rules/sets/changchun/eggs_wall_payments.py:kind_of": PLAY,
    "rules/sets/changchun/eggs_wall_payments.py:is_meld": AGAINST,
    "rules/sets/changchun/eggs_wall_payments.py:_refuse": PLAY,
    "rules/sets/changchun/eggs_wall_payments.py:_units": NONE,
    "rules/sets/changchun/eggs_wall_payments.py:_check_egg": AGAINST,
    "rules/sets/changchun/eggs_wall_payments.py:_after_kongs": PLAY,
    "rules/sets/changchun/eggs_wall_payments.py:_replacement": PLAY,
    "rules/sets/changchun/eggs_wall_payments.py:_counted": PLAY,
    "rules/sets/changsha/rules.py:_pay_opening": NONE,
    "rules/sets/classical/rules.py:_settle": NONE,
    "rules/sets/classical/rules.py:_box": PLAY,
    "rules/sets/classical/rules.py:_dead": PLAY,
    "rules/sets/classical/rules.py:_replacement": PLAY,
    "rules/sets/classical/rules.py:_replaced_from": PLAY,
    "rules/sets/tianjin/rules.py:_pay_kong": NONE,
    "rules/sets/tianjin/rules.py:_false_win": PLAY,
    "rules/sets/tianjin/rules.py:_replacement": PLAY,
    "rules/sets/*/rules.py:_next_dealer": UNREAD,
    "rules/sets/classical/rules.py:_void_standing": UNREAD,
    "rules/sets/tianjin/rules.py:chase": NONE,
    "rules/sets/tianjin/wild.py:divisions": UNREAD,
    "rules/sets/tianjin/wild.py:_with_final": KEPT,
    "rules/sets/tianjin/wild.py:_with_wild_final": KEPT,
    "rules/sets/wanzhou/rules.py:_pay_kong": NONE,
    "rules/sets/wanzhou/rules.py:_passed_to": PLAY,
    "rules/sets/*/rules.py:_stacks": PLAY,
}


def why(file: str, function: str) -> str:
    """The reason; empty where hands should go."""
    return next((why for part, why in REASONS.items() if fnmatch(f"{file}:{function}", part)), "")
