"""An unread tile of a meld is what it likely is if that makes a meld; else people are asked."""

from dataclasses import replace

import pytest

from table_assist.following.claimed_tiles import RESTING, claimed_meld, faces_together
from table_assist.game.events import Claimed, Discarded, EggLaid, HandStarted, KongDeclared
from table_assist.game.fold import replay
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, format_tiles, parse_tiles
from table_assist.vision.table.observation import SeenTile
from tests.following.test_infer import events, hand, melds, river
from tests.stages.seen_play import started

Shares = dict[str, float]


def laid(seat: int, *tiles: str | Shares) -> list[SeenTile]:
    """A group of tiles: read ones by their names, unread ones by what they may be."""
    row = melds(seat, "1m" * len(tiles))
    found = []
    for place, each in zip(row, tiles, strict=True):
        shares = {each: 0.99} if isinstance(each, str) else each
        named = tuple((parse_tiles(face)[0], share) for face, share in shares.items())
        face = named[0][0] if isinstance(each, str) else Tile.UNKNOWN
        found.append(replace(place, tile=face, confidence=named[0][1], candidates=named))
    return found


@pytest.mark.parametrize(
    ("group", "read"),
    [
        (({"6p": 0.7, "9p": 0.2}, "4p", "5p"), "645p"),
        (({"6p": 0.7, "3p": 0.2}, "4p", "5p"), "?45p"),  # either is a meld
        (({"9p": 0.7, "6p": 0.2}, "4p", "5p"), "?45p"),  # what it looks like is none
        (({"6p": 0.3, "9p": 0.1}, "4p", "5p"), "?45p"),  # it may be anything
        (({"6p": 0.8}, {"7p": 0.8, "1s": 0.1}, {"8p": 0.85}), "678p"),
        (({"6p": 0.6}, {"7p": 0.6}, {"8p": 0.6}), "???p"),
        (({"6p": 0.8}, {"9p": 0.8}, {"8p": 0.8}), "???p"),
        (({"5s": 0.6, "3s": 0.3}, "5s", "5s", {"5s": 0.85, "8s": 0.1}), "5555s"),
        (("5s", "5s", "9s"), "559s"),  # what is read stays as it is
    ],
)
def test_an_unread_tile_is_what_it_likely_is_if_that_alone_makes_a_meld(
    group: tuple[str | Shares, ...], read: str
) -> None:
    found = faces_together(laid(1, *group), lambda t: claimed_meld(t, Tile.UNKNOWN) is not None)
    wanted = parse_tiles(read) if "?" not in read else None
    unread = tuple(tile.tile for tile in laid(1, *group))
    assert found == (unread if wanted is None else wanted), format_tiles(found)


def test_a_claim_whose_third_tile_is_hardly_read_is_on_record() -> None:
    """Nobody is asked what fits no meld where what it looks like fits."""
    state = hand(Discarded(0, Tile.P4))
    chow = Claimed(1, MeldKind.CHOW, parse_tiles("456p"), 0)
    assert events(state, laid(1, {"6p": 0.7, "9p": 0.2}, "4p", "5p")) == [chow]
    unread = replace(chow, tiles=(Tile.UNKNOWN, Tile.P4, Tile.P5))
    assert events(state, laid(1, {"6p": 0.5, "3p": 0.4}, "4p", "5p")) == [unread]
    assert events(state, laid(1, {"6p": 0.4, "3p": 0.4}, "5p", {"2s": 0.5})) == [unread]
    # Its read tile is the claimed one: a chow that is not laid down yet is told so
    assert events(state, laid(1, {"6p": 0.4, "3p": 0.4}, "4p", {"5p": 0.5})) == []


def test_three_unread_tiles_that_look_alike_are_a_pung_of_what_was_claimed() -> None:
    alike: Shares = {"4p": 0.6, "7p": 0.3}
    for given in (Tile.P4, Tile.UNKNOWN):
        (found,) = events(hand(Discarded(0, given)), laid(1, alike, alike, alike))
        assert found == Claimed(1, MeldKind.PUNG, (given,) * 3, 0), "of the discard, if it was read"


