"""Columns that C hands over by Arrow's C data interface: to Arrow's libraries as they are, to numpy without a copy.

Whoever takes a stream by __arrow_c_stream__ (pyarrow.table(x), polars, DuckDB, newer pandas) owns its memory; an array of
arrays() keeps it as long as it lives.
"""

from __future__ import annotations

import ctypes
from typing import Any, Callable

import numpy

from cosched._core import InputError, fail, ffi
from cosched._types import Arrays, Frame

_NAME = b"arrow_array_stream"
_TYPES = {"i": "i4", "l": "i8", "g": "f8"}
_streams = {}  # address: the struct that a capsule points to


def stream(call: Callable[..., Any], *arguments: object, given: Any = None) -> Any:
    """The stream that a function of the library makes, of inputs that came without a file."""
    out, err = ffi.new("struct ArrowArrayStream *"), ffi.new("struct cs_error *")
    if call(*arguments, out, err):
        fail(err, given)
    return out


_destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _destructor)(("PyCapsule_New", ctypes.pythonapi))


def _end(capsule, pointer=_pointer, name=_NAME, streams=_streams):
    _release(streams.pop(pointer(capsule, name)))


_ended = _destructor(_end)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_ended))  # capsules may live until Python ends


def _release(out):
    if out.release:
        out.release(out)


def capsule(out: Any, requested_schema: object = None) -> object:
    """The stream as Arrow's PyCapsule interface wants it; who takes it may ask for no other types."""
    if requested_schema is not None:
        raise NotImplementedError("columns have the types they have; cast them afterwards")
    address = int(ffi.cast("uintptr_t", out))
    _streams[address] = out
    return _capsule(address, _NAME, _ended)


class _Batch:
    """A schema and an array, released when the last numpy array over them is gone."""

    def __init__(self, out):
        self.schema, self.array = ffi.new("struct ArrowSchema *"), ffi.new("struct ArrowArray *")
        try:
            if out.get_schema(out, self.schema) or out.get_next(out, self.array):
                raise InputError(ffi.string(out.get_last_error(out)).decode())
        finally:
            _release(out)

    def __del__(self):
        for one in (self.schema, self.array):
            if one.release:
                one.release(one)


class _Buffer:
    """Memory of a batch, as numpy wants to see it."""

    def __init__(self, batch, pointer, count, kind):
        self.batch = batch
        self.__array_interface__ = {"shape": (count,), "typestr": "<" + kind if kind != "u1" else "|u1",
                                    "data": (int(ffi.cast("uintptr_t", pointer)), True), "version": 3}


def _view(batch, pointer, count, kind):
    return numpy.asarray(_Buffer(batch, pointer, count, kind)) if count else numpy.empty(0, kind)


def _valid(batch, array):
    if not array.buffers[0]:
        return None
    bits = _view(batch, array.buffers[0], (array.length + 7) // 8, "u1")
    return numpy.unpackbits(bits, count=array.length, bitorder="little").astype(bool)


def _texts(batch, array):
    offsets = _view(batch, array.buffers[1], array.length + 1, "i4")
    letters = ffi.buffer(ffi.cast("char *", array.buffers[2]), int(offsets[-1]))[:] if offsets[-1] else b""
    valid = _valid(batch, array)
    texts = numpy.empty(array.length, dtype=object)
    for i in range(array.length):
        texts[i] = letters[offsets[i]:offsets[i + 1]].decode("utf-8") if valid is None or valid[i] else None
    return texts


def _column(batch, schema, array):
    """Numbers as a view; texts as objects; words as (their numbers, -1 for none, and the words)."""
    kind = ffi.string(schema.format).decode()
    if kind == "u":
        return _texts(batch, array)
    values = _view(batch, array.buffers[1], array.length, _TYPES[kind])
    return (values, _texts(batch, array.dictionary)) if array.dictionary else values


def _columns(out):
    batch = _Batch(out)
    return {ffi.string(batch.schema.children[i].name).decode("utf-8"): _column(batch, batch.schema.children[i], batch.array.children[i])
            for i in range(batch.array.n_children)}


def _spelt(column):
    if not isinstance(column, tuple):
        return column
    index, words = column
    return numpy.append(words, None)[index]  # -1 is the last


def arrays(out: Any) -> Arrays:
    """A dict of numpy arrays: numbers are read-only views of C's memory, words are spelt out."""
    return {name: _spelt(column) for name, column in _columns(out).items()}


def frame(out: Any) -> Frame:
    """A pandas frame: numbers are not copied, words are categories."""
    import pandas
    return pandas.DataFrame({name: pandas.Categorical.from_codes(column[0], pandas.Index(column[1], dtype=object)) if isinstance(column, tuple) else column
                             for name, column in _columns(out).items()}, copy=False)
