"""Chinese Classical's money computed a second time: slowly, without the engine's parts.

Settlement is asked of every ordered pair of seats; a hand is laid out by brute force and counted
row by row. Tiles are texts here.
"""

from collections import Counter
from functools import cache
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import DeadHand, HandValues
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import parse_tile, parse_tiles
from tests.stages.told import that_fit

CLASSICAL = find_rules("classical")
FACES = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + list("ESWNCFP")
TERMINALS = [f"{n}{suit}" for suit in "mps" for n in (1, 9)]
HONOURS = list("ESWNCFP")
GREEN = ["2s", "3s", "4s", "6s", "8s", "F"]


# --- Settlement


def owes(payer: int, to: int, hands: HandValues, options: dict, limit: int) -> int:
    """What one seat pays another, East's double included."""
    gain, own = min(limit, hands.values[to]), min(limit, hands.values[payer])
    if to in hands.dead:
        return 0
    if payer in hands.dead:
        deducts = options["dead_hand_payment"] == "by_tile_count"
        amount = gain - own if deducts and hands.dead[payer] == "short" else gain
    elif options["settlement"] == "winner_full" and payer == hands.winner:
        amount = 0
    elif options["settlement"] == "winner_full" and to == hands.winner:
        amount = gain
    else:
        amount = gain - own
    return max(0, amount) * (2 if hands.east in (payer, to) else 1)


@settings(max_examples=300, deadline=None)
@given(
    values=st.tuples(*[st.sampled_from([0, 2, 8, 24, 64, 400, 700])] * 4),
    winner=st.sampled_from([0, 1, 2, 3, None]),
    east=st.integers(0, 3),
    limit=st.sampled_from([None, 100, 500]),
    dead=st.dictionaries(st.integers(0, 3), st.sampled_from(list(DeadHand)), max_size=3),
    settlement=st.sampled_from(["winner_full", "differences_only"]),
    payment=st.sampled_from(["no_collect", "by_tile_count"]),
)
def test_every_pair_of_seats_settles_by_the_text(
    values: tuple[int, int, int, int],
    winner: int | None,
    east: int,
    limit: int | None,
    dead: dict[int, DeadHand],
    settlement: str,
    payment: str,
) -> None:
    dead.pop(winner if winner is not None else 4, None)
    hands = HandValues(values, winner, east, limit, dead)
    options = {"settlement": settlement, "dead_hand_payment": payment}
    rules = CLASSICAL.with_options(options)
    assert rules.settle_values is not None
    paid = rules.settle_values(hands, rules.chosen)
    expected = [0, 0, 0, 0]
    for payer in range(4):
        for to in range(4):
            if payer != to and winner is not None:
                amount = owes(payer, to, hands, options, limit or 500)
                expected[payer] -= amount
                expected[to] += amount
    assert list(paid.transfers) == expected
    assert sum(paid.transfers) == 0
    assert all(step.en and step.zh for step in paid.steps)


# --- What a hand is worth


@cache
def lay(tiles: tuple[str, ...]) -> list[tuple[tuple[str, ...], ...]]:
    if not tiles:
        return [()]
    first = tiles[0]
    parts = [(first,) * 3]
    if len(first) == 2:
        parts.append(tuple(f"{int(first[0]) + step}{first[1]}" for step in range(3)))
    found = []
    for part in parts:
        rest = Counter(tiles)
        rest.subtract(part)
        if min(rest.values()) >= 0:
            found += [(part, *more) for more in lay(tuple(sorted(rest.elements())))]
    return found


def completions(concealed: list[str]) -> list[tuple[list[tuple[str, ...]], str]]:
    """The sets and the pair, in every way."""
    found = []
    for pair, count in Counter(concealed).items():
        if count >= 2:
            rest = Counter(concealed)
            rest[pair] -= 2
            found += [(list(laid), pair) for laid in lay(tuple(sorted(rest.elements())))]
    return found


