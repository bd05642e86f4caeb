import { type DeviceId, DAY_MS, HOUR_MS, MINUTE_MS, type SendOutcome } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { accepted } from '../testing/fake-sender';
import { APP_ID } from '../testing/ledger';
import { usePageStage } from '../testing/page-stage';

describe('a dead token', () => {
  const stage = usePageStage();

  const dead = (deadSince?: Date): SendOutcome => ({
    kind: 'token_invalid',
    code: 'UNREGISTERED',
    reason: 'gone',
    ...(deadSince && { deadSince }),
  });
  const tokenStatus = async (): Promise<unknown[]> =>
    (await stage.ledger.run('SELECT token_status FROM installations ORDER BY id')).map(
      ({ token_status }) => token_status,
    );
  const countOff = async (): Promise<number> => (await tokenStatus()).filter((status) => status === 'INVALID').length;
  const pageTo = (devices: DeviceId[]): Promise<PageKey> =>
    stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now() });

  it('fails its delivery at once with the vendor’s code, and is switched off a quarter of an hour later', async () => {
    const { key } = await stage.pageOf(2);
    stage.sender.answer = (token) => (token === 't1' ? dead() : accepted(token));
    const { attempt, switchOff, maintenanceMetrics } = stage.worker();
    await attempt('fcm', key);
    expect((await stage.ledger.deliveries(key.messageId))[0]).toMatchObject({
      state: 'failed',
      error_code: 'UNREGISTERED',
    });
    stage.clock.advance(15 * MINUTE_MS - 1);
    await switchOff();
    expect(await tokenStatus()).toEqual([null, null]);
    stage.clock.advance(1);
    await switchOff();
    expect(await tokenStatus()).toEqual(['INVALID', null]);
    expect(await maintenanceMetrics.metrics()).toContain(
      'postrider_dead_tokens_total{vendor="fcm",action="switched_off"} 1',
    );
  });

  it('stays on when the device registered it again, or another one, meanwhile', async () => {
    const { key, devices } = await stage.pageOf(5);
    stage.sender.answer = (token) =>
      token === 't3' ? dead(new Date(stage.clock.now().getTime() - 2 * HOUR_MS)) : undefined;
    const { attempt, switchOff } = stage.worker();
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(4);
    const change = (place: number, change: string): Promise<unknown> =>
      stage.ledger.run(`UPDATE installations SET ${change} WHERE id = $1`, [devices[place]]);
    await change(0, 'token_registered_at = now()');
    // Between the claim of the page and the vendor's answer.
    await change(3, `token_registered_at = token_registered_at + interval '1 ms'`);
    stage.sender.release(() => dead());
    await end;
    await change(1, `token = 'new'`);
    await change(4, `push_type = 'hms'`);
    stage.clock.advance(HOUR_MS);
    await switchOff();
    expect(await tokenStatus()).toEqual([null, null, null, null, null]);
    expect(new Set(Object.values(await stage.ledger.states(key)))).toEqual(new Set(['failed']));
  });

  it('has its quarter of an hour, although another one’s is over', async () => {
    const { key, devices } = await stage.pageOf(2);
    stage.sender.answer = (token) => (token === 't1' ? dead() : accepted(token));
    const { attempt, switchOff } = stage.worker();
    await attempt('fcm', key);
    stage.clock.advance(10 * MINUTE_MS);
    stage.sender.answer = () => dead();
    await attempt('fcm', await pageTo(devices));
    stage.clock.advance(5 * MINUTE_MS);
    await switchOff();
    expect(await tokenStatus()).toEqual(['INVALID', null]);
    stage.clock.advance(10 * MINUTE_MS);
    await switchOff();
    expect(await tokenStatus()).toEqual(['INVALID', 'INVALID']);
  });

  it('is not counted again when something else switched it off meanwhile', async () => {
    const { key } = await stage.pageOf(1);
    stage.sender.answer = () => dead();
    const { attempt, switchOff } = stage.worker();
    await attempt('fcm', key);
    await stage.ledger.run(`UPDATE installations SET token_status = 'INVALID'`);
    stage.clock.advance(HOUR_MS);
    await switchOff();
    expect(await stage.ledger.run('SELECT FROM removed_tokens')).toEqual([]);
    expect(await stage.ledger.run('SELECT FROM quarantined_tokens')).toEqual([]);
  });

  it('is sent to until it is switched off, and stays on when the vendor takes a message for it after all', async () => {
    const { key, devices } = await stage.pageOf(2);
    stage.sender.answer = () => dead();
    const { attempt, switchOff, hygiene } = stage.worker();
    await attempt('fcm', key);
    stage.clock.advance(MINUTE_MS);
    stage.sender.answer = (token) => (token === 't1' ? accepted(token) : dead());
    await attempt('fcm', await pageTo(devices));
    await hygiene.flush(true);
    stage.clock.advance(15 * MINUTE_MS);
    await switchOff();
    expect(await tokenStatus()).toEqual([null, 'INVALID']);
  });

  it('stays on while the credentials have worked for nobody and may be those of the other environment', async () => {
    const { key, devices } = await stage.pageOf(2);
    const wrongEnvironment: SendOutcome = { kind: 'token_invalid', code: 'BadDeviceToken', reason: 'of the sandbox' };
    stage.sender.answer = () => wrongEnvironment;
    const { attempt, switchOff, hygiene } = stage.worker();
    await attempt('fcm', key);
    await hygiene.flush(true);
    stage.clock.advance(15 * MINUTE_MS);
    await switchOff();
    expect(await tokenStatus()).toEqual([null, null]);
    stage.sender.answer = (token) => (token === 't1' ? accepted(token) : wrongEnvironment);
    await attempt('fcm', await pageTo(devices));
    await hygiene.flush(true);
    stage.clock.advance(15 * MINUTE_MS);
    await switchOff();
    expect(await tokenStatus()).toEqual([null, 'INVALID']);
  });

  it('counts once, however many messages go to it', async () => {
    const { devices } = await stage.pageOf(60);
    const { attempt, lines } = stage.worker();
    await attempt('fcm', await pageTo(devices));
    stage.sender.answer = () => dead();
    for (let count = 0; count < 60; count++) await attempt('fcm', await pageTo(devices.slice(0, 1)));
    expect(lines.map(({ event }) => event)).not.toContain('tokens.quarantined');
    expect(await stage.ledger.run('SELECT dead::int, answers::int FROM token_answers')).toEqual([
      { dead: 1, answers: 61 },
    ]);
  });

  it('is kept with all that were called dead before, when two workers see too many of them together', async () => {
    const { devices } = await stage.pageOf(400);
    const workers = [stage.worker({ instanceId: 'w1' }), stage.worker({ instanceId: 'w2' })] as const;
    await workers[0].attempt('fcm', await pageTo(devices.slice(0, 200)));
    stage.sender.answer = () => dead();
    // Neither worker sees more than a hundred of them, in single sends of a page each.
    for (let place = 200; place < 400; place += 4) {
      const pages = await Promise.all([
        pageTo(devices.slice(place, place + 2)),
        pageTo(devices.slice(place + 2, place + 4)),
      ]);
      await Promise.all(pages.map((page, which) => workers[which as 0 | 1].attempt('fcm', page)));
      stage.clock.advance(500);
    }
    stage.clock.advance(DAY_MS);
    await Promise.all(workers.map(({ switchOff }) => switchOff()));
    expect(await countOff()).toBe(0);
    const begun = workers.flatMap(({ lines }) => lines).filter(({ event }) => event === 'tokens.quarantined');
    expect(begun).toEqual([expect.objectContaining({ appId: APP_ID, vendor: 'fcm', normalShare: 0, level: 50 })]);
    const kept = await stage.ledger.run('SELECT 1 FROM quarantined_tokens');
    expect(kept).toHaveLength(200);
  });

  it('is kept when a vendor answers nothing else to eighteen single sends a minute', async () => {
    const { devices } = await stage.pageOf(54);
    stage.sender.answer = () => dead();
    const { attempt, switchOff } = stage.worker();
    for (const device of devices) {
      await attempt('fcm', await pageTo([device]));
      await switchOff();
      stage.clock.advance(MINUTE_MS / 18);
    }
    stage.clock.advance(DAY_MS);
    await switchOff();
    expect(await countOff()).toBe(0);
  });

  it('goes with all others of a population that was silent for a year, of which 8 % died', async () => {
    const { key } = await stage.pageOf(1_000);
    await stage.ledger.run(
      `UPDATE installations SET token_registered_at = token_registered_at - interval '1 year' WHERE token <> 't25'`,
    );
    stage.sender.answer = (token) => (Number(token.slice(1)) % 25 < 2 ? dead() : accepted(token));
    const { attempt, switchOff, hygiene } = stage.worker();
    await attempt('fcm', key);
    await hygiene.flush(true);
    stage.clock.advance(15 * MINUTE_MS);
    await switchOff();
    expect(await countOff()).toBe(80);
    // Silent tokens say nothing about what is normal among those that are in use.
    expect(await stage.ledger.run('SELECT sum(believed)::int AS believed FROM token_answers')).toEqual([
      { believed: 1 },
    ]);
  });

  it('is kept when half of a silent population is called dead', async () => {
    const { key } = await stage.pageOf(1_000);
    await stage.ledger.run(`UPDATE installations SET token_registered_at = token_registered_at - interval '1 year'`);
    stage.sender.answer = (token) => (Number(token.slice(1)) % 2 === 0 ? dead() : accepted(token));
    const { attempt, switchOff, lines } = stage.worker();
    await attempt('fcm', key);
    stage.clock.advance(15 * MINUTE_MS);
    await switchOff();
    expect(await countOff()).toBe(0);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'tokens.quarantined', count: 500, share: 0.5 }));
  });

  it('is one warning without a stack while PostgreSQL is away, however many pages have one', async () => {
    await stage.ledger.run(`CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the database system is shutting down' USING ERRCODE = '57P03'; END $$`);
    await stage.ledger.run(`CREATE TRIGGER away BEFORE INSERT ON token_answers EXECUTE FUNCTION go_away()`);
    stage.sender.answer = () => dead();
    const { attempt, lines } = stage.worker();
    const { key, devices } = await stage.pageOf(1);
    for (const page of [key, await pageTo(devices)]) await attempt('fcm', page);
    await stage.ledger.run('DROP FUNCTION go_away CASCADE');
    const told = lines.filter(({ event, level }) => event === 'tokens.not-counted' && Number(level) > 20);
    expect(told).toEqual([expect.objectContaining({ level: 40, appId: APP_ID, vendor: 'fcm', dead: 1 })]);
    expect(told[0]).toMatchObject({ reason: 'the database system is shutting down' });
    expect(told[0]).not.toHaveProperty('err');
  });

  it.each([
    ['raises no alarm where its share has been about normal for days', 50, 20],
    ['is kept where its share is far above the normal one, although no ten times that', 20, 0],
  ])('%s', async (_, every, off) => {
    const before = new Date(stage.clock.now().getTime() - 3 * DAY_MS);
    await stage.ledger.run(
      `INSERT INTO token_answers (app_id, vendor, hour, answers, dead, believed) VALUES ($1, 'fcm', $2, 20000, 200, 200)`,
      [APP_ID, before],
    );
    const { key } = await stage.pageOf(1_000);
    stage.sender.answer = (token) => (Number(token.slice(1)) % every === 0 ? dead() : accepted(token));
    const { attempt, switchOff } = stage.worker();
    await attempt('fcm', key);
    stage.clock.advance(15 * MINUTE_MS);
    await switchOff();
    expect(await countOff()).toBe(off);
  });
});
