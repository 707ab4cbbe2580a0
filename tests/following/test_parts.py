"""What only some rule sets have, and what goes wrong at real tables: each rule by its own."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.events import DiceRolled as BoardDice
from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from table_assist.contract.commands import Answer, StartHand
from table_assist.contract.health import SourceHealth
from table_assist.following.indicators import stack_mm
from table_assist.following.infer import Inferred, step
from table_assist.following.misfits import COUNTED_S, ON_ITS_WAY_S
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    ReadyDeclared,
    StartingHandShown,
    Throw,
    TilesExchanged,
    WallBuilt,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import replay
from table_assist.game.question import QuestionId
from table_assist.game.start import hand_started
from table_assist.game.state import Phase, TableState
from table_assist.melds import MeldKind
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.kong_keys import KONG_S
from table_assist.session.session import Session
from table_assist.tiles import Tile, parse_tile, parse_tiles
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.observe import Observation, SeenTile
from table_assist.vision.table.unseen import Unavailable, Why
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import melds, river, shown, tile

NAMES = ("Ann", "Bo", "Chen", "Du")


def started(rules: str, dealer: int = 0, **options: object) -> TableState:
    """Dealt, with what the rules want before it."""
    chosen = find_rules(rules).with_options(options)
    before = replay([DealerChosen(dealer), WallBuilt()])
    return replay([hand_started(plain_profile(chosen), before, dealer)], before)


def see(state: TableState, *groups: Iterable[SeenTile], heap: bool = False) -> Inferred:
    tiles = tuple(tile for group in groups for tile in group)
    return step(state, Observation(0.0, tiles), heap=heap)


def events(state: TableState, *groups: Iterable[SeenTile], heap: bool = False) -> list[Event]:
    return [proposed.event for proposed in see(state, *groups, heap=heap).proposed]


def flowers(seat: int, text: str, **how: int) -> list[SeenTile]:
    return [
        tile(face, -261 + 26.4 * i, 300, seat, **how) for i, face in enumerate(parse_tiles(text))
    ]


def heap(text: str, *, pictures: Iterable[int] = ()) -> list[SeenTile]:
    """Discards in the middle, anywhere between the tray and the walls."""
    places = [(100, 20), (-120, 150), (10, -160), (190, -90), (-200, 0), (60, 110), (-90, -110)]
    often = list(pictures) or [20] * len(places)
    return [
        tile(face, x, -y, 0, pictures=often[i])
        for i, (face, (x, y)) in enumerate(zip(parse_tiles(text), places, strict=False))
    ]


class Table:
    """A session with a clock of its own."""

    def __init__(self, rules: str, **options: object) -> None:
        self.t = 0.0
        self.record = Record(None, lambda: self.t)
        profile = plain_profile(find_rules(rules).with_options(options))
        self.session = Session(profile, NAMES, self.record, now=lambda: self.t)

    def put(self, *events: Event) -> None:
        for event in events:
            self.record.append(event, Source.BOARD)

    def hear(self, *contents: object) -> None:
        for content in contents:
            self.session.process(BoardSignal(content))  # type: ignore[arg-type]

    def look(self, *groups: Iterable[SeenTile], dice: tuple[SeenDie, ...] = ()) -> None:
        self.t += 0.5
        tiles = tuple(tile for group in groups for tile in group)
        values = tuple(sorted(die.value for die in dice if die.value))
        self.session.process(Observation(self.t, tiles, values, dice))

    def look_for(self, seconds: float, *groups: Iterable[SeenTile]) -> None:
        for _ in range(int(seconds / 0.5) + 2):
            self.look(*groups)

    def say(self, command: Answer | StartHand) -> None:
        self.session.put_command(command)
        self.session.drain()

    @property
    def state(self) -> TableState:
        return self.record.state

    @property
    def asked(self) -> list[str]:
        return [str(question.question) for question in self.state.questions]

    def last(self, kind: type) -> Event | None:
        return next((e for _, e in reversed(self.record.counting) if isinstance(e, kind)), None)


# -- dice ------------------------------------------------------------------------------------------


def test_dice_mean_what_the_next_step_says() -> None:
    table = Table("wanzhou")
    table.hear(BoardDice(2, (3, 4)))
    assert table.last(DiceRolled) == DiceRolled(2, (3, 4), Throw.DEALER)
    dealer = table.last(DealerChosen)
    assert isinstance(dealer, DealerChosen)
    table.hear(WallReady(), BoardDice(dealer.seat, (1, 5)))
    assert table.last(DiceRolled) == DiceRolled(dealer.seat, (1, 5), Throw.BREAK)
    assert table.state.phase is Phase.PLAYING
    table.hear(BoardDice(dealer.seat, (4,)))
    assert table.last(DiceRolled) == DiceRolled(dealer.seat, (4,), Throw.EXCHANGE)
    passed_to = find_rules("wanzhou").exchange.passed_to  # type: ignore[union-attr]
    expected = TilesExchanged(passed_to(4, find_rules("wanzhou").chosen))
    assert table.last(TilesExchanged) == expected


def test_two_dice_for_the_exchange_are_asked_about() -> None:
    table = Table("wanzhou")
    table.put(DealerChosen(0), WallBuilt())
    table.hear(BoardDice(0, (1, 5)), BoardDice(0, (4, 2)))
    assert table.last(TilesExchanged) is None
    assert table.asked == ["hand-1-exchange-4 2"]


def test_a_wall_opened_by_two_throws_is_dealt_after_the_second() -> None:
    table = Table("classical")
    table.put(DealerChosen(1), WallBuilt())
    table.hear(BoardDice(1, (2, 3)))
    assert table.state.phase is Phase.WALL_READY
    table.hear(BoardDice(1, (6, 6)))
    assert [dice.throw for dice in table.state.throws] == [Throw.BREAK, Throw.SECOND_BREAK]
    assert (table.state.phase, table.state.dealer) == (Phase.PLAYING, 1)


def test_the_treasure_is_a_secret_with_the_column_of_the_dice() -> None:
    table = Table("changchun")
    table.put(DealerChosen(0), WallBuilt())
    table.hear(BoardDice(0, (2, 2)), KeyPressed(0, Key.READY))
    table.look(river(0, "1m"))
    table.hear(BoardDice(0, (3, 1)))
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.UNKNOWN, 4)


def test_dice_that_only_the_camera_sees_are_thrown_when_they_have_moved() -> None:
    table = Table("wanzhou")
    table.session.process(SourceHealth("board", "none"))
    table.look(dice=(SeenDie(5, -30, 10),))
    table.say(StartHand(0))
    for _ in range(6):
        table.look(dice=(SeenDie(5, -30, 10),))
    assert table.last(DiceRolled) is None  # it has lain there since before
    for _ in range(6):
        table.look(dice=(SeenDie(5, -30, 50),))
    assert table.last(DiceRolled) == DiceRolled(0, (5,), Throw.EXCHANGE)
    assert table.record.entries[-1].source is Source.CAMERA


# -- flowers, eggs, dealt hands --------------------------------------------------------------------


def test_flowers_and_seasons_are_laid_at_the_left_of_the_row() -> None:
    state = started("classical")
    assert events(state, flowers(2, "1f3q")) == [BonusLaid(2, parse_tiles("1f3q"))]
    state = replay([BonusLaid(2, parse_tiles("1f"))], state)
    assert events(state, flowers(2, "1f")) == []
    assert events(state, flowers(2, "1f3q")) == [BonusLaid(2, parse_tiles("3q"))]


def test_an_unread_flower_is_a_flower() -> None:
    state = replay([BonusLaid(2, parse_tiles("1f"))], started("classical"))
    assert events(state, flowers(2, "1f?")) == [BonusLaid(2, (Tile.UNKNOWN,))]


def test_a_flower_drawn_in_play_counts_its_draw_and_its_replacement() -> None:
    state = replay([Discarded(0, Tile.M1)], started("classical"))
    left = state.wall_left
    (laid, thrown) = events(state, river(0, "1m"), flowers(1, "2f"), river(1, "E"))
    assert (laid, thrown) == (BonusLaid(1, (Tile.FLOWER2,)), Discarded(1, Tile.EAST))
    told = replay([laid, thrown], state)
    assert left - told.wall_left in (1, 2)  # the replacement may come from the box
    assert told.hand_size(1) == 13


def test_a_face_that_the_set_has_not_is_unread() -> None:
    state = started("changsha")
    assert events(state, river(0, "E")) == [Discarded(0, Tile.UNKNOWN)]


def test_an_egg_is_laid_from_the_dealt_hand_and_grows() -> None:
    state = started("changchun")
    egg = EggLaid(2, tuple(sorted(parse_tiles("CFP"))))
    assert events(state, melds(2, "CFP")) == [egg]
    state = replay([egg, Discarded(0, Tile.M1), Discarded(1, Tile.M2)], state)
    others = river(0, "1m"), river(1, "2m")
    assert events(state, *others, melds(2, "CFPC")) == [EggAppended(2, 0, Tile.RED)]
    assert events(state, *others, melds(2, "CFPCF")) == [
        EggAppended(2, 0, Tile.RED),
        EggAppended(2, 0, Tile.GREEN),
    ]


def test_a_dealt_hand_that_is_shown_and_taken_back_is_recorded_once() -> None:
    text = "222m 555m 2p4p6p8p 2s4s6s"
    state = started("changsha")
    lying = shown(1, text)
    event = StartingHandShown(1, tuple(sorted(parse_tiles(text))))
    assert events(state, lying) == [event]
    assert events(replay([event], state), lying) == []
    assert events(replay([Discarded(0, Tile.M9)], state), river(0, "9m"), lying) == []


def test_a_dealt_hand_that_is_read_better_while_it_lies_there_is_put_right_unasked() -> None:
    text, table = "222m 555m 2p4p6p8p 2s4s6s", Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55))
    read = shown(1, text)
    unread = [replace(read[0], tile=Tile.UNKNOWN), *read[1:]]
    assert table.session.attention.wanted == frozenset()
    table.look(unread)
    (recorded,) = table.state.openings
    assert Tile.UNKNOWN in recorded.tiles
    assert table.asked
    assert table.session.attention.wanted == {Zone(ZoneKind.HAND, 1)}, "it is read afresh"
    table.look(read)
    assert table.state.openings == (StartingHandShown(1, tuple(sorted(parse_tiles(text)))),)
    assert table.asked == []
    assert table.session.attention.wanted == frozenset()


def test_another_hand_is_no_better_reading_of_a_dealt_one() -> None:
    """What is read must hold all that was read before, and a person's word stands."""
    faces = parse_tiles("222m 555m 2p4p6p8p 2s4s6s")
    known = StartingHandShown(1, tuple(sorted((*faces[1:], Tile.UNKNOWN))))
    state = replay([known], started("changsha"))
    for text, is_better in (
        ("222m 555m 2p4p6p8p 2s4s6s", True),
        ("922m 555m 2p4p6p8p 2s4s6s", True),
        ("222m 555m 2p4p6p9p 2s4s6s", False),
        ("333m 555m 2p4p6p8p 2s4s6s", False),
    ):
        assert (see(state, shown(1, text)).completed is not None) is is_better
    begun = replay([Discarded(0, Tile.M9)], state)
    assert see(begun, river(0, "9m"), shown(1, "222m 555m 2p4p6p8p 2s4s6s")).completed is None


