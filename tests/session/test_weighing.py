"""Unread tiles are weighed; asked is only what moves points."""

from dataclasses import replace

import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.game.events import (
    Asked,
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    ReadyDeclared,
    WinDeclared,
)
from table_assist.game.question import QuestionKind
from table_assist.record.log import Amended, Source
from table_assist.record.record import Record
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.session.kong_keys import KONG_S, KongKeys
from table_assist.session.session import Session
from table_assist.session.weighing import claims_in_doubt, filled_in, rests_on
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from tests.following.test_infer import river, shown
from tests.stages.plain_session import RULES, hear, record, session

PICTURES = 4
Shares = dict[str, float]
LOST = tuple(HandLaidDown(seat, parse_tiles("1m4m7m 1p4p7p 1s6s9s 1z2z3z4z")) for seat in (1, 2, 3))
WON = HandShown(0, parse_tiles("123m 456m 789p 234s 55s"), Tile.S2, self_drawn=True)


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


def kept(rules: str, *events: Event) -> tuple[RuleSet, Record, list[int]]:
    """A record of what the camera saw of a hand, and the entries."""
    own = Record(None, lambda: 0.0)
    own.append(HandStarted(1, rules, 0, 55), Source.RULES)
    return find_rules(rules), own, [own.append(event, Source.CAMERA) for event in events]


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
    for bird in (Tile.M3, Tile.M4):
        record(table).append(BirdTurned(bird), Source.CAMERA)
    look(table, river(0, "1m"), shown(1, "234m 567p 111s 555s 8p", apart="8p"))
    sure = table.snapshot.sureness
    assert sure is not None
    assert 0.99 < sure.probability < 1


@pytest.mark.parametrize(("pung", "pays_otherwise"), [("888s", True), ("999s", False)])
def test_a_meld_with_an_unread_tile_is_asked_about_where_another_one_pays_otherwise(
    pung: str, pays_otherwise: bool
) -> None:
    """Changchun, CC-20: without a terminal or an honor it is no win."""
    chow = Claimed(1, MeldKind.CHOW, parse_tiles("123m"), 0)
    won = HandShown(1, parse_tiles(f"567p 456p {pung} 22s"), Tile.P5, self_drawn=False)
    after = Discarded(1, Tile.EAST), Discarded(2, Tile.P5), won
    rules, record, (_, seq, *_) = kept("changchun", Discarded(0, Tile.M2), chow, *after)
    laid = unread(shown(1, "123m"), "1m", {"1m": 0.8, "4m": 0.15, "7m": 0.01})
    found = claims_in_doubt(rules, record, {seq: tuple(laid)})
    tiles = (Tile.UNKNOWN, *parse_tiles("23m"))
    assert found == ([(seq, replace(chow, tiles=tiles))] if pays_otherwise else [])


@pytest.mark.parametrize(("never", "is_named"), [("6s", True), ("4s", False)])
def test_an_unread_tile_is_rather_one_whose_face_is_never_read_at_this_table(
    never: str, is_named: bool
) -> None:
    """Of the unread discards the other face is read wherever it lies: these are not it."""
    shares = {"6s": 0.3, "4s": 0.5, "8p": 0.19}
    always = "6s" if never == "4s" else "4s"
    read = [Discarded(0, tile) for tile in parse_tiles(f"{always} 8p" * 8)]
    held = (Tile.UNKNOWN, *parse_tiles("456m 888m 123p 57s 88s"))
    lost = [Discarded(0, Tile.UNKNOWN)] * 8
    found, record, seqs = kept("changsha", *lost, *read, HandStarted(2, "changsha", 0, 55),
                               HandShown(0, held, Tile.M6, self_drawn=True))  # fmt: skip
    (tile,) = unread(river(0, "6s"), "6s", shares)
    hand = (tile, *shown(0, "456m 888m 123p 57s 88s"))
    named = filled_in(found, record, dict.fromkeys(seqs[:8], (tile,)) | {seqs[-1]: hand})
    assert [Tile.S6 in event.concealed for _, event, _ in named] == [True] * is_named


@pytest.mark.parametrize(("looks", "is_named"), [({"2m": 0.87, "4m": 0.1}, True),
                                                ({"4m": 0.87, "2m": 0.1}, False)])  # fmt: skip
def test_the_unread_discard_that_a_read_hand_took_is_what_that_hand_won_on(
    looks: Shares, is_named: bool
) -> None:
    won = HandShown(2, parse_tiles("222m 34m 456p 222s 123s"), Tile.M2, self_drawn=False)
    rules, record, (given, seq) = kept("changsha", Discarded(1, Tile.UNKNOWN), won)
    (tile,) = unread(river(1, "2m"), "2m", looks)
    hand = shown(2, "222m 34m 456p 222s 123s")
    named = filled_in(rules, record, {given: (tile,), seq: tuple(hand)})
    assert [event for _, event, _ in named] == [Discarded(1, Tile.M2)] * is_named


