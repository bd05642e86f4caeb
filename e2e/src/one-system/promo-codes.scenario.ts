import { rows } from '@postrider/persistence';
import { startRedis } from '@postrider/tools/embedded/redis';
import type { Api } from '@postrider/tools/start/api';
import { until } from '@postrider/testing';
import type { Postrider } from '../support/postrider';

/** With forty characters each: more than one stretch of an import. */
const CODES = 150_000;
const BAD_LINE = 120_000;
/** A file of few codes, for tests that need a set in force, whichever. */
const FEW = new Blob(['FEW-1\r\nFEW-2'], { type: 'text/csv' });

/** A file of different codes. */
function file(prefix: string, change: (line: number) => string | null = () => null): Blob {
  const lines = Array.from(
    { length: CODES },
    (_, i) => change(i + 1) ?? `${prefix}-${String(i + 1).padStart(38, '0')}`,
  );
  return new Blob([lines.join('\r\n')], { type: 'text/csv' });
}

/** Promo codes. Redis loses everything at the end. */
export function promoCodesScenario(system: () => Postrider): void {
  let postrider: Postrider;
  let server: Api;
  let token: string;

  const upload = async (
    content: Blob,
    query = '',
  ): Promise<{
    status: number;
    body: { promoSetId?: string; totalRows?: number; jobId?: string; error?: unknown };
  }> => {
    const form = new FormData();
    form.append('file', content, 'codes.csv');
    const url = `${postrider.system.gatewayUrl}/apps/shop/api/containers/updateGlobalPromoCodes${query}`;
    const answer = await fetch(url, { method: 'POST', headers: { 'x-access-token': token }, body: form });
    return { status: answer.status, body: (await answer.json()) as object };
  };
  const job = async (id = ''): Promise<{ status: string; rows: number; totalRows: number | null }> =>
    (await server.call<{ status: string; rows: number; totalRows: number | null }>('GET', `/api/promo/jobs/${id}`))
      .body;
  const inForce = async (): Promise<{ total: number; remaining: number; id: string }> =>
    (await server.call<{ total: number; remaining: number; id: string }>('GET', '/api/promo/sets/shop')).body;

  beforeAll(async () => {
    postrider = system();
    const application = await postrider.createApplication('shop');
    server = application.server;
    token = application.serverToken;
    expect(await upload(FEW)).toMatchObject({ status: 200 });
  });

  it('are in force when the upload is answered', async () => {
    expect(await upload(file('A'))).toEqual({ status: 200, body: { promoSetId: 'shop', totalRows: CODES } });
    expect(await inForce()).toMatchObject({ total: CODES, remaining: CODES });
  });

  it('stay as they were when a line of the next file is bad', async () => {
    const before = await inForce();
    const answer = await upload(file('B', (line) => (line === BAD_LINE ? 'one,two' : null)));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'file', message: expect.stringMatching(`^line ${BAD_LINE}:`) }] } },
    });
    expect(await inForce()).toEqual(before);
  });

  it('come into force whole although the promo worker is killed in the middle, and the old ones serve until then', async () => {
    const before = await inForce();
    const { status, body } = await upload(file('C'), '?async=true');
    expect(status).toBe(202);
    await until(async () => (await job(body.jobId)).rows > 0, 5);
    postrider.system.kill('promo-worker');
    const killed = await job(body.jobId);
    if (killed.status === 'importing') expect(await inForce()).toEqual(before);
    const done = await until(async () => {
      const read = await job(body.jobId);
      return read.status === 'importing' ? null : read;
    });
    expect(done).toMatchObject({ status: 'done', rows: CODES, totalRows: CODES });
    const after = await inForce();
    expect(after).toMatchObject({ id: body.jobId, total: CODES, remaining: CODES });
    const [stored] = await rows<{ codes: number; different: number }>(
      postrider.database.dataSource,
      `SELECT count(*)::int AS codes, count(DISTINCT code)::int AS different
       FROM promo_codes b CROSS JOIN LATERAL string_to_table(b.codes, E'\n') AS code WHERE b.set_id = $1`,
      [after.id],
    );
    expect(stored).toEqual({ codes: CODES, different: CODES });
  });

  it('of earlier files are deleted by the worker', async () => {
    await upload(file('E'));
    await upload(FEW);
    const { id } = await inForce();
    await until(async () => {
      const [left] = await rows<{ n: number }>(
        postrider.database.dataSource,
        `SELECT (SELECT count(*) FROM promo_codes WHERE app_id = 'shop' AND set_id <> $1)::int
           + (SELECT count(*) FROM promo_chunks WHERE app_id = 'shop')::int AS n`,
        [id],
      );
      return left?.n === 0;
    });
    expect(await inForce()).toMatchObject({ id, remaining: 2 });
  });

  it('are imported although Redis lost the job', async () => {
    const { body } = await upload(file('D'), '?async=true');
    await postrider.redis.stop();
    postrider.redis = await startRedis({ port: Number(new URL(postrider.redis.url).port) });
    const done = await until(async () => {
      const read = await job(body.jobId);
      return read.status === 'importing' ? null : read;
    });
    expect(done).toMatchObject({ status: 'done', totalRows: CODES });
  });
}
