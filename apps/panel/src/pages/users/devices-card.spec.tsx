import { sayReachability } from './devices-card';

describe('a device', () => {
  const device = { reachedBy: null, unreachableReason: 'token_invalid', tokenStatus: null, pushType: 'fcm' };
  it.each([
    [{ ...device, reachedBy: 'fcm' as const }, true, 'by FCM'],
    [{ ...device, tokenStatus: 'DENIED' }, false, 'does not allow'],
    [{ ...device, tokenStatus: 'DENIED', reachedBy: 'connection' as const }, true, 'own connection'],
    [{ ...device, unreachableReason: 'no_token' }, false, 'no token'],
    [{ ...device, tokenStatus: 'NOT_SUPPORTED_BROWSER' }, false, 'does not support'],
    [{ ...device, unreachableReason: 'vendor_not_configured', pushType: 'hms' }, false, 'waits for Huawei'],
    [{ ...device, unreachableReason: 'user_not_proved' }, false, 'not proved its user'],
  ])('%# can be reached or not, and says why', (facts, isReachable, words) => {
    const said = sayReachability(facts);
    expect(said.isReachable).toBe(isReachable);
    expect(said.why).toContain(words);
  });
});
