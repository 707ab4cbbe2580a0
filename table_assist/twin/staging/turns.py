"""Staged: draws, discards, claims, kongs, eggs, ready."""

from collections.abc import Iterator
from dataclasses import replace

from firmware_bridge.events import Key
from table_assist.contract.commands import Insert
from table_assist.game.events import (
    Claimed,
    Discarded,
    Drew,
    EggAppended,
    KongDeclared,
    LastTilePassed,
    ReadyDeclared,
)
from table_assist.game.fold_play import takes_discard
from table_assist.game.holding import is_late
from table_assist.game.state import TableState
from table_assist.rules.ruleset import WallEnd
from table_assist.tiles.melds import MeldKind
from table_assist.twin.holdings import LaidGroup
from table_assist.twin.staging.moment import StagedMoment
from table_assist.twin.staging.stage import Stage
from table_assist.twin.steps import ArmReach, TableStep


def draw(stage: Stage, moment: StagedMoment, event: Drew) -> Iterator[TableStep]:
    """A tile comes from the front, from the tail, or from where dice said."""
    held, seat = stage.held, event.seat
    spot, is_replacement = _drawn_spot(stage, moment)
    reach = stage.wall_reach(seat, spot)
    stage.expect(held.draw(seat, spot, apart=moment.after.holder == seat), event.tile)
    text = f"Seat {seat} draws{' a replacement' if is_replacement else ''}."
    commands = [Insert(0, told) for told in moment.truth]
    yield stage.step(text, 1.0, *moment.truth, commands=commands, reach=reach)


def _drawn_spot(stage: Stage, moment: StagedMoment) -> tuple[int, bool]:
    """The spot that the seat draws, and whether it is a replacement's."""
    before, wall, rules = moment.before, stage.held.wall, stage.rules
    seat = moment.event.seat if isinstance(moment.event, Drew) else -1
    owed = before.owed if before.holder == seat else None
    what = owed or (before.replacing if seat in before.unnamed else None)
    if what is None:
        return wall.front(), False
    rolled = moment.after.wall.rolled
    if rolled and wall.holds(rolled[-1].tile):
        return rolled[-1].tile, True
    from_front = rules.wall.replaced_from(what, rules.chosen) is WallEnd.FRONT
    return (wall.front() if from_front else wall.tail()), True


def pass_last_tile(
    stage: Stage, moment: StagedMoment, event: LastTilePassed
) -> Iterator[TableStep]:
    """A key says it."""
    yield stage.press(event.seat, Key.PASS, *moment.truth)


def declare_ready(stage: Stage, moment: StagedMoment, event: ReadyDeclared) -> Iterator[TableStep]:
    """A key says it."""
    yield stage.press(event.seat, Key.READY, *moment.truth)


def discard(stage: Stage, moment: StagedMoment, event: Discarded) -> Iterator[TableStep]:
    """A tile goes into the river."""
    held, seat = stage.held, event.seat
    held.discard(seat, event.tile)
    step = stage.step(f"Seat {seat} discards {event.tile}.", 1.5, *moment.truth)
    placed = stage.table.rivers.place(held.seats[seat].river[-1], seat)
    yield replace(step, reach=ArmReach(seat, placed.x_mm, placed.y_mm))


def put_back(stage: Stage, before: TableState, seat: int) -> Iterator[TableStep]:
    """A discard is called for when the next player has drawn already: that tile goes back."""
    if is_late(before) and before.holder is not None and before.holder != seat:
        stage.held.undraw()
        yield stage.step(f"Seat {before.holder} puts the drawn tile back.", 2.0)


def claim(stage: Stage, moment: StagedMoment, event: Claimed) -> Iterator[TableStep]:
    """The tile is taken and laid down with tiles from the hand."""
    held, seat, giver = stage.held, event.seat, event.discarder
    yield from put_back(stage, moment.before, seat)
    if event.kind.is_kong:
        yield stage.press(seat, Key.KONG)
    robbed = moment.before.robbable
    if robbed is not None and robbed.kind is MeldKind.LUCKY_EGG:
        claimed = held.take_added(giver, robbed.tile)
    else:
        claimed = held.seats[giver].river.pop()
    own = list(event.tiles)
    own.remove(held.set.face(claimed))
    pieces = (claimed, *held.take(seat, own))
    lying = stage.rules.lying(stage.rules.chosen)
    down = event.kind.is_kong and lying.claimed_kong_tile_down
    group = LaidGroup(event.kind, pieces, giver, down=(claimed,) * down)
    held.seats[seat].groups.append(group)
    tiles = " ".join(map(str, event.tiles))
    reach = stage.melds_reach(seat)
    yield stage.step(f"Seat {seat} claims {tiles}.", 2.0, *moment.truth, reach=reach)


def declare_kong(stage: Stage, moment: StagedMoment, event: KongDeclared) -> Iterator[TableStep]:
    """A key, and four tiles, or the fourth one beside its pung."""
    held, seat, tile = stage.held, event.seat, event.tile
    yield stage.press(seat, Key.KONG)
    groups = held.seats[seat].groups
    if event.kind is MeldKind.KONG_ADDED:
        at = next(
            at
            for at, group in enumerate(groups)
            if group.kind is MeldKind.PUNG and held.set.face(group.pieces[0]) is tile
        )
        (piece,) = held.take(seat, (tile,))
        held.add(seat, at, piece, event.kind)
    else:
        first, *inner, last = held.take(seat, (tile,) * 4)
        up = stage.rules.lying(stage.rules.chosen).concealed_kong_up[0]
        down = (first, last, *inner[up:])
        groups.append(LaidGroup(event.kind, (first, *inner, last), down=down))
    text = f"Seat {seat} lays a {event.kind} of {tile}."
    yield stage.step(text, 2.0, *moment.truth, reach=stage.melds_reach(seat))


def append_to_egg(stage: Stage, moment: StagedMoment, event: EggAppended) -> Iterator[TableStep]:
    """The drawn tile, or a discard, lies beside the egg."""
    held, seat, before = stage.held, event.seat, moment.before
    given = before.last_discard
    if given is not None and takes_discard(before, event):
        piece = held.seats[given[0]].river.pop()
    else:
        (piece,) = held.take(seat, (event.tile,))
    groups = held.seats[seat].groups
    eggs = [at for at, group in enumerate(groups) if group.kind is MeldKind.LUCKY_EGG]
    held.add(seat, eggs[event.egg], piece)
    text = f"Seat {seat} puts {event.tile} to an egg."
    yield stage.step(text, 2.0, *moment.truth, reach=stage.melds_reach(seat))
