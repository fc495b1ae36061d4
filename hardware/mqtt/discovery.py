"""How Home Assistant learns of a table by itself: one retained configuration for each thing it can show.

The form is Home Assistant's MQTT discovery: PREFIX/COMPONENT/NODE/OBJECT/config.
"""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from hardware.mqtt.topics import Topics
from table_state.layout import Layout

Json = dict[str, Any]
_MISTAKE = "{{ 'ON' if value_json.alerts else 'OFF' }}"
_MISTAKES = '{{ {"mistakes": value_json.alerts | map(attribute="text") | list} | tojson }}'
_TEXT = "{{ (value_json.alerts[0].text if value_json.alerts else '')[:250] }}"
_TURN = (
    "{{ '' if not value_json.turn else 'dealer' if value_json.turn.seat == 0 else 'seat %d' % value_json.turn.seat }}"
)
_BETS = "{{ value_json.seats | selectattr('bet') | list | count }}"
_LOOK = "{{ value_json.milliseconds.look | default(0) }}"


def discovery(prefix: str, table: str, layout: Layout) -> Iterator[tuple[str, Json]]:
    """Topic and configuration of each entity of a table."""
    topics, node = Topics(table), f"railbird_{table}"
    common: Json = {
        "availability_topic": topics.status,
        "device": {
            "identifiers": [node],
            "name": f"Railbird {table}",
            "manufacturer": "Railbird",
            "model": layout.name,
            "sw_version": _version(),
        },
        "origin": {"name": "Railbird", "sw_version": _version()},
    }
    for component, thing, body in _entities(topics):
        ids: Json = {"unique_id": f"{node}_{thing}", "object_id": f"{node}_{thing}"}
        yield f"{prefix}/{component}/{node}/{thing}/config", common | ids | body


def _entities(topics: Topics) -> Iterator[tuple[str, str, Json]]:
    state: Json = {"state_topic": topics.state}
    health: Json = {"state_topic": topics.health, "entity_category": "diagnostic"}
    mistakes = {"json_attributes_topic": topics.state, "json_attributes_template": _MISTAKES}
    yield (
        "binary_sensor",
        "mistake",
        state | mistakes | {"name": "Mistake", "device_class": "problem", "value_template": _MISTAKE},
    )
    yield "sensor", "mistake_text", state | {"name": "What to do", "value_template": _TEXT}
    yield "sensor", "phase", state | {"name": "Phase", "value_template": "{{ value_json.phase }}"}
    yield "sensor", "turn", state | {"name": "Turn", "value_template": _TURN}
    yield "sensor", "bets", state | {"name": "Bets", "value_template": _BETS}
    yield (
        "binary_sensor",
        "camera",
        health
        | {
            "name": "Camera",
            "device_class": "problem",
            "value_template": "{{ 'ON' if value_json.fault else 'OFF' }}",
        },
    )
    yield "sensor", "look", health | {"name": "Look", "unit_of_measurement": "ms", "value_template": _LOOK}
    yield "sensor", "dropped", health | {"name": "Dropped frames", "value_template": "{{ value_json.dropped }}"}


def _version() -> str:
    try:
        return version("railbird")
    except PackageNotFoundError:
        return "0"
