import type { ClientMessage, MessageNotification } from '../messages/client-message';
import type { SeenMessages } from '../messages/message-receiver';
import type { Receipts } from '../reports/reports';
import type { PageGlobals } from './browser';
import { untilActive } from './subscribe';
import { isJsonObject, type JsonObject } from '../json';

/** Shows messages as notifications of the system, from a page. */
export class Notifications {
  constructor(
    private readonly shown: SeenMessages,
    private readonly receipts: Receipts,
    private readonly globals: PageGlobals = globalThis as PageGlobals,
  ) {}

  /**
   * Shows a message, and reports that. It takes a service worker and the person's permission. What is said in clicks on it the
   * service worker reports. Where nothing can be stored, it shows the message all the same, and reports nothing.
   *
   * @returns false when nothing was shown: nothing is to be shown, it was shown before, or it is not allowed
   */
  async show(message: ClientMessage): Promise<boolean> {
    const { notification } = message;
    if (message.silent || notification === null || this.globals.Notification?.permission !== 'granted') return false;
    const registration = await this.globals.navigator?.serviceWorker?.getRegistration();
    // A storage that fails may let a notification be shown twice, which has the same tag. It must not keep it from the person.
    if (!registration || (await this.shown.has(message.id).catch(() => false))) return false;
    await untilActive(registration);
    await registration.showNotification(notification.title, notificationOptions(message, notification));
    await this.shown.add(message.id).catch(() => false);
    // Who the device belongs to is not known, or the report cannot wait: the notification is shown all the same.
    if (notification.notifDelivery) await this.receipts.shown(message).catch(() => undefined);
    return true;
  }
}

/** A browser shows two or three. */
const MOST_ACTIONS = 5;
const PICTURE = /^(?:https?:\/\/|\/(?!\/))/i;

/** The facts that a notification keeps about its message, until a click. */
export interface NotificationMemory {
  messageId: string;
  trackId: string | null;
  clickUrl: string | null;
  /** The targets of buttons, by their ids. */
  links: Record<string, string>;
  notifDelivery: boolean;
  data: ClientMessage['data'];
}

/**
 * The options of `showNotification`. Texts are handed over as they are: browsers show them as text, never as markup. Names of
 * pictures that only a phone knows are left out. The same message shown twice is one notification.
 */
export function notificationOptions(message: ClientMessage, notification: MessageNotification): object {
  const fields = { ...notification.extra, ...notification.fields };
  const isQuiet = fields.silent === true;
  return {
    body: notification.body,
    tag: notification.tag ?? message.id,
    ...picture('icon', notification.icon),
    ...picture('badge', notification.badge),
    ...picture('image', notification.image),
    ...(fields.dir === 'rtl' || fields.dir === 'ltr' ? { dir: fields.dir } : {}),
    ...(typeof fields.lang === 'string' ? { lang: fields.lang } : {}),
    ...(isQuiet ? { silent: true } : vibration(fields)),
    requireInteraction: fields.requireInteraction === true,
    renotify: fields.renotify === true,
    actions: notification.actions.slice(0, MOST_ACTIONS).map(({ id, title, icon }) => ({
      action: id,
      title,
      ...picture('icon', typeof icon === 'string' ? icon : null),
    })),
    ...(message.createdAt === null ? {} : { timestamp: message.createdAt.getTime() }),
    data: { postrider: memoryOf(message, notification) },
  };
}

/** Returns the facts that a notification keeps. @returns null for one that is not ours */
export function readMemory(data: unknown): NotificationMemory | null {
  if (!isJsonObject(data) || !isJsonObject(data.postrider)) return null;
  return data.postrider as unknown as NotificationMemory;
}

function memoryOf({ id, trackId, data }: ClientMessage, notification: MessageNotification): NotificationMemory {
  const links = notification.actions.flatMap((action) =>
    typeof action.url === 'string' ? [[action.id, action.url] as const] : [],
  );
  return {
    messageId: id,
    trackId,
    clickUrl: notification.clickUrl,
    links: Object.fromEntries(links),
    notifDelivery: notification.notifDelivery,
    data,
  };
}

function picture(name: string, url: string | null): Record<string, string> {
  return url !== null && PICTURE.test(url) ? { [name]: url } : {};
}

function vibration({ vibrate }: JsonObject): { vibrate?: number[] } {
  return Array.isArray(vibrate) && vibrate.every((part) => typeof part === 'number') ? { vibrate } : {};
}

/**
 * The address of a link that may be opened in a browser: `http` and `https` alone, so that nothing that comes in a message runs
 * (`javascript:`), reads something (`file:`, `data:`) or starts another application without being asked.
 *
 * @param base what a relative link is relative to
 * @returns null for any other
 */
export function safeLink(link: string | null, base: string): string | null {
  if (link === null || !URL.canParse(link, base)) return null;
  const { protocol, href } = new URL(link, base);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
