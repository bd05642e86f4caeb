import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
  refs,
} from '@nestjs/swagger';
import {
  NotificationRequest,
  type RecipientForms,
  SendResponse,
  SendToGroupRequest,
  SendToUserRequest,
  SendToUsersRequest,
} from '@postrider/contracts';

const EACH_THEIR_OWN = { type: 'array', minItems: 1, items: { $ref: getSchemaPath(SendToUserRequest) } };
const NAMED = [...refs(SendToUserRequest, SendToUsersRequest), EACH_THEIR_OWN];
const GROUP = refs(SendToGroupRequest);

const NAMED_EXAMPLES = {
  oneUser: { value: { user: 'ada', content: 'Your parcel is on its way', useAsAlert: true } },
  severalUsers: { value: { users: ['ada', 'grace'], content: 'The shop opens at nine', silent: true } },
  eachTheirOwn: {
    value: [
      { user: 'ada', content: 'Order 17 is ready' },
      { user: 'grace', content: 'Order 18 is ready', notification: { title: 'Ready', clickUrl: 'shop://orders/18' } },
    ],
  },
};

const GROUP_EXAMPLES = {
  segment: {
    value: {
      content: 'We miss you',
      trackId: 'spring-2026',
      segment: { all: [{ name: 'launchTime', operator: 'before', value: '72h' }] },
    },
  },
  target: { value: { content: 'A new version is out', target: { deviceType: 'android' } } },
};

const NOTIFICATION_EXAMPLES = {
  notification: { value: { title: 'Your parcel', body: 'It is on its way', clickUrl: 'shop://orders/17' } },
};

/** The bodies of each endpoint: one of several classes, chosen by shape. */
const BODIES: Record<
  RecipientForms | 'notification',
  { oneOf: object[]; examples: Record<string, { value: unknown }> }
> = {
  named: { oneOf: NAMED, examples: NAMED_EXAMPLES },
  rules: { oneOf: GROUP, examples: GROUP_EXAMPLES },
  notification: { oneOf: refs(NotificationRequest), examples: NOTIFICATION_EXAMPLES },
  either: { oneOf: [...NAMED, ...GROUP], examples: { ...NAMED_EXAMPLES, ...GROUP_EXAMPLES } },
};

/** Documents a sending endpoint (OpenAPI). */
export function ApiSend(summary: string, forms: RecipientForms | 'notification'): MethodDecorator {
  const { oneOf, examples } = BODIES[forms];
  const [only] = oneOf;
  return applyDecorators(
    ApiOperation({ summary }),
    ApiExtraModels(NotificationRequest, SendToUserRequest, SendToUsersRequest, SendToGroupRequest, SendResponse),
    ApiBody({ required: true, schema: oneOf.length === 1 && only ? only : { oneOf }, examples }),
    ApiQuery({ name: 'dryRun', required: false, schema: { type: 'boolean' }, description: 'validate and count only' }),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: '1-255 printable characters; the same key and body within 24 hours sends once',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    ApiResponse({
      status: 200,
      description: 'accepted: the number of devices the message is sent to',
      headers: {
        'X-Message-Id': { description: 'the ids of the first 20 messages', schema: { type: 'string' } },
        'X-Batch-Id': {
          description: 'the id of the batch: all messages of an array have it',
          schema: { type: 'string', format: 'uuid' },
        },
        'Idempotent-Replayed': {
          description: '`true` when this is the kept answer to an earlier request',
          schema: { type: 'string' },
        },
      },
      content: { 'application/json': { schema: { $ref: getSchemaPath(SendResponse) }, example: { count: 3 } } },
    }),
    ...ERRORS.map(([status, description]) => ApiResponse({ status, description })),
  );
}

const ERRORS: [status: number, description: string][] = [
  [400, 'bad fields, each named in `details`; nothing is sent'],
  [401, 'the access token is missing, unknown, revoked or of another application'],
  [403, 'the token lacks the scope `send`'],
  [409, 'a request with this Idempotency-Key is still running, or the audience differs from `expectedCount`'],
  [422, 'this Idempotency-Key was used for another request'],
  [429, 'over the request limit; see `Retry-After`'],
  [503, 'the database is unavailable; nothing was done, unless `error.outcome` is `unknown`; see `Retry-After`'],
];
