"""How sure a settlement is: what else may lie there, and what the hand would come to then.

Each tile that the camera read in an open hand, or among the birds, may be another one. A mistake
counts where the hand would still be a win and would be paid otherwise, or where it would be none.
What people said is sure.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from table_assist.game.events import HandShown
from table_assist.game.irregular import visible_tiles
from table_assist.game.outcome import end_of_hand, losing_worth
from table_assist.game.state import TableState, replace
from table_assist.game.win import declared_hand
from table_assist.rules.judge import judge
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile

# A player who declares a win knows the hand: of so many declared wins one is none.
FALSE_WINS = 0.01
# And its player has taken one tile of it for one of so many that look like it: beside it in its
# suit, or by its picture.
LOOK_ALIKE = 4
# Of all that is read, a reading less likely than this is not reckoned.
NEGLIGIBLE = 1e-6


@dataclass(frozen=True, slots=True)
class LikelyReading:
    """One tile as the camera read it.

    Attributes:
        seat: whose open hand it is of; None: a bird.
        chances: how likely it is each face, its own among them; they add up to 1.
    """

    seat: int | None
    tile: Tile
    chances: Mapping[Tile, float]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A possible error of the reading.

    Attributes:
        count: so many tiles that were read alike are all the other one.
        probability: that it is so, by all that is known.
    """

    seat: int | None
    read: Tile
    other: Tile
    count: int
    probability: float


@dataclass(frozen=True, slots=True)
class Sureness:
    """Of a settlement.

    Attributes:
        probability: that what is paid is right, if only tiles may be misread.
        likeliest: the mistake that is the likeliest of those that change it; None: none counts.
    """

    probability: float
    likeliest: Mistake | None = None


def how_sure(
    rules: RuleSet, state: TableState, readings: Sequence[LikelyReading], *, stuck: float
) -> Sureness:
    """Weigh what the tiles may be instead by what it would pay.

    Args:
        stuck: how often a reading that is wrong is wrong alike where the same face lies again.

    Raises:
        ValueError: the hands shown cannot be reckoned.
    """
    paid = end_of_hand(state, rules).total
    lying = Counter(visible_tiles(state))
    found = []
    for mistake in _mistakes(readings, stuck):
        spare = rules.copies_of(mistake.other) - lying[mistake.other]
        if spare < mistake.count:
            continue
        if mistake.seat is None:
            birds = list(state.birds)
            for _ in range(mistake.count):
                birds[birds.index(mistake.read)] = mistake.other
            otherwise = replace(state, birds=tuple(birds))
        else:
            shown = tuple(_hand_otherwise(hand, mistake) for hand in state.shown)
            laid = tuple(
                replace(hand, concealed=_changed(hand.concealed, mistake))
                if hand.seat == mistake.seat
                else hand
                for hand in state.laid_down
            )
            otherwise = replace(state, shown=shown, laid_down=laid)
            if shown == state.shown:  # where a hand that has not won counts as much, all pay alike
                both = (losing_worth(rules, each, mistake.seat) for each in (state, otherwise))
                if len({(worth.value, known) for worth, known in both}) == 1:
                    continue
        found += _weighed(rules, otherwise, mistake, paid)
    found.sort(key=lambda each: -each.probability)
    wrong = sum(each.probability for each in found)
    shares = [replace(each, probability=each.probability / (1 + wrong)) for each in found[:1]]
    return Sureness(1 / (1 + wrong), shares[0] if shares else None)


def false_win(shown: Sequence[HandShown]) -> float:
    """How likely a declared hand is none because one given tile is another given face."""
    tiles = min((len(hand.concealed) for hand in shown), default=1)
    return FALSE_WINS / (tiles * LOOK_ALIKE)


def _mistakes(readings: Sequence[LikelyReading], stuck: float) -> Iterator[Mistake]:
    """With the odds of each, beside the reading as it is: of one tile, and of all read alike."""
    alike: dict[tuple[int | None, Tile], list[LikelyReading]] = {}
    for reading in readings:
        alike.setdefault((reading.seat, reading.tile), []).append(reading)
    for (seat, tile), same in alike.items():
        others = {face for each in same for face in each.chances if face is not tile}
        for other in sorted(others):
            odds = [
                each.chances.get(other, 0.0) / max(each.chances.get(tile, 0.0), NEGLIGIBLE)
                for each in same
            ]
            count = len(same)
            for number, chance in ((1, sum(odds)), (count, max(odds) * stuck ** (count - 1))):
                if chance >= NEGLIGIBLE and (number == 1 or count > 1):
                    yield Mistake(seat, tile, other, number, chance)
                if count == 1:
                    break


def _hand_otherwise(hand: HandShown, mistake: Mistake) -> HandShown:
    if hand.seat != mistake.seat:
        return hand
    tiles = _changed(hand.concealed, mistake)
    won = hand.winning_tile
    # A discard that another gave up was read in the river, too.
    if hand.self_drawn and won is mistake.read and won not in tiles:
        won = mistake.other
    return replace(hand, concealed=tiles, winning_tile=won)


def _changed(tiles: Sequence[Tile], mistake: Mistake) -> tuple[Tile, ...]:
    left = list(tiles)
    for _ in range(mistake.count):
        if mistake.read in left:
            left[left.index(mistake.read)] = mistake.other
    return tuple(sorted(left))


def _weighed(
    rules: RuleSet, state: TableState, mistake: Mistake, paid: tuple[int, ...]
) -> list[Mistake]:
    """The mistake, if it changes what is paid."""
    unlikely = [replace(mistake, probability=mistake.probability * false_win(state.shown))]
    own = (hand for hand in state.shown if hand.seat == mistake.seat)
    if not all(judge(rules, declared_hand(state, hand)).valid for hand in own):
        return unlikely  # as most are; the rest takes longer to reckon
    try:
        ended = end_of_hand(state, rules)
    except ValueError:
        return unlikely
    if not all(verdict.valid for verdict in ended.settlement.verdicts.values()):
        return unlikely
    return [] if tuple(ended.total) == tuple(paid) else [mistake]
