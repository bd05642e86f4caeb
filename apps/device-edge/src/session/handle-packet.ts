import type { Packet } from 'mqtt-packet';
import { PacketRefused } from '../protocol/packet-refused';
import type { Session } from './session';
import { handleDisconnect } from './handlers/disconnect.handler';
import { handlePuback } from './handlers/puback.handler';
import { handlePublish } from './handle-publish';
import { handlePubrel } from './handlers/pubrel.handler';
import { handleSubscribe } from './handle-subscribe';
import { handleUnsubscribe } from './handlers/unsubscribe.handler';

/** Works a packet of a client that is let in. A promise: nothing else of this connection is worked until it is settled. */
export function handlePacket(session: Session, packet: Packet): Promise<void> | undefined {
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
      // PUBREC and PUBCOMP belong to QoS 2, which nothing is published with; AUTH to a method that was not agreed on.
      throw new PacketRefused('protocol_error', `${packet.cmd} answers nothing`);
  }
}
