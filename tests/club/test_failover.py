"""Faults of servers, hubs, clocks, cables and disks: nothing that was acknowledged is lost."""

import pytest

from tests.club import faults


@pytest.mark.timeout(1200)  # a minute on a quiet machine
def test_ten_faults_lose_nothing_double_nothing_and_give_nothing_to_others() -> None:
    """After each of them every table goes on."""
    chosen = (
        faults.hub_killed, faults.clock_moved, faults.failed_over, faults.old_returned,
        faults.both_primary, faults.primary_frozen, faults.standby_killed, faults.network_cut,
        faults.restored, faults.disk_filled,
    )  # fmt: skip
    done = faults.run(chosen, seed=7, tables=6)
    assert done.wrong == []
    assert len(done.again_s) == len(chosen)
    assert any(session for table in done.tables for session, _ in table.points)  # they were seated
