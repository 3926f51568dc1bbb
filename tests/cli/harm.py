"""Damage to the bytes of a file of SQLite: a kind is called with the bytes, the size of its pages, and the dice."""


def flip(data, _, r):
    for _ in range(r.choice([1, 1, 3, 20])):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)


def overwrite(data, page, r):
    at, size = r.randrange(len(data)), r.choice([1, 8, 100, page])
    data[at:at + size] = bytes(r.randrange(256) if r.random() < 0.5 else 0 for _ in range(len(data[at:at + size])))


def truncate(data, _, r):
    del data[r.randrange(100, len(data)):]


def swap_pages(data, page, r):
    a, b = (page * p for p in r.sample(range(1, len(data) // page), 2))
    data[a:a + page], data[b:b + page] = data[b:b + page], data[a:a + page]


def repeat_page(data, page, r):
    a, b = (page * p for p in r.sample(range(1, len(data) // page), 2))
    data[a:a + page] = data[b:b + page]


def swap_bytes(data, _, r):
    a, b, size = r.randrange(len(data)), r.randrange(len(data)), r.choice([1, 4, 40])
    x, y = bytes(data[a:a + size]), bytes(data[b:b + size])
    data[a:a + len(y)], data[b:b + len(x)] = y, x


KINDS = [flip, flip, flip, overwrite, truncate, swap_pages, repeat_page, swap_bytes]


def damage(path, kind, page, r):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    kind(data, page, r)
    with open(path, "wb") as file:
        file.write(data)
