"""What driven evenings came to, for people."""

import os
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from tests.driven.adventures import PlayedOne
from tests.driven.evening import Evening


@dataclass(slots=True)
class Summary:
    """All of one run.

    Attributes:
        done: how often each thing was done besides the play.
    """

    reading_s: float
    started: float = field(default_factory=time.time)
    hands: list[PlayedOne] = field(default_factory=list)
    rule_sets: int = 0
    pages_equal: int = 0
    secrets_checked: int = 0
    done: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)

    def add(self, evening: Evening) -> None:
        """An evening that is over."""
        self.rule_sets += 1
        self.hands += evening.hands
        self.pages_equal += evening.pages_equal
        self.secrets_checked += evening.secrets_checked
        self.done += evening.done
        # They are the same people all the evenings long.
        self.complaints = [each for person in evening.people.all for each in person.complaints]

    @property
    def settled_s(self) -> list[float]:
        """Of the won hands, from the hand laid down to the accepted score."""
        return [one.settled_s for one in self.hands if one.settled_s is not None]

    @property
    def text(self) -> str:
        """A few lines."""
        times, load = self.settled_s, os.getloadavg()[0]
        tapped = [sum(one.taps.values()) for one in self.hands if one.settled_s is not None]
        done = ", ".join(f"{name} {count}" for name, count in sorted(self.done.items()))
        return "\n".join(
            (
                f"{len(self.hands)} hands of {self.rule_sets} rule sets in "
                f"{time.time() - self.started:.0f} s at a load of {load:.1f}, {len(times)} won.",
                f"Hand laid down to accepted score: median {median(times or [0]):.1f} s, "
                f"longest {max(times, default=0):.1f} s (the scorer looks for "
                f"{self.reading_s:g} s; where nobody taps the time runs out); taps for a won hand: "
                f"median {median(tapped or [0])}.",
                f"{self.pages_equal} times a page's standing was the ledger's, 0 times not; "
                f"{self.secrets_checked} views of phones that are not ready without the treasure.",
                f"Done: {done}.",
                f"Complaints of the pages: {len(self.complaints)}.",
            )
        )
