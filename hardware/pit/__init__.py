"""The pit: one page over many tables, which hears of them through an MQTT broker."""