def test_the_claimed_tile_decides_between_two_melds() -> None:
    state = hand(Discarded(0, Tile.P6))
    chow = Claimed(1, MeldKind.CHOW, parse_tiles("456p"), 0)
    assert events(state, laid(1, {"6p": 0.5, "3p": 0.4}, "4p", "5p")) == [chow]


def test_an_egg_with_a_tile_that_is_hardly_read_is_on_record() -> None:
    state = replay([HandStarted(1, "changchun", 0, 55)])
    egg = EggLaid(0, tuple(sorted(parse_tiles("FCP"))))
    assert events(state, laid(0, {"P": 0.7, "4m": 0.1}, "F", "C")) == [egg]
    unread, thrown = laid(0, {"4m": 0.7, "P": 0.1}, "F", "C"), river(0, "9s")
    assert events(state, unread, thrown) == [], "its owner's first discard waits for it"
    resting = [replace(tile, pictures=RESTING) for tile in unread]
    assert events(state, resting, thrown) == [egg, Discarded(0, Tile.S9)]


def test_a_hardly_read_meld_whose_discard_nobody_saw_is_on_record_once_it_has_rested() -> None:
    state = replay([HandStarted(1, "tianjin", 0, 60), Discarded(0, Tile.M1)])
    alike = {"7m": 0.5, "4m": 0.4}
    group = laid(3, alike, "7m", alike)
    assert events(state, river(0, "1m"), group) == []
    resting = [replace(tile, pictures=RESTING) for tile in group]
    pung = Claimed(3, MeldKind.PUNG, parse_tiles("777m"), 1)
    assert events(state, river(0, "1m"), resting) == [Discarded(1, Tile.M7), pung]


def test_an_egg_of_which_the_rules_leave_one_kind_is_on_record() -> None:
    """A flower that the set has not is no reading; and of two eggs the older one comes first."""
    state = replay([HandStarted(1, "changchun", 0, 55)])
    looks = {"2q": 0.41, "2f": 0.22, "P": 0.16}
    older = [replace(tile, pictures=RESTING) for tile in laid(0, looks, "F", "C")]
    first = EggLaid(0, tuple(sorted(parse_tiles("FCP"))))
    assert events(state, older) == [first]
    hasty = [replace(tile, pictures=9) for tile in older]
    assert events(state, hasty) == [], "it may still be read"


def test_a_meld_that_lay_there_before_a_discard_has_taken_an_earlier_one() -> None:
    """That one was unread, and gone before it was recorded."""
    state = replay([HandStarted(1, "tianjin", 0, 60), Discarded(0, Tile.M1)])
    alike = {"7m": 0.5, "4m": 0.4}
    group = [replace(tile, id=n) for n, tile in enumerate(laid(0, alike, "7m", alike), start=1)]
    later = [replace(tile, id=9) for tile in (*river(0, "1m9s")[1:], *river(1, "5s"))]
    assert events(state, river(0, "1m"), group, later) == [], "it is waited for"
    resting = [replace(tile, pictures=RESTING) for tile in group]
    taken = [Discarded(1, Tile.M7), Claimed(0, MeldKind.PUNG, parse_tiles("777m"), 1)]
    after = [Discarded(0, Tile.S9), Discarded(1, Tile.S5)]
    assert events(state, river(0, "1m"), resting, later) == [*taken, *after]


def test_a_concealed_kong_of_which_no_tile_is_read_is_what_it_likeliest_shows() -> None:
    """A kong that is not recorded costs its player the win; none of its face lies elsewhere."""
    state, looks = started("wanzhou"), {"6p": 0.6, "9p": 0.3}
    row = laid(0, "#", looks, looks, "#")
    assert events(state, row) == []
    resting = [replace(tile, pictures=RESTING) for tile in row]
    kong = KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.P6)
    assert events(state, resting) == [kong]
    elsewhere = replay([Discarded(0, Tile.P6), Discarded(1, Tile.M1)], state)
    assert replace(kong, tile=Tile.P6) not in events(elsewhere, resting)
