// The parts of the packages of Capacitor that the example uses, so that it is checked without them. In an application that has the
// packages, leave this file out.

declare module '@capacitor/core' {
  export interface PluginListenerHandle {
    remove: () => Promise<void>;
  }
  export const Capacitor: { getPlatform(): string };
}

declare module '@capacitor/app' {
  import type { PluginListenerHandle } from '@capacitor/core';
  export const App: {
    addListener(
      event: 'appStateChange',
      listener: (state: { isActive: boolean }) => void,
    ): Promise<PluginListenerHandle>;
  };
}

declare module '@capacitor/preferences' {
  export const Preferences: {
    get(options: { key: string }): Promise<{ value: string | null }>;
    set(options: { key: string; value: string }): Promise<void>;
    remove(options: { key: string }): Promise<void>;
  };
}

declare module '@capacitor/push-notifications' {
  import type { PluginListenerHandle } from '@capacitor/core';
  export interface PushNotificationSchema {
    data: unknown;
  }
  export const PushNotifications: {
    requestPermissions(): Promise<{ receive: 'prompt' | 'prompt-with-rationale' | 'granted' | 'denied' }>;
    register(): Promise<void>;
    addListener(event: 'registration', listener: (token: { value: string }) => void): Promise<PluginListenerHandle>;
    addListener(
      event: 'registrationError',
      listener: (error: { error: string }) => void,
    ): Promise<PluginListenerHandle>;
    addListener(
      event: 'pushNotificationActionPerformed',
      listener: (action: { actionId: string; notification: PushNotificationSchema }) => void,
    ): Promise<PluginListenerHandle>;
  };
}