# -- the wall --------------------------------------------------------------------------------------


def in_wall(face: str, seat: int = 0, stack: int = 3) -> list[SeenTile]:
    x, y = stack_mm((17, 17, 17, 17), seat, stack)
    return [tile(parse_tile(face), x, -y, 0)]


def test_the_turned_tile_is_seen_in_the_wall() -> None:
    state = replay([DiceRolled(0, (2, 3), Throw.INDICATOR)], started("tianjin"))
    assert events(state, in_wall("4p")) == [IndicatorTurned(Tile.P4, 5)]
    assert events(started("changsha"), in_wall("4p")) == []


def test_an_unread_turned_tile_is_asked_for_and_filled_in() -> None:
    table = Table("tianjin")
    table.put(DealerChosen(0), WallBuilt())
    table.hear(BoardDice(0, (2, 3)), BoardDice(0, (2, 2)))
    table.look(in_wall("?"))
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.UNKNOWN, 4)
    assert len(table.asked) == 1
    table.look(in_wall("4p"))
    assert table.last(IndicatorTurned) == IndicatorTurned(Tile.P4, 4)
    assert table.asked == []


def treasure_state(*after: Event) -> TableState:
    first = [ReadyDeclared(0), Discarded(0, Tile.M1), DiceRolled(0, (1, 2), Throw.INDICATOR)]
    return replay([*first, IndicatorTurned(Tile.UNKNOWN, 3), *after], started("changchun"))


