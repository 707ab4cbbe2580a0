"""Which calls Changchun forbids (CC-13, CC-18, CC-20, CC-33, CC-34)."""

from table_assist.languages.words import Words
from table_assist.rules.offer import Call, Claim, Offer, TileSource
from table_assist.rules.options import Options
from table_assist.rules.ruleset import ClaimCondition
from table_assist.rules.sets.changchun.eggs import LAST_TWELVE

END = "Changchun > End of the Game"
# With so many tiles left after the draw, the discard is one of the last four (CC-34).
_LAST_FOUR = 3
_KONGS = (Call.KONG, Call.KONG_CONCEALED, Call.KONG_ADDED, Call.EGG_SUPPLEMENT)


def _at_end(offer: Offer, tiles: int) -> bool:
    left = offer.wall_remaining
    return offer.last_four or (left is not None and left <= tiles)


def _chows_egg_tile(offer: Offer, claim: Claim, options: Options) -> bool:
    return offer.source is TileSource.EGG_SUPPLEMENT and claim.call is Call.CHOW


def _late_kong(offer: Offer, claim: Claim, options: Options) -> bool:
    return claim.call in _KONGS and _at_end(offer, LAST_TWELVE)


def _late_call(offer: Offer, claim: Claim, options: Options) -> bool:
    called = claim.call in (Call.CHOW, Call.PUNG)
    return called and options["last_four_calls"] == "none" and _at_end(offer, _LAST_FOUR)


def _late_win(offer: Offer, claim: Claim, options: Options) -> bool:
    """Where the count is not known: else the hand itself is refused."""
    claimed = claim.call is Call.WIN and offer.source is not TileSource.OWN_DRAW
    return claimed and offer.last_four


CLAIM_CONDITIONS = (
    ClaimCondition(
        "egg_tile_not_for_chow",
        _chows_egg_tile,
        Words("A tile appended to an egg cannot be taken for a chow.", "补蛋的牌不能吃。"),
        "Changchun > FAQ",
    ),
    ClaimCondition(
        "no_kong_last_twelve",
        _late_kong,
        Words("There are no kongs among the last twelve tiles.", "最后十二张不能开杠。"),
        END,
    ),
    ClaimCondition(
        "last_four_no_calls",
        _late_call,
        Words("The last four tiles are only drawn and discarded.", "最后四张只能摸打，不能吃碰。"),
        END,
        only_if=("last_four_calls", "none"),
    ),
    ClaimCondition(
        "self_draw_only_last_twelve",
        _late_win,
        Words("With twelve tiles left only a drawn tile wins.", "最后十二张只能自摸。"),
        END,
    ),
)
