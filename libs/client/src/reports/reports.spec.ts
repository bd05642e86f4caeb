import { testDevice } from '../testing/test-device';
import { Outbox } from './outbox';
import { Behaviour } from './reports';

describe('the name of a tracked event', () => {
  it('has up to 255 characters, as the service counts them', async () => {
    const { registrar, service, storage } = testDevice();
    await registrar.register();
    const outbox = new Outbox(service.api(), registrar, storage, 'shop');
    const behaviour = new Behaviour(registrar, outbox);
    await behaviour.track('\u{1f600}'.repeat(255));
    await outbox.flush();
    expect(service.events).toHaveLength(1);
    await expect(behaviour.track('x'.repeat(256))).rejects.toThrow(TypeError);
    outbox.close();
  });
});
