"""What a table tells a hall of tables over MQTT, and what it takes from there: see `device.publishing.messages`."""
