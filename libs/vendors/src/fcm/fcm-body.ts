import {
  type FcmPayload,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PayloadFilling,
  TextWithGaps,
} from '@postrider/domain';

/** A request body cut where token and remaining life go in. */
interface FcmTemplate<Text = string> {
  afterToken: string;
  afterTtl: Text;
  /** Null when the payload has no `apns` block. */
  afterApnsExpiration: Text | null;
  /** Null when the payload has no `webpush` block. */
  afterWebPushTtl: Text | null;
}

const templates = new WeakMap<FcmPayload, FcmTemplate>();
const templatesWithGaps = new WeakMap<FcmPayload, FcmTemplate<TextWithGaps>>();

/**
 * Returns the JSON of one `messages:send`. A payload is serialised once, whatever the number of its devices; token,
 * `android.ttl`, `apns-expiration` and Web Push's `TTL` are put in for each.
 */
export function fcmBody(payload: FcmPayload, token: string, ttlSeconds: number, expiresAt: Date): string {
  const { afterToken, afterTtl, afterApnsExpiration, afterWebPushTtl } = templateOf(payload);
  let body = `{"message":{"token":${JSON.stringify(token)}${afterToken}${ttlSeconds}${afterTtl}`;
  if (afterApnsExpiration !== null) {
    body += `${ttlSeconds === 0 ? 0 : Math.floor(expiresAt.getTime() / 1_000)}${afterApnsExpiration}`;
  }
  if (afterWebPushTtl !== null) body += `${ttlSeconds}${afterWebPushTtl}`;
  return body;
}

function templateOf(payload: FcmPayload): FcmTemplate {
  if (payload.filling !== undefined) return filled(payload.filling);
  if (payload.isForOne) return cut(payload.message);
  let template = templates.get(payload);
  if (!template) templates.set(payload, (template = cut(payload.message)));
  return template;
}

/** The common part of payloads of one shape is serialised once, too. */
function filled({ shape, nonce, values }: PayloadFilling<FcmPayload>): FcmTemplate {
  let template = templatesWithGaps.get(shape);
  if (!template) templatesWithGaps.set(shape, (template = withGaps(cut(shape.message), nonce)));
  return {
    afterToken: template.afterToken,
    afterTtl: template.afterTtl.fill(values),
    afterApnsExpiration: template.afterApnsExpiration && template.afterApnsExpiration.fill(values),
    afterWebPushTtl: template.afterWebPushTtl && template.afterWebPushTtl.fill(values),
  };
}

function withGaps(template: FcmTemplate, nonce: string): FcmTemplate<TextWithGaps> {
  const { afterToken, afterTtl, afterApnsExpiration, afterWebPushTtl } = template;
  const textWithGaps = (text: string): TextWithGaps => new TextWithGaps(text, nonce);
  return {
    afterToken,
    afterTtl: textWithGaps(afterTtl),
    afterApnsExpiration: afterApnsExpiration === null ? null : textWithGaps(afterApnsExpiration),
    afterWebPushTtl: afterWebPushTtl === null ? null : textWithGaps(afterWebPushTtl),
  };
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
  if (object[name] === undefined) return object;
  const rest = { ...object };
  Reflect.deleteProperty(rest, name);
  return rest;
}

/** The members of an object as they stand behind another one: `,"a":1,"b":2`. */
function members(object: JsonObject): string {
  const text = JSON.stringify(object);
  return text === '{}' ? '' : `,${text.slice(1, -1)}`;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
