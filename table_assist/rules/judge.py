"""Judges a shown hand: ``judge(rules, shown) -> Verdict``.

It never raises for a bad hand: what is wrong with it is the answer, all of it. Of several readings
the one that pays best counts. A tile that nobody could read is never guessed: the verdict is then
not valid and lists the faces that would make it so.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations_with_replacement, product

from table_assist.languages.words import NOTHING, OR, SPACE, Plural, Words, joined
from table_assist.rules import shown_hand_validity as validity
from table_assist.rules.options import in_force
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import SEAT_COUNT, Circumstance, ShownHand, Situation
from table_assist.rules.verdict import Completion, Explanation, Refusal, Verdict, refused
from table_assist.rules.win import Condition, Held, OpenConditions, Win, ask
from table_assist.tiles.divide import (
    HIGHEST_BITS,
    ONE_EACH,
    STRANGE,
    Division,
    HandSet,
    copies,
    count_tiles,
    kinds_in,
    kinds_of,
    set_of,
    spare_room,
)
from table_assist.tiles.melds import Meld, tiles_words
from table_assist.tiles.tile import COPIES, Tile, Tiles

# Two unread tiles are 378 hands to judge, three would be 3,654: a person reads them faster.
MOST_UNREAD = 2


def places(shown: ShownHand) -> Tiles:
    """The tiles without a known face, one for each place: in hand, in melds, among the birds.

    The winning tile counts as one of those in hand, or by itself if all those are known.
    """
    everywhere = shown.tiles + (shown.birds or ())
    unread = tuple(tile for tile in everywhere if not tile.is_face)
    if not shown.winning_tile.is_face and all(tile.is_face for tile in shown.concealed):
        unread += (shown.winning_tile,)
    return unread


def completions(rules: RuleSet, shown: ShownHand) -> tuple[Completion, ...]:
    """Each way to read the unread tiles that makes a win; none if more than two are unread."""
    if len(places(shown)) > MOST_UNREAD:
        return ()
    found: dict[tuple[object, ...], Completion] = {}
    for faces, whole in _read_tiles(rules, shown):
        verdict = judge(rules, whole)
        if verdict.valid:
            completion = Completion(
                faces, whole.winning_tile, verdict.total, verdict.payments, verdict.patterns
            )
            found.setdefault((faces, verdict.total, verdict.payments), completion)
    return tuple(found.values())


def _read_tiles(rules: RuleSet, shown: ShownHand) -> Iterator[tuple[Tiles, ShownHand]]:
    """The hand with faces in place of the unread tiles, in every way the set's copies allow."""
    in_hand = sum(not tile.is_face for tile in shown.concealed)
    elsewhere = shown.tiles[len(shown.concealed) :] + (shown.birds or ())
    known = Counter(shown.tiles + (shown.birds or ()))
    for held in combinations_with_replacement(rules.kinds, in_hand):
        for other in product(rules.kinds, repeat=sum(not tile.is_face for tile in elsewhere)):
            added = Counter(held + other)
            if any(known[tile] + count > rules.copies for tile, count in added.items()):
                continue
            concealed, faces = _fill(shown.concealed, iter(held)), iter(other)
            melds = tuple(
                Meld(meld.kind, _fill(meld.tiles, faces), _fill(meld.supplements, faces))
                for meld in shown.melds
            )
            birds = None if shown.birds is None else _fill(shown.birds, faces)
            whole = partial(replace, shown, concealed=concealed, melds=melds, birds=birds)
            won = shown.winning_tile
            for tile in [won] if won.is_face else sorted(set(held or concealed)):
                yield held + other, whole(winning_tile=tile)


def _fill(tiles: Tiles, faces: Iterator[Tile]) -> Tiles:
    return tuple(tile if tile.is_face else next(faces) for tile in tiles)


# Counts of a rule set's hands: earlier answers are remembered, so that the next comes quickly.
#
# ``counter_of(rules).take_sound(shown)`` counts a hand's tiles and melds in one go. Nothing here
# decides what a hand is worth: a hand of which it is not certain that its tiles and melds are in
# order goes to `shown_hand_validity`, which names the faults.

