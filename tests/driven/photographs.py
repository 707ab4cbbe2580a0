"""Photographs of won hands with the truth about them: other people's, and drawn ones."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import cv2

from table_assist.game.events import HandShown
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.judge import judge
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.play.hand import play_hand
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene

TWELVE_MEGAPIXELS = (4000, 3000)
HAND = 14
DISCARDER = 2  # for the judge: which seat gave the tile is the same to a hand that wins by it
FACES = [tile for tile in Tile if tile.is_face and not tile.is_bonus]
PITCH_MM, ROW_MM, GAP_MM = 26.6, 62.0, 24.0
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class TrueTile:
    """A tile of the picture; box: left, top, width, height, as shares of the picture."""

    tile: Tile
    box: Box


@dataclass(frozen=True, slots=True)
class Photograph:
    """A won hand as it was photographed.

    Attributes:
        file: a JPEG of 12 megapixels; where it is to be tapped instead, none was drawn.
        tiles: all that lie there.
        melds: sets that lie apart; empty where nobody has said.
        winning: tiles that may have come last.
        indicator: the tile that was turned up to name the wild ones, where there are any.
        backs: tiles of concealed kongs that lie face down; the page shows their faces.
        is_given: it was won on another player's discard.
    """

    name: str
    file: Path
    tiles: tuple[TrueTile, ...]
    winning: frozenset[Tile]
    melds: tuple[Meld, ...] = ()
    indicator: Tile | None = None
    backs: tuple[TrueTile, ...] = ()
    is_given: bool = False


def real_photographs(
    folder: Path, rules: RuleSet, into: Path, *, drawn: bool = True
) -> Iterator[Photograph]:
    """Photographs of hands that win by these rules, out of those that no network was trained on.

    Args:
        folder: with ``images/val`` and ``labels/val``; a label's first number is the face.
        drawn: whether their files are made; without, the hands are the same.
    """
    found = 0  # nobody has said how they were won: every second one on a discard, where it can be
    for label in sorted((folder / "labels" / "val").glob("*.txt")):
        lines = [line.split() for line in label.read_text().splitlines() if line.strip()]
        if len(lines) != HAND or any(int(line[0]) >= len(FACES) for line in lines):
            continue
        tiles = tuple(TrueTile(FACES[int(line[0])], _box(line[1:])) for line in lines)
        faces = tuple(each.tile for each in tiles)
        given = frozenset() if found % 2 else _winning(rules, faces, DISCARDER)
        winning = given or _winning(rules, faces)
        if winning:
            found += 1
            file = into / f"{label.stem}.jpg"
            if drawn:
                image = cv2.imread(str(folder / "images" / "val" / f"{label.stem}.jpg"))
                _enlarge(image, file)
            yield Photograph(label.stem, file, tiles, winning, is_given=bool(given))


def _box(numbers: list[str]) -> Box:
    """From centre and size."""
    x, y, width, height = (float(each) for each in numbers)
    return (x - width / 2, y - height / 2, width, height)


def _winning(
    rules: RuleSet, tiles: tuple[Tile, ...], discarder: int | None = None
) -> frozenset[Tile]:
    """With which of the tiles the hand is a win, drawn or on that seat's discard."""
    if any(tile not in rules.kinds for tile in tiles):
        return frozenset()
    hand = ShownHand(tiles, tiles[0], 1, 0, self_drawn=discarder is None, discarder=discarder)
    hand = replace(hand, prevailing=Tile.EAST)
    return frozenset(
        tile for tile in set(tiles) if judge(rules, replace(hand, winning_tile=tile)).valid
    )


def drawn_photographs(
    rules: RuleSet, into: Path, seed: int, *, drawn: bool = True
) -> Iterator[Photograph]:
    """Hands that bots have won, laid down on tables that no network has seen."""
    random = Random(f"{rules.id}-{seed}")
    while True:
        found = _won_hand(rules, random)
        if found is not None:
            shown, melds, indicator = found
            scene = _laid(shown, melds)
            plain = _photographed(rules, scene, into, random, drawn=drawn)
            winning = frozenset({shown.winning_tile})
            given = not shown.self_drawn
            yield replace(plain, winning=winning, melds=melds, indicator=indicator, is_given=given)


def drawn_row(
    rules: RuleSet, tiles: list[Tile], into: Path, seed: int, seat: int, *, drawn: bool = True
) -> Photograph:
    """Some tiles in a row on such a table; all seats' with the same seed lie on one table."""
    scene = Scene(tuple(_row([tiles], 0.0)))
    return _photographed(
        rules, scene, into, Random(f"row-{rules.id}-{seed}"), f"-{seat}", drawn=drawn
    )


