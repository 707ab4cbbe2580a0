"""What lies on the table says what happened."""

from dataclasses import replace

import pytest

from table_assist.following.infer import Inferred, claimed_meld, step
from table_assist.following.melds import PARTLY_PICTURES
from table_assist.following.proposed import LastDiscard
from table_assist.following.seen_table import DOUBTFUL_PICTURES
from table_assist.game.events import (
    BirdTurned,
    Claimed,
    DiceRolled,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    KongDeclared,
    LastTilePassed,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Layout, from_seat, zone_at

START = HandStarted(1, "changsha", 0, 55)
PITCH = 26.5


def tile(
    face: Tile, r: float, d: float, seat: int, *, pictures: int = 9, confidence: float = 0.99
) -> SeenTile:
    x, y = from_seat(r, d, seat)
    zone = zone_at(x, y, Layout())
    candidates = ((face, confidence),)
    return SeenTile(face, confidence, x, y, 26.0, zone, candidates, pictures)


def river(seat: int, text: str, **how: int) -> list[SeenTile]:
    return [
        tile(face, -65 + 26 * (i % 6), 98 + 35.5 * (i // 6), seat, **how)
        for i, face in enumerate(parse_tiles(text))
    ]


def melds(seat: int, *texts: str, **how: int) -> list[SeenTile]:
    found, r = [], 312.0
    for text in texts:
        for face in parse_tiles(text):
            face = Tile.BACK if face is Tile.BACK else face
            found.append(tile(face, r, 300, seat, **how))
            r -= PITCH
        r -= 8
    return found


def shown(seat: int, text: str, apart: str = "", **how: int) -> list[SeenTile]:
    tiles = parse_tiles(text)
    found = [tile(face, -307 + PITCH * i, 362, seat, **how) for i, face in enumerate(tiles)]
    if apart:
        r = -307 + PITCH * len(tiles) + 20
        found.append(tile(parse_tile(apart), r, 362, seat, **how))
    return found


def see(state: TableState, *groups: list[SeenTile], dice: tuple[int, ...] = ()) -> Inferred:
    return step(state, Observation(0.0, tuple(t for group in groups for t in group), dice))


def events(state: TableState, *groups: list[SeenTile]) -> list[Event]:
    return [proposed.event for proposed in see(state, *groups).proposed]


def hand(*events: Event) -> TableState:
    return replay([START, *events])


M1, M2 = Discarded(0, Tile.M1), Discarded(1, Tile.M2)


def test_an_unchanged_table_says_nothing() -> None:
    assert see(hand()) == Inferred()
    assert see(hand(M1), river(0, "1m")) == Inferred(last=LastDiscard(lies=True))


def test_no_hand_no_events() -> None:
    assert see(TableState(), river(0, "1m")) == Inferred()


def test_a_new_tile_in_the_river_is_a_discard() -> None:
    assert events(hand(), river(0, "1m")) == [M1]


def test_several_missed_discards_are_found_in_turn_order() -> None:
    assert events(hand(), river(1, "2m"), river(0, "1m"), river(2, "3m")) == [
        M1,
        M2,
        Discarded(2, Tile.M3),
    ]


def test_rivers_are_read_row_by_row() -> None:
    text = "123456789p"
    discards: list[Event] = []
    for face in parse_tiles(text[:-2] + "p"):
        discards += [Discarded(0, face), *(Discarded(s, Tile.M1) for s in (1, 2, 3))]
    state = replay([START, *discards])
    others = [river(s, "1m" * 8) for s in (1, 2, 3)]
    assert events(state, river(0, text), *others) == [Discarded(0, Tile.P9)]


def test_an_unread_discard_waits_then_is_recorded_unknown() -> None:
    early = see(hand(), river(0, "?", pictures=DOUBTFUL_PICTURES - 1))
    assert early.proposed == ()
    assert events(hand(), river(0, "?", pictures=DOUBTFUL_PICTURES)) == [Discarded(0, Tile.UNKNOWN)]


def test_a_discard_out_of_turn_needs_more_pictures() -> None:
    for pictures, found in ((DOUBTFUL_PICTURES - 1, []), (DOUBTFUL_PICTURES, [Tile.P1])):
        seen = events(hand(M1), river(0, "1m"), river(3, "1p", pictures=pictures))
        assert seen == [Discarded(3, tile) for tile in found]


def test_who_lets_the_last_tile_go_by_has_passed_it_on() -> None:
    last = replay([HandStarted(1, "changsha", 0, 1), M1])
    assert events(last, river(0, "1m"), river(3, "4p")) == [
        LastTilePassed(1),
        LastTilePassed(2),
        Discarded(3, Tile.P4),
    ]
    early = replay([HandStarted(1, "changsha", 0, 2), M1])
    assert events(early, river(0, "1m"), river(3, "4p")) == [Discarded(3, Tile.P4)]


def test_a_claim_is_the_meld_and_the_missing_discard() -> None:
    claim = Claimed(1, MeldKind.CHOW, parse_tiles("123m"), 0)
    assert events(hand(M1), melds(1, "231m")) == [claim]


def test_a_meld_laid_while_the_discard_still_lies_there_is_not_yet_a_claim() -> None:
    assert events(hand(M1), river(0, "1m"), melds(1, "123m")) == []


@pytest.mark.parametrize(("gap_mm", "is_one"), [(2.5, True), (5.0, True), (8.0, False)])
def test_a_claimed_meld_may_have_a_small_gap_in_it(gap_mm: float, is_one: bool) -> None:
    """Boxes of tiles that touch were read too narrow, and the meld fitted none."""
    claim = Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0)
    x, y = from_seat(312.0 - PITCH - 26.0 - gap_mm, 300, 1)
    *two, last = melds(1, "111m")
    assert events(hand(M1), [*two, replace(last, x_mm=x, y_mm=y)]) == [claim] * is_one


def test_a_claim_and_the_discard_after_it_are_found_together() -> None:
    assert events(hand(M1), melds(2, "111m"), river(2, "9p")) == [
        Claimed(2, MeldKind.PUNG, parse_tiles("111m"), 0),
        Discarded(2, Tile.P9),
    ]


def test_a_claim_that_is_not_surely_seen_yet_comes_before_what_was_discarded_after_it() -> None:
    """One tile of the meld lies beside something that covers the next hand: it is read slowly."""
    for pictures, is_sure in ((DOUBTFUL_PICTURES - 1, False), (DOUBTFUL_PICTURES, True)):
        meld = melds(1, "111m")
        meld[-1] = replace(meld[-1], is_clear=False, pictures=pictures)
        found = events(hand(M1), meld, river(1, "9p"), river(2, "4s"))
        claim = Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0)
        follow = [claim, Discarded(1, Tile.P9), Discarded(2, Tile.S4)]
        assert found == (follow if is_sure else [])


@pytest.mark.parametrize(
    ("seat", "part", "waits"),
    [(2, "11m", True), (2, "1m", True), (1, "3m", True), (2, "3m", False), (1, "4m", False)],
)
def test_a_claim_of_which_a_part_is_seen_comes_before_what_was_discarded_after_it(
    seat: int, part: str, waits: bool
) -> None:
    """A look has missed tiles of the meld: they are waited for, and looked for; not for ever."""
    for pictures in (DOUBTFUL_PICTURES, PARTLY_PICTURES - 1, PARTLY_PICTURES):
        found = see(hand(M1), melds(seat, part, pictures=pictures), river(seat, "9p"))
        is_waiting = waits and pictures < PARTLY_PICTURES
        assert bool(found.proposed) is not is_waiting
        assert found.partly == (frozenset({seat}) if is_waiting else frozenset())
    early = see(hand(M1), melds(seat, part, pictures=DOUBTFUL_PICTURES - 1))
    assert early.partly == frozenset(), "it may be on its way"


def test_what_fits_no_meld_with_the_discard_holds_nothing_back() -> None:
    meld = melds(1, "234p", pictures=1)
    assert events(hand(M1), river(0, "1m"), meld, river(1, "9p")) == [Discarded(1, Tile.P9)]
    assert events(hand(M1), meld, river(1, "9p")) == [Discarded(1, Tile.P9)]


def test_one_unread_tile_of_a_meld_is_filled_in_when_only_one_fits() -> None:
    assert events(hand(M1), melds(2, "11m?")) == [Claimed(2, MeldKind.PUNG, parse_tiles("111m"), 0)]


@pytest.mark.parametrize(
    ("tiles", "claimed", "meld"),
    [
        ("", "1m", None),
        ("111m", "1m", "pung 111m"),
        ("1111m", "1m", "kong_exposed 1111m"),
        ("132m", "3m", "chow 123m"),
        ("124m", "1m", None),
        ("123m", "9m", None),
        ("23m?", "1m", "chow 123m"),
        ("2m??", "1m", None),
        ("12?m".replace("?m", "m?"), "2m", "chow 123m"),
        ("23m?", "2m", None),
    ],
)
def test_a_meld_is_known_only_when_one_reading_fits(
    tiles: str, claimed: str, meld: str | None
) -> None:
    found = claimed_meld(parse_tiles(tiles), parse_tile(claimed))
    assert (str(found) if found else None) == meld


def test_a_kong_with_its_outer_tiles_down_is_concealed() -> None:
    assert events(hand(), melds(0, "#55p#")) == [KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.P5)]


