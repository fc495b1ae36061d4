"""The set-up wizard without a browser: what is typed stays, faults have their fields, saving is whole or not at all."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from hardware.cli import main
from hardware.commands.wizard import _code as kept_code
from hardware.errors import BadInputError
from hardware.simulator.tables import half_moon
from hardware.web.auth import DealerDoor
from hardware.web.wizard import saving, words
from hardware.web.wizard.checks import edge_blur, light_checks
from hardware.web.wizard.drafting import first_draft, read_table
from hardware.web.wizard.fields import Fields
from hardware.web.wizard.rulebook import rules_text
from hardware.web.wizard.saving import layout_text
from hardware.web.wizard.session import Files, Session
from hardware.web.wizard.site import create_wizard
from hardware.web.wizard.sources import opener
from hardware.web.wizard.templates import KINDS, Felt, template
from table_state.layout import CameraPoints, Layout, parse_layout
from table_state.observation import Observation, SeenCard, SeenChips
from table_state.rules import PRESETS, parse_rules, preset
from tests.web.parts import CODE
from tests.wizard.drawn import MARKERS, SIZE, bent, box, off
from vision.camera_view import CameraView

CARDS = (SeenCard(-160, 500, 3, "8s"), SeenCard(0, 150, 0, None), SeenCard(900, 40, 0, "??"))
SEEN = Observation(0.7, CARDS, (SeenChips(0, 0, "red", 2),))
FELT = ((300.0, 1200.0, -592.0, 0.0), (2000.0, 1200.0, 592.0, 0.0))
POINTS = (*FELT, (2000.0, 90.0, 592.0, 772.0), (300.0, 90.0, -592.0, 772.0))
SHAPES = [{}, {"corners": 3, "seats": 7}, {"seats": [1, None]}, {"chips": [{"samples": "x"}]}, {"rules": []}]


def session(folder: Path, layout: Layout | None = None) -> Session:
    files = Files(folder / "table.toml", folder / "table-rules.toml")
    return Session(files, layout, preset("home"), opener(half_moon), lambda: lambda image, layout: SEEN)


def client_of(made: Session, door: DealerDoor | None = None, cameras: list[str] | None = None) -> TestClient:
    app = create_wizard(made, cameras or [], door)
    return TestClient(app, base_url="http://127.0.0.1:8022", headers={"origin": "http://127.0.0.1:8022"})


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(session(tmp_path)) as made:
        yield made


def jpeg(image: Any) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


def upload(client: TestClient, image: Any) -> dict[str, Any]:
    answer = client.post("/api/picture", content=jpeg(image), headers={"content-type": "image/jpeg"})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def at_corners(client: TestClient, marked: bool = False) -> dict[str, Any]:
    """A draft whose corners lie where the simulated table's are."""
    image, true, layout = bent(marked=marked)
    draft: dict[str, Any] = upload(client, image)["draft"]
    felt = box(layout)
    for row, (px, py), (x, y) in zip(draft["corners"], true.to_pixels(felt), felt, strict=True):
        row.update(px=f"{px:.1f}", py=f"{py:.1f}", x=f"{x:g}", y=f"{y:g}")
    return draft


