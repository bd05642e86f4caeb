import type { ClientMessage } from '../messages/client-message';

/** An event of a notification. */
export interface NotificationEvent {
  action: 'shown' | 'opened' | 'dismissed' | 'action';
  messageId: string;
  trackId: string | null;
  /** The id of the button that was pressed, for the action `action`. */
  actionId: string | null;
  /** The link of the notification or of its button. */
  link: string | null;
}

/** An event between pages and the service worker of one origin. */
export type BusEvent =
  | { kind: 'message'; message: ClientMessage; via: 'connection' | 'push' }
  | { kind: 'notification'; event: NotificationEvent }
  /** The installation changed its user or its id. */
  | { kind: 'identity' };

/** The part of the browser's `BroadcastChannel` that is used. */
interface Channel {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(what: unknown): void;
  close(): void;
}

/** Sends events to the other pages of this origin and to its service worker. The sender does not receive them. */
export interface Bus {
  post(event: BusEvent): void;
  /** @param listener takes the place of the one before */
  listen(listener: (event: BusEvent) => void): void;
  close(): void;
}

/** Makes the bus of an application. Outside a browser it has no listeners. */
export function openBus(appId: string): Bus {
  const globals = globalThis as unknown as { BroadcastChannel?: new (name: string) => Channel; location?: object };
  if (!globals.BroadcastChannel || !globals.location) return { post: ignore, listen: ignore, close: ignore };
  let channel: Channel;
  try {
    channel = new globals.BroadcastChannel(`postrider:${appId}`);
  } catch {
    // Some browsers deny it to a page that may store nothing, which shares nothing with others.
    return { post: ignore, listen: ignore, close: ignore };
  }
  let isClosed = false;
  return {
    // A registration may end after its client was closed, and a closed channel throws.
    post: (event) => {
      if (!isClosed) channel.postMessage(event);
    },
    listen: (listener) => (channel.onmessage = ({ data }) => listener(data as BusEvent)),
    close: () => {
      isClosed = true;
      channel.close();
    },
  };
}

function ignore(): void {
  // There are no listeners.
}
