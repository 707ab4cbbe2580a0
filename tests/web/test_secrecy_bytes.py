"""No byte that is served tells the treasure; a planted leak is found (`tests.secrecy`)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View
from table_assist.languages.words import Words
from table_assist.record.history import PlayedHand
from tests.secrecy import houses
from tests.secrecy.search import search
from tests.secrecy.twins import TwinHand
from tests.stages.hidden_hand import hidden_hand
from web.access.roles import Role, Viewer
from web.api import api, viewers
from web.outside.outlets import standing
from web.secrecy.secrecy import masked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hand() -> TwinHand:
    return hidden_hand(lambda hand: len(hand.seats) == 3 and len(hand.told[0]) > 8)


def test_forty_hands_tell_the_treasure_in_no_byte(tmp_path: Path) -> None:
    report = search(40, tmp_path / "devices.json", every=14, stride=4)
    assert report.leaks == []
    assert report.hidden >= 15
    assert report.entitled == report.hidden
    assert report.revealed > 0
    assert report.requests > 200


def _unmasked_for_the_scorer(patch: pytest.MonkeyPatch) -> None:
    def leaky(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
        return snapshot if viewer.role is Role.SCORER else masked(snapshot, viewer)

    patch.setattr(viewers, "masked", leaky)


def _unmasked_table(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(api, "masked", lambda snapshot, viewer: snapshot)


def _length_tells(patch: pytest.MonkeyPatch) -> None:
    def padded(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
        known = masked(snapshot, viewer)
        return replace(known, notices=(Words("x" * sum(snapshot.state.treasures), ""),))

    patch.setattr(viewers, "masked", padded)


def _picture_tells(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(api, "shown_picture", lambda source, viewer: source.eyes.picture())


def _guesses_are_answered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(api, "withheld", lambda command, snapshot, viewer: "")


def _a_broker_is_told(patch: pytest.MonkeyPatch) -> None:
    def leaky(snapshot: Snapshot, last_win: PlayedHand | None) -> View:
        return {**standing(snapshot, last_win), "x": [int(t) for t in snapshot.state.treasures]}

    patch.setattr(houses, "standing", leaky)


# (what leaks, whether somebody has to ask for it: the rest is told by itself)
LEAKS = (
    (_a_broker_is_told, False),
    (_unmasked_for_the_scorer, False),
    (_length_tells, False),
    (_unmasked_table, True),
    (_picture_tells, True),
    (_guesses_are_answered, True),
)


@pytest.mark.parametrize(("leak", "is_asked"), LEAKS)
def test_a_planted_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None],
    is_asked: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    hand: TwinHand,
) -> None:
    leak(monkeypatch)
    every = 1 if is_asked else 2
    report = search(1, tmp_path / "devices.json", first_seed=hand.seed, every=every, stride=8)
    assert report.leaks
