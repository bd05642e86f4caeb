import { isUtf8 } from 'node:buffer';
import type { Packet } from 'mqtt-packet';
import { PacketRefused } from './reason-codes';

/** Where properties stand: in a packet, or in the will of a CONNECT. */
type Place = 'connect' | 'will' | 'publish' | 'subscribe' | 'unsubscribe' | 'acknowledgement' | 'disconnect';
type Kind = 'flag' | 'twoBytes' | 'fourBytes' | 'variable' | 'text' | 'binary' | 'pair';

interface Property {
  name: string;
  kind: Kind;
  places: readonly Place[];
  /** True if it must not be zero. */
  isPositive?: true;
}

const USER_PROPERTY = 0x26;
const EVERYWHERE = ['connect', 'will', 'publish', 'subscribe', 'unsubscribe', 'acknowledgement', 'disconnect'] as const;

/** The properties that a client may send (MQTT 5 §2.2.2.2). AUTH is not here: it is always refused. */
const PROPERTIES: ReadonlyMap<number, Property> = new Map<number, Property>([
  [0x01, { name: 'Payload Format Indicator', kind: 'flag', places: ['publish', 'will'] }],
  [0x02, { name: 'Message Expiry Interval', kind: 'fourBytes', places: ['publish', 'will'] }],
  [0x03, { name: 'Content Type', kind: 'text', places: ['publish', 'will'] }],
  [0x08, { name: 'Response Topic', kind: 'text', places: ['publish', 'will'] }],
  [0x09, { name: 'Correlation Data', kind: 'binary', places: ['publish', 'will'] }],
  [0x0b, { name: 'Subscription Identifier', kind: 'variable', places: ['publish', 'subscribe'], isPositive: true }],
  [0x11, { name: 'Session Expiry Interval', kind: 'fourBytes', places: ['connect', 'disconnect'] }],
  [0x15, { name: 'Authentication Method', kind: 'text', places: ['connect'] }],
  [0x16, { name: 'Authentication Data', kind: 'binary', places: ['connect'] }],
  [0x17, { name: 'Request Problem Information', kind: 'flag', places: ['connect'] }],
  [0x18, { name: 'Will Delay Interval', kind: 'fourBytes', places: ['will'] }],
  [0x19, { name: 'Request Response Information', kind: 'flag', places: ['connect'] }],
  [0x1c, { name: 'Server Reference', kind: 'text', places: ['disconnect'] }],
  [0x1f, { name: 'Reason String', kind: 'text', places: ['acknowledgement', 'disconnect'] }],
  [0x21, { name: 'Receive Maximum', kind: 'twoBytes', places: ['connect'], isPositive: true }],
  [0x22, { name: 'Topic Alias Maximum', kind: 'twoBytes', places: ['connect'] }],
  [0x23, { name: 'Topic Alias', kind: 'twoBytes', places: ['publish'] }],
  [USER_PROPERTY, { name: 'User Property', kind: 'pair', places: EVERYWHERE }],
  [0x27, { name: 'Maximum Packet Size', kind: 'fourBytes', places: ['connect'], isPositive: true }],
]);

/** The bytes before the properties: an identifier, a reason code, or both. */
const HEADERS: Partial<Record<Packet['cmd'], { place: Place; bytes: number; mayEndThere?: true }>> = {
  subscribe: { place: 'subscribe', bytes: 2 },
  unsubscribe: { place: 'unsubscribe', bytes: 2 },
  // The reason code and the properties may be left out (§3.4.2 and §3.14.2).
  disconnect: { place: 'disconnect', bytes: 1, mayEndThere: true },
  puback: { place: 'acknowledgement', bytes: 3, mayEndThere: true },
  pubrec: { place: 'acknowledgement', bytes: 3, mayEndThere: true },
  pubrel: { place: 'acknowledgement', bytes: 3, mayEndThere: true },
  pubcomp: { place: 'acknowledgement', bytes: 3, mayEndThere: true },
};

