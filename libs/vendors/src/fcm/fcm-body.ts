import type { FcmPayload, JsonObject, JsonValue } from '@postrider/domain';

/** A request body cut where token and remaining life go in. */
interface FcmTemplate {
  afterToken: string;
  afterTtl: string;
  /** Null when the payload has no `apns` block. */
  afterApnsExpiration: string | null;
  /** Null when the payload has no `webpush` block. */
  afterWebPushTtl: string | null;
}

const templates = new WeakMap<FcmPayload, FcmTemplate>();

/**
 * The JSON of one `messages:send`. A payload is serialised once, whatever the number of its devices; token,
 * `android.ttl`, `apns-expiration` and Web Push's `TTL` are put in for each.
 */
export function fcmBody(payload: FcmPayload, token: string, ttlSeconds: number, expiresAt: Date): string {
  let template = templates.get(payload);
  if (!template) templates.set(payload, (template = cut(payload.message)));
  const { afterToken, afterTtl, afterApnsExpiration, afterWebPushTtl } = template;
  let body = `{"message":{"token":${JSON.stringify(token)}${afterToken}${ttlSeconds}${afterTtl}`;
  if (afterApnsExpiration !== null) {
    body += `${ttlSeconds === 0 ? 0 : Math.floor(expiresAt.getTime() / 1_000)}${afterApnsExpiration}`;
  }
  if (afterWebPushTtl !== null) body += `${ttlSeconds}${afterWebPushTtl}`;
  return body;
}

/** The blocks stand in the order android, apns, webpush; the rest of the message ends the body. */
function cut(message: JsonObject): FcmTemplate {
  const { android, apns, webpush, ...others } = message;
  const end = `${members(without(others, 'token'))}}}`;
  const webPushCut = block(webpush, 'webpush', 'TTL');
  const apnsCut = block(apns, 'apns', 'apns-expiration');
  const afterApns = webPushCut?.before ?? end;
  return {
    afterToken: ',"android":{"ttl":"',
    afterTtl: `s"${members(without(objectOf(android), 'ttl'))}}${apnsCut?.before ?? afterApns}`,
    afterApnsExpiration: apnsCut && apnsCut.after + afterApns,
    afterWebPushTtl: webPushCut && webPushCut.after + end,
  };
}

/** A platform's block, cut inside `headers` at the value of `header`. */
function block(value: JsonValue | undefined, name: string, header: string): { before: string; after: string } | null {
  if (value === undefined) return null;
  const { headers, ...rest } = objectOf(value);
  return {
    before: `,"${name}":{"headers":{"${header}":"`,
    after: `"${members(without(objectOf(headers), header))}}${members(rest)}}`,
  };
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: removed, ...rest } = object;
  return removed === undefined ? object : rest;
}

/** The members of an object as they stand behind another one: `,"a":1,"b":2`. */
function members(object: JsonObject): string {
  const text = JSON.stringify(object);
  return text === '{}' ? '' : `,${text.slice(1, -1)}`;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
