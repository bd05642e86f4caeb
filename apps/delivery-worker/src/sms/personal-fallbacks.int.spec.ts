import { newId } from '@postrider/platform';
import { smsTextDigest } from '@postrider/vendors';
import { APP_ID } from './testing/fallback-ledger';
import { ADA, BOB, useFallbackStage } from './testing/fallback-stage';

describe('personal fallback SMS', () => {
  const stage = useFallbackStage();

  const pass = (): Promise<void> => stage.pass(60);

  async function addPromoCodes(codes: string[]): Promise<void> {
    const setId = newId();
    await stage.ledger.run(
      `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, created_at, in_force_at)
       VALUES ($1, $2, '', 'in_force', $3, $3, now(), now())`,
      [APP_ID, setId, codes.length],
    );
    await stage.ledger.run('INSERT INTO promo_codes VALUES ($1, $2, 0, $3)', [APP_ID, setId, codes.join('\n')]);
  }

  const texts = (): Record<string, string> =>
    Object.fromEntries(stage.sender.requests.map(({ to, text }) => [to, text]));

  it('tell each user what is their own', async () => {
    await stage.ledger.addUser(ADA, { name: 'Ada' });
    const key = await stage.ledger.addMessage({
      users: [ADA, BOB],
      acceptedAt: stage.clock.now(),
      content: 'Hi {{ user.name | default: "there" }}{{ device.deviceType }}, see {{ message.id }}',
    });
    await pass();
    expect(texts()).toEqual({ [ADA]: `Hi Ada, see ${key.messageId}`, [BOB]: `Hi there, see ${key.messageId}` });
  });

  it('date a scheduled message by the time at which it was sent', async () => {
    const sentAt = stage.now();
    await stage.ledger.addMessage({ users: [ADA], acceptedAt: sentAt, content: 'Of {{ message.createdAt }}' });
    await stage.ledger.run(`UPDATE messages SET send_at = accepted_at, accepted_at = accepted_at - interval '3 days'`);
    await pass();
    expect(texts()).toEqual({ [ADA]: `Of ${sentAt.toISOString()}` });
  });

  it('carry the code that the user has from this message already, else one of their own, the same on every try', async () => {
    await addPromoCodes(['NEW', 'NEWER']);
    const key = await stage.ledger.addMessage({
      users: [ADA, BOB],
      acceptedAt: stage.clock.now(),
      content: '{{ promoCode }}',
    });
    await stage.ledger.run(
      `INSERT INTO promo_assignments (app_id, message_id, user_id, code, claimed_at) VALUES ($1, $2, $3, 'HAS', now())`,
      [APP_ID, key.messageId, ADA],
    );
    let refusals = 2;
    const take = stage.sender.answer;
    stage.sender.answer = (request) =>
      refusals-- > 0 ? { kind: 'retryable', code: '500', reason: 'busy', retryAfterMs: null } : take(request);
    await pass();
    await pass();
    expect(stage.sender.requests.map(({ text }) => text).sort()).toEqual(['HAS', 'HAS', 'NEW', 'NEW']);
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'sent', [BOB]: 'sent' });
  });

  it('are asked about by the text that was sent, whatever the user is called by then', async () => {
    await stage.ledger.addUser(ADA, { name: 'Ada' });
    const content = 'Hi {{ user.name | default: "there" }}';
    await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.clock.now(), content });
    stage.sender.answer = () => ({ kind: 'ambiguous', code: 'DEADLINE', reason: 'No answer came' });
    await pass();
    await stage.ledger.run(`UPDATE users SET attributes = '{"name":"Countess"}'`);
    await pass();
    const asked = new Map(stage.sender.inquiries.map(({ to, textDigest }) => [to, textDigest]));
    expect(asked).toEqual(
      new Map([
        [ADA, smsTextDigest('Hi Ada')],
        [BOB, smsTextDigest('Hi there')],
      ]),
    );
  });

  it.each([
    ['send_without', 'sent', 2],
    ['skip', 'failed', 1],
  ])('for whom no code is left: %s', async (policy, state, sent) => {
    await stage.ledger.run(`UPDATE applications SET promo_exhausted = $1`, [policy]);
    await addPromoCodes(['ONLY']);
    const key = await stage.ledger.addMessage({
      users: [ADA, BOB],
      acceptedAt: stage.clock.now(),
      content: 'code {{ promoCode }}',
    });
    await pass();
    expect(stage.sender.requests).toHaveLength(sent);
    const found = await stage.ledger.fallbacks(key.messageId);
    expect(found.map((fallback) => fallback.state).sort()).toEqual([state, 'sent'].sort());
    expect(found.filter(({ error_code: code }) => code === 'no_code')).toHaveLength(2 - sent);
  });

  it('fail for the user whose text cannot be made, and for nobody else', async () => {
    await stage.ledger.addUser(ADA, { n: 1_000_000 });
    const content = 'x{% for i in (1..user.n) %}{{ i }}{% endfor %}';
    const key = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.clock.now(), content });
    await pass();
    expect(texts()).toEqual({ [BOB]: 'x' });
    const [ada] = await stage.ledger.fallbacks(key.messageId);
    expect(ada).toMatchObject({ state: 'failed', error_code: 'template_failed', wake_at: null });
    expect(ada?.reason).toMatch(/fallback\.content/);
  });

  it('wait and are tried again when what they are made of cannot be read', async () => {
    const key = await stage.ledger.addMessage({
      users: [ADA],
      acceptedAt: stage.clock.now(),
      content: 'Hi {{ user.name }}!',
    });
    await stage.ledger.run('ALTER TABLE users RENAME TO users_away');
    await stage.ledger.run('CREATE VIEW users AS SELECT app_id, user_id, attributes FROM users_away');
    await pass();
    expect([stage.sender.requests, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'waiting' }]);
    await stage.ledger.run('DROP VIEW users');
    await stage.ledger.run('ALTER TABLE users_away RENAME TO users');
    await pass();
    expect(texts()).toEqual({ [ADA]: 'Hi !' });
  });

  it('are in the language of the user, else of the device that was used last, else the default', async () => {
    const CAT = '+14155550003';
    const DAN = '+14155550004';
    const speaks = async (userId: string, locale: string | null, agoHours: number): Promise<void> => {
      const id = await stage.ledger.addDevice(userId);
      await stage.ledger.run(
        `UPDATE installations SET locale = $1, launch_time = now() - $2 * interval '1 hour' WHERE id = $3`,
        [...[locale, agoHours], id],
      );
    };
    await stage.ledger.addUser(ADA, { locale: 'fa-IR', name: 'Ada' });
    await speaks(ADA, 'de', 1);
    await stage.ledger.addUser(BOB, { locale: 'fr' });
    await speaks(BOB, 'fa', 9);
    await speaks(BOB, 'de_AT', 2);
    await speaks(BOB, null, 1);
    await stage.ledger.addUser(CAT, { locale: 7 });
    const key = await stage.ledger.addMessage({
      users: [ADA, BOB, CAT, DAN],
      acceptedAt: stage.clock.now(),
      content: 'Hello',
    });
    const localized = {
      fa: { fallback: { content: 'سلام {{ user.name }}' } },
      de: { fallback: { content: 'Hallo' } },
      fr: {},
    };
    const setLanguages = (languages: object): Promise<unknown> =>
      stage.ledger.run(
        `UPDATE messages SET content = content || jsonb_build_object('localized', $2::jsonb) WHERE id = $1`,
        [key.messageId, JSON.stringify(languages)],
      );
    await setLanguages(localized);
    await pass();
    expect(texts()).toEqual({ [ADA]: 'سلام Ada', [BOB]: 'Hello', [CAT]: 'Hello', [DAN]: 'Hello' });

    const others = { fa: localized.fa, de: localized.de };
    stage.sender.requests.length = 0;
    const again = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.clock.now(), content: 'Hello' });
    key.messageId = again.messageId;
    await setLanguages(others);
    await pass();
    expect(texts()).toEqual({ [ADA]: 'سلام Ada', [BOB]: 'Hallo' });
  });
});
