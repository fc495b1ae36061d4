"""Settings and the small secrets that outlive a restart."""

from datetime import time
from pathlib import Path

import pytest

from hardware.config import Settings, parse_settings, settings
from hardware.mqtt.address import Broker
from hardware.state import kept, link_secret
from table_state.errors import InputError


def test_settings_from_a_file() -> None:
    found = parse_settings('voice = "espeak-ng:en-us"\nvolume = 0.5\nhost = "0.0.0.0"\nport = 9000\n', "c.toml")
    assert found == Settings("espeak-ng:en-us", 0.5, "0.0.0.0", 9000)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("volumes = 1", "volumes: unknown key; the keys are voice, volume, "),
        ("volume = 9", "volume: not from 0 to 4"),
        ('volume = "loud"', "volume: 'loud' is not a number"),
        ("port = 80.5", "port: not a whole number"),
        ("port = -1", "port: not a whole number"),
        ("keep_days = 2.5", "keep_days: not a whole number of days"),
        ("voice = 3", "voice: 3 is not text"),
        ("volume =", "not TOML"),
        ('language = "fr"', "language: 'fr' is not one of en, de"),
        ("speed = 3", "speed: not from 0.5 to 2"),
        ("pitch = 0", "pitch: not from 0.5 to 2"),
        ('verbosity = "less"', "verbosity: 'less' is not one of all, turns, alerts"),
        ('seat_verbosity = {x = "all"}', "seat_verbosity.x: not a seat's number"),
        ('seat_verbosity = {3 = "loud"}', "seat_verbosity.3: 'loud' is not one of"),
        ('quiet_hours = "22-7"', "quiet_hours: not hours such as"),
        ('quiet_hours = "07:00-07:00"', "quiet_hours: begins when it ends"),
        ('names = {Jim = ""}', "names.Jim: not a name as it is spoken"),
        ("names = 3", "names: not a table"),
        ("my_seat = 0", "my_seat: not a seat's number"),
        ('keys = {hyper = "repeat"}', "keys.hyper: no key's name"),
        ('keys = {f5 = "sing"}', "keys.f5: 'sing' is not one of repeat, my-hand, dealer, next, right, nothing"),
        ('keys = {gpio40 = "repeat"}', "keys.gpio40: no key's name"),
    ],
)
def test_bad_settings_name_file_and_key(text: str, key: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_settings(text, "c.toml")
    assert str(caught.value).startswith(f"c.toml: {key}")


def test_the_settings_of_speech_and_keys() -> None:
    text = """
language = "de"
speed = 0.9
pitch = 1.2
verbosity = "turns"
seat_verbosity = {3 = "all"}
quiet_hours = "22:30-07:00"
my_seat = 3
[names]
Jim = "Gym"
[keys]
gpio17 = "repeat"
pagedown = "nothing"
"""
    found = parse_settings(text, "c.toml")
    assert (found.language, found.speed, found.pitch, found.my_seat) == ("de", 0.9, 1.2, 3)
    assert (found.verbosity, found.seat_verbosity) == ("turns", {3: "all"})
    assert found.quiet_hours == (time(22, 30), time(7, 0))
    assert found.names == {"Jim": "Gym"}
    assert found.keys == {"gpio17": "repeat", "pagedown": "nothing"}


def test_no_file_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings() == Settings()
    (tmp_path / "railbird").mkdir()
    (tmp_path / "railbird" / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read"):
        settings()


def test_a_secret_outlives_a_restart_and_is_for_this_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    first = link_secret()
    assert len(first) == 32
    assert link_secret() == first
    assert (tmp_path / "railbird" / "link-secret").stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_kept_there_is_a_secret_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert kept("dealer-code", lambda: "abc") == "abc"


def test_a_broker_and_how_it_is_reached() -> None:
    text = (
        'mqtt = "house:1884"\nmqtt_table = "front-room"\nmqtt_user = "r"\nmqtt_password_file = "/p"\nmqtt_tls = true\n'
    )
    found = parse_settings(text + 'mqtt_discovery = ""\n', "c.toml")
    assert found.mqtt == Broker("house", 1884)
    assert (found.mqtt_table, found.mqtt_user, found.mqtt_password_file) == ("front-room", "r", "/p")
    assert (found.mqtt_tls, found.mqtt_discovery) == (True, "")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('mqtt = "house:port"', "mqtt: no broker's address; write it as HOST or HOST:PORT"),
        ("mqtt = 1883", "mqtt: 1883 is not text"),
        ('mqtt_table = "My Table"', "mqtt_table: not a name of small letters"),
        ("mqtt_tls = 1", "mqtt_tls: neither true nor false"),
        ('mqtt_discovery = "home/#"', "mqtt_discovery: not a topic"),
    ],
)
def test_a_bad_brokers_setting_names_its_key(text: str, key: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_settings(text, "c.toml")
    assert str(caught.value).startswith(f"c.toml: {key}")
