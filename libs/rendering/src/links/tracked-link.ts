import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MessageContent } from '@postrider/domain';

/** What a tracked link says about itself. */
export interface TrackedLink {
  appId: string;
  messageId: string;
  /** The installation that it was sent to. */
  installationId: string;
  /** Where it leads. */
  link: string;
}

const VERSION = 1;
const MAC_BYTES = 12;
const HEAD_BYTES = 1 + MAC_BYTES + 16 + 16 + 1;
const TOKEN = /^[A-Za-z0-9_-]{60,8000}$/;
/** What a person may follow from a message: everything else opens an app, and goes as it is. */
const WEB = /^https?:\/\//i;

/** The key of tracked links, from the key that all processes have. */
export function trackedLinkKey(secretKey: string): Buffer {
  return createHmac('sha256', secretKey).update('postrider/tracked-link/1').digest();
}

/**
 * A link as a token that holds all there is to know: following it needs no look-up, and nobody can make one that leads where no
 * message led.
 */
export function sealTrackedLink(key: Buffer, { appId, messageId, installationId, link }: TrackedLink): string {
  const app = Buffer.from(appId, 'utf8');
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = VERSION;
  head.write(messageId.replaceAll('-', ''), 1 + MAC_BYTES, 'hex');
  head.write(installationId.replaceAll('-', ''), 1 + MAC_BYTES + 16, 'hex');
  head[HEAD_BYTES - 1] = app.length;
  const sealed = Buffer.concat([head, app, Buffer.from(link, 'utf8')]);
  mac(key, sealed).copy(sealed, 1);
  return sealed.toString('base64url');
}

/** @returns null for whatever was not sealed with this key */
export function openTrackedLink(key: Buffer, token: string): TrackedLink | null {
  const sealed = TOKEN.test(token) ? Buffer.from(token, 'base64url') : Buffer.alloc(0);
  if (sealed.length <= HEAD_BYTES || sealed[0] !== VERSION) return null;
  if (!timingSafeEqual(mac(key, sealed), sealed.subarray(1, 1 + MAC_BYTES))) return null;
  const appEnd = HEAD_BYTES + (sealed[HEAD_BYTES - 1] ?? 0);
  return {
    appId: sealed.toString('utf8', HEAD_BYTES, appEnd),
    messageId: uuidAt(sealed, 1 + MAC_BYTES),
    installationId: uuidAt(sealed, 1 + MAC_BYTES + 16),
    link: sealed.toString('utf8', appEnd),
  };
}

function uuidAt(sealed: Buffer, place: number): string {
  const hex = sealed.toString('hex', place, place + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function mac(key: Buffer, sealed: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(sealed.subarray(0, 1))
    .update(sealed.subarray(1 + MAC_BYTES))
    .digest()
    .subarray(0, MAC_BYTES);
}

/** Makes the tracked links of one delivery. */
export interface LinkTracking {
  key: Buffer;
  /** The tracker's base address, without a slash at its end. */
  base: string;
}

/**
 * The content with its web links (`clickUrl`, actions' `url`) led past the tracker. Links of apps stay: the app opens them, and
 * reports it.
 */
export function trackLinks(
  content: MessageContent,
  { key, base }: LinkTracking,
  delivery: Omit<TrackedLink, 'link'>,
): MessageContent {
  const { notification } = content;
  if (notification === undefined) return content;
  const tracked = (link: string | undefined): string | undefined =>
    link !== undefined && WEB.test(link) ? `${base}/l/${sealTrackedLink(key, { ...delivery, link })}` : link;
  const actions = notification.actions?.map((action) => ({ ...action, url: tracked(action.url) }));
  return {
    ...content,
    notification: { ...notification, clickUrl: tracked(notification.clickUrl), ...(actions ? { actions } : {}) },
  };
}
