"""The command line that comes with the package: `besd`."""

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

from ._errors import UnsupportedError


def path() -> str:
    """Where the tool is: inside the package, or on the path when the package was built without it."""
    own = Path(__file__).parent / "bin" / "besd"
    if own.exists():
        return str(own)
    # The entry point of this package must not find itself.
    here = Path(sys.argv[0]).resolve()
    found = shutil.which("besd")
    if found is None or Path(found).resolve() == here:
        raise UnsupportedError("besd: the tool is neither in the package nor on the path; 'make install' puts it there")
    return found


def main() -> NoReturn:
    """The entry point `besd`: becomes the tool."""
    try:
        tool = path()
    except UnsupportedError as error:
        sys.exit(str(error))
    os.execv(tool, ["besd", *sys.argv[1:]])
