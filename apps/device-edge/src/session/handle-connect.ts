import type { IConnackPacket, IConnectPacket } from 'mqtt-packet';
import {
  CONNACK_REASON_CODE,
  CONNACK_RETURN_CODE,
  type ConnectRefusal,
  type ProtocolVersion,
} from '../protocol/reason-codes';
import { type Admission, type Agreement, type ConnectRequest, expiryOf, type SessionIdentity } from './device-session';
import { publishableTopic } from './handle-publish';
import type { PacketSession } from './packet-session';

/** How many publishes of QoS 1 a client may have in flight. They are processed one after the other. */
const RECEIVE_MAXIMUM = 20;
type Admitted = Extract<Admission, { kind: 'admitted' }>;
type Refused = Omit<Extract<Admission, { kind: 'refused' }>, 'kind'>;

/** Refusals that a retry does not change. The published web client reconnects every three seconds when it is closed. */
const PERMANENT: ReadonlySet<ConnectRefusal> = new Set(['bad_client_id', 'bad_credentials', 'not_authorized']);

/**
 * CONNECT (MQTT 3.1.1 §3.1, MQTT 5 §3.1). The device is admitted and becomes present, or the CONNACK has the reason for
 * the refusal. Messages follow only after the CONNACK (§3.2.0-1).
 */
export async function handleConnect(session: PacketSession, packet: IConnectPacket): Promise<void> {
  const agreement = agreementOf(packet);
  // Enhanced authentication is not offered (MQTT 5 §4.12-1).
  const admission: Admission =
    packet.properties?.authenticationMethod === undefined
      ? await session.services.admission.admit(connectRequestOf(packet))
      : { kind: 'refused', refusal: 'bad_method' };
  if (admission.kind === 'refused') refuse(session, agreement.version, admission);
  else if (session.isClosed) leave(session, admission.identity);
  else await openSession(session, packet, agreement, admission);
}

function connectRequestOf({ clientId, username = '', password }: IConnectPacket): ConnectRequest {
  return { clientId, username, password: password?.toString('utf8') ?? '' };
}

/** The device disconnected during admission: it must not stay present. Its stored session does not change. */
function leave(session: PacketSession, identity: SessionIdentity): void {
  session.identity = identity;
  session.services.devices.ended(session, { cause: 'gone', left: null });
}

async function openSession(
  session: PacketSession,
  packet: IConnectPacket,
  agreement: Agreement,
  admission: Admitted,
): Promise<void> {
  const { version } = agreement;
  session.open(agreement, admission.identity, packet.properties?.receiveMaximum ?? session.limits.window);
  const refusal = takeWill(session, packet, admission.identity) ?? (await takeSession(session, packet, admission));
  if (refusal !== null) {
    refuse(session, version, { refusal });
    return;
  }
  session.write(connack(session, version, session.isResumed));
  // The device may have disconnected meanwhile: its end was recorded then.
  if (session.isClosed) return;
  session.services.devices.opened(session);
  session.services.wills.cameBack(session);
}

/**
 * Continues the stored session, or begins a new one (MQTT 3.1.1 §3.1.2.4, MQTT 5 §3.1.2.4).
 *
 * @returns why the CONNECT is refused; null: it is not
 */
async function takeSession(
  session: PacketSession,
  { clean }: IConnectPacket,
  { subscriptions, inFlight, unreleased, sessionEnds }: Admitted,
): Promise<ConnectRefusal | null> {
  session.ownsSession = true;
  if (clean === false && subscriptions !== null) restore(session, subscriptions, { inFlight, unreleased });
  // A session that never ends is stored as it is to be, unless it had an end until now, or identifiers that the client
  // may use for other publishes on this connection: if this edge is killed, the next one must not know them.
  const isAsItIsToBe = session.agreement?.expirySeconds === null && !sessionEnds && unreleased === null;
  if (session.isResumed && isAsItIsToBe) return null;
  return session.services.subscriptions.save(session).then(
    () => null,
    () => {
      session.ownsSession = false;
      return 'unavailable';
    },
  );
}