def test_an_unread_treasure_is_named_where_every_face_pays_alike() -> None:
    opened = EggLaid(1, parse_tiles("CFP")), ReadyDeclared(1), IndicatorTurned(Tile.UNKNOWN, 3)
    won = HandShown(1, parse_tiles("123m 789p 888s 22s"), Tile.S2, self_drawn=True)
    rules, record, seqs = kept("changchun", *opened, won)
    looks = unread(river(0, "4p"), "4p", {"4p": 0.9, "5p": 0.08})
    named = filled_in(rules, record, {seqs[-2]: tuple(looks)})
    assert [event for _, event, _ in named] == [IndicatorTurned(Tile.P4, 3)]


def test_of_several_unread_tiles_only_that_is_left_on_which_points_depend() -> None:
    """Classical: a third 7s is a pung, and pays; what the other single tile is does not."""
    single, pair = "1m4m7m 1p4p7p 1s6s9s 1z2z3z4z", "1m4m7m 1p4p7p 77s9s 1z2z3z4z"
    hands = [HandLaidDown(s, (Tile.UNKNOWN, *parse_tiles(h)[1:])) for s, h in ((1, single),
             (2, pair))]  # fmt: skip
    rules, record, (_, *seqs) = kept("classical", WON, *hands, LOST[2])
    looks = {"9m": 0.93, "7s": 0.05}
    lying = [unread(shown(seat, h), "1m", looks) for seat, h in ((1, single), (2, pair))]
    named = filled_in(rules, record, dict(zip(seqs, map(tuple, lying), strict=False)))
    assert [event.seat for _, event, _ in named if isinstance(event, HandLaidDown)] == [1]


@pytest.mark.parametrize(("rules", "is_named"), [("changsha", True), ("tianjin", False)])
def test_which_tile_a_hand_won_on_is_asked_where_another_one_pays_otherwise(
    rules: str, is_named: bool
) -> None:
    """None lies apart. Tianjin pays more for 5m between 4m and 6m."""
    held = parse_tiles("123p 456p 789p 456m 55p")
    won = HandShown(0, (Tile.UNKNOWN, *held[1:]), Tile.UNKNOWN, self_drawn=True)
    found, record, (seq,) = kept(rules, won)
    lying = unread(shown(0, "123p 456p 789p 456m 55p"), "1p", {"1p": 0.9})
    named = filled_in(found, record, {seq: tuple(lying)})
    hands = [event for _, event, _ in named if isinstance(event, HandShown)]
    assert [each.winning_tile.is_face for each in hands] == [True] * is_named


@pytest.mark.parametrize(
    ("face", "other", "is_named"),
    [("3s", "7m", True), ("3s", "5p", False), ("2f", "3f", True), ("2f", "1f", False)],
)
def test_an_unread_tile_beside_the_hands_is_named_where_it_hardly_matters(
    face: str, other: str, is_named: bool
) -> None:
    """Tianjin: 3s makes 3s and 4s wild, 5p other tiles of the hand, and 7m none of them.

    Classical: only the first flower is East's.
    """
    (tile,) = parse_tiles(face)
    wild = HandShown(0, parse_tiles("124p 456p 789p 456m 3p 4s"), Tile.M5, self_drawn=True)
    laid: Event = BonusLaid(0, (Tile.UNKNOWN,)) if tile.is_bonus else IndicatorTurned(Tile.UNKNOWN)
    rules = "classical" if tile.is_bonus else "tianjin"
    hands = (WON, *LOST) if tile.is_bonus else (wild,)
    found, record, (seq, *_) = kept(rules, laid, *hands)
    lying = unread(shown(0, face), face, {face: 0.7, other: 0.2, "7s": 0.02})
    named = filled_in(found, record, {seq: tuple(lying)})
    assert [repr(tile) in repr(event) for _, event, _ in named] == [True] * is_named
    for number in range(len(hands)):
        found, record, (seq, *_) = kept(rules, laid, WinDeclared(0), *hands[:number])
        assert not filled_in(found, record, {seq: tuple(lying)}), "what it moves is not open yet"


