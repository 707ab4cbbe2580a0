"""Questions are values; their texts, in logs of any version, are read and written unchanged."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.game.events import BirdTurned
from table_assist.game.outcome import end_of_hand
from table_assist.game.question import Lifetime, QuestionId, QuestionKind
from table_assist.game.state import TableState
from table_assist.game.sureness import LikelyReading, Sureness, how_sure
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from tests.stages.web_fakes import ROUND, SMALL, shown, start, told

KINDS = [kind for kind in QuestionKind if kind is not QuestionKind.OTHER]
# As they stand in logs of this version and of earlier ones.
KNOWN = {
    "hand-1-count-1-10": QuestionId(1, QuestionKind.COUNT, 1, subject="10"),
    "hand-2-size-0": QuestionId(2, QuestionKind.SIZE, 0),
    "hand-1-meld-2-1m 2m": QuestionId(1, QuestionKind.MELD, 2, subject="1m 2m"),
    "hand-1-changed-1-1m-1s": QuestionId(1, QuestionKind.CHANGED, 1, subject="1m-1s"),
    "hand-3-kong-2-17": QuestionId(3, QuestionKind.KONG, 2, 17),
    "hand-3-late-2-1": QuestionId(3, QuestionKind.LATE, 2, subject="1"),
    "hand-3-gone-1-4": QuestionId(3, QuestionKind.GONE, 1, subject="4"),
    "hand-3-reread-40": QuestionId(3, QuestionKind.REREAD, entry=40),
    "hand-3-wall": QuestionId(3, QuestionKind.WALL),
    "hand-3-turned-1m-2m": QuestionId(3, QuestionKind.TURNED, subject="1m-2m"),
    "hand-3-dice": QuestionId(3, QuestionKind.DICE),
    "hand-3-dice-2": QuestionId(3, QuestionKind.DICE, subject="2"),
    "hand-3-birds-1m-2m": QuestionId(3, QuestionKind.BIRDS, subject="1m-2m"),
    "hand-3-surplus": QuestionId(3, QuestionKind.SURPLUS),
    "hand-3-corrected-1-1m2m": QuestionId(3, QuestionKind.CORRECTED, 1, subject="1m2m"),
    "hand-3-hidden-2": QuestionId(3, QuestionKind.HIDDEN, 2),
    "hand-3-hiddenbirds": QuestionId(3, QuestionKind.HIDDEN_BIRDS),
    "hand-3-unread-17-0-1": QuestionId(3, QuestionKind.UNREAD, entry=17, subject="0-1"),
    "hand-3-unreaddiscards-40": QuestionId(3, QuestionKind.UNREAD_DISCARDS, subject="40"),
    "hand-3-irregular-17": QuestionId(3, QuestionKind.IRREGULAR, entry=17),
    "hand-3-playedon-1-17": QuestionId(3, QuestionKind.PLAYED_ON, 1, 17),
    "hand-3-objection-1-17": QuestionId(3, QuestionKind.OBJECTION, 1, 17),
    "hand-3-way-17": QuestionId(3, QuestionKind.WAY, entry=17),
    "hand-3-washed": QuestionId(3, QuestionKind.WASHED),
    "hand-3-dealer": QuestionId(3, QuestionKind.DEALER),
    "hand-3-exchange-4 2": QuestionId(3, QuestionKind.EXCHANGE, subject="4 2"),
    "hand-3-treasure-1": QuestionId(3, QuestionKind.TREASURE, subject="1"),
    "hand-3-ready-2": QuestionId(3, QuestionKind.READY, 2),
    "hand-3-seek-2": QuestionId(3, QuestionKind.SEEK, subject="2"),
    "hand-3-restart-A-1": QuestionId(3, QuestionKind.RESTART, subject="A-1"),
    "hand-0-lost-3-17": QuestionId(0, QuestionKind.LOST, subject="3-17"),
    "hand-3-ended": QuestionId(3, QuestionKind.ENDED),
    "hand-3-drawn": QuestionId(3, QuestionKind.DRAWN),
    "hand-3-unsettled": QuestionId(3, QuestionKind.UNSETTLED),
    "hand-3-show-17-5-1": QuestionId(3, QuestionKind.SHOW, entry=17, subject="5-1"),
    "hand-3-bird-17-0-1": QuestionId(3, QuestionKind.BIRD, entry=17, subject="0-1"),
    "hand-3-refuse-2-1m2m": QuestionId(3, QuestionKind.REFUSE, 2, subject="1m2m"),
    "hand-3-together-2": QuestionId(3, QuestionKind.TOGETHER, subject="2"),
    "hand-3-settle-1-(0,)-(3, -1, -1, -1)": QuestionId(
        3, QuestionKind.SETTLE, subject="1-(0,)-(3, -1, -1, -1)"
    ),
    "hand-3-open-(1, 2)": QuestionId(3, QuestionKind.OPEN, subject="(1, 2)"),
    "hand-3-later-17-(3, -1, -1, -1)": QuestionId(
        3, QuestionKind.LATER, entry=17, subject="(3, -1, -1, -1)"
    ),
    "hand-3-rush-17": QuestionId(3, QuestionKind.OTHER, subject="rush-17"),
}


@given(
    st.sampled_from(["", *(f"hand-3-{kind.value.word}-" for kind in KINDS)]),
    st.text() | st.from_regex(r"hand-\d+-[a-z]*(-[0-9]*)*(-.*)?"),
)
@settings(max_examples=200)
def test_a_text_is_written_as_it_was_read(start: str, text: str) -> None:
    assert str(QuestionId.parse(start + text)) == start + text


def test_every_kind_has_a_text_in_logs() -> None:
    assert {question.kind for question in KNOWN.values()} == set(QuestionKind)


@given(
    st.integers(1, 999),
    st.sampled_from(KINDS),
    st.integers(0, 3),
    st.integers(1, 10**9),
    st.from_regex(r"(\(.*)?", fullmatch=True),
)
def test_a_question_is_read_as_it_was_written(
    hand: int, kind: QuestionKind, seat: int, entry: int, subject: str
) -> None:
    asked = QuestionId(
        hand,
        kind,
        seat if kind.value.by_seat else None,
        entry if kind.value.by_entry else 0,
        subject,
    )
    assert QuestionId.parse(str(asked)) == asked


def test_what_the_camera_answers_by_itself_lies_somewhere() -> None:
    seen = [kind for kind in QuestionKind if kind.lifetime is Lifetime.SIGHT]
    assert seen
    assert all(kind.zone is not None for kind in seen)


RULES = find_rules("changsha")
# The one tile of this hand of which a neighbour makes another win that pays more: all of one suit.
NEARLY_FULL_FLUSH = "123p 456p 789p 234p 55s"
# One declared win of a hundred is none: any of its fourteen tiles is one of four that look like it.
FALSE = 0.01 / (14 * 4)


def hand(tiles: str, won: str = "4s", birds: str = "") -> TableState:
    turned = [BirdTurned(tile) for tile in parse_tiles(birds)] if birds else []
    return told(start("changsha"), ROUND, *ROUND[:1], shown(1, tiles, won, drawn=True), turned)


def read(tile: str, others: Mapping[str, float], seat: int | None = 1) -> LikelyReading:
    chances = {parse_tile(face): chance for face, chance in others.items()}
    own = parse_tile(tile)
    return LikelyReading(seat, own, {**chances, own: 1 - sum(chances.values())})


def sure(state: TableState, *readings: LikelyReading, stuck: float = 0.5) -> Sureness:
    return how_sure(RULES, state, readings, stuck=stuck)


def test_what_people_said_is_sure() -> None:
    assert sure(hand(SMALL)) == Sureness(1.0)


def test_a_reading_that_would_be_no_win_is_unlikely_after_a_declared_win() -> None:
    found = sure(hand(SMALL), read("7s", {"1s": 0.01}))
    assert found.probability == pytest.approx(1 / (1 + 0.01 / 0.99 * FALSE))
    assert found.likeliest is not None
    assert (found.likeliest.read, found.likeliest.other) == (Tile.S7, Tile.S1)


def test_a_pair_read_alike_wrongly_counts_once_as_two_and_twice_as_one() -> None:
    state = hand(NEARLY_FULL_FLUSH, "4p")
    pair = [read("5s", {"9p": 0.01}), read("5s", {"9p": 0.01})]
    odds = 0.01 / 0.99
    both, one = odds * 0.5, 2 * odds * FALSE
    found = sure(state, *pair)
    assert found.probability == pytest.approx(1 / (1 + both + one))
    assert found.likeliest is not None
    assert found.likeliest.count == 2


def test_a_fifth_copy_is_no_doubt() -> None:
    state = hand("222p 456p 789p 234p 55s", "4p")  # all four 2p lie there
    assert sure(state, read("3p", {"2p": 0.2})).probability == 1.0


def test_a_bird_counts_where_it_pays_otherwise() -> None:
    state = hand(SMALL, birds="2m9m")
    hit, missed = sure(state, read("2m", {"6m": 0.01}, None)), read("2m", {"3m": 0.01}, None)
    assert hit.probability == 1.0  # the same seat is hit
    assert sure(state, missed).probability == pytest.approx(1 / (1 + 0.01 / 0.99))


tiles = st.sampled_from(sorted(set(parse_tiles(SMALL))))
faces = st.sampled_from(RULES.kinds)


@given(
    st.lists(st.tuples(tiles, faces, st.floats(0.0005, 0.2)), max_size=4), st.floats(0.0005, 0.2)
)
def test_more_doubt_never_makes_it_surer(
    doubts: list[tuple[Tile, Tile, float]], more: float
) -> None:
    state = hand(SMALL)
    readings = [
        LikelyReading(1, tile, {tile: 1 - p, other: p})
        for tile, other, p in doubts
        if tile is not other
    ]
    added = LikelyReading(1, Tile.S5, {Tile.S5: 1 - more, Tile.S8: more})
    assert sure(state, *readings, added).probability <= sure(state, *readings).probability


@given(
    st.lists(
        st.tuples(tiles, faces, st.floats(0.0005, 0.2)),
        min_size=1,
        max_size=3,
        unique_by=lambda each: each[0],
    )
)
def test_it_is_the_share_of_all_that_pays_the_same(doubts: list[tuple[Tile, Tile, float]]) -> None:
    """Against a sum over the changed hands themselves, each tile read once."""
    state = hand(SMALL)
    (own,) = state.shown
    readings, wrong = [], 0.0
    for tile, other, chance in doubts:
        if tile is other:
            continue
        readings.append(LikelyReading(1, tile, {tile: 1 - chance, other: chance}))
        left = list(own.concealed)
        left[left.index(tile)] = other
        won = other if own.winning_tile is tile and tile not in left else own.winning_tile
        changed = replace(own, concealed=tuple(sorted(left)), winning_tile=won)
        ended = end_of_hand(replace(state, shown=(changed,)), RULES)
        wins = ended.settlement.verdicts[1].valid
        if not wins:
            wrong += chance / (1 - chance) * FALSE
        elif ended.total != end_of_hand(state, RULES).total:
            wrong += chance / (1 - chance)
    assert sure(state, *readings).probability == pytest.approx(1 / (1 + wrong))
