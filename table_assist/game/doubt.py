"""Doubts about facts, and how long one waits before asking."""

from collections.abc import Iterable
from dataclasses import dataclass

from table_assist.game.events import Event
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words

# What does not fit is asked about once it has stood for so long: people take their time, and mostly
# the next look tells. What is seen to fit for so long is asked no more.
PATIENCE_S = 4.0
# So long people may take to lay down what they have declared.
LAID_DOWN_S = 8.0


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that does not fit and that a person must look at.

    Attributes:
        text: ``{2}`` stands for the name of the player in seat 2.
        about: the entry in doubt, as in `Asked`; `if_yes` and `blocks` likewise.
        after_s: it is asked once it has stood for so long.
    """

    question: QuestionId
    text: Words
    choices: tuple[str, ...] = ("yes", "no")
    about: int = 0
    if_yes: Event | None = None
    blocks: bool = False
    after_s: float = 0.0


class Patience:
    """Lets a doubt through once it has stood for as long as it asks for.

    A doubt that is gone in between begins anew.
    """

    def __init__(self) -> None:
        self._since: dict[QuestionId, float] = {}

    def ripe(self, doubts: Iterable[Doubt], t: float) -> list[Doubt]:
        """Those of the doubts that stand now which have stood long enough.

        Args:
            t: the time of what they follow from, in seconds.
        """
        doubts = list(doubts)
        was, self._since = self._since, {}
        for doubt in doubts:
            self._since[doubt.question] = min(was.get(doubt.question, t), t)
        return [doubt for doubt in doubts if t - self._since[doubt.question] >= doubt.after_s]