def _photographed(
    rules: RuleSet, scene: Scene, into: Path, random: Random, whose: str = "", *, drawn: bool
) -> Photograph:
    seed = random.randrange(10_000_000, 20_000_000)  # far from those that trained anything
    widest = max(abs(each.x_mm) for each in scene.tiles) + PITCH_MM * 2
    wide = 1600
    px_per_mm = min(3.3, wide / (2 * widest)) * random.uniform(0.88, 1.0)
    lens = Lens((wide, 1200), px_per_mm, random.uniform(500, 800), random.uniform(0, 20))
    truth = tuple(_true(each, lens) for each in scene.tiles)
    faces = tuple(each for each in truth if each.tile is not Tile.BACK)
    backs = tuple(each for each in truth if each.tile is Tile.BACK)
    name = f"{rules.id}-{seed}{whose}"
    file = into / f"{name}.jpg"
    if drawn:
        _enlarge(Renderer(load_faces(), look_of(seed), lens, seed=seed).picture(scene), file)
    return Photograph(name, file, faces, frozenset(), backs=backs)


def _won_hand(
    rules: RuleSet, random: Random
) -> tuple[HandShown, tuple[Meld, ...], Tile | None] | None:
    """A win without eggs, that the judge accepts without more being known."""
    events, _ = play_hand(rules, TableState(), random)
    state = TableState()
    for event in events:
        if isinstance(event, HandShown):
            melds = state.seats[event.seat].melds
            plain = not event.rush and len(state.declared) == 1
            if not plain or any(meld.kind is MeldKind.LUCKY_EGG for meld in melds):
                return None
            if not _wins_plainly(rules_in_force(state), event, melds, state):
                return None
            turned = state.indicators[0].tile if state.indicators and rules.wilds else None
            return event, melds, turned
        state = apply(state, event)
    return None


def _wins_plainly(
    rules: RuleSet, event: HandShown, melds: tuple[Meld, ...], state: TableState
) -> bool:
    shown = ShownHand(
        event.concealed,
        event.winning_tile,
        1,
        0,  # whoever wins in the photograph's hand, it need not be who dealt
        melds=melds,
        self_drawn=event.self_drawn,
        discarder=None if event.self_drawn else DISCARDER,
        wilds=state.wilds,
        prevailing=Tile.EAST,
    )
    return judge(rules, shown).valid


def _laid(shown: HandShown, melds: tuple[Meld, ...]) -> Scene:
    """The hand in a row, the winning tile a little aside, melds with gaps in a row above."""
    concealed = sorted(shown.concealed)
    concealed.remove(shown.winning_tile)
    row = [[*concealed], [shown.winning_tile]]
    placed = _row(row, -ROW_MM / 2 if melds else 0.0)
    for at in range(0, len(melds), 3):
        sets = [_as_laid(meld) for meld in melds[at : at + 3]]
        placed += _row(sets, ROW_MM * (0.5 + at // 3))
    return Scene(tuple(placed))


def _as_laid(meld: Meld) -> list[Tile]:
    if meld.kind is MeldKind.KONG_CONCEALED:
        return [Tile.BACK, meld.tiles[1], meld.tiles[2], Tile.BACK]
    return list(meld.tiles)


def _row(groups: list[list[Tile]], y_mm: float) -> list[PlacedTile]:
    width = sum(len(group) for group in groups) * PITCH_MM + (len(groups) - 1) * GAP_MM
    x, placed = -width / 2 + PITCH_MM / 2, []
    for group in groups:
        for tile in group:
            placed.append(PlacedTile(tile, x, y_mm))
            x += PITCH_MM
        x += GAP_MM
    return placed


def _true(piece: PlacedTile, lens: Lens) -> TrueTile:
    wide, high = lens.size_wh
    corners = [
        lens.project(piece.x_mm + dx, piece.y_mm + dy) for dx in (-13, 13) for dy in (-17, 17)
    ]
    xs, ys = [x / wide for x, _ in corners], [y / high for _, y in corners]
    return TrueTile(piece.tile, (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))


def _enlarge(image: cv2.typing.MatLike, path: Path) -> None:
    """As large as a phone's own picture, of the same shape or its own."""
    height, width = image.shape[:2]
    wide, high = TWELVE_MEGAPIXELS
    scale = (wide * high / (width * height)) ** 0.5
    size = (round(width * scale), round(height * scale))
    large = cv2.resize(image, size, interpolation=cv2.INTER_CUBIC)
    cv2.imwrite(str(path), large, [cv2.IMWRITE_JPEG_QUALITY, 90])
