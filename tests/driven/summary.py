"""What driven evenings came to, for people and for programs."""

import json
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
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
    def content(self) -> dict[str, object]:
        """As JSON."""
        times = self.settled_s
        tapped = [sum(one.taps.values()) for one in self.hands if one.settled_s is not None]
        load = os.getloadavg()
        return {
            "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.started)),
            "seconds": round(time.time() - self.started),
            "cores": os.cpu_count(),
            "load": [round(each, 1) for each in load],
            "rule_sets": self.rule_sets,
            "hands": len(self.hands),
            "won": len(times),
            "pages_equal": self.pages_equal,
            "pages_unequal": 0,  # the first one ends the run
            "looked_s": self.reading_s,
            "accepted_s_median": round(median(times), 1) if times else None,
            "accepted_s_longest": round(max(times), 1) if times else None,
            "taps_median": median(tapped) if tapped else None,
            "secret_views_checked": self.secrets_checked,
            "done": dict(sorted(self.done.items())),
            "complaints_of_the_pages": self.complaints,
            "each": [
                {
                    "rules": one.rules,
                    "hand": one.hand,
                    "adventure": one.names,
                    "accepted_s": None if one.settled_s is None else round(one.settled_s, 1),
                    "taps": one.taps,
                    "taps_before_the_deal": one.before,
                    "taps_of_the_adventure": one.extra,
                    "transfers": one.transfers,
                }
                for one in self.hands
            ],
        }

    @property
    def text(self) -> str:
        """A few lines."""
        content = self.content
        done = ", ".join(f"{name} {count}" for name, count in sorted(self.done.items()))
        return "\n".join(
            (
                f"{content['hands']} hands of {content['rule_sets']} rule sets in "
                f"{content['seconds']} s at a load of {content['load'][0]}, "  # type: ignore[index]
                f"{content['won']} won.",
                f"Hand laid down to accepted score: median {content['accepted_s_median']} s, "
                f"longest {content['accepted_s_longest']} s (the scorer looks for "
                f"{self.reading_s:g} s; where nobody taps the time runs out); taps for a won hand: "
                f"median {content['taps_median']}.",
                f"{self.pages_equal} times a page's standing was the ledger's, 0 times not; "
                f"{self.secrets_checked} views of phones that are not ready without the treasure.",
                f"Done: {done}.",
                f"Complaints of the pages: {len(self.complaints)}.",
            )
        )

    def write(self, path: Path) -> None:
        """Keep it as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.content, indent=1, ensure_ascii=False) + "\n")
