"""The treasure is shown to seats that declared ready and told to nobody else, in no byte."""

from dataclasses import replace

import pytest
from flask import Flask

from table_assist.game.events import (
    Asked,
    Discarded,
    Drew,
    HandShown,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    Settled,
    WallExhausted,
    WinRefused,
)
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import Words
from table_assist.record.commands import Answer, Insert
from table_assist.record.log import Entry, Source
from table_assist.record.snapshot import Snapshot, has_secret
from table_assist.rules.registry import find_rules
from table_assist.rules.verdict import Settlement
from table_assist.tiles.tile import Tile
from table_assist.vision.table.blacken import blackened, open_places
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at
from tests.secrecy.stage import HIDDEN_ROW, OPEN_PLACE, OPEN_ROW, PICTURE_WH, LeakStage
from tests.secrecy.twins import TwinHand
from tests.stages.dealt import hidden_hand
from tests.stages.web_fakes import FakeTable
from web.access.roles import LOCAL_VIEWER, STRANGER, Role, Viewer
from web.view import secrecy
from web.view.secrecy import (
    RAW,
    TREASURE_HIDDEN,
    is_secret,
    masked,
    withheld,
)

pytestmark = pytest.mark.slow

CHANGCHUN = find_rules("changchun")
ABOVE = (STRANGER, LOCAL_VIEWER, Viewer(Role.SCORER), Viewer(Role.REFEREE), Viewer(Role.ADMIN))


@pytest.fixture(scope="module")
def hand() -> TwinHand:
    return hidden_hand(lambda hand: len(hand.seats) == 3 and len(hand.told[0]) > 8)


def snapshots(hand: TwinHand) -> tuple[Snapshot, Snapshot]:
    """The table just before the reveal, with either treasure."""
    made = []
    for events in hand.told:
        stage = LeakStage(CHANGCHUN)
        for event in (*hand.before, *events):
            stage.session.tell(event)
        stage.show()
        made.append(stage.snapshot)
    return made[0], made[1]


def ready_seat(hand: TwinHand) -> Viewer:
    return Viewer(Role.SEAT, next(iter(set(range(4)) - hand.seats)))


def after(hand: TwinHand, kind: type) -> Snapshot:
    """The table just after the first such event of the hand's end."""
    stage = LeakStage(CHANGCHUN)
    for event in (*hand.before, *hand.told[0], *hand.after):
        stage.session.tell(event)
        if isinstance(event, kind):
            break
    stage.show()
    return stage.snapshot


def test_the_public_sees_that_there_is_a_treasure(hand: TwinHand) -> None:
    known = masked(snapshots(hand)[0], STRANGER).state
    assert [each.tile for each in known.indicators] == [Tile.UNKNOWN] * len(known.indicators)
    assert known.indicators[0].column > 0
    assert known.treasures == ()


def test_a_phone_that_came_after_the_seat_declared_ready_waits_for_the_next_hand(
    hand: TwinHand,
) -> None:
    snapshot = snapshots(hand)[0]
    declared = next(e.t for e in snapshot.entries if isinstance(e.event, ReadyDeclared))
    viewer = ready_seat(hand)
    assert not is_secret(snapshot, replace(viewer, since=declared))
    assert is_secret(snapshot, replace(viewer, since=declared + 1))


def test_a_hand_that_ends_without_a_winner_keeps_its_secret() -> None:
    drawn = hidden_hand(lambda hand: isinstance(hand.after[-1], WallExhausted))
    snapshot = after(drawn, WallExhausted)
    assert snapshot.state.phase is Phase.SETTLED
    assert is_secret(snapshot, LOCAL_VIEWER)
    assert masked(snapshot, LOCAL_VIEWER).state.treasures == ()


def test_a_win_of_others_reveals_nothing_before_it_is_settled(hand: TwinHand) -> None:
    winner = next(iter(hand.seats))
    snapshot = snapshots(hand)[0]
    settlement = Settlement((0, 0, 0, 0), {}, (winner,), {})
    showing = replace(
        snapshot, state=replace(snapshot.state, phase=Phase.SHOWING), settlement=settlement
    )
    assert has_secret(showing)
    assert masked(showing, STRANGER).settlement == settlement
    ready = replace(showing, settlement=replace(settlement, winners=(ready_seat(hand).seat,)))
    assert not has_secret(ready)


