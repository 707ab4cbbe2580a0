"""Questions that the camera has answered by itself since they were asked are asked no more."""

from table_assist.game.doubt import Doubt, Patience
from table_assist.game.events import Answered
from table_assist.game.question import Lifetime
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.session.command_handler import CommandHandler
from table_assist.vision.table.observation import Observation

# A question whose subject is seen to be as recorded for so long is withdrawn.
WITHDRAWN_S = 4.0


class Withdrawal:
    """Takes back what is seen to be as it is recorded."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler
        self._answered = Patience()

    def update(self, standing: list[Doubt], observation: Observation) -> None:
        """Ask no more what the camera has answered since: all is seen to be as it is recorded."""
        state = self._handler.record.state
        stands = {doubt.question for doubt in standing}
        # Once tiles are gathered up, that they are gone says nothing.
        is_played = state.phase is Phase.PLAYING
        lifetimes = {Lifetime.VIEW, Lifetime.SIGHT} if is_played else {Lifetime.VIEW}
        answered = []
        for question in state.questions:
            kind = question.question.kind
            if kind.lifetime not in lifetimes or kind.zone is None:
                continue
            if observation.can_see(kind.zone) and question.question not in stands:
                answered.append(Doubt(question.question, question.text, after_s=WITHDRAWN_S))
        for doubt in self._answered.ripe(answered, observation.t):
            self._handler.record.append(Answered(doubt.question, ""), Source.CAMERA)