def kept(client: TestClient, draft: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/api/draft", json=draft)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def saved(folder: Path) -> Layout:
    return parse_layout((folder / "table.toml").read_text())


def test_four_corners_are_saved_as_a_camera_that_is_right_to_the_millimetre(tmp_path: Path) -> None:
    with client_of(session(tmp_path)) as client:
        draft = at_corners(client)
        draft["height"] = "115"
        state = kept(client, draft)
        assert state["errors"] == {}
        assert state["sight"]["found"] == 4
        assert {check["name"] for check in state["checks"]} >= {"light", "glare", "focus", "card", "fits"}
        assert client.post("/api/save", json={}).json()["errors"] == {}
        layout = saved(tmp_path)
        assert layout.camera is not None
        assert off(CameraView(layout.camera, SIZE), bent()[1], bent()[2]) < 1
        assert parse_rules((tmp_path / "table-rules.toml").read_text()) == preset("home")
        assert sorted(p.name for p in tmp_path.iterdir()) == ["table-rules.toml", "table.toml"]


def test_markers_are_saved_too_and_a_wrong_place_is_told(tmp_path: Path) -> None:
    with client_of(session(tmp_path)) as client:
        draft = upload(client, bent(marked=True)[0])["draft"]
        draft["how"] = "markers"
        draft["markers"] = [{"x": f"{x:g}", "y": f"{y:g}"} for x, y in MARKERS.values()]
        assert kept(client, draft)["errors"] == {}
        client.post("/api/save", json={})
        camera = saved(tmp_path).camera
        assert camera is not None
        assert off(CameraView(camera, SIZE), bent()[1], bent()[2]) < 2
        draft["markers"][1]["x"] = "700"
        assert "mm wide, not 60" in " ".join(kept(client, draft)["errors"].values())
        draft["markers"][1]["x"] = "-450"
        assert "measure them again" in kept(client, draft)["errors"]["markers"]
        upload(client, bent()[0])
        assert "marker 1, 2, 3, 4" in kept(client, draft)["errors"]["markers"]


BAD = [
    ("corners.0.x", "abc", "no number"),
    ("corners.1.px", "", "Type a number"),
    ("corners.2.y", "9999", "from -3000 to 3000"),
    ("card.0", "0", "from 20 to 200"),
    ("seats.0.cx", "1e9999", "no number|from -3000"),
    ("seats.1.ix", "", "Type a number"),
    ("chips.0.value", "-1", "from 0.01"),
    ("chips.0.color", "red", "twice"),
    ("rules.decks", "2.5", "whole number"),
    ("rules.blackjack_pays", "3/0", "no number"),
    ("rules.bets_low", "NaN", "from 0"),
    ("height", "much", "no number"),
]


def test_every_fault_stands_at_its_field_and_what_was_typed_stays(client: TestClient) -> None:
    draft = at_corners(client)
    for path, value, text in BAD:
        typed = json.loads(json.dumps(draft))
        *home, last = path.split(".")
        at: Any = typed
        for part in home:
            at = at[int(part)] if isinstance(at, list) else at[part]
        at[int(last) if isinstance(at, list) else last] = value
        errors = kept(client, typed)["errors"]
        wanted = "chips.1.color" if path == "chips.0.color" else path
        assert re.search(text, errors[wanted]), (path, errors)
        assert client.get("/api/offer").json()["draft"] == typed
    refused = client.post("/api/save", json={})
    assert refused.status_code == 422
    assert wanted in refused.json()["errors"]


@pytest.mark.parametrize(
    ("order", "text"), [((0, 2, 1, 3), "crossed"), ((1, 0, 3, 2), "wrong way"), ((0, 0, 0, 0), "crossed|near")]
)
def test_corners_in_a_wrong_order_are_told(client: TestClient, order: tuple[int, ...], text: str) -> None:
    draft = at_corners(client)
    pixels = [(c["px"], c["py"]) for c in draft["corners"]]
    for row, n in zip(draft["corners"], order, strict=True):
        row["px"], row["py"] = pixels[n]
    assert re.search(text, kept(client, draft)["errors"]["corners"])


@pytest.mark.parametrize(
    "draft", [{}, {"corners": 3}, {"seats": [1, None]}, {"chips": [{"samples": "x"}]}, {"rules": []}]
)
def test_a_draft_of_any_shape_is_kept_and_judged(client: TestClient, draft: dict[str, Any]) -> None:
    upload(client, bent()[0])
    assert kept(client, draft)["errors"]
    assert client.post("/api/save", json={}).status_code == 422
    upload(client, bent()[0])
    assert client.post("/api/template", json={"kind": "kitchen", "seats": 3}).status_code == 200


@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff\xe0broken"])
def test_a_bad_picture_is_refused_in_words(client: TestClient, data: bytes) -> None:
    answer = client.post("/api/picture", content=data, headers={"content-type": "image/png"})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("This picture: ")


def test_only_pictures_are_uploaded_and_only_from_this_page(client: TestClient) -> None:
    plain = client.post("/api/picture", content=b"x", headers={"content-type": "text/plain"})
    assert plain.status_code == 415
    foreign = {"content-type": "image/png", "origin": "http://elsewhere.example"}
    assert client.post("/api/picture", content=b"x", headers=foreign).status_code == 403
    for body in (b"{", b"[]", b'{"a":' + 30_000 * b"["):
        assert client.post("/api/draft", content=body, headers={"content-type": "application/json"}).status_code == 422
    assert client.post("/api/camera", json={"spec": "video:/etc/passwd"}).status_code == 422
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_with_a_code_nothing_is_shown_before_it(tmp_path: Path) -> None:
    with client_of(session(tmp_path), DealerDoor(CODE)) as client:
        assert "setup-door.js" in client.get("/").text
        for path in ("/api/offer", "/api/live.jpg", "/api/picture.jpg", "/api/markers.pdf"):
            assert client.get(path).status_code == 401
        assert client.post("/api/save", json={}).status_code == 401
        assert client.post("/enter", json={"code": "WRONG"}).status_code == 403
        assert client.post("/enter", json={"code": CODE.lower()}).status_code == 204
        assert client.get("/api/offer").status_code == 200
        assert "wizard.js" in client.get("/").text


def test_places_and_chips_and_the_trial(client: TestClient) -> None:
    image, true, layout = bent(dressed=True)
    draft = at_corners(client)
    upload(client, image)
    kept(client, draft)
    seat = layout.seats[1]
    pixel = true.to_pixels(np.array([seat.circle[:2]]))[0]
    at = {"px": float(pixel[0]), "py": float(pixel[1])}
    assert client.post("/api/felt", json={"pixels": [at]}).json()[0] == pytest.approx(seat.circle[:2], abs=2)
    found = client.post("/api/sample", json=at).json()
    assert found["name"] == "red"
    draft["chips"][1]["samples"] = found["samples"]
    errors = kept(client, draft)["errors"]
    assert set(errors) == {"chips.0.samples", "chips.2.samples", "chips.3.samples"}
    draft["chips"] = [draft["chips"][1]]
    assert kept(client, draft)["errors"] == {}
    lines = client.post("/api/trial", json={"fresh": False}).json()["lines"]
    assert any("eight of spades" in line for line in lines)
    assert any("Dealer: face-down card" in line for line in lines)
    assert client.get("/api/tried.jpg").status_code == 200
    assert client.post("/api/trial", json={"fresh": True}).status_code == 503


def test_printed_circles_are_found_near_the_seats(client: TestClient) -> None:
    draft = at_corners(client)
    layout = replace(bent()[2], camera=None)
    moved = tuple(replace(s, circle=(s.circle[0] + 45, s.circle[1] - 30, 50.0)) for s in layout.seats)
    draft["seats"] = first_draft(replace(layout, seats=moved), preset("home"))["seats"]
    assert kept(client, draft)["errors"] == {}
    answer = client.post("/api/circles", json={}).json()
    assert answer["found"] == 4
    for seat, row in zip(layout.seats, answer["draft"]["seats"], strict=True):
        assert [float(row[key]) for key in ("cx", "cy", "r")] == pytest.approx(seat.circle, abs=3)


def test_a_camera_is_seen_live_and_its_picture_taken(tmp_path: Path) -> None:
    shots = tmp_path / "shots"
    shots.mkdir()
    cv2.imwrite(str(shots / "1.jpg"), bent()[0])
    spec = f"images:{shots}"
    made = session(tmp_path)
    with client_of(made, cameras=[spec]) as client:
        assert client.post("/api/camera", json={"spec": spec}).status_code == 204
        assert client.get("/api/live.jpg").content[:2] == b"\xff\xd8"
        assert client.post("/api/take", json={}).json()["state"]["picture"]["width"] == SIZE[0]
    made.live.stop()


def test_an_opened_layout_is_changed_and_keeps_what_the_wizard_does_not_know(tmp_path: Path) -> None:
    layout = replace(half_moon(4), camera=bent()[2].camera, chip_colors={})
    text = 'venue = "hall"\n' + layout_text(layout).replace(
        'name = "Mia"', 'name = "Mia"\nspoken = "Meea"\ncolour = "blue"'
    )
    (tmp_path / "table.toml").write_text(text)
    with client_of(session(tmp_path, parse_layout(text))) as client:
        draft = at_corners(client)
        draft["seats"][0]["name"] = "Mila"
        assert kept(client, draft)["errors"] == {}
        answer = client.post("/api/save", json={})
        assert answer.status_code == 200, answer.text
    new = (tmp_path / "table.toml").read_text()
    assert 'venue = "hall"' in new
    assert 'colour = "blue"' in new
    assert replace(saved(tmp_path), camera=None) == replace(
        layout, seats=(replace(layout.seats[0], name="Mila", spoken="Meea"), *layout.seats[1:])
    )
    assert (tmp_path / "table.toml~").read_text() == text


def test_a_name_is_changed_without_a_picture(tmp_path: Path) -> None:
    camera = CameraPoints(SIZE, POINTS, (1700.0, 1700.0, 1151.5, 647.5), (-0.06, 0.0, 0.0, 0.0))
    layout = replace(half_moon(4), camera=camera)
    with client_of(session(tmp_path, layout)) as client:
        draft = client.get("/api/offer").json()["draft"]
        draft["seats"][2]["name"] = "Zoë"
        assert kept(client, draft)["errors"] == {}
        assert client.post("/api/save", json={}).status_code == 200
    seats = (*layout.seats[:2], replace(layout.seats[2], name="Zoë"), layout.seats[3])
    assert saved(tmp_path) == replace(layout, seats=seats)


def test_a_table_is_kept_as_one_file_and_begun_with_again(tmp_path: Path) -> None:
    layout = replace(half_moon(), camera=CameraPoints((2304, 1296), POINTS))
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    with client_of(session(tmp_path / "old", layout)) as client:
        assert client.get("/api/backup.zip").status_code == 404
        assert client.post("/api/save", json={}).status_code == 200
        kept = client.get("/api/backup.zip")
    zipped = {"content-type": "application/zip"}
    with client_of(session(tmp_path / "new")) as client:
        refused = client.post("/api/restore", content=b"PK nothing", headers=zipped)
        assert refused.status_code == 422
        assert refused.json()["detail"].startswith("This file: ")
        assert client.post("/api/restore", content=kept.content, headers=zipped).status_code == 200
        assert not (tmp_path / "new" / "table.toml").exists()
        assert client.post("/api/save", json={}).status_code == 200
    assert saved(tmp_path / "new") == saved(tmp_path / "old")


def test_what_cannot_be_saved_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client_of(session(tmp_path)) as client:
        kept(client, at_corners(client))

        def full(self: Path, target: Path) -> Path:
            raise OSError(28, "No space left on device", str(self))

        monkeypatch.setattr(saving.Path, "replace", full)
        answer = client.post("/api/save", json={})
        assert answer.status_code == 422
        assert "cannot write here" in answer.json()["detail"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seats", range(1, 8))
def test_templates_lie_on_the_felt_in_order(kind: str, seats: int) -> None:
    felt = Felt(-592.0, -18.0, 592.0, 772.0)
    made = template(kind, seats, felt)
    xs = [place.circle[0] for place in made.seats]
    assert xs == sorted(xs)
    for x, y in [made.dealer, made.shoe, made.discard, *(p for s in made.seats for p in (s.circle, s.cards))]:
        assert felt.x0 + 45 <= x <= felt.x1 - 45
        assert felt.y0 + 45 <= y <= felt.y1 - 45


@pytest.mark.parametrize("name", PRESETS)
def test_layout_and_rules_come_back_from_the_form_as_they_were(name: str) -> None:
    rules = replace(
        PRESETS[name], decks=2, bets=(Fraction(5), Fraction(500)), peek=("A",), blackjack_pays=Fraction(6, 5)
    )
    layout = replace(
        half_moon(7), chip_colors={"white": ((230, 230, 228), (9, 9, 9))}, chip_values={"white": Fraction(1, 2)}
    )
    table = read_table(form := Fields(first_draft(layout, rules)), None)
    assert form.errors == {}
    assert table.layout == layout
    assert table.rules == rules
    assert parse_rules(rules_text(rules)) == rules
    assert parse_layout(layout_text(layout)) == layout


def test_the_picture_is_judged_in_plain_words() -> None:
    image = bent()[0]
    sharp, soft = edge_blur(image), edge_blur(np.asarray(cv2.GaussianBlur(image, (0, 0), 3), np.uint8))
    assert sharp is not None
    assert soft is not None
    assert sharp < 1.2 < soft
    assert edge_blur(np.full((200, 300, 3), 80, np.uint8)) is None
    assert [check.state for check in light_checks(image, None)] == ["good", "good"]
    dark = light_checks(np.asarray(image // 5, np.uint8), None)[0]
    assert dark.state == "bad"
    assert "Add a lamp" in dark.text
    burnt = image.copy()
    burnt[300:420, 1500:1700] = 255
    assert "at the top" in light_checks(burnt, None)[1].text


def test_every_word_is_there_in_german_too() -> None:
    english, german = words._own("en"), words._own("de")
    own = {key for key in german if key in english}
    assert own == set(english)
    assert all(sorted(_slots(english[key])) == sorted(_slots(german[key])) for key in english)
    assert sum(english[key] == german[key] for key in english) < 25


def _slots(text: str) -> list[str]:
    return re.findall(r"\{\w+\}", text)


def test_the_code_is_kept_in_a_file_of_this_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "code.txt"
    made = kept_code(str(file))
    assert kept_code(str(file)) == made == file.read_text().strip()
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("abc\n")
    with pytest.raises(BadInputError, match="is no code; write 6"):
        kept_code(str(file))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--layout", "no/table.toml"], "cannot write here: no such folder"),
        (["--layout", "bad.toml"], "bad.toml: not TOML"),
        (["--layout", "a.toml", "--rules", "a.toml"], "is the layout's file"),
        (["--host", "no.such.host.example"], "is no address of this machine"),
    ],
)
def test_bad_arguments_are_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], arguments: list[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text("name = ")
    assert main(["setup", *arguments]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert text in err
