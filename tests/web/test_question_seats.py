"""A question about a seat reaches that seat's phone, of whatever kind it is; others the scorer."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import pytest

from firmware_bridge.events import Dome, Key, KeyPressed, WallReady
from firmware_bridge.receiver import EventsLost
from table_assist.following.decisive import hidden_doubts
from table_assist.following.infer import step
from table_assist.following.proposed import Reread
from table_assist.following.wall_count import WallCount
from table_assist.following.washing import over_doubt
from table_assist.game.doubt import LAID_DOWN_S, Doubt
from table_assist.game.events import (
    BirdTurned,
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    Settled,
    StartingHandShown,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.irregular import Irregularity
from table_assist.game.outcome import end_of_hand
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.languages.words import Words
from table_assist.record.commands import Answer
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.snapshot import Snapshot
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session import (
    before_the_hand,
    books,
    corrections,
    from_board,
    signals,
)
from table_assist.session.command_handler import CommandHandler, objection
from table_assist.session.kong_keys import KongKeys
from table_assist.session.questions import (
    about_corrected,
    about_irregular,
    about_other_way,
    about_played_on,
    about_reread,
    about_surplus_birds,
    about_unread,
)
from table_assist.session.signals import read_dice, read_signal
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import melds, river, shown, tile
from tests.following.test_treasures import in_wall, standing
from web.access.roles import Role, Viewer
from web.api.commands import BY_NAME
from web.view.present import present

NAMES = ("Ann", "Bo", "Chen", "Du")
START = HandStarted(1, "changsha", 0, 55)
WON = HandShown(1, parse_tiles("123m 567p 111s 555s 88p"), Tile.M1, self_drawn=False)
WIN = (Discarded(0, Tile.M1), WinDeclared(1), WON)
UNREAD = HandShown(1, parse_tiles("123m 567p 111s 55s ? 88p"), Tile.M1, self_drawn=False)
KINDS = find_rules("changsha").kinds

# Asked by earlier programs, and read in their logs.
OF_AN_OLD_LOG = Doubt(
    QuestionId(1, QuestionKind.UNREAD_DISCARDS, subject="24"), Words("?", "?"), ("yes", "no")
)


class At:
    """A table at which something has happened."""

    def __init__(self, *events: Event, rules: str = "changsha") -> None:
        self.now = 0.0
        self.record = Record(None, lambda: self.now)
        for event in events:
            self.record.append(event, Source.CAMERA)
        self.rules = find_rules(rules)
        self.handler = CommandHandler(plain_profile(self.rules), NAMES, self.record)

    def sees(self, *groups: Iterable[SeenTile], dice: tuple[int, ...] = ()) -> Doubt:
        """The one doubt about what lies there."""
        tiles = tuple(tile for group in groups for tile in group)
        (doubt,) = step(self.record.state, Observation(0.0, tiles, dice)).doubts
        return doubt

    def counts(self, *groups: Iterable[SeenTile]) -> Doubt:
        """The doubt about a wall of more or fewer stacks than the record says."""
        tiles = tuple(tile for group in groups for tile in group)
        return _some(WallCount().doubt(self.record.state, Observation(0.0, tiles)))

    def hidden(self, kind: ZoneKind, seat: int | None = None) -> Doubt:
        """The one doubt about what cannot be seen."""
        gone = OccludedZone(Zone(kind, seat), 0.0, WhyUnseen.HIDDEN)
        seen = Observation(9.0, (), unavailable=(gone,))
        (doubt,) = hidden_doubts(self.rules, self.record.state, seen)
        return doubt

    def hears(self, content: object) -> Doubt:
        """The one doubt about what the board says."""
        (doubt,) = read_signal(self.record.state, content, self.handler.profile).doubts  # type: ignore[arg-type]
        return doubt

    def throws(self, seat: int, *values: int) -> Doubt:
        """The one doubt about a throw."""
        (doubt,) = read_dice(self.record.state, seat, values, self.handler.profile).doubts
        return doubt

    def kong_key(self, seat: int) -> Doubt:
        """The doubt about a kong key after which no kong is seen."""
        keys = KongKeys(lambda: self.now)
        keys.hear(KeyPressed(seat, Key.KONG), is_running=True)
        self.now += LAID_DOWN_S
        (doubt,) = keys.doubts(self.record, ())
        return doubt

    def later(self) -> Doubt:
        """The doubt about a settlement that is not what the hand comes to."""
        span = self.record.span(self.record.starts[0])
        return corrections._settle_otherwise(span, 4, Settled((1,), (-1, 1, 0, 0), 1), SETTLED)

    def snapshot(self, doubt: Doubt) -> Snapshot:
        """The table once the doubt was asked."""
        self.handler.ask(doubt)
        record = self.record
        return Snapshot(
            seq=record.seq,
            t=0.0,
            names=NAMES,
            rules=self.rules,
            state=record.state,
            entries=record.hand_entries(),
        )


SETTLED = Settled((1,), (-2, 2, 0, 0), 1)


class Case(NamedTuple):
    """Whose phone gets the question; None: it is for the scorer."""

    at: Callable[[], At]
    doubt: Callable[[At], Doubt]
    seat: int | None


def at(*events: Event, rules: str = "changsha") -> Callable[[], At]:
    start = START if rules == "changsha" else HandStarted(1, rules, 0, 60)
    return lambda: At(start, *events, rules=rules)


def refused(at: At) -> Doubt:
    verdict = end_of_hand(at.record.state).verdicts[1]
    return books.refusal_doubt(at.record.state, 1, verdict)


def _unread(seq: int, event: Event) -> Doubt:
    return _some(about_unread(1, seq, event, (), KINDS))


def _some(doubt: Doubt | None) -> Doubt:
    assert doubt is not None
    return doubt


def _only(doubts: tuple[Doubt, ...]) -> Doubt:
    (doubt,) = doubts
    return doubt


def backs(seat: int, many: int) -> list[SeenTile]:
    return [tile(Tile.BACK, -300 + 26.4 * i, 362, seat, pictures=99) for i in range(many)]


BIRD = [tile(Tile.M3, 30, -20, 0)]
SHOWN = [*river(0, "1m"), *shown(1, "23m 567p 111s 555s 88p")]


def objected(record: Record) -> Doubt:
    """A player objects to what is shown."""
    said = objection(record, 2)
    assert isinstance(said, Doubt)
    return said


CASES: dict[QuestionKind, Case] = {
    QuestionKind.COUNT: Case(
        at(WIN[0], WinDeclared(2)),
        lambda at: at.sees(river(0, "1m"), shown(2, "23m 567p 111s 555s 888p")),
        2,
    ),
    QuestionKind.SIZE: Case(at(WIN[0]), lambda at: at.sees(river(0, "1m"), backs(2, 12)), 2),
    QuestionKind.MELD: Case(
        at(WIN[0]), lambda at: at.sees(river(0, "1m"), melds(2, "159m", pictures=99)), 2
    ),
    QuestionKind.CHANGED: Case(
        at(WIN[0], Claimed(1, MeldKind.PUNG, parse_tiles("111m"), 0)),
        lambda at: at.sees(melds(1, "111s")),
        1,
    ),
    QuestionKind.KONG: Case(at(), lambda at: at.kong_key(2), 2),
    QuestionKind.LATE: Case(at(*WIN), lambda at: at.sees(SHOWN, river(2, "9p")), 2),
    QuestionKind.GONE: Case(
        at(WIN[0], Discarded(1, Tile.M2), rules="classical"),
        lambda at: at.sees(river(0, "1m")),
        1,
    ),
    QuestionKind.REREAD: Case(
        at(WIN[0]), lambda at: about_reread(1, 2, Reread(0, 0, Tile.M1, Tile.S1)), 0
    ),
    QuestionKind.WALL: Case(at(WIN[0]), lambda at: at.counts(river(0, "1m"), standing(31)), None),
    QuestionKind.TURNED: Case(
        at(IndicatorTurned(Tile.P4, 5), rules="tianjin"), lambda at: at.sees(in_wall("5p")), None
    ),
    QuestionKind.DICE: Case(
        lambda: At(DiceRolled(0, (3, 4)), START), lambda at: at.sees(dice=(3, 5)), None
    ),
    QuestionKind.BIRDS: Case(at(*WIN, BirdTurned(Tile.M2)), lambda at: at.sees(SHOWN, BIRD), None),
    QuestionKind.SURPLUS: Case(at(*WIN), lambda at: about_surplus_birds(1), None),
    QuestionKind.CORRECTED: Case(at(*WIN), lambda at: about_corrected(1, WON), 1),
    QuestionKind.UNREAD: Case(
        at(Discarded(3, Tile.UNKNOWN)),
        lambda at: _unread(2, Discarded(3, Tile.UNKNOWN)),
        3,
    ),
    QuestionKind.UNREAD_DISCARDS: Case(at(*WIN), lambda at: OF_AN_OLD_LOG, None),
    QuestionKind.IRREGULAR: Case(
        at(Discarded(3, Tile.M1)),
        lambda at: about_irregular(1, 2, Discarded(3, Tile.M1), (Irregularity.OUT_OF_TURN,)),
        3,
    ),
    QuestionKind.PLAYED_ON: Case(at(*WIN[:2]), lambda at: about_played_on(1, 3, 1), 1),
    QuestionKind.WAY: Case(at(*WIN), lambda at: about_other_way(1, 4, WON, 0), None),
    QuestionKind.HIDDEN: Case(at(*WIN[:2]), lambda at: at.hidden(ZoneKind.HAND, 1), 1),
    QuestionKind.HIDDEN_BIRDS: Case(at(*WIN), lambda at: at.hidden(ZoneKind.BIRDS), None),
    QuestionKind.WASHED: Case(at(), lambda at: over_doubt(1), None),
    QuestionKind.DEALER: Case(
        lambda: At(DealerChosen(0), WallBuilt()), lambda at: at.throws(2, 3, 4), None
    ),
    QuestionKind.EXCHANGE: Case(at(rules="wanzhou"), lambda at: at.throws(0, 4, 2), None),
    QuestionKind.TREASURE: Case(
        at(IndicatorTurned(Tile.P4, 5), rules="changchun"),
        lambda at: before_the_hand._told_otherwise(at.record.state, 1),
        None,
    ),
    QuestionKind.READY: Case(
        at(Discarded(0, Tile.M1), rules="changchun"),
        lambda at: _only(signals._ready(at.record.state, 0).doubts),
        0,
    ),
    QuestionKind.SEEK: Case(
        at(rules="changchun"),
        lambda at: signals._another_treasure(at.record.state, DiceRolled(2, (3, 4))),
        2,
    ),
    QuestionKind.RESTART: Case(
        at(), lambda at: _some(from_board.restart_doubt(at.record.state, "B")), None
    ),
    QuestionKind.LOST: Case(at(), lambda at: at.hears(EventsLost(2)), None),
    QuestionKind.ENDED: Case(at(*WIN), lambda at: at.hears(Dome(True)), None),
    QuestionKind.DRAWN: Case(
        at(StartingHandShown(1, parse_tiles("123m 567p 111s 55s ? 8p"))),
        lambda at: _only(signals.drawn(at.record.state).doubts),
        None,
    ),
    QuestionKind.UNSETTLED: Case(at(*WIN), lambda at: at.hears(WallReady()), None),
    QuestionKind.SHOW: Case(at(*WIN[:2], UNREAD), lambda at: _unread(4, UNREAD), 1),
    QuestionKind.BIRD: Case(
        at(*WIN, BirdTurned(Tile.UNKNOWN)), lambda at: _unread(5, BirdTurned(Tile.UNKNOWN)), None
    ),
    QuestionKind.REFUSE: Case(
        at(*WIN[:2], HandShown(1, parse_tiles("123m 567p 111s 559s 88p"), Tile.M1, False)),
        refused,
        1,
    ),
    QuestionKind.TOGETHER: Case(
        at(*WIN), lambda at: books._cannot_settle(at.record.state, "why"), None
    ),
    QuestionKind.SETTLE: Case(
        at(*WIN), lambda at: books._settle_again(at.record.state, SETTLED, 1), None
    ),
    QuestionKind.OPEN: Case(
        at(*WIN),
        lambda at: books._not_final(
            at.record.state, replace(end_of_hand(at.record.state), missing=(2,))
        ),
        2,
    ),
    QuestionKind.OBJECTION: Case(at(*WIN), lambda at: objected(at.record), 2),
    QuestionKind.LATER: Case(at(*WIN, SETTLED), lambda at: at.later(), None),
}


# What decides about somebody's win, or how the hand ended, is for all players.
FOR_ALL = {
    QuestionKind.REFUSE,
    QuestionKind.OBJECTION,
    QuestionKind.PLAYED_ON,
    QuestionKind.TOGETHER,
    QuestionKind.DRAWN,
    QuestionKind.SHOW,  # a tile of somebody's hand takes two players
    QuestionKind.BIRD,
}


def test_every_kind_of_question_has_a_case() -> None:
    assert set(CASES) == set(QuestionKind) - {QuestionKind.OTHER}


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.name.lower())
def test_a_question_about_a_seat_reaches_its_phone_and_no_other(kind: QuestionKind) -> None:
    case = CASES[kind]
    table = case.at()
    doubt = case.doubt(table)
    assert doubt.question.kind is kind
    snapshot = table.snapshot(doubt)
    command = Answer(doubt.question, "yes")
    for seat in range(4):
        phone = Viewer(Role.SEAT, seat)
        (view,) = present(snapshot, phone)["questions"]
        assert view["mine"] is (seat == case.seat or kind in FOR_ALL)
        assert (BY_NAME["answer"].check(command, phone, snapshot) is None) is view["mine"]
    for role in (Role.SCORER, Role.REFEREE, Role.ADMIN):
        (view,) = present(snapshot, Viewer(role))["questions"]
        assert view["mine"]
        assert BY_NAME["answer"].check(command, Viewer(role), snapshot) is None


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.name.lower())
def test_an_answer_says_what_it_does(kind: QuestionKind) -> None:
    """Nobody has to find out what a bare yes or no comes to; what is only said is seen."""
    case = CASES[kind]
    table = case.at()
    (view,) = present(table.snapshot(case.doubt(table)))["questions"]
    labels = [choice["label"]["en"] for choice in view["choices"]]
    assert not {"Yes", "No"} & set(labels)
    assert len(labels) != 1 or labels in (["Seen"], ["Look at it again"])


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.name.lower())
def test_a_log_keeps_the_seats_and_pages_the_names(kind: QuestionKind) -> None:
    """A table may be renamed: what was asked is told of who sits there."""
    case = CASES[kind]
    table = case.at()
    doubt = case.doubt(table)
    snapshot = table.snapshot(doubt)
    (asked,) = snapshot.state.questions
    assert asked.text == doubt.text
    (view,) = present(snapshot)["questions"]
    said = view["text"]["en"] + view["text"]["zh"]
    assert "{" not in said
    for seat, name in enumerate(NAMES):
        assert (name in said) is (f"{{{seat}}}" in doubt.text.en + doubt.text.zh)
