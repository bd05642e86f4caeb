import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, findPersonFacts, inTransaction } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { claimPromoCodes } from '@postrider/promo';
import { TemplateFailure } from '@postrider/rendering';
import type { Session } from '../session/session';
import type { KnownMessage } from './message-cache';

/** What a device gets, or why it gets nothing. */
export type Rendered =
  | { kind: 'payload'; payload: Buffer }
  | { kind: 'failed'; state: 'failed' | 'skipped'; errorCode: string; reason: string }
  /** The device is another user's by now, or gone. */
  | { kind: 'not_his' };

/** Makes the payloads of one message for devices: the same bytes for all, or each its own where the text is personal. */
@Injectable()
export class RenderedPayloads {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** In the order of `sessions`, all of which are let in. */
  async render(message: KnownMessage, sessions: readonly Session[]): Promise<Rendered[]> {
    if (message.personal !== null) return this.#renderEach(message, message.personal, sessions);
    return sessions.map(({ identity }) => ({
      kind: 'payload',
      payload: message.payloadFor(identity?.deviceType ?? null),
    }));
  }

  async #renderEach(
    message: KnownMessage,
    personal: NonNullable<KnownMessage['personal']>,
    sessions: readonly Session[],
  ): Promise<Rendered[]> {
    const { appId } = message.outgoing;
    const deviceIds = sessions.map(({ identity }) => Number(identity?.deviceId ?? 0));
    const people = await findPersonFacts(this.database, appId, deviceIds);
    const codes = personal.needs.promoCode
      ? await this.#claim(
          message,
          [...people.values()].map(({ userId }) => userId),
        )
      : null;
    const now = this.clock.now();
    return sessions.map(({ identity }): Rendered => {
      const person = people.get(Number(identity?.deviceId ?? 0));
      if (!identity || person?.userId !== identity.userId) return { kind: 'not_his' };
      try {
        const renderer = personal.rendererFor({ ...person, promoCode: codes?.get(person.userId) ?? null }, now);
        const json = renderer.connectionPayload({ deviceType: identity.deviceType });
        return { kind: 'payload', payload: Buffer.from(JSON.stringify(json)) };
      } catch (error) {
        if (!(error instanceof TemplateFailure)) throw error;
        return { kind: 'failed', state: 'failed', errorCode: error.code, reason: error.message };
      }
    });
  }

  #claim({ outgoing, content }: KnownMessage, userIds: string[]): Promise<Map<string, string | null>> {
    const claim = {
      appId: outgoing.appId,
      messageId: outgoing.id,
      trackId: content.trackId ?? null,
      now: this.clock.now(),
    };
    return inTransaction(this.database, (executor) =>
      claimPromoCodes(executor, { ...claim, userIds: [...new Set(userIds)] }),
    );
  }
}