def test_a_treasure_turned_up_is_known_from_then_on() -> None:
    found = see(treasure_state(), river(0, "1m"), in_wall("4p"))
    assert found.revealed is not None
    assert (found.revealed.number, found.revealed.tile) == (0, Tile.P4)
    assert found.proposed == ()


def test_one_tile_turned_up_is_the_treasure_in_force_and_not_the_one_before_it_too() -> None:
    again = DiceRolled(0, (2, 2), Throw.INDICATOR)
    lying = river(0, "1m"), in_wall("4p")
    secret = treasure_state(again, IndicatorTurned(Tile.UNKNOWN, 4))
    found = see(secret, *lying).revealed
    assert found is not None
    assert (found.number, found.tile) == (1, Tile.P4)
    told = treasure_state(again, IndicatorTurned(Tile.P4, 4))
    assert see(told, *lying).revealed is None


def test_a_hand_won_by_the_treasure_alone_is_a_rush() -> None:
    """Thirteen tiles that wait for the treasure, and a last discard that is of no use to them."""
    # A hand must be open to be declared ready (CC-25).
    before = [Claimed(0, MeldKind.PUNG, parse_tiles("111p"), 3), ReadyDeclared(0)]
    ready = [*before, Discarded(0, Tile.M1), DiceRolled(0, (1, 2), Throw.INDICATOR)]
    won = [IndicatorTurned(Tile.UNKNOWN, 3), Discarded(1, Tile.EAST), WinDeclared(0)]
    state = replay([*ready, *won], started("changchun"))
    hand = "123m 456m 789s 4s"
    named = find_rules("changchun").treasure
    assert named is not None
    turned = next(
        face
        for face in Tile
        if face.is_suited and named.named_by(face, find_rules("changchun").chosen) == (Tile.S4,)
    )
    lying = river(0, "1m"), river(1, "E"), melds(0, "111p"), shown(0, hand)
    assert events(state, *lying) == []  # the treasure is still a secret, and it decides
    (event,) = events(state, *lying, in_wall(str(turned)))
    expected = tuple(sorted((*parse_tiles(hand), Tile.S4)))
    assert event == HandShown(0, expected, Tile.S4, self_drawn=False, rush=True)


