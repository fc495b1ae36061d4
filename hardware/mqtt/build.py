"""From the settings to the listener that tells a broker."""

from hardware.config import Settings
from hardware.counts import Counts
from hardware.errors import BadInputError
from hardware.mqtt.access import Access, read_password
from hardware.mqtt.address import own_name
from hardware.mqtt.told import Told
from hardware.notices import say
from table_state.layout import Layout


def access(settings: Settings) -> Access:
    """How the broker of the settings is reached. Raises BadInputError where none is named or its password missing."""
    if settings.mqtt is None:
        raise BadInputError("no MQTT broker is named; give --mqtt HOST:PORT or set mqtt in the settings")
    password = read_password(settings.mqtt_password_file)
    return Access(settings.mqtt, settings.mqtt_user, password, settings.mqtt_tls, settings.mqtt_ca)


def told(layout: Layout, settings: Settings, counts: Counts) -> Told:
    """The listener, already trying to reach its broker. Raises BadInputError."""
    table = settings.mqtt_table or own_name()
    return Told(access(settings), table, layout, counts, say, settings.mqtt_discovery)
