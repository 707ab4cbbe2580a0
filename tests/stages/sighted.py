"""A hand played before modelled eyes, noted down as one that real eyes saw."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from bench.live.eyes import OVERHEAD, ModelledEyes, dresses_of, rates_of
from bench.live.hands import WantedHands
from bench.live.moments import About, Looked, Moment, RecordedHand
from bench.live.rates import load_rates, rates_path
from bench.live.record import Notes
from models.world import WorldLooks
from table_assist.record.log import Entry
from table_assist.rules.registry import find_rules
from table_assist.twin.moment import CameraMoment
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import Observation


class NotingModelledEyes:
    """Notes down what modelled eyes tell; they have no pictures."""

    def __init__(self, seed: int, notes: Notes) -> None:
        measured = load_rates(rates_path(WorldLooks.USUAL))
        dresses = dresses_of(measured)
        rates = rates_of(measured, "overhead", dresses[seed % len(dresses)])
        self._eyes = ModelledEyes(rates, OVERHEAD, limits=Limits.alike(0.88), seed=seed)
        self._notes = notes

    def attend(self, attention: Attention) -> None:
        self._eyes.attend(attention)

    def look(self, moment: CameraMoment, t: float) -> Observation:
        told = self._eyes.look(moment, t)
        self._notes.moments.append(Looked(t, told, Attention(), None, moment.moved_mm))
        return told


def about(rules: str, seed: int, *, corpus: str = "first", kind: str = "usual") -> About:
    return About(corpus, kind, rules, seed, 1, False, "built-in", "", (1920, 1080), 0.0, "0", ())


def hand_of(moments: Sequence[Moment], log: Sequence[Entry] = ()) -> RecordedHand:
    return RecordedHand(about("changsha", 1), tuple(moments), tuple(log))


@cache
def noted_hand(rules: str, seed: int, *, harsh: bool = False) -> RecordedHand:
    """A whole hand, with the log that the session wrote."""
    notes, found, wanted = Notes(), find_rules(rules), WantedHands(1, seed, harsh=harsh)
    noting = NotingModelledEyes(seed, notes)
    table = wanted.table(found, noting, seed, heap=False, listener=notes)
    list(wanted.follow(table, found, seed, 1))
    return RecordedHand(about(rules, seed), tuple(notes.moments), tuple(table.record.entries))


def as_of(hand: RecordedHand, *, corpus: str, kind: str = "usual") -> RecordedHand:
    return replace(hand, about=replace(hand.about, corpus=corpus, kind=kind))
