"""Figures for monitoring at /metrics, in Prometheus' text format; for the admin only.

Nothing of the play is in them: no tile, no seat, no name.
"""

from collections.abc import Callable, Iterator

from flask import Blueprint, Flask, Response, current_app
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from table_assist.health.measuring import Figures
from table_assist.upkeep.table_service import TableService
from web.access.roles import Role, require

blueprint = Blueprint("metrics", __name__)
PREFIX = "table_assist_"


def init_app(app: Flask, table_service: TableService) -> None:
    """Give the app its figures, in a registry of its own: two apps of one process stay apart."""

    def now() -> Figures:
        viewers = app.extensions.get("viewers")
        return table_service.figures(0 if viewers is None else viewers.count)

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Table(now))
    app.extensions["metrics"] = registry
    app.register_blueprint(blueprint)


@blueprint.get("/metrics")
@require(Role.ADMIN)
def metrics() -> Response:
    """All figures as text."""
    registry: CollectorRegistry = current_app.extensions["metrics"]
    text = generate_latest(registry)
    return Response(text, 200, {"Cache-Control": "no-store"}, content_type=CONTENT_TYPE_LATEST)


class _Table(Collector):
    """Asks for the figures whenever somebody scrapes."""

    def __init__(self, now: Callable[[], Figures]) -> None:
        self._now = now

    def collect(self) -> Iterator[Metric]:
        figures = self._now()
        info = GaugeMetricFamily(
            f"{PREFIX}info", "The program's version; always 1.", labels=["version"]
        )
        info.add_metric([figures.program], 1)
        yield info
        for name, what, value in (
            ("start_time_seconds", "When following the table began.", figures.started_s),
            ("questions_open", "Questions that wait for an answer.", figures.questions_open),
            ("session_queue_items", "Readings that wait to be processed.", figures.queue),
            ("disk_free_bytes", "Free on the log's disk.", figures.disk_free_bytes),
            ("log_size_bytes", "Of the log's file.", figures.log_bytes),
            ("live_viewers", "Who watch the dashboard live.", figures.viewers),
            ("temperature_celsius", "Of the processor.", figures.temperature_c),
            ("backup_time_seconds", "When the newest backup was made.", figures.backup_s),
        ):
            if value is not None:
                yield GaugeMetricFamily(f"{PREFIX}{name}", what, value)
        live = GaugeMetricFamily(
            f"{PREFIX}source_live", "1 while a source is live, else 0.", labels=["source"]
        )
        for source, value in figures.sources.items():
            live.add_metric([source], value)
        yield live
        for name, what, value in (
            ("pictures", "New pictures of the camera.", figures.pictures),
            ("pictures_skipped", "Pictures that nobody looked at.", figures.pictures_skipped),
            ("detector_passes", "Passes of the detector.", figures.passes),
            ("detector_seconds", "Seconds that they took together.", figures.pass_seconds),
            ("readings_healed", "What a second look saw otherwise.", figures.healed),
            ("hands", "Hands that are over.", figures.hands),
            ("questions", "Questions that were asked.", figures.questions_asked),
        ):
            if value is not None:
                yield CounterMetricFamily(f"{PREFIX}{name}", what, value)
        for name, what, label, values in (
            ("entries", "Entries of the log, by who said so.", "source", figures.entries),
            ("board_frames", "Lines of the board, by what became of them.", "kind", figures.frames),
        ):
            family = CounterMetricFamily(f"{PREFIX}{name}", what, labels=[label])
            for key, count in values.items():
                family.add_metric([key], count)
            yield family
