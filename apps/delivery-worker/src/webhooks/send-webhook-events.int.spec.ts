import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { HOUR_MS } from '@postrider/domain';
import { inTransaction, rows, WebhookEventsRepository, WebhooksRepository } from '@postrider/persistence';
import { createThrowAwayDatabase, emptyAllTables, type ThrowAwayDatabase, untilTrue } from '@postrider/testing';
import { APP_ID, Ledger } from '../testing/ledger';
import { Receiver } from './testing/receiver';
import { addWebhook, startWebhookWorker, type TestWebhook, type WebhookWorker } from './testing/webhook-worker';

/** Checks a signature as a receiver does, written from the text of Standard Webhooks and with none of our code. */
function isSigned(headers: Record<string, unknown>, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const text = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  const wanted = createHmac('sha256', key).update(text).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${wanted}`);
}

/** Events are due at a time of PostgreSQL, which goes on while the clock of the test stands: they are due however long a test takes. */
const TEST_ENDS_WITHIN_MS = 600_000;

describe('sending webhook events', () => {
  let database: ThrowAwayDatabase;
  let receiver: Receiver;
  let worker: WebhookWorker;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  beforeEach(async () => {
    await emptyAllTables(database.dataSource);
    await new Ledger(database).addApplication();
    receiver = await new Receiver().start();
    worker = startWebhookWorker(database);
    worker.clock.advance(TEST_ENDS_WITHIN_MS);
  });

  afterEach(async () => {
    await worker.close();
    await receiver.stop();
  });
  afterAll(() => database.drop());

  const happens = (count = 1): Promise<void> =>
    new WebhookEventsRepository(database.dataSource).record(
      database.dataSource,
      Array.from({ length: count }, (_, n) => ({ appId: APP_ID, type: 'promo.low_stock' as const, data: { n } })),
    );
  const hook = (url = receiver.url): Promise<TestWebhook> => addWebhook(database, APP_ID, url, ['promo.low_stock']);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into whatever came
  const log = (): Promise<Record<string, any>[]> =>
    rows(database.dataSource, 'SELECT * FROM webhook_events ORDER BY created_at, event_id');
  const state = async (): Promise<Record<string, unknown>> =>
    (await rows<Record<string, unknown>>(database.dataSource, 'SELECT * FROM webhooks'))[0] ?? {};

  it('sends an event to each webhook that asks for it, signed as Standard Webhooks says', async () => {
    const first = await hook();
    await addWebhook(database, APP_ID, receiver.url, ['message.done']);
    await happens();
    expect(await worker.send(first)).toEqual({ kind: 'done' });
    expect(receiver.received).toHaveLength(1);
    const [{ headers, body, json }] = receiver.received as [(typeof receiver.received)[0]];
    expect(json).toMatchObject({ type: 'promo.low_stock', appId: APP_ID, data: { n: 0 } });
    expect(headers).toMatchObject({
      'webhook-id': json.id,
      'content-type': expect.stringContaining('application/json'),
    });
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(worker.clock.now().getTime() / 1_000));
    expect(isSigned(headers, body, first.secrets[0] as string)).toBe(true);
    expect(isSigned(headers, `${body} `, first.secrets[0] as string)).toBe(false);
    expect(await log()).toMatchObject([
      { state: 'delivered', tries: 1, wake_at: null, attempts: [{ statusCode: 204, error: null }] },
    ]);
    await worker.send(first);
    expect(receiver.received).toHaveLength(1);
  });

  it('signs with the former secret as well while that is still good', async () => {
    const former = {
      secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
      until: worker.clock.now().getTime() + 1,
    };
    const webhook = await addWebhook(database, APP_ID, receiver.url, ['promo.low_stock'], former);
    await happens();
    await worker.send(webhook);
    worker.clock.advance(TEST_ENDS_WITHIN_MS);
    await happens();
    worker.clock.advance(TEST_ENDS_WITHIN_MS);
    await worker.send(webhook);
    const [during, after] = receiver.received;
    expect(webhook.secrets.map((secret) => isSigned(during?.headers ?? {}, during?.body ?? '', secret))).toEqual([
      true,
      true,
    ]);
    expect(webhook.secrets.map((secret) => isSigned(after?.headers ?? {}, after?.body ?? '', secret))).toEqual([
      true,
      false,
    ]);
  });

  it('writes nothing for what was rolled back, for other applications and for a webhook that is switched off', async () => {
    const webhook = await hook();
    const failing = inTransaction(database.dataSource, async (executor) => {
      await new WebhookEventsRepository(database.dataSource).record(executor, [
        { appId: APP_ID, type: 'promo.low_stock', data: {} },
      ]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await new WebhookEventsRepository(database.dataSource).record(database.dataSource, [
      { appId: 'another', type: 'promo.low_stock', data: {} },
    ]);
    await rows(database.dataSource, 'UPDATE webhooks SET is_enabled = false');
    await happens();
    expect(await log()).toEqual([]);
    await worker.send(webhook);
    expect(receiver.received).toEqual([]);
  });

  it('tries again with growing pauses and gives up after about a day', async () => {
    const webhook = await hook();
    receiver.answer = (response) => void response.writeHead(500).end('no');
    await happens();
    const pauses: number[] = [];
    for (let tries = 1; tries < 50; tries++) {
      await worker.send(webhook);
      const [event] = await log();
      if (event?.state !== 'waiting') break;
      pauses.push((event.wake_at as Date).getTime() - worker.clock.now().getTime());
      const heldUntil = (await state()).held_until as Date | null;
      const until = Math.max((event.wake_at as Date).getTime(), heldUntil?.getTime() ?? 0);
      worker.clock.advance(until - worker.clock.now().getTime());
    }
    const [event] = await log();
    expect(event).toMatchObject({ state: 'failed', wake_at: null });
    expect(event?.attempts).toHaveLength(pauses.length + 1);
    expect(event?.attempts[0]).toMatchObject({ statusCode: 500, error: 'The receiver answered 500' });
    expect(pauses.length).toBeGreaterThanOrEqual(8);
    pauses.reduce((former, pause) => (expect(pause).toBeGreaterThan(former), pause), 4_999);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThanOrEqual(24 * HOUR_MS + 10_000);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(12 * HOUR_MS);
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(1);
  });

  it('keeps to Retry-After', async () => {
    const webhook = await hook();
    receiver.answer = (response) => void response.writeHead(429, { 'retry-after': '600' }).end();
    await happens(3);
    await worker.send(webhook);
    const count = receiver.received.length;
    worker.clock.advance(590_000);
    await worker.send(webhook);
    expect(receiver.received).toHaveLength(count);
    receiver.answer = (response) => void response.writeHead(200).end();
    worker.clock.advance(11_000);
    await worker.send(webhook);
    expect((await log()).map(({ state: was }) => was as string)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('keeps to Retry-After when the receiver takes another event that was under way', async () => {
    const webhook = await hook();
    receiver.answer = (response, { json }) => {
      if (json.data.n === 0) response.writeHead(429, { 'retry-after': '600' }).end();
      else void untilTrue(async () => (await state()).held_until !== null).then(() => response.writeHead(204).end());
    };
    await happens(2);
    await worker.send(webhook);
    expect((await log()).map(({ state: itsState }) => itsState as string).sort()).toEqual(['delivered', 'waiting']);
    expect(await state()).toMatchObject({
      failures: 0,
      held_until: new Date(worker.clock.now().getTime() + 600_000),
    });
    await happens();
    worker.clock.advance(599_000);
    await worker.send(webhook);
    expect(receiver.received).toHaveLength(2);
    receiver.answer = (response) => void response.writeHead(204).end();
    worker.clock.advance(200_000);
    await worker.send(webhook);
    expect([receiver.received.length, (await state()).held_until]).toEqual([4, null]);
  });

  it('does not follow a redirect', async () => {
    const inner = await new Receiver().start();
    const webhook = await hook();
    receiver.answer = (response) => void response.writeHead(307, { location: inner.url }).end();
    await happens();
    await worker.send(webhook);
    expect(inner.received).toEqual([]);
    expect((await log())[0]?.attempts[0]).toMatchObject({
      statusCode: 307,
      error: expect.stringContaining('redirects'),
    });
    await inner.stop();
  });

  it('gives up on a receiver that never answers, and on one whose answer never ends', async () => {
    const webhook = await hook();
    receiver.answer = () => undefined;
    await happens();
    const impatient = startWebhookWorker(database, { deadlineMs: 300, clock: worker.clock });
    await impatient.send(webhook);
    await impatient.close();
    expect((await log())[0]?.attempts[0]).toMatchObject({
      statusCode: null,
      error: expect.stringContaining('TIMEOUT'),
    });
    receiver.answer = (response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (response.writable && response.write(Buffer.alloc(65_536, 'x')));
        if (response.writable) response.once('drain', pour);
      };
      pour();
    };
    worker.clock.advance(10_000);
    await worker.send(webhook);
    expect((await log())[0]).toMatchObject({ state: 'delivered' });
  });

  it('connects to no private address, whatever a name says by then', async () => {
    const guarded = startWebhookWorker(database, { allowPrivateEndpoints: false, clock: worker.clock });
    const port = new URL(receiver.url).port;
    for (const url of [`https://127.0.0.1:${port}/`, `https://localhost:${port}/`, `http://127.0.0.1:${port}/`]) {
      const webhook = await hook(url);
      await happens();
      await guarded.send(webhook);
      await rows(database.dataSource, 'DELETE FROM webhooks WHERE webhook_id <> $1', [webhook.webhookId]);
      const [event] = await log();
      expect(event?.attempts[0].error).toMatch(/PRIVATE_ADDRESS|PLAIN_ENDPOINT/);
      await rows(database.dataSource, 'DELETE FROM webhooks');
    }
    expect(receiver.received).toEqual([]);
    await guarded.close();
  });

  it('holds a webhook that keeps failing, tries one event at a time, and goes on when that is taken', async () => {
    const webhook = await hook();
    receiver.answer = (response) => void response.writeHead(503).end();
    await happens(40);
    await worker.send(webhook);
    const asked = receiver.received.length;
    expect(asked).toBe(8);
    await worker.send(webhook);
    expect(receiver.received).toHaveLength(asked);
    worker.clock.advance(HOUR_MS / 6);
    await worker.send(webhook);
    expect(receiver.received).toHaveLength(asked + 1);
    receiver.answer = (response) => void response.writeHead(200).end();
    worker.clock.advance(HOUR_MS);
    await worker.send(webhook);
    expect((await log()).every(({ state: was }) => was === 'delivered')).toBe(true);
    expect(await state()).toMatchObject({ failures: 0, held_until: null, failing_since: null, is_enabled: true });
    expect(receiver.mostAtOnce).toBeLessThanOrEqual(8);
  });

  it('holds a webhook no longer when many events fail at once, and longer with each test that fails', async () => {
    const webhook = await hook();
    receiver.answer = (response) => void response.writeHead(500).end();
    await happens(40);
    await worker.send(webhook);
    const heldForMs = async (): Promise<number> =>
      ((await state()).held_until as Date).getTime() - worker.clock.now().getTime();
    expect([receiver.received.length, await heldForMs()]).toEqual([8, 30_000]);
    for (const nextHoldMs of [60_000, 120_000]) {
      worker.clock.advance(await heldForMs());
      await worker.send(webhook);
      expect(await heldForMs()).toBe(nextHoldMs);
    }
    expect(await state()).toMatchObject({ failures: 7 });
  });

  it('switches a webhook off that has failed for days, or wants no more', async () => {
    const webhook = await hook();
    receiver.answer = (response) => void response.writeHead(500).end();
    await happens();
    await worker.send(webhook);
    worker.clock.advance(73 * HOUR_MS);
    await worker.send(webhook);
    expect(await state()).toMatchObject({ is_enabled: false, disabled_reason: expect.stringContaining('500') });
    expect(worker.lines.map(({ event }) => event)).toContain('webhook.disabled');
    await rows(
      database.dataSource,
      'UPDATE webhooks SET is_enabled = true, failures = 0, failing_since = NULL, held_until = NULL',
    );
    receiver.answer = (response) => void response.writeHead(410).end();
    await happens();
    await worker.send(webhook);
    expect(await state()).toMatchObject({ is_enabled: false, disabled_reason: expect.stringContaining('410') });
  });

  it('counts a webhook once that is switched off with several calls under way, and none that its owner switched off', async () => {
    const switchedOff = async (): Promise<number[]> => {
      const [, counted] = /^postrider_webhooks_disabled_total (\d+)$/m.exec(await worker.metrics.metrics()) ?? [];
      return [Number(counted), worker.lines.filter(({ event }) => event === 'webhook.disabled').length];
    };
    const webhook = await hook();
    const underWay: ServerResponse[] = [];
    receiver.answer = (response) => {
      underWay.push(response);
      if (underWay.length === 3) for (const one of underWay) one.writeHead(410).end();
    };
    await happens(3);
    await worker.send(webhook);
    expect(await state()).toMatchObject({ is_enabled: false });
    expect(await switchedOff()).toEqual([1, 1]);
    await rows(database.dataSource, 'UPDATE webhooks SET is_enabled = true, failures = 0, failing_since = NULL');
    const change = { url: null, events: null, isEnabled: false };
    receiver.answer = (response) =>
      void new WebhooksRepository(database.dataSource)
        .update(webhook, change, worker.clock.now())
        .then(() => response.writeHead(500).end());
    await happens();
    await worker.send(webhook);
    expect(await state()).toMatchObject({ is_enabled: false });
    expect(await switchedOff()).toEqual([1, 1]);
  });

  it('does not blame the new address of a webhook for what the former one answers', async () => {
    const webhook = await hook(`${receiver.url}/former`);
    receiver.answer = (response, { path }) => {
      if (!path.endsWith('/former')) return void response.writeHead(204).end();
      const change = { url: receiver.url, events: null, isEnabled: null };
      const changed = new WebhooksRepository(database.dataSource).update(webhook, change, worker.clock.now());
      void changed.then(() => response.writeHead(410).end());
    };
    await happens();
    await worker.send(webhook);
    expect(await state()).toMatchObject({ is_enabled: true, disabled_reason: null, failures: 0 });
    worker.clock.advance(10_000);
    await worker.send(webhook);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/former', '/hook']);
    expect(await log()).toMatchObject([{ state: 'delivered', tries: 2 }]);
  });

  it('sends an event again whose sender was killed, once its lease is over', async () => {
    const webhook = await hook();
    await happens();
    await rows(
      database.dataSource,
      `UPDATE webhook_events SET state = 'sending', attempt = 1, tries = 1, wake_at = $1::timestamptz + interval '30 s'`,
      [worker.clock.now()],
    );
    await worker.send(webhook);
    expect(receiver.received).toEqual([]);
    worker.clock.advance(30_000);
    await worker.send(webhook);
    expect(receiver.received).toHaveLength(1);
    expect(await log()).toMatchObject([{ state: 'delivered', attempt: 2 }]);
  });

  it('sends each event once when several workers look at the same moment', async () => {
    const webhook = await hook();
    await happens(100);
    const others = [1, 2].map(() => startWebhookWorker(database, { clock: worker.clock }));
    await Promise.all([worker, ...others].map((one) => one.send(webhook)));
    expect(receiver.received).toHaveLength(100);
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(100);
    await Promise.all(others.map((one) => one.close()));
  });

  it('holds a webhook whose secret cannot be opened, and says so', async () => {
    const webhook = await hook();
    await rows(database.dataSource, `UPDATE webhooks SET sealed = '\\x0102'`);
    await happens();
    expect(await worker.send(webhook)).toEqual({ kind: 'done' });
    expect(await state()).toMatchObject({ last_error: expect.stringContaining('secret'), is_enabled: true });
    expect(((await state()).held_until as Date).getTime()).toBeGreaterThan(worker.clock.now().getTime());
    expect(receiver.received).toEqual([]);
  });

  it('gives each webhook its own turn: nine receivers that hang hold up no tenth of the application', async () => {
    const patient = startWebhookWorker(database, { deadlineMs: 60_000, clock: worker.clock });
    const good = await new Receiver().start();
    const held: (() => void)[] = [];
    receiver.answer = (response) => held.push(() => response.writeHead(204).end());
    try {
      const hanging = await Promise.all(Array.from({ length: 9 }, () => hook()));
      const tenth = await hook(good.url);
      await happens();
      const turns = hanging.map((one) => patient.send(one));
      expect(await patient.send(tenth)).toEqual({ kind: 'done' });
      expect(good.received).toHaveLength(1);
      // Only one process sends to a webhook at a time; another one looks again later.
      expect(await patient.send(hanging[0] as TestWebhook)).toMatchObject({ kind: 'later' });
      while (held.length < 9) await new Promise((later) => setImmediate(later));
      for (const answer of held) answer();
      expect(await Promise.all(turns)).toEqual(hanging.map(() => ({ kind: 'done' })));
    } finally {
      await patient.close();
      await good.stop();
    }
  });

  it('logs an attempt that failed as a warning', async () => {
    const webhook = await hook();
    await happens();
    receiver.answer = (response) => void response.writeHead(500).end();
    await worker.send(webhook);
    worker.clock.advance(HOUR_MS);
    receiver.answer = (response) => void response.writeHead(204).end();
    await worker.send(webhook);
    const attempts = worker.lines.filter(({ event }) => event === 'webhook.attempted');
    expect(attempts).toMatchObject([
      { level: 40, state: 'waiting', statusCode: 500 },
      { level: 30, state: 'delivered' },
    ]);
  });

  it('keeps what waits while a webhook is off, and writes nothing new for it', async () => {
    const webhook = await hook();
    await happens();
    const enable = (isEnabled: boolean): Promise<unknown> =>
      rows(database.dataSource, 'UPDATE webhooks SET is_enabled = $1', [isEnabled]);
    await enable(false);
    await happens();
    expect(await worker.send(webhook)).toEqual({ kind: 'done' });
    expect(receiver.received).toEqual([]);
    await enable(true);
    await worker.send(webhook);
    expect(receiver.received).toHaveLength(1);
  });
});
