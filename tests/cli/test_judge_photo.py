"""A photograph of a declared hand is put in order, judged by the rules and told in words."""

import json
from pathlib import Path

import cv2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.cli.judge_photo import in_order
from table_assist.cli.main import main
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, format_tiles, parse_tile, parse_tiles
from table_assist.twin.faces import load_faces
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.vision.photos.photo_hand import PhotoHand, PhotoTile, SeenMeld, together
from table_assist.vision.pictures.picture import Image
from tests.stages.drawn_hands import CLOSE, PITCH_MM, draw_row

Said = pytest.CaptureFixture[str]

LONGER_MM = 35.0 - 26.0  # a turned tile takes so much more of a row


@pytest.mark.parametrize(
    ("lying", "winning", "sorted_text"),
    [
        ("", None, ""),
        ("9s E 1m 5p C 2m", None, "12m 5p 9s EC"),
        ("9s 1m 9s 2m", "9s", "12m 99s"),
        ("3m 1m 2m 5p", "1m", "23m 5p 1m"),
        ("? 3m # 1m", None, "13m ? #"),
    ],
)
def test_a_hand_is_sorted_by_suit_and_the_winning_tile_comes_last(
    lying: str, winning: str | None, sorted_text: str
) -> None:
    last = None if winning is None else parse_tile(winning)
    ordered = in_order(parse_tiles(lying), last)
    assert format_tiles(ordered) == sorted_text
    assert sorted(ordered) == sorted(parse_tiles(lying))


def draw(parts: list[str]) -> Image:
    """Groups in one row with gaps; ``(`` before a tile's name turns it."""
    placed: list[PlacedTile] = []
    x = -230.0
    for part in parts:
        for word in part.split():
            turned = word.startswith("(")
            width = LONGER_MM if turned else 0.0
            x += width / 2
            tile = parse_tile(word.strip("()"))
            placed.append(PlacedTile(tile, x, -width / 2, 90.0 if turned else 0.0))
            x += PITCH_MM + width / 2
        x += 20.0
    renderer = Renderer(load_faces(), TableLook(), CLOSE, seed=1)
    return renderer.picture(Scene(tuple(placed)))


def check(folder: Path, capsys: Said, image: Image, *options: str) -> tuple[int, str]:
    picture = folder / "hand.png"
    cv2.imwrite(str(picture), image)
    code = main(["check", str(picture), *options])
    return code, capsys.readouterr().out


@pytest.mark.slow
def test_a_closed_hand_in_any_order_is_sorted_and_judged(tmp_path: Path, capsys: Said) -> None:
    image = draw_row("8s 5p 1m 9s 4m 2m 8s 5p 7s 6m 3m 5p 8s 5m")
    code, told = check(tmp_path, capsys, image)
    assert code == 0, told
    assert "In hand: 123456m 555p 78889s" in told
    assert "Won with whichever tile came last, self-drawn." in told
    assert "A WIN" in told
    code, told = check(tmp_path, capsys, image, "--lang", "zh", "--discarder", "2")
    assert code == 0
    assert "座位 2 点炮" in told


@pytest.mark.slow
def test_a_claimed_pung_and_the_winning_tile_apart(tmp_path: Path, capsys: Said) -> None:
    image = draw(["1m 2m 3m 7s 8s 8p 8p", "5p (5p) 5p", "2s 2s 2s", "9s"])
    code, text = check(tmp_path, capsys, image, "--json")
    told = json.loads(text)
    assert code == 0, told
    assert told["hand"]["concealed"] == "123m 88p 789s"
    assert told["hand"]["melds"] == ["pung 555p", "pung 222s"]
    assert told["hand"]["claimed_from"] == ["across", None]
    assert told["hand"]["winning_tile"] == told["answer"]["winning_tile"] == "9s"
    assert told["answer"]["valid"]
    assert sum(told["answer"]["payments"]) == 0


@pytest.mark.slow
def test_a_hand_a_tile_short_is_told_what_it_waits_for(tmp_path: Path, capsys: Said) -> None:
    code, told = check(tmp_path, capsys, draw_row("123456m 789s 555p 8s"))
    assert code == 1
    assert "READY: waits for 8s" in told
    assert "Doubt: the hand has 13 tiles" in told


@pytest.mark.slow
def test_no_hand_no_verdict(tmp_path: Path, capsys: Said) -> None:
    empty = draw_row("")
    code, told = check(tmp_path, capsys, empty)
    assert code == 1
    assert "CANNOT TELL: there is no hand in the picture." in told
    code, text = check(tmp_path, capsys, empty, "--json")
    assert (code, json.loads(text)["answer"]) == (1, None)


@pytest.mark.slow
def test_a_winning_tile_that_is_not_in_the_hand_is_named(tmp_path: Path, capsys: Said) -> None:
    code, told = check(tmp_path, capsys, draw_row("123456m 789s 555p 88s"), "--winning-tile", "9p")
    assert code == 1
    assert "the winning tile 9p is not among the hand's tiles" in told


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
