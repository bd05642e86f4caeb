import type { NotificationEvent } from './events/bus';
import type { ClientMessage } from './messages/client-message';
import type { DeferredDeepLink, Installation } from './registration/installation';
import type { PostriderError } from './rest/postrider-error';

/** What a client tells the application. */
export interface ClientEvents {
  /** A message came: each once, over the connection or by push, in every open page. */
  message: ClientMessage;
  /** Somebody did something with a notification. Where it leads into another application, the page may follow `link`. */
  notification: NotificationEvent;
  registered: Installation;
  /** A link was clicked before the application was there. */
  deepLink: DeferredDeepLink;
  /** The device is connected, and subscribed. */
  connected: { userId: string; installationId: string };
  /** The connection ended or did not come about. `retryInMs` null: it is not tried again until `connect()`. */
  disconnected: { reason: string; retryInMs: number | null };
  /** Something went wrong that no call of the application's hears of. */
  error: PostriderError;
}
