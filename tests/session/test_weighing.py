"""Unread tiles are weighed; asked is only what moves points."""

from dataclasses import replace

import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from table_assist.contract.commands import Answer
from table_assist.game.events import (
    Asked,
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
)
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import Phase
from table_assist.languages.words import Words
from table_assist.record.log import Amended, Inserted, Source
from table_assist.record.record import Record
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.session.session import Session
from table_assist.session.weighing import claims_in_doubt, filled_in, rests_on
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from tests.following.test_infer import river, shown
from tests.stages.plain_session import RULES, command, hear, record, session

PICTURES = 4
Shares = dict[str, float]


def begun(rules: RuleSet = RULES) -> Session:
    table = session(rules)
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    record(table).append(Discarded(0, Tile.M1), Source.CAMERA)
    return table


def unread(tiles: list[SeenTile], face: str, shares: Shares) -> list[SeenTile]:
    """The same with one tile of that face unread."""
    at = next(i for i, tile in enumerate(tiles) if tile.tile is parse_tiles(face)[0])
    may_be = tuple((parse_tiles(name)[0], share) for name, share in shares.items())
    tiles[at] = replace(tiles[at], tile=Tile.UNKNOWN, confidence=may_be[0][1], candidates=may_be)
    return tiles


def look(table: Session, *tiles: list[SeenTile]) -> None:
    for picture in range(PICTURES):
        lying = tuple(tile for some in tiles for tile in some)
        table.process(Observation(float(picture), lying))


def asked(table: Session) -> list[QuestionKind]:
    return [event.question.kind for _, event in record(table).counting if isinstance(event, Asked)]


def shows(table: Session, hand: str, apart: str, face: str, shares: Shares) -> None:
    hear(table, KeyPressed(1, Key.WIN))
    look(table, river(0, "1m"), unread(shown(1, hand, apart=apart), face, shares))


def test_an_unread_tile_of_a_declared_hand_that_wins_with_one_face_alone_is_filled_in() -> None:
    table = begun()
    shows(table, "234m 567p 111s 555s 8p", "8p", "2m", {"2m": 0.91, "2p": 0.06, "9s": 0.02})
    (hand,) = table.snapshot.state.shown
    assert hand.concealed == tuple(sorted(parse_tiles("234m 567p 111s 555s 88p")))
    assert asked(table) == []
    (filled,) = [e for e in record(table).entries if isinstance(e.event, Amended)]
    assert 0.999 <= filled.confidence < 1, "the log keeps how sure it was"


def test_what_is_filled_in_counts_against_the_sureness_of_the_settlement() -> None:
    table = begun()
    shows(table, "234m 567p 111s 555s 8p", "8p", "2m", {"2m": 0.91, "2p": 0.06, "9s": 0.02})
    for bird in ("3m", "4m"):
        record(table).append(BirdTurned(parse_tiles(bird)[0]), Source.CAMERA)
    look(table, river(0, "1m"), shown(1, "234m 567p 111s 555s 8p", apart="8p"))
    sure = table.snapshot.sureness
    assert sure is not None
    assert 0.99 < sure.probability < 1


@pytest.mark.parametrize(
    ("hand", "face", "shares"),
    [
        # 5m or 2m completes it, and pays otherwise: all of one suit, or not.
        ("345m 456m 678m 222m 2m", "3m", {"3m": 0.6, "6m": 0.4}),
        # The likeliest face makes it no win: a person says so, not the camera.
        ("234m 567p 111s 555s 8p", "2m", {"9m": 0.999, "2m": 0.0001}),
    ],
)
def test_where_the_faces_pay_otherwise_or_do_not_win_people_are_asked(
    hand: str, face: str, shares: Shares
) -> None:
    table = begun()
    apart = hand.split()[-1]
    shows(table, hand, apart, face, shares)
    assert any(isinstance(e.event, HandShown) for e in record(table).entries)
    told = [tile for each in table.snapshot.state.shown for tile in each.concealed]
    if Tile.UNKNOWN in told:
        assert asked(table) == [QuestionKind.SHOW]
    assert table.snapshot.state.phase is Phase.SHOWING


@pytest.mark.parametrize(("pung", "pays_otherwise"), [("888s", True), ("999s", False)])
def test_a_meld_with_an_unread_tile_is_asked_about_where_another_one_pays_otherwise(
    pung: str, pays_otherwise: bool
) -> None:
    """Changchun, CC-20: without a terminal or an honor it is no win."""
    rules, kept = find_rules("changchun"), Record(None, lambda: 0.0)
    kept.append(HandStarted(1, "changchun", 0, 55), Source.RULES)
    kept.append(Discarded(0, Tile.M2), Source.CAMERA)
    chow = Claimed(1, MeldKind.CHOW, parse_tiles("123m"), 0)
    seq = kept.append(chow, Source.CAMERA)
    for seat, face in ((1, Tile.EAST), (2, Tile.P5)):
        kept.append(Discarded(seat, face), Source.CAMERA)
    won = HandShown(1, parse_tiles(f"567p 456p {pung} 22s"), Tile.P5, self_drawn=False)
    kept.append(won, Source.CAMERA)
    laid = unread(shown(1, "123m"), "1m", {"1m": 0.8, "4m": 0.15, "7m": 0.01})
    found = claims_in_doubt(rules, kept, {seq: tuple(laid)})
    tiles = (Tile.UNKNOWN, *parse_tiles("23m"))
    assert found == ([(seq, replace(chow, tiles=tiles))] if pays_otherwise else [])


