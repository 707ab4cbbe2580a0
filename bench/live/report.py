"""Many hands' figures in one line."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace

from table_assist.twin.demo.compare import HandFigures


@dataclass(slots=True)
class LiveTally:
    """The results on all hands of one rule set.

    Attributes:
        silent: the hands whose ledger is wrong although nobody was asked.
        healed: faces that second looks saw otherwise than they were remembered; real eyes only.
        causes: of the hands with a page, what failed first.
    """

    rules: str
    eyes: str
    noise: str
    hands: int = 0
    right: int = 0
    asked: int = 0
    events_true: int = 0
    events_right: int = 0
    seconds: float = 0.0
    healed: int = 0
    silent: list[HandFigures] = field(default_factory=list)
    causes: Counter[str] = field(default_factory=Counter)

    def add(self, figures: HandFigures, cause: str | None = None) -> None:
        """Count one hand.

        Args:
            cause: what failed first.
        """
        if cause is not None:
            self.causes[cause] += 1
        self.hands += 1
        self.right += figures.is_right
        self.asked += len(figures.questions)
        self.events_true += figures.events_true
        self.events_right += figures.events_right
        if figures.is_silently_wrong:
            self.silent.append(figures)

    @property
    def line(self) -> str:
        """The figures in one line."""
        hands = max(self.hands, 1)
        healed = f"; {self.healed} faces healed" if self.eyes == "real" else ""
        causes = "".join(f"; {count} by {cause}" for cause, count in self.causes.most_common())
        return (
            f"{self.rules}: {self.hands} hands; ledger right without help "
            f"{self.right / hands:.1%} ({self.right}); wrong without a question "
            f"{len(self.silent)}; {self.asked / hands:.2f} questions a hand; events right "
            f"{self.events_right / max(self.events_true, 1):.2%} of {self.events_true}; "
            f"{self.seconds / hands:.2f} s of processor a hand{healed}{causes}"
        )

    def to_json(self) -> dict[str, object]:
        """The fields by name; of silently wrong hands all that is known."""
        silent = [figures.to_json() for figures in self.silent]
        counted = replace(self, silent=[], causes=Counter())
        return asdict(counted) | {"silent": silent, "causes": dict(self.causes)}


def wrong_lines(figures: HandFigures, replay: str) -> Iterator[str]:
    """The errors in one hand, and how to play it again."""
    how = "WRONG WITHOUT A QUESTION" if figures.is_silently_wrong else "not right without help"
    ledger = list(figures.ledger) if figures.ledger else "nothing"
    yield f"  {how}: {figures.rules}, evening {figures.evening}, hand {figures.hand}: {replay}"
    yield f"    points {list(figures.truth)}, recorded {ledger}"
    for text in figures.missing:
        yield f"    missing: {text}"
    for text in figures.surplus:
        yield f"    surplus: {text}"
    for text in figures.questions[:4]:
        yield f"    asked: {text}"
