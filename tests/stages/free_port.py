"""A port of this machine for a program that binds it by itself."""

import socket

_HELD: list[socket.socket] = []


def free_port() -> int:
    """Nobody is given it by chance before: it stays bound here, which hinders no server."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    _HELD.append(held)
    return int(held.getsockname()[1])
