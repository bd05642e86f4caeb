import type { IncomingHttpHeaders } from 'node:http';
import { isUuid } from '@postrider/domain';
import type { ApnsReason } from './apns-answers';

const MAX_PAYLOAD_BYTES = 4_096;
const MAX_VOIP_PAYLOAD_BYTES = 5_120;
const MAX_COLLAPSE_ID_BYTES = 64;
const PUSH_TYPES = new Set([
  'alert',
  'background',
  'complication',
  'controls',
  'fileprovider',
  'liveactivity',
  'location',
  'mdm',
  'pushtotalk',
  'voip',
  'widgets',
]);
const TOPIC_SUFFIX: Record<string, string> = {
  complication: '.complication',
  controls: '.push-type.controls',
  fileprovider: '.pushkit.fileprovider',
  liveactivity: '.push-type.liveactivity',
  location: '.location-query',
  pushtotalk: '.voip-ptt',
  voip: '.voip',
  widgets: '.push-type.widgets',
};
/** Finds what APNs would refuse in a request's headers, in the order in which it looks. */
export function headerProblem(headers: IncomingHttpHeaders, bundleId: string): ApnsReason | undefined {
  const pushType = one(headers['apns-push-type']);
  if (!isUuidOrAbsent(one(headers['apns-id']))) return 'BadMessageId';
  if (pushType !== undefined && !PUSH_TYPES.has(pushType)) return 'InvalidPushType';
  return (
    topicProblem(one(headers['apns-topic']), pushType, bundleId) ??
    priorityProblem(one(headers['apns-priority']), pushType) ??
    expirationProblem(one(headers['apns-expiration'])) ??
    collapseProblem(one(headers['apns-collapse-id']))
  );
}

/** Finds what APNs would refuse in a payload, before anybody has parsed it. */
export function sizeProblem(bytes: number, headers: IncomingHttpHeaders): ApnsReason | undefined {
  if (bytes === 0) return 'PayloadEmpty';
  const limit = headers['apns-push-type'] === 'voip' ? MAX_VOIP_PAYLOAD_BYTES : MAX_PAYLOAD_BYTES;
  return bytes > limit ? 'PayloadTooLarge' : undefined;
}

function isUuidOrAbsent(id: string | undefined): boolean {
  return id === undefined || isUuid(id);
}

function topicProblem(
  topic: string | undefined,
  pushType: string | undefined,
  bundleId: string,
): ApnsReason | undefined {
  if (topic === undefined) return 'MissingTopic';
  const wanted = bundleId + (TOPIC_SUFFIX[pushType ?? 'alert'] ?? '');
  if (topic === wanted) return undefined;
  // The right application with a wrong suffix is a bad topic. For another application this key may not send.
  return topic === bundleId || topic.startsWith(`${bundleId}.`) ? 'BadTopic' : 'TopicDisallowed';
}

function priorityProblem(priority: string | undefined, pushType: string | undefined): ApnsReason | undefined {
  if (priority !== undefined && priority !== '10' && priority !== '5' && priority !== '1') return 'BadPriority';
  // The default is 10, which a background push must not have.
  return pushType === 'background' && (priority ?? '10') === '10' ? 'BadPriority' : undefined;
}

function expirationProblem(expiration: string | undefined): ApnsReason | undefined {
  return expiration === undefined || /^\d{1,12}$/.test(expiration) ? undefined : 'BadExpirationDate';
}

function collapseProblem(collapseId: string | undefined): ApnsReason | undefined {
  if (collapseId === undefined) return undefined;
  return Buffer.byteLength(collapseId) > MAX_COLLAPSE_ID_BYTES || collapseId === '' ? 'BadCollapseId' : undefined;
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
