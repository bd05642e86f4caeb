import { ApiProperty } from '@nestjs/swagger';
import { isoMoment, isUuid, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@postrider/domain';
import { fieldOf, Optional } from '../validation/field';
import { IsFlag, IsListOf, IsOneOf, IsRefused } from '../validation/fields';
import { IsCursor, IsLimit } from '../validation/paging';
import { AbsentBodyIsEmpty } from '../validation/read-request';
import type { Reading } from '../validation/values';
import { WEBHOOK_EVENT_STATES, type WebhookEventState } from './webhooks.response';

const MOST_EVENTS = 50;
const LONGEST_URL = 2_048;
const SECRET_PREFIX = 'whsec_';
const LEAST_SECRET_BYTES = 24;
const MOST_SECRET_BYTES = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const PLACE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?) (\S+)$/;

/** The body of `POST webhooks`. */
export class NewWebhookRequest {
  @IsWebhookUrl() url!: string;
  @IsEventList() events!: WebhookEventType[];
  @Optional() @IsWebhookSecret() secret?: string;
  @Optional() @IsFlag() @ApiProperty({ default: true }) isEnabled?: boolean;
}

/** The body of `PATCH webhooks/:id`: fields that are left out do not change. */
export class WebhookChangeRequest {
  @Optional() @IsWebhookUrl() url?: string;
  @Optional() @IsEventList() events?: WebhookEventType[];
  @Optional() @IsFlag() isEnabled?: boolean;
  @IsRefused('cannot be changed here; use POST …/rotate-secret') secret?: string;
}

/** The body of `POST webhooks/:id/rotate-secret`. */
@AbsentBodyIsEmpty()
export class NewSecretRequest {
  @Optional() @IsWebhookSecret() secret?: string;
}

/** The query of `GET webhooks/:id/deliveries`. */
export class WebhookDeliveriesQuery {
  @Optional() @IsOneOf(WEBHOOK_EVENT_STATES) state?: WebhookEventState;

  /** The time and the id of the last event of the previous answer. */
  @IsCursor({ test: isPlace }) cursor?: string;
  @IsLimit(500, 50) limit!: number;
}

/** True for a time as PostgreSQL writes it, and an id. */
function isPlace(text: string): boolean {
  const [, day, time = '', id = ''] = PLACE.exec(text) ?? [];
  return isUuid(id) && isoMoment(`${day}T${/[+-]\d\d$/.test(time) ? `${time}:00` : time}`) !== null;
}

/** Where events may be sent. The deployment decides if private addresses and plain http are allowed. */
function IsWebhookUrl(): PropertyDecorator {
  return fieldOf<string>({
    name: 'isWebhookUrl',
    read: (value) => {
      const problem = typeof value === 'string' ? problemOfUrl(value) : 'must be an https address';
      return problem === null ? { value: value as string } : { problem };
    },
    schema: { type: 'string', format: 'uri', maxLength: LONGEST_URL },
  });
}

function problemOfUrl(text: string): string | null {
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return `must be an https address of at most ${LONGEST_URL} characters`;
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return url.hash === '' ? null : 'must not contain a fragment';
}

function IsWebhookSecret(): PropertyDecorator {
  return fieldOf<string>({
    name: 'isWebhookSecret',
    read: (value) =>
      typeof value === 'string' && isWebhookSecret(value)
        ? { value }
        : { problem: 'must be whsec_ and 24 to 64 bytes in base64; leave it out to get one' },
    schema: {
      type: 'string',
      pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
      description: '`whsec_` and 24 to 64 bytes in base64; generated when it is left out',
    },
  });
}

function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(SECRET_PREFIX.length);
  if (!text.startsWith(SECRET_PREFIX) || !BASE64.test(encoded)) return false;
  const bytes = Buffer.from(encoded, 'base64').length;
  return bytes >= LEAST_SECRET_BYTES && bytes <= MOST_SECRET_BYTES;
}

function IsEventList(): PropertyDecorator {
  const items = { type: 'string', enum: [...WEBHOOK_EVENT_TYPES] };
  return IsListOf(readEvent, { items, min: 1, max: MOST_EVENTS, isSet: true });
}

function readEvent(value: unknown): Reading<WebhookEventType> {
  const found = WEBHOOK_EVENT_TYPES.find((type) => type === value);
  return found === undefined ? { problem: `must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}` } : { value: found };
}
