import {
  type IConnectPacket,
  type IPublishPacket,
  type Packet,
  parser as createParser,
  type Parser,
} from 'mqtt-packet';
import { ByteReader, checkProperties } from './check-properties';
import { PacketRefused } from './reason-codes';
import type { ProtocolVersion } from './reason-codes';

/** Packet types that only a server sends, that acknowledge a packet, and that have an identifier. */
const FROM_SERVER = new Set(['connack', 'suback', 'unsuback', 'pingresp']);
const ACKNOWLEDGEMENTS = new Set(['puback', 'pubrec', 'pubrel', 'pubcomp']);
const IDENTIFIED = new Set([...ACKNOWLEDGEMENTS, 'subscribe', 'unsubscribe']);

/** A packet with as many filters counts as one more. */
const FILTERS_OF_A_PACKET = 100;

/** The fixed header of a PUBACK without a reason code: its kind, and the two bytes that follow (MQTT 3.1.1 §3.4, MQTT 5 §3.4.2.1). */
const PUBACK = 0x4002;
const PUBACK_BYTES = 4;

/** A parser that is given whole packets keeps nothing between them, so one serves all connections of a version. */
class FrameParser {
  #parser: Parser;
  #packet: Packet | null = null;
  #error: Error | null = null;

  constructor(private readonly settings: object) {
    this.#parser = this.#make();
  }

