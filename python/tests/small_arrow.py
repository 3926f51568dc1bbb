"""A small library of Arrow columns for tests, in ctypes: it makes and reads streams without any code of cosched.

Columns are {name: (format, values)} with the formats of Arrow's C data interface: "l", "g", "u", "U", "vu", "b", "tsu:UTC",
"tdD", "d" for a dictionary of texts. None is a missing value.
"""

import ctypes
import struct

P, I64 = ctypes.c_void_p, ctypes.c_int64


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", I64), ("n_children", I64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)), ("release", P), ("private_data", P)]
Array._fields_ = [("length", I64), ("null_count", I64), ("offset", I64), ("n_buffers", I64), ("n_children", I64), ("buffers", ctypes.POINTER(P)),
                  ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.POINTER(Array)), ("release", P), ("private_data", P)]
SCHEMA_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
ARRAY_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
RELEASES = {kind: ctypes.CFUNCTYPE(None, ctypes.POINTER(kind)) for kind in (Schema, Array, Stream)}
ERROR = ctypes.CFUNCTYPE(P, ctypes.POINTER(Stream))
Stream._fields_ = [("get_schema", SCHEMA_CALL), ("get_next", ARRAY_CALL), ("get_last_error", ERROR), ("release", P), ("private_data", P)]
pointer_of = ctypes.PYFUNCTYPE(P, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
capsule_of = ctypes.PYFUNCTYPE(ctypes.py_object, P, ctypes.c_char_p, P)(("PyCapsule_New", ctypes.pythonapi))
alive = []  # what streams point to: tests are short


def keep(value):
    alive.append(value)
    return value


@RELEASES[Schema]
def release_schema(what):
    what.contents.release = None


@RELEASES[Array]
def release_array(what):
    what.contents.release = None


@RELEASES[Stream]
def release_stream(what):
    what.contents.release = None


def pointers(kind, things):
    return keep((ctypes.POINTER(kind) * len(things))(*[ctypes.pointer(keep(one)) for one in things]))


def schema(name, kind, children=(), dictionary=None):
    made = keep(Schema(kind.encode(), name.encode(), None, 2, len(children), pointers(Schema, children), None, ctypes.cast(release_schema, P)))
    if dictionary:
        made.dictionary = ctypes.pointer(keep(dictionary))
    return made


def bits(values):
    return bytes(sum(bool(one) << i for i, one in enumerate(values[at:at + 8])) for at in range(0, len(values), 8))


def array(length, buffers, nulls=0, children=(), offset=0):
    held = [keep(ctypes.create_string_buffer(one, len(one) + 8)) if one is not None else None for one in buffers]
    where = keep((P * len(held))(*[ctypes.addressof(one) if one is not None else None for one in held]))
    return keep(Array(length, nulls, offset, len(held), len(children), where, pointers(Array, children), None, ctypes.cast(release_array, P)))


def views(values):
    """Texts of more than 12 letters are in a buffer of their own."""
    found, letters = b"", b""
    for one in values:
        word = (one or "").encode()
        found += struct.pack("<i12s", len(word), word) if len(word) <= 12 else struct.pack("<i4sii", len(word), word[:4], 0, len(letters))
        letters += word if len(word) > 12 else b""
    return [found, letters, struct.pack("<q", len(letters))]


def column(kind, values, offset=1):
    """The array of a column, which begins with a row that its offset leaves out."""
    padded = [None] * offset + list(values)
    valid = None if None not in values else bits([one is not None for one in padded])
    nulls = sum(one is None for one in values)
    if kind in ("u", "U"):
        words = [(one or "").encode() for one in padded]
        ends = [sum(map(len, words[:i])) for i in range(len(words) + 1)]
        return array(len(values), [valid, struct.pack("<%d%s" % (len(ends), "i" if kind == "u" else "q"), *ends), b"".join(words)], nulls, offset=offset)
    if kind == "vu":
        return array(len(values), [valid, *views(padded)], nulls, offset=offset)
    if kind == "d":
        words = sorted({one for one in values if one is not None})
        made = array(len(values), [valid, struct.pack("<%di" % len(padded), *[words.index(one) if one else 99 for one in padded])], nulls, offset=offset)
        made.dictionary = ctypes.pointer(column("u", words, 0))
        return made
    if kind == "b":
        return array(len(values), [valid, bits(padded)], nulls, offset=offset)
    return array(len(values), [valid, struct.pack("<%d%s" % (len(padded), "d" if kind == "g" else "q"), *[one or 0 for one in padded])], nulls, offset=offset)


class Table:
    """Columns that are handed over in batches of so many rows."""

    def __init__(self, columns, rows=2):
        self.columns, self.rows = columns, rows

    def __arrow_c_stream__(self, requested_schema=None):
        count = len(next(iter(self.columns.values()))[1])
        batches = iter(range(0, count, self.rows))

        @SCHEMA_CALL
        def get_schema(_, out):
            children = [schema(name, "i" if kind == "d" else kind, (), schema("", "u") if kind == "d" else None) for name, (kind, _) in self.columns.items()]
            out[0] = schema("", "+s", children)
            return 0

        @ARRAY_CALL
        def get_next(_, out):
            at = next(batches, None)
            if at is None:
                out[0] = Array()
                return 0
            parts = [(kind, values[at:at + self.rows]) for kind, values in self.columns.values()]
            out[0] = array(len(parts[0][1]), [None], 0, [column(*part) for part in parts])
            return 0

        made = keep(Stream(get_schema, get_next, ERROR(lambda _: None), ctypes.cast(release_stream, P)))
        keep((get_schema, get_next))
        return capsule_of(ctypes.addressof(made), keep(b"arrow_array_stream"), None)
