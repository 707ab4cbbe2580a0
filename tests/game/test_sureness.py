"""How sure a settlement is: by what the tiles may be instead."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.game.events import BirdTurned
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.game.sureness import LikelyReading, Sureness, how_sure
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from tests.stages.ended_hands import ROUND, SMALL, shown, start, told

RULES = find_rules("changsha")
# The one tile of this hand of which a neighbour makes another win that pays more: all of one suit.
NEARLY_FULL_FLUSH = "123p 456p 789p 234p 55s"
# One declared win of a hundred is none, by any of the hand's fourteen tiles.
FALSE = 0.01 / 14


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
