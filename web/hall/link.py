"""The hall's connection to the broker: MQTT 5 by paho. It listens to every table and publishes the hall's messages.

paho's thread only puts messages into a queue; one thread of ours takes them out (`web.hall.receiver`). A broken
connection is made again automatically. Nothing depends on what the broker remembers: after each connection the hall
says what it has, and the tables go on from there.
"""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from device.publishing.address import HallAddress
from device.publishing.messages import ROOT, Ask, Confirmed, GivenOrder, Kind, Topic, write

HEARD: tuple[str, ...] = ("public", "state", "gone", "events", "answers", "evidence/+")
"""The topics of every table to which the hall subscribes."""
KEEPALIVE_S = 20
NOT_ALLOWED = (134, 135)
"""MQTT's codes for a wrong name or password, and for a user without permission."""
MOST_WAITING = 20_000
"""Most messages waiting to be taken in; further ones are dropped, and the tables send them again."""
MOST_PACKET = 9 << 20
"""The most bytes of a message that the broker may pass on."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One message. retained: the broker had stored it earlier; part, parts: of a file."""

    topic: str
    payload: bytes
    retained: bool
    part: int = 0
    parts: int = 0


class BrokerLink:
    """The connection. `arrivals` holds the messages, and None for each new connection."""

    def __init__(self, broker: HallAddress, on_change: Callable[[bool], None], log: Callable[[str], None]) -> None:
        """broker: its address; on_change: called with True when the connection is made, False when it breaks; log:
        takes sentences. Raises HallError if the broker's CA certificates cannot be read."""
        self.broker = broker
        self.arrivals: queue.Queue[Arrival | None] = queue.Queue(MOST_WAITING)
        self._on_change, self._log = on_change, log
        self._where = broker.place
        self._said = ""
        self.refused = False
        """Whether the broker answers but rejects the hall's name and password."""
        self._up = threading.Event()
        self._client = self._made()

    def start(self) -> None:
        """Connect, and keep trying while the broker is not there."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's has no types
        properties.MaximumPacketSize = MOST_PACKET
        self._client.connect_async(self.broker.host, self.broker.port, KEEPALIVE_S, clean_start=True,
                                   properties=properties)
        self._client.loop_start()

    def stop(self) -> None:
        """Close the connection."""
        self._up.clear()
        self._client.disconnect()
        self._client.loop_stop()

    @property
    def up(self) -> bool:
        """Whether the connection stands."""
        return self._up.is_set()

    def confirm(self, table: str, said: Confirmed) -> None:
        """Tell a table that all events up to there are on the disk."""
        self._publish(table, "confirmed", write(said), retain=True)

    def order(self, table: str, given: GivenOrder) -> None:
        """Send an order to a table."""
        self._publish(table, "orders", write(given))

    def ask(self, table: str, sha: str) -> None:
        """Ask a table for an evidence file."""
        self._publish(table, "ask", write(Ask(sha)))

    # ---- inside ------------------------------------------------------------------------------------------------

    def _made(self) -> mqtt.Client:
        client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        client.reconnect_delay_set(1, 8)
        client.max_queued_messages_set(1000)
        if self.broker.user:
            client.username_pw_set(self.broker.user, self.broker.password or None)
        context = self.broker.context()
        if context is not None:
            client.tls_set_context(context)
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_connect_fail, client.on_message, client.on_subscribe = self._failed, self._came, self._subscribed
        return client

    def _publish(self, table: str, kind: Kind, payload: bytes, retain: bool = False) -> None:
        """Publish a message, or drop it while the connection is broken: sent later, it would be stale."""
        if self._up.is_set():
            self._client.publish(str(Topic(table, kind)), payload, qos=1, retain=retain)

    def _connected(self, client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode,
                   _properties: object) -> None:
        if reason.is_failure:
            self._turned_away(reason)
            return
        self._refused(False)
        client.subscribe([(f"{ROOT}/+/{kind}", SubscribeOptions(qos=1)) for kind in HEARD])

    def _turned_away(self, reason: ReasonCode) -> None:
        self._refused(reason.value in NOT_ALLOWED)
        if self.refused:
            who = f"the user {self.broker.user!r}" if self.broker.user else "anybody without a user's name"
            self._say(f"the broker at {self._where} does not let {who} in: check user and password")
        else:
            self._say(f"the broker at {self._where} refuses the hall: {reason}")

    def _refused(self, so: bool) -> None:
        """Note whether name and password are refused; tell the page if that has changed."""
        if so != self.refused:
            self.refused = so
            self._on_change(False)

    def _subscribed(self, _client: mqtt.Client, _data: object, _mid: int, reasons: list[ReasonCode],
                    _properties: object) -> None:
        if any(reason.is_failure for reason in reasons):
            self._say(f"the broker at {self._where} does not let the hall listen to the tables: see its access list")
        self._say(f"the hall hears the broker at {self._where}")
        self._up.set()
        self._on_change(True)
        self._put(None)

    def _disconnected(self, _client: mqtt.Client, _data: object, _flags: object, _reason: ReasonCode,
                      _properties: object) -> None:
        if self._up.is_set():
            self._up.clear()
            self._on_change(False)
            self._say(f"the line to the broker at {self._where} broke; trying again")

    def _failed(self, _client: mqtt.Client, _data: object) -> None:
        self._refused(False)
        self._say(f"no broker answers at {self._where}; trying again")

    def _came(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        part, parts = _parts(message.properties)
        self._put(Arrival(message.topic, bytes(message.payload), message.retain, part, parts))

    def _put(self, what: Arrival | None) -> None:
        try:
            self.arrivals.put(what, timeout=2.0)
        except queue.Full:
            self._say("more comes from the tables than the hall can take in; they will send it again")

    def _say(self, sentence: str) -> None:
        """Log a sentence, unless it is the same as the last."""
        if sentence != self._said:
            self._said = sentence
            self._log(sentence)


def _parts(properties: Any) -> tuple[int, int]:
    """Return the number of a part and the number of all parts; -1 for each that is not a number."""
    told = dict(getattr(properties, "UserProperty", None) or [])
    found = [int(text) if (text := str(told.get(name, "0"))).isascii() and text.isdigit() and len(text) < 7 else -1
             for name in ("part", "parts")]
    return found[0], found[1]