# -- the end ---------------------------------------------------------------------------------------


def test_the_hands_of_those_who_have_not_won_are_laid_down_where_they_count() -> None:
    win = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, False)
    text = "19m19p19s ESWNCFP"
    for rules, expected in (
        ("classical", [HandLaidDown(2, tuple(sorted(parse_tiles(text))))]),
        ("wanzhou", []),
    ):
        state = replay([Discarded(0, Tile.M1), WinDeclared(1), win], started(rules))
        lying = river(0, "1m"), shown(1, "23m 567p 111s 555s 88p"), shown(2, text)
        assert events(state, *lying) == expected, rules


def test_what_still_lies_face_down_is_asked_for_only_after_a_while() -> None:
    table = Table("classical")
    table.put(HandStarted(1, "classical", 0, 75))
    win = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, False)
    table.put(Discarded(0, Tile.M1), WinDeclared(1), win)
    lying = river(0, "1m"), shown(1, "23m 567p 111s 555s 88p")
    table.look(*lying)
    assert table.asked == []
    table.look_for(9, *lying)
    assert [("open" in asked) for asked in table.asked] == [True]


def test_an_empty_wall_is_a_drawn_hand_once_all_is_known_that_is_paid() -> None:
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 0), Discarded(0, Tile.M1))
    table.hear(Dome(True))
    assert isinstance(table.record.counting[-1][1], WallExhausted)


def test_the_pass_key_leaves_the_last_tile_to_the_next() -> None:
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 1), Discarded(0, Tile.M1))
    for seat in (1, 2, 3, 0):
        table.hear(KeyPressed(seat, Key.PASS))
    passed = [e for _, e in table.record.counting if isinstance(e, LastTilePassed)]
    assert [event.seat for event in passed] == [1, 2, 3, 0]
    table.hear(Dome(True))
    assert isinstance(table.record.counting[-1][1], WallExhausted)


# -- keys and eyes ---------------------------------------------------------------------------------


def test_a_kong_key_without_a_kong_is_asked_about_and_one_with_it_is_not() -> None:
    for laid, expected in (([], 1), (melds(0, "#55p#"), 0)):
        table = Table("changsha")
        table.put(HandStarted(1, "changsha", 0, 55))
        table.hear(KeyPressed(0, Key.KONG))
        table.look_for(KONG_S, laid)
        assert len(table.asked) == expected
        assert (table.last(KongDeclared) is not None) is bool(laid)