def test_a_fourth_tile_beside_a_recorded_pung_is_an_added_kong() -> None:
    state = hand(M1, Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0))
    assert events(state, melds(1, "1111m")) == [KongDeclared(1, MeldKind.KONG_ADDED, Tile.M1)]


@pytest.mark.parametrize("likely", [0.9, 0.001])
def test_an_unread_tile_beside_a_recorded_pung_is_the_fourth_where_it_looks_like_it(
    likely: float,
) -> None:
    state = hand(M1, Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0))
    fourth = tile(Tile.UNKNOWN, 312 - 3 * PITCH, 300, 1, pictures=20)
    fourth = replace(fourth, candidates=((Tile.M1, likely), (Tile.S1, 1 - likely)))
    kong = KongDeclared(1, MeldKind.KONG_ADDED, Tile.M1)
    assert events(state, melds(1, "111m"), [fourth]) == [kong] * (likely > 0.5)


def test_the_first_tile_of_a_new_meld_is_no_kong() -> None:
    """A 1m laid down for 123m beside a pung of 1m: the other two are a picture late."""
    state = hand(M1, Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0))
    assert events(state, melds(1, "111m"), [tile(Tile.M1, 200, 300, 1, pictures=2)]) == []


def test_a_self_drawn_hand_shows_its_drawn_tile_apart() -> None:
    state = hand(M1, WinDeclared(1))
    table = river(0, "1m"), shown(1, "234m 567p 111s 555s 8p", apart="8p")
    (event,) = events(state, *table)
    assert event == HandShown(
        1, tuple(sorted(parse_tiles("234m 567p 111s 555s 88p"))), Tile.P8, True
    )


