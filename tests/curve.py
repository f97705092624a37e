"""Edwards25519 in slow arithmetic (RFC 8032 section 5.1): the oracle of what is weak, and of forged signatures."""

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

Point = tuple[int, int]


def add(one: Point, two: Point) -> Point:
    """Return the sum of two points."""
    x1, y1, x2, y2 = *one, *two
    product = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P
    return x, (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P


def times(factor: int, point: Point) -> Point:
    """Return a multiple of a point."""
    total: Point = (0, 1)
    while factor:
        if factor & 1:
            total = add(total, point)
        point, factor = add(point, point), factor >> 1
    return total


def encode(point: Point) -> bytes:
    """Return the 32 bytes of a point."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decode(y: int, sign: int) -> Point | None:
    """Return the point of a y coordinate whose x has this sign bit; None off the curve."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        return None
    return (x if x & 1 == sign else P - x) % P, y % P


def _base() -> Point:
    point = decode(4 * pow(5, -1, P) % P, 0)
    assert point is not None
    return point


def _torsion() -> list[Point]:
    """Return the eight points of small order, the identity first."""
    for y in range(2, 100):
        point = decode(y, 0)
        if point is not None and times(4, small := times(L, point)) != (0, 1):
            return [times(index, small) for index in range(8)]
    raise AssertionError


BASE, TORSION = _base(), _torsion()
