import { newId } from '@postrider/platform';
import { rows } from '@postrider/persistence';
import type { TestAnswer } from '../../testing/test-gateway';
import { ReadingStage } from './testing/reading-stage';

const HOUR = 3_600_000;

describe('the API of messages and campaigns', () => {
  let stage: ReadingStage;

  beforeAll(async () => {
    stage = await ReadingStage.start();
  });

  afterAll(() => stage.close());

  it('lists messages by what identifies them, newest first, with a cursor', async () => {
    const batch = newId();
    const ids = [
      await stage.accept({ batch_id: batch, user_ids: ['zoe', 'ada'], client_id: 'mine' }),
      await stage.accept({ batch_id: batch, user_ids: ['zoe'], track_id: 'list' }),
      await stage.accept({ batch_id: batch, user_ids: ['kim'], track_id: 'list' }),
    ];
    await stage.accept({ is_campaign: true, track_id: 'list', user_ids: null });
    const listed = async (query: string): Promise<string[]> =>
      (await stage.call('GET', `messages?${query}`)).body.messages.map(({ id }: { id: string }) => id);
    expect(await listed(`batchId=${batch}`)).toEqual([...ids].reverse());
    expect(await listed(`userId=zoe`)).toEqual([ids[1], ids[0]]);
    expect(await listed('clientId=mine')).toEqual([ids[0]]);
    expect(await listed('trackId=list&userId=kim')).toEqual([ids[2]]);
    const first = await stage.call('GET', `messages?batchId=${batch}&limit=2`);
    expect(first.body.messages).toHaveLength(2);
    const rest = await stage.call('GET', `messages?batchId=${batch}&limit=2&cursor=${first.body.nextCursor}`);
    expect(rest.body).toMatchObject({ messages: [{ id: ids[0] }], nextCursor: null });
  });

  it('lists every message of a batch, also one to everybody', async () => {
    const batch = newId();
    const toUsers = await stage.accept({ batch_id: batch, user_ids: ['ada'] });
    const toEverybody = await stage.accept({ batch_id: batch, is_campaign: true, user_ids: null });
    const listed = async (path: string): Promise<string[]> => {
      const { body } = await stage.call('GET', path);
      return (body.messages ?? body.campaigns).map(({ id }: { id: string }) => id);
    };
    expect(await listed(`messages?batchId=${batch}`)).toEqual([toEverybody, toUsers]);
    expect(await listed(`campaigns?batchId=${batch}`)).toEqual([toEverybody]);
  });

  it('lists campaigns with what devices said about them, and finds them by state, kind, time and language', async () => {
    const campaign = (changes: object): Promise<string> =>
      stage.accept({
        is_campaign: true,
        kind: 'query',
        lane: 'campaign',
        user_ids: null,
        track_id: 'filtered',
        ...changes,
      });
    const variants = [{ name: 'A' }, { name: 'B', localized: { fr: {} } }];
    const done = await campaign({ status: 'done', content: JSON.stringify({ localized: { fa: {} } }) });
    const begun = await campaign({ kind: 'notify', content: JSON.stringify({ variants }) });
    await stage.page(begun, ['1'], { fence: 1 });
    const waits = await campaign({});
    for (const [kind, name, count] of [
      ['delivered', null, 3],
      ['opened', null, 2],
      ['action', 'buy', 1],
      ['link', 'https://x.example', 1],
      ['clicked', null, 1],
      ['click', 'https://x.example', 9],
    ]) {
      await rows(
        stage.gateway.database,
        `INSERT INTO message_counts (app_id, message_id, kind, name_key, hour, platform, name, count)
         VALUES ('shop', $1, $2, '', date_trunc('hour', now()), 'ios', $3, $4)`,
        [done, kind, name, count],
      );
    }
    const planned = await stage.call('POST', 'campaigns', { trackId: 'never-sent' });
    const idsOf = async (query: string): Promise<string[]> =>
      (await stage.call('GET', `campaigns?${query}`)).body.campaigns.map(({ id }: { id: string }) => id);
    expect(await idsOf('trackId=filtered&status=done')).toEqual([done]);
    expect(await idsOf('trackId=filtered&status=sending')).toEqual([begun]);
    expect(await idsOf('trackId=filtered&status=accepted')).toEqual([waits]);
    expect(await idsOf('trackId=filtered&status=cancelled')).toEqual([]);
    expect(await idsOf('trackId=filtered&kind=notify')).toEqual([begun]);
    expect(await idsOf('trackId=filtered&language=fa')).toEqual([done]);
    expect(await idsOf('trackId=filtered&language=fr')).toEqual([begun]);
    const [later, earlier] = [Date.now() + HOUR, Date.now() - HOUR];
    expect(await idsOf(`trackId=filtered&from=${earlier}&to=${later}`)).toEqual([waits, begun, done]);
    expect(await idsOf(`trackId=filtered&to=${earlier}`)).toEqual([]);
    expect(await idsOf(`trackId=filtered&from=${later}`)).toEqual([]);
    // A campaign without a send has no kind and no time.
    expect(await idsOf('limit=200')).toContain(planned.body.id);
    expect(await idsOf('limit=200&status=accepted')).not.toContain(planned.body.id);
    const { body } = await stage.call('GET', 'campaigns?trackId=filtered');
    expect(body.campaigns.map(({ engagement }: { engagement: object }) => engagement)).toEqual([
      { delivered: 0, opened: 0, clicked: 0 },
      { delivered: 0, opened: 0, clicked: 0 },
      { delivered: 3, opened: 2, clicked: 1 },
    ]);
    const wrong = await stage.call('GET', 'campaigns?status=sent&kind=all&from=x&language=a_b');
    expect(wrong.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...['from', 'kind', 'language', 'status'],
    ]);
    expect((await stage.call('GET', `campaigns?from=${later}&to=${earlier}`)).body.error.details).toMatchObject([
      { path: 'to' },
    ]);
  });

  it('reads a campaign that was created ahead as its newest send, once there is one', async () => {
    const planned = await stage.call('POST', 'campaigns', { trackId: 'ahead', name: 'Ahead' });
    const read = (): Promise<TestAnswer> => stage.call('GET', `campaigns/${planned.body.id as string}`);
    await stage.accept({ count: 9, track_id: 'ahead' });
    expect((await read()).body).toEqual(planned.body);
    const campaign = { kind: 'query', is_campaign: true, track_id: 'ahead' };
    await stage.accept({ ...campaign, count: 3, accepted_at: new Date(Date.now() - HOUR) });
    const newest = await stage.accept({ ...campaign, count: 5, status: 'done' });
    await stage.accept({ ...campaign, count: 7, track_id: 'other' });
    expect((await read()).body).toMatchObject({ id: newest, trackId: 'ahead', status: 'done', count: 5 });
    expect((await read()).body).toHaveProperty('totals');
  });

  it('reads a campaign by its tracking id too, as its statistics are', async () => {
    const read = (id: string): Promise<TestAnswer> => stage.call('GET', `campaigns/${encodeURIComponent(id)}`);
    const planned = await stage.call('POST', 'campaigns', { trackId: 'named/é' });
    expect((await read('named/e\u0301')).body).toEqual(planned.body);
    await stage.accept({ count: 9, track_id: 'named/é' });
    expect((await read('named/é')).body).toEqual(planned.body);
    const campaign = { kind: 'query', is_campaign: true };
    const sent = await stage.accept({ ...campaign, count: 3, track_id: 'named/é' });
    expect((await read('named/é')).body).toMatchObject({ id: sent, trackId: 'named/é', count: 3 });
    const likeAnId = newId();
    const newest = await stage.accept({ ...campaign, count: 4, track_id: likeAnId });
    expect((await read(likeAnId)).body).toMatchObject({ id: newest, count: 4 });
    await stage.accept({ ...campaign, count: 5, track_id: sent });
    expect((await read(sent)).body).toMatchObject({ id: sent, count: 3 });
    for (const unknown of ['nothing', newId(), await stage.accept({ track_id: 'of users' }), 'of users']) {
      expect(await read(unknown)).toMatchObject({ status: 404 });
    }
  });

  it('finds messages to users by state, time, channel, language and template', async () => {
    const templateId = newId();
    const common = { track_id: 'narrowed' };
    const done = await stage.accept({ ...common, status: 'done', channel: 'public/sport' });
    const cancelled = await stage.accept({ ...common, status: 'cancelled', content: JSON.stringify({ templateId }) });
    const begun = await stage.accept({ ...common, kind: 'notify', content: JSON.stringify({ localized: { fa: {} } }) });
    await stage.page(begun, ['1'], { fence: 1 });
    const waits = await stage.accept(common);
    const idsOf = async (query: string): Promise<string[]> =>
      (await stage.call('GET', `messages?trackId=narrowed&${query}`)).body.messages.map(({ id }: { id: string }) => id);
    expect(await idsOf('status=done')).toEqual([done]);
    expect(await idsOf('status=cancelled')).toEqual([cancelled]);
    expect(await idsOf('status=sending')).toEqual([begun]);
    expect(await idsOf('status=accepted')).toEqual([waits]);
    expect(await idsOf('kind=notify')).toEqual([begun]);
    expect(await idsOf('channel=sport')).toEqual([done]);
    expect(await idsOf('channel=default')).toEqual([waits, begun, cancelled]);
    expect(await idsOf('channel=private/sport')).toEqual([]);
    expect(await idsOf(`templateId=${templateId.toUpperCase()}`)).toEqual([cancelled]);
    expect(await idsOf(`templateId=${newId()}`)).toEqual([]);
    expect(await idsOf('language=fa')).toEqual([begun]);
    expect(await idsOf(`to=${Date.now() - HOUR}`)).toEqual([]);
    expect(await idsOf(`from=${Date.now() - HOUR}`)).toEqual([waits, begun, cancelled, done]);
    const wrong = await stage.call('GET', 'messages?status=sent&channel=a/b&templateId=x&to=x');
    expect(wrong.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...['channel', 'status', 'templateId', 'to'],
    ]);
  });

  it('lists campaigns, those made ahead of their first send among them', async () => {
    const before = await stage.accept({
      is_campaign: true,
      kind: 'query',
      user_ids: null,
      track_id: 'spring',
      audience: '{"target":{"deviceType":"ios"}}',
    });
    const made = await stage.call('POST', 'campaigns', { trackId: 'autumn', name: 'Autumn sale' });
    expect(made).toMatchObject({ status: 201, body: { trackId: 'autumn', name: 'Autumn sale', status: 'accepted' } });
    expect((await stage.call('POST', 'campaigns', { trackId: 'autumn' })).status).toBe(409);
    expect((await stage.call('POST', 'campaigns', {})).body.error.details).toEqual([
      { path: 'trackId', message: 'is required' },
    ]);
    const listed = await stage.call('GET', 'campaigns?limit=2');
    expect(listed.body.campaigns.map(({ id }: { id: string }) => id)).toEqual([made.body.id, before]);
    const next = await stage.call(
      'GET',
      `campaigns?limit=1&cursor=${(await stage.call('GET', 'campaigns?limit=1')).body.nextCursor}`,
    );
    expect(next.body.campaigns).toMatchObject([{ id: before }]);
    expect((await stage.call('GET', `campaigns/${made.body.id}`)).body).toMatchObject({ trackId: 'autumn', count: 0 });
    expect((await stage.call('GET', `campaigns/${before}`)).body).toMatchObject({
      target: { deviceType: 'ios' },
      totals: {},
    });
    const sent = await stage.accept({ is_campaign: true, kind: 'query', user_ids: null, track_id: 'autumn' });
    expect((await stage.call('GET', 'campaigns?trackId=autumn')).body.campaigns).toMatchObject([{ id: sent }]);
  });
});
