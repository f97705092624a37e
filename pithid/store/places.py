"""Where the index is when the caller names none: the user's own, or the one shipped with the package."""

import os
import sys

_NAME = "index.sqlite3"
_STARTER = "starter.sqlite3"


def user_index() -> str:
    """Return the path of the user's index in the platform's data folder; nothing is made.

    On Linux the rule of platformdirs is followed without importing it, as that costs more than a look-up.
    """
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    if sys.platform != "linux" or not os.path.isabs(base):
        import platformdirs  # noqa: PLC0415 - late: see above

        return os.path.join(platformdirs.user_data_dir("pithid", appauthor=False), _NAME)
    return os.path.join(base, "pithid", _NAME)


def is_there(path: str) -> bool:
    """Tell whether a file is there.

    Raises:
        OSError: that cannot be told, as where a folder on the way may not be entered.
    """
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def file_uri(path: str, mode: str) -> str:
    """Return the URI by which sqlite3 opens a file in a mode such as `mode=ro`."""
    escaped = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{escaped}?{mode}"


def data_file(name: str) -> str:
    """Return the path of a shipped data file, in an installed package or in a checkout."""
    package = os.path.dirname(os.path.dirname(__file__))
    packaged = os.path.join(package, "data", name)
    return packaged if os.path.exists(packaged) else os.path.join(os.path.dirname(package), "data", name)


def starter_index() -> str:
    """Return the path of the shipped index of starter records, which never changes."""
    return data_file(_STARTER)
