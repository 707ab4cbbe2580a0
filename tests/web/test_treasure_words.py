"""What everybody reads of the treasure, and what a ready player reads, in every state of a hand."""

from dataclasses import replace

import pytest

from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import (
    HandAbandoned,
    HandShown,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    Settled,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.state import TableState
from table_assist.record.log import Entry, Source
from table_assist.rules.registry import find_rules
from table_assist.rules.verdict import NO_TRANSFERS, Explanation, Settlement, Verdict
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.web_fakes import NAMES
from web.access.roles import Role, Viewer
from web.secrecy.secrecy import masked
from web.view.present import present

CHANGCHUN = find_rules("changchun")
STARTED = HandStarted(1, "changchun", 0, 83, options=(("ready_requires_open", False),))
READY, SECRET, SEEN = (
    ReadyDeclared(1),
    IndicatorTurned(Tile.UNKNOWN, 5),
    IndicatorTurned(Tile.P5, 5),
)
SHOWN = HandShown(1, parse_tiles("123m 456p 789s EEE 11p"), Tile.P1, self_drawn=True)
OTHER = replace(SHOWN, seat=2)
TELEVISION, OWNER = Viewer(Role.TELEVISION), Viewer(Role.SEAT, seat=1)
WON = Verdict(True, Explanation)  # its points are no matter here
HIDDEN = "A treasure is set, hidden until a ready player wins"


def words(*events: object, winner: int | None = None, viewer: Viewer = TELEVISION) -> str:
    """What the viewer reads after these events of a hand."""
    state, entries = TableState(), []
    for seq, event in enumerate((STARTED, *events), start=1):
        state = apply(state, event)  # type: ignore[arg-type]
        entries.append(Entry(seq, float(seq), Source.PERSON, event))  # type: ignore[arg-type]
    settlement = None if winner is None else Settlement(NO_TRANSFERS, {winner: WON}, (winner,), {})
    made = Snapshot(
        len(entries), 9.0, NAMES, CHANGCHUN, state, tuple(entries), settlement=settlement
    )
    view = present(masked(made, viewer), viewer)["treasure"]
    assert view["words"]["zh"]
    found: str = view["words"]["en"]
    return found


@pytest.mark.parametrize(
    ("events", "winner", "said"),
    [
        ((), None, "No treasure yet"),
        ((READY,), None, "No treasure yet"),
        ((READY, SECRET), None, HIDDEN),
        ((READY, SEEN), None, HIDDEN),
        ((READY, SEEN, WinDeclared(1)), None, HIDDEN),
        ((READY, SEEN, WinDeclared(2), OTHER), None, HIDDEN),  # not judged, or no win
        ((READY, SEEN, WinDeclared(1), SHOWN), 1, "Treasure: 6 dots"),
        (
            (READY, SECRET, WinDeclared(1), SHOWN),
            1,
            "Which tile the treasure is must still be told",
        ),
        (
            (READY, SEEN, WinDeclared(2), OTHER),
            2,
            "The treasure stays hidden until this is settled: the winner is not ready",
        ),
        (
            (READY, SEEN, WinDeclared(2), OTHER, Settled((2,), NO_TRANSFERS, 2)),
            2,
            "Treasure: 6 dots",
        ),
        (
            (READY, SECRET, WinDeclared(2), OTHER, Settled((2,), NO_TRANSFERS, 2)),
            2,
            "Which tile the treasure was, nobody has told",
        ),
        ((WinDeclared(2), OTHER, Settled((2,), NO_TRANSFERS, 2)), 2, "No treasure was set"),
        ((READY, SEEN, WallExhausted(0)), None, "Nobody won: the treasure stays hidden"),
        ((READY, SEEN, HandAbandoned()), None, "Nobody won: the treasure stays hidden"),
    ],
)
def test_the_public_reads_what_is_so_in_every_state(
    events: tuple[object, ...], winner: int | None, said: str
) -> None:
    # CC: 5 dots as indicator makes the next tile of its suit the treasure.
    assert words(*events, winner=winner) == said


@pytest.mark.parametrize("winner", [1, 2])
def test_who_is_ready_reads_which_it_is_at_the_end_of_the_hand(winner: int) -> None:
    shown = SHOWN if winner == 1 else OTHER
    said = words(READY, SEEN, WinDeclared(winner), shown, winner=winner, viewer=OWNER)
    assert said == "Treasure: 6 dots"


def test_where_everybody_may_use_the_treasure_any_win_reveals_it() -> None:
    rules = CHANGCHUN.with_options({"treasure_needs_ready": False})
    state = apply(apply(TableState(), STARTED), SECRET)
    made = Snapshot(2, 9.0, NAMES, rules, state)
    assert present(made)["treasure"]["words"]["en"] == "A treasure is set, hidden until a win"
