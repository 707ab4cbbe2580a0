"""Modelled eyes err as today's networks do; each table of the world was measured by itself."""

import hashlib

import pytest

from table_assist.bench.live.eyes import CAMERAS, dresses_of, rates_of
from table_assist.bench.live.hands import EyesFor, Wanted
from table_assist.bench.live.measure import TABLES, dresses_for
from table_assist.bench.live.rates import ANY_FACE, Measured, RatesError, load_rates, rates_path
from table_assist.twin.disturb import Spoiled
from table_assist.twin.world import Looks
from table_assist.vision.reading.weights import WEIGHTS

MEASURED = {looks: load_rates(rates_path(looks)) for looks in (Looks.USUAL, Looks.WORLD)}


@pytest.mark.parametrize("measured", MEASURED.values(), ids=MEASURED)
def test_the_rates_are_those_of_todays_networks(measured: Measured) -> None:
    """New networks err in another way: ``table-assist bench live measure`` finds out how."""
    files = sorted(WEIGHTS.glob("*.onnx"))
    shas = [hashlib.sha256(each.read_bytes()).hexdigest()[:12] for each in files]
    assert measured.networks == " ".join(shas)


@pytest.mark.parametrize("looks", MEASURED)
def test_every_camera_and_kind_of_picture_was_measured(looks: Looks) -> None:
    measured = MEASURED[looks]
    for camera in CAMERAS:
        for dress in dresses_of(measured):
            assert set(rates_of(measured, camera, dress)) == {str(each) for each in Spoiled}


def test_each_table_of_the_world_was_measured_by_itself() -> None:
    """At most tables hardly a face is misread, at a few many: an evening is played at one."""
    measured = MEASURED[Looks.WORLD]
    assert dresses_of(measured) == tuple(each.name for each in dresses_for(Looks.WORLD, None))
    amiss = []
    for dress in dresses_of(measured):
        faces = rates_of(measured, "overhead", dress)["clear"].outcomes[ANY_FACE]
        amiss.append(faces.wrong / faces.seen)
    assert len(amiss) == TABLES
    assert max(amiss) > 5 * sorted(amiss)[TABLES // 2]


def test_held_out_tables_are_neither_measured_nor_modelled() -> None:
    with pytest.raises(RatesError, match="nothing is tuned by them"):
        dresses_for(Looks.HELD_OUT, None)
    with pytest.raises(RatesError, match="--eyes real"):
        EyesFor(Wanted(1, looks=Looks.HELD_OUT))
