"""What lies under an arm or a glare: it is waited for, asked for late, and asked no more once seen.

No rule of a rule book: nothing may be recorded or asked by what cannot be seen.
"""

from dataclasses import replace

import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.following.claimed_tiles import turned_tile
from table_assist.following.infer import step
from table_assist.following.proposed import LastDiscard
from table_assist.following.rivers import UNREAD_OUT_OF_TURN
from table_assist.following.seen_table import DOUBTFUL_PICTURES, SURE_PICTURES
from table_assist.game.events import Answered, Asked, Claimed, Discarded, HandStarted
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.from_camera import WITHDRAWN_S
from table_assist.session.late_faces import OTHERWISE_S
from table_assist.session.session import Session
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind, to_seat
from tests.following.test_infer import M1, M2, events, hand, melds, river, shown, tile
from tests.stages.seen_play import Table as PlayedTable

HIDDEN = OccludedZone(Zone(ZoneKind.RIVER, 0), 0.0, WhyUnseen.HIDDEN)


class Clock:
    t = 0.0


class Table:
    """A table whose camera sees what the test says, at the test's time."""

    def __init__(self) -> None:
        self._clock = Clock()
        self.record = Record(None, lambda: self._clock.t)
        names = ("Ann", "Bo", "Chen", "Du")
        profile = plain_profile(find_rules("changsha"))
        self._session = Session(profile, names, self.record, now=lambda: self._clock.t)
        for content in (WallReady(), BoardDice(0, (1, 2))):
            self.press(content)

    def press(self, content: object) -> None:
        self._session.process(BoardSignal(content, lambda: None))

    def see(self, t: float, *groups: list[SeenTile], hidden: bool = False) -> None:
        self._clock.t = t
        tiles = tuple(tile for group in groups for tile in group)
        unavailable = (HIDDEN,) if hidden else ()
        self._session.process(Observation(t, tiles, unavailable=unavailable))

    @property
    def open(self) -> list[str]:
        return [question.text.en for question in self.record.state.questions]

    @property
    def asked(self) -> int:
        return sum(isinstance(event, Asked) for _, event in self.record.counting)


def makeshift(tiles: list[SeenTile]) -> list[SeenTile]:
    """Read where something lies or moves beside them."""
    return [replace(tile, is_clear=False) for tile in tiles]


def test_an_unread_discard_is_filled_in_once_it_is_read_and_nobody_is_asked() -> None:
    table = Table()
    table.see(1.0, river(0, "?"))
    table.see(30.0, river(0, "?"))
    assert table.record.state.seats[0].river == (Tile.UNKNOWN,)
    table.see(31.0, river(0, "5p"))
    assert table.record.state.seats[0].river == (Tile.P5,)
    assert table.asked == 0


def test_what_was_read_beside_a_hand_is_put_right_without_a_question() -> None:
    table = Table()
    table.see(1.0, makeshift(river(0, "9p", pictures=DOUBTFUL_PICTURES)))
    assert table.record.state.seats[0].river == (Tile.P9,)
    table.see(3.0, river(0, "8p"))
    assert table.record.state.seats[0].river == (Tile.P8,)
    assert table.asked == 0


WON = shown(2, "123m567m111s55s78p")


def test_what_was_read_otherwise_is_asked_where_it_pays_and_withdrawn_if_it_passes() -> None:
    table = Table()
    table.see(1.0, river(0, "9p"))
    table.see(2.0, river(0, "8p"))
    table.see(2.0 + OTHERWISE_S, river(0, "8p"))
    assert table.open == [], "nothing rests on it"
    table.press(KeyPressed(2, Key.WIN))
    table.see(10.0, river(0, "8p"), WON)
    table.see(10.0 + OTHERWISE_S, river(0, "8p"), WON)
    assert ["9p" in text and "8p" in text for text in table.open] == [True]
    table.see(20.0, river(0, "9p"), WON)
    table.see(20.0 + WITHDRAWN_S, river(0, "9p"), WON)
    assert table.open == []
    assert table.record.state.seats[0].river == (Tile.P9,)
    assert [e.answer for _, e in table.record.counting if isinstance(e, Answered)] == [""]