# Rule sets with their options, and for each of them situations and melds: an evening has a few
# hundred, a sweep over everything forgets and begins anew.
_DESKS = 64
_REMEMBERED = 1 << 14
_MOST = COPIES + 1
_NO_READING = Division("none", (), 0)
_HELD_BY_MELDS = tuple(validity.held_by_winner(melds) for melds in range(5))


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
            not validity.robs_kong(situation) and not any(validity.discarder_refusals(situation)),
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
        if len(melds) > 4 or len(shown.concealed) != _HELD_BY_MELDS[len(melds)]:
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
        told = shown.circumstances or shown.birds or shown.discard_round
        if kinds & self._strange or (told and any(validity.fact_refusals(self._rules, shown))):
            return None
        beside = shown.birds or shown.bonus or self._rules.wilds
        if beside and not self._beside_fits(shown, counts):
            return None
        return Held(concealed, counts, kinds, laid, asked)

    def _beside_fits(self, shown: ShownHand, counts: int) -> bool:
        """Nothing is wrong with birds, flowers and wild tiles."""
        rules = self._rules
        if shown.birds:  # so many such birds may be turned beside the hand
            if rules.birds is None or len(shown.birds) > rules.birds.count:
                return False
            together = counts + count_tiles(shown.birds)
            if together >= STRANGE or together + self._spare & HIGHEST_BITS:
                return False
            if kinds_in(together) & self._strange:
                return False
        one_each = set(shown.bonus)
        if len(one_each) < len(shown.bonus) or not one_each <= set(rules.bonus_tiles):
            return False
        if (wild := rules.wilds) is None:
            return True
        # The wild tiles are known, in no meld but those they may form, and one copy lies open
        turned = validity.turned_tile(rules, wild, shown.wilds)
        if turned is None or copies(counts, turned) >= rules.copies:
            return False
        return not any(
            meld.kind not in wild.melds and meld.tiles[0] in shown.wilds for meld in shown.melds
        )


@lru_cache(maxsize=_DESKS)
def counter_of(rules: RuleSet) -> HandCounter:
    """The desk of a rule set, the same every time."""
    return HandCounter(rules)


def judge(rules: RuleSet, shown: ShownHand) -> Verdict:
    """Say whether the hand wins, what counts and who pays; or every reason why not."""
    if Circumstance.FIRST_TURN in shown.circumstances and validity.is_first_turn_over(
        rules, shown.melds
    ):
        shown = _without(shown, Circumstance.FIRST_TURN)
    changed = _claimed_since_ready(rules, shown)
    if changed:
        return refused(changed)
    held = counter_of(rules).count_valid(shown)
    verdict = _judge_sound(rules, shown, held) if held else _judge_doubtful(rules, shown)
    void = _void_ready(rules, shown) if verdict.valid else ()
    if void:
        as_if = _without(shown, Circumstance.READY_DECLARED)
        return _with_remark(rules, judge(rules, as_if), void)
    return verdict


def _without(shown: ShownHand, circumstance: Circumstance) -> ShownHand:
    return replace(shown, circumstances=shown.circumstances - {circumstance})


def _claimed_since_ready(rules: RuleSet, shown: ShownHand) -> tuple[Refusal, ...]:
    """More melds are claimed than there are discards to declare ready with: each has its own."""
    if rules.ready is None or Circumstance.READY_DECLARED not in shown.circumstances:
        return ()
    until = rules.ready.until or SEAT_COUNT
    if sum(meld.kind.is_claimed for meld in shown.melds) <= until:
        return ()
    words = Plural(
        until,
        "{ready} goes with the first discard: by then one meld at most is claimed.",
        "{ready} goes with one of the first {n} discards: by then {n} melds at most are claimed.",
        "{ready}须在前 {n} 张出牌时，此前最多副露 {n} 组。",
    ).filled(ready=rules.ready.names)
    return (Refusal("contradiction", words),)


def _void_ready(rules: RuleSet, shown: ShownHand) -> tuple[Refusal, ...]:
    """Why the ready that was declared does not count, where the tiles tell."""
    if rules.ready is None or rules.ready.void is None:
        return ()
    if Circumstance.READY_DECLARED not in shown.circumstances:
        return ()
    return rules.ready.void(shown, rules.chosen)


def _with_remark(rules: RuleSet, verdict: Verdict, void: tuple[Refusal, ...]) -> Verdict:
    """The verdict, which says first that the hand was not ready."""
    remark = Words(
        "{ready} does not count: {why}",
        "{ready}无效：{why}",
        why=joined([refusal.words for refusal in void], SPACE),
        ready=rules.ready_names,
    )

    def explain() -> Explanation:
        was = verdict.explain()
        return replace(was, steps=(remark, *was.steps))

    return replace(verdict, explain=explain)


def _judge_sound(rules: RuleSet, shown: ShownHand, held: Held) -> Verdict:
    """The verdict on a hand with nothing wrong with its tiles."""
    found = _read(rules, shown, held)
    conditions = held.asked.conditions
    verdicts = []
    for win in found:
        for condition in conditions:
            if not condition.predicate(win):
                break
        else:
            verdicts.append(_score(rules, win))
    if not verdicts:
        return _refuse(rules, shown, (), found)
    return max(
        verdicts,
        key=lambda each: (each.payments[shown.winner], each.total, len(each.patterns)),
    )


def readings(rules: RuleSet, shown: ShownHand) -> list[Win]:
    """Every way to read the tiles as a complete hand; whether it wins is not asked."""
    return _read(rules, shown, counter_of(rules).count(shown))


def failed_conditions(conditions: Iterable[Condition], win: Win) -> list[Refusal]:
    """The conditions that one reading fails."""
    return [
        Refusal(condition.id, condition.words) for condition in conditions if not condition.met(win)
    ]


