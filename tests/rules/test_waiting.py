"""What a hand waits for, found again by judging it with every tile there is."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from table_assist.rules import wall
from table_assist.rules.judge import judge
from table_assist.rules.reckoning import settle_wins
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import as_transfers
from table_assist.rules.shown import Circumstance, ReadyHand, ShownHand
from table_assist.rules.verdict import Verdict
from table_assist.rules.waiting import _completed, _read, legal_waits, ready_help
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import SUITED, Tile, parse_tile, parse_tiles
from tests.stages.course_table import parse_meld

ALL = [rules.id for rules in rule_sets()]


def winning_hand(rules: RuleSet, random: Random) -> ShownHand:
    """Sets and a pair, some of them melds; where some tiles are wild, two of them perhaps."""
    concealed, melds = [random.choice(rules.kinds)] * 2, list[Meld]()
    for _ in range(4):
        tile = random.choice(rules.kinds)
        chow = tile.is_suited and tile.number <= 7 and random.random() < 0.7
        meld = Meld(MeldKind.PUNG, (tile,) * 3)
        if chow:
            meld = Meld(MeldKind.CHOW, (tile, Tile(tile + 1), Tile(tile + 2)))
        if meld.kind in rules.meld_kinds and random.random() < 0.3:
            melds.append(meld)
        else:
            concealed += meld.tiles
    wilds = rules.wilds.kinds(random.choice(rules.kinds)) if rules.wilds else ()
    for place in random.sample(range(len(concealed)), random.randint(0, 2)) if wilds else ():
        concealed[place] = random.choice(wilds)
    drawn, dealer, winning = bool(wilds) or random.random() < 0.4, random.randrange(4), concealed[0]
    discarder = None if drawn else random.randint(1, 3)
    shown = ShownHand(tuple(concealed), winning, 0, dealer, tuple(melds), self_drawn=drawn,
                      discarder=discarder, wilds=wilds)  # fmt: skip
    return shown if judge(rules, shown).valid else winning_hand(rules, random)


def unfinished(rules: RuleSet, seed: int) -> ShownHand:
    """A hand that lacks one tile, often but not always the one it waits for."""
    random = Random(seed)
    whole = winning_hand(rules, random)
    held = list(whole.concealed)
    held.remove(random.choice(held))
    if random.random() < 0.3:
        held[random.randrange(len(held))] = random.choice(rules.kinds)
    legal = max(Counter(held + [t for m in whole.melds for t in m.tiles]).values()) <= rules.copies
    return replace(
        whole,
        concealed=tuple(held if legal else whole.concealed[1:]),
        self_drawn=False,
        discarder=None,
    )


def with_every_tile(rules: RuleSet, shown: ShownHand) -> dict[Tile, list[Verdict]]:
    """The valid verdicts on the hand with each tile that is left, drawn and from each seat."""
    found = {}
    for tile in rules.kinds:
        if shown.tiles.count(tile) < rules.copies:
            whole = replace(shown, concealed=(*shown.concealed, tile), winning_tile=tile)
            ways = [replace(whole, self_drawn=True)]
            ways += [replace(whole, discarder=seat) for seat in range(4) if seat != shown.winner]
            valid = [verdict for way in ways if (verdict := judge(rules, way)).valid]
            if valid:
                found[tile] = valid
    return found


@pytest.mark.parametrize("id", ALL)
@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 32))
@example(seed=208)
def test_a_hand_waits_for_the_tiles_that_the_judge_lets_win(id: str, seed: int) -> None:
    rules = find_rules(id)
    shown = unfinished(rules, seed)
    declared = replace(shown, circumstances=frozenset({Circumstance.READY_DECLARED}))
    hand = ReadyHand(shown.concealed, shown.melds, shown.winner, shown.dealer, wilds=shown.wilds)
    until = (rules.ready and rules.ready.until) or 4
    if sum(meld.kind.is_claimed for meld in shown.melds) > until:
        declared = shown  # it cannot have been declared so early
    assert legal_waits(rules, hand) == tuple(with_every_tile(rules, declared))


@pytest.mark.parametrize("id", ALL)
@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 32))
def test_each_wait_has_its_value_and_the_copies_nobody_has_seen(id: str, seed: int) -> None:
    rules = find_rules(id)
    shown = unfinished(rules, seed)
    seen = tuple(tile for tile in rules.kinds[:5] if shown.tiles.count(tile) < 3)
    # Of the kind turned up to name the wild ones, a copy lies open.
    lies = Counter((*shown.tiles, *seen, *shown.wilds[:1]))
    if any(lies[tile] > rules.copies for tile in lies):
        return
    expected = with_every_tile(rules, shown)
    found = ready_help(rules, shown, seen).waits
    assert [wait.tile for wait in found] == list(expected)
    for wait in found:
        verdicts = [*([wait.drawn] if wait.drawn else []), *wait.claimed.values()]
        assert [each.payments for each in verdicts] == [
            each.payments for each in expected[wait.tile]
        ]
        assert wait.unseen == rules.copies - lies[wait.tile]


@pytest.mark.parametrize("id", [rules.id for rules in rule_sets()])
def test_only_tiles_that_cannot_complete_a_hand_are_not_tried(id: str) -> None:
    """What is left out for speed completes nothing, drawn or claimed."""
    rules, random = find_rules(id), Random(id)
    for _ in range(150):
        hand = _near_ready(rules, random)
        found = {tile for tile, _ in _completed(rules, hand)}
        tried = {
            tile
            for tile in rules.kinds
            if hand.concealed.count(tile) < rules.copies
            and any(_read(rules, hand, tile, drawn=drawn) for drawn in (True, False))
        }
        assert found <= tried
        assert tried - found <= set(hand.wilds)  # of the turned kind a copy lies in the wall


def _near_ready(rules: RuleSet, random: Random) -> ReadyHand:
    """Thirteen tiles that are sets, pairs or anything."""
    pool = [tile for tile in rules.kinds for _ in range(rules.copies)]
    kinds = random.sample(rules.kinds, 7)
    tiles = random.choice(
        (
            [tile for tile in kinds for _ in range(2)][:13],
            [tile for tile in kinds[:4] for _ in range(3)] + kinds[4:5],
            random.sample(pool, 13),
        )
    )
    wilds = tuple(kinds[:2]) if rules.wilds is not None and random.random() < 0.5 else ()
    return ReadyHand(tuple(tiles), (), 0, 0, wilds)


CHANGSHA = find_rules("changsha")
CHOW = parse_meld("chow", "123m")


def win(winner: int, discarder: int | None = 3, text: str = "456p 789s 234s 55p") -> ShownHand:
    return ShownHand(
        concealed=parse_tiles(text),
        winning_tile=parse_tile("4s"),
        winner=winner,
        dealer=0,
        melds=(CHOW,),
        self_drawn=discarder is None,
        discarder=discarder,
    )


@given(
    st.permutations([0, 1, 2]).flatmap(lambda seats: st.integers(0, 3).map(lambda n: seats[:n])),
    st.lists(st.sampled_from(SUITED[:6]), max_size=2).map(tuple),
    st.sampled_from(["all", "closest"]),
)
def test_a_settlement_is_the_sum_of_its_verdicts(
    seats: list[int], birds: tuple[Tile, ...], multiple: str
) -> None:
    rules = CHANGSHA.with_options({"multiple_winners": multiple})
    settlement = settle_wins(rules, [win(seat) for seat in seats], birds)
    winners = sorted(seats)[: 1 if multiple == "closest" else None]
    alone = [judge(rules, replace(win(seat), birds=birds)).payments for seat in winners]
    assert settlement.winners == tuple(winners)
    assert list(settlement.payments) == [sum(paid[seat] for paid in alone) for seat in range(4)]
    assert sum(settlement.payments) == 0


def test_points_neither_appear_nor_vanish() -> None:
    with pytest.raises(ValueError, match="come to 1, not to zero"):
        as_transfers([1, 0, 0, 0])


def test_tiles_are_passed_by_all_four_seats() -> None:
    with pytest.raises(ValueError, match="by all four seats"):
        wall.exchange(find_rules("wanzhou"), 1, {0: parse_tiles("123m")})


@given(st.integers(0, 3), st.integers(2, 12), st.sampled_from(["own_wall", "next_player"]))
def test_breaking_the_wall_by_walking(dealer: int, total: int, start: str) -> None:
    rules = CHANGSHA.with_options({"break_count_start": start})
    side = dealer if start == "own_wall" else (dealer + 1) % 4
    for _ in range(total - 1):
        side = (side + 1) % 4
    dice = (total - 1, 1) if total <= 7 else (6, total - 6)
    opened = wall.break_wall(rules, dealer, dice)
    assert (opened.side, opened.stack) == (side, total)
    long = wall.stacks_of(rules, dealer)[side]
    expected = (
        wall.WallPlace(side, total + 1) if total < long else wall.WallPlace((side - 1) % 4, 1)
    )
    assert opened.first_draw == expected


@given(st.integers(0, 3), st.integers(0, 3), st.integers(1, 54))
def test_every_tile_is_drawn_once(dealer: int, side: int, count: int) -> None:
    stacks = wall.stacks_of(CHANGSHA, dealer)
    opened = wall.open_at(stacks, side, count)
    drawn = [wall.tile_after(stacks, opened.first_draw, tile) for tile in range(108)]
    assert len(set(drawn)) == 108
    assert [layer for _, layer in drawn[:2]] == ["top", "bottom"]
    assert drawn[-1][0] == wall.column_from_tail(stacks, opened.first_draw, 1)
    assert wall.stack_after(stacks, drawn[-1][0], 1) == opened.first_draw
    with pytest.raises(ValueError, match="108 tiles drawn"):
        wall.tile_after(stacks, opened.first_draw, 108)


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
@pytest.mark.parametrize("dealer", range(4))
def test_the_deal_gives_the_dealer_one_tile_more(rules: RuleSet, dealer: int) -> None:
    blocks = wall.deal(rules, dealer)
    sizes = [sum(tiles for seat, tiles in blocks if seat == each) for each in range(4)]
    assert sizes == [14 if seat == dealer else 13 for seat in range(4)]
    assert wall.tiles_after_deal(rules) == rules.tiles_in_wall - 53
    assert blocks[0] == (dealer, 4)
