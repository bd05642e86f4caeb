import { type Violation, violationsOf } from '../../shape/violations';
import { FCM_SEND_REQUEST } from './fcm-message.shape';
import type { FieldViolation } from './fcm-answers';

const MAX_PAYLOAD_BYTES = 4_096;
const MAX_TOPIC_PAYLOAD_BYTES = 2_048;
const MAX_TTL_SECONDS = 2_419_200;
const TARGETS = ['token', 'fid', 'topic', 'condition'] as const;

/** The parts of a message that the checks look at, once its shape is known to be right. */
export interface FcmMessage {
  token?: string;
  fid?: string;
  topic?: string;
  condition?: string;
  data?: Record<string, string>;
  notification?: { title?: string; body?: string };
  android?: FcmAndroid;
}

interface FcmAndroid {
  ttl?: string;
  data?: Record<string, string>;
  notification?: Record<string, unknown> & { title?: string; body?: string };
}

/**
 * Finds what FCM would refuse in a request body.
 *
 * @param bodyBytes the length of the body on the wire: only a long one needs its payload measured
 * @returns one complaint per field, none when the request is in order
 */
export function fcmComplaints(request: unknown, bodyBytes: number): FieldViolation[] {
  const violations = violationsOf(FCM_SEND_REQUEST, request, '');
  if (violations.length > 0) return violations.map(describe);
  const { message } = request as { message: FcmMessage };
  return [
    ...targetComplaints(message),
    ...reservedKeys(message.data, 'message.data'),
    ...reservedKeys(message.android?.data, 'message.android.data'),
    ...ttlComplaints(message.android?.ttl),
    ...lightComplaints(message.android?.notification),
    ...sizeComplaints(message, bodyBytes),
  ];
}

function describe(violation: Violation): FieldViolation {
  const { field, name, expected } = violation;
  if (violation.kind === 'unknown') {
    const place = field === '' ? '' : ` at '${field}'`;
    const description = `Invalid JSON payload received. Unknown name ${JSON.stringify(name)}${place}: Cannot find field.`;
    return { field, description };
  }
  if (violation.kind === 'missing') return { field: name ?? field, description: 'Required field is missing.' };
  return { field, description: `Invalid value at '${field}' (${expected ?? 'unknown'})` };
}

function targetComplaints(message: FcmMessage): FieldViolation[] {
  const given = TARGETS.filter((target) => message[target] !== undefined);
  if (given.length === 1) return [];
  const description =
    given.length === 0
      ? 'Recipient of the message is not set.'
      : `oneof field 'target' is already set. Cannot set '${given[1] ?? ''}'`;
  return [{ field: 'message', description }];
}

function reservedKeys(data: Record<string, string> | undefined, field: string): FieldViolation[] {
  if (data === undefined) return [];
  const complaints: FieldViolation[] = [];
  for (const key in data) {
    if (key === 'from' || key === 'message_type' || key.startsWith('google.') || key.startsWith('gcm')) {
      complaints.push({ field, description: `Invalid data payload key: ${key}` });
    }
  }
  return complaints;
}

function ttlComplaints(ttl: string | undefined): FieldViolation[] {
  if (ttl === undefined || Number(ttl.slice(0, -1)) <= MAX_TTL_SECONDS) return [];
  return [{ field: 'message.android.ttl', description: 'Invalid value: ttl must be between 0 and 4 weeks.' }];
}

/** A light without its two durations or its color is refused, in whichever spelling they come. */
function lightComplaints(notification: FcmAndroid['notification']): FieldViolation[] {
  const light = (notification?.light_settings ?? notification?.lightSettings) as Record<string, unknown> | undefined;
  if (light === undefined) return [];
  const wanted = [['color'], ['light_on_duration', 'lightOnDuration'], ['light_off_duration', 'lightOffDuration']];
  return wanted
    .filter((spellings) => spellings.every((spelling) => light[spelling] === undefined))
    .map(([name]) => ({
      field: `message.android.notification.light_settings.${name ?? ''}`,
      description: 'Required field is missing.',
    }));
}

function sizeComplaints(message: FcmMessage, bodyBytes: number): FieldViolation[] {
  const limit =
    message.topic === undefined && message.condition === undefined ? MAX_PAYLOAD_BYTES : MAX_TOPIC_PAYLOAD_BYTES;
  if (bodyBytes <= limit) return []; // the payload is a part of the body
  const parts = [message.data, message.notification, message.android?.data, message.android?.notification];
  const payloadBytes = parts.reduce((sum, part) => sum + bytesOf(part), 0);
  return payloadBytes <= limit ? [] : [{ field: 'message', description: 'Android message is too big' }];
}

/** Keys and values, as FCM counts a payload. */
function bytesOf(part: object | undefined): number {
  if (part === undefined) return 0;
  return Object.entries(part).reduce((sum, [key, value]: [string, unknown]) => {
    const written = typeof value === 'string' ? value : JSON.stringify(value);
    return sum + Buffer.byteLength(key) + Buffer.byteLength(written);
  }, 0);
}
