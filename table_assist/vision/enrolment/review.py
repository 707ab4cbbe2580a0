"""A person's look at what was read of their tiles: labels, corrections, and how far learning is."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from table_assist.languages.words import Words

LEFT_OUT = "?"  # nobody can tell; nothing is learnt from it
NO_TILE = "nothing"  # no tile; that too is learnt
NO_SUCH_TILE = Words("There is no such tile.", "没有这张牌。")
NO_SUCH_FACE = Words("There is no such face.", "没有这种牌面。")
LEARNING_ALREADY = Words("The tiles are being learnt already.", "已经在学习了。")
NOTHING_NAMED = Words(
    "No tile is named yet: tap one and say what it is.",
    "还没有认定任何牌：请点一张，选出它的牌面。",
)
REVIEW_END_S = 20.0  # a page that does not ask for the end within so long is gone


class ReviewStage(StrEnum):
    """Where the enrolment stands."""

    REVIEW = "review"
    LEARNING = "learning"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ReviewedThing:
    """One thing on the page.

    Attributes:
        label: as in the text notation, ``back``, ``d1``, ``nothing`` or ``?`` for left out.
        sure: a person need not look twice.
        confirmed: a person said so.
        candidates: likely labels, best first.
        kind: things that look alike have the same number.
    """

    picture: int
    label: str
    sure: bool
    confirmed: bool
    candidates: tuple[str, ...]
    kind: int

    @property
    def settled(self) -> bool:
        """Whether it may be learnt from."""
        return (self.sure or self.confirmed) and self.label != LEFT_OUT


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Everything the page shows, at one moment."""

    name: str
    stage: ReviewStage
    items: tuple[ReviewedThing, ...]
    pictures: tuple[str, ...]
    progress: float
    lines: tuple[Words, ...]


class Review:
    """The review on the page; used from the server's threads and the one that learns."""

    def __init__(
        self,
        name: str,
        items: Sequence[ReviewedThing],
        *,
        pictures: Sequence[str],
        labels: Sequence[str],
        crops: Sequence[bytes],
        shown: Sequence[bytes],
    ) -> None:
        """Begin.

        Args:
            pictures: their names.
            labels: everything a thing can be called.
            crops: a JPEG for each item.
            shown: a JPEG for each picture.
        """
        self.labels = (*labels, NO_TILE, LEFT_OUT)
        self.crops, self.shown = tuple(crops), tuple(shown)
        self._lock = threading.Lock()
        self.view = ReviewPage(name, ReviewStage.REVIEW, tuple(items), tuple(pictures), 0.0, ())
        self._finished, self._told = threading.Event(), threading.Event()

    def seen(self) -> None:
        """The page shows how it ended."""
        self._told.set()

    def correct(self, indices: Sequence[int], label: str) -> Words | None:
        """A person says what things are; None, or one sentence why not."""
        if label not in self.labels:
            return NO_SUCH_FACE
        return self._change(indices, lambda item: replace(item, label=label, confirmed=True))

    def confirm(self, indices: Sequence[int]) -> Words | None:
        """A person says that these are right as they are; None, or one sentence why not."""
        return self._change(indices, lambda item: replace(item, confirmed=True))

    def finish(self) -> Words | None:
        """The person has looked at everything: learn; None, or one sentence why not."""
        with self._lock:
            if self.view.stage is not ReviewStage.REVIEW:
                return LEARNING_ALREADY
            if not any(item.settled for item in self.view.items):
                return NOTHING_NAMED
            self.view = replace(self.view, stage=ReviewStage.LEARNING)
        self._finished.set()
        return None

    def wait_finished(self, timeout_s: float) -> bool:
        """Block until the person is done; False on timeout."""
        return self._finished.wait(timeout_s)

    def advance(self, share: float) -> None:
        """Tell the page how far learning is."""
        with self._lock:
            self.view = replace(self.view, progress=share)

    def end(self, stage: ReviewStage, lines: Sequence[Words]) -> None:
        """Tell the page how it ended, and wait until it knows or is gone."""
        with self._lock:
            self.view = replace(self.view, stage=stage, lines=tuple(lines), progress=1.0)
        self._told.wait(REVIEW_END_S)

    def _change(
        self, indices: Sequence[int], change: Callable[[ReviewedThing], ReviewedThing]
    ) -> Words | None:
        chosen = set(indices)
        with self._lock:
            if self.view.stage is not ReviewStage.REVIEW:
                return LEARNING_ALREADY
            if not chosen <= set(range(len(self.view.items))):
                return NO_SUCH_TILE
            items = tuple(
                change(item) if index in chosen else item
                for index, item in enumerate(self.view.items)
            )
            self.view = replace(self.view, items=items)
        return None
