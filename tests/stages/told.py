"""What may be told of one winning tile, for hands that are made up."""

OF_A_DRAWN_TILE = frozenset({"after_kong"})
OF_A_CLAIMED_TILE = frozenset({"after_kong_discard", "robbing_kong"})


def that_fit(told: list[str], *, self_drawn: bool, held: int = 1, claimed: int = 0) -> list[str]:
    """Of what is told that which can be true of the tile together; the first word counts.

    Args:
        held: so many copies of the tile are in the hand; more than the one cannot be where a kong
            was robbed of it.
        claimed: so many melds are; with more than one no hand stood after its first discard.
    """
    wrong = OF_A_CLAIMED_TILE if self_drawn else OF_A_DRAWN_TILE
    if held > 1:
        wrong = wrong | {"robbing_kong"}
    if claimed > 1:
        wrong = wrong | {"ready_declared"}
    if "first_turn" in told:
        wrong = wrong | {"after_kong", "last_tile", "last_tile_was_kong_replacement"}
    kept = [each for each in told if each not in wrong]
    if set(kept) >= OF_A_CLAIMED_TILE:
        kept.remove("robbing_kong")
    return kept
