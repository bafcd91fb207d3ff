# SPDX-License-Identifier: MIT
"""The one door of the library: questions in words, answers in bytes, failures as exceptions."""
from __future__ import annotations

import threading
from typing import Mapping, NamedTuple, NoReturn, Optional, Sequence

from ._reckon import ffi, lib


class Error(Exception):
    """What the library says when it cannot answer.

    ``str(error)`` is the message of the command; ``mistakes`` shows what is wrong with a model file, place by place, or
    is None.
    """

    mistakes: Optional[str]

    def __init__(self, message: str, mistakes: Optional[str] = None):
        super().__init__(f"{message}\n{mistakes}" if mistakes else message)
        self.message = message
        self.mistakes = mistakes


class InputError(Error, ValueError):
    """The input is wrong: an unknown name, a model file, a config, a symbol."""


class UsageError(Error, TypeError):
    """There is no such option, command or format, or not with this value."""


class CountError(Error, OverflowError):
    """A number does not fit: counts have 128 bits."""


class OutOfMemoryError(Error, MemoryError):
    """Memory ran out."""


class FileError(Error, OSError):
    """A file cannot be read."""


class LimitError(Error, ValueError):
    """A limit was reached; the message names it."""


class NoNumberError(Error, ValueError):
    """A symbol has no number, or the numbers lead to none."""


class StoppedError(Error):
    """The budget of a question is spent."""


_ERRORS = {
    lib.RECKON_EINPUT: InputError,
    lib.RECKON_EUSAGE: UsageError,
    lib.RECKON_EOVERFLOW: CountError,
    lib.RECKON_ENOMEM: OutOfMemoryError,
    lib.RECKON_EIO: FileError,
    lib.RECKON_ELIMIT: LimitError,
    lib.RECKON_EVALUE: NoNumberError,
    lib.RECKON_ESTOPPED: StoppedError,
}


def text_of(pointer) -> Optional[str]:
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else None


def take_text(pointer) -> Optional[str]:
    """The text that a `char **` of the library's holds, which is freed."""
    text = text_of(pointer[0])
    lib.reckon_text_free(pointer)
    return text


def fail(code: int, error, mistakes: Optional[str] = None) -> NoReturn:
    raise _ERRORS.get(code, Error)(text_of(error.message) or "", mistakes)


def word(text: object) -> bytes:
    """One word of a question.  C ends a text at a NUL, so that a word cannot have one."""
    encoded = str(text).encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise InputError("a word has a NUL character in it")
    return encoded


# ---- Ctrl-C: a call-back is where Python hears of it ---------------------------------------------------------------------

_interrupted = threading.local()


def _stop(exception, value, traceback):
    _interrupted.by = value
    return 1


@ffi.def_extern(error=1, onerror=_stop)
def reckon_progress(self, done, all_of_it):
    return 0


class Reply(NamedTuple):
    text: str
    differs: bool
    unfit: bool


class Door:
    """Contexts that answer questions: one for each thread, which keeps the models that it opened.

    ``files`` are names with bytes that come before those of the disk; ``folder`` has model files and configs of one's
    own; ``budget`` is the work that one question may cost, in units of reckon.h.
    """

    def __init__(self, files: Optional[Mapping[str, bytes]] = None, folder: Optional[str] = None, budget: int = 0):
        self._files = dict(files or {})
        self._folder = folder
        self._budget = budget
        self._own = threading.local()

    def __reduce__(self):
        return Door, (self._files, self._folder, self._budget)

    def _context(self):
        if hasattr(self._own, "context"):
            return self._own.context[0]
        error = ffi.new("reckon_error *")
        setup = ffi.new("reckon_setup *")
        folder = ffi.new("char[]", word(self._folder)) if self._folder else ffi.NULL
        setup.models = folder
        setup.no_input = 1
        setup.progress = lib.reckon_progress
        setup.budget = self._budget
        context = ffi.gc(ffi.new("reckon_context **"), lib.reckon_context_free)
        code = lib.reckon_context_new(setup, context, error)
        for name, data in self._files.items():
            if code == lib.RECKON_OK:
                code = lib.reckon_context_file(context[0], word(name), data, len(data), len(data), error)
        if code != lib.RECKON_OK:
            fail(code, error)
        self._own.context = context
        return context[0]

    def ask(self, words: Sequence[object], format: Optional[str] = None) -> Reply:
        context = self._context()
        kept = [ffi.new("char[]", word(w)) for w in words]
        list_of_words = ffi.new("const char *[]", kept + [ffi.NULL])
        kind = ffi.new("char[]", word(format)) if format else ffi.NULL
        answer = ffi.gc(ffi.new("reckon_answer *"), lib.reckon_answer_free)
        error = ffi.new("reckon_error *")
        code = lib.reckon_ask(context, list_of_words, kind, answer, error)
        by = getattr(_interrupted, "by", None)
        if by is not None:
            _interrupted.by = None
            raise by
        if code != lib.RECKON_OK:
            fail(code, error, text_of(answer.mistakes))
        text = ffi.buffer(answer.text, answer.n_text)[:].decode("utf-8", "replace") if answer.text else ""
        return Reply(text, bool(answer.differs), bool(answer.unfit))
