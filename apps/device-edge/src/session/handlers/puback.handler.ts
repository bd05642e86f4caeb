import type { IPubackPacket } from 'mqtt-packet';
import type { Session } from '../session';

/** From here on a reason code says that the receiver did not take it (MQTT 5 §2.4). */
const FIRST_ERROR = 0x80;

/**
 * PUBACK (MQTT 3.1.1 §3.4, MQTT 5 §3.4): the device has the message, which makes its delivery `delivered`. One under an
 * identifier that nothing is in flight under means nothing. A device that refuses a message gets it no more (MQTT 5 §4.3.2).
 */
export function handlePuback(session: Session, { messageId = 0, reasonCode = 0 }: IPubackPacket): void {
  const delivery = session.outbox.acknowledge(messageId);
  if (delivery === null) return;
  if (reasonCode < FIRST_ERROR) session.services.acknowledged(session, delivery);
  else session.services.failed(session, delivery, 'refused_by_device', `The device refused it (reason ${reasonCode})`);
  session.flow();
}
