"""One request to an address of the settings: no redirects, an answer that ends, a limit in time."""

import http.client
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress

PIECE_WAIT_S = 10.0  # for each piece of an answer
POST_LONGEST_S = 30.0  # for all of it
MOST_REPLY_BYTES = 65_536  # of an answer


class NoAnswerError(Exception):
    """Nothing came that could be used; what stands after "the one who was asked"."""


def post(
    url: str, body: bytes, headers: Mapping[str, str], *, wait_s: float = PIECE_WAIT_S
) -> bytes:
    """Send the body; what a good answer (2xx) holds.

    Raises:
        NoAnswerError: it cannot be reached, refuses, leads elsewhere, or does not end.
    """
    try:
        request = urllib.request.Request(url, body, dict(headers))
        with _opener().open(request, timeout=wait_s) as answer:
            until, got = time.monotonic() + POST_LONGEST_S, bytearray()
            while part := answer.read1(4096):
                got += part
                if len(got) > MOST_REPLY_BYTES or time.monotonic() > until:
                    raise ValueError("its answer does not end")
            return bytes(got)
    except urllib.error.HTTPError as error:
        error.close()
        raise NoAnswerError(f"answers {error.code}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoAnswerError(f"does not answer: {error}") from error


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The settings name who is asked; an answer names no other."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class _Timed(http.client.HTTPConnection):
    """Gives up on an answer whose head does not end."""

    def getresponse(self) -> http.client.HTTPResponse:
        is_late = threading.Event()
        timer = threading.Timer(POST_LONGEST_S, _hang_up, (self.sock, is_late))
        timer.daemon = True
        timer.start()
        try:
            answer = super().getresponse()
        finally:
            timer.cancel()
        if is_late.is_set():  # a head that was cut off reads like a whole one
            raise TimeoutError("the head of its answer does not end")
        return answer


def _hang_up(line: socket.socket, is_late: threading.Event) -> None:
    is_late.set()
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


class _TimedTls(_Timed, http.client.HTTPSConnection):
    pass


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Timed, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_TimedTls, req)


def _opener() -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()  # without files, ftp and what else there is
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        _Http(),
        _Https(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
        _NoRedirects(),
    ):
        opener.add_handler(handler)
    return opener
