# SPDX-License-Identifier: MIT
"""``python -m reckon`` is the command."""
import signal
import sys
from typing import NoReturn

from ._door import word
from ._reckon import ffi, lib


def main() -> NoReturn:
    # A reader that has seen enough ends the command, as it does for any other program.
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    words = [ffi.new("char[]", word(w)) for w in ["reckon", *sys.argv[1:]]]
    sys.stdout.flush()
    sys.exit(lib.reckon_command(len(words), ffi.new("char *[]", words + [ffi.NULL])))


if __name__ == "__main__":
    main()
