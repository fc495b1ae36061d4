"""What a table tells an MQTT broker, where one is named in the settings."""
