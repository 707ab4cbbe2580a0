"""A hand that is being told, as JSON: what was read, what must be asked, what it comes to."""

from table_assist.game.course import birds_due, next_step
from table_assist.game.events import AntesPlaced, HandTold, IndicatorTurned
from table_assist.game.fold import apply
from table_assist.game.fold_win import all_laid
from table_assist.game.hand_worth import bigger_than, waits_of
from table_assist.game.outcome import end_of_hand
from table_assist.game.start import told_hand_started
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.step import Act
from table_assist.game.told_facts import (
    NOT_TURNED,
    Fact,
    FactKind,
    asks_chase,
    facts_to_ask,
    may_tell_treasure,
    with_known,
)
from table_assist.languages.words import (
    Plural,
    View,
    Words,
    capitalised,
    joined,
    phrase,
    same,
    words_of,
    words_view,
)
from table_assist.record.snapshot import Snapshot
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.names import CIRCUMSTANCES
from table_assist.rules.shown import Antes, Circumstance
from table_assist.tiles.melds import tile_words, tiles_words
from table_assist.tiles.tile import Tile
from table_assist.vision.photos.photo_hand import Photo, PhotoHand, PhotoTile
from table_assist.vision.reading.why import WORDS
from web.view.asked_view import false_win_cost
from web.view.outcome import judged_view
from web.view.vocabulary import player, with_names

# Where a phone says it otherwise than a verdict does.
_SAID_ON_PHONE = {
    Circumstance.READY_AFTER_KONG: phrase("told_view.my_concealed_kong_lay"),
    Circumstance.SACRED_DISCARD: phrase("told_view.i_have_discarded"),
    Circumstance.TREASURE_RUSH: Words("Won by the treasure alone (Rush)", "冲宝"),
    Circumstance.AFTER_KONG_CONCEALED: Words("Drawn after my concealed kong", "暗杠后摸到"),
    Circumstance.AFTER_KONG_EXPOSED: Words("Drawn after my exposed kong", "明杠后摸到"),
    Circumstance.AFTER_KONG_ADDED: Words("Drawn after my added kong", "补杠后摸到"),
    Circumstance.FIRST_TURN: Words("On the very first turn", "第一巡（天和、地和）"),
}
_GIVER = Words("Who discarded the tile of the kong {tile}?", "{tile} 这副明杠是谁打的？")
_WHICH_EGG = Words("Of which tiles was this egg laid: {tiles}?", "这副蛋 {tiles} 最初是哪几张？")
_BROKEN = phrase("told_view.another_player_took")
_CHASED = phrase("told_view.in_the_first_round")
_ROBBED_EGG = Words("From which egg was the winning tile taken?", "和的牌是从哪副蛋抢的？")
_FOLLOWED = Words("After which kong was it discarded?", "是开哪个杠之后打出的？")
_WILD = Words("Which tile was turned up for the wild tiles?", "翻出的是哪张牌（定混）？")
_WHICH_TREASURE = Words("Which tile names the treasure?", "宝牌翻的是哪张？")


def photo_view(photo: Photo, rules: RuleSet) -> View:
    """One photograph: what was read and what can be done about it."""
    # Faces that were read and that this rule set's tiles do not have
    hand = photo.hand
    melded = (each for meld in hand.melds for each in meld.tiles)
    read = {each.tile for each in (*hand.concealed, *melded, *hand.bonus)}
    known = {*rules.kinds, *rules.bonus_tiles}
    foreign = tuple(sorted(tile for tile in read if tile.is_face and tile not in known))
    advice = [(str(each.trouble), each.words) for each in photo.advice]
    if foreign:
        faces = joined([tile_words(tile) for tile in foreign])
        advice.append(
            (
                "foreign",
                phrase("told_view.has", names=rules.names, faces=faces),
            )
        )
    return {
        "id": photo.id,
        "hand": photo_hand_view(photo.hand),
        "advice": [{"trouble": name, "words": words_view(words)} for name, words in advice],
    }


def heap_words(hand: PhotoHand) -> Words:
    """Why no hand is taken out of a heap."""
    return phrase("told_view.tiles_lie_together", count=len(hand.others) + hand.size)


def photo_hand_view(hand: PhotoHand) -> View:
    """The parts of a hand, each tile with its place in its photograph."""
    return {
        "concealed": [_tile(each) for each in hand.concealed],
        "melds": [
            {
                "kind": meld.kind.value,
                "tiles": [_tile(each) for each in meld.tiles],
                "side": None if meld.side is None else meld.side.name.lower(),
            }
            for meld in hand.melds
        ],
        "winning": hand.winning,
        "bonus": [_tile(each) for each in hand.bonus],
        "size": hand.size,
        "unread": hand.unread,
        "others": [_tile(each) for each in hand.others],
    }