def test_nothing_is_withdrawn_by_what_cannot_be_seen() -> None:
    table = Table()
    table.see(1.0, river(0, "9p"))
    table.press(KeyPressed(2, Key.WIN))
    table.see(2.0, river(0, "8p"), WON)
    table.see(2.0 + OTHERWISE_S, river(0, "8p"), WON)
    for t in (20.0, 20.0 + WITHDRAWN_S):
        table.see(t, river(0, "?"), WON, hidden=True)
    assert len(table.open) == 1


def test_a_discard_read_beside_a_hand_needs_more_looks() -> None:
    for pictures, known in ((SURE_PICTURES, []), (DOUBTFUL_PICTURES, [M1])):
        assert events(hand(), makeshift(river(0, "1m", pictures=pictures))) == known


def test_a_discard_under_a_glare_is_recorded_unread_when_the_next_player_has_discarded() -> None:
    tiles = tuple(river(1, "2m"))
    seen = Observation(0.0, tiles, unavailable=(HIDDEN,))
    assert [each.event for each in step(hand(), seen).proposed] == [
        Discarded(0, Tile.UNKNOWN),
        M2,
    ]
    later = hand(Discarded(0, Tile.UNKNOWN), M2)
    (reread,) = step(later, Observation(1.0, (*river(0, "1m"), *tiles))).reread
    assert (reread.seat, reread.index, reread.tile) == (0, 0, Tile.M1)


def test_what_a_glare_in_a_part_of_the_river_may_hide_is_recorded_unread() -> None:
    """A lamp that is mirrored on a tile or two hides no zone, and yet the next discard."""
    unread = [Discarded(1, Tile.UNKNOWN), Discarded(2, Tile.M2)]
    before, follower = hand(M1, Discarded(1, Tile.S3), *a_round()), river(2, "9p2m")
    others = (*river(0, "1m5s"), *river(3, "9s"), *follower)
    plain = river(1, "3s")
    glared = Observation(0.0, (*others, *plain), partly_hidden=frozenset({Zone(ZoneKind.RIVER, 1)}))
    wiped_out, gone = [replace(plain[0], tile=Tile.UNKNOWN)], [replace(plain[0], age_s=3.0)]
    for seen in (glared, *(Observation(0.0, (*others, *lying)) for lying in (wiped_out, gone))):
        assert [each.event for each in step(before, seen).proposed] == unread
    assert events(before, [*others, *plain]) == [Discarded(2, Tile.M2)]


@pytest.mark.parametrize("before", [1, 3, 6, 7])
def test_a_discard_that_a_glare_hides_keeps_its_place_in_the_gap_in_the_river(before: int) -> None:
    """Else the next one beside the gap would be taken for it, and be missing itself."""
    faces = parse_tiles("1m2m3m4m5m6m7m8m9m")
    played = [Discarded(seat, tile) for tile in faces[:before] for seat in range(4)]
    state = hand(*played, Discarded(0, Tile.UNKNOWN), *(Discarded(k, Tile.S9) for k in (1, 2, 3)))
    lying = river(0, "".join(map(str, faces[: before + 2])))
    others = [
        seen
        for seat in (1, 2, 3)
        for seen in river(seat, "".join(map(str, (*faces[:before], Tile.S9))))
    ]
    lying.pop(before)
    found = step(state, Observation(0.0, (*lying, *others)))
    assert found.reread == ()
    assert [each.event for each in found.proposed] == [Discarded(0, lying[-1].tile)]


def test_a_missed_discard_keeps_its_place_before_the_next_one_on_record() -> None:
    """Else as many lie there as are on record, and the new one at the end is none."""
    faces = parse_tiles("1m2m3m4m")
    state = hand(*(Discarded(seat, tile) for tile in faces for seat in range(4)))
    others = [seen for seat in (1, 2, 3) for seen in river(seat, "1234m")]
    lying = river(0, "12349m")
    for missed in (0, 1, 2):
        seen = Observation(0.0, (*lying[:missed], *lying[missed + 1 :], *others))
        found = step(state, seen)
        assert [each.event for each in found.proposed] == [Discarded(0, Tile.M9)], missed
        assert found.reread == ()
        assert found.doubts == ()


def test_a_missed_discard_does_not_make_the_last_one_gone() -> None:
    """Else the last one would be claimed, taken back or asked about though it lies there."""
    faces = parse_tiles("1m2m3m4m")
    state = hand(*(Discarded(seat, tile) for tile in faces for seat in range(4)))
    lying = [seen for seat in range(4) for seen in river(seat, "1234m")]
    assert step(state, Observation(0.0, tuple(lying))).last == LastDiscard(lies=True)
    lying.remove(next(seen for seen in lying[12:] if seen.tile is Tile.M2))
    found = step(state, Observation(0.0, tuple(lying)))
    assert found.last == LastDiscard(lies=True)
    assert found.doubts == ()
    assert found.proposed == ()


