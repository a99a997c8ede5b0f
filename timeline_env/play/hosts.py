"""Which addresses are this machine's own."""

from __future__ import annotations

import ipaddress
import socket


def is_address(name: str) -> bool:
    """Whether it is an IP address, which no other site can have as its name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that is bound there."""
    return host.lower() == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def reachable(host: str) -> str:
    """The address by which others reach a server that is bound there; for one that is bound everywhere, this machine's own."""
    if not is_address(host) or not ipaddress.ip_address(host).is_unspecified:
        return host
    # Nothing is sent: the system only says from which address it would be.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("2001:db8::1" if ":" in host else "192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:  # there is no network
            return "::1" if ":" in host else "127.0.0.1"
