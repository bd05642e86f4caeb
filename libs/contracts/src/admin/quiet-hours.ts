import { isJsonObject, isTimeZone, minuteOfDay, type QuietHours } from '@postrider/domain';
import { TextField, WordField } from '../validation/answers';
import { fieldOf, Rule } from '../validation/field';
import { IsOneOf } from '../validation/fields';
import { readRequest } from '../validation/read-request';
import type { ListReading, Reading } from '../validation/reading';

const APPLIES = ['campaigns', 'all'] as const;
const WHOSE_CLOCK = '`device`, or one time zone (IANA) for all devices';

/** When an application's campaigns, or all its messages, are held back. */
export class QuietHoursRequest {
  @IsClockTime() start!: string;

  @IsClockTime()
  @Rule<QuietHoursRequest>(({ start, end }) =>
    start !== undefined && start === end ? 'must not be the same as start' : null,
  )
  end!: string;

  @IsWhoseClock() timeZone!: string;
  @IsOneOf(APPLIES, { default: 'campaigns' }) applies!: QuietHours['applies'];
}

/** Quiet hours in an answer. */
export class QuietHoursResponse {
  @TextField() start!: string;
  @TextField() end!: string;
  @TextField({ description: WHOSE_CLOCK }) timeZone!: string;
  @WordField(APPLIES) applies!: QuietHours['applies'];
}

/** Quiet hours without unknown fields: a mistyped one would go unnoticed until it wakes somebody. */
export function IsQuietHours(): PropertyDecorator {
  return fieldOf({
    name: 'isQuietHours',
    read: readQuietHours,
    schema: { type: () => QuietHoursRequest, example: { start: '22:00', end: '08:00' } },
  });
}

/** The name of a time zone. */
export function IsTimeZone(description: string): PropertyDecorator {
  return fieldOf({ name: 'isTimeZone', read: readTimeZone, schema: { type: 'string', description } });
}

function readQuietHours(value: unknown): ListReading<QuietHours> {
  if (!isJsonObject(value)) return { problem: 'must be a JSON object' };
  const { request, problems } = readRequest(QuietHoursRequest, value);
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(request, name));
  const all = [...problems, ...unknown.map((path) => ({ path, message: 'is not known' }))];
  if (all.length > 0) return { problems: all.map(({ path, message }) => ({ path: `.${path}`, message })) };
  const { start, end, timeZone, applies } = request;
  return { value: { start, end, timeZone, applies } };
}

function IsClockTime(): PropertyDecorator {
  return fieldOf<string>({
    name: 'isClockTime',
    read: (value) =>
      typeof value === 'string' && minuteOfDay(value) !== null
        ? { value }
        : { problem: 'must be a time of day, hh:mm' },
    schema: { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
  });
}

function IsWhoseClock(): PropertyDecorator {
  return fieldOf<string>({
    name: 'isWhoseClock',
    read: (value) => (value === 'device' ? { value } : readTimeZone(value)),
    schema: { type: 'string', default: 'device', description: WHOSE_CLOCK },
  });
}

function readTimeZone(value: unknown): Reading<string> {
  if (typeof value === 'string' && isTimeZone(value)) return { value };
  return { problem: 'must be a time zone (IANA), such as Europe/Berlin' };
}