def values(shown: ShownHand, options: dict) -> list[int]:
    """What the hand is worth in each way to see it."""
    concealed = [str(tile) for tile in shown.concealed]
    last = str(shown.winning_tile)
    found = []
    if sorted(set(concealed)) == sorted(TERMINALS + HONOURS) and not shown.melds:
        found.append(options["limit"])
    for laid, pair in completions(concealed):
        places = [at for at, part in enumerate(laid) if last in part] + ([-1] * (last == pair))
        for place in places:
            sets = [
                (
                    part,
                    "pung" if len(set(part)) == 1 else "chow",
                    (at != place or shown.self_drawn) and not unmarked(shown, options),
                )
                for at, part in enumerate(laid)
            ]
            found.append(value(sets, pair, shown, options))
    return found


def value(sets: list, pair: str, shown: ShownHand, options: dict) -> int:
    for meld in shown.melds:
        kind = "kong" if meld.kind.is_kong else str(meld.kind)
        part = tuple(str(tile) for tile in meld.tiles)
        sets = [*sets, (part, kind, meld.kind is MeldKind.KONG_CONCEALED)]
    tiles = [tile for part, _, _ in sets for tile in part] + [pair, pair]
    if is_limit(sets, tiles, shown, options):
        return options["limit"]
    into_hand = "tile_into_hand" in set(map(str, shown.circumstances))
    earned = not into_hand or options["tile_into_hand"] == "points_kept"
    points = options["going_out_points"] + 4 * len(shown.bonus)
    for part, kind, hidden in sets:
        worth = {"chow": 0, "pung": 2, "kong": 8}[kind]
        points += worth * (2 if part[0] in TERMINALS + HONOURS else 1) * (2 if hidden else 1)
    own = "ESWN"[(shown.winner - shown.dealer) % 4]
    pair_worth = 2 * ((pair in "CFP") + (pair == own) + (pair == str(shown.prevailing)))
    points += pair_worth + (2 * shown.self_drawn + 2 * sole_wait(shown)) * earned
    doubles = of_sets(sets, own, str(shown.prevailing)) + of_bonus(shown, options)
    doubles += of_tiles(tiles) + of_events(shown, options)
    if all(kind == "chow" for _, kind, _ in sets) and pair_worth == 0:
        doubles += 1
    return min(options["limit"], points * 2**doubles)


def unmarked(shown: ShownHand, options: dict) -> bool:
    said = set(map(str, shown.circumstances))
    return "triplets_unmarked" in said and options["unmarked_triplets"] == "exposed"


def of_sets(sets: list, own: str, prevailing: str) -> int:
    triplets = [part[0] for part, kind, _ in sets if kind != "chow"]
    doubles = sum(triplets.count(face) for face in ("C", "F", "P", own, prevailing))
    return doubles + (len(triplets) == 4)


def of_bonus(shown: ShownHand, options: dict) -> int:
    texts = [str(tile) for tile in shown.bonus]
    doubles = 0
    for suit in "fq":
        doubles += f"{(shown.winner - shown.dealer) % 4 + 1}{suit}" in texts
        if sum(text.endswith(suit) for text in texts) == 4:
            doubles += options["bouquet_doubles"]
    return doubles


def of_tiles(tiles: list[str]) -> int:
    suits = {tile[1] for tile in tiles if len(tile) == 2}
    honours = any(tile in HONOURS for tile in tiles)
    if not suits:
        return 3
    doubles = {True: 1, False: 3}[honours] if len(suits) == 1 else 0
    return doubles + all(tile in TERMINALS + HONOURS for tile in tiles)


def of_events(shown: ShownHand, options: dict) -> int:
    said = set(map(str, shown.circumstances)) - ({"first_turn"} if shown.melds else set())
    doubles = 0
    if shown.self_drawn:
        doubles += "last_tile" in said
        doubles += "after_kong" in said
        anyone = options["original_hand"] == "any_first_14"
        easts = options["original_hand"] == "east_only" and shown.winner == shown.dealer
        if "first_turn" in said and (anyone or easts):
            doubles += 3
    elif "robbing_kong" in said:
        doubles += 1
    else:
        doubles += "last_tile" in said
    stood = "ready_declared" in said and options["standing_hand"] == "allowed"
    return doubles + (stood and (options["standing_wait"] == "any_tile" or waits(shown) <= 1))


