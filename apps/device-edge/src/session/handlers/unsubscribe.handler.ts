import type { IUnsubscribePacket } from 'mqtt-packet';
import { UNSUBACK_CODE } from '../../protocol/reason-codes';
import type { Session } from '../session';
import { channelsOf } from '../../protocol/topics';

/**
 * UNSUBSCRIBE (MQTT 3.1.1 §3.10, MQTT 5 §3.10). Whoever gives up a channel's topic leaves the channel: what he does not want
 * to hear does not come another way either. Answered whether or not there was such a subscription (§3.10.4-5).
 */
export async function handleUnsubscribe(session: Session, packet: IUnsubscribePacket): Promise<void> {
  const { identity } = session;
  session.heardBy = 'client';
  const granted = packet.unsubscriptions.map((topic) =>
    session.subscriptions.delete(topic) ? UNSUBACK_CODE.done : UNSUBACK_CODE.none,
  );
  const channels = identity === null ? [] : channelsOf(packet.unsubscriptions, identity);
  await session.services.leave(session, channels);
  await session.services.keep(session);
  session.write({ cmd: 'unsuback', messageId: packet.messageId, granted });
}
