import { generateKeyPairSync } from 'node:crypto';
import type { VendorCredentialsRepository } from '@postrider/persistence';
import type { Config, Logger, SecretBox } from '@postrider/platform';
import { TestClock } from '@postrider/testing';
import { FcmSenders } from './fcm-senders.service';
import { LONGEST_VALIDATION_MS } from './validate-tokens';

const settings = {
  projectId: 'shop',
  clientEmail: 'a@shop.example',
  tokenUri: 'http://127.0.0.1:1/token',
  endpoint: 'http://127.0.0.1:1',
};

describe('the senders that ask FCM about tokens', () => {
  let senders: FcmSenders;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout'] });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const stored = { appId: 'shop', vendor: 'fcm', revision: '1', settings };
    senders = new FcmSenders(
      { find: () => Promise.resolve(stored) } as unknown as VendorCredentialsRepository,
      { open: () => ({ privateKey: pem }) } as unknown as SecretBox,
      { allowPrivateEndpoints: true, http2Client: 'own' } as Config,
      new TestClock(),
      {} as Logger,
    );
    senders.onModuleInit();
  });
  afterEach(async () => {
    await senders.onApplicationShutdown();
    jest.useRealTimers();
  });

  it('stay open while the tokens of one stretch may still be asked about', async () => {
    const sender = await senders.find('shop');
    const close = jest.spyOn(sender as NonNullable<typeof sender>, 'close');
    jest.advanceTimersByTime(LONGEST_VALIDATION_MS);
    expect([await senders.find('shop'), close.mock.calls.length]).toEqual([sender, 0]);
  });

  it('are closed when nobody asks for them any more', async () => {
    const sender = await senders.find('shop');
    const close = jest.spyOn(sender as NonNullable<typeof sender>, 'close');
    jest.advanceTimersByTime(600_000);
    expect(close).toHaveBeenCalledTimes(1);
    expect(await senders.find('shop')).not.toBe(sender);
  });
});
