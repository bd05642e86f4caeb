import { App } from '@capacitor/app';
import { Capacitor } from '@capacitor/core';
import { Preferences } from '@capacitor/preferences';
import { PushNotifications } from '@capacitor/push-notifications';
import {
  asyncStorageOf,
  type AsyncTextStorage,
  type ClientOptions,
  createClient,
  type PostriderClient,
} from '@postrider/client';

/** The operating system may clear what a web view stores; it keeps the preferences of an application. */
const preferences: AsyncTextStorage = {
  getItem: async (key) => (await Preferences.get({ key })).value,
  setItem: (key, value) => Preferences.set({ key, value }),
  removeItem: (key) => Preferences.remove({ key }),
};

/**
 * Starts push in a Capacitor application. Call it once, when the application starts.
 *
 * @param options the address of the service, the application and its token (scope `devices`)
 */
export async function startPush(options: Pick<ClientOptions, 'url' | 'appId' | 'token' | 'connectionUrl'>): Promise<{
  client: PostriderClient;
  stop: () => Promise<void>;
}> {
  const platform = Capacitor.getPlatform(); // 'android', 'ios' or 'web'
  const client = createClient({ ...options, storage: asyncStorageOf(preferences), device: { deviceType: platform } });
  // Without a network the service cannot be told of this device. Then it is told when the connection is there.
  let untold: (() => Promise<unknown>) | null = null;
  const tell = async (registration: () => Promise<unknown>): Promise<void> => {
    untold = registration;
    await registration().then(() => {
      if (untold === registration) untold = null;
    }, console.warn);
  };
  const stopTelling = client.on('connected', () => {
    if (untold !== null) void tell(untold);
  });
  await tell(() => client.register());

  const listeners = [
    // Android gives a token of FCM, iOS one of APNs.
    await PushNotifications.addListener('registration', ({ value }) => {
      const pushType = platform === 'ios' ? 'apns' : 'fcm';
      void tell(() => client.setPushToken({ pushType, token: value }));
    }),
    await PushNotifications.addListener('registrationError', () => {
      void tell(() => client.setPushToken(null, 'ERR'));
    }),
    // A tapped notification, also the one that started the application. Postrider's `mid` names the message.
    await PushNotifications.addListener('pushNotificationActionPerformed', ({ notification }) => {
      const { mid } = notification.data as { mid?: unknown };
      if (typeof mid === 'string') void client.receipts.opened({ id: mid }).catch(console.warn);
    }),
    // The connection lives while the application is open; behind that, messages come by push.
    await App.addListener('appStateChange', ({ isActive }) => {
      if (isActive) {
        client.connect();
        client.wake();
      } else void client.disconnect();
    }),
  ];
  client.connect();

  const { receive } = await PushNotifications.requestPermissions();
  if (receive === 'granted') await PushNotifications.register();
  else await tell(() => client.setPushToken(null, 'DENIED'));
  return {
    client,
    stop: async () => {
      stopTelling();
      await Promise.all(listeners.map((listener) => listener.remove()));
      await client.close();
    },
  };
}
