"""The turned tile and the treasure, as the camera comes to see them."""

from table_assist.following.indicators import stack_mm
from table_assist.tiles.tile import parse_tile
from table_assist.vision.table.observation import SeenTile
from tests.following.test_infer import tile


def in_wall(face: str, seat: int = 0, stack: int = 3) -> list[SeenTile]:
    x, y = stack_mm((17, 17, 17, 17), seat, stack)
    return [tile(parse_tile(face), x, -y, 0)]


def standing(stacks: int) -> list[SeenTile]:
    return [back for n in range(stacks) for back in in_wall("#", n // 14, 1 + n % 14)]
