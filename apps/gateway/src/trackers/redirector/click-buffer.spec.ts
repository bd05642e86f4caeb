import type { LinkClick } from '@postrider/persistence';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { ClickBuffer } from './click-buffer.service';

it('the buffer of clicks counts a click once whose receipt had to wait until PostgreSQL was back', async () => {
  const counted: LinkClick[] = [];
  const receipts: string[] = [];
  let failures = 1;
  const recorder = {
    links: { nameOf: (_appId: string, _messageId: string, link: string) => Promise.resolve(link) },
    record: (_appId: string, deviceId: string) => {
      if (failures-- > 0) return Promise.reject(Object.assign(new Error('it restarts'), { code: '57P01' }));
      receipts.push(deviceId);
      return Promise.resolve();
    },
  };
  const buffer = new ClickBuffer(
    { countLinkClicks: (clicks: LinkClick[]) => Promise.resolve(void counted.push(...clicks)) } as never,
    {} as never,
    pino({ level: 'silent' }),
    new Registry(),
    recorder as never,
    { findOwners: () => Promise.resolve([{ appId: 'shop', installationId: 'i1', deviceId: '7' }]) } as never,
  );
  const click = { appId: 'shop', messageId: 'm1', link: 'https://shop.example', at: new Date(), installationId: 'i1' };
  buffer.addLink(click);
  await buffer.flush();
  expect(receipts).toEqual(['7']);
  expect(counted).toHaveLength(1);
});

it('the buffer of clicks says in the log, once a minute, that it is full and loses clicks', () => {
  const lines: string[] = [];
  const buffer = new ClickBuffer(
    {} as never,
    { recordClicks: () => new Promise(() => undefined) } as never,
    pino({}, { write: (line) => lines.push(line) }),
    new Registry(),
    {} as never,
    {} as never,
  );
  const click = { appId: 'shop', trackerId: 't', at: new Date(), platform: 'web', visitor: null, deferred: null };
  for (let clicks = 0; clicks < 110_000; clicks++) buffer.add({ ...click, times: 1 } as never, null);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ msg: 'clicks.not-held', level: 40, held: 100_000 }),
  ]);
});
