"""The networks in the repository: what the manifest says, and equal to ultralytics' reading."""

import re
import sys
import tomllib
import warnings
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from bench.live.hands import APART, WantedHands, follow_hands
from models.evaluate import match
from models.export import WEIGHTS
from models.pictures import LABELS
from models.tables import compose_table, one_of
from models.world import (
    BODIES,
    CORNER_OFF_MM,
    LIT,
    SIZES_WH,
    Back,
    WorldLooks,
    clutter,
    is_held_out,
    is_mixture_held_out,
    is_rarer_held_out,
    look_from,
    tapped_corners,
    tile_scale,
    tilt_from,
    world_lens,
    world_look,
)
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.tiles.tile import Tile
from table_assist.twin import optics
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import (
    ClothPattern,
    EmblemKind,
    EmblemPlace,
    Optics,
    TableLook,
    look_of,
)
from table_assist.twin.render import Renderer
from table_assist.twin.river import Fit
from table_assist.twin.scene import TABLE_MM, PlacedTile, Scene
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import OnnxDetector
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.recognise import LABELS as RUNTIME_LABELS
from table_assist.vision.reading.weights import load_weights
from table_assist.vision.table.calibration import LEAST_PX_PER_TILE, Calibration
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at


def composed(seed: int) -> tuple[Image, np.ndarray]:
    """A table of our own faces only: the training data need not be there."""
    sets = one_of([load_faces()])
    image, rows = compose_table(np.random.default_rng(seed), sets, from_seat=False)
    return image, np.array([row.split() for row in rows], np.float64)


def test_the_weights_are_the_manifests_and_stay_under_15_megabytes() -> None:
    load_weights()  # raises when a sha256 differs
    manifest = tomllib.loads((WEIGHTS / "manifest.toml").read_text(encoding="utf-8"))
    parts = [manifest["detector"], manifest["recogniser"]]
    sizes = [(WEIGHTS / part["file"]).stat().st_size for part in parts]
    assert sizes == [part["size"] for part in parts]
    assert sum(sizes) < 15_000_000


def test_training_and_runtime_number_the_labels_alike() -> None:
    assert tuple(LABELS) == RUNTIME_LABELS


def test_no_path_of_the_exporting_machine_is_in_the_weights() -> None:
    for part in ("detector", "recogniser"):
        content = (WEIGHTS / f"{part}.onnx").read_bytes()
        for trace in (b"site-packages", b"/home/", b"/root/", b"/tmp/"):
            assert trace not in content, f"{part} holds {trace!r}"
        # Three bytes alone are found by chance among ten million.
        assert not re.search(rb"\w{2}\.py\b", content), f"{part} names a source file"


@pytest.fixture(scope="module")
def ultralytics_model() -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ultralytics import YOLO

        return YOLO(str(WEIGHTS / "detector.onnx"), task="detect")


@pytest.mark.parametrize(("seed", "size_wh"), [(14, (640, 640)), (15, (560, 400)), (8, (700, 900))])
def test_detections_equal_ultralytics_predict(
    ultralytics_model: object, seed: int, size_wh: tuple[int, int]
) -> None:
    image = np.asarray(cv2.resize(composed(seed)[0], size_wh), np.uint8)
    weights = load_weights().detector
    own = OnnxDetector(weights, threads=1).detect(image)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (theirs,) = ultralytics_model.predict(  # type: ignore[attr-defined]
            image,
            imgsz=640,
            conf=weights.score_threshold,
            iou=weights.nms_iou,
            max_det=300,
            device="cpu",
            verbose=False,
            save=False,
        )
    boxes = theirs.boxes.xyxy.numpy()
    assert len(own) == len(boxes) > 0
    order = theirs.boxes.conf.numpy()
    pairs = match(boxes.astype(float), own.xyxy.astype(float))
    assert len(pairs) == len(boxes)
    for row, column in pairs:
        low = np.maximum(boxes[row, :2], own.xyxy[column, :2])
        high = np.minimum(boxes[row, 2:], own.xyxy[column, 2:])
        shared = np.prod(high - low)
        areas = [np.prod(box[2:] - box[:2]) for box in (boxes[row], own.xyxy[column])]
        assert shared / (sum(areas) - shared) > 0.98
        assert abs(order[row] - own.score[column]) < 0.01