  parse(frame: Buffer): Packet {
    this.#packet = this.#error = null;
    try {
      this.#parser.parse(frame);
    } catch (error) {
      this.#error = error as Error;
    }
    if (this.#packet !== null && this.#error === null) return this.#packet;
    this.#parser = this.#make();
    throw this.#error ?? new Error('The packet ends too early');
  }

  #make(): Parser {
    const parser = createParser(this.settings);
    parser.on('packet', (packet) => (this.#packet = packet));
    parser.on('error', (error: Error) => (this.#error ??= error));
    return parser;
  }
}

const PARSERS: Record<ProtocolVersion, FrameParser> = {
  3: new FrameParser({ protocolVersion: 3 }),
  4: new FrameParser({ protocolVersion: 4 }),
  5: new FrameParser({ protocolVersion: 5 }),
};

/** @throws PacketRefused if the bytes are not a packet of this version, or one that a client must not send */
export function readPacket(frame: Buffer, version: ProtocolVersion): Packet {
  // Read by hand, because nothing else comes as often: the parser takes a tenth of the edge's time for it.
  if (frame.length === PUBACK_BYTES && frame.readUInt16BE(0) === PUBACK) return readPuback(frame);
  const packet = parse(PARSERS[version], frame);
  if (packet.cmd === 'connect' || FROM_SERVER.has(packet.cmd)) {
    throw new PacketRefused('protocol_error', `${packet.cmd} is not for a client to send here`);
  }
  if (version === 5) checkProperties(frame, packet);
  if (packet.cmd === 'publish') checkPublish(packet);
  else checkIdentifier(packet);
  checkTexts(packet, frame);
  checkLength(packet, frame, version);
  return packet;
}

function readPuback(frame: Buffer): Packet {
  const packet: Packet = { cmd: 'puback', messageId: frame.readUInt16BE(2) };
  checkIdentifier(packet);
  return packet;
}

function checkLength(packet: Packet, { length }: Buffer, version: ProtocolVersion): void {
  if (version < 5 && ACKNOWLEDGEMENTS.has(packet.cmd) && length !== 4) refuse('An acknowledgement of another length');
  if (isEmpty(packet, version) && length !== 2) refuse(`A ${packet.cmd} that is not empty`);
}

/** True if the packet is only a fixed header (MQTT 3.1.1 §3.12.1 and §3.14.1, MQTT 5 §3.12.1). */
function isEmpty({ cmd }: Packet, version: ProtocolVersion): boolean {
  return cmd === 'pingreq' || (cmd === 'disconnect' && version < 5);
}

/**
 * The first packet must be a CONNECT (MQTT 3.1.1 §3.1.0, MQTT 5 §3.1.0).
 *
 * @throws PacketRefused; `bad_protocol` for a protocol or version that is not spoken
 */
export function readConnect(frame: Buffer): IConnectPacket {
  // After a parser has read a CONNECT, it reads packets of that version.
  const packet = parse(new FrameParser({}), frame);
  if (packet.cmd !== 'connect') throw new PacketRefused('protocol_error', `${packet.cmd} before connect`);
  const { protocolId, protocolVersion } = packet;
  const isKnown = protocolId === 'MQIsdp' ? protocolVersion === 3 : protocolVersion === 4 || protocolVersion === 5;
  if (!isKnown || 'bridgeMode' in packet) {
    throw new PacketRefused('bad_protocol', `${protocolId ?? ''} ${protocolVersion ?? ''} is not spoken`);
  }
  if (protocolVersion === 5) checkConnectProperties(frame, packet);
  checkWill(packet);
  checkTexts(packet, frame);
  checkEnd(packet, frame);
  return packet;
}

/** The parser takes both bits of a QoS (MQTT 3.1.1 §3.1.2-14, MQTT 5 §3.1.2-12). */
function checkWill({ will }: IConnectPacket): void {
  if (Number(will?.qos) === 3) refuse('A will of QoS 3');
}

/** The flags of a CONNECT say which fields it has, and nothing follows them (MQTT 3.1.1 §3.1.3, MQTT 5 §3.1.3). */
function checkEnd({ protocolVersion, will, username, password }: IConnectPacket, frame: Buffer): void {
  const reader = new ByteReader(frame, 1);
  const skipProperties = (): void => reader.skip(protocolVersion === 5 ? reader.variable() : 0);
  reader.variable();
  reader.skipText();
  // The version, the flags and the keep-alive.
  reader.skip(4);
  skipProperties();
  reader.skipText();
  if (will !== undefined) {
    skipProperties();
    reader.skipText();
    reader.skipText();
  }
  if (username !== undefined) reader.skipText();
  if (password !== undefined) reader.skipText();
  if (reader.bytesLeft > 0) refuse('A connect with bytes behind its last field');
}

function checkConnectProperties(frame: Buffer, packet: IConnectPacket): void {
  checkProperties(frame, packet);
  const { properties = {} } = packet;
  if (properties.authenticationData !== undefined && properties.authenticationMethod === undefined) {
    throw new PacketRefused('protocol_error', 'Authentication data without a method (MQTT 5 §3.1.2.11.10)');
  }
}

function parse(parser: FrameParser, frame: Buffer): Packet {
  try {
    return parser.parse(frame);
  } catch (error) {
    const { message } = error as Error;
    const isVersion = message === 'Invalid protocol version' || message === 'Invalid protocolId';
    throw new PacketRefused(isVersion ? 'bad_protocol' : 'malformed', message);
  }
}

/** What is sent at most once has no identifier, and is not sent again (MQTT 3.1.1 §3.3.1-2, MQTT 5 §3.3.1-2). */
function checkPublish(packet: IPublishPacket): void {
  if (packet.qos > 0 && !hasIdentifier(packet)) refuse('A packet identifier is missing');
  if (packet.qos === 0 && packet.dup) refuse('A publish of QoS 0 with DUP');
}

/** What a packet counts as in `CONNECTION_PACKETS_PER_SECOND`: each of its filters is looked up, answered and stored. */
export function costOf(packet: Packet): number {
  if (packet.cmd === 'subscribe') return 1 + Math.floor(packet.subscriptions.length / FILTERS_OF_A_PACKET);
  if (packet.cmd === 'unsubscribe') return 1 + Math.floor(packet.unsubscriptions.length / FILTERS_OF_A_PACKET);
  return 1;
}

function checkIdentifier(packet: Packet): void {
  if (IDENTIFIED.has(packet.cmd) && !hasIdentifier(packet)) refuse('A packet identifier is missing');
  if (packet.cmd === 'subscribe' && packet.subscriptions.length === 0) refuse('A subscribe without a filter');
  if (packet.cmd === 'unsubscribe' && packet.unsubscriptions.length === 0) refuse('An unsubscribe without a filter');
}

/** An identifier is never zero (MQTT 3.1.1 §2.3.1-1, MQTT 5 §2.2.1-2); the parser reads a missing one as -1. */
function hasIdentifier({ messageId = 0 }: Packet): boolean {
  return messageId > 0;
}

/**
 * Texts are UTF-8 without U+0000 (MQTT 3.1.1 §1.5.3-1 and -2, MQTT 5 §1.5.4-1 and -2), and a topic is not empty (§4.7.3-1).
 * The parser puts U+FFFD where bytes are not UTF-8: such a text is not found among the bytes.
 */
function checkTexts(packet: Packet, frame: Buffer): void {
  // Each is looked for behind the ones before it: tens of thousands of filters fit into a packet, and it is read once only.
  let from = 0;
  for (const text of textsOf(packet)) {
    if (text.includes('\u0000')) refuse('A text with U+0000');
    if (text.includes('\ufffd')) from = endOf(text, frame, from);
    // A publish with a topic alias has no topic. The session checks that.
    if (text === '' && packet.cmd !== 'publish' && packet.cmd !== 'connect') refuse('A bad topic');
  }
}

/** Where a text ends among the bytes from a place on. */
function endOf(text: string, frame: Buffer, from: number): number {
  const place = frame.indexOf(text, from);
  return place < 0 ? refuse('A text that is not UTF-8') : place + Buffer.byteLength(text);
}

/** The texts of a packet, in the order in which they stand in it. */
function textsOf(packet: Packet): string[] {
  switch (packet.cmd) {
    case 'connect':
      return [packet.clientId, packet.will?.topic ?? '', packet.username ?? ''];
    case 'publish':
      return [packet.topic];
    case 'subscribe':
      return packet.subscriptions.map(({ topic }) => topic);
    case 'unsubscribe':
      return packet.unsubscriptions;
    default:
      return [];
  }
}

function refuse(message: string): never {
  throw new PacketRefused('malformed', message);
}
