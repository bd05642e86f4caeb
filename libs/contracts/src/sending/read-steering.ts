import { isoMoment, MAX_RATE, type Steering, UNSTEERED } from '@postrider/domain';
import type { FieldReader } from '../fields/field-reader';
import { readFilledText, type Reading } from '../validation/values';
import type { SendRequest } from './send.request';

/** The fields of a message that say when and how fast it is sent. */
export const STEERING_FIELDS = ['rate', 'sendAt', 'localTime', 'ignoreQuietHours'] as const;

const WITH_OFFSET = /[+-]\d\d:\d\d$/;

/** Reads when and how fast a message is sent. Whether `sendAt` is still to come is not known here. */
export function readSteering(fields: FieldReader): Steering {
  if (!STEERING_FIELDS.some((name) => fields.has(name))) return UNSTEERED;
  const localTime = fields.boolean('localTime') ?? false;
  const rate = fields.integer('rate', 1, MAX_RATE);
  const sendAt = fields.optional('sendAt', localTime ? readWallTime : readMoment);
  if (localTime && !fields.has('sendAt')) fields.report('localTime', 'needs sendAt');
  return {
    localTime,
    ignoreQuietHours: fields.boolean('ignoreQuietHours') ?? false,
    ...(rate === undefined ? {} : { rate }),
    ...(sendAt === undefined ? {} : { sendAt }),
  };
}

/** Refuses what does not go together: `live` is for this moment, an inbox has no speed, named users have one moment. */
export function checkSteering(fields: FieldReader, { content, recipients, steering }: SendRequest): void {
  if (content.live) {
    fields.refuse(['sendAt', 'rate'], 'is not for live: that reaches whoever is connected at this moment');
  } else if (content.inApp) {
    fields.refuse(['rate'], 'is not for inApp: nothing is pushed');
  }
  if (recipients.kind === 'users' && steering.localTime) {
    fields.report('localTime', 'is for campaigns: byQuery, or user "*"');
  }
}

function readMoment(value: unknown): Reading<Date> {
  const moment = typeof value === 'string' ? isoMoment(value) : null;
  if (moment !== null) return { value: new Date(Number(moment / 1_000n)) };
  return { problem: 'must be a time in ISO 8601, such as 2026-11-22T09:00:00+01:00' };
}

/** A `Z` says no place, and is let pass. */
function readWallTime(value: unknown): Reading<Date> {
  const text = readFilledText(value);
  const isWithOffset = 'value' in text && WITH_OFFSET.test(text.value);
  const reading = readMoment(value);
  if (!isWithOffset && 'value' in reading)
    return { value: new Date(Math.floor(reading.value.getTime() / 1_000) * 1_000) };
  return { problem: 'must be a time without an offset, such as 2026-11-22T09:00:00, when localTime is set' };
}
