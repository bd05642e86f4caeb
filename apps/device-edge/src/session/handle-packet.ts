import type { IDisconnectPacket, IPubackPacket, Packet } from 'mqtt-packet';
import { PacketRefused } from '../protocol/reason-codes';
import { expiryOf } from './device-session';
import { handlePublish, handlePubrel } from './handle-publish';
import { handleSubscribe, handleUnsubscribe } from './handle-subscribe';
import type { PacketSession } from './packet-session';

/** Reason codes from here on mean that the receiver did not accept the message (MQTT 5 §2.4). */
const FIRST_ERROR = 0x80;
/** Normal disconnection (MQTT 5 §3.14.2.1); a DISCONNECT of an older version means the same. */
const NORMAL = 0x00;

/**
 * Processes a packet of an admitted client. If it returns a promise, the next packet of the connection waits until that is
 * settled.
 *
 * @throws PacketRefused if the client may not send this packet (MQTT 5 §4.13); the promise may reject with it too
 */
export function handlePacket(session: PacketSession, packet: Packet): Promise<void> | undefined {
  switch (packet.cmd) {
    case 'publish':
      return handlePublish(session, packet);
    case 'subscribe':
      return handleSubscribe(session, packet);
    case 'unsubscribe':
      return handleUnsubscribe(session, packet);
    case 'puback':
      handlePuback(session, packet);
      return undefined;
    case 'pubrel':
      handlePubrel(session, packet);
      return undefined;
    case 'pingreq':
      session.write({ cmd: 'pingresp' });
      return undefined;
    case 'disconnect':
      handleDisconnect(session, packet);
      return undefined;
    default:
      // PUBREC and PUBCOMP belong to QoS 2, which the edge never publishes with; AUTH to an authentication method.
      throw new PacketRefused('protocol_error', `${packet.cmd} answers nothing`);
  }
}

/**
 * PUBACK (MQTT 3.1.1 §3.4, MQTT 5 §3.4): the device has the message, and its delivery is `delivered`. A PUBACK is
 * ignored if no message is in flight under its identifier. A device that refuses a message does not get it again (MQTT
 * 5 §4.3.2).
 */
function handlePuback(session: PacketSession, { messageId = 0, reasonCode = 0 }: IPubackPacket): void {
  const delivery = session.outbox.acknowledge(messageId);
  if (delivery === null) return;
  if (reasonCode < FIRST_ERROR) session.services.outcomes.acknowledged(session, delivery);
  else {
    const reason = `The device refused it (reason ${reasonCode})`;
    session.services.outcomes.failed(session, delivery, { state: 'failed', errorCode: 'refused_by_device', reason });
  }
  session.flush();
}

/**
 * DISCONNECT (MQTT 3.1.1 §3.14, MQTT 5 §3.14). The will is published unless the disconnection is normal: a client may ask
 * for it, or leave because of an error (§3.1.2.5, §3.14.4-3).
 */
function handleDisconnect(session: PacketSession, { reasonCode = NORMAL, properties }: IDisconnectPacket): void {
  const { agreement } = session;
  const expiry = properties?.sessionExpiryInterval;
  if (agreement && expiry !== undefined) {
    // §3.14.2.2.2: an expiry of 0 in the CONNECT cannot be raised.
    if (agreement.expirySeconds === 0 && expiry > 0) {
      throw new PacketRefused('protocol_error', 'The session ends with the connection');
    }
    agreement.expirySeconds = expiryOf(expiry);
  }
  if (reasonCode === NORMAL) session.will = null;
  session.closeQuietly('disconnect');
}