def test_a_kong_that_is_seen_without_its_key_is_recorded() -> None:
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55))
    table.look_for(KONG_S, melds(0, "#55p#"))
    assert table.last(KongDeclared) == KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.P5)
    assert table.asked == []


def test_a_ready_key_faster_than_the_camera_counts_with_its_own_discard() -> None:
    """Bo draws, presses and discards before the camera has seen the discard of Ann."""
    table = Table("wanzhou")
    table.put(HandStarted(1, "wanzhou", 0, 55))
    table.hear(KeyPressed(1, Key.READY))
    table.look(river(0, "1m"))
    table.look(river(0, "1m"), river(1, "2m"))
    order = [type(event) for _, event in table.record.counting[-3:]]
    assert order == [Discarded, ReadyDeclared, Discarded]
    assert table.state.seats[1].ready_discard == 1
    assert table.asked == []


# -- what was too quick, what is gone, what was moved ----------------------------------------------


def test_a_discard_that_was_claimed_before_it_was_seen_is_of_who_was_on_turn() -> None:
    state = replay([Discarded(0, Tile.M1)], started("changsha"))
    pung = Claimed(3, MeldKind.PUNG, parse_tiles("555p"), 1)
    lying = river(0, "1m"), melds(3, "555p")
    assert events(state, *lying) == [Discarded(1, Tile.P5), pung]
    assert events(state, *lying, river(3, "9s")) == [
        Discarded(1, Tile.P5),
        pung,
        Discarded(3, Tile.S9),
    ]


def test_which_tile_of_a_chow_was_claimed_unseen_is_asked() -> None:
    state = replay([Discarded(0, Tile.M1)], started("changsha"))
    found = see(state, river(0, "1m"), melds(2, "456p"))
    assert [proposed.event for proposed in found.proposed] == [
        Discarded(1, Tile.UNKNOWN),
        Claimed(2, MeldKind.CHOW, parse_tiles("456p"), 1),
    ]
    assert found.proposed[0].candidates == parse_tiles("456p")


def test_a_discard_that_goes_from_the_river_unclaimed_is_asked_about() -> None:
    table = Table("classical")
    table.put(HandStarted(1, "classical", 0, 60), Discarded(0, Tile.M1), Discarded(1, Tile.M2))
    table.look_for(ON_ITS_WAY_S / 2, river(0, "1m"))
    assert table.asked == []
    table.look_for(ON_ITS_WAY_S, river(0, "1m"))
    assert table.asked == ["hand-1-gone-1-1"]
    table.say(Answer(QuestionId.parse("hand-1-gone-1-1"), "no"))
    assert table.state.seats[1].discards == 0
    table.look(river(0, "1m"), river(1, "7s"))
    assert table.state.seats[1].river == (Tile.S7,)


def test_tiles_knocked_about_in_a_river_stay_the_same_tiles() -> None:
    discards: list[Event] = []
    for face in (Tile.M1, Tile.M2, Tile.M3):
        discards += [Discarded(0, face), *(Discarded(seat, Tile.P1) for seat in (1, 2))]
        discards += [Discarded(3, Tile.S1)]
    state = replay([HandStarted(1, "tianjin", 0, 60), *discards])
    others = [river(1, "111p"), river(2, "111p"), river(3, "111s")]
    moved = [*river(0, "213m"), tile(Tile.S9, 13, 98, 0, pictures=3)]
    assert events(state, *others, moved) == [Discarded(0, Tile.S9)]


def test_hands_and_wall_that_do_not_count_up_are_asked_about_once_they_have_stood() -> None:
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55), Discarded(0, Tile.M1))
    backs = [tile(Tile.BACK, -300 + 26.4 * i, 362, 2, pictures=99) for i in range(12)]
    table.look_for(COUNTED_S / 2, river(0, "1m"), backs)
    assert table.asked == []
    table.look_for(COUNTED_S, river(0, "1m"), backs)
    assert table.asked == ["hand-1-size-2"]


