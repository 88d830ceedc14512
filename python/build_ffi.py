"""Writes the C source of the extension module besd._besd.

The declarations that cffi needs are the public headers themselves, run through the compiler's
preprocessor: nothing is retyped, so a new function, field or enumerator is there after a rebuild.

usage: build_ffi.py COMPILER INCLUDE_DIR OUTPUT.c
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from cffi import FFI

HEADERS = ("besd/besd.h", "besd/run.h", "besd/domain.h")

# cffi knows these types by itself; their headers must not be expanded.
SYSTEM_HEADERS = ("stdbool.h", "stddef.h", "stdint.h")

# What C calls back, defined in Python (_acts.py).
CALLBACKS = 'extern "Python" bool besd_python_visit(void *context, const besd_event *event);'

# Declared for the authors of plugins, who define it; the library does not.
DEFINED_BY_OTHERS = ("besd_env_plugin",)


def preprocess(compiler: str, include_dir: str, *flags: str) -> str:
    with tempfile.TemporaryDirectory() as empty:
        for name in SYSTEM_HEADERS:
            (Path(empty) / name).touch()
        command = [compiler, "-E", "-P", "-nostdinc", "-undef", *flags, f"-I{empty}", f"-I{include_dir}", "-xc", "-"]
        source = "".join(f'#include "{name}"\n' for name in HEADERS)
        return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def declarations(compiler: str, include_dir: str) -> str:
    """The C declarations of the headers, and their macros that are whole numbers."""
    macros = re.findall(
        r"^#define (BESD_\w+) (\d+)u?$", preprocess(compiler, include_dir, "-dM"), flags=re.MULTILINE
    )
    constants = "".join(f"#define {name} {value}\n" for name, value in macros)
    text = preprocess(compiler, include_dir)
    text = re.sub(r"static inline[^{]*\{[^}]*\}", "", text)  # what C programs compile themselves
    for name in DEFINED_BY_OTHERS:
        text = re.sub(rf"[^;{{}}]*\b{name}\([^;]*;", "", text)
    return constants + text


def main(compiler: str, include_dir: str, output: str) -> None:
    ffi = FFI()
    ffi.cdef(declarations(compiler, include_dir) + CALLBACKS)
    ffi.set_source("besd._besd", "".join(f"#include <{name}>\n" for name in HEADERS))
    ffi.emit_c_code(output)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
