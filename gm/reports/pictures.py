"""SVG to PNG: the map fonts are shipped, the bytes are always the same, and a picture is made only once."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from importlib import resources
from io import BytesIO
from threading import Lock

COLOURS = 128
"""Size of the palette: a third of the bytes of a full-colour picture; fewer blur the colours of small pieces."""
KEPT_BYTES = 4_000_000
"""How much is kept of what was made, the latest first."""
FONTS = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")

_kept: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()
_lock = Lock()


def png(svg: str, width: int) -> bytes:
    """A PNG of an SVG, `width` pixels wide, with a palette of 128 colours; what the SVG leaves empty is white.

    Text is set in the fonts of this package, whatever the machine has. The libraries are loaded at the first call,
    so that a server that draws nothing stays small.

    Raises:
        ValueError: not an SVG.
    """
    name = (sha256(svg.encode()).digest(), width)
    with _lock:
        if name in _kept:
            _kept.move_to_end(name)
            return _kept[name]
    made = _made(svg, width)
    with _lock:
        _kept[name] = made
        while sum(map(len, _kept.values())) > KEPT_BYTES:
            _kept.popitem(last=False)
    return made


def _made(svg: str, width: int) -> bytes:
    import resvg_py
    from PIL import Image

    with resources.as_file(resources.files(__package__).joinpath("fonts")) as folder:
        full = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=[str(folder / font) for font in FONTS],
        )
    out = BytesIO()
    with Image.open(BytesIO(bytes(full))) as image:
        flat = Image.new("RGB", image.size, "white")
        flat.paste(image, mask=image.getchannel("A"))
        # The octree keeps the colours of small pieces, which the other ways of Pillow let fade into their ground.
        few = flat.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True)
    return out.getvalue()
