import { Inject, Injectable } from '@nestjs/common';
import { InvalidRequest } from '@postrider/domain';
import { CONFIG, type Config, LOGGER, type Logger, RepeatedWarning } from '@postrider/platform';
import { readPayload, reasonOf } from './read-payload';
import type { ClientSend, PublishResult, SessionIdentity } from '../session/device-session';

/** The time limit for the gateway's answer. The client waits for its acknowledgement meanwhile. */
const ANSWER_WITHIN_MS = 10_000;
const EVERYONE = 'public';
/** Fields that are not passed on: the published web client's own id and time, and the users, which the topic names. */
const NOT_SENT = new Set(['id', 'createdAt', 'users']);

/**
 * Passes sends of clients to the gateway's endpoint, with the access token of the client's connection. So validation,
 * limits and errors are the same as over HTTP. A message with an `id` is accepted once, however often the client
 * repeats it.
 */
@Injectable()
export class ClientSends {
  readonly #notHandedOn: RepeatedWarning;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#notHandedOn = new RepeatedWarning(logger, 'client-send.not-handed-on');
  }

  async send(identity: SessionIdentity, { to, channel, payload }: ClientSend): Promise<PublishResult> {
    try {
      const body = bodyOf(to, channel, payload);
      const answer = await fetch(new URL('/api/push/toUsers', this.config.gatewayUrl), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-access-token': identity.sendAccessToken?.reveal() ?? '',
          ...idempotencyOf(identity, body.id),
        },
        body: JSON.stringify(body.message),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      return await resultOf(answer);
    } catch (error) {
      if (error instanceof InvalidRequest) {
        return { kind: 'invalid', reason: reasonOf(error.message, error.options.details) };
      }
      this.#notHandedOn.log({ err: error });
      return { kind: 'later' };
    }
  }
}

/** What is parsed here and written again for the gateway reaches it unchanged. */
const RULES = { isReadInFull: false, hasExactIntegers: true };

/**
 * The topic names the recipients, whatever the payload says.
 *
 * @throws InvalidRequest for a payload that the endpoint would not read either
 */
function bodyOf(to: string, channel: string, payload: Buffer): { id: unknown; message: object } {
  const { id, ...sent } = readPayload(payload, RULES);
  const fields = Object.entries(sent).filter(([name]) => !NOT_SENT.has(name));
  return { id, message: { ...Object.fromEntries(fields), user: to === EVERYONE ? '*' : to, channel } };
}

function idempotencyOf({ installationId }: SessionIdentity, id: unknown): Record<string, string> {
  const isName = (typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id)) || typeof id === 'number';
  return isName ? { 'idempotency-key': `mqtt-${installationId}-${id}` } : {};
}

async function resultOf(answer: Response): Promise<PublishResult> {
  const text = await answer.text();
  if (answer.ok) return { kind: 'taken' };
  if (answer.status === 429) return { kind: 'busy' };
  if (answer.status >= 500 || answer.status === 409) return { kind: 'later' };
  return { kind: 'invalid', reason: reasonIn(text) ?? `Refused with ${answer.status}` };
}

function reasonIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as {
      error?: { message?: string; details?: { path: string; message: string }[] };
    };
    return reasonOf(error?.message, error?.details);
  } catch {
    return null;
  }
}
