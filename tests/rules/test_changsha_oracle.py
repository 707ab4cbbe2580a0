"""Changsha money computed a second time: slowly, from the rules' text, without the engine's parts.

The oracle lays a hand out by brute force, asks every row of the payout table, and pays by formula.
Tiles are (number, suit) pairs here and money is a dictionary, so that no slip is shared.
"""

from collections import Counter
from dataclasses import dataclass
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import SUITED, Tile
from tests.stages.dealt import DealtTiles
from tests.stages.told import that_fit

CHANGSHA = find_rules("changsha")
Face = tuple[int, str]


@dataclass
class Reading:
    form: str
    sets: list[list[Face]]
    pairs: list[Face]


def face(tile: Tile) -> Face:
    text = str(tile)
    return int(text[0]), text[1]


def lay_sets(left: list[Face]) -> list[list[list[Face]]]:
    """Every way to lay tiles out in sets, first tile first."""
    if not left:
        return [[]]
    number, suit = left[0]
    found = []
    for part in (
        [(number, suit)] * 3,
        [(number, suit), (number + 1, suit), (number + 2, suit)],
    ):
        rest = list(left)
        try:
            for each in part:
                rest.remove(each)
        except ValueError:
            continue
        found += [[part, *more] for more in lay_sets(rest)]
    return found


def read(shown: ShownHand, options: dict[str, object]) -> list[Reading]:
    hand = sorted((face(tile) for tile in shown.concealed), key=lambda f: (f[1], f[0]))
    melded = [[face(tile) for tile in meld.tiles] for meld in shown.melds]
    readings = []
    for pair in set(hand):
        if hand.count(pair) >= 2:
            rest = list(hand)
            rest.remove(pair)
            rest.remove(pair)
            readings += [Reading("sets", melded + laid, [pair]) for laid in lay_sets(rest)]
    if not melded and all(hand.count(each) in (2, 4) for each in hand):
        readings.append(Reading("pairs", [], hand[::2]))
    everything = hand + [each for part in melded for each in part]
    only_generals = all(number in (2, 5, 8) for number, _ in everything)
    if only_generals and not options["all_generals_needs_sets"]:
        readings.append(Reading("generals", [], []))
    return readings


def rows(reading: Reading, shown: ShownHand, options: dict[str, object]) -> dict[str, int]:
    """The payout table, row by row; empty if the hand does not win."""
    tiles = [face(tile) for tile in shown.tiles]
    said = shown.circumstances
    generals = all(number in (2, 5, 8) for number, _ in tiles)
    big: dict[str, int] = {}
    if reading.form == "sets" and all(len(set(part)) == 1 for part in reading.sets):
        big["all_triplets"] = 1
    if generals:
        big["all_generals"] = 1
    if len({suit for _, suit in tiles}) == 1:
        big["full_flush"] = 1
    kinds = [meld.kind for meld in shown.melds]
    beggar = {MeldKind.CHOW, MeldKind.PUNG}
    if options["beggar_kongs"]:
        beggar |= {MeldKind.KONG_EXPOSED, MeldKind.KONG_ADDED}
    if len(kinds) == 4 and set(kinds) <= beggar and not shown.self_drawn:
        big["full_beggar"] = 1
    big |= of_seven_pairs(reading, options)
    pair = generals or any(number in (2, 5, 8) for number, _ in reading.pairs)
    if reading.form == "pairs" and not options["generals_in_seven_pairs"]:
        pair = generals
    if not big and not pair:
        return {}
    if pair:
        big |= dict.fromkeys(events(shown, said), 1)
    return big or {"small_win": 1}


def of_seven_pairs(reading: Reading, options: dict[str, object]) -> dict[str, int]:
    if reading.form != "pairs":
        return {}
    fours = sum(count == 2 for count in Counter(reading.pairs).values())
    if fours == 0:
        return {"seven_pairs": 1}
    return {"luxurious_seven_pairs": 2 if options["luxurious_two_quads"] == "once" else 2 * fours}


def events(shown: ShownHand, said: frozenset[Circumstance]) -> list[str]:
    """The rows that ask for a General pair and look at how the win came about."""
    names = {str(circumstance) for circumstance in said}
    sea = "last_tile" in names and not names & {
        "last_tile_was_kong_replacement",
        "after_kong",
        "after_kong_discard",
    }
    found = []
    if shown.self_drawn:
        if sea:
            found.append("last_tile_win")
        if "after_kong" in names:
            found.append("after_kong")
        if "first_turn" in names and not shown.melds:
            dealer = shown.winner == shown.dealer
            found.append("blessing_of_heaven" if dealer else "blessing_of_earth")
    elif "robbing_kong" in names:
        found.append("robbing_kong")
    else:
        if sea:
            found.append("last_tile_discard")
        if "after_kong_discard" in names:
            found.append("after_kong_discard")
    return found


