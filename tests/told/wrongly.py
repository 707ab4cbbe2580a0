"""Every circumstance that a phone asks, ticked the other way: typed and told, the answer is one."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from table_assist.game.events import HandShown, HandTold
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.game.told_facts import with_implied, with_known
from table_assist.game.win import declared_hand
from table_assist.languages.words import View
from table_assist.rules.by_hand.typed import JudgedHand, TypedHand, answer
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import Meld
from table_assist.tiles.tile import Tile

# What a circumstance brings with it, which goes with it.
BRINGS = {
    "after_kong_concealed": ["after_kong"],
    "after_kong_exposed": ["after_kong"],
    "after_kong_added": ["after_kong"],
    "robbing_kong": ["robbed_regular_kong", "robbed_egg_supplement"],
    "robbed_egg_supplement": ["robbing_kong"],
}
# Refusals that rest on the table, of which who types says nothing.
OF_THE_TABLE = {"treasure_unknown"}


def ticked_wrongly(
    before: TableState, told: HandTold, asks: Iterable[View]
) -> Iterator[tuple[str, str]]:
    """Each circumstance that is asked, and what is wrong with its other answer, empty if nothing.

    Args:
        before: of the hand that runs, before this telling.
        told: the hand as it was.
    """
    known = set(Circumstance)
    for ask in asks:
        if ask["kind"] != "circumstance" or ask["name"] not in known:
            continue
        name = Circumstance(ask["name"])
        said = set(told.circumstances) ^ {name}
        if name in told.circumstances:
            said -= set(map(Circumstance, BRINGS.get(name, [])))
        yield name, _differ(before, with_implied(replace(told, circumstances=tuple(sorted(said)))))


def _differ(before: TableState, told: HandTold) -> str:
    """Where what is paid or refused is not the same typed as told."""
    told = with_known(before, told)
    after = apply(before, told)
    rules = rules_in_force(after)
    by_phone = end_of_hand(after, rules).verdicts[told.seat]
    shown = next(hand for hand in after.shown if hand.seat == told.seat)
    typed = answer(rules, _typed(after, shown))
    assert isinstance(typed, JudgedHand)
    refused = [{each.id for each in verdict.refusals} for verdict in (typed.verdict, by_phone)]
    if by_phone.valid and typed.verdict.valid and by_phone.payments == typed.verdict.payments:
        return ""
    known = refused[0] - {"contradiction"} <= refused[1]
    if not by_phone.valid and (known or refused[1] & OF_THE_TABLE):
        return "" if refused[1] else f"refused without a reason: {told}"
    return f"typed {typed.verdict.payments} {refused[0]}, told {by_phone.payments} {refused[1]}"


def _typed(state: TableState, hand: HandShown) -> TypedHand:
    """The same hand as the command line takes it."""
    shown = declared_hand(state, hand)
    return TypedHand(
        tiles=_text(shown.concealed),
        melds="; ".join(map(_meld, shown.melds)),
        winning_tile=str(shown.winning_tile),
        self_drawn=shown.self_drawn,
        discarder=shown.discarder,
        winner=shown.winner,
        dealer=shown.dealer,
        flags=tuple(sorted(shown.circumstances)),
        wilds=_text(shown.wilds),
        treasures=_text(shown.treasures),
        bonus=_text(shown.bonus),
        prevailing=str(shown.prevailing) if rules_in_force(state).next_round else None,
        wall_remaining=shown.wall_remaining,
        discard_round=shown.discard_round,
        double_down=shown.antes.double_down,
        challenges=tuple(s for s, n in enumerate(shown.antes.challenges) for _ in range(n)),
    )


def _text(tiles: Iterable[Tile]) -> str:
    return "".join(map(str, tiles))


def _meld(meld: Meld) -> str:
    put = f"+{_text(meld.supplements)}" if meld.supplements else ""
    return f"{meld.kind.value} {_text(meld.tiles)}{put}"
