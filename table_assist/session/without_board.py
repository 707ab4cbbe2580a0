"""Commands at a table without a board: who deals, who wins, that the hand is over."""

from table_assist.contract.commands import (
    DeclareReady,
    DeclareWin,
    EndHand,
    PassLastTile,
    StartHand,
)
from table_assist.game.events import (
    HandAbandoned,
    LastTilePassed,
    ReadyDeclared,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.start import hand_started
from table_assist.game.state import Phase, TableState
from table_assist.game.turn import may_pass
from table_assist.languages.words import Words, player_at
from table_assist.rules.profile import Profile
from table_assist.session.dice_thrown import SignalEffect
from table_assist.session.told import drawn, is_played_out

NO_HAND = Words("no hand is running", "没有进行中的牌局")


# The words of a key or the dome where there is a board.
Said = StartHand | DeclareWin | DeclareReady | PassLastTile | EndHand


def read_command(state: TableState, command: Said, profile: Profile) -> SignalEffect:
    """A command at a table without a board; the notice is why nothing follows from it."""
    match command:
        case StartHand(dealer):
            if state.is_running:
                return SignalEffect(
                    notice=Words(
                        "hand {hand} is still running", "第 {hand} 局还在进行", hand=state.hand
                    )
                )
            built = () if state.phase is Phase.WALL_READY else (WallBuilt(),)
            try:
                started = hand_started(profile, replay(built, state), dealer)
            except ValueError:
                why = Words(
                    "the size of the wall rests on the dice: roll them where they are seen",
                    "牌墙大小取决于骰子：请在看得见的地方掷骰",
                )
                return SignalEffect(notice=why)
            return SignalEffect((*built, started))
        case DeclareWin(seat):
            if not state.is_running:
                return SignalEffect(notice=NO_HAND)
            if seat in state.declared:
                return SignalEffect(
                    notice=Words(
                        "{seat} has already declared a win", "{seat} 已经报和", seat=player_at(seat)
                    )
                )
            return SignalEffect((WinDeclared(seat),))
        case DeclareReady(seat):
            if state.phase is not Phase.PLAYING:
                return SignalEffect(
                    notice=Words("no hand is being played that could be ready", "没有进行中的牌局")
                )
            rules = rules_in_force(state)
            if rules.ready is None:
                return SignalEffect(
                    notice=Words("nobody declares ready in these rules", "本规则不报听")
                )
            if state.seats[seat].ready:
                return SignalEffect(
                    notice=Words(
                        "{seat} has declared already: {ready}",
                        "{seat} 已经{ready}",
                        seat=player_at(seat),
                        ready=rules.ready.names,
                    )
                )
            return SignalEffect((ReadyDeclared(seat),))
        case PassLastTile(seat):
            # The seat that is to draw the last tile leaves it to the next, where the rules allow
            # that
            if state.phase is Phase.PLAYING and may_pass(state) and state.turn == seat:
                return SignalEffect((LastTilePassed(seat),))
            return SignalEffect(
                notice=Words(
                    "there is no last tile that {seat} may leave now",
                    "现在没有 {seat} 可以放弃的最后一张牌",
                    seat=player_at(seat),
                )
            )
        case EndHand():
            if not state.is_running:
                return SignalEffect(notice=NO_HAND)
            return drawn(state) if is_played_out(state) else SignalEffect((HandAbandoned(),))
