import type { INestMicroservice } from '@nestjs/common';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DeviceId, Lane } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { loadConfig, METRICS, PlatformModule, Shutdown } from '@postrider/platform';
import { BullMqServer, JOBS_CLIENT, type JobsClient, pageJob, QueuesModule } from '@postrider/queues';
import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import { pino } from 'pino';
import type { Registry } from 'prom-client';
import { usePageStage } from '../testing/page-stage';
import type { TestWorker } from '../testing/test-worker';
import { AttemptPageProcessor } from './attempt-page.processor';
import type { AttemptPageService } from './attempt-page.service';

/** The jobs of a queue that the worker takes at a time. */
const JOBS_AT_ONCE = 3;

/** A busy machine must not look like Redis being away. */
const PATIENT_MS = 60_000;

let worker: TestWorker;

@Controller()
class Processor extends AttemptPageProcessor {
  constructor() {
    super({ attempt: (vendor, page) => worker.attempt(vendor, page) } as AttemptPageService);
  }
}

@Module({})
class LanesModule {}

async function startQueues(): Promise<INestMicroservice> {
  const config = loadConfig({
    DATABASE_URL: 'postgres://unused',
    REDIS_URL: testRedisUrl(),
    SECRET_KEY: 's'.repeat(32),
    LOG_LEVEL: 'silent',
  });
  const prefix = uniquePrefix();
  const imports = [PlatformModule.forApp('test', config), QueuesModule.forApp({ prefix, patienceMs: PATIENT_MS })];
  const root = { module: LanesModule, imports, controllers: [Processor] };
  const app = await NestFactory.createMicroservice(root, {
    logger: false,
    inject: [METRICS, Shutdown],
    useFactory: (metrics: Registry, shutdown: Shutdown) => ({
      strategy: new BullMqServer({
        ...{ config, metrics, shutdown, prefix },
        logger: pino({ level: 'silent' }),
        concurrency: JOBS_AT_ONCE,
      }),
    }),
  } as object);
  await app.listen();
  return app;
}

describe('a message to a named user', () => {
  let queues: INestMicroservice;

  // While the stage has its database, and with a vendor that answers: else a page never ends, and the queues wait for it until their
  // grace is over.
  afterEach(async () => {
    stage.sender.answer = () => ({ kind: 'accepted', vendorMessageId: 'id' });
    stage.sender.release();
    await queues.close();
  });
  const stage = usePageStage();
  beforeEach(async () => {
    queues = await startQueues();
  });

  async function send(device: DeviceId, lane: Lane): Promise<PageKey> {
    const key = await stage.ledger.addMessage({ devices: [device], acceptedAt: stage.clock.now(), lane });
    await queues.get<JobsClient>(JOBS_CLIENT).enqueue(pageJob('fcm', lane), [{ ...key, lane }]);
    return key;
  }

  it('goes to its vendor while campaign pages have every place that a worker gives to a queue', async () => {
    worker = stage.worker();
    const [single, ...others] = await stage.addDevices(1 + JOBS_AT_ONCE);
    // The vendor does not answer a campaign's calls: each keeps its place until the end of the test.
    stage.sender.answer = (token) => (token === 't1' ? { kind: 'accepted', vendorMessageId: 'id' } : undefined);
    for (const device of others) await send(device, 'campaign');
    await stage.sender.untilWaiting(JOBS_AT_ONCE);
    const key = await send(single as DeviceId, 'transactional');
    await untilTrue(async () => Object.values(await stage.ledger.states(key)).includes('sent'));
    expect(stage.sender.sent).toHaveLength(JOBS_AT_ONCE + 1);
  });

  it('goes to its vendor while a campaign has as many calls in flight as its route takes at a time', async () => {
    worker = stage.worker();
    const [single, ...others] = await stage.addDevices(1 + 100);
    stage.sender.answer = (token) => (token === 't1' ? { kind: 'accepted', vendorMessageId: 'id' } : undefined);
    const campaign = await stage.ledger.addMessage({ devices: others, acceptedAt: stage.clock.now() });
    await queues.get<JobsClient>(JOBS_CLIENT).enqueue(pageJob('fcm', 'campaign'), [{ ...campaign, lane: 'campaign' }]);
    await untilTrue(() => stage.sender.sent.length >= 64);
    const key = await send(single as DeviceId, 'transactional');
    await untilTrue(async () => Object.values(await stage.ledger.states(key)).includes('sent'));
    expect(stage.sender.sent).toHaveLength(65);
  });

  it('goes to its vendor while a campaign has filled the window of calls', async () => {
    worker = stage.worker({ concurrency: 20 });
    const [single, ...others] = await stage.addDevices(1 + 40);
    stage.sender.answer = (token) => (token === 't1' ? { kind: 'accepted', vendorMessageId: 'id' } : undefined);
    const campaign = await stage.ledger.addMessage({ devices: others, acceptedAt: stage.clock.now() });
    await queues.get<JobsClient>(JOBS_CLIENT).enqueue(pageJob('fcm', 'campaign'), [{ ...campaign, lane: 'campaign' }]);
    await untilTrue(() => stage.sender.sent.length >= 15);
    const key = await send(single as DeviceId, 'transactional');
    await untilTrue(async () => Object.values(await stage.ledger.states(key)).includes('sent'));
  });
});
