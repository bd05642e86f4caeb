import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rows } from '@postrider/persistence';
import { tracesIn, tracesInRedis, until } from '@postrider/testing';
import { Client } from 'pg';
import { type ConnectedDevice, connectDevice, type Device, register } from '../support/device';
import type { Postrider } from '../support/postrider';

const ID = 'erase-me-e2e-4711';
const PHONE = '+14155554711';
const TEXTS = {
  own: 'love-letter-of-4711',
  tag: 'vip-4711',
  key: 'parcel-key-4711',
  link: 'https://shop.example/only-4711',
};
/** Everything that names the user, or was theirs alone. */
const SOUGHT = [ID, PHONE, PHONE.slice(1), 'fcm-token-4711', ...Object.values(TEXTS)];

/** A user who is erased. The logs are searched too, so the system has to write all of them (`LOG_LEVEL: 'debug'`). */
export function erasureScenario(system: () => Postrider): void {
  let postrider: Postrider;
  let app: Awaited<ReturnType<Postrider['createApplication']>>;
  let token: string;
  let connected: ConnectedDevice;
  const installationIds: string[] = [];

  beforeAll(async () => {
    postrider = system();
    app = await postrider.createApplication('erased');
    const { body } = await postrider.admin.call<{ token: string }>('POST', '/api/admin/apps/erased/tokens', {
      name: 'devices',
      scopes: ['devices'],
    });
    token = body.token;
    await postrider.admin.call('PUT', '/api/admin/apps/erased/vendors/sms', {
      provider: 'http',
      endpoint: `${postrider.system.simulatorTls.url}/sms`,
      body: '{"to":"{{ to }}","text":"{{ text }}"}',
    });
  });

  afterAll(() => void connected?.client.end(true));

  const send = async (path: string, body: object, key?: string): Promise<string> => {
    const answer = await fetch(`${postrider.system.gatewayUrl}/api/push/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${app.serverToken}`,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return answer.headers.get('x-message-id') ?? '';
  };
  const device = async (userId: string, fields: Record<string, unknown>): Promise<Device> => {
    const made = await register(app.client, { appId: 'erased', token, userId, ...fields });
    installationIds.push(made.installationId);
    return made;
  };
  const report = (installationId: string, ...eventData: object[]): Promise<unknown> =>
    app.server.call('POST', '/api/installations/events', { installationId, userId: ID, eventData });
  const untilIn = (messageId: string, state: string): Promise<boolean> =>
    until(async () => {
      const { body } = await app.server.call<{ deliveries: { state: string }[] }>(
        'GET',
        `/api/push/messages/${messageId}/deliveries`,
      );
      return body.deliveries.length > 0 && body.deliveries.every((delivery) => delivery.state === state);
    });
  const untilSms = (messageId: string): Promise<boolean> =>
    until(async () => {
      const { body } = await app.server.call<{ fallbacks: { state: string }[] }>(
        'GET',
        `/api/push/messages/${messageId}/fallbacks`,
      );
      return body.fallbacks.some(({ state }) => state === 'sent');
    });

  /** A life with the service: two phones, one of them another's by now, messages over every way, an SMS, receipts, links. */
  const live = async (): Promise<void> => {
    const former = await device(ID, { deviceToken: 'fcm-token-moved', realtime: false });
    const moved = await send('toUsers', { user: ID, content: TEXTS.own });
    await untilIn(moved, 'sent');
    await app.client.call('PUT', `/api/installations/${former.installationId}`, {
      userId: 'heir',
      deviceType: 'android',
      deviceToken: 'fcm-token-moved',
    });
    const phone = await device(ID, { deviceToken: 'fcm-token-4711', realtime: false });
    const tablet = await device(ID, {});
    connected = await connectDevice(postrider.system.mqtt?.url ?? '', tablet);
    await app.server.call('POST', '/api/installations/attributes', { userId: ID, attributes: { phone: PHONE } });
    await app.server.call('GET', `/api/installations/addTag/${ID}/${TEXTS.tag}`);
    const alone = await send(
      'toUsers',
      { user: ID, content: TEXTS.own, clientId: `c-${ID}`, trackId: `for-${ID}` },
      TEXTS.key,
    );
    // To vendors only: no connection confirms it, so the SMS is sent.
    const urgent = await send('notifyUsers', {
      user: ID,
      content: TEXTS.own,
      fallback: { content: TEXTS.own, delay: 0 },
    });
    const everyone = await send('byQuery', { target: { deviceType: 'android' }, content: 'Hello' }, `all-${ID}`);
    await until(() => Promise.resolve(connected.received.includes(alone) && connected.received.includes(everyone)));
    await untilSms(urgent);
    const actionTs = Date.now();
    for (const msgId of [alone, everyone]) {
      await report(
        phone.installationId,
        { type: 1, msgId, actionType: 'OPENED', actionTs },
        { type: 1, msgId, actionType: 'ACTION_TAKEN', actionId: `yes-${ID}`, actionTs },
        { type: 3, msgId, link: `${TEXTS.link}?u=${ID}`, actionTs },
      );
    }
    await send('toUsers', { user: ID, content: TEXTS.own, sendAt: new Date(Date.now() + 3_600_000).toISOString() });
  };

  /** Searches the output of all processes except the vendors' simulator, which is not part of the product. */
  const tracesInLogs = async (texts: readonly string[]): Promise<string[]> => {
    const folder = postrider.system.logFolder;
    const files = (await readdir(folder)).filter((name) => !name.startsWith('vendor-simulator'));
    expect(files).toEqual(expect.arrayContaining(['gateway.log', 'delivery-worker.log', 'device-edge.log']));
    const logs = await Promise.all(
      files.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    );
    return logs.flatMap(([name, log]) => {
      const lines = log.split('\n');
      return texts.flatMap((text) => lines.filter((line) => line.includes(text)).map((line) => `${name}: ${line}`));
    });
  };

  it('leaves nothing in any table, in Redis or in the logs, although the gateway is killed in the middle of it', async () => {
    await live();
    const { dataSource } = postrider.database;
    expect((await tracesIn(dataSource, SOUGHT)).length).toBeGreaterThan(15);

    const locker = new Client({ connectionString: postrider.database.url });
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE webhook_events IN ACCESS EXCLUSIVE MODE');
    const cutOff = app.server.call('DELETE', `/api/users/${ID}`).then(
      () => 'answered',
      () => 'cut off',
    );
    await until(async () => {
      // Maintenance waits for the table too. Within a transaction pg_stat_activity does not change, so the locker cannot ask.
      const waiting = await rows(
        dataSource,
        `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted
           AND l.relation = 'webhook_events'::regclass AND a.query LIKE '%FROM webhook_events LEFT JOIN LATERAL%'`,
      );
      return waiting.length === 1;
    });
    const former = postrider.system.pidOf('gateway');
    postrider.system.kill('gateway');
    expect(await cutOff).toBe('cut off');
    await locker.end();
    await until(async () => postrider.system.pidOf('gateway') !== former && (await isReady()));
    // Does what half a minute does: the erasure counts as abandoned.
    await dataSource.query(`UPDATE erasures SET ends_at = ends_at - interval '30 seconds'`);
    await until(async () => (await rows(dataSource, `SELECT 1 FROM erasures`)).length === 0);

    expect(await tracesIn(dataSource, [...SOUGHT, ...installationIds.slice(1)])).toEqual([]);
    expect(await tracesInRedis(postrider.redis.url, SOUGHT)).toEqual([]);
    expect(await tracesInLogs(SOUGHT)).toEqual([]);
    // Proves that the search finds existing texts.
    expect(await tracesInRedis(postrider.redis.url, ['delivery.fcm'])).not.toEqual([]);
    expect(await tracesInLogs(['"user.erased"'])).toEqual([expect.stringContaining('"isResumed":true')]);
  });

  const isReady = async (): Promise<boolean> =>
    fetch(`${postrider.system.gatewayUrl}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
}
