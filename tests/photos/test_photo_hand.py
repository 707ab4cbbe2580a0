"""Several photographs of one hand: one more part of it, or one more view."""

from hypothesis import given
from hypothesis import strategies as st

from table_assist.photos.photo_hand import PhotoHand, PhotoTile, SeenMeld, together
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles

BOX = (0.1, 0.1, 0.05, 0.08)


def seen(text: str, photo: str = "a") -> tuple[PhotoTile, ...]:
    return tuple(PhotoTile(tile, photo, BOX) for tile in parse_tiles(text))


def tiles(hand: PhotoHand) -> list[Tile]:
    return [each.tile for each in hand.concealed]


def test_a_hand_and_its_melds_in_two_pictures_are_one_hand() -> None:
    hand = PhotoHand(seen("123m456m789s55s"), winning=10)
    meld = PhotoHand((), (SeenMeld(MeldKind.PUNG, seen("111p", "b")),))
    found = together([hand, meld])
    assert (found.size, found.winning, len(found.melds)) == (14, 10, 1)
    assert together([meld, hand]).winning == 10


def test_of_two_views_the_surer_one_counts() -> None:
    unsure = PhotoHand(seen("123m456m789s12p5?s".replace("5?s", "55s")[:-3] + "??"))
    sure = PhotoHand(seen("123m456m789s123p55s", "b"))
    assert tiles(together([unsure, sure])) == tiles(sure)
    assert tiles(together([sure, unsure])) == tiles(sure)


def test_what_one_view_left_unread_the_other_names() -> None:
    one = PhotoHand((*seen("123m456m789s123p5s"), PhotoTile(Tile.UNKNOWN, "a", BOX)))
    other = PhotoHand(seen("123m456m789s123p55s", "b"))
    assert together([one, other]).unread == 0


def test_another_hand_takes_the_place_of_the_first() -> None:
    one = PhotoHand(seen("123m456m789s123p55s"))
    other = PhotoHand(seen("111m222m333m444m55m", "b"))
    assert together([one, other]) == other


@given(st.lists(st.sampled_from([tile for tile in Tile if tile.is_face]), min_size=14, max_size=14))
def test_a_second_view_never_adds_tiles(faces: list[Tile]) -> None:
    one = PhotoHand(tuple(PhotoTile(tile, "a", BOX) for tile in faces))
    other = PhotoHand(tuple(PhotoTile(tile, "b", BOX) for tile in reversed(faces)))
    assert sorted(tiles(together([one, other]))) == sorted(faces)
