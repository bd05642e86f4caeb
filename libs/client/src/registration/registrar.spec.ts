import { FakeService } from '../testing/fake-service';
import { testDevice } from '../testing/test-device';
import { newState, StateStore } from './installation-state';
import { Registrar } from './registrar';

describe('the registration of a device', () => {
  it('makes a guest, and keeps its id for the next start, which counts as a launch', async () => {
    const { service, storage, registrar } = testDevice();
    const { id, userId } = await registrar.register();
    expect(userId).toMatch(/^guest-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await registrar.register();
    const later = testDevice(service, storage);
    await later.registrar.register();
    expect(service.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST installations',
      `PUT installations/${id}`,
      `PUT installations/${id}`,
    ]);
    expect(service.calls.map(({ body }) => body.launchCount)).toEqual([1, 1, 2]);
    expect(service.calls[0]?.body).toMatchObject({
      appId: 'shop',
      isGuest: true,
      newInstall: true,
      clientVersion: '2.0',
    });
  });

  it('registers anew when the service does not know it, and says which one it was', async () => {
    const { service, registrar, told } = testDevice();
    await registrar.register();
    service.installations.clear();
    expect((await registrar.register()).id).toBe('id-2');
    expect(service.calls.at(-1)?.body.reregisteredFrom).toBe('id-1');
    expect(told).toEqual([
      ['id-1', true],
      ['id-2', true],
    ]);
  });

  it('keeps what it knew when a sign-in is refused', async () => {
    const { service, registrar } = testDevice();
    await registrar.register();
    service.failures.push(401);
    await expect(registrar.register({ userId: 'ada', isGuest: false })).rejects.toMatchObject({ status: 401 });
    expect((await registrar.registered()).isGuest).toBe(true);
    await registrar.register({ userId: 'ada', isGuest: false });
    expect(await registrar.registered()).toMatchObject({ userId: 'ada', isGuest: false, installationId: 'id-1' });
  });

  it.each([0, 401, 503])(
    'keeps a push token that the service could not be told of (%d), for the next start',
    async (status) => {
      const { service, storage, registrar } = testDevice();
      const token = { deviceToken: 'fcm-1', pushType: 'fcm', tokenStatus: 'ALLOWED' };
      service.failures.push(status);
      await expect(registrar.register(token)).rejects.toMatchObject({ status });
      await testDevice(service, storage).registrar.register();
      expect(service.installations.get('id-1')).toMatchObject(token);
    },
  );

  it('forgets a push token that the service calls wrong, so that later registrations succeed', async () => {
    const { service, storage, registrar } = testDevice();
    await registrar.register({ deviceToken: 'good', pushType: 'fcm' });
    service.failures.push(400);
    await expect(registrar.register({ deviceToken: 'bad', pushType: 'fcm' })).rejects.toMatchObject({ status: 400 });
    await testDevice(service, storage).registrar.register();
    expect(service.installations.get('id-1')).toMatchObject({ deviceToken: 'good' });
  });

  it('changes memberships by what the service says they are, and touches them in no other way', async () => {
    const { service, registrar } = testDevice();
    await registrar.register();
    Object.assign(service.installations.get('id-1') ?? {}, { subscriptions: ['private/by-the-backend'] });
    await registrar.register({}, (now) => [...now, 'public/sport']);
    expect((await registrar.registered()).channels).toEqual(['private/by-the-backend', 'public/sport']);
    await registrar.register();
    expect(service.calls.at(-1)?.body).not.toHaveProperty('subscriptions');
  });

  it('does a thing again, once, for an installation that was not known any more', async () => {
    const { service, registrar } = testDevice();
    await registrar.register();
    service.installations.clear();
    const read = (): Promise<string> =>
      registrar.with(async ({ installationId }) => {
        await service.api().call('GET', `installations/${installationId}`);
        return installationId;
      });
    expect(await read()).toBe('id-2');
    await expect(registrar.with(() => service.api().call('GET', 'installations/something-else'))).rejects.toMatchObject(
      { status: 404 },
    );
    expect(service.installations.size).toBe(1);
  });

  it('registers one device although several ask at once', async () => {
    const { service, registrar } = testDevice();
    await Promise.all([registrar.register(), registrar.register(), registrar.register()]);
    expect(service.installations.size).toBe(1);
  });

  it('lets a service worker register what the page found out, without counting a launch', async () => {
    const { service, storage, registrar } = testDevice();
    await registrar.register();
    const store = new StateStore(storage, 'shop', null);
    const worker = new Registrar(
      service.api(),
      store,
      { appId: 'shop', device: null },
      { registered: () => undefined },
    );
    await worker.register({ deviceToken: '{}', tokenStatus: 'ALLOWED' });
    expect(service.calls.at(-1)?.body).toMatchObject({ clientVersion: '2.0', launchCount: 1, deviceToken: '{}' });
  });

  it('tells how the page reached the service, and begins anew with a storage that holds nonsense', async () => {
    const { storage } = testDevice();
    const store = new StateStore(storage, 'shop', { url: 'https://push.example', token: 't' });
    await store.write(newState(0));
    expect(await new StateStore(storage, 'shop', null).readService()).toEqual({
      url: 'https://push.example',
      token: 't',
    });
    await storage.update('postrider:shop:installation', () => '[nonsense');
    expect(await store.read()).toBeNull();
    expect((await testDevice(new FakeService(), storage).registrar.register()).id).toBe('id-1');
  });
});
