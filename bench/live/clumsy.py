"""Clumsy people: what happens to tiles between two things that the rules know of.

Works on an evening's steps: it puts further pictures between them, or lets tiles lie elsewhere for
the rest of the hand. The truth stays as it was: none of this is an event.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from bench.live.disturb import lamp
from table_assist.game.events import Claimed, Discarded, Drew, HandShown, Settled, WallExhausted
from table_assist.twin.river import (
    HAND_FIRST_R,
    RIVER_ROW,
    RIVER_ROWS,
    USUAL_FIT,
    Fit,
    on_table,
    pressed,
    put,
)
from table_assist.twin.scene import Cover, PlacedTile, Pose, Scene
from table_assist.twin.table import TableStep

FUR = (42, 58, 84)
TAIL_FROM_MM, TAIL_POINTS, TAIL_MM = 520.0, 14, 15.0  # reaches over a hand and its melds
ROUND_STEPS = 12  # a draw and a discard of each player, and some claims
PUSHED_SHARES = (0.25, 0.5, 0.75)  # of its way, where a claimed tile is seen
SECOND_ROW_MM = 37.0  # towards the middle, of usual tiles
HAND_BEYOND_D = 331.0  # from here on tiles of any size are a hand's, not melds
CROOKED_DEG = 9.0
MOST_PRESSED_MM = 3.0  # by a crooked one


@dataclass(frozen=True, slots=True)
class Clumsiness:
    """How often what happens, 0-1."""

    take_backs: float = 0.04  # of the discards, another tile is laid down first and taken back
    wrong_rows: float = 0.02  # of the discards are laid down before the next player
    knocked: float = 0.03  # of the draws knock some standing tiles over for a moment
    hasty: float = 0.04  # of the discards follow so fast that no picture lies between them
    pushed: float = 0.5  # of the claimed tiles are pushed to their place slowly
    glares: float = 0.02  # of the discards begin a round in which a lamp is mirrored on some tiles
    tails: float = 0.02  # of the draws a cat's tail lies over the table's edge for a moment
    two_rows: float = 0.3  # of the hands that are shown lie in two rows
    crooked: float = 0.3  # of them lie crooked


@dataclass(slots=True)
class _Table:
    """The misplaced tiles, and the mirrored places."""

    rng: Random
    wanted: Clumsiness
    fit: Fit
    before: Scene = field(default_factory=Scene)
    elsewhere: dict[PlacedTile, PlacedTile] = field(default_factory=dict)
    glare: Cover | None = None
    glare_steps: int = 0

    def happens(self, share: float) -> bool:
        """What happens so often happens now."""
        return self.rng.random() < share


def clumsily(
    steps: Iterable[TableStep], wanted: Clumsiness, seed: int, fit: Fit = USUAL_FIT
) -> Iterator[TableStep]:
    """The evening as clumsy people play it; the same seed and steps give the same evening."""
    table = _Table(Random(f"clumsy-{seed}"), wanted, fit)
    for step in _hastily(steps, table):
        for each in _happening(table, step):
            yield replace(each, scene=_as_it_lies(table, each.scene))
        table.before = step.scene
        if any(isinstance(event, Settled | WallExhausted) for event in step.events):
            table.elsewhere.clear()
            table.glare = None


def _as_it_lies(table: _Table, scene: Scene) -> Scene:
    tiles = tuple(table.elsewhere.get(tile, tile) for tile in scene.tiles)
    covers = scene.covers if table.glare is None else (*scene.covers, table.glare)
    return replace(scene, tiles=tiles, covers=covers)


def _happening(table: _Table, step: TableStep) -> Iterator[TableStep]:
    """A step, with what goes before it."""
    wanted = table.wanted
    for event in step.events:
        match event:
            case Discarded(seat=seat):
                if table.happens(wanted.take_backs):
                    yield from _take_back(table, step, seat)
                if table.happens(wanted.wrong_rows):
                    _into_wrong_row(table, step, seat)
                # A lamp is mirrored on what lies there for a round
                table.glare_steps -= 1
                if table.glare_steps <= 0:
                    table.glare = None
                open_tiles = [tile for tile in step.scene.tiles if tile.shows is not None]
                if table.glare is None and open_tiles and table.happens(wanted.glares):
                    at, half = table.rng.choice(open_tiles), table.rng.uniform(15, 35)
                    table.glare, table.glare_steps = lamp(at.x_mm, at.y_mm, half), ROUND_STEPS
            case Claimed() if table.happens(wanted.pushed):
                yield from _push(table, step, event.seat)
            case HandShown(seat=seat):
                if table.happens(wanted.two_rows):
                    _in_two_rows(table, step, seat)
                elif table.happens(wanted.crooked):
                    _crookedly(table, step, seat)
            case _:
                pass
    yield step
    if " draws" in step.text:
        for share, deed in ((wanted.knocked, _knock), (wanted.tails, _tail)):
            seat = table.rng.randrange(4)
            if table.happens(share):
                yield from deed(table, step, seat)


def _between(step: TableStep, text: str, seconds: float, tiles: Iterable[PlacedTile]) -> TableStep:
    """Something that is seen before or after a step, and is no event."""
    scene = replace(step.scene, tiles=tuple(tiles))
    return TableStep(step.hand, scene, text, seconds, reach=step.reach, game=step.game)


def _take_back(table: _Table, step: TableStep, seat: int) -> Iterator[TableStep]:
    """Another tile of the hand lies where the discard will, and goes back."""
    new, standing = _new(table, step), _row(table.before, seat, Pose.STANDING)
    others = [tile for tile in standing if new and tile.tile is not new[0].tile]
    if len(new) != 1 or not others:
        return
    other = table.rng.choice(others)
    laid = replace(new[0], tile=other.tile)
    lying = [tile for tile in table.before.tiles if tile is not other]
    yield _between(step, f"Seat {seat} lays {other.tile} down.", 1.2, [*lying, laid])
    yield _between(step, f"Seat {seat} takes it back.", 1.2, table.before.tiles)


def _into_wrong_row(table: _Table, step: TableStep, seat: int) -> None:
    """The discard lies in the last row before the next player."""
    new = _new(table, step)
    if len(new) != 1:
        return
    fit = table.fit
    d = fit.river_d + fit.river_row * (RIVER_ROWS - 1)
    for place in range(RIVER_ROW):
        r = fit.river_first_r + fit.width * place
        tried = put((seat + 1) % 4, new[0].tile, r=r, d=d, scale=fit.scale)
        if _is_free(tried, _as_it_lies(table, step.scene).tiles):
            table.elsewhere[new[0]] = tried
            return


def _push(table: _Table, step: TableStep, seat: int) -> Iterator[TableStep]:
    """The own tiles lie there; the claimed one is pushed over the table."""
    gone = [t for t in table.before.tiles if t.pose is Pose.FACE_UP and t not in step.scene.tiles]
    new = _new(table, step)
    arrived = [tile for tile in new if gone and tile.tile is gone[0].tile]
    if len(gone) != 1 or not arrived:
        return
    start, end = table.elsewhere.get(gone[0], gone[0]), arrived[0]
    others = [tile for tile in step.scene.tiles if tile is not end]
    for share in (0.0, *PUSHED_SHARES):
        x, y = (
            (1 - share) * a + share * b for a, b in ((start.x_mm, end.x_mm), (start.y_mm, end.y_mm))
        )
        pushed = replace(start, x_mm=x, y_mm=y)
        yield _between(step, f"Seat {seat} pushes {end.tile}.", 0.6, [*others, pushed])


def _knock(table: _Table, step: TableStep, seat: int) -> Iterator[TableStep]:
    """Some tiles at the end of a hand fall on their backs, and are put up again."""
    standing = _row(step.scene, seat, Pose.STANDING)
    standing.sort(key=lambda tile: (tile.x_mm, tile.y_mm))
    fallen = standing[: table.rng.randint(1, 3)]
    lying = [
        replace(tile, pose=Pose.FACE_UP) if tile in fallen else tile for tile in step.scene.tiles
    ]
    if fallen and all(_is_free(tile, lying) for tile in lying if tile.pose is Pose.FACE_UP):
        yield _between(step, f"Tiles of seat {seat} fall over.", 2.5, lying)
        yield _between(step, f"Seat {seat} puts them up.", 1.5, step.scene.tiles)


def _tail(table: _Table, step: TableStep, seat: int) -> Iterator[TableStep]:
    """A cat's tail hangs over a hand, and is gone."""
    first, swing = table.rng.uniform(-250, 250), table.rng.uniform(-0.6, 0.6)
    middle = [(first + swing * n * n, TAIL_FROM_MM - 20.0 * n) for n in range(TAIL_POINTS)]
    left, right = ([(r + way * TAIL_MM, d) for r, d in middle] for way in (-1, 1))
    outline = tuple(on_table(seat, r, d) for r, d in (*left, *reversed(right)))
    scene = replace(step.scene, covers=(*step.scene.covers, Cover(outline, FUR, 40.0)))
    yield replace(_between(step, "A cat.", 2.0, scene.tiles), scene=scene)


