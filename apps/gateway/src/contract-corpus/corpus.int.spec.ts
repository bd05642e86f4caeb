import { clockWithinDay } from '@postrider/testing';
import { startTestGateway, type TestGateway } from '../testing/test-gateway';
import { corpus } from './corpus';
import { replayCorpus } from './replay-corpus';
import { differences, readRecording, writeRecording } from './recording';

/**
 * `RECORD_CORPUS=1` writes `recording.ndjson.gz` anew. Without it each difference from the recording is listed. To read the
 * recording: `zcat apps/gateway/src/contract-corpus/recording.ndjson.gz`.
 */
const RECORDS = process.env.RECORD_CORPUS === '1';
/** Only ends what hangs: these are thousands of requests, one after the other, and a machine may be busy with much else. */
const LIMIT_MS = 3_600_000;

describe('the corpus of requests', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ requestsPerSecond: 0, promoWaitSeconds: 0 }, clockWithinDay());
  });

  afterAll(() => gateway.close());

  it('has requests of its own names, the same ones each time', () => {
    const cases = corpus();
    expect(new Set(cases.map(({ operation, name }) => `${operation} ${name}`)).size).toBe(cases.length);
    expect(corpus()).toEqual(cases);
    expect(cases.length).toBeGreaterThan(2_500);
  });

  it(
    'is answered as it was recorded',
    async () => {
      const cases = corpus();
      const answers = await replayCorpus(gateway, cases, RECORDS ? new Map() : readRecording());
      if (RECORDS) writeRecording(cases, answers);
      expect(listed(differences(cases, answers, readRecording()))).toBe('');
      const broken = cases.filter((_, at) => (answers[at]?.status ?? 500) >= 500);
      expect(broken.map(({ operation, name }) => `${operation} ${name}`)).toEqual([]);
    },
    LIMIT_MS,
  );
});

function listed(found: Record<string, string[]>): string {
  return Object.entries(found)
    .map(([operation, texts]) => `${operation}: ${texts.length}\n  ${texts.join('\n  ')}`)
    .join('\n');
}
