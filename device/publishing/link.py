"""One link to a hall's broker, from signing in until it is lost; a new object is made for the next link.

Unsent messages are lost with the link, on purpose: what counts is in the journal and is sent again from there. There is
no thread: whoever holds the link calls `turn`.
"""

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
"""How long the broker keeps orders for a table whose link was lost; older orders would surprise people."""
CONNECT_S = 5.0
MOST_BYTES_HEARD = 64 << 10
TAKEN_OVER = 142
"""MQTT's code for a link that ended because another client signed in with the same id."""
NOT_ALLOWED = (134, 135, 138)
BUSY = (136, 137, 151)
ACL = "its user must be the table's id, see device/publishing/broker/acl"


class LinkLost(Exception):
    """The link was lost or could not be made; one sentence."""


class HallLink:
    """A link to `address` under the id `client`.

    heard: called with topic and payload of each incoming message, before it is acknowledged. will: topic and payload
    that the broker publishes, retained, if this link ends without a disconnect. most_bytes: longest message that the
    broker may forward; a hall's messages are short.
    """

    def __init__(self, address: HallAddress, client: str, heard: Callable[[str, bytes], None],
                 will: tuple[str, bytes], keepalive_s: int = 15, most_bytes: int = MOST_BYTES_HEARD) -> None:
        """Prepare the link without connecting; see `open`."""
        self._address, self._keepalive_s, self._most_bytes = address, keepalive_s, most_bytes
        self._heard = heard
        self._lost = ""
        self._up = self._listening = False
        self.let_in = False
        """Whether the broker accepted this link at any time."""
        self._ours: Exception | None = None
        """Our own error while handling a message, which is not the broker's fault."""
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
        """Whether the broker has answered the subscriptions."""
        return self._listening

    @property
    def local(self) -> str:
        """This machine's address on the broker's network; "" without a link."""
        opened = self._mqtt.socket()
        return str(opened.getsockname()[0]) if isinstance(opened, socket.socket) else ""

    def open(self) -> None:
        """Connect to the broker and sign in. Raises LinkLost."""
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
        """Try the TLS handshake first, as the library leaves the socket open when it fails. Raises LinkLost."""
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
        """Subscribe to these topics."""
        self._mqtt.subscribe([(topic, SubscribeOptions(qos=1)) for topic in topics])

    def publish(self, topic: str, payload: bytes, *, retain: bool = False,
                said: Mapping[str, str] | None = None) -> int:
        """Send a message, at least once while the link is up; return its number, for `sent`. said: user properties."""
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
        """Send and receive what is due, waiting at most `timeout_s` seconds. Raises LinkLost."""
        try:
            result = self._mqtt.loop(timeout_s)
        except Exception as error:  # the library raises many kinds for bytes that are not MQTT
            if error is self._ours:
                raise
            raise LinkLost(f"{self._address} does not speak MQTT 5: is it a broker?") from error
        if self._lost or result != mqtt.MQTT_ERR_SUCCESS:
            raise LinkLost(self._lost or f"the link to the hall at {self._address} was lost")

    def close(self) -> None:
        """Disconnect properly, so that the broker does not publish the will; does nothing without a link."""
        if self._up:
            self._mqtt.disconnect()
        self.drop()

    def drop(self) -> None:
        """Close the socket without a disconnect."""
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
            return f"the hall's broker at {self._address} accepts no links just now"
        return f"the hall's broker at {self._address} refuses the link: {reason}"

    def _unreached(self, error: Exception) -> str:
        host, port = self._address.host, self._address.port
        if isinstance(error, socket.gaierror):
            return f"there is no machine {host!r} here: check the hall's address, and the network"
        if isinstance(error, ssl.SSLCertVerificationError):
            return (f"the certificate of {host} cannot be trusted ({error.verify_message}): name its CA certificate "
                    "with --hall-ca")
        if isinstance(error, ssl.SSLError | ConnectionResetError) and self._address.tls:
            return f"{host} does not speak TLS on port {port}: is it mqtt:// there, or another port?"
        if isinstance(error, ConnectionRefusedError):
            return f"no broker answers on port {port} of {host}: is it running?"
        if isinstance(error, TimeoutError):
            return f"{host} does not answer on port {port}"
        return f"the hall at {self._address} cannot be reached: {getattr(error, 'strerror', None) or error}"