@pytest.mark.parametrize("taken", [ReadyDeclared, Discarded])
def test_what_is_taken_back_leaves_the_treasure_hidden(hand: TwinHand, taken: type) -> None:
    """As if the entry were undone: the state is folded without it."""
    before, told = list(hand.before), list(hand.told[0])
    stage = LeakStage(CHANGCHUN)
    for event in (*before, *told):
        if not isinstance(event, taken):
            stage.session.tell(event)
    stage.show()
    assert stage.snapshot.state.indicators
    for viewer in ABOVE:
        known = masked(stage.snapshot, viewer)
        assert known.state.treasures == ()
        turned = [e.event for e in known.entries if isinstance(e.event, IndicatorTurned)]
        assert {event.tile for event in turned} == {Tile.UNKNOWN}


def test_the_settlement_of_an_earlier_hand_reveals_nothing_of_this_one(hand: TwinHand) -> None:
    snapshot = snapshots(hand)[0]
    earlier = Settled((0,), (6, -2, -2, -2), 0)
    state = replace(snapshot.state, phase=Phase.SETTLED, settled=earlier)
    assert has_secret(replace(snapshot, state=state))
    entry = Entry(snapshot.seq + 1, snapshot.t, Source.RULES, earlier)
    assert not has_secret(replace(snapshot, state=state, entries=(*snapshot.entries, entry)))


def test_a_seat_declares_ready_by_phone_though_a_treasure_lies_hidden(hand: TwinHand) -> None:
    snapshot = snapshots(hand)[0]
    seat = min(hand.seats)
    assert not withheld(Insert(0, ReadyDeclared(seat)), snapshot, Viewer(Role.SEAT, seat))


def test_what_is_said_of_a_refused_ready_hand_names_no_reason(hand: TwinHand) -> None:
    snapshot = snapshots(hand)[0]
    seat = ready_seat(hand).seat
    refused = WinRefused(seat, ("treasure_rush", "structure"))
    asked = Asked(
        QuestionId.parse("hand-1-refuse-x"),
        Words("Not the treasure.", "非宝牌"),
        ("yes",),
        if_yes=refused,
    )
    entry = Entry(snapshot.seq + 1, snapshot.t, Source.RULES, refused)
    told = replace(
        snapshot,
        state=replace(snapshot.state, questions=(asked,), refused=(refused,)),
        entries=(*snapshot.entries, entry),
    )
    known = masked(told, LOCAL_VIEWER)
    assert known.state.questions[0].text.en.startswith(f"The hand of {{{seat}}} as read does not")
    assert known.state.questions[0].choices == ("yes",)
    assert known.state.refused == (WinRefused(seat, ("structure",)),)
    assert known.entries[-1].event == WinRefused(seat, ("structure",))


def test_a_question_about_the_indicator_is_for_who_knows_it(hand: TwinHand) -> None:
    snapshot = snapshots(hand)[0]
    about = next(e.seq for e in snapshot.entries if isinstance(e.event, IndicatorTurned))
    asked = Asked(QuestionId.parse("tile"), Words("Which tile?", "哪张？"), ("5p", "6p"), about)
    told = replace(snapshot, state=replace(snapshot.state, questions=(asked,)))
    assert masked(told, LOCAL_VIEWER).state.questions == ()
    assert masked(told, ready_seat(hand)).state.questions == (asked,)
    assert withheld(Answer(QuestionId.parse("tile"), "5p"), told, LOCAL_VIEWER)
    assert not withheld(Answer(QuestionId.parse("tile"), "5p"), told, ready_seat(hand))


def test_concealed_hands_are_for_nobody_while_the_hand_runs() -> None:
    followed = hidden_hand(lambda hand: hand.seed % 2 == 0)
    snapshot = snapshots(followed)[0]
    assert all(seat.concealed for seat in snapshot.state.seats)
    for viewer in (*ABOVE, *(Viewer(Role.SEAT, seat) for seat in range(4))):
        known = masked(snapshot, viewer)
        assert [seat.concealed for seat in known.state.seats] == [None] * 4
        for entry in known.entries:
            if isinstance(entry.event, HandStarted):
                assert entry.event.hands == ()
            if isinstance(entry.event, Drew):
                assert entry.event.tile is Tile.UNKNOWN