@pytest.mark.parametrize(("unread", "is_asked"), [(0, True), (2, True), (3, False), (9, False)])
def test_a_wall_that_is_not_surely_read_is_not_counted(unread: int, is_asked: bool) -> None:
    """Backs of the cloth's colour are seen now and then: that is no shorter wall."""
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55), Discarded(0, Tile.M1))
    faces = [Tile.BACK] * 8 + [Tile.UNKNOWN] * unread
    wall = [tile(face, -200 + 26.4 * i, 250, 2, pictures=99) for i, face in enumerate(faces)]
    table.look_for(2 * COUNTED_S, river(0, "1m"), wall)
    assert table.asked == ["hand-1-wall"] * is_asked


# -- discards in a heap ----------------------------------------------------------------------------


def test_in_a_heap_a_new_tile_is_of_who_is_on_turn() -> None:
    state = replay([Discarded(0, Tile.M1), Discarded(1, Tile.M2)], started("changsha"))
    assert events(state, heap("2m1m9s"), heap=True) == [Discarded(2, Tile.S9)]


def test_in_a_heap_the_tile_that_has_lain_longer_came_first() -> None:
    state = started("changsha")
    assert events(state, heap("7s3p", pictures=[4, 9]), heap=True) == [
        Discarded(0, Tile.P3),
        Discarded(1, Tile.S7),
    ]


def test_in_a_heap_two_tiles_that_came_at_once_are_asked_about() -> None:
    found = see(started("changsha"), heap("7s3p", pictures=[9, 9]), heap=True)
    first = found.proposed[0]
    assert first.event == Discarded(0, Tile.UNKNOWN)
    assert set(first.candidates) == {Tile.S7, Tile.P3}


def test_in_a_heap_a_claim_is_known_by_the_tile_that_is_gone() -> None:
    state = replay([Discarded(0, Tile.M1), Discarded(1, Tile.M2)], started("changsha"))
    pung = Claimed(3, MeldKind.PUNG, parse_tiles("222m"), 1)
    assert events(state, heap("1m"), melds(3, "222m"), heap=True) == [pung]
    assert events(state, heap("1m9p"), melds(3, "222m"), heap=True) == [
        pung,
        Discarded(3, Tile.P9),
    ]


# -- nobody plays ----------------------------------------------------------------------------------

anywhere = st.lists(
    st.tuples(
        st.sampled_from([*(t for t in Tile if t.is_suited), *([Tile.BACK] * 30)]),
        st.floats(-390, 390),
        st.floats(-390, 390),
        st.integers(1, 40),
    ),
    min_size=60,
    max_size=120,
)


@settings(max_examples=40, deadline=None)
@given(anywhere)
def test_tiles_that_are_washed_are_no_play(pieces: list[tuple[Tile, float, float, int]]) -> None:
    tiles = [tile(face, x, y, 0, pictures=often) for face, x, y, often in pieces]
    tiles = [each for each in tiles if each.zone.kind != "elsewhere"]
    # Seen twice, and farther from the walls (at 226 mm) than a bump moves the walls' tops.
    in_the_middle = sum(
        t.tile is Tile.BACK
        and t.zone.kind == "river"
        and t.pictures > 1
        and max(abs(t.x_mm), abs(t.y_mm)) < 176
        for t in tiles
    )
    played = events(started("changsha"), tiles)
    assert in_the_middle < 4 or played == []
    ended = replay([WallBuilt()])
    assert events(ended, tiles) == []


@pytest.mark.parametrize("rules", ["changchun", "changsha", "wanzhou", "tianjin", "classical"])
def test_an_unchanged_table_of_any_rule_set_says_nothing(rules: str) -> None:
    state = replay([Discarded(0, Tile.M1)], started(rules))
    found = see(state, river(0, "1m"))
    assert (found.proposed, found.reread, found.revealed) == ((), (), None)


def test_a_win_key_faster_than_the_camera_follows_what_was_done_before_it() -> None:
    """Bo's own discard, a round earlier, is seen only when Bo has declared a win."""
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55), Discarded(0, Tile.M1))
    table.hear(KeyPressed(1, Key.WIN))
    table.look(river(0, "1m"), river(1, "2m"), river(2, "3m"))
    order = [type(event) for _, event in table.record.counting[-3:]]
    assert order == [Discarded, Discarded, WinDeclared]
    assert table.state.declared == (1,)
    assert table.state.last_discard == (2, Tile.M3)


