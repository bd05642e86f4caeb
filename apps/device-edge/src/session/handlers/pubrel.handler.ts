import type { IPubrelPacket } from 'mqtt-packet';
import type { Session } from '../session';

/** PUBREL (MQTT 3.1.1 §3.6): the client forgets the message, and so do we. Answered however often it comes (§4.3.3). */
export function handlePubrel(session: Session, { messageId }: IPubrelPacket): void {
  session.unreleased.delete(messageId ?? 0);
  session.write({ cmd: 'pubcomp', messageId, ...(session.agreement?.version === 5 ? { reasonCode: 0 } : {}) });
}
