"""A simulated load as wanted, and its result."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WantedLoad:
    """The wanted load.

    Attributes:
        base: the hub's database; empty for a new file.
        every_s: from one entry of a table to its next.
        backlog: entries that a table has already when it comes.
        late: so many tables come with the backlog, in the middle of the time; 0 for all of them.
        flood: each table sends its next entry as soon as the one before is acknowledged.
        requests: each batch is a request of its own; else tables keep a line open.
        kills: hub processes that are killed meanwhile, at random moments.
    """

    tables: int = 50
    seconds: float = 20.0
    every_s: float = 1.0
    hubs: int = 1
    backlog: int = 0
    late: int = 0
    flood: bool = False
    requests: bool = False
    kills: int = 0
    base: str = ""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Late:
    """Of tables that came with a backlog while others played; times in seconds.

    Attributes:
        first_s: of each, from its first live entry to its acknowledgement.
        others_before_s, others_beside_s: acknowledgements of the other tables.
    """

    first_s: tuple[float, ...]
    others_before_s: tuple[float, ...]
    others_beside_s: tuple[float, ...]

    @property
    def line(self) -> str:
        """The figures."""
        return (
            f"{len(self.first_s)} late tables: first live entry acknowledged after "
            f"{max(self.first_s, default=0.0):.2f} s at most; others before 95 of 100 within "
            f"{1000 * share(self.others_before_s, 0.95):.0f} ms, in the 3 s beside them "
            f"{1000 * share(self.others_beside_s, 0.95):.0f} ms"
        )


@dataclass(frozen=True, slots=True)
class Came:
    """The result; times in seconds.

    Attributes:
        waits_s: from each live entry to its acknowledgement.
        views_s: from each view, made at its table, to a page that watches.
        late: of the tables that came with a backlog in the middle; None where none did.
        caught_up_s: until every entry of before was there; 0 where there was none.
        lost, doubled: of the acknowledged entries, in the database.
        hub_processor_s, server_processor_s: of all hub processes, and of PostgreSQL.
        memory_mb: of the largest hub process, every second.
    """

    wanted: WantedLoad
    waits_s: tuple[float, ...]
    views_s: tuple[float, ...]
    seconds: float
    caught_up_s: float
    entries: int
    requests: int
    kills: int
    lost: int
    doubled: int
    hub_processor_s: float
    server_processor_s: float
    memory_mb: tuple[float, ...]
    late: Late | None = None

    @property
    def is_whole(self) -> bool:
        """Nothing is lost or doubled."""
        return not self.lost and not self.doubled

    @property
    def each_second(self) -> float:
        """Batches that were answered."""
        return self.requests / max(self.seconds, 0.001)

    @property
    def line(self) -> str:
        """The figures."""
        wanted = self.wanted
        caught = f"; caught up after {self.caught_up_s:.1f} s" if wanted.backlog else ""
        if self.late is not None:
            caught = f"; {self.late.line}"
        each_ms = 1000 * self.hub_processor_s / max(self.requests, 1)
        used = "" if self.kills else f"; {each_ms:.1f} ms of a hub's processor a batch"
        return (
            f"{wanted.tables} tables, {wanted.hubs} hub processes, {self.entries} entries in "
            f"{self.seconds:.1f} s ({self.requests} batches, {self.each_second:.0f} a second): "
            f"acknowledged median "
            f"{1000 * share(self.waits_s, 0.5):.0f} ms, 95 of 100 within "
            f"{1000 * share(self.waits_s, 0.95):.0f} ms, the longest "
            f"{1000 * share(self.waits_s, 1.0):.0f} ms; seen on a page: median "
            f"{1000 * share(self.views_s, 0.5):.0f} ms, 95 of 100 within "
            f"{1000 * share(self.views_s, 0.95):.0f} ms{caught}; {self.kills} kills; "
            f"{self.lost} lost, {self.doubled} doubled{used}; a hub holds "
            f"{' '.join(f'{each:.0f}' for each in self._quarters)} MB from quarter to quarter"
        )

    @property
    def _quarters(self) -> tuple[float, ...]:
        """The memory at the beginning, after each quarter of the time, and at the end."""
        every = self.memory_mb or (0.0,)
        return tuple(every[round(part * (len(every) - 1) / 4)] for part in range(5))


def share(values: tuple[float, ...], part: float) -> float:
    """The value that so great a part does not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0