def test_an_unread_thing_beside_the_last_discard_is_no_second_one_before_it_has_lain_long() -> None:
    """What moved there may leave a trace: its player is not on turn, and nobody discards twice."""
    state = hand(M1)
    for pictures, known in (
        (DOUBTFUL_PICTURES, []),
        (UNREAD_OUT_OF_TURN - 1, []),
        (UNREAD_OUT_OF_TURN, [Discarded(0, Tile.UNKNOWN)]),
    ):
        lying = river(0, "1m?")
        lying[1] = replace(lying[1], pictures=pictures)
        assert events(state, lying) == known
    assert events(state, river(0, "1m9s", pictures=DOUBTFUL_PICTURES)) == [Discarded(0, Tile.S9)]


def test_in_the_gap_of_a_claimed_tile_nothing_is_missing() -> None:
    """Its player leaves the gap, and goes on beside it."""
    nines = Claimed(3, MeldKind.PUNG, (Tile.M9,) * 3, 1)
    first = [Discarded(seat, tile) for seat, tile in enumerate(parse_tiles("1m2m3m4m"))]
    second = [Discarded(0, Tile.S1), Discarded(1, Tile.M9), nines]
    state = hand(*first, *second, Discarded(3, Tile.S3), Discarded(0, Tile.S4))
    beside_the_gap = [river(1, "2m9m5m")[place] for place in (0, 2)]
    others = (*river(0, "1m1s4s"), *river(2, "3m"), *river(3, "4m3s"), *melds(3, "999m"))
    seen = Observation(0.0, (*beside_the_gap, *others))
    assert [each.event for each in step(state, seen).proposed] == [Discarded(1, Tile.M5)]


def a_round() -> list[Discarded]:
    """Of seats 2, 3 and 0: seat 1 is on turn."""
    return [Discarded(2, Tile.P9), Discarded(3, Tile.S9), Discarded(0, Tile.S5)]


def test_in_plain_view_a_discard_out_of_turn_stays_one() -> None:
    lies = river(0, "1m")
    for seat in (2, 3):
        assert events(hand(M1), lies, river(seat, "2m")) == [Discarded(seat, Tile.M2)]
    middle = [replace(tile(Tile.M2, 0, d, 3), zone=Zone(ZoneKind.RIVER, 3)) for d in (14, 50)]
    assert events(hand(M1), lies, middle) == [Discarded(3, Tile.M2)] * 2


def test_tiles_that_were_knocked_about_are_the_same_discards() -> None:
    state = hand(M1, *(Discarded(seat, Tile.S9) for seat in (1, 2, 3)), Discarded(0, Tile.P5))
    others = [lying for seat in (1, 2, 3) for lying in river(seat, "9s")]
    assert step(state, Observation(0.0, (*river(0, "5p 1m"), *others))).reread == ()


def test_a_back_or_two_among_the_melds_are_no_meld_and_three_are_asked_about() -> None:
    for backs, asks in ((1, 0), (2, 0), (3, 1)):
        lying = tuple(tile(Tile.BACK, 312 - 26.5 * i, 300, 2, pictures=40) for i in range(backs))
        assert len(step(hand(M1), Observation(0.0, (*river(0, "1m"), *lying))).doubts) == asks


@pytest.mark.parametrize(("backs", "asks"), [(4, 0), (9, 0), (11, 1), (13, 0), (15, 1)])
def test_a_standing_hand_of_which_most_is_not_read_is_not_counted(backs: int, asks: int) -> None:
    standing = [tile(Tile.BACK, 26 * i - 150, 365, 2, pictures=40) for i in range(backs)]
    seen = step(hand(M1), Observation(0.0, (*river(0, "1m"), *standing)))
    assert len(seen.doubts) == asks