@pytest.mark.parametrize(
    ("rules", "other", "is_named"),
    [
        ("changsha", "2s", False),
        ("changsha", "8s", True),
        ("classical", "5z", False),
        ("classical", "8s", True),
    ],
)
def test_two_unread_tiles_that_look_alike_may_both_be_another_face(
    rules: str, other: str, is_named: bool
) -> None:
    """Changsha, seven pairs: four of a kind pay twice as much, another pair pays alike.

    Classical: a pair of dragons pays a loser, one beside another tile does not.
    """
    pairs = (Tile.UNKNOWN, Tile.UNKNOWN, *parse_tiles("11m 33m 55p 77p 99s 22s"))
    lost = (Tile.UNKNOWN, Tile.UNKNOWN, *parse_tiles("1m4m7m 1p4p7p 1s6s9s 1z2z"))
    won = HandShown(0, pairs, Tile.M1, self_drawn=True)
    lying = [WON, *LOST[1:], HandLaidDown(1, lost)] if rules == "classical" else [won]
    found, record, seqs = kept(rules, *lying)
    alike = unread(shown(0, "4s"), "4s", {"4s": 0.9, other: 0.1})
    assert bool(filled_in(found, record, {seqs[-1]: (*alike, *alike)})) == is_named


def test_a_settlement_rests_on_an_unread_discard_where_the_chase_does() -> None:
    """Tianjin, TJ-29: all four may have been the same."""
    faces = Tile.EAST, Tile.EAST, Tile.UNKNOWN, Tile.EAST
    thrown = [Discarded(seat, face) for seat, face in enumerate(faces)]
    won = HandShown(0, parse_tiles("123p 456p 789p 456m 33p"), Tile.M5, self_drawn=True)
    rules, record, seqs = kept("tianjin", IndicatorTurned(Tile.S3, 5), *thrown, won)
    assert rests_on(rules, record, {}, seqs[3], face=True)
    record.append(Amended(seqs[2], Discarded(1, Tile.S9)), Source.CAMERA)
    assert not rests_on(rules, record, {}, seqs[3], face=True), "then the unread one may be any"
    partly = replace(won, concealed=(Tile.UNKNOWN, *won.concealed[1:]))
    record.append(Amended(seqs[5], partly), Source.CAMERA)
    record.append(Amended(seqs[2], Discarded(1, Tile.EAST)), Source.CAMERA)
    assert not rests_on(rules, record, {}, seqs[3], face=True), "nobody can tell yet"


@pytest.mark.parametrize(("likely", "rests"), [("1s", False), ("3m", True)])
def test_a_win_rests_on_its_players_unread_discard_as_far_as_that_may_be_the_same_tile(
    likely: str, rests: bool
) -> None:
    thrown = Discarded(1, Tile.UNKNOWN), Discarded(2, Tile.P4), Discarded(3, Tile.M8)
    won = HandShown(1, parse_tiles("123m 77m 678p 123s 999p"), Tile.M3, self_drawn=False)
    rules, record, (seq, *_) = kept("classical", *thrown, Discarded(0, Tile.M3), won)
    may_be = {likely: 0.9, "2s": 0.06}
    seen = {seq: tuple(unread(river(1, "1s"), "1s", may_be))}
    assert rests_on(rules, record, seen, seq, face=True) is rests


@pytest.mark.parametrize(
    ("piece", "plays_on", "answers"), [(5, True, True), (9, False, True), (9, True, False)]
)
def test_a_late_kong_answers_its_key_if_it_lay_there_or_its_player_has_not_discarded_since(
    piece: int, plays_on: bool, answers: bool
) -> None:
    now, (lying,) = [0.0], river(0, "3m")
    keys, (_, own, _) = KongKeys(lambda: now[0]), kept("changsha", Discarded(3, Tile.M1))
    keys.hear(KeyPressed(3, Key.KONG), is_running=True)
    now[0] = KONG_S
    (doubt,) = keys.doubts(own, [replace(lying, id=7)])
    own.append(Asked(doubt.question, doubt.text, ("yes", "no"), blocks=True), Source.RULES)
    if plays_on:
        own.append(Discarded(3, Tile.M2), Source.CAMERA)
    kong = KongDeclared(3, MeldKind.KONG_CONCEALED, Tile.M3)
    keys.see(kong, own, [replace(lying, id=piece)])
    assert bool(own.state.questions) is not answers


@pytest.mark.parametrize("flower", [0.75, 0.25])
def test_what_looks_like_no_flower_is_asked_about(flower: float) -> None:
    """Something else may lie beside the flowers, and each of them pays."""
    found, record, (seq, *_) = kept("classical", BonusLaid(0, (Tile.UNKNOWN,)), WON, *LOST)
    lying = unread(shown(0, "2f"), "2f", {"2f": flower, "8p": 0.9999 - flower})
    assert bool(filled_in(found, record, {seq: tuple(lying)})) is (flower > 0.5)
