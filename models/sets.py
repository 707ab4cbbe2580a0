"""Which tile faces an evening is played with: a folder's, or of many sets one by the seed.

Some sets are held out, by a rule and no list: nobody plays with them while mending, and no training
reads them. They come with held-out looks only.
"""

from collections.abc import Sequence, Set
from pathlib import Path
from zlib import crc32

import numpy as np

from models.world import WorldLooks
from table_assist.tiles.tile import Tile
from table_assist.twin.faces import FacesError, FaceSet, faces_in, load_faces

# Of all names of sets one in eleven, by this remainder: two of the published ones that we know of.
SET_PARTS, HELD_SET = 11, 2


def is_set_held_out(name: str) -> bool:
    """Whether a tile set of that name is only measured on."""
    return crc32(name.encode()) % SET_PARTS == HELD_SET


def faces_for(
    folder: Path | None,
    looks: WorldLooks,
    seed: int,
    *,
    needed: Sequence[Tile],
    all_of: Sequence[Tile],
) -> FaceSet:
    """The faces of an evening.

    Args:
        folder: one set, or a folder in which sets lie, at most two folders deep; None: our own.
        needed: faces without which one set is of no use.
        all_of: faces that a set must have to be drawn from many.

    Raises:
        FacesError: there is none, it lacks faces, or it is held out.
    """
    is_held = looks is WorldLooks.HELD_OUT
    if folder is None:
        return load_faces(needed=needed)
    if faces_in(folder):
        if is_set_held_out(folder.name) and not is_held:
            raise FacesError(
                f"the tile set {folder.name!r} is held out: play with it by --looks held-out"
            )
        return load_faces(folder, needed=needed)
    wanted = {tile for tile in all_of if tile.is_face}
    sets = [each for each in sets_below(folder, wanted) if is_set_held_out(each.name) is is_held]
    if not sets:
        which = "held-out" if is_held else "other than a held-out"
        raise FacesError(f"below {str(folder)!r} there is no {which} set with all faces")
    rng = np.random.default_rng((seed, 0x5E75))
    return load_faces(sets[int(rng.integers(len(sets)))], needed=needed)


def sets_below(folder: Path, wanted: Set[Tile]) -> list[Path]:
    """Folders with all these faces, by name."""
    below = (path for depth in ("*", "*/*") for path in folder.glob(depth) if path.is_dir())
    return sorted(path for path in below if wanted <= faces_in(path))
