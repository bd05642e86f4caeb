import fc from 'fast-check';
import { HeaderBlocks } from './header-blocks';
import { FLAG } from './frame';
import { HpackEncoder } from './hpack-encoder';
import { RequestFields } from './request-fields';

const ORIGIN = { scheme: 'https', authority: 'fcm.example' };
/** Objects that are sent again and again, as those of access tokens are. */
const HEADERS = ['one', 'two', 'x'.repeat(5_000)].map((token) => ({
  ':method': 'POST',
  ':path': '/v1/projects/shop/messages:send',
  authorization: `Bearer ${token}`,
}));

const request = fc.record({ which: fc.nat(HEADERS.length - 1), bytes: fc.constantFrom(0, 7, 12, 300) });
const tableSize = fc.constantFrom(0, 80, 300, 4_096);

describe('the header lists of a connection', () => {
  it('mean what was sent, however often and in whichever order, and whatever table the server keeps', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: request }, tableSize), { maxLength: 60 }), (steps) => {
        const encoder = new HpackEncoder();
        const fields = new RequestFields(encoder, ORIGIN);
        const reader = new HeaderBlocks();
        for (const step of steps) {
          if (typeof step === 'number') {
            encoder.limitTable(step);
            continue;
          }
          const headers = HEADERS[step.which] ?? {};
          const block = fields.encode(headers, step.bytes);
          const read = reader.begin(1, FLAG.END_HEADERS, block)?.headers;
          expect({ ...read }).toMatchObject({
            authorization: HEADERS[step.which]?.authorization,
            'content-length': String(step.bytes),
          });
        }
      }),
    );
  });

  it('are encoded once for requests of the same headers', () => {
    const fields = new RequestFields(new HpackEncoder(), ORIGIN);
    const headers = { ':method': 'POST', ':path': '/send', authorization: 'Bearer token' };
    for (let time = 0; time < 4; time++) fields.encode(headers, 500);
    headers.authorization = 'not looked at again';
    expect(fields.encode(headers, 500)).toHaveLength(6);
  });
});