def _tile(seen: PhotoTile) -> View:
    return {
        "tile": "#" if seen.tile is Tile.BACK else str(seen.tile),
        "photo": seen.photo,
        "box": [round(each, 4) for each in seen.box],
        "candidates": [str(each) for each in seen.candidates],
        "why": None if seen.why is None else words_view(WORDS[seen.why]),
    }


# --- What is asked


def dealer_view(snapshot: Snapshot) -> View:
    """The dealer of the told hand, and the stakes; asked where people alone know them.

    ``stakes`` is how many tokens may lie against the dealer, 0 where nothing is to be asked;
    ``to_lay_down`` are the seats whose hands count, too, and are still hidden; ``chase`` and
    ``passes``: whether the first discards, and the last tile left to the next, are asked about.
    """
    state, rules = snapshot.state, snapshot.rules
    if state.is_running:
        may_have_chased = asks_chase(state) and not any(hand.chased for hand in state.told)
        to_lay_down: list[int] = []
        if state.phase is Phase.SHOWING:
            step = next_step(rules, state)
            if step.act is Act.SHOW_HANDS:
                to_lay_down = [seat for seat in step.seats if seat not in state.declared]
        return {
            "chase": words_view(_CHASED) if may_have_chased else None,
            "passes": rules.last_tile_may_be_passed,
            "seat": state.dealer,
            "asked": False,
            "seats": [],
            "stakes": 0,
            "to_lay_down": to_lay_down,
        }
    known, antes = state.dealer_next, rules.antes
    step = next_step(rules, state)
    choosing = step.act is Act.CHOOSE_DEALER
    return {
        "chase": None if rules.chase is None else words_view(_CHASED),
        "passes": rules.last_tile_may_be_passed,
        "seat": known,
        "asked": known is None,
        "seats": list(step.seats) if choosing and step.seats else list(SEATS),
        "stakes": 0 if antes is None or state.antes_placed else antes.tokens,
        "to_lay_down": [],
    }


def told_view(snapshot: Snapshot, told: HandTold, before: TableState) -> View:
    """The open questions about a hand, and its result as it is told.

    Args:
        before: the state to which the telling belongs.
    """
    told = with_known(before, told)
    return {
        "asks": [_fact(fact, snapshot, told, before) for fact in facts_to_ask(before, told)],
        "worth": _worth(snapshot, before, told),
    }


def waits_view(told: HandTold, before: TableState) -> View:
    """A hand's waits; the points are the own ones, the least and the most of a claim's."""
    found = waits_of(before, told)
    own = told.seat
    waits = []
    for wait in found.waits:
        claimed = sorted({verdict.payments[own] for verdict in wait.claimed.values()})
        waits.append(
            {
                "tile": str(wait.tile),
                "unseen": wait.unseen,
                "drawn": None if wait.drawn is None else wait.drawn.payments[own],
                "claimed": [claimed[0], *claimed[-1:][: len(claimed) - 1]] if claimed else None,
            }
        )
    return {"waits": waits, "refusals": [words_view(each.words) for each in found.refusals]}


def bigger_view(told: HandTold, before: TableState) -> View | None:
    """The nearest bigger hand and what it is made of; None where there is none near."""
    found = bigger_than(before, told)
    if found is None:
        return None
    return {
        "out": [str(tile) for tile in found.out],
        "instead": [str(tile) for tile in found.instead],
        "points": found.verdict.payments[told.seat],
        "patterns": [words_view(each.names) for each in found.verdict.patterns],
    }


def state_before(
    snapshot: Snapshot, dealer: int, indicator: Tile | None, antes: Antes | None = None
) -> TableState:
    """The hand to which the telling belongs; begun on trial where none is running."""
    state = snapshot.state
    if not state.is_running:
        if antes is not None:
            state = apply(state, AntesPlaced(antes.double_down, antes.challenges))
        state = apply(state, told_hand_started(plain_profile(snapshot.rules), state, dealer))
    if indicator is not None and may_tell_treasure(state):
        state = apply(state, IndicatorTurned(indicator))
    return state


