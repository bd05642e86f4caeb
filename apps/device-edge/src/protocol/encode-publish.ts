import type { ProtocolVersion } from './reason-codes';

/** A message on its way to a device. */
interface OutgoingPublish {
  topic: string;
  qos: 0 | 1;
  isRepetition: boolean;
  /** The packet identifier (QoS 1 only). */
  packetId: number;
  payload: Buffer;
  /** Seconds that the message has left to live. Only MQTT 5 sends it. */
  secondsLeft: number;
}

/** What of a publish decides how long it is, beside its topic. */
type Sized = Pick<OutgoingPublish, 'qos' | 'payload'>;

const MESSAGE_EXPIRY = 0x02;
/** The length of the properties, and the one property. */
const EXPIRY_BYTES = 6;
const PUBLISH = 0x30;
const DUP = 0x08;

/** A PUBLISH as bytes (MQTT 3.1.1 §3.3, MQTT 5 §3.3). Encoded by hand, because nothing else here runs as often. */
export function encodePublish(publish: OutgoingPublish, version: ProtocolVersion): Buffer {
  const { topic, qos, isRepetition, packetId, payload, secondsLeft } = publish;
  const topicBytes = Buffer.byteLength(topic);
  const remaining = remainingLength(topicBytes, publish, version);
  const bytes = Buffer.allocUnsafe(1 + lengthBytes(remaining) + remaining);
  let at = bytes.writeUInt8(PUBLISH | (isRepetition && qos > 0 ? DUP : 0) | (qos << 1), 0);
  at = writeLength(bytes, remaining, at);
  at = bytes.writeUInt16BE(topicBytes, at);
  at += bytes.write(topic, at);
  if (qos > 0) at = bytes.writeUInt16BE(packetId, at);
  if (version === 5) {
    at = bytes.writeUInt8(5, at);
    at = bytes.writeUInt8(MESSAGE_EXPIRY, at);
    at = bytes.writeUInt32BE(Math.max(0, Math.min(secondsLeft, 0xffffffff)), at);
  }
  payload.copy(bytes, at);
  return bytes;
}

/** How many bytes `encodePublish` makes. */
export function publishBytes(publish: Sized & Pick<OutgoingPublish, 'topic'>, version: ProtocolVersion): number {
  const remaining = remainingLength(Buffer.byteLength(publish.topic), publish, version);
  return 1 + lengthBytes(remaining) + remaining;
}

function remainingLength(topicBytes: number, { qos, payload }: Sized, version: ProtocolVersion): number {
  return 2 + topicBytes + (qos > 0 ? 2 : 0) + (version === 5 ? EXPIRY_BYTES : 0) + payload.length;
}

function lengthBytes(length: number): number {
  return length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : 4;
}

function writeLength(bytes: Buffer, length: number, at: number): number {
  let rest = length;
  do {
    const digit = rest % 128;
    rest = Math.floor(rest / 128);
    at = bytes.writeUInt8(rest > 0 ? digit | 0x80 : digit, at);
  } while (rest > 0);
  return at;
}