def _judge_doubtful(rules: RuleSet, shown: ShownHand) -> Verdict:
    """The verdict on a hand with tiles unread, or something wrong with the tiles themselves."""
    unread = places(shown)
    if unread:
        # The verdict on unread tiles: what is wrong anyway, else what each face would make of it
        count = len(unread)
        known = tuple(
            each for each in validity.tile_refusals(rules, shown) if each.id != "winning_tile"
        )
        found = () if known else completions(rules, shown)
        if known or found:
            more = Words("", "")
        elif count > MOST_UNREAD:
            more = Words(" That is too many to try every face.", "过多，不逐一试算。")
        else:
            more = Words(" No face makes it a win.", "无论是什么牌都不能和。")
        refusal = Refusal(
            "unknown_tile",
            Plural(
                count,
                "{n} tile could not be read.{more}",
                "{n} tiles could not be read.{more}",
                "有 {n} 张牌无法辨认。{more}",
                more=more,
            ),
        )
        return refused((refusal, *known), completions=found)
    refusals = tuple(validity.tile_refusals(rules, shown))
    if any(refusal.id == "tile_count" for refusal in refusals):
        return refused(refusals)
    held = counter_of(rules).count(shown)
    if not refusals:
        return _judge_sound(rules, shown, held)
    return _refuse(rules, shown, refusals, _read(rules, shown, held))


def _read(rules: RuleSet, shown: ShownHand, held: Held) -> list[Win]:
    """Every reading, in the order of the shapes."""
    options, found = rules.chosen, []
    for shape in rules.shapes:
        for division in shape.divide(shown, held.concealed, options):
            if rules.places_winning_tile and division.sets:
                parts = _filled(shown, division)
                found += [Win(shown, options, held, division, part) for part in parts]
            else:
                found.append(Win(shown, options, held, division))
    return found


def _filled(shown: ShownHand, division: Division) -> list[HandSet]:
    """The distinct parts of a division that the winning tile may have completed.

    Where nothing is wild from the start, a wild tile in a division is the winning one.
    """
    if division.completed is not None:
        return [division.completed]
    tile, parts = shown.winning_tile, dict.fromkeys(division.sets)
    stands_in = [part for part in parts if part.wilds]
    if not stands_in:
        return [part for part in parts if tile in part.tiles]
    if not shown.wilds:
        return stands_in
    wild = tile in shown.wilds
    return [
        part
        for part in parts
        if (wild and part.wilds)
        or any(each == tile for place, each in enumerate(part.tiles) if place not in part.wilds)
    ]


def _score(rules: RuleSet, win: Win) -> Verdict:
    total = rules.total(win)
    payment = rules.pay(win, total)
    assert sum(payment.transfers) == 0, f"{rules.id} pays {payment.transfers}, which is not zero"

    def explain() -> Explanation:
        return Explanation((), rules.explain_total(win, total) + payment.steps, win.division)

    return Verdict(True, explain, win.counted, total.points, payment.transfers, total.figures, ())


def _refuse(
    rules: RuleSet, shown: ShownHand, refusals: tuple[Refusal, ...], found: list[Win]
) -> Verdict:
    """The verdict on a hand that does not win: what is wrong with its tiles, then with the rest."""

    def explain() -> Explanation:
        structure = () if found else (_structure(rules, shown),)
        return Explanation((*refusals, *structure, *_failures(rules, shown, found)))

    return Verdict(False, explain, figures=_refused_points(rules, found))


def _structure(rules: RuleSet, shown: ShownHand) -> Refusal:
    played = [shape.names for shape in rules.shapes if in_force(shape.only_if, rules.chosen)]
    text, count = tiles_words(sorted(shown.concealed)), len(shown.melds)
    beside = Plural(count, " with {n} meld", " with {n} melds", "（另有 {n} 组副露）")
    return Refusal.of(
        "structure", text=text, beside=beside if count else NOTHING, shapes=joined(played, OR)
    )


def _failures(rules: RuleSet, shown: ShownHand, found: list[Win]) -> list[Refusal]:
    """The conditions failed by the reading nearest to a win; without one, those that need none."""
    if found:
        return min((failed_conditions(rules.conditions, win) for win in found), key=len)
    on_tiles = (condition for condition in rules.conditions if not condition.needs_reading)
    bare = Win(shown, rules.chosen, counter_of(rules).count(shown), _NO_READING)
    return failed_conditions(on_tiles, bare)


def _refused_points(rules: RuleSet, found: list[Win]) -> dict[str, int]:
    """The score of the reading nearest to a win, where the rule set names it."""
    if rules.points is None or not found:
        return {}
    least = min(len(failed_conditions(rules.conditions, win)) for win in found)
    near = (win for win in found if len(failed_conditions(rules.conditions, win)) == least)
    return {"points": max(map(rules.points, near))}
