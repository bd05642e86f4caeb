import {
  type ErrorDetail,
  type FrequencyCap,
  isJsonObject,
  MAX_CAP_SECONDS,
  MAX_CAPPED_MESSAGES,
  MAX_FREQUENCY_CAPS,
} from '@postrider/domain';
import { CountField } from '../validation/answers';
import { fieldOf } from '../validation/field';
import { IsWholeNumber } from '../validation/fields';
import { readRequest } from '../validation/read-request';
import type { ListReading } from '../validation/reading';

/** The most campaigns that reach a user in any period of this many seconds. */
export class FrequencyCapRequest {
  @IsWholeNumber(1, MAX_CAPPED_MESSAGES) messages!: number;
  @IsWholeNumber(1, MAX_CAP_SECONDS) seconds!: number;
}

/** A frequency cap in an answer. */
export class FrequencyCapResponse {
  @CountField() messages!: number;
  @CountField() seconds!: number;
}

/** Frequency caps without unknown fields: a mistyped field would cap nobody. */
export function IsFrequencyCaps(): PropertyDecorator {
  return fieldOf({
    name: 'isFrequencyCaps',
    read: readFrequencyCaps,
    schema: { type: () => [FrequencyCapRequest], maxItems: MAX_FREQUENCY_CAPS },
  });
}

const FIELDS: ReadonlySet<string> = new Set(['messages', 'seconds'] satisfies (keyof FrequencyCap)[]);

function readFrequencyCaps(value: unknown): ListReading<FrequencyCap[]> {
  if (!Array.isArray(value)) return { problem: 'must be a list of caps: [{ "messages": 3, "seconds": 86400 }]' };
  if (value.length > MAX_FREQUENCY_CAPS) return { problem: `must have at most ${MAX_FREQUENCY_CAPS} caps` };
  const caps: FrequencyCap[] = [];
  const problems = value.flatMap((item: unknown, place): ErrorDetail[] => {
    const { request, problems: found } = readRequest(FrequencyCapRequest, item);
    caps.push({ messages: request.messages, seconds: request.seconds });
    const unknown = isJsonObject(item) ? Object.keys(item).filter((name) => !FIELDS.has(name)) : [];
    const known = found.map(({ path, message }) => ({ path, message }));
    return [...known, ...unknown.map((path) => ({ path, message: 'is not known' }))].map(({ path, message }) => ({
      path: path === '' ? `[${place}]` : `[${place}].${path}`,
      message,
    }));
  });
  return problems.length > 0 ? { problems } : { value: caps };
}