/**
 * Checks the properties of a packet of MQTT 5 (§2.2.2): each is known, stands where it may, once, is whole, and has a value
 * that it may have. The parser checks only that it is known, and reads the packet wrongly if their length is wrong.
 *
 * @throws PacketRefused
 */
export function checkProperties(frame: Buffer, packet: Packet): void {
  const reader = new ByteReader(frame, 1);
  const length = reader.variable();
  if (packet.cmd === 'connect') checkConnect(reader, packet.will !== undefined);
  else if (packet.cmd === 'publish') {
    reader.skipText();
    reader.skip(packet.qos > 0 ? 2 : 0);
    checkSection(reader, 'publish');
  } else {
    const header = HEADERS[packet.cmd];
    if (header === undefined || (header.mayEndThere && length <= header.bytes)) return;
    reader.skip(header.bytes);
    checkSection(reader, header.place);
  }
}

function checkConnect(reader: ByteReader, hasWill: boolean): void {
  reader.skipText();
  // The version, the flags and the keep-alive.
  reader.skip(4);
  checkSection(reader, 'connect');
  if (!hasWill) return;
  reader.skipText();
  checkSection(reader, 'will');
}

function checkSection(reader: ByteReader, place: Place): void {
  const section = reader.part(reader.variable());
  const seen = new Set<number>();
  while (section.bytesLeft > 0) {
    const id = section.variable();
    const property = PROPERTIES.get(id);
    if (property?.places.includes(place) !== true) malformed(`The property ${id} does not belong there`);
    checkValue(section, property);
    if (id !== USER_PROPERTY && seen.has(id)) forbidden(`${property.name} comes more than once`);
    seen.add(id);
  }
}

function checkValue(section: ByteReader, { name, kind, isPositive }: Property): void {
  const value = readValue(section, kind);
  if (kind === 'flag' && value > 1) forbidden(`${name} is neither 0 nor 1`);
  if (isPositive && value === 0) forbidden(`${name} is zero`);
}

/** Reads a value. @returns it if it is a number; 0 otherwise */
function readValue(section: ByteReader, kind: Kind): number {
  switch (kind) {
    case 'flag':
      return section.number(1);
    case 'twoBytes':
      return section.number(2);
    case 'fourBytes':
      return section.number(4);
    case 'variable':
      return section.variable();
    case 'binary':
      section.part(section.number(2));
      return 0;
    case 'text':
      section.text();
      return 0;
    case 'pair':
      section.text();
      section.text();
      return 0;
  }
}

/** Reads bytes one after the other. A value that ends behind them makes the packet malformed. */
export class ByteReader {
  constructor(
    private readonly bytes: Buffer,
    private at = 0,
  ) {}

  get bytesLeft(): number {
    return this.bytes.length - this.at;
  }

  skip(length: number): void {
    this.at += length;
  }

  /** The next bytes, for a reader of their own. */
  part(length: number): ByteReader {
    return new ByteReader(this.#take(length));
  }

  number(bytes: 1 | 2 | 4): number {
    return this.#take(bytes).readUIntBE(0, bytes);
  }

  /** A Variable Byte Integer (§1.5.5). */
  variable(): number {
    let value = 0;
    for (let place = 0; place < 4; place++) {
      const byte = this.number(1);
      value += (byte & 0x7f) * 128 ** place;
      if ((byte & 0x80) === 0) return value;
    }
    return malformed('A number of more than four bytes');
  }

  /** A text that is no property: `readPacket` and `readConnect` check it. */
  skipText(): void {
    this.skip(this.number(2));
  }

  /** A UTF-8 Encoded String (§1.5.4). */
  text(): void {
    const bytes = this.#take(this.number(2));
    if (!isUtf8(bytes) || bytes.includes(0)) malformed('A text that is not UTF-8 without U+0000');
  }

  #take(length: number): Buffer {
    const begin = this.at;
    this.at += length;
    if (this.at > this.bytes.length) malformed('A property ends behind its packet');
    return this.bytes.subarray(begin, this.at);
  }
}

function malformed(message: string): never {
  throw new PacketRefused('malformed', message);
}

function forbidden(message: string): never {
  throw new PacketRefused('protocol_error', message);
}
