// The parts of the packages of React Native that the example uses, so that it is checked without them. In an application that has the
// packages, leave this file out.

declare module '@react-native-async-storage/async-storage' {
  const storage: {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default storage;
}

declare module '@react-native-firebase/messaging' {
  export interface Messaging {
    readonly app: object;
  }
  export interface RemoteMessage {
    data?: { [key: string]: string | object };
  }
  export const AuthorizationStatus: { readonly NOT_DETERMINED: -1; readonly DENIED: 0; readonly AUTHORIZED: 1 };
  export function getMessaging(): Messaging;
  export function requestPermission(messaging: Messaging): Promise<number>;
  export function getToken(messaging: Messaging): Promise<string>;
  export function onTokenRefresh(messaging: Messaging, listener: (token: string) => void): () => void;
  export function onNotificationOpenedApp(messaging: Messaging, listener: (message: RemoteMessage) => void): () => void;
  export function getInitialNotification(messaging: Messaging): Promise<RemoteMessage | null>;
}

declare module 'react-native' {
  export const Platform: { OS: 'android' | 'ios' | 'web' | 'windows' | 'macos'; Version: string | number };
  export const PermissionsAndroid: {
    readonly PERMISSIONS: { readonly POST_NOTIFICATIONS: 'android.permission.POST_NOTIFICATIONS' };
    readonly RESULTS: {
      readonly GRANTED: 'granted';
      readonly DENIED: 'denied';
      readonly NEVER_ASK_AGAIN: 'never_ask_again';
    };
    request(permission: 'android.permission.POST_NOTIFICATIONS'): Promise<'granted' | 'denied' | 'never_ask_again'>;
  };
  export const AppState: {
    addEventListener(
      type: 'change',
      listener: (state: 'active' | 'background' | 'inactive' | 'unknown' | 'extension') => void,
    ): { remove(): void };
  };
}

// The globals of a browser that React Native has and that the client's types name.
declare const console: { warn(...what: unknown[]): void };
interface AbortSignal {
  readonly aborted: boolean;
}
