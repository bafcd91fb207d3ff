# SPDX-License-Identifier: MIT
"""Writes the C source of the extension: wrap.py RECKON_H OUTPUT.

What the package may call is what reckon.h declares, and nothing is declared a second time: the header is read, less its
comments and what only a C compiler understands.
"""
import re
import sys

import cffi


def declarations(header):
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"^#(?:include|ifndef|endif)\b.*$|^#define RECKON_H$", "", text, flags=re.M)
    return text


# `put` and `progress` of a setup; the command of the line, which is the same as the program's.
OWN = """
extern "Python" int reckon_progress(void *self, double done, double all);
int reckon_command(int argc, char **argv);
"""


def main():
    header, output = sys.argv[1:3]
    ffi = cffi.FFI()
    with open(header, encoding="utf-8") as f:
        ffi.cdef(declarations(f.read()))
    ffi.cdef(OWN)
    ffi.set_source("reckon._reckon", '#include "reckon.h"\nint reckon_command(int argc, char **argv);\n', py_limited_api=True)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
