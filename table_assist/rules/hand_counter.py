"""Counts of a rule set's hands: earlier answers are remembered, so that the next comes quickly.

``counter_of(rules).take_sound(shown)`` counts a hand's tiles and melds in one go. Nothing here
decides what a hand is worth: a hand of which it is not certain that its tiles and melds are in
order goes to `shown_hand_validity`, which names the faults.
"""

from collections import Counter
from functools import lru_cache

from table_assist.rules.ruleset import RuleSet, WildRule
from table_assist.rules.shown import ShownHand, Situation
from table_assist.rules.shown_hand_validity import (
    discarder_refusals,
    fact_refusals,
    held_by_winner,
    robs_kong,
    turned_tile,
)
from table_assist.rules.win import Held, OpenConditions, Win, ask
from table_assist.tiles.counts import (
    HIGHEST_BITS,
    ONE_EACH,
    STRANGE,
    copies,
    count_tiles,
    kinds_in,
    kinds_of,
    spare_room,
)
from table_assist.tiles.divide import Division, set_of
from table_assist.tiles.melds import Meld
from table_assist.tiles.tile import COPIES, Tile

# Rule sets with their options, and for each of them situations and melds: an evening has a few
# hundred, a sweep over everything forgets and begins anew.
_DESKS = 64
_REMEMBERED = 1 << 14
_MOST = COPIES + 1
_NO_READING = Division("none", (), 0)
_HELD = tuple(held_by_winner(melds) for melds in range(5))


class _Situations(dict[Situation, OpenConditions]):
    """The open questions of each situation."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, situation: Situation) -> OpenConditions:
        if len(self) >= _REMEMBERED:
            self.clear()
        rules, options = self._rules, self._rules.chosen
        self[situation] = asked = OpenConditions(
            ask(rules.patterns, situation, options),
            tuple(each for each in rules.conditions if not each.unless(situation, options)),
            not robs_kong(situation) and not any(discarder_refusals(situation)),
        )
        return asked


class _Melds(dict[Meld, tuple[int, int, bool]]):
    """The tiles of a meld counted, its bit among the parts, and whether it is one."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, meld: Meld) -> tuple[int, int, bool]:
        if len(self) >= _REMEMBERED:
            self.clear()
        tiles = Counter(meld.tiles + meld.supplements)
        sound = all(tile.is_face for tile in tiles) and self._rules.is_meld(meld)
        sound = sound and max(tiles.values()) <= self._rules.copies
        # Of what is no meld, no more of a kind is counted than its number can hold.
        counted = [tile for tile, held in tiles.items() for _ in range(min(held, _MOST))]
        self[meld] = found = (count_tiles(counted), set_of(meld).bit, sound)
        return found


class HandCounter:
    """One rule set at its options."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._spare = spare_room(rules.copies)
        self._strange = kinds_in(ONE_EACH) & ~kinds_of(rules.kinds)
        self._situations = _Situations(rules)
        self._melds = _Melds(rules)

    def count(self, shown: ShownHand) -> Held:
        """Count a hand, whatever its tiles are."""
        concealed = counts = count_tiles(shown.concealed)
        laid = 0
        for meld in shown.melds:
            weight, bit, _ = self._melds[meld]
            counts += weight
            laid |= bit
        asked = self._situations[shown.situation]
        return Held(concealed, counts, kinds_in(counts), laid, asked)

    def count_valid(self, shown: ShownHand) -> Held | None:
        """Count a hand; none if something may be wrong with its tiles, or with how it was won."""
        melds = shown.melds
        if len(melds) > 4 or len(shown.concealed) != _HELD[len(melds)]:
            return None
        concealed = counts = count_tiles(shown.concealed)
        laid = 0
        known = self._melds
        for meld in melds:
            weight, bit, sound = known[meld]
            if not sound:
                return None
            counts += weight
            laid |= bit
        asked = self._situations[shown.situation]
        if counts >= STRANGE or counts + self._spare & HIGHEST_BITS:
            return None
        if shown.winning_tile not in shown.concealed or not asked.known:
            return None
        kinds = kinds_in(counts)
        told = shown.circumstances or shown.birds
        if kinds & self._strange or (told and any(fact_refusals(self._rules, shown))):
            return None
        beside = shown.birds or shown.bonus or self._rules.wilds
        if beside and not self._beside_fits(shown, counts):
            return None
        return Held(concealed, counts, kinds, laid, asked)

    def without_reading(self, shown: ShownHand) -> Win:
        """The hand as those see it who ask for no reading."""
        return Win(shown, self._rules.chosen, self.count(shown), _NO_READING)

    def _beside_fits(self, shown: ShownHand, counts: int) -> bool:
        """Nothing is wrong with birds, flowers and wild tiles."""
        if shown.birds and not self._birds_fit(shown.birds, counts):
            return False
        if shown.bonus and not self._bonus_fits(shown.bonus):
            return False
        return self._rules.wilds is None or self._wilds_fit(self._rules.wilds, shown, counts)

    def _birds_fit(self, birds: tuple[Tile, ...], counts: int) -> bool:
        """So many such birds may be turned beside the hand."""
        rule = self._rules.birds
        if rule is None or len(birds) > rule.count:
            return False
        counts += count_tiles(birds)
        if counts >= STRANGE or counts + self._spare & HIGHEST_BITS:
            return False
        return not kinds_in(counts) & self._strange

    def _bonus_fits(self, bonus: tuple[Tile, ...]) -> bool:
        """These flowers and seasons are in the set, one of each."""
        return len(set(bonus)) == len(bonus) and set(bonus) <= set(self._rules.bonus_tiles)

    def _wilds_fit(self, rule: WildRule, shown: ShownHand, counts: int) -> bool:
        """The wild tiles are known, in no meld but those they may form, and one copy lies open."""
        turned = turned_tile(self._rules, rule, shown.wilds)
        if turned is None or copies(counts, turned) >= self._rules.copies:
            return False
        return not any(
            meld.kind not in rule.melds and meld.tiles[0] in shown.wilds for meld in shown.melds
        )


@lru_cache(maxsize=_DESKS)
def counter_of(rules: RuleSet) -> HandCounter:
    """The desk of a rule set, the same every time."""
    return HandCounter(rules)
