import { systemClock } from '@postrider/domain';
import { RecoverTagJobs, UPLOAD_CUT_OFF } from '@postrider/maintenance';
import {
  type Database,
  rows,
  FILE_CHUNK_BYTES,
  type TagFileFormat,
  type TagJob,
  TagJobsRepository,
  type LineError,
  type TagOperation,
  TagsRepository,
} from '@postrider/persistence';
import { createLogger, newId } from '@postrider/platform';
import { createThrowAwayDatabase, testRedisUrl, type RenewableDatabase, uniquePrefix } from '@postrider/testing';
import { startAudienceWorker } from '../testing/start-audience-worker';
import { EditTags, type EditTagsOutcome } from './edit-tags.service';

describe('working a file of tags', () => {
  let throwAway: RenewableDatabase;
  let database: Database;
  let jobs: TagJobsRepository;
  const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  beforeEach(async () => {
    database = throwAway.dataSource;
    jobs = new TagJobsRepository(database);
    await rows(database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
  });
  afterEach(() => throwAway.renew());

  /** Makes users `u1` to `u<count>`, with two devices each. */
  async function createUsers(count: number): Promise<void> {
    await rows(
      database,
      `INSERT INTO users (app_id, user_id) SELECT 'shop', 'u' || n FROM generate_series(1, $1::int) n`,
      [count],
    );
    await rows(
      database,
      `INSERT INTO installations (app_id, installation_id, user_id) SELECT 'shop', gen_random_uuid(), 'u' || n
       FROM generate_series(1, $1::int) n, generate_series(1, 2)`,
      [count],
    );
  }

  async function upload(
    text: string | Buffer,
    format: TagFileFormat = 'csv',
    operation: TagOperation = 'add',
  ): Promise<string> {
    const content = Buffer.from(text);
    const job = { appId: 'shop', jobId: newId() };
    const now = new Date();
    await jobs.insert(job, { format, operation, createdAt: now, giveUpAt: now });
    for (let number = 0; number * FILE_CHUNK_BYTES < content.length; number++) {
      const piece = content.subarray(number * FILE_CHUNK_BYTES, (number + 1) * FILE_CHUNK_BYTES);
      await jobs.insertChunk(job, number, piece);
    }
    await jobs.start(job, { bytes: content.length, wakeAt: now });
    return job.jobId;
  }

  const service = (): EditTags =>
    new EditTags(database, { retentionDays: 30 }, systemClock, logger, jobs, new TagsRepository());
  const turn = (jobId: string, signal = new AbortController().signal): Promise<EditTagsOutcome> =>
    service().work({ appId: 'shop', jobId }, signal);
  async function work(jobId: string): Promise<{ job: TagJob; errors: LineError[] }> {
    while ((await turn(jobId)) === 'unfinished');
    const found = await jobs.findWithErrors({ appId: 'shop', jobId });
    if (!found) throw new Error('The job is gone');
    return found;
  }
  const tagsOf = async (userId: string): Promise<{ tags: string[]; values: object }> => {
    const [user] = await rows<{ tags: string[]; values: object }>(
      database,
      `SELECT tags, tag_values AS values FROM users WHERE user_id = $1`,
      [userId],
    );
    const differing = await rows(
      database,
      `SELECT 1 FROM installations i JOIN users u USING (app_id, user_id)
       WHERE user_id = $1 AND (i.tags <> u.tags OR i.tag_values <> u.tag_values)`,
      [userId],
    );
    expect(differing).toEqual([]);
    return user ?? { tags: [], values: {} };
  };

  it('adds, values and removes tags of users and their devices, and counts them', async () => {
    await createUsers(3);
    const { job, errors } = await work(
      await upload(
        '\uFEFFuserId,tag,value,operation\r\nu1,vip\r\nu1,city,Yazd\r\nu2,vip\r\nu2,vip,,remove\r\nu9,vip\r\n\r\nu3,تهران',
      ),
    );
    expect(errors).toEqual([]);
    expect(job).toMatchObject({ status: 'done', lines: 8, failedLines: 0, usersChanged: 2, devicesChanged: 4 });
    expect(job).toMatchObject({ unknownUsers: 1, position: job.bytes, finishedAt: expect.any(Date) });
    expect(await tagsOf('u1')).toEqual({ tags: ['city', 'vip'], values: { city: 'Yazd' } });
    expect(await tagsOf('u2')).toEqual({ tags: [], values: {} });
    expect(await tagsOf('u3')).toEqual({ tags: ['تهران'], values: {} });
    expect((await work(await upload('u1,city\nu1,vip\n', 'csv', 'remove'))).job).toMatchObject({ usersChanged: 1 });
    expect(await tagsOf('u1')).toEqual({ tags: [], values: {} });
    await work(
      await upload('{"userId":"u1","tags":["b","a"]}\n{"userId":"u1","remove":["a"],"values":{"k":"v"}}', 'ndjson'),
    );
    expect(await tagsOf('u1')).toEqual({ tags: ['b', 'k'], values: { k: 'v' } });
    expect(await rows(database, `SELECT 1 FROM tag_job_chunks`)).toEqual([]);
  });

  it('tells refused lines by their numbers and carries out all others', async () => {
    await createUsers(2);
    const many = Array.from({ length: 1_001 }, (_, n) => `u2,tag-${n}`).join('\n');
    const { job, errors } = await work(await upload(`u1,good\n,bad\nu1,"x\ny"\nu1,"open\nu1,after\n`));
    expect(errors).toEqual([
      { line: 2, message: 'userId must be 1 to 255 characters' },
      { line: 5, message: 'a quote is opened and not closed' },
    ]);
    expect(job).toMatchObject({ status: 'done', lines: 6, failedLines: 2, usersChanged: 1 });
    expect((await tagsOf('u1')).tags).toEqual(['after', 'good', 'x\ny']);
    const full = await work(await upload(many));
    expect((await tagsOf('u2')).tags).toHaveLength(1_000);
    expect(full.errors).toEqual([{ line: 1_001, message: 'would give the user more than 1000 tags' }]);
    const hopeless = await work(await upload(',\n'.repeat(3_000)));
    expect(hopeless.job).toMatchObject({ status: 'done', lines: 3_000, failedLines: 3_000 });
    expect(hopeless.errors).toHaveLength(1_000);
    expect((await work(await upload('userId,colour\nu1,x\n'))).job).toMatchObject({
      status: 'failed',
      reason: 'line 1 names a column other than userId, tag, value, operation',
    });
  });

  it('counts every line once, however often it is stopped and however many work it', async () => {
    await createUsers(200);
    const lines = Array.from({ length: 12_000 }, (_, n) => `u${(n % 200) + 1},tag-${n % 60}`);
    const jobId = await upload(`${lines.join('\n')}\n`);
    const stopped = AbortSignal.abort();
    let outcome: EditTagsOutcome = 'unfinished';
    while (outcome === 'unfinished') {
      const outcomes = await Promise.all([turn(jobId, stopped), turn(jobId, stopped), turn(jobId, stopped)]);
      outcome = outcomes.some((one) => one === 'done' || one === 'over') ? 'done' : 'unfinished';
    }
    const { job } = await work(jobId);
    expect(job).toMatchObject({ status: 'done', lines: 12_000, failedLines: 0, unknownUsers: 0 });
    const [wrong] = await rows<{ count: number }>(
      database,
      `SELECT count(*)::int FROM installations WHERE cardinality(tags) <> (
         SELECT count(DISTINCT n % 60) FROM generate_series(0, 11999) n WHERE n % 200 + 1 = substr(user_id, 2)::int)`,
    );
    expect(wrong?.count).toBe(0);
  });

  it('rolls a stretch back whole when the connection dies in the middle, and goes on from there', async () => {
    await createUsers(50);
    const lines = Array.from({ length: 5_000 }, (_, n) => `u${(n % 50) + 1},tag-${n}`);
    const jobId = await upload(lines.join('\n'));
    expect(await turn(jobId, AbortSignal.abort())).toBe('unfinished');
    const blocker = database.createQueryRunner();
    await blocker.query('BEGIN');
    await blocker.query(`SELECT 1 FROM users WHERE user_id = 'u7' FOR UPDATE`);
    const killed = turn(jobId).then(
      () => 'survived',
      () => 'killed',
    );
    for (let victims: unknown[] = []; victims.length === 0;) {
      victims = await rows(
        database,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM users%'`,
      );
    }
    expect(await killed).toBe('killed');
    await blocker.query('ROLLBACK');
    await blocker.release();
    expect(await jobs.find({ appId: 'shop', jobId })).toMatchObject({ status: 'working', lines: 1_000 });
    const { job } = await work(jobId);
    expect(job).toMatchObject({ status: 'done', lines: 5_000, failedLines: 0 });
    expect((await tagsOf('u7')).tags).toHaveLength(100);
  });

  it('loses no tag that somebody else adds at the same time', async () => {
    await createUsers(20);
    const forwards = Array.from({ length: 4_000 }, (_, n) => `u${(n % 20) + 1},a-${n % 200}`).join('\n');
    const backwards = Array.from({ length: 4_000 }, (_, n) => `u${20 - (n % 20)},b-${n % 200}`).join('\n');
    const uploads = await Promise.all([upload(forwards), upload(backwards)]);
    const ended = await Promise.all(uploads.map(work));
    expect(ended.map(({ job }) => job.status)).toEqual(['done', 'done']);
    const [sizes] = await rows<{ least: number; most: number }>(
      database,
      `SELECT min(cardinality(tags))::int AS least, max(cardinality(tags))::int AS most FROM installations`,
    );
    expect(sizes).toEqual({ least: 20, most: 20 });
  });

  it('is taken up by a worker whom nobody woke, and forgotten in the end', async () => {
    await createUsers(1);
    const jobId = await upload('u1,vip\n');
    const broken = { appId: 'shop', jobId: newId() };
    const past = new Date(Date.now() - 1_000);
    await jobs.insert(broken, { format: 'csv', operation: 'add', createdAt: past, giveUpAt: past });
    const worker = await startAudienceWorker(database, { redisUrl: testRedisUrl(), prefix: uniquePrefix() });
    try {
      await worker.get(RecoverTagJobs).run();
      for (let status = ''; status !== 'done';) status = (await jobs.find({ appId: 'shop', jobId }))?.status ?? '';
      expect((await tagsOf('u1')).tags).toEqual(['vip']);
      expect(await jobs.find(broken)).toMatchObject({ status: 'failed', reason: UPLOAD_CUT_OFF });
      await rows(database, `UPDATE tag_jobs SET wake_at = now() - interval '1 second'`);
      await worker.get(RecoverTagJobs).run();
      expect(await jobs.find({ appId: 'shop', jobId })).toBeNull();
    } finally {
      await worker.stop();
    }
  });
});