@pytest.mark.parametrize(("other", "is_named"), [("7m", True), ("5p", False)])
def test_the_unread_tile_that_makes_wild_is_what_a_declared_hand_needs(
    other: str, is_named: bool
) -> None:
    """Tianjin: 3s makes 3s and 4s wild, 5p other tiles of the hand, and 7m none of them."""
    rules, kept = find_rules("tianjin"), Record(None, lambda: 0.0)
    kept.append(HandStarted(1, "tianjin", 0, 60), Source.RULES)
    seq = kept.append(IndicatorTurned(Tile.UNKNOWN, 5), Source.CAMERA)
    held = parse_tiles("124p 456p 789p 456m 3p 4s")
    kept.append(HandShown(0, held, Tile.M5, self_drawn=True), Source.CAMERA)
    turned = unread(shown(0, "3s"), "3s", {"3s": 0.7, other: 0.2, "7s": 0.02})
    found = filled_in(rules, kept, {seq: tuple(turned)})
    assert [event for _, event, _ in found] == ([IndicatorTurned(Tile.S3, 5)] if is_named else [])


@pytest.mark.parametrize(("rules", "is_named"), [("changsha", True), ("tianjin", False)])
@pytest.mark.parametrize("is_read", [True, False])
def test_which_tile_a_hand_won_on_is_asked_where_another_one_pays_otherwise(
    rules: str, is_named: bool, is_read: bool
) -> None:
    """None lies apart. Tianjin pays more for 5m between 4m and 6m."""
    found, kept = find_rules(rules), Record(None, lambda: 0.0)
    kept.append(HandStarted(1, rules, 0, 55), Source.RULES)
    held = parse_tiles("123p 456p 789p 456m 55p")
    as_read = held if is_read else (Tile.UNKNOWN, *held[1:])
    won = HandShown(0, as_read, Tile.UNKNOWN, self_drawn=True)
    seq = kept.append(won, Source.CAMERA)
    first = str(held[0])
    lying = unread(shown(0, "123p 456p 789p 456m 55p"), first, {first: 0.9})
    named = [
        event for _, event, _ in filled_in(found, kept, {} if is_read else {seq: tuple(lying)})
    ]
    assert [sorted(event.concealed) == sorted(held) and event.winning_tile.is_face
            for event in named if isinstance(event, HandShown)] == [True] * is_named  # fmt: skip


@pytest.mark.parametrize(("other", "is_named"), [("3f", True), ("1f", False)])
def test_an_unread_flower_is_named_where_it_is_nobodys_own(other: str, is_named: bool) -> None:
    """Classical: only the first flower is East's."""
    rules, kept = find_rules("classical"), Record(None, lambda: 0.0)
    kept.append(HandStarted(1, "classical", 0, 72), Source.RULES)
    laid = kept.append(BonusLaid(0, (Tile.UNKNOWN,)), Source.CAMERA)
    held = parse_tiles("123m 456m 789p 234s 55s")
    kept.append(HandShown(0, held, Tile.S2, self_drawn=True), Source.CAMERA)
    flower = unread(shown(0, "2f"), "2f", {"2f": 0.8, other: 0.2})
    found = [event for _, event, _ in filled_in(rules, kept, {laid: tuple(flower)})]
    assert found == ([BonusLaid(0, (Tile.FLOWER2,))] if is_named else [])


@pytest.mark.parametrize(("other", "is_named"), [("2s", False), ("8s", True)])
def test_two_unread_tiles_that_look_alike_may_both_be_another_face(
    other: str, is_named: bool
) -> None:
    """Changsha, seven pairs: four of a kind pay twice as much, another pair pays alike."""
    rules, kept = find_rules("changsha"), Record(None, lambda: 0.0)
    kept.append(HandStarted(1, "changsha", 0, 55), Source.RULES)
    held = parse_tiles("11m 33m 55p 77p 99s 22s 44s")
    read = HandShown(0, (Tile.UNKNOWN, Tile.UNKNOWN, *held[:-2]), Tile.M1, self_drawn=True)
    seq = kept.append(read, Source.CAMERA)
    alike = unread(shown(0, "4s"), "4s", {"4s": 0.9, other: 0.1})
    found = filled_in(rules, kept, {seq: (*alike, *alike)})
    assert bool(found) == is_named


