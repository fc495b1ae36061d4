"""Settings and the small secrets that outlive a restart."""

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
        ("volumes = 1", "volumes: unknown key; the keys are voice, volume, host, port"),
        ("volume = 9", "volume: not from 0 to 4"),
        ('volume = "loud"', "volume: 'loud' is not a number"),
        ("port = 80.5", "port: not a whole number"),
        ("port = -1", "port: not a whole number"),
        ("keep_days = 2.5", "keep_days: not a whole number of days"),
        ("voice = 3", "voice: 3 is not text"),
        ("volume =", "not TOML"),
    ],
)
def test_bad_settings_name_file_and_key(text: str, key: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_settings(text, "c.toml")
    assert str(caught.value).startswith(f"c.toml: {key}")


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
