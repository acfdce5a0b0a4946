"""Colours and how people with another colour vision see them.

Distances are in OKLab (Ottosson 2020), where about 0.02 is the least difference that eyes notice. Colour vision is
simulated with the matrices of Machado, Oliveira and Fernandes (2009) at full severity.
"""

from __future__ import annotations

import math
from typing import Literal

Rgb = tuple[float, float, float]
Vision = Literal["normal", "protanopia", "deuteranopia", "tritanopia"]

VISIONS: tuple[Vision, ...] = ("normal", "protanopia", "deuteranopia", "tritanopia")

_MATRICES: dict[Vision, tuple[Rgb, Rgb, Rgb]] = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def rgb(colour: str) -> Rgb:
    """``#rrggbb`` as three shares of one."""
    return (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255)


def text(colour: Rgb) -> str:
    """Three shares of one as ``#rrggbb``."""
    return "#" + "".join(f"{round(min(1.0, max(0.0, part)) * 255):02x}" for part in colour)


def mix(colour: str, other: str, share: float) -> str:
    """`colour` with `share` (0 to 1) of it replaced by `other`."""
    a, b = rgb(colour), rgb(other)
    return text((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share))


def lightness(colour: str) -> float:
    """How light a colour looks, from 0 to 1."""
    return _oklab(_linear(colour))[0]


def apart(colour: str, other: str, vision: Vision = "normal") -> float:
    """How different two colours look to somebody with the given colour vision."""
    return math.dist(_oklab(_seen(colour, vision)), _oklab(_seen(other, vision)))


def _linear(colour: str) -> Rgb:
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb(colour))
    return (r, g, b)


def _seen(colour: str, vision: Vision) -> Rgb:
    light = _linear(colour)
    r, g, b = (
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, light, strict=True))))
        for row in _MATRICES[vision]
    )
    return (r, g, b)


def _oklab(light: Rgb) -> Rgb:
    r, g, b = light
    l = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)  # noqa: E741 - the letters of the paper
    m = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    s = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )
