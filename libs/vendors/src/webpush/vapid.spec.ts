import { DAY_MS, HOUR_MS, MINUTE_MS } from '@postrider/domain';
import { TestClock } from '@postrider/testing';
import { generateKeyPairSync } from 'node:crypto';
import { Vapid } from './vapid';

const ORIGIN = 'https://push.example';

describe('the authorization of Web Push requests', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  const point = ['04', ...[x, y].map((part) => Buffer.from(part, 'base64url').toString('hex'))].join('');
  const credentials = {
    subject: 'mailto:ops@example.com',
    publicKey: Buffer.from(point, 'hex').toString('base64url'),
    privateKey: d,
  };
  let clock: TestClock;
  let vapid: Vapid;

  beforeEach(() => {
    clock = new TestClock();
    vapid = new Vapid(credentials, clock);
  });

  /** For how long a push service would accept it from now on. */
  function lifeMs(authorization: string): number {
    const [, claims = ''] = authorization.split('.');
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
    return exp * 1_000 - clock.now().getTime();
  }

  it('is signed once in eleven hours', () => {
    const first = vapid.authorization(ORIGIN);
    clock.advance(11 * HOUR_MS - MINUTE_MS);
    expect(vapid.authorization(ORIGIN)).toBe(first);
    clock.advance(MINUTE_MS);
    expect(vapid.authorization(ORIGIN)).not.toBe(first);
  });

  it.each([
    ['was suspended for two days, in which its steady time stood still', -2 * DAY_MS],
    ['had its clock two days ahead', 2 * DAY_MS],
  ])('is signed anew on a machine that %s', (_what, setBackMs) => {
    vapid.authorization(ORIGIN);
    clock.setBack(setBackMs);
    const life = lifeMs(vapid.authorization(ORIGIN));
    expect(life).toBeGreaterThan(0);
    // RFC 8292 §2: a push service refuses more.
    expect(life).toBeLessThanOrEqual(DAY_MS);
  });
});