def test_the_networks_read_most_of_a_drawn_table_and_guess_little() -> None:
    """Not the model card's figure: a floor under which the weights are broken."""
    reader = open_reader(threads=1)
    found = right = wrong = total = 0
    for seed in (4, 14, 16):
        image, labels = composed(seed)
        centre, half = labels[:, 1:3] * 640, labels[:, 3:5] * 320
        truth = np.concatenate([centre - half, centre + half], axis=1)
        readings = reader.read(image)
        boxes = readings.polygons[:, [0, 2]].reshape(-1, 4)
        total += len(truth)
        for row, column in match(truth, boxes.astype(float)):
            found += 1
            expected, read = LABELS[int(labels[row, 0])], readings.labels[column]
            right += read == expected
            wrong += read not in (expected, "?")
    assert found > 0.8 * total
    assert right > 0.6 * total
    assert wrong < 0.06 * total


CAMERA = Lens(size_wh=(480, 480), px_per_mm=0.55)
FACES = load_faces(needed=(Tile.P5, Tile.RED))
CLEAR = replace(look_of(3), optics=Optics(noise=0.0, jitter_px=0.0, jpeg_quality=0, glare=0.0))


def test_a_tenth_of_the_kinds_of_tables_is_held_out() -> None:
    kinds = [(pattern, back) for pattern in ClothPattern for back in Back]
    held = [kind for kind in kinds if is_held_out(*kind)]
    assert 0.08 <= len(held) / len(kinds) <= 0.12
    assert len({pattern for pattern, _ in held}) == len(held), "no pattern is held out whole"


def test_what_is_held_out_is_drawn_only_where_it_is_asked_for() -> None:
    """Of each held-out pair of a pattern and a back, no evening of the rest has the pattern and
    that colour together."""
    plain_black = [world_look(seed, held=True) for seed in range(1, 120, 2)]
    patterns = {look.pattern for look in plain_black}
    assert patterns == {p for p in ClothPattern if any(is_held_out(p, b) for b in Back)}
    for seed in range(300):
        look = world_look(seed, held=False)
        if look.pattern is ClothPattern.PLAIN:  # whose black backs are held out
            assert sum(look.back) > 140 or sum(look.felt) < 160


def test_a_tenth_of_all_other_mixtures_is_held_out_too() -> None:
    """Bodies, plates, lights, lenses and prints: each kind comes on both sides."""
    rest = [world_look(seed, held=False) for seed in range(300)]
    held = [world_look(seed, held=True) for seed in range(0, 300, 2)]
    assert not any(map(is_mixture_held_out, rest))
    assert all(map(is_mixture_held_out, held))
    by_pair = [world_look(seed, held=True) for seed in range(1, 600, 2)]
    assert 0.05 <= sum(map(is_mixture_held_out, by_pair)) / len(by_pair) <= 0.15
    for looks in (rest, held):
        assert {look.ivory for look in looks} == set(BODIES)
        assert {look.optics.mirror > 0 for look in looks} == {True, False}


def test_every_pattern_comes_and_the_same_seed_is_the_same_look() -> None:
    looks = [world_look(seed, held=False) for seed in range(200)]
    counts = Counter(look.pattern for look in looks)
    assert set(counts) == set(ClothPattern)
    assert min(counts.values()) >= 15
    assert looks == [world_look(seed, held=False) for seed in range(200)]
    assert look_from(WorldLooks.USUAL, 7) == look_of(7)
    assert (
        look_from(WorldLooks.HELD_OUT, 7)
        == world_look(7, held=True)
        != look_from(WorldLooks.WORLD, 7)
    )


