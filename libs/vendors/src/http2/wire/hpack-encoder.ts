import { STATIC_NAMES, STATIC_TABLE } from './hpack-tables';

const DEFAULT_TABLE_BYTES = 4_096;
const ENTRY_BYTES = 32;
/** RFC 9113 §8.2.1, in lower case already; a pseudo-header begins with a colon. */
const VALID_NAME = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Characters that would end a field and begin another, or that are not single octets. */
const INVALID_VALUE = /[\0\r\n]|[^\0-\xff]/;
/** They belong to one HTTP/1.1 connection (RFC 9113 §8.2.2). */
const CONNECTION_SPECIFIC = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'host',
]);
const WHOLE_STATIC = new Map(STATIC_TABLE.map(([name, value], place) => [`${name}\n${value}`, place + 1]));

/** What the encoder remembers of a header name. */
interface NameMemory {
  readonly name: string;
  readonly staticIndex: number;
  lastValue: string | null;
  lastStaticIndex: number;
  /** Which insertion put `lastValue` into the table, counted from 1; 0 when none did. */
  inserted: number;
}

/**
 * Encodes the header lists of one connection (RFC 7541), for requests that resemble each other: a field that comes a second
 * time in a row goes into the table and is one octet from then on; one that changes each time never takes room there.
 * Nothing is Huffman-coded: what repeats is not written again, and the rest is short.
 */
export class HpackEncoder {
  readonly #names = new Map<string, NameMemory>();
  /** Weights of the entries in the table, oldest first, from `#head` on. */
  #weights: number[] = [];
  #head = 0;
  #tableBytes = 0;
  #capacity = DEFAULT_TABLE_BYTES;
  #inserted = 0;
  #lowestUnannounced: number | null = null;
  #version = 0;
  #out: Buffer = Buffer.allocUnsafe(4_096);
  #length = 0;

  /** Counts what changes the table. While it stays the same, a block that changed nothing may be sent again (`append`). */
  get version(): number {
    return this.#version;
  }

  /** The peer's decoder takes this much (SETTINGS_HEADER_TABLE_SIZE); we never use more than the standard's default. */
  limitTable(bytes: number): void {
    const capacity = Math.min(bytes, DEFAULT_TABLE_BYTES);
    if (capacity === this.#capacity) return;
    this.#version += 1;
    this.#lowestUnannounced = Math.min(this.#lowestUnannounced ?? capacity, capacity);
    this.#capacity = capacity;
    this.#evict(capacity);
  }

  /** @throws when a field cannot be put on the wire. To be asked for all fields before a block is begun. */
  check(name: string, value: string): void {
    const memory = this.#names.get(name) ?? this.#remember(name);
    if (value !== memory.lastValue && INVALID_VALUE.test(value)) {
      throw new Error(`The value of the header ${name} cannot be sent`);
    }
  }

  /** Begins a header block; announces a table that shrank and grew, the smallest first (RFC 7541 §4.2). */
  begin(): void {
    this.#length = 0;
    if (this.#lowestUnannounced === null) return;
    this.#version += 1;
    if (this.#lowestUnannounced < this.#capacity) this.#integer(0x20, 5, this.#lowestUnannounced);
    this.#integer(0x20, 5, this.#capacity);
    this.#lowestUnannounced = null;
  }

  /** Adds a field that was checked. */
  add(name: string, value: string): void {
    const memory = this.#names.get(name) ?? this.#remember(name);
    if (value === memory.lastValue) {
      this.#addKnown(memory, value);
      return;
    }
    memory.lastValue = value;
    memory.inserted = 0;
    memory.lastStaticIndex = WHOLE_STATIC.get(`${name}\n${value}`) ?? 0;
    if (memory.lastStaticIndex > 0) this.#integer(0x80, 7, memory.lastStaticIndex);
    else this.#literal(0x00, 4, memory, value);
  }

  /** Adds fields as they were encoded before, in a block that left the table at this `version`. */
  append(encoded: Buffer): void {
    this.#reserve(encoded.length);
    this.#length += encoded.copy(this.#out, this.#length);
  }

  /** The finished block; valid until `begin` is called again. */
  end(): Buffer {
    return this.#out.subarray(0, this.#length);
  }

  #addKnown(memory: NameMemory, value: string): void {
    if (memory.lastStaticIndex > 0) {
      this.#integer(0x80, 7, memory.lastStaticIndex);
      return;
    }
    const age = this.#inserted - memory.inserted;
    if (memory.inserted > 0 && age < this.#entries) {
      this.#integer(0x80, 7, STATIC_TABLE.length + 1 + age);
      return;
    }
    const weight = memory.name.length + value.length + ENTRY_BYTES;
    if (weight > this.#capacity) {
      this.#literal(0x00, 4, memory, value);
      return;
    }
    this.#literal(0x40, 6, memory, value);
    this.#evict(this.#capacity - weight);
    this.#weights.push(weight);
    this.#tableBytes += weight;
    memory.inserted = ++this.#inserted;
    this.#version += 1;
  }

  get #entries(): number {
    return this.#weights.length - this.#head;
  }

  #remember(name: string): NameMemory {
    if (!VALID_NAME.test(name) || CONNECTION_SPECIFIC.has(name)) throw new Error(`The header ${name} cannot be sent`);
    const memory = { name, staticIndex: STATIC_NAMES.get(name) ?? 0, lastValue: null, lastStaticIndex: 0, inserted: 0 };
    this.#names.set(name, memory);
    return memory;
  }

  #evict(room: number): void {
    while (this.#tableBytes > room && this.#entries > 0) this.#tableBytes -= this.#weights[this.#head++] as number;
    if (this.#head > 64) {
      this.#weights = this.#weights.slice(this.#head);
      this.#head = 0;
    }
  }

  #literal(pattern: number, prefixBits: number, { name, staticIndex }: NameMemory, value: string): void {
    this.#integer(pattern, prefixBits, staticIndex);
    if (staticIndex === 0) this.#string(name);
    this.#string(value);
  }

  #string(text: string): void {
    this.#integer(0x00, 7, text.length);
    this.#reserve(text.length);
    this.#out.write(text, this.#length, 'latin1');
    this.#length += text.length;
  }

  /** RFC 7541 §5.1. */
  #integer(pattern: number, prefixBits: number, value: number): void {
    this.#reserve(6);
    const mask = (1 << prefixBits) - 1;
    if (value < mask) {
      this.#out[this.#length++] = pattern | value;
      return;
    }
    this.#out[this.#length++] = pattern | mask;
    let rest = value - mask;
    for (; rest >= 0x80; rest >>>= 7) this.#out[this.#length++] = (rest & 0x7f) | 0x80;
    this.#out[this.#length++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes));
    this.#out.copy(larger, 0, 0, this.#length);
    this.#out = larger;
  }
}