def is_limit(sets: list, tiles: list[str], shown: ShownHand, options: dict) -> bool:
    said, last = set(map(str, shown.circumstances)), str(shown.winning_tile)
    triplets = [part[0] for part, kind, _ in sets if kind != "chow"]
    numbers = Counter(tile[0] for tile in tiles)
    one_suit = len({tile[-1] for tile in tiles}) == 1 and len(tiles[0]) == 2
    robs = "robbing_kong" in said and not shown.self_drawn
    rows = {
        "nine_gates": one_suit
        and not shown.melds
        and all(numbers[n] >= (3 if n in "19" else 1) for n in "123456789"),
        "hidden_treasure": len(triplets) == 4 and all(hidden for _, _, hidden in sets),
        "fourfold_plenty": all(kind == "kong" for _, kind, _ in sets),
        "three_great_scholars": set("CFP") <= set(triplets),
        "four_blessings": set("ESWN") <= set(triplets),
        "heads_and_tails": set(tiles) <= set(TERMINALS),
        "carrying_pole": robs and last == "2s",
        "plum_blossom": shown.self_drawn and "after_kong" in said and last == "5p",
        "moon": "last_tile" in said and not robs and last == "1p",
        "imperial_jade": set(tiles) <= set(GREEN),
    }
    if any(met and options[f"special_{name}"] for name, met in rows.items()):
        return True
    if "first_turn" not in said or shown.melds:
        return False
    if shown.self_drawn:
        return options["original_hand"] == "limit" and shown.winner == shown.dealer
    return options["earthly_first_discard"] == "limit" and shown.discarder == shown.dealer


def sole_wait(shown: ShownHand) -> bool:
    return waits(shown, orphans=False) == 1


def waits(shown: ShownHand, *, orphans: bool = True) -> int:
    """How many kinds complete what was held."""
    held = [str(tile) for tile in shown.concealed]
    held.remove(str(shown.winning_tile))
    laid = [str(tile) for meld in shown.melds for tile in meld.tiles]
    left = [face for face in FACES if [*held, *laid].count(face) < 4]
    return sum(
        bool(completions([*held, face]))
        or (orphans and sorted({*held, face}) == sorted(TERMINALS + HONOURS))
        for face in left
    )