def _in_two_rows(table: _Table, step: TableStep, seat: int) -> None:
    """The right half of a shown hand lies before the left one, where there is room."""
    shown = _shown(step.scene, seat)
    first, second = shown[: (len(shown) + 1) // 2], shown[(len(shown) + 1) // 2 :]
    moved = {}
    for number, tile in enumerate(second):
        r = HAND_FIRST_R + (table.fit.width + 0.4) * (number + 2)
        x, y = on_table(seat, r, table.fit.hand_d - SECOND_ROW_MM * table.fit.scale)
        moved[tile] = replace(tile, x_mm=x, y_mm=y)
    rest = [tile for tile in step.scene.tiles if tile not in moved]
    if first and all(_is_free(tile, rest) for tile in moved.values()):
        table.elsewhere |= moved


def _crookedly(table: _Table, step: TableStep, seat: int) -> None:
    """Each tile of a shown hand lies turned by some degrees, where there is room."""
    for tile in _shown(step.scene, seat):
        turned = replace(
            tile, turn_deg=tile.turn_deg + table.rng.uniform(-CROOKED_DEG, CROOKED_DEG)
        )
        others = [t for t in _as_it_lies(table, step.scene).tiles if t is not tile]
        if pressed(turned, others) < MOST_PRESSED_MM:
            table.elsewhere[tile] = turned


def _hastily(steps: Iterable[TableStep], table: _Table) -> Iterator[TableStep]:
    """Sometimes a discard, the next player's draw and their discard are over at once."""
    held: list[TableStep] = []
    for step in steps:
        kinds = [type(event) for event in step.events]
        if len(held) == 1 and " draws" in step.text and set(kinds) <= {Drew}:
            held.append(step)
            continue
        if len(held) == 2 and kinds == [Discarded]:
            first, second = held  # between which and this one no picture is taken
            yield replace(
                step,
                text=f"{first.text} {second.text} {step.text}",
                events=(*first.events, *second.events, *step.events),
                signals=(*first.signals, *second.signals, *step.signals),
                commands=(*first.commands, *second.commands, *step.commands),
            )
            held = []
            continue
        yield from held
        held = []
        if kinds == [Discarded] and table.happens(table.wanted.hasty):
            held = [step]
        else:
            yield step
    yield from held


def _new(table: _Table, step: TableStep) -> list[PlacedTile]:
    """The open tiles that a step brought there."""
    known = set(table.before.tiles)
    return [tile for tile in step.scene.tiles if tile.pose is Pose.FACE_UP and tile not in known]


def _row(scene: Scene, seat: int, pose: Pose) -> list[PlacedTile]:
    """The tiles of a seat's hand that stand, or lie open."""
    x, y = on_table(seat, 0.0, 1.0)
    own = (tile for tile in scene.tiles if tile.x_mm * x + tile.y_mm * y > HAND_BEYOND_D)
    return [tile for tile in own if tile.pose is pose]


def _shown(scene: Scene, seat: int) -> list[PlacedTile]:
    """The open hand, from its left."""
    x, y = on_table(seat, -1000.0, HAND_BEYOND_D)
    own = _row(scene, seat, Pose.FACE_UP)
    return sorted(own, key=lambda tile: (tile.x_mm - x) ** 2 + (tile.y_mm - y) ** 2)


def _is_free(tile: PlacedTile, others: Iterable[PlacedTile]) -> bool:
    return not pressed(tile, (other for other in others if other is not tile))
