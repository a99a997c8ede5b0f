"""Changes to one field of a position, for tests that what is spoilt is found out."""

from __future__ import annotations


def put(field, index, value):
    """What writes a value to one place of a field."""

    def spoil(s):
        s[field][index] = value

    return spoil


def set_field(field, value):
    """What writes a value to a whole field."""

    def spoil(s):
        s[field] = value

    return spoil
