"""Patterns that are compiled on first use: a look-up needs few of them, and compiling all takes longer than most."""

import re
from typing import cast

_METHODS = ("search", "match", "fullmatch", "finditer", "sub")


class _Ready:
    """Holds the methods of a compiled pattern."""


class _Late(_Ready):
    """Stands in for a pattern until the first use."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.source = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self.source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        self.__class__ = _Ready  # type: ignore[assignment] # attributes are found faster where there is no __getattr__
        return getattr(compiled, name)


def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what searches and matches as `re.compile(pattern, flags)` does, and compiles when that is first asked."""
    return cast("re.Pattern[str]", _Late(pattern, flags))
