import { RetainedMemory } from '@postrider/testing';
import fc from 'fast-check';
import { Exchange } from './exchange';
import type { QueuedCall } from './http2-call';

const begin = (): Exchange => {
  const listener = { onAnswer: () => undefined, onEnd: () => undefined };
  const exchange = new Exchange({} as QueuedCall, 0, listener);
  exchange.onHead(200, {});
  return exchange;
};

describe('the body of an answer', () => {
  it('is the same in whatever pieces it comes', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, isLastMarked) => {
        const exchange = begin();
        const buffers = parts.map((part) => Buffer.from(part));
        for (const [at, buffer] of buffers.entries()) {
          exchange.onData(buffer, isLastMarked && at === buffers.length - 1);
          // The bytes are only lent.
          const body = Buffer.from(buffer);
          buffer.fill(0);
          buffers[at] = body;
        }
        exchange.onEnd({ kind: 'complete' });
        expect(exchange.result()).toMatchObject({ body: Buffer.concat(buffers).toString('utf8') });
      }),
    );
  });

  it('of more than a stream’s window is not wanted', () => {
    const exchange = begin();
    expect(exchange.onData(Buffer.alloc(65_534), false)).toBe(true);
    expect(exchange.onData(Buffer.alloc(1), false)).toBe(false);
  });

  it('takes no memory for pieces without bytes: push services are named by strangers', async () => {
    const memory = new RetainedMemory();
    const exchange = begin();
    for (let piece = 0; piece < 500_000; piece++) exchange.onData(Buffer.alloc(0), false);
    for (let piece = 0; piece < 60_000; piece++) exchange.onData(Buffer.from('x'), false);
    await memory.untilLessThan(4 * 1_048_576);
    exchange.onEnd({ kind: 'complete' });
    expect(exchange.result()).toMatchObject({ body: 'x'.repeat(60_000) });
  });
});