def test_things_lie_where_no_tiles_lie() -> None:
    kinds = set()
    for seed in range(60):
        things = clutter(seed)
        assert things == clutter(seed)
        for thing in things:
            x, y = np.mean(thing.polygon_mm, axis=0)
            kinds.add(thing.height_mm)
            is_beside = max(abs(x), abs(y)) > TABLE_MM / 2
            assert is_beside or zone_at(x, y, Layout()).kind is ZoneKind.ELSEWHERE
    assert len(kinds) == 6, "cups, phones, snacks, chips, coins and their edges"


def test_cameras_of_all_sizes_hang_not_quite_straight_and_see_the_whole_table() -> None:
    lenses = [world_lens(Lens(), seed) for seed in range(80)]
    assert {lens.size_wh for lens in lenses} == set(SIZES_WH)
    for lens in lenses:
        corners = np.array(lens.corners_px())
        assert (corners >= 0).all()
        assert (corners <= lens.size_wh).all()
    assert np.ptp([lens.turn_deg for lens in lenses]) > 5


def test_tiles_of_the_world_are_24_to_44_mm_long_on_the_tables_that_people_have_for_them() -> None:
    scales = [tile_scale(WorldLooks.WORLD, seed) for seed in range(400)]
    assert Fit(min(scales)).scale < 0.75
    assert Fit(max(scales)).scale > 1.1, "and all of them fit on the table"
    assert 0.88 < np.median(scales) < 0.98
    assert {tile_scale(WorldLooks.USUAL, seed) for seed in range(20)} == {1.0}
    assert scales[7] == tile_scale(WorldLooks.WORLD, 7) == tile_scale(WorldLooks.HELD_OUT, 7)


def test_cameras_of_the_world_look_askew_by_up_to_35_degrees_or_not_at_all() -> None:
    tilts = [tilt_from(WorldLooks.WORLD, seed) for seed in range(200)]
    assert 0.3 < np.mean([tilt == 0 for tilt in tilts]) < 0.5
    assert 30 < max(tilts) <= 35
    assert {tilt_from(WorldLooks.USUAL, seed) for seed in range(20)} == {0.0}


def test_a_camera_askew_sees_the_whole_table_and_small_tiles_as_wide_as_they_must_be() -> None:
    for seed in range(60):
        scale, tilt = tile_scale(WorldLooks.WORLD, seed), tilt_from(WorldLooks.WORLD, seed)
        lens = world_lens(Lens(), seed, scale=scale, tilt_deg=tilt)
        assert lens.tilt_deg == tilt
        corners = np.array(lens.corners_px())
        assert (corners >= 0).all()
        assert (corners <= lens.size_wh).all()
        assert Calibration(lens.corners_px()).px_per_mm * 26 * scale >= LEAST_PX_PER_TILE


@pytest.mark.parametrize("seed", [14549, 14572, *range(20)])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 35.0])
def test_the_program_begins_before_every_camera_of_the_world(seed: int, tilt: float) -> None:
    """By the corners as they are tapped, and with large tiles, too: it does not know their size."""
    lens = world_lens(Lens(), seed, scale=tile_scale(WorldLooks.WORLD, seed), tilt_deg=tilt)
    Calibration(tapped_corners(lens, look_from(WorldLooks.WORLD, seed), seed))


def test_corners_are_tapped_beside_where_they_are_by_a_centimetre_at_most() -> None:
    lens, off = Lens(), []
    for seed in range(30):
        tapped = np.array(tapped_corners(lens, CLEAR, seed))
        off += (np.linalg.norm(tapped - lens.corners_px(), axis=1) / lens.px_per_mm).tolist()
    assert 5 < max(off) <= CORNER_OFF_MM
    assert np.mean(off) > 2


def without(look: TableLook) -> TableLook:
    optics = replace(look.optics, stream_mbit=0.0, glow=0.0)
    return replace(look, emblem=None, glass=None, grain=0.0, optics=optics)