def test_a_hand_won_on_a_discard_lacks_the_tile_that_lies_in_the_river() -> None:
    state = hand(M1, WinDeclared(1))
    (event,) = events(state, river(0, "1m"), shown(1, "23m 567p 111s 555s 88p"))
    assert event == HandShown(
        1, tuple(sorted(parse_tiles("123m 567p 111s 555s 88p"))), Tile.M1, False
    )


def test_a_drawn_tile_that_lies_not_apart_is_asked_for() -> None:
    state = hand(M1, WinDeclared(1))
    (event,) = events(state, river(0, "1m"), shown(1, "234m 567p 111s 555s 88p"))
    assert isinstance(event, HandShown)
    assert event.winning_tile is Tile.UNKNOWN


def test_a_hand_with_tiles_missing_is_asked_about_not_judged() -> None:
    state = hand(M1, WinDeclared(1))
    inferred = see(state, river(0, "1m"), shown(1, "23m 567p 111s 55s"))
    assert inferred.proposed == ()
    assert [str(doubt.question) for doubt in inferred.doubts] == ["hand-1-size-1-10"]


def test_of_five_copies_the_least_sure_becomes_unknown() -> None:
    state = hand(M1, WinDeclared(1))
    sure = shown(1, "11112m 567p 111s 55s")
    weak = SeenTile(**{**{f: getattr(sure[0], f) for f in sure[0].__slots__}, "confidence": 0.91})
    (event,) = events(state, river(0, "1m"), [weak, *sure[1:]])
    assert isinstance(event, HandShown)
    assert event.concealed.count(Tile.M1) == 4
    assert event.concealed.count(Tile.UNKNOWN) == 1


def test_birds_are_turned_after_the_hand_is_shown() -> None:
    win = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, False)
    state = hand(M1, WinDeclared(1), win)
    lying = river(0, "1m"), shown(1, "23m 567p 111s 555s 88p")
    bird = [tile(Tile.S5, 30, -20, 0)]
    assert events(state, *lying, bird) == [BirdTurned(Tile.S5)]
    assert events(hand(M1, WinDeclared(1)), river(0, "1m"), bird) == []


def test_a_bird_on_record_that_is_not_read_is_not_turned_again() -> None:
    """Its face was weighed: beside the next one it was recorded twice, and paid for."""
    win = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, False)
    state = hand(M1, WinDeclared(1), win, BirdTurned(Tile.S3))
    lying = river(0, "1m"), shown(1, "23m 567p 111s 555s 88p")
    first, second = tile(Tile.UNKNOWN, 30, -20, 0, pictures=20), tile(Tile.P2, 60, -20, 0)
    assert events(state, *lying, [first, second]) == [BirdTurned(Tile.P2)]


def test_two_birds_of_one_kind_are_two_birds() -> None:
    win = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, False)
    state = hand(M1, WinDeclared(1), win, BirdTurned(Tile.S5))
    lying = river(0, "1m"), shown(1, "23m 567p 111s 555s 88p")
    birds = [tile(Tile.S5, 30, -20, 0), tile(Tile.S5, 30, 25, 0)]
    assert events(state, *lying, birds) == [BirdTurned(Tile.S5)]


