"""The hall: one page over many tables, which tell it over MQTT what their journals hold. See `README.md`."""