def kinds_of(look: TableLook) -> tuple[bool, ...]:
    return look.emblem is not None, look.glass is not None, look.optics.stream_mbit > 0


@pytest.mark.parametrize(
    ("seed", "felt", "back", "noise"),
    [(9941, (128, 83, 38), (120, 79, 36), 4.8), (9954, (128, 80, 37), (43, 45, 45), 4.9)],
)
def test_evenings_that_were_played_before_have_the_look_that_they_had(
    seed: int, felt: object, back: object, noise: float
) -> None:
    look = world_look(seed, held=False)
    assert (look.felt, look.back, round(look.optics.noise, 1)) == (felt, back, noise)


def test_every_kind_comes_and_a_tenth_of_their_mixtures_is_held_out() -> None:
    rest = [world_look(seed, held=False) for seed in range(250)]
    every = [world_look(seed, held=True) for seed in range(700) if seed % 3]
    held = [world_look(seed, held=True) for seed in range(0, 450, 3)]
    assert not any(map(is_rarer_held_out, rest))
    assert all(map(is_rarer_held_out, held))
    some = [look for look in every if any(kinds_of(look))]
    assert 0.06 <= np.mean([is_rarer_held_out(look) for look in some]) <= 0.14
    for looks in (rest, held):
        for kind in range(3):
            assert {kinds_of(look)[kind] for look in looks} >= {True}
    assert {look.emblem.kind for look in rest if look.emblem} == set(EmblemKind)
    assert {look.emblem.place for look in rest if look.emblem} == set(EmblemPlace)
    counts = Counter(kinds_of(look) for look in rest)
    assert 0.25 < counts[False, False, False] / len(rest) < 0.45
    assert {look.glass.is_whole for look in rest if look.glass} == {True, False}
    assert any(look.grain > 0 for look in rest)
    assert {look.optics.glow > 0 for look in rest if max(look.plate) > LIT} == {True, False}
    assert not any(look.optics.glow for look in rest if max(look.plate) <= LIT)
    assert all(look_of(seed) == without(look_of(seed)) for seed in range(20))


def streamed(mbit: float, noise: float = 3.0) -> TableLook:
    return replace(CLEAR, optics=replace(CLEAR.optics, noise=noise, stream_mbit=mbit))


def test_the_same_stream_again_is_the_same_to_the_bit() -> None:
    scene = Scene((PlacedTile(Tile.P5, 0.0, 150.0),))
    one, other = (Renderer(FACES, streamed(2.0), CAMERA, 3) for _ in range(2))
    for _ in range(10):
        assert np.array_equal(one.picture(scene), other.picture(scene))


def test_a_noisy_camera_never_sends_the_very_same_picture_twice_through_a_stream() -> None:
    """By that a frozen camera is known."""
    renderer = Renderer(FACES, streamed(1.5, noise=1.4), CAMERA, 3)
    pictures = [renderer.picture(Scene()) for _ in range(10)]
    assert not any(np.array_equal(one, other) for one, other in pairwise(pictures))


def test_without_an_encoder_such_looks_are_refused_before_anything_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seed = next(s for s in range(50) if world_look(s, held=False).optics.stream_mbit > 0)
    plain = next(
        s
        for s in range(500)
        if not any(
            world_look(s + APART * n, held=False).optics.stream_mbit
            for n in range(len(rule_sets()))
        )
    )
    monkeypatch.setitem(sys.modules, "av", None)
    wanted = WantedHands(1, seed, real=True, looks=WorldLooks.WORLD)
    with pytest.raises(optics.NoCodecError, match=r"table-assist\[bench\]") as refused:
        next(follow_hands(wanted, [find_rules("changchun")]))
    assert "编码器" in refused.value.words.zh
    assert not replace(wanted, seed=plain).has_streams
    assert not replace(wanted, real=False).has_streams
    assert replace(wanted, seed=seed - 1, hands=9).has_streams, "the second evening has it"