/** Answers a CONNECT while PostgreSQL does not answer. If the device is admitted later, `handleConnect` makes it leave. */
export function refuseLate(session: PacketSession, version: ProtocolVersion): void {
  refuse(session, version, { refusal: 'unavailable' });
}

/** Answers an unknown protocol (MQTT 3.1.1 §3.1.2-2) in the form that clients of every version can read. */
export function refuseProtocol(session: PacketSession): void {
  refuse(session, 4, { refusal: 'bad_protocol' });
}

function refuse(session: PacketSession, version: ProtocolVersion, { refusal, isAdmissible }: Refused): void {
  // The will of a connection that was not accepted is not published (MQTT 3.1.1 §3.1.2-8, MQTT 5 §3.1.2-7).
  session.will = null;
  const code =
    version === 5 ? { reasonCode: CONNACK_REASON_CODE[refusal] } : { returnCode: CONNACK_RETURN_CODE[refusal] };
  // Session present is 0 with every code but 0 (MQTT 3.1.1 §3.2.2-4, MQTT 5 §3.2.2-6).
  session.writeAs(version, { cmd: 'connack', sessionPresent: false, ...code });
  session.closeQuietly(refusal, version < 5 && PERMANENT.has(refusal) ? { isAdmissible } : null);
}

function agreementOf({ protocolVersion = 4, clean, keepalive = 0, properties = {} }: IConnectPacket): Agreement {
  return {
    version: protocolVersion,
    keepAliveMs: keepalive * 1_000,
    expirySeconds: protocolVersion === 5 ? expiryOf(properties.sessionExpiryInterval ?? 0) : clean === false ? null : 0,
    clientMaxBytes: properties.maximumPacketSize ?? Number.MAX_SAFE_INTEGER,
    takesReasons: properties.requestProblemInformation !== false,
  };
}

/**
 * Keeps the will, if the client may publish it. What the CONNACK of MQTT 5 declares unavailable is refused in a will too
 * (MQTT 5 §3.2.2-12 and §3.2.2-13).
 *
 * @returns why it is refused; null: it is not
 */
function takeWill(
  session: PacketSession,
  { will, protocolVersion }: IConnectPacket,
  identity: SessionIdentity,
): ConnectRefusal | null {
  if (!will) return null;
  if (protocolVersion === 5 && will.qos === 2) return 'qos_not_supported';
  if (protocolVersion === 5 && will.retain) return 'retain_not_supported';
  const on = publishableTopic(will.topic, identity);
  if (on === null) return 'not_authorized';
  session.will = { on, payload: Buffer.from(will.payload), delaySeconds: will.properties?.willDelayInterval };
  return null;
}

function restore(
  session: PacketSession,
  subscriptions: Record<string, number>,
  { inFlight, unreleased }: Pick<Admitted, 'inFlight' | 'unreleased'>,
): void {
  session.isResumed = true;
  session.outbox.resume(inFlight);
  session.unreleased.resume(unreleased);
  for (const [topic, qos] of Object.entries(subscriptions)) session.subscriptions.set(topic, qos === 0 ? 0 : 1);
}

function connack(session: PacketSession, version: ProtocolVersion, sessionPresent: boolean): IConnackPacket {
  // MQTT 3.1 has no such flag: the byte is reserved.
  if (version < 5) return { cmd: 'connack', returnCode: 0, sessionPresent: sessionPresent && version > 3 };
  return {
    cmd: 'connack',
    reasonCode: 0,
    sessionPresent,
    properties: {
      receiveMaximum: RECEIVE_MAXIMUM,
      maximumQoS: 1,
      retainAvailable: false,
      maximumPacketSize: session.limits.maxPacketBytes,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
    },
  };
}
