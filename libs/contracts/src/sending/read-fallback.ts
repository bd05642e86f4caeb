import type { Fallback } from '@postrider/domain';
import type { FieldReader } from '../fields/field-reader';
import { readFilledText, type Reading } from '../validation/values';

const MAX_DELAY_SECONDS = 86_400;
const DEFAULT_DELAY_SECONDS = 60;

/** Reads `fallback`: the SMS that is sent when nothing confirms the message in time (decisions, `fallback`). */
export function readFallback(fields: FieldReader): Fallback {
  const policy = fields.optional('policy', readPolicy);
  return {
    content: fields.required('content', readFilledText) ?? '',
    media: fields.optional('media', readMedia) ?? 'sms',
    delaySeconds: fields.integer('delay', 0, MAX_DELAY_SECONDS) ?? DEFAULT_DELAY_SECONDS,
    ...(policy === undefined ? {} : { policy }),
  };
}

function readMedia(value: unknown): Reading<'sms'> {
  return value === 'sms' ? { value } : { problem: 'must be sms' };
}

function readPolicy(value: unknown): Reading<'NOTIFICATION_SHOWN'> {
  return value === 'NOTIFICATION_SHOWN' ? { value } : { problem: 'must be NOTIFICATION_SHOWN' };
}
