"""`railbird setup`: the wizard, or a camera calibrated for a layout from printed markers or points in its picture."""

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.calibration import Fit, Point, fit, with_camera
from hardware.camera import open_camera
from hardware.commands.inputs import say_unknown_keys
from hardware.errors import BadInputError, HardwareError
from hardware.files import Lines, check_apart, check_replaceable, read_text, replace_file, shown
from hardware.marker_sheet import RULER, marker_points, sheet
from hardware.pictures import load_picture
from table_state.layout import Layout, parse_layout

SKIPPED = 10  # frames that a camera may take to find its exposure
SMALL_CARD = 85  # px of a card's long side under which its index is hard to read


def work(arguments: argparse.Namespace) -> int:
    """Without picture and points: the wizard. With points: write the layout's [camera]. Else say what to do with it."""
    if arguments.markers:
        return _print_sheet(arguments)
    if not (arguments.camera or arguments.picture or arguments.marker or arguments.point or arguments.output):
        from hardware.commands.wizard import work as wizard

        return wizard(arguments)
    if not arguments.layout:
        raise BadInputError("the argument --layout is required; see railbird setup --help")
    if not (arguments.camera or arguments.picture):
        raise BadInputError("one of the arguments --camera --picture is required; see railbird setup --help")
    if arguments.marker and arguments.point:
        raise BadInputError("--marker and --point: give one kind of them, not both")
    text = read_text(arguments.layout, "layout file")
    layout = parse_layout(text, shown(arguments.layout))
    say_unknown_keys(text, shown(arguments.layout))
    target = arguments.output or arguments.layout
    check_replaceable(target)
    check_apart({"--output": target}, [arguments.picture])
    image = load_picture(arguments.picture).image if arguments.picture else _taken(arguments.camera, layout)
    size = (image.shape[1], image.shape[0])
    with Lines("-") as out:
        known = _points(image, arguments)
        if not known:
            for line in _next_steps(image, arguments, layout):
                out.write_text(line)
            return 0
        found = fit(layout, known, size)
        new = with_camera(text, found.camera, shown(arguments.layout))
        replace_file(target, new.encode())
        out.write_text(
            f"{target}: calibrated for pictures of {size[0]} x {size[1]} from {len(known)} points, "
            f"{_missing(found)}; a card is {found.card_px:.0f} pixels long"
        )
        if found.card_px < SMALL_CARD:
            out.write_text(
                f"cards are small in this picture: lower the camera until they are {SMALL_CARD} pixels or more"
            )
    return 0


def _missing(found: Fit) -> str:
    if not found.misses:
        return "which cannot be checked: four always fit, give one more to know by how much they miss"
    return f"which miss by {max(found.misses):.1f} mm at most"


def _print_sheet(arguments: argparse.Namespace) -> int:
    check_replaceable(arguments.markers)
    replace_file(arguments.markers, sheet())
    with Lines("-") as out:
        out.write_text(f"{arguments.markers}: four pages; print them at 100 % and check the ruler: {RULER} mm")
    return 0


def _points(image: NDArray[np.uint8], arguments: argparse.Namespace) -> tuple[Point, ...]:
    if not arguments.marker:
        return tuple(arguments.point or ())
    places = {number: (x, y) for number, x, y in arguments.marker}
    if len(places) < len(arguments.marker):
        raise BadInputError("--marker: a number is given twice; each marker has one place")
    return marker_points(image, places)


def _taken(spec: str, layout: Layout) -> NDArray[np.uint8]:
    camera = open_camera(spec, layout)
    newest = None
    try:
        for number, frame in enumerate(camera.frames()):
            newest = frame.image
            if number >= SKIPPED:
                break
    finally:
        camera.close()
    if newest is None:
        raise HardwareError(f"{spec}: gives no picture; unplug it and plug it in again")
    return newest


def _next_steps(image: NDArray[np.uint8], arguments: argparse.Namespace, layout: Layout) -> list[str]:
    lines = []
    picture = arguments.picture
    if picture is None:
        picture = arguments.save
        check_replaceable(picture)
        check_apart({"--save": picture}, [arguments.layout])
        replace_file(picture, _encoded(picture, image))
        lines.append(f"{picture}: the camera's picture, {image.shape[1]} x {image.shape[0]}")
    lines.append("find four or more of these places in it with any picture viewer, far apart, and tell their pixels:")
    places = {"dealer": layout.dealer} | {f"circle of seat {s.number}": s.circle[:2] for s in layout.seats}
    for name, (x, y) in places.items():
        lines.append(f"  --point PX,PY={x:g},{y:g}   the middle of the {name}")
    lines.append(f"railbird setup --layout {arguments.layout} --picture {picture} --point PX,PY=X,Y --point ...")
    return lines


def _encoded(name: str, image: NDArray[np.uint8]) -> bytes:
    try:
        done, data = cv2.imencode(Path(name).suffix, image)
    except cv2.error:
        done, data = False, np.empty(0, np.uint8)
    if not done:
        raise BadInputError(f"--save {name}: no kind of picture that can be written; call it NAME.jpg")
    return data.tobytes()
