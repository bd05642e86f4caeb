import fc from 'fast-check';
import { Http2ProtocolError } from './frame';
import { HpackDecoder } from './hpack-decoder';
import { HpackEncoder } from './hpack-encoder';
import { decodeHuffman } from './hpack-tables';

type Fields = [string, string][];

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

function decodeWith(decoder: HpackDecoder, block: Buffer): Fields {
  const fields: Fields = [];
  decoder.decode(block, (name, value) => fields.push([name, value]));
  return fields;
}

function encodeWith(encoder: HpackEncoder, fields: Fields): Buffer {
  for (const [name, value] of fields) encoder.check(name, value);
  encoder.begin();
  for (const [name, value] of fields) encoder.add(name, value);
  return Buffer.from(encoder.end());
}

describe('decoding a header block', () => {
  it('reads the requests without Huffman of RFC 7541 C.3, whose table grows from one to the next', () => {
    const decoder = new HpackDecoder(65_536);
    const common: Fields = [
      [':method', 'GET'],
      [':scheme', 'http'],
      [':path', '/'],
      [':authority', 'www.example.com'],
    ];
    expect(decodeWith(decoder, hex('828684410f7777772e6578616d706c652e636f6d'))).toEqual(common);
    expect(decodeWith(decoder, hex('828684be58086e6f2d6361636865'))).toEqual([
      ...common,
      ['cache-control', 'no-cache'],
    ]);
    expect(decodeWith(decoder, hex('828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565'))).toEqual([
      [':method', 'GET'],
      [':scheme', 'https'],
      [':path', '/index.html'],
      [':authority', 'www.example.com'],
      ['custom-key', 'custom-value'],
    ]);
  });

  it('reads the requests with Huffman of RFC 7541 C.4', () => {
    const decoder = new HpackDecoder(65_536);
    expect(decodeWith(decoder, hex('828684418cf1e3c2e5f23a6ba0ab90f4ff')).at(-1)).toEqual([
      ':authority',
      'www.example.com',
    ]);
    expect(decodeWith(decoder, hex('828684be5886a8eb10649cbf')).at(-1)).toEqual(['cache-control', 'no-cache']);
    expect(decodeWith(decoder, hex('828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf')).at(-1)).toEqual([
      'custom-key',
      'custom-value',
    ]);
  });

  it('makes its table smaller when told to, and refuses one larger than the standard allows', () => {
    const decoder = new HpackDecoder(65_536);
    decodeWith(decoder, hex('400a637573746f6d2d6b65790d637573746f6d2d686561646572'));
    expect(decodeWith(decoder, hex('be'))).toEqual([['custom-key', 'custom-header']]);
    expect(() => decodeWith(decoder, hex('20be'))).toThrow(Http2ProtocolError);
    expect(() => decodeWith(new HpackDecoder(65_536), hex('3fe2ff03'))).toThrow('larger than allowed');
    expect(() => decodeWith(new HpackDecoder(65_536), hex('8220'))).toThrow('in the middle');
  });

  it.each([
    ['an index that does not exist', 'be'],
    ['index 0', '80'],
    ['a name that ends too early', '400a6375'],
    ['a number that never ends', 'ffffffffffffffffff'],
    ['padding that is not all ones', '408125810a'],
    ['the end of a string inside a string', '4084ffffffff00'],
  ])('refuses %s', (_, block) => {
    expect(() => decodeWith(new HpackDecoder(65_536), hex(block))).toThrow(Http2ProtocolError);
  });

  it('refuses a list that weighs more than allowed, however short the block', () => {
    const decoder = new HpackDecoder(10_000);
    const long = encodeWith(new HpackEncoder(), [['x', 'y'.repeat(3_000)]]);
    const insert = Buffer.concat([Buffer.from([0x40]), long.subarray(1)]);
    decodeWith(decoder, insert);
    expect(() => decodeWith(decoder, Buffer.alloc(50, 0xbe))).toThrow('too long');
  });

  it('never does anything but decode or refuse', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => {
        const decoder = new HpackDecoder(65_536);
        try {
          decodeWith(decoder, Buffer.from(octets));
        } catch (error) {
          expect(error).toBeInstanceOf(Http2ProtocolError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads a Huffman-coded string that ends without padding', () => {
    expect(decodeHuffman(hex('f1e3c2e5f23a6ba0ab90f4ff'))).toBe('www.example.com');
    expect(decodeHuffman(Buffer.alloc(0))).toBe('');
  });
});

describe('encoding a header block', () => {
  const request = (path: string): Fields => [
    [':scheme', 'https'],
    [':authority', 'fcm.googleapis.com'],
    [':method', 'POST'],
    [':path', path],
    ['authorization', `Bearer ${'t'.repeat(1_000)}`],
    ['content-type', 'application/json'],
  ];

  it('needs an octet for a field that comes for the third time', () => {
    const encoder = new HpackEncoder();
    encodeWith(encoder, request('/v1/send'));
    encodeWith(encoder, request('/v1/send'));
    expect(encodeWith(encoder, request('/v1/send'))).toHaveLength(6);
  });

  it('keeps what repeats in the table although another field changes with each request', () => {
    const encoder = new HpackEncoder();
    for (let n = 0; n < 1_000; n++) encodeWith(encoder, request(`/3/device/${n}`));
    expect(encodeWith(encoder, request('/3/device/last')).length).toBeLessThan(30);
  });

  it.each([
    ['a name in capitals', 'Accept', '*'],
    ['a name with a space', 'a b', 'c'],
    ['a line break in a value', 'a', 'b\r\nc: d'],
    ['a NUL', 'a', '\0'],
    ['a character that is no octet', 'a', 'سلام'],
    ['what belongs to a HTTP/1.1 connection', 'transfer-encoding', 'chunked'],
  ])('refuses %s', (_, name, value) => {
    expect(() => new HpackEncoder().check(name, value)).toThrow('cannot be sent');
  });

  it('is understood by the decoder, whatever repeats and however the table changes', () => {
    const name = fc.constantFrom(':path', 'authorization', 'content-type', 'x-a', 'x-b', 'x-c');
    const value = fc.oneof(
      fc.constantFrom('one', 'two', 'z'.repeat(900), 'y'.repeat(2_000)),
      fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 40 }),
    );
    const block = fc.record({
      fields: fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 8 }),
      table: fc.option(fc.constantFrom(0, 100, 1_000, 4_096, 65_536), { freq: 6 }),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), (blocks) => {
        const encoder = new HpackEncoder();
        const decoder = new HpackDecoder(65_536);
        for (const { fields, table } of blocks) {
          if (table !== null) encoder.limitTable(table);
          expect(decodeWith(decoder, encodeWith(encoder, fields))).toEqual(fields);
        }
      }),
      { numRuns: 500 },
    );
  });
});