@pytest.mark.parametrize(("other", "is_named"), [("5z", False), ("8s", True)])
def test_so_may_two_of_a_loser(other: str, is_named: bool) -> None:
    """Classical: a pair of dragons pays its holder, one beside another tile does not."""
    rules, kept = find_rules("classical"), Record(None, lambda: 0.0)
    kept.append(HandStarted(1, "classical", 0, 72), Source.RULES)
    held = parse_tiles("123m 456m 789p 234s 55s")
    kept.append(HandShown(0, held, Tile.S2, self_drawn=True), Source.CAMERA)
    laid = HandLaidDown(1, (Tile.UNKNOWN, Tile.UNKNOWN, *parse_tiles("1m4m7m 1p4p7p 1s6s9s 1z2z")))
    seq = kept.append(laid, Source.CAMERA)
    alike = unread(shown(0, "4s"), "4s", {"4s": 0.9, other: 0.1})
    assert bool(filled_in(rules, kept, {seq: (*alike, *alike)})) == is_named


def test_a_face_of_which_four_lie_open_is_none_of_the_faces() -> None:
    table = begun()
    for seat, tile in ((1, "2p"), (2, "2p"), (3, "2p"), (0, "2p")):
        record(table).append(Discarded(seat, parse_tiles(tile)[0]), Source.CAMERA)
    hear(table, KeyPressed(1, Key.WIN))
    lying = [river(seat, "2p" if seat else "1m2p") for seat in range(4)]
    hand = unread(shown(1, "234m 567p 111s 555s 8p", apart="8p"), "2m", {"2p": 0.6, "2m": 0.4})
    look(table, *lying, hand)
    (seen,) = table.snapshot.state.shown
    assert Tile.M2 in seen.concealed


def test_an_unread_discard_on_which_nothing_rests_is_not_asked_about_and_holds_nothing() -> None:
    table = begun()
    record(table).append(Discarded(1, Tile.UNKNOWN), Source.CAMERA)
    for seat, face in ((2, "9p"), (3, "9s"), (0, "1m")):
        record(table).append(Discarded(seat, parse_tiles(face)[0]), Source.CAMERA)
    lying = [river(0, "1m1m"), river(1, "?"), river(2, "9p"), river(3, "9s")]
    look(table, *lying)
    hear(table, KeyPressed(1, Key.WIN))
    hand = shown(1, "234m 567p 111s 555s 8p", apart="8p")
    look(table, *lying, hand)
    for bird in ("3m", "4m"):
        record(table).append(BirdTurned(parse_tiles(bird)[0]), Source.CAMERA)
    look(table, *lying, hand)
    assert asked(table) == []
    assert table.snapshot.state.phase is Phase.SETTLED


def test_a_settlement_rests_on_an_unread_discard_where_the_chase_does() -> None:
    """Tianjin, TJ-29: all four may have been the same."""
    rules, kept = find_rules("tianjin"), Record(None, lambda: 0.0)
    kept.append(HandStarted(1, "tianjin", 0, 60), Source.RULES)
    kept.append(IndicatorTurned(Tile.S3, 5), Source.CAMERA)
    seqs = [
        kept.append(Discarded(seat, face), Source.CAMERA)
        for seat, face in enumerate((Tile.EAST, Tile.EAST, Tile.UNKNOWN, Tile.EAST))
    ]
    won = HandShown(0, parse_tiles("123p 456p 789p 456m 33p"), Tile.M5, self_drawn=True)
    kept.append(won, Source.CAMERA)
    assert rests_on(rules, kept, seqs[2], face=True)
    assert not rests_on(rules.with_options({}), other_than_east(kept, seqs[1]), seqs[2], face=True)


def other_than_east(kept: Record, seq: int) -> Record:
    """One of the others was another tile: then the unread one may be any."""
    kept.append(Amended(seq, Discarded(1, Tile.S9)), Source.CAMERA)
    return kept


@pytest.mark.parametrize(("rules", "pays"), [("tianjin", True), ("changsha", False)])
def test_a_draw_that_pays_by_kongs_waits_for_a_kong_in_doubt(rules: str, pays: bool) -> None:
    table = session(find_rules(rules))
    kept = record(table)
    kept.append(HandStarted(1, rules, 3, 1), Source.RULES)
    first = kept.append(Discarded(3, Tile.M1), Source.CAMERA)
    kept.append(Discarded(0, Tile.M2), Source.CAMERA)
    pressed = QuestionId(1, QuestionKind.KONG, 3, kept.seq)
    kept.append(Asked(pressed, Words("Was it one?", "?"), ("yes", "no"), blocks=True), Source.RULES)
    hear(table, Dome(True))
    state = record(table).state
    assert (state.phase is Phase.SETTLED) is not pays
    if pays:
        kong = KongDeclared(3, MeldKind.KONG_CONCEALED, Tile.M3)
        kept.append(Inserted(first, kong), Source.PERSON)
        (drawn,) = (each for each in state.questions if each.question.kind is QuestionKind.DRAWN)
        assert "Was it one?" in drawn.text.en
        assert command(table, Answer(drawn.question, "yes")) is None
        assert record(table).state.last_transfers[3] > 0
