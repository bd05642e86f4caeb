import { type MessageContent, withoutTrailing } from '@postrider/domain';
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The content of a tracked link. */
interface TrackedLink {
  appId: string;
  messageId: string;
  /** The installation that it was sent to. */
  installationId: string;
  /** Its target. */
  link: string;
}

/** The keys that make and open tracked links, derived from the key that all processes have. */
export interface TrackedLinkKey {
  /** AES-256-GCM. */
  sealing: KeyObject;
  /** HMAC-SHA256 of links that were made before links were sealed. */
  signing: KeyObject;
}

const SEALED = 2;
const SIGNED = 1;
const NONCE_BYTES = 12;
/** The shortest tag that NIST SP 800-38D allows in general (§5.2.1.2), because it is in every payload. */
const TAG_BYTES = 12;
const BODY_AT = 1 + NONCE_BYTES + TAG_BYTES;
const SIGNED_BODY_AT = 1 + 12;
const CIPHER = 'aes-256-gcm';
/** A longer address is refused by servers on the way, and is no token for us. */
const MOST_CHARACTERS = 8_000;
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{60,${MOST_CHARACTERS}}$`);
/** Links that can be tracked. All others open an app, and do not change. */
const WEB = /^https?:\/\//i;

/** The keys of tracked links, derived from the key that all processes have. */
export function trackedLinkKey(secretKey: string): TrackedLinkKey {
  const derived = (purpose: string): KeyObject =>
    createSecretKey(createHmac('sha256', secretKey).update(purpose).digest());
  return { sealing: derived('postrider/tracked-link/2'), signing: derived('postrider/tracked-link/1') };
}

/** Random bytes for the next links: one call of the generator for many links. */
let nonces = Buffer.alloc(0);
let noncesUsed = 0;

function newNonce(): Buffer {
  if (noncesUsed + NONCE_BYTES > nonces.length) {
    nonces = randomBytes(NONCE_BYTES * 512);
    noncesUsed = 0;
  }
  noncesUsed += NONCE_BYTES;
  return nonces.subarray(noncesUsed - NONCE_BYTES, noncesUsed);
}

/**
 * A link as a token that contains everything, so that following it needs no lookup. Nobody else can read it, because an
 * installation's id counts as its device's secret, or make a token for a link that no message contains.
 */
export function sealTrackedLink({ sealing }: TrackedLinkKey, link: TrackedLink): string {
  const { appId, messageId, installationId } = link;
  const app = Buffer.byteLength(appId);
  const place = Buffer.byteLength(link.link);
  const body = Buffer.allocUnsafe(33 + app + place);
  body.write(messageId.replaceAll('-', ''), 0, 'hex');
  body.write(installationId.replaceAll('-', ''), 16, 'hex');
  body[32] = app;
  body.write(appId, 33, 'utf8');
  body.write(link.link, 33 + app, 'utf8');
  const nonce = newNonce();
  const cipher = createCipheriv(CIPHER, sealing, nonce, { authTagLength: TAG_BYTES });
  const sealed = cipher.update(body);
  cipher.final();
  return Buffer.concat([Buffer.of(SEALED), nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * Opens tokens that any of `keys` sealed, and tokens that an earlier version signed: such a link still works, and shows
 * what it always showed.
 *
 * @returns null for any other text
 */
export function openTrackedLink(keys: readonly TrackedLinkKey[], token: string): TrackedLink | null {
  const bytes = TOKEN.test(token) ? Buffer.from(token, 'base64url') : Buffer.alloc(0);
  const open = bytes[0] === SEALED ? openSealed : bytes[0] === SIGNED ? openSigned : null;
  for (const key of open ? keys : []) {
    const body = open?.(key, bytes);
    if (body) return readBody(body);
  }
  return null;
}

function openSealed({ sealing }: TrackedLinkKey, token: Buffer): Buffer | null {
  const nonce = token.subarray(1, 1 + NONCE_BYTES);
  const cipher = createDecipheriv(CIPHER, sealing, nonce, { authTagLength: TAG_BYTES });
  cipher.setAuthTag(token.subarray(1 + NONCE_BYTES, BODY_AT));
  const body = cipher.update(token.subarray(BODY_AT));
  try {
    cipher.final();
    return body;
  } catch {
    return null;
  }
}

/** Version 1: a readable body behind 12 bytes of its HMAC. */
function openSigned({ signing }: TrackedLinkKey, token: Buffer): Buffer | null {
  const body = token.subarray(SIGNED_BODY_AT);
  const mac = createHmac('sha256', signing).update(token.subarray(0, 1)).update(body).digest();
  return timingSafeEqual(mac.subarray(0, 12), token.subarray(1, SIGNED_BODY_AT)) ? body : null;
}

function readBody(body: Buffer): TrackedLink {
  const appEnd = 33 + (body[32] ?? 0);
  return {
    appId: body.toString('utf8', 33, appEnd),
    messageId: uuidAt(body, 0),
    installationId: uuidAt(body, 16),
    link: body.toString('utf8', appEnd),
  };
}

function uuidAt(body: Buffer, place: number): string {
  const hex = body.toString('hex', place, place + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Makes the tracked links of one delivery. */
interface LinkTracking {
  key: TrackedLinkKey;
  /** The tracker's base address, without a slash at its end. */
  base: string;
}

/**
 * The content with its web links (`clickUrl`, actions' `url`) led through the tracker. Links of apps do not change: the
 * app opens them, and reports it. Nor do links that are too long for a token.
 */
export function trackLinks(
  content: MessageContent,
  { key, base }: LinkTracking,
  delivery: Omit<TrackedLink, 'link'>,
): MessageContent {
  const { notification } = content;
  if (notification === undefined) return content;
  const tracked = (link: string | undefined): string | undefined => {
    if (link === undefined || !WEB.test(link)) return link;
    const token = sealTrackedLink(key, { ...delivery, link });
    return token.length > MOST_CHARACTERS ? link : `${base}/l/${token}`;
  };
  const actions = notification.actions?.map((action) => ({ ...action, url: tracked(action.url) }));
  return {
    ...content,
    notification: { ...notification, clickUrl: tracked(notification.clickUrl), ...(actions ? { actions } : {}) },
  };
}

/** The base addresses of tracked links, and the key of all processes. */
interface LinkTrackingSettings {
  secretKey: { reveal(): string };
  trackerUrl: string | undefined;
  publicUrl: string | undefined;
}

/** The content, common or rendered for one person, with its web links led through the tracker for one installation. */
export type TrackedContent = (content: MessageContent, installationId: string) => MessageContent;

/** Makes the tracked links of messages that ask for them (`trackLinks`). */
export class LinkTracker {
  readonly #key: TrackedLinkKey;
  readonly #base: string | undefined;

  constructor({ secretKey, trackerUrl, publicUrl }: LinkTrackingSettings) {
    this.#key = trackedLinkKey(secretKey.reveal());
    if (trackerUrl !== undefined) this.#base = withoutTrailing(trackerUrl, '/');
    else if (publicUrl !== undefined) this.#base = `${withoutTrailing(publicUrl, '/')}/t`;
  }

  /**
   * Returns what makes the tracked links of a message for each device. Null if all devices get the same links: the
   * message does not ask for tracking, has no web link, or the address of the tracker is not known.
   */
  trackingOf(
    appId: string,
    { id: messageId, content }: { id: string; content: MessageContent },
  ): TrackedContent | null {
    const tracking = content.trackLinks === true && hasWebLink(content) ? this.#trackingOf(content) : null;
    if (tracking === null) return null;
    return (own, installationId) => trackLinks(own, tracking, { appId, messageId, installationId });
  }

  #trackingOf({ linkBase }: MessageContent): LinkTracking | null {
    const base = this.#base ?? linkBase;
    return base === undefined ? null : { key: this.#key, base };
  }
}

/** A template may become one. */
function hasWebLink({ notification }: MessageContent): boolean {
  const links = [notification?.clickUrl, ...(notification?.actions?.map(({ url }) => url) ?? [])];
  return links.some((link) => link !== undefined && (/^https?:\/\//i.test(link) || link.includes('{')));
}
