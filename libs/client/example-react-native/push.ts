import AsyncStorage from '@react-native-async-storage/async-storage';
import {
  AuthorizationStatus,
  getInitialNotification,
  getMessaging,
  getToken,
  onNotificationOpenedApp,
  onTokenRefresh,
  requestPermission,
  type Messaging,
} from '@react-native-firebase/messaging';
import { AppState, PermissionsAndroid, Platform } from 'react-native';
import { asyncStorageOf, type ClientOptions, createClient, type PostriderClient } from '@postrider/client';

/** The part of a notification that FCM hands over: Postrider's `mid` names the message. */
type Opened = { data?: Record<string, unknown> } | null;

/**
 * Starts push in a React Native application. Call it once, when the application starts.
 *
 * @param options the address of the service, the application and its token (scope `devices`)
 */
export async function startPush(options: Pick<ClientOptions, 'url' | 'appId' | 'token' | 'connectionUrl'>): Promise<{
  client: PostriderClient;
  stop: () => Promise<void>;
}> {
  const client = createClient({
    ...options,
    storage: asyncStorageOf(AsyncStorage),
    device: { deviceType: Platform.OS, osVersion: String(Platform.Version) },
  });
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

  // The token of this installation, on iOS too: Firebase hands on to APNs.
  const messaging = getMessaging();
  const setToken = (token: string): Promise<unknown> => client.setPushToken({ pushType: 'fcm', token });
  const isAllowed = await askPermission(messaging);
  if (isAllowed) await tell(async () => setToken(await getToken(messaging)));
  else await tell(() => client.setPushToken(null, 'DENIED'));
  // Firebase gives tokens without the permission, too.
  const stopTokens = onTokenRefresh(messaging, (token) => {
    if (isAllowed) void tell(() => setToken(token));
  });

  // A tapped notification: while the application was in the background, and the one that started it.
  const opened = (message: Opened): void => {
    const mid = message?.data?.mid;
    if (typeof mid === 'string') void client.receipts.opened({ id: mid }).catch(console.warn);
  };
  const stopOpened = onNotificationOpenedApp(messaging, opened);
  opened(await getInitialNotification(messaging));

  // The connection lives while the application is open; behind that, messages come by FCM.
  client.connect();
  const watching = AppState.addEventListener('change', (state) => {
    if (state === 'active') {
      client.connect();
      client.wake();
    } else if (state === 'background') void client.disconnect();
  });
  return {
    client,
    stop: async () => {
      stopTelling();
      stopTokens();
      stopOpened();
      watching.remove();
      await client.close();
    },
  };
}

/** Resolves to false if the person does not allow notifications. */
async function askPermission(messaging: Messaging): Promise<boolean> {
  if (Platform.OS !== 'android') return (await requestPermission(messaging)) !== AuthorizationStatus.DENIED;
  // Firebase asks on iOS only. Android asks since version 13 (API level 33); before, notifications are allowed.
  if (Number(Platform.Version) < 33) return true;
  const { PERMISSIONS, RESULTS } = PermissionsAndroid;
  return (await PermissionsAndroid.request(PERMISSIONS.POST_NOTIFICATIONS)) === RESULTS.GRANTED;
}
