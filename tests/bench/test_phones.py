"""What is counted of two phones over one table."""

import pytest

from bench.phones import PhonesBench, PhonesTally, bench_phones


def test_a_tally_s_line_has_every_figure() -> None:
    tally = PhonesTally(tiles=10, right=6, unread=1, wrong=1, unseen=1, missed=1, surplus=2)
    line = tally.line("both together")
    assert "6 of 10 right (60.0 %)" in line
    assert "1 '?', 1 told as unseen, 1 missed, 1 wrong, 2 surplus" in line


@pytest.mark.slow
def test_what_one_phone_misses_is_never_missed_in_silence_by_both() -> None:
    bench = bench_phones(1, first=7, moments=2)
    assert bench.free.right == bench.free.tiles == bench.both.tiles > 10
    assert bench.both.wrong == bench.both.missed == 0
    assert bench.both.right >= bench.under_arm.right
    assert len(list(bench.lines())) == len(list(PhonesBench().lines()))
