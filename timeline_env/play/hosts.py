"""Which addresses are this machine's own."""

from __future__ import annotations

import ipaddress


def is_address(name: str) -> bool:
    """Whether it is an IP address, which no other site's name can come to be."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that is bound there."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)
