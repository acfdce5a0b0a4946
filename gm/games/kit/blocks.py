"""Where the name of a region and the counters in it go, found by trying layouts until one fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gm.games.kit.plane import Point, Ring, centroid, rounded, thinned
from gm.games.kit.words import Box, place

LAYOUTS = (
    ((38.0, 33.0), (0.0, -25.0), (0.0, 13.0)),
    ((34.0, 29.0), (0.0, -22.0), (0.0, 15.0)),
    ((47.0, 15.0), (-13.0, -8.0), (33.0, 2.0)),
    ((30.0, 26.0), (0.0, -20.0), (0.0, 14.0)),
    ((40.0, 13.0), (-12.0, -6.0), (29.0, 2.0)),
    ((26.0, 24.0), (0.0, -18.0), (0.0, 13.0)),
    ((22.0, 20.0), (0.0, -14.0), (0.0, 10.0)),
)
"""Half the size of a block, and where in it the name and the counters go: counters below the name, or beside it."""
NAME_ROOM = 66.0


@dataclass(frozen=True)
class Block:
    """A name and the counters of one region."""

    label: Point
    """The middle of the short name; the long name stands 14 below it."""
    units: Point
    """The middle of the first row of counters."""
    room: float
    """Width for the long name."""


def block(ring: Ring, taken: Sequence[Box] = ()) -> Block:
    """The roomiest layout that fits into a region clear of what is taken, as near to its middle as can be."""
    near = rounded(centroid(ring))
    outline = thinned((*ring, ring[0]), 2.0)[:-1]
    for half, label, units in LAYOUTS:
        box = place(outline, half, taken, near, 6.0)
        if box is not None:
            x, y = box.middle
            room = 2 * (half[0] - abs(label[0])) - 4
            return Block((x + label[0], y + label[1]), (x + units[0], y + units[1]), min(NAME_ROOM, room))
    return Block((near[0], near[1] - 11), (near[0], near[1] + 12), 40.0)
