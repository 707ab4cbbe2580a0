"""The dashboard: a Flask app over whatever publishes snapshots."""

from flask import Flask

from web import api, guard, pages, stream
from web.source import TableSource

__all__ = ["TableSource", "create_app"]


def create_app(source: TableSource, host: str = "127.0.0.1") -> Flask:
    """The dashboard of one table.

    Args:
        source: the session; called from many threads.
        host: the address the app will be served on; requests under other names are refused.
    """
    app = Flask(__name__)
    guard.init_app(app, host)
    pages.init_app(app)
    api.init_app(app, source)
    stream.init_app(app, source)
    return app
