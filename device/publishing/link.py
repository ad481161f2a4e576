"""One link to a hall's broker, from signing in until it is lost: then it is thrown away, and another one is made.

All that waits to be sent goes with it, on purpose: what counts is in the journal, and is sent again from there. Nothing
here runs on another thread; whoever holds the link turns it (`turn`).
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Mapping

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from device.publishing.address import HallAddress

SESSION_S = 120
"""So long the broker keeps orders for a table whose link was lost; an older one would surprise people."""
CONNECT_S = 5.0
MOST_BYTES_HEARD = 64 << 10
TAKEN_OVER = 142
"""MQTT's code for a link that ended because another one came with the same id."""
NOT_ALLOWED = (134, 135, 138)
BUSY = (136, 137, 151)
ACL = "its user is to be the table's id, see device/publishing/broker/acl"


class LinkLost(Exception):
    """There is no link, or no more; one sentence."""


class HallLink:
    """A link to `address` under the id `client`.

    heard: called with topic and payload of what comes in, before it counts as received. will: topic and payload that
    the broker publishes, retained, when this link ends without a word. most_bytes: of a message that the broker may
    hand on; what a hall says is short.
    """

    def __init__(self, address: HallAddress, client: str, heard: Callable[[str, bytes], None],
                 will: tuple[str, bytes], keepalive_s: int = 15, most_bytes: int = MOST_BYTES_HEARD) -> None:
        """Nothing is sent yet; see `open`."""
        self._address, self._keepalive_s, self._most_bytes = address, keepalive_s, most_bytes
        self._heard = heard
        self._lost = ""
        self._up = self._listening = False
        self.let_in = False
        """Whether the broker has let us in, now or before the link was lost."""
        self._ours: Exception | None = None
        """What went wrong while we took a message, and is no fault of the broker's."""
        self._unsent: set[int] = set()
        self._mqtt = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client, protocol=mqtt.MQTTv5)
        self._mqtt.connect_timeout = CONNECT_S
        self._mqtt.on_connect = self._on_connect
        self._mqtt.on_disconnect = self._on_disconnect
        self._mqtt.on_message = self._on_message
        self._mqtt.on_publish = self._on_publish
        self._mqtt.on_subscribe = self._on_subscribe
        self._mqtt.will_set(*will, qos=1, retain=True)
        self._under = will[0].rpartition("/")[0]
        if address.user:
            self._mqtt.username_pw_set(address.user, address.password or None)
        self._context = address.context()
        if self._context is not None:
            self._mqtt.tls_set_context(self._context)

    @property
    def up(self) -> bool:
        """Whether the link stands."""
        return self._up

    @property
    def listening(self) -> bool:
        """Whether the broker has taken the subscriptions."""
        return self._listening

    @property
    def local(self) -> str:
        """This machine's address on the way to the broker; "" without a link."""
        opened = self._mqtt.socket()
        return str(opened.getsockname()[0]) if isinstance(opened, socket.socket) else ""

    def open(self) -> None:
        """Reach the broker and ask to be let in. Raises LinkLost."""
        self._try_tls()
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's has no types
        session.SessionExpiryInterval = SESSION_S
        session.MaximumPacketSize = self._most_bytes
        try:
            self._mqtt.connect(self._address.host, self._address.port, self._keepalive_s, clean_start=False,
                               properties=session)
        except (OSError, ValueError) as error:
            raise LinkLost(self._unreached(error)) from error

    def _try_tls(self) -> None:
        """See who is there before the library asks, which leaves the socket of a failed handshake open. Raises
        LinkLost."""
        if self._context is None:
            return
        where = self._address.host, self._address.port
        try:
            with (socket.create_connection(where, CONNECT_S) as opened,
                  self._context.wrap_socket(opened, server_hostname=self._address.host)):
                pass
        except (OSError, ValueError) as error:
            raise LinkLost(self._unreached(error)) from error

    def subscribe(self, *topics: str) -> None:
        """Ask for these topics."""
        self._mqtt.subscribe([(topic, SubscribeOptions(qos=1)) for topic in topics])

    def publish(self, topic: str, payload: bytes, *, retain: bool = False,
                said: Mapping[str, str] | None = None) -> int:
        """Send a message, at least once as long as the link stands; its number, for `sent`. said: user properties."""
        properties = None
        if said:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho's has no types
            properties.UserProperty = list(said.items())
        number = self._mqtt.publish(topic, payload, qos=1, retain=retain, properties=properties).mid
        self._unsent.add(number)
        return number

    def sent(self, number: int) -> bool:
        """Whether the broker has that message."""
        return number not in self._unsent

    def turn(self, timeout_s: float) -> None:
        """Send and hear what there is, and wait at most so long for it. Raises LinkLost."""
        try:
            result = self._mqtt.loop(timeout_s)
        except Exception as error:  # the library has many, for what is no MQTT
            if error is self._ours:
                raise
            raise LinkLost(f"what {self._address} says is no MQTT 5: is it a broker?") from error
        if self._lost or result != mqtt.MQTT_ERR_SUCCESS:
            raise LinkLost(self._lost or f"the link to the hall at {self._address} was lost")

    def close(self) -> None:
        """End it in order, so that the broker does not publish the will; harmless where there is no link."""
        if self._up:
            self._mqtt.disconnect()
        self.drop()

    def drop(self) -> None:
        """End it as it is."""
        opened = self._mqtt.socket()
        self._up = False
        self._mqtt.on_disconnect = None
        if opened is not None:
            opened.close()

    # ---- what the library calls

    def _on_connect(self, _client: object, _data: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        if reason.is_failure:
            self._lost = self._not_let_in(reason)
        else:
            self._up = self.let_in = True

    def _on_disconnect(self, _client: object, _data: object, _flags: object, reason: ReasonCode,
                       _more: object) -> None:
        self._up = False
        if reason.value == TAKEN_OVER:
            self._lost = ("another table has the same id at this hall: on one of them delete hall-table.json in the "
                          "data folder, and start it again")
        self._lost = self._lost or f"the link to the hall at {self._address} was lost"

    def _on_message(self, _client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        try:
            self._heard(topic, bytes(message.payload))
        except Exception as error:
            self._ours = error
            raise

    def _on_publish(self, _client: object, _data: object, number: int, reason: ReasonCode, _more: object) -> None:
        self._unsent.discard(number)
        if reason.is_failure:
            self._lost = (f"the hall's broker does not let {self._who} write under {self._under}: {ACL}"
                          if reason.value in NOT_ALLOWED else f"the hall's broker does not take a message: {reason}")

    def _on_subscribe(self, _client: object, _data: object, _number: int, reasons: list[ReasonCode],
                      _more: object) -> None:
        self._listening = True
        if any(reason.is_failure for reason in reasons):
            self._lost = f"the hall's broker does not let {self._who} hear the hall: {ACL}"

    # ---- what went wrong

    @property
    def _who(self) -> str:
        return f"the user {self._address.user!r}" if self._address.user else "anybody without a user's name"

    def _not_let_in(self, reason: ReasonCode) -> str:
        if reason.value in NOT_ALLOWED:
            return (f"the hall's broker at {self._address} does not let {self._who} in: check user and password, and "
                    f"that this user may write under {self._under}")
        if reason.value in BUSY:
            return f"the hall's broker at {self._address} takes nobody just now"
        return f"the hall's broker at {self._address} refuses the link: {reason}"

    def _unreached(self, error: Exception) -> str:
        host, port = self._address.host, self._address.port
        if isinstance(error, socket.gaierror):
            return f"there is no machine {host!r} here: check the hall's address, and the network"
        if isinstance(error, ssl.SSLCertVerificationError):
            return (f"the certificate of {host} is not to be trusted ({error.verify_message}): name its authority with "
                    "--hall-ca")
        if isinstance(error, ssl.SSLError | ConnectionResetError) and self._address.tls:
            return f"{host} does not speak TLS on port {port}: is it mqtt:// there, or another port?"
        if isinstance(error, ConnectionRefusedError):
            return f"no broker answers on port {port} of {host}: is it running?"
        if isinstance(error, TimeoutError):
            return f"{host} does not answer on port {port}"
        return f"the hall at {self._address} cannot be reached: {getattr(error, 'strerror', None) or error}"
