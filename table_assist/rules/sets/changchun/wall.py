"""Changchun's wall, and when a hand ends with it (CC-05 to CC-09, CC-17, CC-33)."""

from table_assist.rules.options import Options
from table_assist.rules.ruleset import Replacement, Replaces, WallPlan, replaced_from_option
from table_assist.rules.sets.changchun.eggs import LAST_TWELVE
from table_assist.rules.shown import SEATS

DEAD_WALL = 14


def _after_kongs(live: int, dead: int, kongs: int, options: Options) -> tuple[int, int]:
    """Each kong puts two tiles more into the dead wall; the replacement comes out of it, or not."""
    if options["kong_replacement_source"] == "tail":
        return live - 2 * kongs, dead + kongs
    return live - 3 * kongs, dead + 2 * kongs


def _replacement(replacement: Replacement, options: Options) -> tuple[int, int]:
    """An egg's comes from the tail, whose dead tiles are made up from the live ones.

    Unless a four-tile egg and an appended tile are taken for kongs that add to the dead wall.
    """
    if replacement.what is Replaces.KONG or options["dead_wall_grows"] == "kongs_and_eggs":
        return _after_kongs(replacement.live, replacement.dead, 1, options)
    return replacement.live - 1, replacement.dead


def _counted(live: int, dead: int, options: Options) -> int:
    """The number of tiles left: with the dead tiles or without them."""
    return live if options["end_count_base"] == "live" else live + dead


def _is_ending(left: int, dead: int, options: Options) -> bool:
    return _counted(left - dead, dead, options) <= LAST_TWELVE


_FOURS = tuple((seat, 4) for _ in range(3) for seat in range(SEATS))

WALL = WallPlan(
    stacks=lambda dealer, options: (17, 17, 17, 17),
    first_side=lambda options: 0 if options["break_count_start"] == "own_wall" else 1,
    deal=(*_FOURS, (0, 2), (1, 1), (2, 1), (3, 1)),
    dealer_jumps=lambda options: options["last_deal_pick"] == "first_and_fifth",
    dead=DEAD_WALL,
    after_kongs=_after_kongs,
    is_ending=_is_ending,
    replacement=_replacement,
    replaced_from=replaced_from_option,
    counted=_counted,
)
