import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApnsPayload, JsonObject, SendOutcome } from '@postrider/domain';
import { createSender, type IssuedToken, type ProviderTokenStore, type Sender } from '@postrider/vendors';
import { clockShowing } from '@postrider/testing';
import { type RunningSimulator, VendorSimulator } from '../../index';

const MINUTE = 60_000;
const PAYLOAD: ApnsPayload = { vendor: 'apns', body: { aps: { alert: 'x' } }, pushType: 'alert', priority: 10 };

/** Does what Redis does for the workers. */
class TestStore {
  isAway = false;
  readonly tokens = new Map<string, IssuedToken>();
  renewals: number[] = [];

  /** Returns one worker's access to it. */
  connect(): ProviderTokenStore {
    return {
      share: (name, offered, renewBefore) => {
        if (this.isAway) return Promise.reject(new Error('away'));
        const held = this.tokens.get(name);
        if (held && held.issuedAt > renewBefore) return Promise.resolve(held);
        this.tokens.set(name, offered);
        this.renewals.push(offered.issuedAt);
        return Promise.resolve(offered);
      },
    };
  }
}

describe('provider tokens of APNs over three hours, with two workers', () => {
  let folder: string;
  let simulator: VendorSimulator;
  let running: RunningSimulator;
  let now: number;
  let store: TestStore;
  let workers: Sender[];
  const clock = clockShowing(() => new Date(now));

  beforeEach(async () => {
    now = Date.parse('2026-11-21T10:00:00Z');
    folder = await mkdtemp(join(tmpdir(), 'simulator-'));
    simulator = new VendorSimulator({ dataDir: folder, clock });
    running = await simulator.start();
    store = new TestStore();
    workers = [startWorker(), startWorker()];
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await simulator.stop();
    await rm(folder, { recursive: true });
  });

  function startWorker(): Sender {
    const { keyId, teamId, privateKey, topic } = running.credentials.apns;
    const credentials: JsonObject = { keyId, teamId, privateKey, topic, endpoint: running.origin, ca: running.ca };
    const providerTokens = store.connect();
    return createSender('apns', credentials, { clock, allowPrivateEndpoints: true, maxSessions: 3, providerTokens });
  }

  function send(worker: Sender): Promise<SendOutcome> {
    const token = 'ab'.repeat(32);
    const request = { deliveryId: randomUUID(), token, payload: PAYLOAD, expiresAt: new Date(now + 60_000) };
    return new Promise((done) => worker.send({ ...request, lastCallAt: Infinity }, done));
  }

  /** Ten sends of each worker a minute; its connections are lost and its pools come and go in between. */
  async function passThreeHours(everyMinute: (minute: number) => Promise<void> | void): Promise<void> {
    for (let minute = 0; minute < 180; minute++, now += MINUTE) {
      await everyMinute(minute);
      const outcomes = await Promise.all(workers.flatMap((worker) => Array.from({ length: 10 }, () => send(worker))));
      expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([]);
    }
  }

  /** Connections are lost at minutes that have nothing to do with 20, 45 or 60. */
  async function comeAndGo(minute: number): Promise<void> {
    const place = minute % 2;
    if (minute % 13 !== 7) return;
    await workers[place]?.close();
    workers[place] = startWorker();
  }

  it('are one for all workers, renewed every 45 minutes, without a refusal and without a pause', async () => {
    await passThreeHours(comeAndGo);
    expect(running.controls.stats().apns?.refused).toEqual({});
    expect(store.renewals.map((at) => (at - (store.renewals[0] ?? 0)) / MINUTE)).toEqual([0, 45, 90, 135]);
  });

  it('are one of each worker while they cannot be shared, and nothing stops', async () => {
    await passThreeHours(async (minute) => {
      store.isAway = minute < 50 || (minute >= 80 && minute < 130);
      await comeAndGo(minute);
    });
    expect(running.controls.stats().apns?.refused).toEqual({});
  });

  it('that Apple takes for one too many put the connection aside: the next one takes the request', async () => {
    expect((await send(workers[0] as Sender)).kind).toBe('accepted');
    const fault = { kind: 'status', http: 429, code: 'TooManyProviderTokenUpdates' } as const;
    running.controls.setFaults([{ vendor: 'apns', match: { times: 1 }, fault }]);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => send(workers[0] as Sender)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'accepted'));
    expect(running.controls.stats().apns?.refused).toEqual({ TooManyProviderTokenUpdates: 1 });
  });
});