def test_a_covered_table_is_never_an_empty_one() -> None:
    state = hand(M1, M2, Discarded(2, Tile.M3), Discarded(3, Tile.M4))
    inferred = see(state, river(0, "1m"))
    assert inferred.covered
    assert inferred.proposed == ()


def test_an_unread_discard_is_filled_in_when_it_is_read() -> None:
    state = hand(Discarded(0, Tile.UNKNOWN))
    (reread,) = see(state, river(0, "7s")).reread
    assert (reread.seat, reread.index, reread.tile) == (0, 0, Tile.S7)


def test_dice_that_the_camera_sees_otherwise_are_asked_about() -> None:
    state = replay([DiceRolled(0, (3, 4)), START])
    assert see(state, dice=(3, 4)).doubts == ()
    (doubt,) = see(state, dice=(3, 5)).doubts
    assert str(doubt.question) == "hand-1-dice"


def test_the_tops_of_standing_tiles_are_no_part_of_a_shown_hand() -> None:
    state = hand(M1, WinDeclared(1))
    lying = river(0, "1m"), shown(1, "234m 567p 111s 555s 8p", apart="8p")
    top = tile(Tile.BACK, 150, 362, 1)
    unsure = SeenTile(
        Tile.UNKNOWN, 0.6, *from_seat(200, 362, 1), 26.0, top.zone, ((Tile.BACK, 0.6),), 9
    )
    assert events(state, *lying, [top, unsure]) == events(state, *lying)


def test_one_stray_thing_in_a_hand_row_raises_no_question() -> None:
    assert see(hand(M1, WinDeclared(1)), river(0, "1m"), shown(1, "5p")).doubts == ()


def test_a_recorded_meld_that_looks_otherwise_is_asked_about() -> None:
    state = hand(M1, Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0))
    (doubt,) = see(state, melds(1, "111s")).doubts
    assert str(doubt.question) == "hand-1-changed-1-1m 1m 1m-1s 1s 1s"
    assert doubt.blocks
    assert see(state, melds(1, "111m")).doubts == ()


def test_a_recorded_meld_with_an_unread_tile_is_not_changed_by_the_meld_beside_it() -> None:
    """Of 123m the 3m is a "?", and as many faces as recorded are read with the next meld's."""
    state = hand(Discarded(3, Tile.M1), Claimed(0, MeldKind.CHOW, parse_tiles("123m"), 3))

    def asked(*lying: str) -> list[str]:
        doubts = see(state, melds(0, *lying, pictures=30)).doubts
        return [doubt.question.kind.value.word for doubt in doubts]

    assert asked("12m?", "678m") == ["meld"]
    assert asked("124m", "678m") == ["meld", "changed"]
    assert "changed" in asked("124m", "?", "678m")


@pytest.mark.parametrize("lies", ["11s", "1m1s", "112s"], ids=["gone", "gone 2", "other"])
def test_what_is_amiss_with_a_recorded_meld_hides_no_meld_beside_it(lies: str) -> None:
    """One tile was taken away, or another lies in its place: the seat was blind from then on."""
    state = hand(
        Discarded(3, Tile.S1),
        Claimed(0, MeldKind.PUNG, parse_tiles("111s"), 3),
        *(Discarded(seat, Tile.P9) for seat in range(3)),
        Discarded(3, Tile.M1),
    )
    rivers = [river(seat, "9p") for seat in range(3)]
    claim = [Claimed(0, MeldKind.PUNG, parse_tiles("111m"), 3)]
    expected = claim if lies != "1m1s" else []  # two are amiss
    assert events(state, *rivers, melds(0, lies, "111m", pictures=30)) == expected


def test_a_fifth_copy_does_not_answer_its_own_question() -> None:
    discards = [Discarded(seat, Tile.P9) for seat in range(4)]
    state = hand(*discards, Discarded(0, Tile.UNKNOWN))
    others = [river(seat, "9p") for seat in (1, 2, 3)]
    assert see(state, river(0, "99p"), *others).reread == ()


def test_a_hidden_tile_and_a_new_one_do_not_name_the_unread_one() -> None:
    """Of ? 2m the ? is hidden and a 3m is new: the ? is not a 2m."""
    discards: list[Event] = []
    for face in (Tile.UNKNOWN, Tile.M2):
        discards += [Discarded(0, face), *(Discarded(seat, Tile.P1) for seat in (1, 2, 3))]
    others = [river(seat, "11p") for seat in (1, 2, 3)]
    assert see(hand(*discards), river(0, "23m"), *others).reread == ()


def test_a_kong_being_added_keeps_the_shown_hand_waiting() -> None:
    state = hand(M1, Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0), Discarded(1, Tile.S7))
    state = replay([WinDeclared(2)], state)
    lying = river(1, "7s"), melds(1, "1111m", pictures=3), shown(2, "23m 567p 111s 555s 88p")
    assert events(state, *lying) == []
