"""`python -m bench hands`: bots play whole hands, each event of them is checked."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bench import report, sets_of
from table_assist.game.events import Event, Settled
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import irregularities
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.record.log import Entry, Retracted, Source, effective
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.twin.play.deck import Deck
from table_assist.twin.play.hand import KEEN, WILD, play_hand

GAME = 16  # hands after which a game of bots is broken off


class BrokenError(AssertionError):
    """Something that must hold does not."""


@dataclass(slots=True)
class HandsTally:
    """Of many hands: how many events of each kind there were, and how many had so many winners."""

    hands: int
    events: Counter[str] = field(default_factory=Counter)
    winners: Counter[int] = field(default_factory=Counter)


def run(options: argparse.Namespace) -> int:
    """Play and tell; the first thing that does not hold ends it with exit code 1."""
    try:
        for rules in sets_of(options):
            started = time.process_time()
            tally = play_many(rules.id, max(1, options.hands), options.seed)
            seconds = round(time.process_time() - started, 1)
            events, drawn = tally.events.total(), tally.winners[0]
            row = {"rules": rules.id, "hands": tally.hands, "events": events, "drawn": drawn}
            report(row | {"seconds": seconds}, as_json=False)
    except (ValueError, BrokenError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1 if isinstance(error, BrokenError) else 2
    return 0


def play_many(id: str, hands: int, seed: str) -> HandsTally:
    """Play hands in games of a few, and check them; `BrokenError` names the seed of the hand."""
    rules, tally, state = find_rules(id), HandsTally(hands), TableState()
    for number in range(hands):
        name = f"{id} {seed} {number}"
        if number % GAME == 0 or state.game_over:
            state = TableState()
        try:
            events, state = _play_one(rules, state, Random(name))
        except (BrokenError, ValueError, AssertionError, LookupError) as error:
            raise BrokenError(f"hand {name!r}: {error}") from error
        tally.events.update(type(event).__name__ for event in events)
        tally.winners[len(state.settled.winners) if state.settled else 0] += 1
    return tally


def _play_one(rules: RuleSet, state: TableState, random: Random) -> tuple[list[Event], TableState]:
    a, b, c, d = (random.choice((KEEN, KEEN, WILD)) for _ in range(4))
    events, after = play_hand(rules, state, random, habits=(a, b, c, d), watch=check)
    if isinstance(events[-1], Settled) and not events[-1].winners:
        raise BrokenError(f"an allowed win was refused in the end: {events[-2]}")
    if replay(events, state) != after:
        raise BrokenError("the events replayed give another state")
    # An event taken back never was; given again, it never was taken back.
    at = random.randrange(len(events))
    back, again = Retracted(at + 1), Retracted(at + 2)
    if _in_force([*events[: at + 1], back]) != events[:at]:
        raise BrokenError(f"{events[at]} was taken back, and left a trace")
    if _in_force([*events[: at + 1], back, again, *events[at + 1 :]]) != events:
        raise BrokenError(f"{events[at]} was taken back and given again, and changed the hand")
    return events, after


def _in_force(logged: Sequence[Event | Retracted]) -> list[Event]:
    log = [Entry(seq, 0.0, Source.PERSON, event) for seq, event in enumerate(logged, start=1)]
    return [event for _, event in effective(log)]


def check(deck: Deck, before: TableState, event: Event, after: TableState) -> None:
    """Nothing allowed is flagged, every tile is somewhere, once; `BrokenError` where not."""
    if flagged := irregularities(before, event):
        raise BrokenError(f"{event} is flagged {list(flagged)}")
    if sum(after.scores) != len(SEATS) * after.game.points:
        raise BrokenError(f"after {event} the scores are {after.scores}")
    if after.phase is not Phase.PLAYING:
        return
    # Every tile of the set is somewhere, once; unnamed replacements lie in the wall still.
    rules = rules_in_force(after)
    there = Counter((*deck.rest, *deck.aside, *deck.beside, *after.birds))
    for each in after.seats:
        there.update(tile for tile in each.concealed or () if tile is not Tile.UNKNOWN)
        there.update((*each.bonus, *each.river))
        for meld in each.melds:
            there.update(meld.tiles + meld.supplements)
    wanted = Counter({tile: rules.copies_of(tile) for tile in (*rules.kinds, *rules.bonus_tiles)})
    if there != wanted:
        lost, extra = dict(wanted - there), dict(there - wanted)
        raise BrokenError(f"after {event} {lost} is missing and {extra} too many")
    in_wall = len(deck.rest) - len(after.unnamed)
    if after.wall.left + after.wall.dead != in_wall:
        raise BrokenError(f"after {event} {in_wall} tiles lie in the wall, not {after.wall}")
    for seat in SEATS:
        held, due = after.seats[seat].concealed, after.hand_size(seat)
        if held is None or len(held) != due:
            raise BrokenError(f"after {event} seat {seat} holds {held}, not {due} tiles")