@pytest.mark.parametrize(("away_mm", "asks"), [(120.0, 0), (28.0, 1)])
def test_something_unread_is_asked_about_only_where_it_may_have_been_put_to_a_meld(
    away_mm: float, asks: int
) -> None:
    """Chips and a printed mark lie in the corners all evening; a kong's fourth tile touches it."""
    state = hand(Discarded(0, Tile.S3), Claimed(1, MeldKind.PUNG, parse_tiles("333s"), 0))
    pung = melds(1, "333s", pictures=40)
    left = min(to_seat(seen.x_mm, seen.y_mm, 1)[0] for seen in pung)
    lying = tile(Tile.UNKNOWN, left - away_mm, 300, 1, pictures=40)
    assert len(step(state, Observation(0.0, (*pung, lying))).doubts) == asks


def test_a_pung_seen_twice_as_the_table_is_bumped_is_no_kong() -> None:
    claimed = Claimed(1, MeldKind.PUNG, parse_tiles("333s"), 0)
    state = hand(Discarded(0, Tile.S3), claimed)
    lies = melds(1, "333s", pictures=40)
    bumped = tile(Tile.S3, 312 + 18, 290, 1)
    assert step(state, Observation(0.0, (*lies, bumped))).proposed == ()


@pytest.mark.parametrize("width", [20.0, 26.0, 33.0])
@pytest.mark.parametrize("turned", [None, 0, 1, 2])
@pytest.mark.parametrize("large", [0.95, 1.08])
def test_the_tile_that_lies_sideways_is_known_whatever_the_tiles_size(
    width: float, turned: int | None, large: float
) -> None:
    """Boxes are larger than tiles by some per cent, those of one row alike."""
    found, right = [], 320.0
    for place, face in enumerate(parse_tiles("678m")):
        side = width * (35 / 26 if place == turned else 1.0)
        seen = tile(face, right - side / 2, 300, 3)
        found.append(replace(seen, width_mm=side * large))
        right -= side + 0.4
    told = Tile.UNKNOWN if turned is None else found[turned].tile
    assert turned_tile(found) is told
    crooked = [replace(found[0], width_mm=found[0].width_mm * 1.12), *found[1:]]
    assert turned_tile(crooked) in (told, Tile.UNKNOWN)


def test_once_a_win_is_declared_no_more_unread_discards_are_recorded() -> None:
    """A thing that is no discard would change how many turns there were."""
    table = Table()
    table.see(1.0, river(0, "?"))
    table.press(KeyPressed(0, Key.WIN))
    table.see(2.0, river(0, "??"), hidden=True)
    assert table.record.state.seats[0].river == (Tile.UNKNOWN,)
    assert table.open == []


def test_an_unread_thing_that_lies_apart_is_one_discard_and_not_one_more_with_each_look() -> None:
    """The place that was left before it was taken for another one, each time it was recorded."""
    read, apart = river(0, "1m 2m"), tile(Tile.UNKNOWN, 39, 133.5, 0, pictures=40)
    assert events(hand(M1, Discarded(1, Tile.P1), Discarded(2, Tile.P2), Discarded(3, Tile.P3),
                       Discarded(0, Tile.M2), Discarded(0, Tile.UNKNOWN)), [*read, apart],
                  river(1, "1p"), river(2, "2p"), river(3, "3p")) == []  # fmt: skip


def test_a_new_discard_beside_the_gap_of_one_that_is_not_seen_is_new() -> None:
    """The tile beside a discard may be lost for a while when the arm is drawn back."""
    round_of = [Discarded(seat, Tile.M1) for seat in range(4)]
    state = hand(*round_of, Discarded(0, Tile.S5), *(Discarded(s, Tile.M2) for s in (1, 2, 3)))
    others = [river(seat, "1m2m") for seat in (1, 2, 3)]
    first, lost, new = river(0, "1m5s9p")
    young = replace(new, pictures=SURE_PICTURES)
    assert events(state, [first, young], *others) == [Discarded(0, Tile.P9)]
    assert events(state, [first, new], *others) == [], "it may be the same tile, knocked aside"
    assert events(state, [first, replace(lost, tile=Tile.P9, pictures=2)], *others) == []
    aside = replace(young, tile=Tile.S5)
    assert events(state, [first, aside], *others) == []
    claimable = hand(*round_of, Discarded(0, Tile.S5))
    one_each = [river(seat, "1m") for seat in (1, 2, 3)]
    assert events(claimable, [first, young], *one_each) == []


