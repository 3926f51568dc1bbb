"""Columns that C hands over by Arrow's C data interface: to Arrow's libraries as they are, to numpy without a copy.

Whoever takes a stream by __arrow_c_stream__ (pyarrow.table(x), polars, DuckDB, newer pandas) owns its memory; an array of
arrays() keeps it as long as it lives.
"""

from __future__ import annotations

import ctypes
import datetime
from typing import Any, Callable

from cosched._core import InputError, fail, ffi, needed
from cosched._types import Arrays, Frame

_NAME = b"arrow_array_stream"
_TYPES = {"i": "i4", "l": "i8", "g": "f8"}
_streams = {}  # address: the struct that a capsule points to


def stream(call: Callable[..., Any], *arguments: object) -> Any:
    """The stream that a function of the library makes."""
    out, err = ffi.new("struct ArrowArrayStream *"), ffi.new("struct cs_error *")
    if call(*arguments, out, err):
        fail(err)
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

    def __init__(self, out, owner=True):
        self.schema, self.array = ffi.new("struct ArrowSchema *"), ffi.new("struct ArrowArray *")
        try:
            if out.get_schema(out, self.schema) or out.get_next(out, self.array):
                raise InputError(ffi.string(out.get_last_error(out)).decode())
        finally:
            if owner:
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
    numpy = needed("numpy", "arrays")
    return numpy.asarray(_Buffer(batch, pointer, count, kind)) if count else numpy.empty(0, kind)


def _valid(batch, array):
    if not array.buffers[0]:
        return None
    bits = _view(batch, array.buffers[0], (array.length + 7) // 8, "u1")
    return needed("numpy", "arrays").unpackbits(bits, count=array.length, bitorder="little").astype(bool)


def _texts(batch, array):
    offsets = _view(batch, array.buffers[1], array.length + 1, "i4")
    letters = ffi.buffer(ffi.cast("char *", array.buffers[2]), int(offsets[-1]))[:] if offsets[-1] else b""
    valid = _valid(batch, array)
    texts = needed("numpy", "arrays").empty(array.length, dtype=object)
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


# ---- columns of others, as lists ----

_C = {"c": "int8_t", "C": "uint8_t", "s": "int16_t", "S": "uint16_t", "i": "int32_t", "I": "uint32_t", "l": "int64_t", "L": "uint64_t",
      "f": "float", "g": "double"}
_A_SECOND = {"s": 1, "m": 10**3, "u": 10**6, "n": 10**9}
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def _unpacked(array, buffer, kind, more=0):
    """The values of a buffer, from the offset of the array on."""
    return ffi.unpack(ffi.cast(kind + " *", array.buffers[buffer]) + array.offset, array.length + more) if array.length + more else []


def _bits(array, buffer):
    letters = ffi.cast("uint8_t *", array.buffers[buffer])
    return [bool(letters[i // 8] >> i % 8 & 1) for i in range(array.offset, array.offset + array.length)]


def _long_texts(array, kind):
    offsets, letters = _unpacked(array, 1, kind, 1), ffi.cast("char *", array.buffers[2])
    return [ffi.buffer(letters + begin, end - begin)[:].decode("utf-8") for begin, end in zip(offsets, offsets[1:])]


def _text_views(array):
    """Sixteen bytes each: a length, and a short text or where a long one is."""
    found = []
    for i in range(array.offset, array.offset + array.length):
        view = ffi.cast("char *", array.buffers[1]) + 16 * i
        size, _, buffer, offset = ffi.unpack(ffi.cast("int32_t *", view), 4)
        start = view + 4 if size <= 12 else ffi.cast("char *", array.buffers[2 + buffer]) + offset
        found.append(ffi.buffer(start, size)[:].decode("utf-8"))
    return found


def _instants(array, kind):
    """Timestamps as dates; those without a zone are UTC."""
    return [_EPOCH + datetime.timedelta(microseconds=value * 10**6 / _A_SECOND[kind[2]]) for value in _unpacked(array, 1, "int64_t")]


def _every(schema, array):
    """The values of an array, those that are missing included."""
    kind = ffi.string(schema.format).decode()
    if kind in ("u", "U"):
        return _long_texts(array, "int32_t" if kind == "u" else "int64_t")
    if kind in _C:
        return _unpacked(array, 1, _C[kind])
    readers = {"n": lambda: [None] * array.length, "b": lambda: _bits(array, 1), "vu": lambda: _text_views(array)}
    if kind not in readers and not kind.startswith("ts"):
        raise InputError("the column %s has the type '%s' of Arrow; numbers, texts, dates and dictionaries of texts are read" % (
            ffi.string(schema.name).decode("utf-8", "replace"), kind))
    return readers[kind]() if kind in readers else _instants(array, kind)


def _list(schema, array):
    values = _every(schema, array)
    valid = _bits(array, 0) if array.n_buffers and array.null_count and array.buffers[0] else [True] * len(values)
    if array.dictionary:
        words = _list(schema.dictionary, array.dictionary)
        return [words[value] if there else None for value, there in zip(values, valid)]
    return [value if there else None for value, there in zip(values, valid)]


def lists(table: Any) -> dict[str, list[Any]]:
    """The columns of what has __arrow_c_stream__, of pyarrow, polars or others; None is a missing value."""
    handle = table.__arrow_c_stream__()  # its owner, until the end
    out = ffi.cast("struct ArrowArrayStream *", _pointer(id(handle), _NAME))
    batch, found = _Batch(out, owner=False), {}
    names = [ffi.string(batch.schema.children[i].name).decode("utf-8") for i in range(batch.schema.n_children)]
    while batch.array.release:
        begin, end = batch.array.offset, batch.array.offset + batch.array.length
        for i, name in enumerate(names):
            found.setdefault(name, []).extend(_list(batch.schema.children[i], batch.array.children[i])[begin:end])
        batch = _Batch(out, owner=False)
    del handle
    return {name: found.get(name, []) for name in names}


def _spelt(column):
    if not isinstance(column, tuple):
        return column
    index, words = column
    return needed("numpy", "arrays").append(words, None)[index]  # -1 is the last


def length(out: Any) -> int:
    """How many rows there are."""
    return _Batch(out).array.length


def arrays(out: Any) -> Arrays:
    """A dict of numpy arrays: numbers are read-only views of C's memory, words are spelt out."""
    return {name: _spelt(column) for name, column in _columns(out).items()}


def frame(out: Any) -> Frame:
    """A pandas frame: numbers are not copied, words are categories."""
    pandas = needed("pandas", "frames")
    return pandas.DataFrame({name: pandas.Categorical.from_codes(column[0], pandas.Index(column[1], dtype=object)) if isinstance(column, tuple) else column
                             for name, column in _columns(out).items()}, copy=False)
