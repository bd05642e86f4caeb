import { rows } from '@postrider/persistence';
import { whileHolding } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('tags of users', () => {
  let gateway: TestGateway;
  let server: string;
  let client: string;

  const call = (method: string, path: string, body?: unknown, token = server): Promise<TestAnswer> =>
    gateway.request(method, `/api/installations/${path}`, { body, headers: { 'x-access-token': token } });
  const register = async (userId: string, device: string): Promise<string> =>
    (await call('POST', '', { userId, deviceType: 'android', deviceToken: device })).body.id;
  const tagsOf = async (userId: string): Promise<string[]> =>
    (await call('GET', `tags/${encodeURIComponent(userId)}`)).body;
  const onDevices = (userId: string): Promise<{ tags: string[]; values: unknown }[]> =>
    rows(gateway.database, `SELECT tags, tag_values AS values FROM installations WHERE user_id = $1 ORDER BY id`, [
      userId,
    ]);

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    client = await gateway.token('shop', ['devices']);
  });

  afterAll(() => gateway.close());

  it('puts a tag on all devices of a user, also on one that they register later', async () => {
    await register('ada', 'ada-1');
    await register('ada', 'ada-2');
    expect((await call('GET', 'addTag/ada/vip')).body).toEqual({ count: 2 });
    expect((await call('GET', 'addTag/ada/vip')).body).toEqual({ count: 2 });
    await register('ada', 'ada-3');
    expect((await onDevices('ada')).map(({ tags }) => tags)).toEqual([['vip'], ['vip'], ['vip']]);
    expect((await call('GET', 'removeTag/ada/vip')).body).toEqual({ count: 3 });
    expect((await call('GET', 'removeTag/ada/vip')).body).toEqual({ count: 0 });
    expect(await tagsOf('ada')).toEqual([]);
  });

  it('adds and removes several, and counts a device that carried any', async () => {
    await register('bob', 'bob-1');
    expect((await call('POST', 'addTags', { userId: 'bob', tags: ['a', 'b', 'a'] })).body).toEqual({ count: 1 });
    expect((await call('POST', 'removeTags', { userId: 'bob', tags: ['b', 'never'] })).body).toEqual({ count: 1 });
    expect((await call('POST', 'removeTags', { userId: 'bob', tags: ['never'] })).body).toEqual({ count: 0 });
    expect(await tagsOf('bob')).toEqual(['a']);
  });

  it('edits the value of a key/value tag, keeps it when the tag is added, and drops both together', async () => {
    await register('carl', 'carl-1');
    await call('POST', 'addValueTag', { userId: 'carl', tag: 'city', value: 'Rasht' });
    await call('POST', 'addValueTag', { userId: 'carl', tag: 'city', value: 'Yazd' });
    await call('GET', 'addTag/carl/city');
    expect(await onDevices('carl')).toEqual([{ tags: ['city'], values: { city: 'Yazd' } }]);
    expect((await call('POST', 'removeValueTag', { userId: 'carl', tag: 'city' })).body).toEqual({ count: 1 });
    expect(await onDevices('carl')).toEqual([{ tags: [], values: {} }]);
    await call('POST', 'addValueTag', { userId: 'carl', tag: 'city', value: 'Yazd' });
    await call('GET', 'removeTag/carl/city');
    expect(await onDevices('carl')).toEqual([{ tags: [], values: {} }]);
  });

  it('does nothing for an unknown user', async () => {
    expect((await call('GET', 'addTag/nobody/x')).body).toEqual({ count: 0 });
    expect((await call('POST', 'addTags', { userId: 'nobody', tags: ['x'] })).body).toEqual({ count: 0 });
    expect((await call('POST', 'addValueTag', { userId: 'nobody', tag: 'x', value: '1' })).body).toEqual({ count: 0 });
    expect((await call('GET', 'removeTag/nobody/x')).body).toEqual({ count: 0 });
    expect(await tagsOf('nobody')).toEqual([]);
  });

  it('loses none of 200 changes at once, nor a device that registers meanwhile', async () => {
    await register('dora', 'dora-1');
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        if (n % 50 === 0) await register('dora', `dora-late-${n}`);
        const answer =
          n % 2 === 0
            ? await call('GET', `addTag/dora/tag-${n}`)
            : await call('POST', 'addValueTag', { userId: 'dora', tag: `tag-${n}`, value: String(n) });
        expect(answer.status).toBe(200);
      }),
    );
    const expected = Array.from({ length: 200 }, (_, n) => `tag-${n}`).sort();
    expect(await tagsOf('dora')).toEqual(expected);
    const devices = await onDevices('dora');
    expect(devices).toHaveLength(5);
    for (const { tags, values } of devices) {
      expect(tags).toEqual(expected);
      expect(Object.keys(values as object)).toHaveLength(100);
    }
  });

  it('reads path parts percent-decoded, in NFC, and refuses what no text is', async () => {
    await register('ü ser/1', 'eve-1');
    expect((await call('GET', 'addTag/u%CC%88%20ser%2F1/caf%C3%A9%2Fbar')).body).toEqual({ count: 1 });
    expect(await tagsOf('ü ser/1')).toEqual(['café/bar']);
    for (const bad of ['addTag/a%00b/x', 'addTag/%ZZ/x', 'addTag/%ED%A0%80/x', `addTag/a/${'x'.repeat(256)}`]) {
      expect((await call('GET', bad)).status).toBe(400);
    }
    for (const bad of ['%00', '%ZZ', '%ED%A0%80', 'x'.repeat(256), 'x'.repeat(4_000)]) {
      const named = async (path: string): Promise<string[]> =>
        (await call('GET', path)).body.error.details.map((detail: { path: string }) => detail.path);
      expect(await named(`addTag/a/${bad}`)).toEqual(['tag']);
      expect(await named(`removeTag/${bad}/a`)).toEqual(['user_id']);
      expect(await named(`addTag/${bad}/${bad}`)).toEqual(['user_id', 'tag']);
    }
    const long = '🙂'.repeat(255);
    expect((await call('GET', `addTag/${encodeURIComponent(long)}/${encodeURIComponent(long)}`)).status).toBe(200);
  });

  it('names every bad field', async () => {
    const paths = async (path: string, body: unknown): Promise<string[]> => {
      const answer = await call('POST', path, body);
      expect(answer.status).toBe(400);
      return answer.body.error.details.map((detail: { path: string }) => detail.path);
    };
    expect(await paths('addTags', {})).toEqual(['userId', 'tags']);
    expect(await paths('addTags', { userId: 'ada', tags: [] })).toEqual(['tags']);
    expect(await paths('addTags', { userId: 'ada', tags: 'vip' })).toEqual(['tags']);
    expect(await paths('removeTags', { userId: 5, tags: ['ok', '', 7] })).toEqual(['userId', 'tags[1]', 'tags[2]']);
    expect(await paths('addValueTag', { userId: 'ada' })).toEqual(['value', 'tag']);
    expect(await paths('removeValueTag', { userId: 'ada', tag: 'x'.repeat(256) })).toEqual(['tag']);
  });

  it('names the field by which a user would get too many', async () => {
    await register('gina', 'gina-1');
    const all = Array.from({ length: 1_000 }, (_, n) => `tag-${n}`);
    expect((await call('POST', 'addTags', { userId: 'gina', tags: all })).body).toEqual({ count: 1 });
    const refused = (path: string): object => ({ status: 400, body: { error: { details: [{ path }] } } });
    const value = { userId: 'gina', tag: 'more', value: '1' };
    expect(await call('GET', 'addTag/gina/more')).toMatchObject(refused('tag'));
    expect(await call('POST', 'addValueTag', value)).toMatchObject(refused('tag'));
    expect(await call('POST', 'addTags', { userId: 'gina', tags: ['more'] })).toMatchObject(refused('tags'));
    // The way of an edit that is not shared with others, because somebody holds the user.
    const alone = await whileHolding(
      gateway.database,
      (held) => held.query(`UPDATE users SET updated_at = now() WHERE app_id = 'shop' AND user_id = 'gina'`),
      () => call('POST', 'addValueTag', value),
    );
    expect(alone).toMatchObject(refused('tag'));
    expect((await call('GET', 'addTag/gina/tag-1')).body).toEqual({ count: 1 });
  });

  it('lets a device tag its own user only', async () => {
    const installationId = await register('finn', 'finn-1');
    const tag = (userId: string, more: object = {}): Promise<TestAnswer> =>
      call('POST', 'addTags', { userId, tags: ['mine'], ...more }, client);
    expect((await tag('finn', { installationId })).body).toEqual({ count: 1 });
    expect((await tag('finn')).status).toBe(403);
    expect((await tag('bob', { installationId })).status).toBe(403);
    expect((await call('GET', 'addTag/finn/mine', undefined, client)).status).toBe(403);
    expect((await call('POST', 'addValueTag', { userId: 'finn', tag: 'a', value: 'b' }, client)).status).toBe(403);
  });

  it('keeps applications apart', async () => {
    await register('noor', 'noor-1');
    await call('GET', 'addTag/noor/a');
    const stranger = await gateway.application('other');
    expect((await call('GET', 'addTag/noor/x', undefined, stranger)).body).toEqual({ count: 0 });
    expect((await call('GET', 'tags/noor', undefined, stranger)).body).toEqual([]);
    const addressed = await gateway.request(
      'GET',
      `/apps/shop/api/installations/addTag/noor/x?access_token=${stranger}`,
    );
    expect(addressed.status).toBe(401);
    expect(await tagsOf('noor')).toEqual(['a']);
  });
});
