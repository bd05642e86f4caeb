import { NestFactory } from '@nestjs/core';
import { type AttemptPagePayload, type EdgeHints, type JobsClient, pagesOfJob } from '@postrider/queues';
import { pino } from 'pino';
import { type AcceptedWork, WakeWorkers } from './wake-workers.service';

const work = (messageId: string): AcceptedWork => ({
  ...{ appId: 'shop', messageId, lane: 'transactional', count: 1, edges: ['edge'], needsResolving: false },
  pages: [{ pageId: `page-of-${messageId}`, vendor: 'fcm' }],
});

class SendingModule {
  readonly name = 'sending';
}

describe('what is told of accepted messages', () => {
  afterEach(() => jest.restoreAllMocks());

  it('names all messages of a request to the edges before those of a later one, however long its jobs take', async () => {
    // Each reading of the clock ends a slice.
    let nowMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1_000));
    const told: string[] = [];
    const enqueued: string[] = [];
    const enqueue = (_: unknown, payloads: AttemptPagePayload[]): Promise<void> => {
      enqueued.push(...payloads.flatMap(pagesOfJob).map(({ messageId }) => messageId));
      return Promise.resolve();
    };
    const tell = (_: readonly string[], messageId: string): void => void told.push(messageId);
    const workers = new WakeWorkers(
      { enqueue } as unknown as JobsClient,
      { warn: () => undefined } as never,
      { tell } as unknown as EdgeHints,
    );
    workers.wake(['a1', 'a2', 'a3'].map(work));
    workers.wake(['b1'].map(work));
    while (enqueued.length < 4) await new Promise((later) => setImmediate(later));
    expect(told).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(enqueued.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('reaches Redis also for the requests that are answered while the server closes', async () => {
    const enqueued: string[] = [];
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let notice = (): void => undefined;
    const asked = new Promise<void>((resolve) => (notice = resolve));
    const enqueue = async (_: unknown, payloads: AttemptPagePayload[]): Promise<void> => {
      notice();
      await answered;
      enqueued.push(...payloads.flatMap(pagesOfJob).map(({ messageId }) => messageId));
    };
    const edges = { tell: () => undefined } as unknown as EdgeHints;
    const workers = new WakeWorkers({ enqueue } as unknown as JobsClient, { warn: () => undefined } as never, edges);
    const module = { module: SendingModule, providers: [{ provide: WakeWorkers, useValue: workers }] };
    const app = await NestFactory.createApplicationContext(module, { logger: false });
    // Here the application of a gateway waits for the last answers.
    const dispose = (): Promise<void> => {
      workers.wake([work('last')]);
      return Promise.resolve();
    };
    let isClosed = false;
    const closing = Object.assign(app, { dispose })
      .close()
      .then(() => (isClosed = true));
    await asked;
    for (let turn = 0; turn < 20; turn++) await new Promise((later) => setImmediate(later));
    expect(isClosed).toBe(false);
    answer();
    await closing;
    expect(enqueued).toEqual(['last']);
  });

  it('is one warning a minute while Redis is away, however many messages are accepted', async () => {
    const levels: string[] = [];
    const write = (line: string): unknown => levels.push((JSON.parse(line) as { level: string }).level);
    const logger = pino({ level: 'debug', formatters: { level: (level) => ({ level }) } }, { write });
    const enqueue = (): Promise<void> => Promise.reject(new Error('Redis is away'));
    const edges = { tell: () => undefined } as unknown as EdgeHints;
    const workers = new WakeWorkers({ enqueue }, logger, edges);
    for (const id of ['first', 'second', 'third']) {
      workers.wake([work(id)]);
      await workers.onApplicationShutdown();
    }
    expect(levels).toEqual(['warn', 'debug', 'debug']);
  });
});
