import type { IDisconnectPacket } from 'mqtt-packet';
import { PacketRefused } from '../../protocol/packet-refused';
import type { Session } from '../session';

/** Disconnect with Will Message (MQTT 5 §3.14.2.1). */
const WITH_WILL = 0x04;
const FOR_EVER = 0xffffffff;

/** DISCONNECT (MQTT 3.1.1 §3.14, MQTT 5 §3.14): a goodbye. The will is not published (§3.14.4-3), unless it is asked for. */
export function handleDisconnect(session: Session, { reasonCode, properties }: IDisconnectPacket): void {
  const { agreement } = session;
  const expiry = properties?.sessionExpiryInterval;
  if (agreement && expiry !== undefined) {
    // §3.14.2.2.2: a session that was to end with its connection cannot outlive it after all.
    if (agreement.expirySeconds === 0 && expiry > 0) {
      throw new PacketRefused('protocol_error', 'The session ends with the connection');
    }
    agreement.expirySeconds = expiry === FOR_EVER ? null : expiry;
  }
  if (reasonCode !== WITH_WILL) session.will = null;
  session.closeQuietly('disconnect');
}