@pytest.mark.parametrize("covered", [(3,), (2, 3)])
def test_what_lies_over_one_river_hides_no_discard_in_the_others(covered: tuple[int, ...]) -> None:
    """A lamp that is mirrored on four tiles of Du held all others' discards back for a round."""
    played = [Discarded(seat, face) for face in parse_tiles("1m2m3m4m") for seat in range(4)]
    seen = ["1234m" if seat not in covered else "" for seat in range(4)]
    lying = tuple(each for seat in range(4) for each in river(seat, seen[seat] + "9p" * (not seat)))
    found = step(hand(*played), Observation(0.0, lying))
    assert found.covered is (len(covered) > 1)
    assert [each.event for each in found.proposed] == [Discarded(0, Tile.P9)] * (len(covered) == 1)


def test_where_many_tiles_lie_unread_a_discard_that_is_not_found_is_unread() -> None:
    """Rather than the others' out of turn: one of two in a row, and one before an unread one."""
    played = [Discarded(n % 4, Tile.UNKNOWN) for n in range(5)]
    before, lies = hand(*played), [each for n in range(4) for each in river(n, "??"[n > 0 :])]
    first, second = Discarded(1, Tile.UNKNOWN), Discarded(2, Tile.UNKNOWN)
    assert events(before, lies, river(2, "?2m")[1:]) == [first, Discarded(2, Tile.M2)]
    assert events(before, lies, river(3, "?2m")[1:]) == [first, second, Discarded(3, Tile.M2)]
    newest = [replace(each, id=2) for each in river(3, "?2m")[1:]]
    older = [replace(each, id=1) for each in river(2, "??")[1:]]
    assert events(before, lies, older, newest) == [first, second, Discarded(3, Tile.M2)]
    assert events(before, lies, [replace(each, id=2) for each in river(0, "??2m")[2:]]) == [
        Discarded(0, Tile.M2)
    ], "three in a row are not missed"
    faces = parse_tiles("123456789p123456789s123456m")
    played = [Discarded(n % 4, face) for n, face in enumerate(faces)]
    well_read = [river(seat, "".join(map(str, faces[seat::4]))) for seat in range(4)]
    newest = [replace(each, id=2) for each in river(1, "".join(map(str, faces[1::4])) + "7m")]
    well_read[1] = newest
    assert events(hand(*played), *well_read) == [Discarded(1, Tile.M7)]


@pytest.mark.parametrize("others", ["", "?"])
def test_an_unread_discard_is_clutter_only_where_nobody_else_has_acted_since(others: str) -> None:
    table = PlayedTable("changsha")
    table.put(HandStarted(1, "changsha", 0, 55))
    first, second = (replace(each, id=n) for n, each in enumerate(river(0, "?5m"), start=1))
    table.look_for(2.0, [first])
    assert table.state.seats[0].river == (Tile.UNKNOWN,)
    for _ in range(2):
        table.look([first, second], river(2, others, pictures=3))
    assert table.state.seats[0].river[0] is (Tile.UNKNOWN if others else Tile.M5)


def test_a_question_about_melds_stands_until_their_row_is_understood_again() -> None:
    table = PlayedTable("changsha")
    pung = Claimed(1, MeldKind.PUNG, parse_tiles("333s"), 0)
    table.put(HandStarted(1, "changsha", 0, 55), Discarded(0, Tile.S3), pung)
    table.look_for(12.0, melds(1, "333s", "58s", pictures=40))
    (asked,) = table.asked
    table.look_for(3 * WITHDRAWN_S, melds(1, "33s", pictures=40))
    assert table.asked == [asked], "a tile of the meld itself is not seen: that answers nothing"
    table.look_for(2 * WITHDRAWN_S, melds(1, "333s", pictures=40))
    assert table.asked == []


def test_a_tile_before_the_next_player_is_of_who_was_on_turn_once_that_one_discards_too() -> None:
    table, hides = PlayedTable("changsha"), frozenset({Zone(ZoneKind.RIVER, 1)})
    table.put(HandStarted(1, "changsha", 0, 55))
    first, astray, second = (
        replace(each, id=n) for n, each in enumerate((*river(0, "1m"), *river(2, "7p5s")), start=1)
    )
    for lying in ((first,), (first, astray), (first, astray, second)):
        for _ in range(4):
            table.t += 0.5
            table.session.process(Observation(table.t, lying, partly_hidden=hides))
    assert [seat.river for seat in table.state.seats[:3]] == [(Tile.M1,), (Tile.P7,), (Tile.S5,)]
    assert table.asked == []