class Dealt:
    """A complete hand of few kinds and options from one seed, never a fifth tile."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.left = Counter(dict.fromkeys(FACES, 4))
        pool = self.random.choice(["m", "mz", "mps", "mpsz", "tz", "t", "z", "g"])
        kinds = {"t": TERMINALS, "z": HONOURS, "g": GREEN}
        self.pool = [
            face for each in pool for face in kinds.get(each, [f"{n}{each}" for n in range(1, 10)])
        ]
        self.options = {
            option.name: self.random.choice(option.values[:3])
            if self.random.random() < 0.2 and not isinstance(option.values, range)
            else option.default
            for option in CLASSICAL.options
        }
        self.options |= {
            "limit": self.random.choice([300, 1000, 5000]),
            "game_variant": "mixed_hand",
            "original_hand": self.random.choice(["east_only", "any_first_14", "limit"]),
            "bonus_tiles": True,
            "special_heavenly_twins": False,
            "special_thirteen_unique_wonders": True,
        }
        self.shown = self.hand()

    def take(self, tiles: list[str]) -> list[str]:
        """Those tiles, if the wall still has them, else a triplet or pair of others."""
        if any(self.left[tile] < count for tile, count in Counter(tiles).items()):
            first = self.random.choice([tile for tile in FACES if self.left[tile] >= 3])
            tiles = [first] * len(tiles)
        self.left.subtract(tiles)
        return tiles

    def hand(self) -> ShownHand:
        melds: list[Meld] = []
        concealed: list[str] = []
        melded, triplets = self.random.choice([0, 0, 0.5]), self.random.choice([0.2, 0.6, 1])
        for _ in range(4):
            self.one_set(melds, concealed, melded, triplets)
        pool = [tile for tile in self.pool if self.left[tile] >= 2] or ["9s"]
        concealed += self.take([self.random.choice(pool)] * 2)
        names = ["after_kong", "robbing_kong", "last_tile", "first_turn", "ready_declared"]
        names += ["tile_into_hand", "triplets_unmarked"]
        winner, drawn = self.random.randrange(4), self.random.random() < 0.5
        bonus = parse_tiles("1234f1234q")
        winning = parse_tile(self.random.choice(concealed))
        lying = [tile for meld in melds for tile in meld.tiles]
        held = [*map(parse_tile, concealed), *lying].count(winning)
        return ShownHand(
            concealed=tuple(map(parse_tile, concealed)),
            winning_tile=winning,
            winner=winner,
            dealer=self.random.randrange(4),
            melds=tuple(melds),
            self_drawn=drawn,
            discarder=None if drawn else (winner + self.random.randint(1, 3)) % 4,
            circumstances=frozenset(
                map(
                    Circumstance,
                    that_fit(
                        self.random.sample(names, self.random.randrange(4)),
                        self_drawn=drawn,
                        held=held,
                        claimed=sum(meld.kind.is_claimed for meld in melds),
                    ),
                )
            ),
            bonus=tuple(self.random.sample(bonus, self.random.choice([0, 0, 1, 3, 6]))),
            prevailing=self.random.choice([None, *parse_tiles("ESWN")]),
        )

    def one_set(
        self, melds: list[Meld], concealed: list[str], melded: float, triplets: float
    ) -> None:
        face = self.random.choice(self.pool)
        chow = len(face) == 2 and face[0] < "8" and self.random.random() >= triplets
        wanted = [f"{int(face[0]) + s}{face[1]}" for s in range(3)] if chow else [face] * 3
        tiles = self.take(wanted)
        if self.random.random() >= melded:
            concealed += tiles
        elif tiles[0] != tiles[1]:
            melds.append(Meld(MeldKind.CHOW, tuple(map(parse_tile, tiles))))
        elif self.left[tiles[0]] and self.random.random() < 0.6:
            kind = self.random.choice([kind for kind in MeldKind if kind.is_kong])
            melds.append(Meld(kind, tuple(map(parse_tile, tiles + self.take(tiles[:1])))))
        else:
            melds.append(Meld(MeldKind.PUNG, tuple(map(parse_tile, tiles))))


@settings(max_examples=600, deadline=None)
@given(st.integers(0, 1 << 40))
def test_a_hand_is_worth_what_the_oracle_counts(seed: int) -> None:
    dealt = Dealt(seed)
    verdict = judge(CLASSICAL.with_options(dealt.options), dealt.shown)
    assert verdict.valid, verdict.refusals
    worth = max(values(dealt.shown, dealt.options))
    assert verdict.total == worth
    paid = [
        -worth * (2 if dealt.shown.dealer in (seat, dealt.shown.winner) else 1) for seat in range(4)
    ]
    paid[dealt.shown.winner] = 0
    paid[dealt.shown.winner] = -sum(paid)
    assert list(verdict.payments) == paid


def test_the_oracle_meets_every_double_and_nearly_every_limit_hand() -> None:
    """Else the agreement above would say little; two hands are too rare to be dealt."""
    met: Counter[str] = Counter()
    for seed in range(3000):
        dealt = Dealt(seed)
        verdict = judge(CLASSICAL.with_options(dealt.options), dealt.shown)
        met.update(each.id for each in verdict.patterns)
    rare = {"limit_nine_gates", "limit_thirteen_unique_wonders", "limit_heavenly_twins"}
    assert {pattern.id for pattern in CLASSICAL.patterns} - rare <= set(met)