def test_other_rule_sets_have_nothing_to_hide() -> None:
    rules = find_rules("tianjin")
    state = TableState(rules="tianjin", hand=1, phase=Phase.PLAYING, readied=(1,), wilds=(Tile.P1,))
    snapshot = Snapshot(1, 0.0, ("A", "B", "C", "D"), rules, state)
    assert not has_secret(snapshot)
    assert masked(snapshot, STRANGER).state.wilds == (Tile.P1,)


# --- Guesses


# --- Pictures


def drawn(row: int, colour: int) -> bytes:
    width, height = PICTURE_WH
    rows = [bytes((90, 90, 90)) * width for _ in range(height)]
    rows[row] = bytes((colour, 255 - colour, colour)) * width
    return b"P6 %d %d 255\n" % (width, height) + b"".join(rows)


def test_open_places_are_still_seen() -> None:
    first, second = (blackened(drawn(OPEN_ROW, colour), [OPEN_PLACE]) for colour in (0, 250))
    assert first != second


@pytest.mark.parametrize("content", [b"", b"no picture"])
def test_what_is_no_picture_is_not_shown(content: bytes) -> None:
    assert blackened(content, [OPEN_PLACE]) is None


def test_only_rivers_melds_and_the_middle_are_open() -> None:
    side, middle = 400.0, 500.0
    corners = tuple((middle + x * side, middle - y * side) for x, y in CORNERS)
    places = open_places(Calibration(corners, 2 * side), Layout())

    def is_open(x_mm: float, y_mm: float) -> bool:
        zone = zone_at(x_mm, y_mm, Layout())
        return zone.kind in (ZoneKind.RIVER, ZoneKind.MELDS, ZoneKind.DICE, ZoneKind.BIRDS)

    for x_mm in range(-390, 400, 26):
        for y_mm in range(-390, 400, 26):
            point = (middle + x_mm, middle - y_mm)
            if any(contains(place, point) for place in places):
                assert is_open(x_mm, y_mm), (x_mm, y_mm)
    assert any(contains(place, (middle, middle - 150)) for place in places)  # a river
    assert not any(contains(place, (middle, middle - 250)) for place in places)  # the wall


CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def contains(polygon: tuple[tuple[float, float], ...], point: tuple[float, float]) -> bool:
    """Whether a convex polygon has the point well inside."""
    x, y = point
    sides = []
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        sides.append((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1))
    return all(side > 1 for side in sides) or all(side < -1 for side in sides)


class Seen(FakeTable):
    """A table with a picture; where the zones lie in it may be known."""

    places: tuple[tuple[tuple[float, float], ...], ...] = (OPEN_PLACE,)

    def sure_picture(self) -> tuple[float, bytes] | None:
        return None if self.jpeg is None else (0.0, self.jpeg)

    def open_places(self, t: float) -> tuple[tuple[tuple[float, float], ...], ...]:
        return self.places


@pytest.fixture
def seen(hand: TwinHand) -> Seen:
    table = Seen(snapshots(hand)[0])
    table.jpeg = drawn(HIDDEN_ROW, 0)
    return table


def won_by_ready(hand: TwinHand) -> bool:
    shown = [event.seat for event in hand.after if isinstance(event, HandShown)]
    return bool(shown) and shown[0] not in hand.seats


@pytest.mark.parametrize("endpoint", sorted(RAW))
def test_what_is_served_as_it_is_waits_for_the_reveal(seen: Seen, endpoint: str) -> None:
    app = Flask(__name__)
    app.extensions["table"] = seen
    secrecy.init_app(app)
    app.add_url_rule("/raw", endpoint, lambda: "the log as it is")
    refused = app.test_client().get("/raw")
    assert refused.status_code == 409
    assert TREASURE_HIDDEN.en in refused.text
    seen.publish(after(hidden_hand(won_by_ready), HandShown))
    assert app.test_client().get("/raw").text == "the log as it is"


def test_a_secret_that_begins_while_an_answer_is_made_is_not_in_it(seen: Seen) -> None:
    secret = seen.snapshot
    seen.publish(after(hidden_hand(won_by_ready), HandShown))
    app = Flask(__name__)
    app.extensions["table"] = seen
    secrecy.init_app(app)

    def raw() -> str:
        seen.publish(secret)
        return "the log as it is"

    app.add_url_rule("/raw", "admin.backup_file", raw)
    assert "the log" not in app.test_client().get("/raw").text