def pay(rows_met: dict[str, int], shown: ShownHand, options: dict[str, object]) -> dict[int, int]:
    names = dict(rows_met)
    if "small_win" in names:
        units = 0
    elif "luxurious_seven_pairs" in names and options["luxurious_combination"] == "doubles_total":
        times = names.pop("luxurious_seven_pairs")
        units = (sum(names.values()) + 1) * times
    else:
        units = sum(names.values())
    money = dict.fromkeys(range(4), 0)
    payers = [0, 1, 2, 3] if shown.discarder is None else [shown.discarder]
    for payer in payers:
        if payer == shown.winner:
            continue
        dealer = shown.dealer in (payer, shown.winner)
        amount = (2 if dealer else 1) if units == 0 else units * (7 if dealer else 6)
        amount *= 1 + bird_hits(shown, payer, options)
        money[payer] -= amount
        money[shown.winner] += amount
    return money


def bird_hits(shown: ShownHand, payer: int, options: dict[str, object]) -> int:
    birds = [int(str(tile)[0]) for tile in shown.birds or ()]
    if len(birds) < 2 and options["bird_shortage"] == "none":
        return 0
    first = shown.dealer if options["bird_origin"] == "dealer" else shown.winner
    table = {1: 0, 5: 0, 9: 0, 2: 1, 6: 1, 3: 2, 7: 2, 4: 3, 8: 3}
    seats = [(first + table[number]) % 4 for number in birds]
    hits = sum(seat in {shown.winner, shown.discarder} for seat in seats)
    if shown.discarder is None and options["bird_self_draw_payer"] == "doubles_that_payer":
        hits += seats.count(payer)
    return hits


class Dealt(DealtTiles):
    """A shown hand and options from one seed."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        suits = random.choice(["m", "mp", "mps", "mps"])
        generals = random.random() < 0.15
        kinds = [t for t in SUITED if (t.number in (2, 5, 8) if generals else t.suit in suits)]
        super().__init__(random, CHANGSHA, SUITED, kinds)
        self.shown = self.hand()

    def hand(self) -> ShownHand:
        shape = self.random.random()
        if shape < 0.2:
            melds, concealed = [], self.pairs()
        elif shape < 0.25:
            generals = [tile for tile in SUITED if tile.number in (2, 5, 8) for _ in range(4)]
            melds, concealed = [], self.random.sample(generals, 14)
            self.left.subtract(concealed)
        else:
            runs, melded = self.random.choice([0, 0.6]), self.random.choice([0, 0, 0.5, 1])
            melds, concealed = self.sets(runs=runs, melded=melded)
        if self.random.random() < 0.1:
            concealed[0] = self.take(self.random.choice(self.kinds))[0]
        winner = self.random.randrange(4)
        self_drawn = self.random.random() < 0.5
        names = ["after_kong", "after_kong_discard", "robbing_kong", "last_tile", "first_turn"]
        names += ["last_tile_was_kong_replacement", "first_turn"]
        birds = [tile for tile in SUITED if self.left[tile]]
        winning = self.random.choice(concealed)
        held = [*concealed, *(tile for meld in melds for tile in meld.tiles)].count(winning)
        return ShownHand(
            concealed=tuple(concealed),
            winning_tile=winning,
            winner=winner,
            dealer=self.random.randrange(4),
            melds=tuple(melds),
            self_drawn=self_drawn,
            discarder=None if self_drawn else (winner + self.random.randint(1, 3)) % 4,
            circumstances=frozenset(
                map(
                    Circumstance,
                    that_fit(
                        self.random.sample(names, self.random.randrange(3)),
                        self_drawn=self_drawn,
                        held=held,
                    ),
                )
            ),
            birds=self.random.choice(
                [None, tuple(self.random.sample(birds, self.random.choice([1, 2, 2])))]
            ),
        )


@settings(max_examples=1500, deadline=None)
@given(st.integers(0, 1 << 40))
def test_the_engine_pays_what_the_oracle_pays(seed: int) -> None:
    dealt = Dealt(seed)
    shown, chosen = dealt.shown, dealt.options
    verdict = judge(CHANGSHA.with_options(chosen), shown)
    readings = read(shown, chosen)
    met = [rows(reading, shown, chosen) for reading in readings]
    wins = [(pay(row, shown, chosen), row) for row in met if row]
    if not wins:
        expected = "generals_pair" if readings else "structure"
        assert [refusal.id for refusal in verdict.refusals] == [expected]
        return
    best = max(money[shown.winner] for money, _ in wins)
    patterns = {each.id: each.value for each in verdict.patterns}
    assert verdict.valid
    assert dict(enumerate(verdict.payments)) in [
        money for money, row in wins if row == patterns and money[shown.winner] == best
    ]
    assert sum(verdict.payments) == 0