def test_a_declared_win_that_is_not_shown_and_played_on_is_asked_about() -> None:
    """In Classical a false win kills the hand: nothing may be settled before somebody says."""
    table = Table("classical")
    table.put(HandStarted(1, "classical", 0, 80), Discarded(0, Tile.M1))
    table.look_for(2, river(0, "1m"))
    table.hear(KeyPressed(1, Key.WIN))
    table.look_for(5, river(0, "1m"))
    table.look_for(5, river(0, "1m"), river(1, "2m"))
    (asked,) = table.state.questions
    assert asked.blocks
    assert table.state.declared == ()
    table.say(Answer(asked.question, "yes"))
    assert table.state.noted
    assert table.last(WinRefused) == WinRefused(1, ("hand_not_shown",))
    assert table.state.questions == ()


def test_a_hand_that_does_not_win_is_looked_at_longer() -> None:
    """One tile of a self-drawn hand is still in the hand that lays it down."""
    state = replay([Discarded(0, Tile.M9), WinDeclared(1)], started("changsha"))
    part = "123m 567p 111s 555s 8p"
    assert events(state, river(0, "9m"), shown(1, part, pictures=4)) == []
    (event,) = events(state, river(0, "9m"), shown(1, part, apart="8p", pictures=4))
    assert isinstance(event, HandShown)
    assert event.self_drawn


WON = "123m567p111s55s88p"  # waits for 5s and 8p


def won_on_five_bamboo(winner: int) -> TableState:
    """Seat 0 has discarded 5s, and a seat has declared a win: only seat 1 could have drawn."""
    return replay([Discarded(0, Tile.S5), WinDeclared(winner)], started("changsha"))


@pytest.mark.parametrize("winner", [1, 2])
def test_a_discard_that_lies_among_the_winners_tiles_was_not_drawn(winner: int) -> None:
    state = won_on_five_bamboo(winner)
    for lying in (shown(winner, WON, apart="5s"), shown(winner, WON + "5s"), shown(winner, WON)):
        left = river(0, "5s") if len(lying) == 13 else []
        (event,) = events(state, left, lying)
        assert isinstance(event, HandShown)
        assert (event.winning_tile, event.self_drawn) == (Tile.S5, False)
        assert len(event.concealed) == 14


def test_a_discard_that_is_just_being_missed_may_have_been_taken() -> None:
    """The hand is seen in two pictures; that a tile is gone is sure only later."""
    lying = [replace(tile, age_s=0.03) for tile in river(0, "5s")]
    assert events(won_on_five_bamboo(1), lying, shown(1, WON, apart="5s")) == []


def test_a_tile_like_the_discard_that_still_lies_was_drawn() -> None:
    (event,) = events(won_on_five_bamboo(1), river(0, "5s"), shown(1, WON, apart="5s"))
    assert isinstance(event, HandShown)
    assert (event.winning_tile, event.self_drawn) == (Tile.S5, True)


def test_a_tile_too_many_that_nobody_can_read_is_no_drawn_one_out_of_turn() -> None:
    lying = shown(2, WON, apart="?", pictures=9)
    (event,) = events(won_on_five_bamboo(2), river(0, "5s"), lying)
    assert event == HandShown(2, tuple(sorted(parse_tiles(WON + "5s"))), Tile.S5, False)


@pytest.mark.parametrize("drawn", ["5s", "8p"])
def test_a_hand_drawn_out_of_turn_is_asked_about_and_not_recorded(drawn: str) -> None:
    lying = river(0, "5s"), shown(2, WON, apart=drawn, pictures=9)
    inferred = see(won_on_five_bamboo(2), *lying)
    assert inferred.proposed == ()
    (doubt,) = inferred.doubts
    assert "missing on record" in doubt.text.en
    assert doubt.blocks


def test_where_the_river_is_hidden_nobody_knows_yet_whether_the_discard_was_taken() -> None:
    state = won_on_five_bamboo(1)
    hidden = (Unavailable(Zone(ZoneKind.RIVER, 0), 0.0, Why.HIDDEN),)
    for pictures, ways in ((4, []), (40, [(True, False)])):
        tiles = tuple(shown(1, WON, apart="5s", pictures=pictures))
        found = step(state, Observation(0.0, tiles, (), unavailable=hidden)).proposed
        assert [
            (each.event.self_drawn, each.otherwise.self_drawn)
            for each in found
            if isinstance(each.event, HandShown) and isinstance(each.otherwise, HandShown)
        ] == ways
        assert len(found) == len(ways)