def _fact(fact: Fact, snapshot: Snapshot, told: HandTold, before: TableState) -> View:
    match fact.kind:
        case FactKind.CIRCUMSTANCE:
            circumstance = Circumstance(fact.name)
            rules = snapshot.rules
            words = _SAID_ON_PHONE.get(circumstance) or capitalised(CIRCUMSTANCES[circumstance])
            until = None if rules.ready is None else rules.ready.until
            if circumstance is Circumstance.READY_DECLARED and until:
                words = Plural(
                    until,
                    "{ready} was declared with the first discard",
                    "{ready} was declared with one of the first {n} discards",
                    "前 {n} 张出牌时已{ready}",
                )
            return _toggle(circumstance, words.filled(ready=rules.ready_names))
        case FactKind.CHASED:
            return _toggle("chased", _CHASED)
        case FactKind.BROKEN:
            egg = told.melds[int(fact.name)]
            known = any(
                each.robbed and each.seat == told.seat and sorted(each.tiles) == sorted(egg.tiles)
                for each in all_laid(before)
            )
            words = _with_tiles(_BROKEN, (*egg.tiles, *egg.supplements))
            return _toggle(f"broken {fact.name}", words, usual=known)
        case FactKind.EGG:
            egg = told.melds[int(fact.name)]
            return _of_tiles(fact, _with_tiles(_WHICH_EGG, (*egg.tiles, *egg.supplements)))
        case FactKind.UNDOES:
            robbed = apply(before, told).robbable  # by this win, or by one told before
            return _of_tiles(fact, _FOLLOWED if robbed is None else _ROBBED_EGG)
        case FactKind.WALL_LEFT:
            return _numbers(fact, Words("How many tiles were left in the wall?", "牌墙还剩几张？"))
        case FactKind.DISCARD_ROUND:
            return _numbers(fact, Words("In which round of discards?", "第几巡？"))
        case FactKind.GIVER:
            return _giver(fact, snapshot, told)
        case FactKind.INDICATOR:
            words = _WHICH_TREASURE if snapshot.rules.wilds is None else _WILD
            view = {"kind": "indicator", "name": "", "words": words_view(words)}
            return {**view, "optional": True} if fact.name == NOT_TURNED else view


def _toggle(name: str, words: Words, *, usual: bool = False) -> View:
    """Something that was so or was not; ``usual``: it was said before."""
    view = {"kind": "circumstance", "name": name, "words": words_view(words)}
    return {**view, "usual": True} if usual else view


def _with_tiles(words: Words, tiles: tuple[Tile, ...]) -> Words:
    return words.filled(tiles=joined([tile_words(tile) for tile in tiles]))


def _of_tiles(fact: Fact, words: Words) -> View:
    """Kongs or eggs to tap."""
    plain = Words("{tiles}", "{tiles}")
    return {
        "kind": fact.kind.value,
        "name": fact.name,
        "words": words_view(words),
        "choices": [
            {
                "value": " ".join(map(str, tiles)),
                "words": words_view(_with_tiles(plain, tiles)),
                "usual": False,
            }
            for tiles in fact.choices
        ],
    }


def _numbers(fact: Fact, words: Words) -> View:
    """Ranges to tap; the last one is open, and likeliest."""
    choices = []
    for low, high in fact.ranges:
        last = (low, high) == fact.ranges[-1]
        said = f"{low}+" if last else str(low) if low == high else f"{low}–{high}"
        label = same(said)
        if last and fact.kind is FactKind.WALL_LEFT:
            label = Words("{n} or more", "{n} 张以上", n=low)
        elif last:
            label = Words("{n} or more", "{n} 巡起", n=low)
        choices.append({"value": high, "words": words_view(label), "usual": last})
    return {
        "kind": fact.kind.value,
        "name": "",
        "words": words_view(words),
        "choices": choices,
    }


def _giver(fact: Fact, snapshot: Snapshot, told: HandTold) -> View:
    words = _GIVER.filled(tile=tiles_words(told.melds[int(fact.name)].tiles[:1]))
    seats = [seat for seat in SEATS if seat != told.seat]
    known = dict(enumerate(told.claimed_from)).get(int(fact.name))
    return {
        "kind": "giver",
        "name": fact.name,
        "words": words_view(words),
        "choices": [
            {
                "value": seat,
                "words": words_view(player(snapshot.names, seat)),
                "usual": seat == known,
            }
            for seat in seats
        ],
    }


# --- What it comes to


def _worth(snapshot: Snapshot, before: TableState, told: HandTold) -> View | None:
    if told.winning_tile is None:
        return None
    try:
        after = apply(before, told)
        ended = end_of_hand(after)
    except ValueError as error:
        return {"valid": False, "problem": words_view(words_of(error)), "transfers": None}
    verdict = ended.verdicts[told.seat]
    return {
        **judged_view(snapshot, verdict),
        "problem": None,
        "false_win": words_view(false_win_cost(snapshot, told.seat)),
        "transfers": list(ended.total) if verdict.valid else None,
        "steps": [words_view(with_names(step, snapshot.names)) for step in ended.steps],
        "birds": birds_due(snapshot.rules, after) > len(after.birds),
    }
