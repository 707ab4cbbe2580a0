"""Under which address a table is found, with TLS or without, and whom it believes."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from table_assist.vision.enrolment.files import sets_folder
from web.access.guard import own_address
from web.access.trust import DIRECT, Trust, host_name, parse_trust
from web.authority import Tls, TlsError, given, own, own_names
from web.bridge import RequestWork
from web.serve import Serving, serve
from web.sockets import PlaceLimits

LOCAL = "127.0.0.1"
EVERYWHERE = "0.0.0.0"


@dataclass(frozen=True, slots=True)
class Reach:
    """The values of `--host`, `--port` and their like.

    Attributes:
        tls: None for none.
    """

    host: str = LOCAL
    port: int = 8000
    trust: Trust = DIRECT
    tls: Tls | None = None
    tls_port: int = 8443
    hsts: bool = False

    def serve(
        self,
        app: Flask,
        port: int | None = None,
        *,
        limits: PlaceLimits | None = None,
        work: RequestWork | None = None,
    ) -> Serving:
        """Serve the app there; limits and work as `web.serve.serve` has them.

        Raises:
            PortUnavailableError: it cannot be served there.
        """
        return serve(
            app,
            self.host,
            self.port if port is None else port,
            tls=self.tls,
            tls_port=self.tls_port,
            hsts=self.hsts,
            limits=limits,
            work=work,
        )

    def told(self, serving: Serving) -> list[str]:
        """The lines that tell the person at the terminal of it."""
        lines = []
        if serving.tls_url:
            lines.append(f"With TLS: {serving.tls_url}")
        if self.tls is not None and self.tls.authority:
            lines.append(f"Phones trust it first: {serving.url}trust")
            lines.append(f"The certificate's number is {self.tls.fingerprint}")
        if self.tls is not None and self.tls.left_out:
            lines.append(
                f"The certificate does not hold for {', '.join(self.tls.left_out)}: delete "
                f"{tls_folder()} for a new one, which phones must trust anew."
            )
        return lines


def reach_of(options: argparse.Namespace) -> Reach:
    """The options as they were given.

    Raises:
        TlsError, TrustError: they cannot be used.
    """
    trust = parse_trust(
        options.public_url,
        options.trusted_proxy,
        local_admin=not options.no_local_admin,
        framed_by=options.framed_by,
    )
    if (options.certificate is None) != (options.key is None):
        raise TlsError("--certificate and --key belong together")
    tls = None
    if options.certificate is not None:
        tls = given(options.certificate, options.key)
    elif options.tls:
        names = [options.host] if options.host not in ("", "0.0.0.0", "::") else []
        address = own_address()
        public = host_name(trust.public_host)
        tls = own(tls_folder(), own_names([*names, *filter(None, (address, public))]))
    return Reach(options.host, options.port, trust, tls, options.tls_port, options.hsts)


def tls_folder() -> Path:
    """Where this user's certificates are, for all tables."""
    return sets_folder().with_name("tls")


THIS_MACHINE = Reach()
