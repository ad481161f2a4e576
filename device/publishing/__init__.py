"""The link between a table and a hall of tables over MQTT; `device.publishing.messages` is its contract."""
