"""The globe on a sheet: a view from high above one place, with magnifying glasses over crowded ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gm.games.kit.plane import Point, rounded


@dataclass(frozen=True, kw_only=True)
class Globe:
    """Longitude and latitude to sheet units."""

    centre: Point
    """The place that is looked at straight, in degrees."""
    bend: float
    """How strongly far places shrink: 1 is the globe seen from very far, more bends it harder."""
    scale: float
    """Sheet units for one radian at the centre."""
    origin: Point
    """Where the centre lies on the sheet."""
    lenses: tuple[tuple[float, float, float, float], ...] = ()
    """Longitude, latitude, strength, radius in sheet units."""
    north: tuple[float, float] = (90.0, 1.0)
    """Beyond this latitude, degrees count only this share: the empty north is pressed together."""

    def at(self, longitude: float, latitude: float) -> Point:
        """The place on the sheet, to a tenth of a unit."""
        x, y = self._flat(longitude, latitude)
        dx = dy = 0.0
        for lens_longitude, lens_latitude, strength, radius in self.lenses:
            lx, ly = self._flat(lens_longitude, lens_latitude)
            push = strength * math.exp(-((x - lx) ** 2 + (y - ly) ** 2) / radius**2)
            dx += (x - lx) * push
            dy += (y - ly) * push
        return rounded((x + dx, y + dy))

    def _flat(self, longitude: float, latitude: float) -> Point:
        limit, share = self.north
        latitude = latitude if latitude < limit else limit + (latitude - limit) * share
        turn = math.radians(longitude - self.centre[0])
        lat, lat0 = math.radians(latitude), math.radians(self.centre[1])
        east = math.cos(lat) * math.sin(turn)
        north = math.cos(lat0) * math.sin(lat) - math.sin(lat0) * math.cos(lat) * math.cos(turn)
        up = math.sin(lat0) * math.sin(lat) + math.cos(lat0) * math.cos(lat) * math.cos(turn)
        angle = math.acos(max(-1.0, min(1.0, up)))
        if angle < 1e-9:
            return self.origin
        far = math.sin(self.bend * angle) / self.bend * self.scale / math.sin(angle)
        return (self.origin[0] + far * east, self.origin[1] - far * north)
