import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { rows, FILE_CHUNK_BYTES } from '@postrider/persistence';
import { RetainedMemory, untilTrue } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const LIMIT = 40 * 1_048_576;
const PATH = '/api/installations/bulk/tags';

describe('files of tags', () => {
  let gateway: TestGateway;
  let server: string;
  let stranger: string;

  const upload = (
    body: string | Buffer,
    { type = 'text/csv', query = '', token = server }: { type?: string; query?: string; token?: string } = {},
  ): Promise<TestAnswer> =>
    gateway.request('POST', `${PATH}${query}`, { body, headers: { 'content-type': type, 'x-access-token': token } });
  const progress = (jobId: string, token = server): Promise<TestAnswer> =>
    gateway.request('GET', `${PATH}/${jobId}`, { headers: { 'x-access-token': token } });
  const stored = async (jobId: string): Promise<Buffer> => {
    const chunks = await rows<{ content: Buffer }>(
      gateway.database,
      `SELECT content FROM tag_job_chunks WHERE job_id = $1 ORDER BY number`,
      [jobId],
    );
    return Buffer.concat(chunks.map(({ content }) => content));
  };

  beforeAll(async () => {
    gateway = await startTestGateway({ maxUploadBytes: LIMIT });
    server = await gateway.application('shop');
    stranger = await gateway.application('other');
  });

  afterAll(() => gateway.close());

  it('are taken as they are and can be asked for', async () => {
    const file = Buffer.concat([Buffer.from('userId,tag\n'), Buffer.alloc(FILE_CHUNK_BYTES + 17, 0xff)]);
    const accepted = await upload(file, { query: '?operation=remove' });
    expect(accepted).toMatchObject({ status: 202, body: { jobId: expect.any(String) } });
    expect(Object.keys(accepted.body)).toEqual(['jobId']);
    expect((await stored(accepted.body.jobId)).equals(file)).toBe(true);
    expect((await progress(accepted.body.jobId)).body).toEqual({
      jobId: accepted.body.jobId,
      status: 'working',
      reason: null,
      bytes: file.length,
      bytesWorked: 0,
      lines: 0,
      failedLines: 0,
      usersChanged: 0,
      devicesChanged: 0,
      unknownUsers: 0,
      errors: [],
      createdAt: expect.any(String),
      finishedAt: null,
    });
    const [job] = await rows(gateway.database, `SELECT format, operation FROM tag_jobs WHERE job_id = $1`, [
      accepted.body.jobId,
    ]);
    expect(job).toEqual({ format: 'csv', operation: 'remove' });
    expect((await upload('{"userId":"a","tags":["b"]}', { type: 'application/x-ndjson; charset=utf-8' })).status).toBe(
      202,
    );
  });

  it('are refused when they are empty, too large, of another type, or nobody’s', async () => {
    expect((await upload('')).status).toBe(400);
    expect((await upload('a,b', { query: '?operation=burn' })).body.error.details[0].path).toBe('operation');
    for (const type of ['application/json', 'text/plain', 'text/csv; charset=utf-16']) {
      expect((await upload('{}', { type })).status).toBe(415);
    }
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(await upload('a,b\n'.repeat(10_000), { type })).toMatchObject({
        status: 415,
        body: { error: { message: expect.stringMatching(/text\/csv/) as string } },
      });
    expect((await upload('a,b', { token: 'unknown' })).status).toBe(401);
    expect((await upload('a,b', { token: await gateway.token('shop', ['devices', 'read']) })).status).toBe(403);
    const elsewhere = await gateway.request('POST', '/api/push/toUsers', {
      body: 'a,b',
      headers: { 'content-type': 'text/csv', 'x-access-token': server },
    });
    expect(elsewhere.status).toBe(415);
    const [before] = await rows<{ count: string }>(gateway.database, `SELECT count(*) FROM tag_jobs`);
    expect((await upload(Buffer.alloc(LIMIT + 1, 'x'))).status).toBe(413);
    expect(await rows(gateway.database, `SELECT count(*) FROM tag_jobs`)).toEqual([before]);
  });

  /** Begins an upload that never ends. */
  const begin = (content: Buffer): { outgoing: ClientRequest; status: Promise<number | undefined> } => {
    const outgoing = httpRequest(`${gateway.address}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', 'x-access-token': server, 'content-length': 10 * LIMIT },
    });
    const status = once(outgoing, 'response').then(([answer]) => (answer as IncomingMessage).statusCode);
    outgoing.write(content);
    return { outgoing, status };
  };
  const areStored = async (): Promise<boolean> =>
    (await rows(gateway.database, `SELECT FROM tag_job_chunks JOIN tag_jobs USING (job_id) WHERE status = 'uploading'`))
      .length > 0;

  it('that are too large are refused while they still arrive, with the reason', async () => {
    const { outgoing, status } = begin(Buffer.alloc(LIMIT + FILE_CHUNK_BYTES, 'x'));
    expect(await status).toBe(413);
    outgoing.destroy();
  });

  it('whose application is deleted while they arrive are given up', async () => {
    const { outgoing, status } = begin(Buffer.alloc(2 * FILE_CHUNK_BYTES, 'x'));
    await untilTrue(areStored);
    await rows(gateway.database, `DELETE FROM tag_jobs WHERE status = 'uploading'`);
    outgoing.write(Buffer.alloc(4 * FILE_CHUNK_BYTES, 'x'));
    expect(await status).toBe(503);
    outgoing.destroy();
  });

  it('leave nothing behind when they break off', async () => {
    const [before] = await rows<{ count: string }>(gateway.database, `SELECT count(*) FROM tag_jobs`);
    const { outgoing, status } = begin(Buffer.alloc(2 * FILE_CHUNK_BYTES, 'x'));
    status.catch(() => undefined);
    await untilTrue(areStored);
    outgoing.destroy();
    await untilTrue(async () => !(await areStored()));
    expect(await rows(gateway.database, `SELECT count(*) FROM tag_jobs`)).toEqual([before]);
  });

  it('take no more memory the larger they are', async () => {
    await upload(Buffer.alloc(1_000_000, 'warm,up\n'));
    const memory = new RetainedMemory();
    const piece = Buffer.alloc(65_536, 'user,tag\n');
    const pieces = 512;
    const outgoing = httpRequest(`${gateway.address}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', 'x-access-token': server, 'content-length': pieces * piece.length },
    });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    for (let written = 1; written <= pieces; written++) {
      if (!outgoing.write(piece)) await once(outgoing, 'drain');
      if (written % 64 === 0) await memory.untilLessThan(16 * 1_048_576);
    }
    outgoing.end();
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(202);
  });

  it('are known to their own application only', async () => {
    const { body } = await upload('a,b');
    expect((await progress(body.jobId, stranger)).status).toBe(404);
    expect((await progress('not-an-id')).status).toBe(404);
    const addressed = await gateway.request('GET', `/apps/shop${PATH}/${body.jobId}?access_token=${stranger}`);
    expect(addressed.status).toBe(401);
  });
});
