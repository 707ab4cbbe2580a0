"""Changchun from the rules specification, part 1: eggs, kongs, the treasure, the hand."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.accountant.story import CLAIMED, Laid, Money, Options, Shown, Story, Wall, paid_by
from tests.accountant.ways import FACES, Part, complete, is_triplet, number, without

DEFAULTS: Options = {
    "draw_dealer": "stay",
    "treasure_tiles": "next_only",
    "treasure_wild_on_discard": False,
    "formula_extra_two": "when_any_multiplier",
    "dealer_loss_triggers_extra": True,
    "cap_scope": "per_payer",
    "clamp_definition": "any_reading",
    "clamp_on_wild_draw": True,
    "straight_scope": "any_match",
    "rush_multipliers": "straight_and_treasure",
    "hidden_treasure_each": "once",
    "treasure_needs_ready": True,
    "ready_requires_open": True,
    "ready_sequence_required": True,
    "ready_requirements_on": "completed_hand",
    "egg_as_triplet": False,
    "egg_is_exposed_meld": False,
    "broken_egg_scope": "whole_egg",
    "exposed_kong_payout": 1,
    "kongs_paid_on_draw": True,
    "end_count_base": "live",
    "kong_replacement_source": "tail",
    "dead_wall_grows": "kongs",
    "red_dragon_terminal": True,
    "false_win_penalty": "report_only",
    "false_win_amount": 0,
    "base_score": 1,
}
CAP = 1000


class Changchun(Wall):
    """Four dead tiles more for two kongs: from the tail, or drawn at the front (SPEC 1.8 #28).

    A treasure's indicator lies beside the wall: one tile less where it lay (SPEC 1.8 #34).
    """

    @staticmethod
    def replace(story: Story, what: str) -> None:
        from_tail = story.options["kong_replacement_source"] == "tail"
        if from_tail:
            end = min(stack for stack, _ in _tail(story))
            story.tail.remove(min(spot for spot in story.tail if spot[0] == end))
        if what != "kong" and story.options["dead_wall_grows"] == "kongs":
            story.live -= 1
        elif from_tail:
            story.live, story.dead = story.live - 2, story.dead + 1
        else:
            story.live, story.dead = story.live - 3, story.dead + 2

    @staticmethod
    def turn(story: Story, column: int) -> None:
        lying = _tail(story)[-(story.live + story.dead) :]
        stacks = sorted({stack for stack, _ in lying})
        spot = min(each for each in lying if each[0] == stacks[column - 1])
        if spot in lying[len(lying) - story.dead :]:
            story.dead -= 1
        else:
            story.live -= 1
        story.tail.remove(spot)


def _tail(story: Story) -> list[tuple[int, int]]:
    """(stack from the tail, 0 for its top tile) in the order of drawing, to the end of the wall."""
    if not story.tail:
        story.tail += [(stack, layer) for stack in range(68, 0, -1) for layer in (0, 1)]
    return story.tail


def next_dealers(story: Story) -> list[int]:
    passes = [(story.dealer + 1) % 4]
    if not story.shown:
        return [story.dealer] if story.options["draw_dealer"] == "stay" else passes
    return [story.dealer] if story.nearest_first()[0].seat == story.dealer else passes


def money(story: Story) -> list[Money]:
    """Eggs and kongs, then the hand; one winner alone, the nearest (CC-21)."""
    parts = []
    winners = story.nearest_first()[:1]
    for shown in winners:
        parts.append(hand(story, shown))
    robbed = story.robs(winners[0]) if winners else None
    for laid in story.laid:
        parts.append(beside(story, laid, robbed))
    return parts


def beside(story: Story, laid: Laid, robbed: Laid | None) -> Money:
    """CC-46, CC-47, CC-48."""
    options, base = story.options, int(story.options["base_score"])
    if not story.shown and not options["kongs_paid_on_draw"]:
        return [0, 0, 0, 0]
    if laid.kind == "lucky_egg":
        broken = laid.robbed or laid is robbed
        extra = len(laid.extra) - (laid is robbed)
        worth = 0 if broken and options["broken_egg_scope"] == "whole_egg" else 1 + extra
    else:
        exposed = int(options["exposed_kong_payout"])
        worth = {"kong_concealed": 2, "kong_added": 1, "kong_exposed": exposed}.get(laid.kind, 0)
    return paid_by(laid.seat, [worth * base] * 4)


def fine(story: Story, seat: int) -> Money:
    agreed = story.options["false_win_penalty"] == "custom"
    amount = int(story.options["false_win_amount"]) if agreed else 0
    return [-money for money in paid_by(seat, [amount] * 4)]


# --- The treasure


def treasures(story: Story) -> list[str]:
    """In force at the end (CC-28)."""
    if not story.indicators or story.indicators[-1] == "?":
        return []
    turned = story.indicators[-1]
    after = follows(turned)
    ways = {"next_only": [after], "indicator_only": [turned], "indicator_and_next": [turned, after]}
    return ways[str(story.options["treasure_tiles"])]


def follows(tile: str) -> str:
    for row in ("ESWN", "FCP"):
        if tile in row:
            return row[(row.index(tile) + 1) % len(row)]
    return f"{number(tile) % 9 + 1}{tile[1]}"


# --- The hand


@dataclass
class Reading:
    """One way to see the hand; ``at`` is the set that the last tile is in, -1 for the pair."""

    sets: list[Part]
    pair: str
    at: int
    face: str
    wild: bool

    @property
    def clamps(self) -> bool:
        """The last tile filled an edge, a gap or the pair (CC-42a)."""
        if self.at < 0:
            return True
        part = self.sets[self.at]
        if is_triplet(part):
            return False
        place = part.index(self.face)
        return (
            place == 1 or (place == 2 and part[0][0] == "1") or (place == 0 and part[2][0] == "9")
        )


def hand(story: Story, shown: Shown) -> Money:
    """The reading that pays most (B-CC-8).

    Raises:
        AssertionError: no reading of the hand wins.
    """
    legal = [each for each in readings(story, shown) if wins(story, shown, each)]
    assert legal, f"{shown} does not win"
    assert may_win(story, shown), f"{shown} is won too late on another's tile"
    paid = [pay(story, shown, multipliers(story, shown, each)) for each in legal]
    return max(paid, key=lambda money: money[shown.seat])


def may_win(story: Story, shown: Shown) -> bool:
    """With twelve tiles left only what one draws wins (CC-33)."""
    dead = story.dead if story.options["end_count_base"] == "physical" else 0
    return shown.drawn or shown.rush or story.live + dead > 12


def readings(story: Story, shown: Shown) -> Iterator[Reading]:
    player = story.players[shown.seat]
    melds = [meld.tiles for meld in player.melds]
    held = without(shown.tiles, shown.last)
    natural = shown.drawn or shown.rush
    wild = (
        not shown.rush
        and shown.last in treasures(story)
        and was_ready(story, shown)
        and (natural or bool(story.options["treasure_wild_on_discard"]))
    )
    for face, is_wild in [(shown.last, False), *[(each, True) for each in FACES if wild]]:
        for laid, pair in complete([*held, face]):
            sets = [*melds, *laid]
            places = [at for at in range(len(melds), len(sets)) if face in sets[at]]
            for at in places + ([-1] if pair == face else []):
                yield Reading(sets, pair, at, face, is_wild)


def triplets(story: Story, shown: Shown, reading: Reading) -> int:
    """How many sets count as triplets; an egg by agreement (SPEC 1.8 #19)."""
    melds = story.players[shown.seat].melds
    eggs = sum(meld.kind == "lucky_egg" for meld in melds)
    alike = sum(
        is_triplet(part)
        for at, part in enumerate(reading.sets)
        if at >= len(melds) or melds[at].kind != "lucky_egg"
    )
    return alike + (eggs if story.options["egg_as_triplet"] else 0)


def wins(story: Story, shown: Shown, reading: Reading) -> bool:
    """CC-36 to CC-39."""
    if len(reading.sets) != 4 or not triplets(story, shown, reading):
        return False
    extra = [tile for meld in story.players[shown.seat].melds for tile in meld.extra]
    faces = {tile for part in reading.sets for tile in part} | {reading.pair, *extra}
    outer = any(face[0] in "19" for face in faces)
    outer = outer or ("C" in faces and bool(story.options["red_dragon_terminal"]))
    return outer and {face[1] for face in faces if len(face) == 2} == set("mps")


def multipliers(story: Story, shown: Shown, reading: Reading) -> list[int]:
    """The rows of the payout table that the reading meets (CC-42)."""
    options = story.options
    clamp = reading.clamps and (not reading.wild or bool(options["clamp_on_wild_draw"]))
    if clamp and options["clamp_definition"] == "sole_wait":
        clamp = len(waits(story, shown)) == 1
    drawn = shown.drawn or (
        shown.rush and options["rush_multipliers"] == "straight_treasure_self_draw"
    )
    met = [
        clamp,
        drawn,
        triplets(story, shown, reading) == 4,
        shown.seat == story.dealer,
        not is_open(story, shown),
    ]
    return [2] * sum(met) + of_treasure(story, shown, reading, clamp=clamp)


def is_open(story: Story, shown: Shown) -> bool:
    opening = (*CLAIMED, "lucky_egg") if story.options["egg_is_exposed_meld"] else CLAIMED
    return any(meld.kind in opening for meld in story.players[shown.seat].melds)


def was_ready(story: Story, shown: Shown) -> bool:
    """It was declared of a hand that may be ready: else no treasure is paid (CC-25, CC-29, CC-30).

    Of a closed kong the tiles may have been in hand when it was declared.
    """
    player, held = story.players[shown.seat], without(shown.tiles, shown.last)
    if player.ready_with is None:
        return False
    few = len(held) < 4 and all(meld.kind != "kong_concealed" for meld in player.melds)
    if few or (story.options["ready_requires_open"] and not is_open(story, shown)):
        return False
    there = Counter(without(story.tiles_of(shown), shown.last))
    return any(
        wins(story, tried, way) and may_be_ready(story, tried, way)
        for face in FACES
        if there[face] < 4
        for tried in [Shown(shown.seat, [*held, face], face, shown.drawn, rush=True)]
        for way in readings(story, tried)
    )


def may_be_ready(story: Story, shown: Shown, reading: Reading) -> bool:
    """A sequence, a triplet and a terminal, in the hand as it will be, or as it is (CC-25)."""
    options, melds = story.options, story.players[shown.seat].melds
    held = options["ready_requirements_on"] == "held_tiles"
    sets = [() if held and at == reading.at else part for at, part in enumerate(reading.sets)]
    runs = [
        melds[at].kind == "chow" if at < len(melds) else bool(part) and not is_triplet(part)
        for at, part in enumerate(sets)
    ]
    excused = not options["ready_sequence_required"] and triplets(story, shown, reading) == 4
    tiles = story.tiles_of(shown)
    outer = any(
        tile[0] in "19" or (tile == "C" and options["red_dragon_terminal"])
        for tile in (without(tiles, shown.last) if held else tiles)
    )
    kept = triplets(story, shown, replace(reading, sets=sets))
    return bool(kept) and outer and (excused or any(runs))


def of_treasure(story: Story, shown: Shown, reading: Reading, *, clamp: bool) -> list[int]:
    options, named = story.options, treasures(story)
    ready = was_ready(story, shown)
    rows = []
    if shown.last in named and (ready or not options["treasure_needs_ready"]):
        if not shown.rush or options["rush_multipliers"] != "straight_only":
            rows.append(2)
        if not reading.wild:
            rows += [2] * bool(shown.rush or options["straight_scope"] == "any_match")
            rows += [8] * clamp
    hidden = sum(tile in named for tile in without(shown.tiles, shown.last))
    if ready and hidden:
        rows.append(2**hidden if options["hidden_treasure_each"] == "per_tile" else 2)
    return rows


def waits(story: Story, shown: Shown) -> list[str]:
    """Every tile of which one is left that would have completed a legal hand."""
    held = without(shown.tiles, shown.last)
    there = Counter(without(story.tiles_of(shown), shown.last))
    found = []
    for face in FACES:
        tried = Shown(shown.seat, [*held, face], face, shown.drawn, rush=True)
        if there[face] < 4 and any(wins(story, tried, way) for way in readings(story, tried)):
            found.append(face)
    return found


def pay(story: Story, shown: Shown, rows: list[int]) -> Money:
    """CC-41, CC-43, CC-44, CC-45."""
    options, giver = story.options, story.giver(shown)
    debts = [0, 0, 0, 0]
    for payer in range(4) if giver is None else [giver]:
        if payer == shown.seat:
            continue
        loses = payer == story.dealer
        debt = int(options["base_score"]) * (2 if loses else 1)
        for row in rows:
            debt *= row
        doubled = bool(rows) or (loses and options["dealer_loss_triggers_extra"])
        debts[payer] = debt * (2 if doubled or options["formula_extra_two"] == "always" else 1)
    if options["cap_scope"] == "per_payer":
        debts = [min(CAP, debt) for debt in debts]
    elif sum(debts) > CAP:
        debts = [debt * CAP // sum(debts) for debt in debts]
    return paid_by(shown.seat, debts)
